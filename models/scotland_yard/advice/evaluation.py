"""Evaluations of a position, for those who look ahead to a certain depth.

Nijssen and Winands (2012), section V-C, formulas 5 and 6. Both need the list of possible stations
up to date. Where the paper adds a random number below 1, the position's own hash gives it here, so
a position is always worth the same.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...kernels.kernel import kernel
from ...kernels.randomness import mix
from ..possible_stations import count_possible, total_distance
from ..state import BLACK, HIDER
from .playouts import closest

#: With this much by formula 5 the hider is as near to a win as to a loss.
MIDDLE: Final = 500.0
#: What divides formula 6. A win is worth as much as being so many moves nearer, over all stations.
FAR: Final = 2_000.0


@kernel(allocates=False)
def noise(state: Any, tables: Any) -> float:
    """A number in [0, 1) that belongs to where everybody is, and when."""
    key = mix(np.uint64(0), state.turn)
    for player in range(tables.rules[0].seekers + 1):
        key = mix(key, state.stations[player])
    return float(key >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel(allocates=False)
def hider_score(state: Any, tables: Any) -> float:
    """Formula 5: 100 min d + 10 black fares + possible stations + a random number."""
    near = np.float64(closest(state, state.stations[HIDER], tables))
    black = np.float64(state.tickets[HIDER, BLACK])
    possible = np.float64(count_possible(state))
    return 100.0 * near + 10.0 * black + possible + noise(state, tables)


@kernel(allocates=False)
def seeker_score(state: Any, seeker: int, tables: Any) -> float:
    """Formula 6: less the sum of a seeker's distances to all possible stations, and noise."""
    total = np.float64(total_distance(state, state.stations[seeker], tables))
    return noise(state, tables) - total


@kernel(allocates=False)
def escape(state: Any, player: int, tables: Any) -> float:
    """Formula 5 between -1 and 1, for the hider; for seekers with the other sign."""
    score = hider_score(state, tables)
    value = (score - MIDDLE) / (score + MIDDLE)
    return value if player == HIDER else -value


@kernel(allocates=False)
def approach(state: Any, player: int, tables: Any) -> float:
    """Formula 6 for a seeker, as a part of a win; for the hider, that of their nearest seeker."""
    if player != HIDER:
        return seeker_score(state, player, tables) / FAR
    best = seeker_score(state, 1, tables)
    for seeker in range(2, tables.rules[0].seekers + 1):
        best = max(best, seeker_score(state, seeker, tables))
    return -best / FAR
