"""Leduc poker: six cards, two rounds, one card face up between them.

Southey et al. (2005), "Bayes' bluff: opponent modelling in poker", with the numbers of OpenSpiel's
``leduc_poker`` for two players: each antes 1 and gets one of two jacks, two queens, two kings; a
raise is 2 in the first round and 4 in the second, at most two raises a round; then a pair with
the card face up wins, else the higher card, and equal cards split. Suits do not matter here.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..game import HIDDEN, OVER, Game
from ..kernels.kernel import kernel
from ..kernels.randomness import below
from ..state_fields import StateField

FOLD: Final = 0
CALL: Final = 1
RAISE: Final = 2
CARDS: Final = ("jack", "queen", "king")
MOST_RAISES: Final = 2
#: An observation is the action, and this times (1 + the card) when a card comes to the table, or
#: (4 + 3 * first card + second card) at the showdown.
SHOWN: Final = 3

# The card face up, `table`, lies there from the start; nobody sees it in the first round.
STATE: Final = np.dtype(
    [
        ("player", np.int32),
        ("cards", np.int32, (2,)),
        ("table", np.int32),
        ("stage", np.int32),
        ("bets", np.int32, (2,)),
        ("raises", np.int32),
        ("moves", np.int32),
        ("folded", np.int32),
    ]
)


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    deck = np.arange(6)
    for place in range(3):
        other = place + below(random, 6 - place)
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
    state.cards[0] = deck[0] // 2
    state.cards[1] = deck[1] // 2
    state.table = deck[2] // 2
    state.bets[0] = 1
    state.bets[1] = 1
    state.folded = -1


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    if state.bets[1 - state.player] > state.bets[state.player]:
        actions[count] = FOLD
        count += 1
    actions[count] = CALL
    count += 1
    if state.raises < MOST_RAISES:
        actions[count] = RAISE
        count += 1
    return count


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover = state.player
    state.moves += 1
    if action == FOLD:
        state.folded = mover
        state.player = OVER
        return
    called = state.bets[1 - mover] > state.bets[mover]
    state.bets[mover] = max(state.bets[0], state.bets[1])
    state.player = 1 - mover
    if action == RAISE:
        state.bets[mover] += 2 if state.stage == 0 else 4
        state.raises += 1
    elif called or state.moves == 2:
        state.raises = 0
        state.moves = 0
        state.stage += 1
        state.player = 0 if state.stage == 1 else OVER


@kernel(allocates=False)
def winner(state: Any) -> int:
    """The winner: a player, or -1 when both have the same card."""
    if state.folded >= 0:
        return 1 - state.folded
    for player in range(2):
        if state.cards[player] == state.table and state.cards[1 - player] != state.table:
            return player
    if state.cards[0] == state.cards[1]:
        return -1
    return 0 if state.cards[0] > state.cards[1] else 1


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = 0.0
    values[1] = 0.0
    won = winner(state)
    if won >= 0:
        values[won] = state.bets[1 - won]
        values[1 - won] = -state.bets[1 - won]


@kernel(allocates=False)
def showdown(state: Any) -> bool:
    """True if the game ended with both cards shown."""
    return state.player == OVER and state.folded < 0


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    if showdown(state):
        return action + SHOWN * (4 + 3 * state.cards[0] + state.cards[1])
    if state.stage == 1 and state.moves == 0 and action != FOLD:
        return action + SHOWN * (1 + state.table)
    return action


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    for player in range(2):
        if player != viewer and not showdown(state):
            state.cards[player] = HIDDEN
    if state.stage == 0:
        state.table = HIDDEN


@kernel(allocates=False)
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    # Two columns for each rank: 0 and 1 are the players' hands, 2 the table, 3 the rest.
    for card in range(6):
        if world[card] < 2:
            state.cards[world[card]] = card // 2
        elif world[card] == 2:
            state.table = card // 2


FIELDS: Final = {
    "cards": StateField("the card of each player: 0 jack, 1 queen, 2 king", 0, 2),
    "table": StateField("the card face up, by the same numbers", 0, 2),
    "stage": StateField("the round: 0 the first, 1 the second, 2 over", 0, 2),
    "bets": StateField("what each player has put in", 1, 13),
    "raises": StateField("how many raises there were in this round", 0, MOST_RAISES),
    "moves": StateField("how many moves were made in this round", 0, 4),
    "folded": StateField("the player that has folded, -1 for nobody", -1, 1),
}


def leduc_poker() -> Game:
    """The game. Payoffs in antes; its value for the first player is about -0.0856.

    >>> from sleuth.games.small import leduc_poker
    >>> game = leduc_poker()
    >>> [game.action_name(action) for action in range(game.action_space)]
    ['fold', 'call', 'raise']
    """
    return Game(
        name="leduc_poker",
        version=1,
        roles=("first", "second"),
        state=STATE,
        action_space=3,
        max_actions=3,
        max_depth=8,
        lowest=-13,
        highest=13,
        start=start,
        legal=legal,
        apply=apply,
        observe=observe,
        returns=returns,
        mask=mask,
        fill=fill,
        columns=6,
        action_name=("fold", "call", "raise").__getitem__,
        fields=FIELDS,
        sum_of_returns=0.0,
    )
