"""Numbers and events read as a person would write them."""

from __future__ import annotations

import html
import re

import pytest

from sleuth.apps.report.markup import Html, element
from sleuth.apps.report.words import bits, listed, number, percent, sentence
from sleuth.models.clue import Accusation, Has, Move, NotHas, OneOf, Suggestion
from sleuth.models.clue.events import ClueEvent

CARDS = ("plum", "rope", "hall")


@pytest.mark.parametrize(
    "event, expected",
    [
        (Suggestion("a", CARDS), "a suggests plum, rope, hall. Nobody shows a card."),
        (
            Suggestion("a", CARDS, refuter="c", passed=("b",)),
            "a suggests plum, rope, hall. b passes; c shows a card.",
        ),
        (
            Suggestion("a", CARDS, refuter="d", shown="rope", passed=("b", "c")),
            "a suggests plum, rope, hall. b and c pass; d shows rope.",
        ),
        (
            Suggestion("a", CARDS, refuter_recorded=False),
            "a suggests plum, rope, hall. Who refuted was not recorded.",
        ),
        (Accusation("a", CARDS, correct=True), "a accuses plum, rope, hall, and is right."),
        (
            Accusation("a", CARDS, correct=False, seen=CARDS),
            "a accuses plum, rope, hall, and is wrong. The case file: plum, rope, hall.",
        ),
        (Move("a", "kitchen"), "a goes to kitchen."),
        (Has("case file", "plum"), "Note: The case file has plum."),
        (NotHas("a", "plum"), "Note: a does not have plum."),
        (OneOf("a", CARDS), "Note: a has plum, rope or hall."),
    ],
)
def test_an_event_is_a_sentence(event: ClueEvent, expected: str) -> None:
    assert html.unescape(re.sub(r"<[^>]*>", "", sentence(event))) == expected


@pytest.mark.parametrize(
    "probability, expected",
    [(0.0, "0"), (1e-9, "<1"), (0.5, "50"), (0.999, ">99"), (1.0 - 1e-15, "100"), (0.012, "1")],
)
def test_what_is_open_never_reads_as_0_or_100_percent(probability: float, expected: str) -> None:
    assert percent(probability) == expected


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
