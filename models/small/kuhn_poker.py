"""Kuhn poker: three cards, two players, one bet (Kuhn 1950, "A simplified two-person poker").

Each antes 1 and gets one of jack, queen, king; the third card is not seen. A player passes or
bets 1. A bet is called by a bet, or the other folds by passing; two passes show the cards.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..game import HIDDEN, OVER, Game
from ..kernels.kernel import kernel
from ..kernels.randomness import below
from ..state_fields import StateField

PASS: Final = 0
BET: Final = 1
CARDS: Final = ("jack", "queen", "king")

#: An observation is the action, and at the showdown this times (1 + 3 * first card + second card).
SHOWN: Final = 2

STATE: Final = np.dtype(
    [("player", np.int32), ("cards", np.int32, (2,)), ("bets", np.int32, (2,)), ("moves", np.int32)]
)


@kernel(allocates=False)
def start(state: Any, tables: Any, random: Any) -> None:
    first = below(random, 3)
    second = below(random, 2)
    state.cards[0] = first
    state.cards[1] = second + (second >= first)
    state.bets[0] = 1
    state.bets[1] = 1


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    actions[0] = PASS
    actions[1] = BET
    return 2


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover = state.player
    called = state.bets[1 - mover] > state.bets[mover]
    state.bets[mover] += action
    state.moves += 1
    if called or (action == PASS and state.moves == 2):
        state.player = OVER
    else:
        state.player = 1 - mover


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    # Who put in more was not called; else the cards tell. Either way the loser's stake is lost.
    ahead = state.bets[0] - state.bets[1]
    if ahead == 0:
        ahead = state.cards[0] - state.cards[1]
    stake = min(state.bets[0], state.bets[1])
    values[0] = stake if ahead > 0 else -stake
    values[1] = -values[0]


@kernel(allocates=False)
def showdown(state: Any) -> bool:
    """True if the game ended with both cards shown."""
    return state.player == OVER and state.bets[0] == state.bets[1]


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    if showdown(state):
        return action + SHOWN * (1 + 3 * state.cards[0] + state.cards[1])
    return action


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    if showdown(state):
        return
    for player in range(2):
        if player != viewer:
            state.cards[player] = HIDDEN


@kernel(allocates=False)
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    # One column for each card: 0 and 1 are the players' hands, 2 is the card left over.
    for card in range(3):
        if world[card] < 2:
            state.cards[world[card]] = card


FIELDS: Final = {
    "cards": StateField("the card of each player: 0 jack, 1 queen, 2 king", 0, 2),
    "bets": StateField("what each player has put in", 0, 2),
    "moves": StateField("how many moves were made", 0, 3),
}


def kuhn_poker() -> Game:
    """The game. Payoffs in antes; its value for the first player is -1/18.

    >>> from sleuth.games.small import kuhn_poker
    >>> kuhn_poker().max_depth
    3
    """
    return Game(
        name="kuhn_poker",
        version=1,
        roles=("first", "second"),
        state=STATE,
        action_space=2,
        max_actions=2,
        max_depth=3,
        lowest=-2,
        highest=2,
        start=start,
        legal=legal,
        apply=apply,
        observe=observe,
        returns=returns,
        mask=mask,
        fill=fill,
        columns=3,
        action_name=("pass", "bet").__getitem__,
        fields=FIELDS,
        sum_of_returns=0.0,
    )
