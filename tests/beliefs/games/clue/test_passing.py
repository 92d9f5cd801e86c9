"""Passing says that a player does not know the case file: by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sleuth.beliefs.games.clue.hearing import MISSED
from sleuth.beliefs.games.clue.passing import PassingBelief
from sleuth.games.clue import Accusation, ClueDeclaration, SeenClue, Suggestion
from sleuth.models.clue.events import ClueEvent
from sleuth.models.clue.seen import numbered

CARDS = ("plum", "knife", "kitchen")
PLAYERS = ("p1", "p2", "p3")
ASKED = Suggestion("p2", CARDS, refuter=None, shown=None, passed=("p3", "p1"))


def _seen(*events: ClueEvent) -> SeenClue:
    hand = ("green", "rope", "hall", "study", "lounge", "library")
    game = SeenClue(
        players=PLAYERS,
        hand_sizes=tuple((name, 6) for name in PLAYERS),
        viewer="p1",
        own_hand=hand,
    )
    return replace(game, events=tuple(numbered(events, "p1")))


def test_who_passes_unrefuted_most_likely_holds_a_card() -> None:
    game = _seen(ASKED)
    exact = ClueDeclaration(game)
    plain = exact.infer(game).probability(exact.cards.all_of("case file", CARDS))
    belief = PassingBelief().posterior(game)
    heard = belief.probability(exact.cards.all_of("case file", CARDS))
    # Nobody else holds any of them, so all three are in the case file unless the suggester has one.
    none = plain
    assert heard == pytest.approx(none * MISSED / (none * MISSED + 1.0 - none))
    assert heard < 0.2 * plain


def test_who_accuses_has_not_passed() -> None:
    game = _seen(ASKED, Accusation("p2", ("plum", "knife", "ballroom"), False))
    exact = ClueDeclaration(game)
    found = PassingBelief().posterior(game).distribution(exact.case_file)
    assert found == pytest.approx(exact.infer(game).distribution(exact.case_file))


def test_ones_own_passing_and_refuted_suggestions_say_nothing() -> None:
    mine = Suggestion("p1", CARDS, refuter=None, shown=None, passed=("p2", "p3"))
    theirs = Suggestion("p2", CARDS, refuter="p3", shown=None, passed=())
    for event in (mine, theirs):
        game = _seen(event)
        exact = ClueDeclaration(game)
        found = PassingBelief().posterior(game).distribution(exact.case_file)
        assert found == pytest.approx(exact.infer(game).distribution(exact.case_file))
