"""What passing is worth: by hand where that can be done, and in order elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth.beliefs.games.clue.waiting import ABLE, outlook, worth_of_waiting
from sleuth.models.clue.imagined.race import ROUNDS

NEVER, ALWAYS = np.zeros(ROUNDS), np.ones(ROUNDS)


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


def test_who_would_not_accuse_if_they_knew_is_nobody_to_fear() -> None:
    weights, hits = np.array([0.5, 0.5]), np.array([True, False])
    mine, knew = np.array([0.5, 0.7, 1.0]), np.array([[0.0, 3.0], [3.0, 3.0]])
    able = np.array([0.0, ABLE])
    found = outlook(weights, hits, knew, knew, mine, 1.0, able)
    # That they passed says nothing, and neither are they sooner.
    assert found.right == pytest.approx(0.5)
    alone = outlook(weights, hits, knew[:, 1:], knew[:, 1:], mine, 1.0)
    assert found.sooner == pytest.approx(alone.sooner)
    assert outlook(weights, hits, knew, knew, mine, 1.0, np.zeros(2)).sooner == 0.0
