"""Tic-tac-toe: three in a row on a board of nine squares; nothing is hidden."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..game import OVER, Game
from ..kernels.kernel import kernel
from ..state_fields import StateField

SQUARES: Final = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
EMPTY: Final = 0

STATE: Final = np.dtype(
    [("player", np.int32), ("squares", np.int32, (9,)), ("turn", np.int32), ("winner", np.int32)]
)


@kernel(allocates=False)
def start(state: Any, tables: Any, random: Any) -> None:
    state.winner = -1


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    for square in range(9):
        if state.squares[square] == EMPTY:
            actions[count] = square
            count += 1
    return count


@kernel(allocates=False)
def completes_line(squares: Any, square: int) -> bool:
    """True if the mark on a square is one of three in a row."""
    mark = squares[square]
    row, column = square // 3, square % 3
    if squares[3 * row] == mark and squares[3 * row + 1] == mark and squares[3 * row + 2] == mark:
        return True
    if squares[column] == mark and squares[column + 3] == mark and squares[column + 6] == mark:
        return True
    if row == column and squares[0] == mark and squares[4] == mark and squares[8] == mark:
        return True
    return row + column == 2 and squares[2] == mark and squares[4] == mark and squares[6] == mark


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover = state.player
    state.squares[action] = mover + 1
    state.turn += 1
    state.player = 1 - mover
    if completes_line(state.squares, action):
        state.winner = mover
        state.player = OVER
    elif state.turn == 9:
        state.player = OVER


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = 0.0
    values[1] = 0.0
    if state.winner >= 0:
        values[state.winner] = 1.0
        values[1 - state.winner] = -1.0


FIELDS: Final = {
    "squares": StateField("the mark in each square: 0 none, or 1 + its player", 0, 2),
    "turn": StateField("how many marks there are", 0, 9),
    "winner": StateField("the player that has won, -1 for nobody", -1, 1),
}


def tic_tac_toe() -> Game:
    """The game: 1 for who wins, -1 for who loses, 0 for a draw, which is its value.

    >>> from sleuth.games.small import tic_tac_toe
    >>> game = tic_tac_toe()
    >>> game.action_name(4), game.hides
    ('b2', False)
    """
    return Game(
        name="tic_tac_toe",
        version=1,
        roles=("first", "second"),
        state=STATE,
        action_space=9,
        max_actions=9,
        max_depth=9,
        lowest=-1,
        highest=1,
        start=start,
        legal=legal,
        apply=apply,
        returns=returns,
        action_name=SQUARES.__getitem__,
        fields=FIELDS,
        sum_of_returns=0.0,
    )
