"""What passing says and is worth: by hand where that can be done, and in order elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sleuth.beliefs.games.clue.declaration import ClueBelief
from sleuth.beliefs.games.clue.hearing import MISSED
from sleuth.beliefs.games.clue.passing import PassingBelief
from sleuth.models.clue.events import Accusation, ClueEvent, Suggestion
from sleuth.models.clue.race import ROUNDS
from sleuth.models.clue.seen import SeenGame, numbered
from sleuth.planners.agents.clue_waiting import ABLE, outlook, worth_of_waiting

CARDS = ("plum", "knife", "kitchen")
PLAYERS = ("p1", "p2", "p3")
ASKED = Suggestion("p2", CARDS, refuter=None, shown=None, passed=("p3", "p1"))
NEVER, ALWAYS = np.zeros(ROUNDS), np.ones(ROUNDS)


def _seen(*events: ClueEvent) -> SeenGame:
    hand = ("green", "rope", "hall", "study", "lounge", "library")
    game = SeenGame(PLAYERS, tuple((name, 6) for name in PLAYERS), "p1", own_hand=hand)
    return replace(game, events=tuple(numbered(events, "p1")))


def test_who_passes_unrefuted_most_likely_holds_a_card() -> None:
    game = _seen(ASKED)
    exact = ClueBelief(game)
    plain = exact.infer(game).probability(exact.cards.all_of("case file", CARDS))
    belief = PassingBelief().posterior(game)
    heard = belief.probability(exact.cards.all_of("case file", CARDS))
    # Nobody else holds any of them, so all three are in the case file unless the suggester has one.
    none = plain
    assert heard == pytest.approx(none * MISSED / (none * MISSED + 1.0 - none))
    assert heard < 0.2 * plain


def test_who_accuses_has_not_passed() -> None:
    game = _seen(ASKED, Accusation("p2", ("plum", "knife", "ballroom"), False))
    exact = ClueBelief(game)
    found = PassingBelief().posterior(game).distribution(exact.case_file)
    assert found == pytest.approx(exact.infer(game).distribution(exact.case_file))


def test_ones_own_passing_and_refuted_suggestions_say_nothing() -> None:
    mine = Suggestion("p1", CARDS, refuter=None, shown=None, passed=("p2", "p3"))
    theirs = Suggestion("p2", CARDS, refuter="p3", shown=None, passed=())
    for event in (mine, theirs):
        game = _seen(event)
        exact = ClueBelief(game)
        found = PassingBelief().posterior(game).distribution(exact.case_file)
        assert found == pytest.approx(exact.infer(game).distribution(exact.case_file))


def test_waiting_is_worth_what_the_next_turn_brings() -> None:
    unless = NEVER.copy()
    unless[0] = 0.5  # somebody else is right in the round after the next turn
    assert worth_of_waiting(0.6, NEVER, unless) == pytest.approx(0.5 * 0.6)
    assert worth_of_waiting(0.6, NEVER, NEVER) == 0.0
    assert worth_of_waiting(0.6, ALWAYS, ALWAYS) == pytest.approx(1.0)
    # Surely knows after the second round, and nobody else ever does: waits.
    later = ALWAYS.copy()
    later[0] = 0.0
    assert worth_of_waiting(0.6, later, ALWAYS) == pytest.approx(1.0)


def test_the_sooner_others_know_the_less_waiting_is_worth() -> None:
    knows = np.linspace(0.2, 0.6, ROUNDS)
    worth = [worth_of_waiting(0.5, knows, np.full(ROUNDS, free)) for free in (1.0, 0.8, 0.4, 0.1)]
    assert worth == sorted(worth, reverse=True)
    assert worth[0] > 0.5


def test_a_deal_in_which_somebody_knew_is_less_likely() -> None:
    weights, hits = np.array([0.5, 0.5]), np.array([True, False])
    mine = np.array([0.5, 0.7, 1.0])
    knew = np.array([[0.0], [3.0]])
    found = outlook(weights, hits, knew, knew, mine, 1.0)
    assert found.right == pytest.approx((1.0 - ABLE) / (2.0 - ABLE))
    open_to_all = np.full((2, 1), 3.0)
    assert outlook(weights, hits, open_to_all, open_to_all, mine, 1.0).right == pytest.approx(0.5)


def test_somebody_knows_at_their_next_turn_what_they_have_seen_since() -> None:
    weights, hits = np.array([0.5, 0.5]), np.array([True, False])
    mine, open_bits = np.array([0.5, 0.7, 1.0]), np.full((2, 1), 3.0)
    found = outlook(weights, hits, open_bits, np.zeros((2, 1)), mine, 1.0)
    assert found.sooner == pytest.approx(ABLE)
    later = outlook(weights, hits, open_bits, open_bits, mine, 1.0)
    assert later.sooner < found.sooner
    assert later.waiting > found.waiting
    # Those who could have known before and passed do not know how: nobody is sooner.
    unable = outlook(weights, hits, np.zeros((2, 1)), np.zeros((2, 1)), mine, 1.0)
    assert unable.sooner == pytest.approx(0.0)


def test_nobody_else_is_left() -> None:
    none = np.empty((2, 0))
    found = outlook(
        np.array([0.4, 0.6]), np.array([True, False]), none, none, np.array([0.4, 0.6, 1.0]), 1.0
    )
    assert found.right == pytest.approx(0.4)
    assert found.sooner == 0.0
    assert found.waiting > 0.95
