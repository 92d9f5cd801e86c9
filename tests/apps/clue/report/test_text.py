"""The text fits its terminal and never says more than is known."""

from __future__ import annotations

import pytest

from sleuth.apps.clue.findings import ClueAnalysis
from sleuth.apps.clue.report.text import bits, percent
from sleuth.apps.clue.words import describe
from sleuth.apps.kit.answers.text import short_names
from sleuth.games.clue import ClueRecord, Suggestion, load

from ...games import shipped, small
from ..analyses import analyse, text


def lines(analysis: ClueAnalysis, width: int) -> list[str]:
    return text(analysis, width).splitlines()


@pytest.fixture(scope="module")
def six() -> ClueAnalysis:
    record = load(shipped("neller_main.json"))
    return analyse(record.seen_by(), advice=3, name=record.name, source=record.source)


@pytest.mark.parametrize("width", [48, 60, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal_and_no_card_is_lost(
    six: ClueAnalysis, width: int
) -> None:
    said = lines(six, width)
    assert max(map(len, said)) <= width
    rows = [line for line in said if line.count("✗") >= 6]
    assert len(rows) == 21
    assert all(line.count("✓") == 1 for line in rows)
    assert not any("…" in line for line in said)


def test_what_is_open_never_reads_as_certain() -> None:
    assert [percent(p) for p in (0.0, 1e-9, 0.004, 0.5, 0.996, 1 - 1e-9, 1.0)] == [
        *("0", "<1", "<1", "50", ">99", ">99", "100"),
    ]


def test_bits_have_a_true_minus_and_no_minus_zero() -> None:
    assert [bits(-0.001, sign=True), bits(-1.0, sign=True), bits(1.0, sign=True)] == [
        *("0.00", "\N{MINUS SIGN}1.00", "+1.00"),
    ]


@pytest.mark.parametrize(
    "names, short",
    [
        (["ann", "ben"], ["ann", "ben"]),
        (["Alexander", "Bartholomew"], ["Alex", "Bart"]),
        (["Player1", "Player2"], ["Pla1", "Pla2"]),
        (["Player1a", "Player2a"], ["P1", "P2"]),
    ],
)
def test_short_names_tell_players_apart(names: list[str], short: list[str]) -> None:
    assert short_names(names, 4) == short


def test_an_approximation_marks_certain_only_what_is_proven() -> None:
    game = ClueRecord.from_json(small()).seen_by()
    drawn = analyse(game, method="likelihood_weighting", samples=3)
    proven = len(drawn.proven)
    said = lines(drawn, 120)
    assert sum(line.count("✓") for line in said) == proven < 21
    assert any("(an estimate)" in line for line in said)
    assert not any("✗" in line for line in said)


@pytest.mark.parametrize(
    "event, sentence",
    [
        (
            Suggestion("a", ("plum", "rope", "hall"), refuter="c", passed=("b",), shown="rope"),
            "a suggests plum, rope and hall: b passes, c shows rope",
        ),
        (
            Suggestion("a", ("plum", "rope", "hall"), refuter="b"),
            "a suggests plum, rope and hall: b shows a card",
        ),
        (
            Suggestion("a", ("plum", "rope", "hall"), passed=("b", "c")),
            "a suggests plum, rope and hall: nobody can refute",
        ),
        (
            Suggestion("a", ("plum", "rope", "hall"), refuter_recorded=False, passed=("b", "c")),
            "a suggests plum, rope and hall: b and c pass, what came of it was not recorded",
        ),
    ],
)
def test_suggestions_read_as_sentences(event: Suggestion, sentence: str) -> None:
    assert describe(event) == sentence
