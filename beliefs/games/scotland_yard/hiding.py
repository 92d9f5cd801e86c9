"""The seekers' knowledge, told by the hider: for one who minds what is believed of them.

The hider sees their own moves whole, and everybody else their tickets. So the hider can tell what
everybody saw, and a filter of the seekers what they believe of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....models.play import SeenPlay
from ....models.scotland_yard.public_state import public_start
from ....models.scotland_yard.rules import DOUBLED, SHOWN
from ....models.scotland_yard.state import HIDER, STATIONS
from ...arrays.problem import Floats

#: Who moved, and what everybody saw of it.
PublicEvent = tuple[int, int]

#: Sums of distances are whole numbers; this is a distance of one.
STEP: Final = 1_000


def shown_to_all(code: int, turn: int, tables: Any) -> int:
    """The public observation of the hider's move.

    Args:
        code: The move.
        turn: Its number in the hider's log, from 1.
        tables: Map and rules.
    """
    board = tables.board[0]
    first_half = code >= int(board.moves)
    move = code - int(board.moves) if first_half else code
    seen = int(board.ticket[move]) + (DOUBLED if first_half else 0)
    return seen + SHOWN * int(board.target[move]) if tables.rules[0].reveals[turn] else seen


def told_by_hider(seen: SeenPlay, tables: Any) -> tuple[PublicEvent, ...]:
    """The public side of every move, from what the hider saw."""
    turn = int(public_start(seen.start)[0].turn)
    events: list[PublicEvent] = []
    for each in seen.events:
        mover, observation = each.event.mover, each.event.observation
        if mover == HIDER:
            turn += 1
            observation = shown_to_all(observation, turn, tables)
        events.append((mover, observation))
    return tuple(events)


def targets_of(codes: NDArray[np.int32], tables: Any) -> Mapping[int, int]:
    """The end of each of the hider's moves, by its code; the first half of a double move."""
    board = tables.board[0]
    return {code: int(board.target[code % int(board.moves)]) for code in codes.tolist()}


def total_distances(shares: Floats, tables: Any) -> NDArray[np.int32]:
    """From each station how far the hider is on average, in thousandths of a move.

    For playouts in which seekers go by a belief, see `models.scotland_yard.imagined.believing`.

    Args:
        shares: How likely the hider is at each station.
        tables: Map and rules.
    """
    distance = np.asarray(tables.board[0].distance, dtype=np.float64)
    total: NDArray[np.int32] = np.zeros(STATIONS + 1, dtype=np.int32)
    total[1:] = np.rint(STEP * (distance[1:, 1:] @ shares))
    return total
