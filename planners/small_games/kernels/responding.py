"""Values, reach and best responses on a game that is written out: passes over flat arrays.

A history stands behind all that can follow it, so one pass upwards has every value before it is
needed, and one downwards every probability. Arguments of the same name are those of `TreeArrays`.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.kernels.kernel import kernel


@kernel(allocates=False)
def write_values(parents: Any, places: Any, sets: Any, returns: Any, shares: Any, out: Any) -> None:
    """Write everybody's mean return from each history.

    Args:
        parents, places, sets, returns: The tree.
        shares: float64[A], the probability of each action.
        out: float64[H, P], zeros.
    """
    for number in range(len(parents)):
        known = np.int64(sets[number])
        parent, place = np.int64(parents[number]), np.int64(places[number])
        for player in range(out.shape[1]):
            if known < 0:
                out[number, player] = returns[-1 - known, player]
            if parent >= 0:
                out[parent, player] += shares[place] * out[number, player]


@kernel(allocates=False)
def write_reach(parents: Any, places: Any, shares: Any, out: Any) -> None:
    """Write the probability of each history: float64[H], which holds those of the starts.

    Args:
        parents, places: The tree.
        shares: float64[A], the probability of each action.
        out: What is written.
    """
    for number in range(len(parents) - 1, -1, -1):
        parent = np.int64(parents[number])
        if parent >= 0:
            out[number] = out[parent] * shares[np.int64(places[number])]


@kernel(allocates=False)
def write_levels(
    parents: Any, sets: Any, movers: Any, player: int, set_levels: Any, levels: Any
) -> int:
    """Write how often a player has decided before each history. Returns the most.

    Args:
        parents, sets, movers: The tree.
        player: Who decides.
        set_levels: int32[S], zeros: the same for their information sets; the most of all their
            histories, should they differ.
        levels: int32[H], what is written.
    """
    most, changed = 0, True
    while changed:
        changed = False
        for number in range(len(parents) - 1, -1, -1):
            parent = np.int64(parents[number])
            level = 0
            if parent >= 0:
                last = np.int64(sets[parent])
                level = levels[parent]
                if movers[last] == player:
                    level = set_levels[last] + 1
            levels[number] = level
            most = max(most, level)
            known = np.int64(sets[number])
            if known >= 0 and movers[known] == player and set_levels[known] < level:
                set_levels[known] = level
                changed = True
    return most


@kernel(allocates=False)
def write_best_response(
    parents: Any,
    places: Any,
    sets: Any,
    returns: Any,
    movers: Any,
    begins: Any,
    player: int,
    shares: Any,
    reach: Any,
    order: Any,
    cuts: Any,
    totals: Any,
    choices: Any,
    out: Any,
) -> None:
    """Write a player's best response, and its values: from their last decisions backwards.

    All histories of an information set come after equally many decisions of its player, since
    they remember them. So once all later decisions are made, it can be decided there.

    Args:
        parents, places, sets, returns, movers, begins: The tree.
        player: Who responds.
        shares: float64[A], what the others do.
        reach: float64[H], the probability of each history if the player does all for it.
        order: int32[H], histories by how often the player decided before, each time in order.
        cuts: int64[L + 1], where those of one number begin.
        totals: float64[A], zeros: the values of actions, weighted by reach.
        choices: int64[S], -1: for a set of the player the place of the action among its own.
        out: float64[H], zeros: what the player gets from each history.
    """
    for level in range(len(cuts) - 2, -1, -1):
        for at in range(cuts[level], cuts[level + 1]):
            number = np.int64(order[at])
            known = np.int64(sets[number])
            if known < 0:
                out[number] = returns[-1 - known, player]
            parent = np.int64(parents[number])
            if parent >= 0:
                place = np.int64(places[number])
                if movers[np.int64(sets[parent])] != player:
                    if shares[place] > 0.0:
                        out[parent] += shares[place] * out[number]
                elif reach[parent] > 0.0:
                    totals[place] += reach[parent] * out[number]
        for at in range(cuts[level], cuts[level + 1]):
            number = np.int64(order[at])
            parent = np.int64(parents[number])
            if parent < 0:
                continue
            known = np.int64(sets[parent])
            if movers[known] != player:
                continue
            begin = begins[known]
            if choices[known] < 0:
                best = begin
                for place in range(begin + 1, begins[known + 1]):
                    if totals[place] > totals[best]:
                        best = place
                choices[known] = best - begin
            if places[number] == begin + choices[known]:
                out[parent] = out[number]
