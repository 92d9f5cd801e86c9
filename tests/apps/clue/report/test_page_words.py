"""Numbers and events read as a person would write them."""

from __future__ import annotations

import html
import re

import pytest

from sleuth.apps.clue.report.text import _cell
from sleuth.apps.clue.words import describe, sentence
from sleuth.apps.kit import number_words
from sleuth.apps.kit.number_words import bits, number, percent
from sleuth.apps.kit.pages.markup import Html, element, listed
from sleuth.data.checks import CERTAIN
from sleuth.games.clue import Accusation, Has, Move, NotHas, OneOf, Suggestion
from sleuth.models.clue.events import ClueEvent

CARDS = ("plum", "rope", "hall")


@pytest.mark.parametrize(
    "event, expected",
    [
        (Suggestion("a", CARDS), "a suggests plum, rope and hall: nobody can refute."),
        (
            Suggestion("a", CARDS, refuter="c", passed=("b",)),
            "a suggests plum, rope and hall: b passes, c shows a card.",
        ),
        (
            Suggestion("a", CARDS, refuter="d", shown="rope", passed=("b", "c")),
            "a suggests plum, rope and hall: b and c pass, d shows rope.",
        ),
        (
            Suggestion("a", CARDS, refuter_recorded=False),
            "a suggests plum, rope and hall: what came of it was not recorded.",
        ),
        (Accusation("a", CARDS, correct=True), "a accuses plum, rope and hall, rightly."),
        (
            Accusation("a", CARDS, correct=False, seen=CARDS),
            "a accuses plum, rope and hall, wrongly, and sees plum, rope and hall.",
        ),
        (Move("a", "kitchen"), "a moves to kitchen."),
        (Has("case file", "plum"), "the case file has plum."),
        (NotHas("a", "plum"), "a does not have plum."),
        (OneOf("a", CARDS), "a has at least one of plum, rope and hall."),
    ],
)
def test_an_event_is_a_sentence(event: ClueEvent, expected: str) -> None:
    assert html.unescape(re.sub(r"<[^>]*>", "", sentence(event))) == expected
    # The page and the terminal use the same words.
    assert expected == f"{describe(event)}."


def test_names_in_a_sentence_are_escaped_and_set_apart() -> None:
    said = sentence(Suggestion("<a>", CARDS, refuter="b&c", passed=("d",), shown="rope"))
    assert '<bdi class="name">&lt;a&gt;</bdi> suggests <span class="card">plum</span>, ' in said
    assert '<bdi class="name">b&amp;c</bdi> shows <span class="card">rope</span>.' in said


@pytest.mark.parametrize(
    "probability, expected",
    [
        *((0.0, "0"), (1e-15, "0"), (1e-9, "<1"), (0.00999, "<1"), (0.012, "1"), (0.5, "50")),
        *((0.99, "99"), (0.999, ">99"), (1.0 - 1e-8, ">99"), (1.0 - 1e-10, "100"), (1.0, "100")),
    ],
)
def test_what_is_open_never_reads_as_0_or_100_percent(probability: float, expected: str) -> None:
    assert percent(probability) == expected


@pytest.mark.parametrize(
    "probability, expected",
    [(0.0, "0.0"), (0.0005, "<0.1"), (0.001, "0.1"), (0.9995, ">99.9"), (1.0 - 1e-12, "100.0")],
)
def test_digits_after_the_point_show_what_is_nearly_certain(
    probability: float, expected: str
) -> None:
    assert percent(probability, 1) == expected


@pytest.mark.parametrize("off", [1e-8, 1e-10, 1e-11, 1e-12, 5e-13, 1e-14])
def test_a_terminal_and_a_page_agree_on_what_is_certain(off: float) -> None:
    said = "100" if off < CERTAIN else ">99"
    for exact in (True, False):
        assert str(_cell(1.0 - off, False, exact)) == said
    assert percent(1.0 - off) == number_words.percent(1.0 - off) == said


def test_there_is_no_minus_zero() -> None:
    assert bits(-0.001) == "0.00"
    assert bits(-0.01) == "\N{MINUS SIGN}0.01"


def test_lists_and_counts_are_in_words() -> None:
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b"], "or") == "a or b"
    assert [number(count, "card") for count in (0, 1, 13)] == ["no cards", "one card", "13 cards"]


def test_text_is_escaped_unless_it_is_markup() -> None:
    assert element("p", "<b>", Html("<i></i>"), title='"') == (
        '<p title="&quot;">&lt;b&gt;<i></i></p>'
    )
