"""How greedy players of playouts move in Scotland Yard.

Nijssen and Winands (2012), section IV-A. The hider's heuristic is MCD, to maximise the distance to
the closest detective. The seekers' are CAL, to chase where he is supposed to be, and MTD, to
minimise the sum of the distances to all stations where he can be. Ties are broken at random.
MM is MCD with MTD, MC is MCD with CAL. Distances ignore tickets, and take no ferry. Now and then
players move at random: that is a search's ``epsilon``, which the paper found best as `epsilons`.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

from ..kernel import kernel
from ..randomness import below
from .possible import total_distance
from .tables import HIDER

#: How often the hider of a playout moves at random, and a seeker.
HIDER_EPSILON: Final = 0.1
SEEKER_EPSILON: Final = 0.2


def epsilons(players: int) -> tuple[float, ...]:
    """For each player how often he moves at random in a playout: a search's ``epsilon``."""
    return (HIDER_EPSILON, *(SEEKER_EPSILON,) * (players - 1))


@kernel(allocates=False, inline="late")
def target_of(action: int, tables: Any) -> int:
    """Where a move leads; the first half, if it is a double move."""
    board = tables.board[0]
    return board.target[action - board.moves if action >= board.moves else action]


@kernel(allocates=False, inline="late")
def closest(state: Any, station: int, tables: Any) -> int:
    """Moves that the nearest detective needs to a station."""
    row = tables.board[0].distance[station]
    best = row[state.stations[1]]
    for seeker in range(2, tables.rules[0].seekers + 1):
        best = min(best, row[state.stations[seeker]])
    return best


@kernel(allocates=False)
def maximise_closest(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MCD: which action takes the hider farthest from the closest detective."""
    best = -1
    chosen = 0
    ties = 0
    for place in range(count):
        value = closest(state, target_of(actions[place], tables), tables)
        if value > best:
            best = value
            chosen = place
            ties = 1
        elif value == best:
            ties += 1
            if below(random, ties) == 0:
                chosen = place
    return chosen


@kernel(allocates=False)
def chase_location(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """CAL: which action takes a detective nearest to where the state says the hider is."""
    board = tables.board[0]
    best = 1_000
    chosen = 0
    ties = 0
    row = board.distance[state.stations[HIDER]]
    for place in range(count):
        value = row[board.target[actions[place]]]
        if value < best:
            best = value
            chosen = place
            ties = 1
        elif value == best:
            ties += 1
            if below(random, ties) == 0:
                chosen = place
    return chosen


@kernel(allocates=False)
def minimise_total(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MTD by the rules' ``total_distance``: the list of possible stations does not change."""
    best = 1_000_000
    chosen = 0
    ties = 0
    for place in range(count):
        value = tables.rules[0].total_distance[tables.board[0].target[actions[place]]]
        if value < best:
            best = value
            chosen = place
            ties = 1
        elif value == best:
            ties += 1
            if below(random, ties) == 0:
                chosen = place
    return chosen


@kernel(allocates=False)
def minimise_total_now(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MTD by the state's own list of possible stations."""
    best = 1_000_000
    chosen = 0
    ties = 0
    for place in range(count):
        value = total_distance(state, tables.board[0].target[actions[place]], tables)
        if value < best:
            best = value
            chosen = place
            ties = 1
        elif value == best:
            ties += 1
            if below(random, ties) == 0:
                chosen = place
    return chosen


@kernel(allocates=False)
def greedy_chase(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MC: the hider by MCD, seekers by CAL."""
    if state.player == HIDER:
        return maximise_closest(state, actions, count, tables, random)
    return chase_location(state, actions, count, tables, random)


@kernel(allocates=False)
def greedy_total(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MM: the hider by MCD, seekers by MTD with a list that stays as it was at the root.

    See `freeze`: the rules' ``total_distance`` must belong to the list.
    """
    if state.player == HIDER:
        return maximise_closest(state, actions, count, tables, random)
    return minimise_total(state, actions, count, tables, random)


@kernel(allocates=False)
def greedy_total_now(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MM: the hider by MCD, seekers by MTD with the list of the moment.

    The tables must track it.
    """
    if state.player == HIDER:
        return maximise_closest(state, actions, count, tables, random)
    return minimise_total_now(state, actions, count, tables, random)
