"""The public knowledge of a game, followed move by move from what everybody saw.

A state as the spectator sees it, and what they saw of a move, are enough to know the next such
state: for records that do not say where the hider was, and for beliefs, which ask what was known
then.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..game import HIDDEN, OVER, States
from ..kernels.kernel import kernel
from .possible_stations import exclude
from .rules import (
    DOUBLED,
    SHOWN,
    can_move,
    caught,
    finish,
    hider_moved,
    may_double,
    moves_from,
    next_seeker,
    seeker_moved,
    tracked,
)
from .state import HIDER, STATE, STATIONS, THE_HIDER, THE_SEEKERS


@kernel(allocates=False)
def follow(state: Any, mover: int, observation: int, tables: Any) -> None:
    """Take what the spectator knows from before a move to after it.

    Args:
        state: A state as the spectator sees it, of a game that goes on; it becomes the next one.
        mover: Who moved.
        observation: What everybody saw of it, as `rules.observe` says.
    """
    shown = observation // SHOWN
    seen = observation % SHOWN
    if shown > 0:
        # It is hidden again below, unless the game is over.
        state.stations[HIDER] = shown
    if mover == HIDER:
        doubled = 1 if seen >= DOUBLED else 0
        hider_moved(state, seen % DOUBLED, doubled, shown, tables)
        if doubled == 1 and shown > 0 and not can_move(state, HIDER, shown, tables):
            finish(state, THE_SEEKERS)
    else:
        target = tables.board[0].target[seen]
        seeker_moved(state, mover, seen, tables)
        if shown == target:
            caught(state, mover)
            return
        if tracked(state, tables):
            exclude(state, target)
        state.player = next_seeker(state, mover, tables)  # 0, after the last, is the hider
        if shown > 0:
            lasted = state.turn >= tables.rules[0].rounds
            finish(state, THE_HIDER if lasted else THE_SEEKERS)
    if state.player != OVER:
        state.stations[HIDER] = HIDDEN


@kernel
def even_chances(state: Any, tables: Any, chances: Any) -> None:
    """The probability of each move of the hider if they take any action equally often, by station.

    Args:
        state: What everybody knows when it is the hider's turn.
        chances: Made P(move | the station it begins at), 0 for what they cannot do; shape
            (moves,). A double move with the same first half is as likely as the move itself, if
            the hider may announce one.
    """
    kinds = 2 if may_double(state, tables) else 1
    codes = np.zeros(tables.board[0].moves, dtype=np.int32)
    for move in range(len(codes)):
        chances[move] = 0.0
    for station in range(1, STATIONS + 1):
        count = moves_from(state, HIDER, station, tables, codes)
        for place in range(count):
            chances[codes[place]] = 1.0 / (count * kinds)


@kernel(allocates=False)
def shut_in(state: Any, tables: Any, stuck: Any) -> None:
    """From which stations the hider could not move, at the hider's turn.

    Args:
        state: What everybody knows when it is the hider's turn.
        stuck: Made 1 for stations without a move they could make, 0 for others; shape
            (stations + 1,).
    """
    stuck[0] = 0
    for station in range(1, STATIONS + 1):
        stuck[station] = 0 if can_move(state, HIDER, station, tables) else 1


def public_start(numbers: Sequence[int]) -> States:
    """The spectator's state before the first move, from ``seen.start`` of whatever viewer."""
    states = np.array(numbers, dtype=np.int32).view(STATE)
    states: Any = states.view(np.dtype((np.record, STATE))).view(np.recarray)
    if states[0].player != OVER:
        states[0].stations[HIDER] = HIDDEN
    return states


def followed(states: States, mover: int, observation: int, tables: Any) -> States:
    """The spectator's state after a move that everybody saw; ``states`` stay as they are."""
    after = states.copy()
    follow(after[0], mover, observation, tables)
    return after


def stuck_stations(states: States, tables: Any) -> list[int]:
    """Stations from which the hider, whose turn it is, could not move."""
    stuck: NDArray[np.int8] = np.zeros(STATIONS + 1, dtype=np.int8)
    shut_in(states[0], tables, stuck)
    return np.flatnonzero(stuck).tolist()
