"""What everybody knows of a game, followed move by move from what everybody saw.

A state as the spectator sees it, and what he saw of a move, are enough to know the next such state:
for records that do not say where the hider was, and for beliefs, which ask what was known then.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..game import HIDDEN, OVER, States
from ..kernel import kernel
from .possible import exclude, only, spread
from .rules import DOUBLED, SHOWN, can_move, finish, may_double, next_seeker, occupied
from .tables import HIDER, STATE, STATIONS, THE_HIDER, THE_SEEKERS


@kernel(allocates=False)
def follow(state: Any, mover: int, observation: int, tables: Any) -> None:
    """Take what the spectator knows from before a move to after it.

    Args:
        state: A state as the spectator sees it, of a game that goes on; it becomes the next one.
        mover: Who moved.
        observation: What everybody saw of it, as `rules.observe` says.
    """
    board = tables.board[0]
    settings = tables.rules[0]
    shown = observation // SHOWN
    seen = observation % SHOWN
    if mover == HIDER:
        ticket = seen % DOUBLED
        state.tickets[HIDER, ticket] -= 1
        state.log[state.turn] = ticket
        state.turn += 1
        if settings.tracks == 1:
            spread(state, ticket, tables)
        if settings.reveals[state.turn] == 1:
            state.surfaced = shown
            state.surfaced_turn = state.turn
            if settings.tracks == 1:
                only(state, shown)
        if seen >= DOUBLED:
            state.doubles -= 1
            state.doubling = 1
            if shown > 0:
                state.stations[HIDER] = shown
                if can_move(state, HIDER, tables):
                    state.stations[HIDER] = HIDDEN
                else:
                    finish(state, THE_SEEKERS)
            return
        state.doubling = 0
        seeker = next_seeker(state, 0, tables)
        if seeker > 0:
            state.player = seeker
        else:
            state.stations[HIDER] = shown
            finish(state, THE_HIDER)
        return
    target = board.target[seen]
    ticket = board.ticket[seen]
    state.stations[mover] = target
    state.tickets[mover, ticket] -= 1
    state.tickets[HIDER, ticket] += 1
    if shown > 0:
        # Where the hider was is told when the game is over.
        state.stations[HIDER] = shown
        if shown == target:
            state.captor = mover
            finish(state, THE_SEEKERS)
            return
    if settings.tracks == 1:
        exclude(state, target)
    seeker = next_seeker(state, mover, tables)
    if shown > 0:
        finish(state, THE_HIDER if state.turn >= settings.rounds else THE_SEEKERS)
    elif seeker > 0:
        state.player = seeker
    else:
        state.player = HIDER


@kernel(allocates=False)
def even_chances(state: Any, tables: Any, chances: Any) -> None:
    """How likely each move of the hider is at his turn if he chooses any action, by where he is.

    Args:
        state: What everybody knows when it is his turn.
        chances: Made P(move | the station it begins at), 0 for what he cannot do; shape
            (moves,). A double move with the same first half is as likely as the move itself, if
            he may announce one.
    """
    board = tables.board[0]
    kinds = 2 if may_double(state, tables) else 1
    for move in range(board.moves):
        chances[move] = 0.0
    for station in range(1, STATIONS + 1):
        count = 0
        for ticket in range(4):
            if state.tickets[HIDER, ticket] > 0:
                for move in range(board.first[station, ticket], board.first[station, ticket + 1]):
                    if not occupied(state, board.target[move]):
                        count += 1
        for ticket in range(4):
            if state.tickets[HIDER, ticket] > 0:
                for move in range(board.first[station, ticket], board.first[station, ticket + 1]):
                    if not occupied(state, board.target[move]):
                        chances[move] = 1.0 / (count * kinds)


@kernel(allocates=False)
def shut_in(state: Any, tables: Any, stuck: Any) -> None:
    """From which stations the hider could not move at his turn.

    Args:
        state: What everybody knows when it is his turn.
        stuck: Made 1 for stations without a move he could make, 0 for others; shape
            (stations + 1,).
    """
    board = tables.board[0]
    stuck[0] = 0
    for station in range(1, STATIONS + 1):
        stuck[station] = 1
        for ticket in range(4):
            if state.tickets[HIDER, ticket] > 0:
                for move in range(board.first[station, ticket], board.first[station, ticket + 1]):
                    if not occupied(state, board.target[move]):
                        stuck[station] = 0


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
