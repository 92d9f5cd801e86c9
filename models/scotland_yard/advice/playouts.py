"""Moves of greedy players of playouts in Scotland Yard.

Nijssen and Winands (2012), section IV-A. The hider's heuristic is MCD, to maximise the distance to
the closest detective. The seekers' are CAL, to chase where they are supposed to be, and MTD, to
minimise the sum of the distances to all stations where the hider can be. Ties are broken at random.
MM is MCD with MTD, MC is MCD with CAL. Distances ignore tickets, and take no ferry. Now and then
players move at random: that is a search's ``epsilon``, which the paper found best as `epsilons`.

The list of possible stations that MTD goes by can be that of the root (`greedy_total`), that of
the moment (`greedy_total_now`), or that of where the playout begins (`greedy_total_leaf`): then a
search updates it in its tree, and leaves it alone below.

By MTD, as at random, a detective passes by a hider within reach; `capture` and those that end with
`capture` have them capture the hider where they can. By CAL they always do.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

from ...game import any_action
from ...kernels.kernel import kernel
from ...kernels.randomness import below
from ..possible_stations import total_distance
from ..state import HIDER, LIST_KEPT

# What a greedy player wants to be small, where a move leads:
#   AWAY: how near the closest detective is, the other way round (MCD).
#   NEAR: the distance to where the state says the hider is (CAL).
#   TOTAL: the sum of the distances to all possible stations of the root (MTD), `total_distance` of
#     the rules.
#   TOTAL_NOW: the same with the possible stations that the state says.
AWAY: Final = 0
NEAR: Final = 1
TOTAL: Final = 2
TOTAL_NOW: Final = 3

#: How often the hider of a playout moves at random, and a seeker.
HIDER_EPSILON: Final = 0.1
SEEKER_EPSILON: Final = 0.2


def epsilons(players: int) -> tuple[float, ...]:
    """For each player how often they move at random in a playout: a search's ``epsilon``.

    >>> from sleuth.games.scotland_yard import epsilons
    >>> epsilons(players=3)
    (0.1, 0.2, 0.2)
    """
    return (HIDER_EPSILON, *(SEEKER_EPSILON,) * (players - 1))


@kernel(allocates=False, inline="late")
def target_of(action: int, tables: Any) -> int:
    """The station a move leads to; of a double move, its first half."""
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


@kernel(allocates=False, inline="late")
def cost(state: Any, station: int, aim: int, near: Any, tables: Any) -> int:
    """The quantity a greedy player with an aim wants to be small at a station.

    ``near`` has the distances of all stations to where the state says the hider is.
    """
    if aim == AWAY:
        return -closest(state, station, tables)
    if aim == NEAR:
        return near[station]
    if aim == TOTAL:
        return tables.rules[0].total_distance[station]
    return total_distance(state, station, tables)


@kernel(allocates=False, inline="late")
def least(state: Any, actions: Any, count: int, aim: int, tables: Any, random: Any) -> int:
    """The place of an action that costs least, by an aim; ties are broken at random."""
    best = 1_000_000
    chosen = 0
    ties = 0
    # Read once: a compiler cannot tell that drawing from `random` leaves the tables alone.
    near = tables.board[0].distance[state.stations[HIDER]]
    for place in range(count):
        move = actions[place]
        # Only the hider has double moves.
        station = target_of(move, tables) if aim == AWAY else tables.board[0].target[move]
        value = cost(state, station, aim, near, tables)
        if value < best:
            best = value
            chosen = place
            ties = 1
        elif value == best:
            ties += 1
            if below(random, ties) == 0:
                chosen = place
    return chosen


# Kernels of their own: as one with both aims, a playout takes a twentieth longer.
@kernel(allocates=False)
def flee(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MCD: the action that takes the hider farthest from the closest detective."""
    return least(state, actions, count, AWAY, tables, random)


@kernel(allocates=False)
def chase(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """CAL: the action that takes a detective nearest to where the state says the hider is."""
    return least(state, actions, count, NEAR, tables, random)


@kernel(allocates=False)
def greedy_chase(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MC: the hider by MCD, seekers by CAL."""
    if state.player == HIDER:
        return flee(state, actions, count, tables, random)
    return chase(state, actions, count, tables, random)


@kernel(allocates=False)
def greedy_total(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MM: the hider by MCD, seekers by MTD with a list that stays as it was at the root.

    See `freeze`: the rules' ``total_distance`` must belong to the list.
    """
    if state.player == HIDER:
        return flee(state, actions, count, tables, random)
    return least(state, actions, count, TOTAL, tables, random)


@kernel(allocates=False)
def greedy_total_now(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MM: the hider by MCD, seekers by MTD with the list of the moment.

    The tables must track it.
    """
    if state.player == HIDER:
        return flee(state, actions, count, tables, random)
    return least(state, actions, count, TOTAL_NOW, tables, random)


@kernel(allocates=False)
def greedy_total_leaf(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """MM: the hider by MCD, seekers by MTD with the list as it was at the first greedy move.

    The tables must track it; from that move on, the state keeps its list.
    """
    state.won = LIST_KEPT
    return greedy_total_now(state, actions, count, tables, random)


@kernel(allocates=False, inline="late")
def capturing(state: Any, actions: Any, count: int, tables: Any) -> int:
    """The place of a detective's move to where the state says the hider is; -1 without one."""
    for place in range(count):
        if tables.board[0].target[actions[place]] == state.stations[HIDER]:
            return place
    return -1


@kernel(allocates=False)
def capture(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """Any action; but a detective captures the hider where they can."""
    if state.player != HIDER:
        place = capturing(state, actions, count, tables)
        if place >= 0:
            return place
    return any_action(state, actions, count, tables, random)


@kernel(allocates=False)
def greedy_total_capture(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """`greedy_total`; but a detective captures the hider where they can."""
    if state.player != HIDER:
        place = capturing(state, actions, count, tables)
        if place >= 0:
            return place
    return greedy_total(state, actions, count, tables, random)


@kernel(allocates=False)
def greedy_total_now_capture(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """`greedy_total_now`; but a detective captures the hider where they can."""
    if state.player != HIDER:
        place = capturing(state, actions, count, tables)
        if place >= 0:
            return place
    return greedy_total_now(state, actions, count, tables, random)


@kernel(allocates=False)
def greedy_total_leaf_capture(
    state: Any, actions: Any, count: int, tables: Any, random: Any
) -> int:
    """`greedy_total_leaf`; but a detective captures the hider where they can."""
    state.won = LIST_KEPT
    return greedy_total_now_capture(state, actions, count, tables, random)
