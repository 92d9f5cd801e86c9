"""Phantom tic-tac-toe: nobody sees the other's marks, only bumps into them.

The rules of OpenSpiel's ``phantom_ttt``: a player names a square that they do not know to be
taken. If it is empty, they mark it, and the other only learns that it is their turn. If it is
taken, they alone are told so, the other notices nothing, and they name another. (OpenSpiel with its
default ``obstype=reveal-nothing``; with ``abrupt_phantom_ttt`` the move would be lost.)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..game import HIDDEN, OVER, Game
from ..kernels.kernel import kernel
from ..kernels.randomness import below
from ..state_fields import StateField
from .tic_tac_toe import EMPTY, SQUARES, completes_line, returns

#: What the other sees of a mark: that there is one more; and 2 + the winner (-1 in a draw) more if
#: the game is over.
MARKED: Final = 18

# `turn` counts the marks. `found[p, s]` is the number of marks there were when player p found
# square s taken by the other, 0 if they did not find it; `placed[s]` is the number of the mark on
# s, from 1. A player knows both of their own and of what they found.
STATE: Final = np.dtype(
    [
        ("player", np.int32),
        ("squares", np.int32, (9,)),
        ("placed", np.int32, (9,)),
        ("found", np.int32, (2, 9)),
        ("turn", np.int32),
        ("winner", np.int32),
    ]
)


@kernel(allocates=False)
def start(state: Any, tables: Any, random: Any) -> None:
    state.winner = -1


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    for square in range(9):
        own = state.squares[square] == state.player + 1
        if not own and state.found[state.player, square] == 0:
            actions[count] = square
            count += 1
    return count


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover = state.player
    if state.squares[action] != EMPTY:
        state.found[mover, action] = state.turn
        return
    state.squares[action] = mover + 1
    state.turn += 1
    state.placed[action] = state.turn
    state.player = 1 - mover
    if completes_line(state.squares, action):
        state.winner = mover
        state.player = OVER
    elif state.turn == 9:
        state.player = OVER


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    marked = state.squares[action] == mover + 1
    if viewer == mover:
        return action if marked else action + 9
    if not marked:
        return HIDDEN
    return MARKED + 2 + state.winner if state.player == OVER else MARKED


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    for square in range(9):
        own = viewer >= 0 and state.squares[square] == viewer + 1
        if not own:
            state.placed[square] = HIDDEN
            if viewer < 0 or state.found[viewer, square] == 0:
                state.squares[square] = HIDDEN
    for player in range(2):
        if player != viewer:
            for square in range(9):
                state.found[player, square] = HIDDEN


@kernel
def order_marks(state: Any, viewer: int, player: int, random: Any) -> None:
    """Draw when a player placed each of their marks, as the viewer's finds allow."""
    # Marks found early have few places to choose from. Taking them first, each any place that is
    # left to it, makes all orders that are possible equally likely.
    free = np.zeros(10, dtype=np.int64)
    for number in range(player + 1, state.turn + 1, 2):
        free[number] = 1
    for latest in range(1, 11):
        for square in range(9):
            if state.squares[square] != player + 1 or state.placed[square] != HIDDEN:
                continue
            limit = state.turn
            if viewer >= 0 and state.found[viewer, square] > 0:
                limit = state.found[viewer, square]
            if limit > latest:
                continue
            choices = 0
            for number in range(1, limit + 1):
                choices += free[number]
            pick = below(random, choices)
            for number in range(1, limit + 1):
                if free[number] == 1:
                    if pick == 0:
                        free[number] = 0
                        state.placed[square] = number
                        break
                    pick -= 1


@kernel(allocates=False)
def find_marks(state: Any, player: int, random: Any) -> None:
    """Draw what a player bumped into, if they name any square they do not know to be taken."""
    for square in range(9):
        state.found[player, square] = 0
    for turn in range(player, state.turn + 1, 2):
        if turn == state.turn and state.player != player:
            break
        while True:
            taken = 0
            unknown = 0
            for square in range(9):
                before = 0 < state.placed[square] <= turn
                own = before and state.squares[square] == player + 1
                if not own and state.found[player, square] == 0:
                    unknown += 1
                    if before:
                        taken += 1
            pick = below(random, unknown)
            # If it is their move now, they may have named as few squares as they like.
            if pick >= taken or (turn == state.turn and below(random, 2) == 0):
                break
            for square in range(9):
                before = 0 < state.placed[square] <= turn
                own = state.squares[square] == player + 1
                if before and not own and state.found[player, square] == 0:
                    if pick == 0:
                        state.found[player, square] = turn
                        break
                    pick -= 1


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    # One column for each square: who has it, 0 and 1 the players, 2 nobody.
    viewer = -1
    for player in range(2):
        if state.found[player, 0] != HIDDEN:
            viewer = player
    for square in range(9):
        state.squares[square] = (world[square] + 1) % 3
        if state.squares[square] == EMPTY:
            state.placed[square] = 0
    for player in range(2):
        if player != viewer:
            order_marks(state, viewer, player, random)
    for player in range(2):
        if player != viewer:
            find_marks(state, player, random)


FIELDS: Final = {
    "squares": StateField("the mark in each square: 0 none, or 1 + its player", 0, 2),
    "placed": StateField("the number of the mark in each square, from 1; 0 for none", 0, 9),
    "found": StateField("how many marks there were when each player found a square taken", 0, 9),
    "turn": StateField("how many marks there are", 0, 9),
    "winner": StateField("the player that has won, -1 for nobody", -1, 1),
}


def phantom_tic_tac_toe() -> Game:
    """The game: 1 for who wins, -1 for who loses, 0 for a draw.

    >>> import sleuth
    >>> from sleuth.games.small import phantom_tic_tac_toe
    >>> play = sleuth.Play.new(phantom_tic_tac_toe(), seed=1)
    >>> play.apply(4)
    >>> play.view(1).states[0].squares.tolist()  # the first player's mark is not seen
    [-1000003, -1000003, -1000003, -1000003, -1000003, -1000003, -1000003, -1000003, -1000003]
    """
    return Game(
        name="phantom_tic_tac_toe",
        version=1,
        roles=("first", "second"),
        state=STATE,
        action_space=9,
        max_actions=9,
        max_depth=17,
        lowest=-1,
        highest=1,
        start=start,
        legal=legal,
        apply=apply,
        observe=observe,
        returns=returns,
        mask=mask,
        fill=fill,
        columns=9,
        action_name=SQUARES.__getitem__,
        fields=FIELDS,
        sum_of_returns=0.0,
    )
