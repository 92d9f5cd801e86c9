"""The moves of Mr. X that follow from a record that does not say where they went.

Forward, the stations where Mr. X can have been after each move; backward, those from which all that
was seen later can follow. Where one step alone leads from the ones to the others, it was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..events import HiderMove, HuntEvent
from ..state import HIDER, STATIONS, TICKETS
from .replay import HuntWorlds, check_starts, game_of


def certain_moves(
    settings: Mapping[str, Any],
    seekers: Sequence[int],
    hider: int | None,
    events: Sequence[HuntEvent],
) -> frozenset[int]:
    """The numbers of the moves, from 1, that were made in all games that agree with a record.

    Args:
        settings: As `scotland_yard` takes them.
        seekers: Where the detectives start.
        hider: Where Mr. X starts, if that is known.
        events: The moves.

    Returns:
        Those of the detectives, and of Mr. X those of which start, ticket and end are known.

    Raises:
        RecordError: A move is against the rules, or says what cannot be known or cannot be true.
    """
    game = game_of(settings)
    check_starts(game, seekers, hider)
    worlds, board = HuntWorlds(game, seekers, hider), game.tables.board[0]
    reached, standing = [_stations(worlds)], [worlds.states[0].stations[1:].copy()]
    for number, event in enumerate(events, start=1):
        worlds.take(event, number)
        reached.append(_stations(worlds))
        standing.append(worlds.states[0].stations[1:].copy())
    found: set[int] = set()
    can_be = reached[-1]
    for number in range(len(events), 0, -1):
        event = events[number - 1]
        if not isinstance(event, HiderMove):
            found.add(number)
            can_be = can_be & reached[number - 1]
            continue
        kind = TICKETS.index(event.ticket)
        codes = np.flatnonzero(board.ticket[: board.moves] == kind)
        origin, goal = board.origin[codes], board.target[codes]
        made = reached[number - 1][origin] & can_be[goal] & ~np.isin(goal, standing[number - 1])
        if np.count_nonzero(made) == 1:
            found.add(number)
        can_be = np.zeros(STATIONS + 1, dtype=np.bool_)
        can_be[origin[made]] = True
    return frozenset(found)


def _stations(worlds: HuntWorlds) -> NDArray[np.bool_]:
    """True for the stations where Mr. X can be; shape (stations + 1,)."""
    found = np.zeros(STATIONS + 1, dtype=np.bool_)
    found[worlds.states["stations"][:, HIDER]] = True
    return found
