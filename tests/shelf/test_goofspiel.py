"""Goofspiel: who wins which prize, and bids that nobody shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from sleuth import SPECTATOR, Game, Play, SleuthError, belief, game

from .plain_worlds import PlainWorld

pytestmark = pytest.mark.usefixtures("plain_python")

#: Small enough for all worlds to be written out.
SMALL = (
    {"cards": 4},
    {"players": 3, "cards": 3},
    {"cards": 4, "order": "descending", "payoff": "win_loss"},
)


def keeps(play: Play) -> None:
    """Every card is in its hand, bid, or was bid; every prize is somewhere."""
    state, (players, cards, *_) = play.truth()[0], play.game.tables
    turns = cards - int(state.left) - (not play.over)
    for player in range(players):
        bid = state.bids[player] >= 0
        assert state.hands[player].sum() == cards - turns - bid
        assert not bid or state.hands[player, state.bids[player]] == 0
    there = [*state.deck[: state.left], *([] if play.over else [state.prize])]
    assert sorted(there + np.flatnonzero(state.went >= 0).tolist()) == list(range(cards))
    assert turns == np.count_nonzero(state.went >= 0)
    if play.over:
        assert abs(play.returns().sum()) < 1e-12


def starts(made: Game) -> Iterator[tuple[float, Any]]:
    """The prizes in any order."""
    first = made.initial(0)
    if made.tables.order:
        yield 1.0, first
        return
    for order in permutations(range(made.tables.cards)):
        states = first.copy()
        states[0].deck[:] = [*order[1:], -1]
        states[0].prize = order[0]
        yield 1.0, states


def values(world: PlainWorld) -> Mapping[str, Any]:
    """The other hands, and what was bid in each turn."""
    roles = ("first", "second", "third")[: len(world.state.bids)]
    found: dict[str, Any] = {}
    for player, role in enumerate(roles):
        bids = [str(card + 1) for mover, card in world.moves if mover == player]
        hand = [str(card + 1) for card, there in enumerate(world.state.hands[player]) if there]
        found[f"hand of {role}"] = tuple(hand)
        found |= {f"{role} in turn {turn}": bid for turn, bid in enumerate(bids, 1)}
    return found


def test_the_highest_bid_wins_and_equal_ones_win_nothing() -> None:
    play = Play.new(game("goofspiel", cards=3), seed=1)
    worth = [int(play.truth()[0].prize) + 1]
    for first, second in ((2, 0), (1, 1), (0, 2)):
        play.apply(first)
        play.apply(second)
        worth.append(int(play.truth()[0].prize) + 1)
    assert play.truth()[0].went[[each - 1 for each in worth[:3]]].tolist() == [0, 2, 1]
    half = (worth[0] - worth[2]) / 2
    assert play.returns().tolist() == [half, -half]


def test_the_best_share_a_win_and_the_others_a_loss() -> None:
    three = game("goofspiel", players=3, cards=3, order="ascending", payoff="win_loss")
    for bids, won in (
        ([0, 0, 2, 1, 1, 0, 2, 2, 1], [-0.5, -0.5, 1]),
        ([2, 1, 1, 1, 0, 0, 0, 2, 2], [1, -0.5, -0.5]),
        ([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0]),
    ):
        play = Play.new(three, seed=1)
        for bid in bids:
            play.apply(bid)
        assert play.over
        assert play.returns().tolist() == won


def test_the_winner_with_a_middle_card_knows_that_the_bid_was_lower() -> None:
    play = Play.new(game("goofspiel", cards=5), seed=1)
    for card in (2, 0):
        play.apply(card)
    known = belief(play.game).infer(play.view(0), play.seen_by(0))
    bid = belief(play.game).hidden(play.view(0))["second in turn 1"]
    assert known.marginal(bid) == {"1": 0.5, "2": 0.5}


def test_with_thirteen_cards_a_player_knows_exactly_and_who_looks_on_about() -> None:
    play = Play.new(game("goofspiel", cards=13), seed=1)
    rng, asked = np.random.default_rng(1), belief(play.game)
    for moves in (4, 26):
        while len(play.actions) < moves:
            play.apply(int(rng.choice(play.legal())))
        assert asked.infer(play.view(0), play.seen_by(0)).exact
        looking_on = asked.infer(play.view(SPECTATOR), play.seen_by(SPECTATOR))
        assert (looking_on.exact, looking_on.method == "metropolis") == (moves == 4, moves > 4)
    assert play.over


def test_other_orders_and_payoffs_are_refused() -> None:
    for setting in ("order", "payoff"):
        with pytest.raises(SleuthError, match="no such choice"):
            game("goofspiel", **{setting: "odd"})


@pytest.mark.parametrize(
    "settings", [{"players": 4}, {"cards": 1}, {"players": 3, "cards": 6}, {"cards": 14}]
)
def test_sizes_that_cannot_be_are_refused(settings: Mapping[str, int]) -> None:
    with pytest.raises(SleuthError, match="is out of range"):
        game("goofspiel", **settings)
