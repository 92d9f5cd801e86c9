"""Liar's dice for many: who is wrong, and what bids say of hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play, SleuthError, belief, game

from .plain_worlds import PlainWorld

pytestmark = pytest.mark.usefixtures("plain_python")

#: Small enough for all worlds to be written out.
SMALL = (
    {"players": 2, "dice": 1},
    {"players": 3, "dice": 1},
    {"players": 2, "dice": 2, "sides": 3, "wild": True},
)
ROLES = ("first", "second", "third")


def keeps(play: Play) -> None:
    """Nobody loses a die; the loser pays what the others win, and was wrong."""
    state, (players, dice, sides, wild, liar, _) = play.truth()[0], play.game.tables
    assert state.hands.sum(axis=1).tolist() == [dice] * players
    assert state.bid == (play.actions[-1 - play.over] if play.actions else -1) < liar
    if play.over:
        number, face = divmod(int(state.bid), sides)
        faces = {face, sides - 1} if wild else {face}
        caller = (len(play.actions) - 1) % players
        wrong = caller if state.hands[:, list(faces)].sum() > number else (caller - 1) % players
        assert play.returns().argmin() == wrong
        assert abs(play.returns().sum()) < 1e-12


def starts(made: Game) -> Iterator[tuple[float, Any]]:
    """Every roll of all dice."""
    players, dice, sides, *_ = made.tables
    for roll in product(range(sides), repeat=players * dice):
        states = made.states(1)
        states[0].bid = states[0].loser = -1
        for place, face in enumerate(roll):
            states[0].hands[place // dice, face] += 1
        yield 1.0, states


def values(world: PlainWorld) -> Mapping[str, Any]:
    """The hands, and the dice with each face of all others."""
    hands = world.state.hands
    found: dict[str, Any] = {
        f"dice of {ROLES[p]}": tuple(hand) for p, hand in enumerate(hands.tolist())
    }
    others = hands.sum(axis=0) - (hands[world.viewer] if world.viewer >= 0 else 0)
    return found | {f"others' {face + 1}s": int(number) for face, number in enumerate(others)}


def test_who_calls_a_right_bid_a_liar_loses() -> None:
    play = Play.new(game("liars_dice_for_many", players=3, dice=2), seed=1)
    faces = play.truth()[0].hands.sum(axis=0)
    face = int(faces.argmax())
    for number, loser in ((faces[face], 1), (faces[face] + 1, 0)):
        other = Play.new(play.game, seed=1)
        other.apply(6 * (int(number) - 1) + face)
        other.apply(36)
        assert other.returns().argmin() == loser
        assert sorted(other.returns().tolist()) == [-1.0, 0.5, 0.5]


def test_a_bid_weighs_hands_with_its_face_against_those_without() -> None:
    play = Play.new(game("liars_dice_for_many", players=2, dice=2), seed=1)
    play.apply(3)
    known = belief(play.game).infer(play.view(1), play.seen_by(1))
    hand = belief(play.game).hidden(play.view(1))["dice of first"]
    with_face = sum(chance for dice, chance in known.marginal(hand).items() if dice[3])
    assert with_face == pytest.approx((11 / 36) / (11 / 36 + 0.4 * 25 / 36))


def test_thirty_dice_are_counted() -> None:
    play = Play.new(game("liars_dice_for_many", players=6), seed=1)
    known = belief(play.game).infer(play.view(0), play.seen_by(0))
    sixes = known.marginal(belief(play.game).hidden(play.view(0))["others' 6s"])
    assert sum(number * chance for number, chance in sixes.items()) == pytest.approx(25 / 6)
    assert np.isclose(sixes[0], (5 / 6) ** 25)


@pytest.mark.parametrize("settings", [{"players": 1}, {"players": 7}, {"dice": 6}, {"sides": 13}])
def test_sizes_that_cannot_be_are_refused(settings: Mapping[str, int]) -> None:
    with pytest.raises(SleuthError, match="is out of range"):
        game("liars_dice_for_many", **settings)
