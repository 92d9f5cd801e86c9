"""Counterfactual regret minimisation on a game that is written out: one player improves.

The arguments of the same name are those of `TreeArrays`.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.kernels.kernel import kernel


@kernel(allocates=False)
def add_regrets(
    parents: Any,
    places: Any,
    ends: Any,
    owners: Any,
    chance: Any,
    player: int,
    policy: Any,
    part: float,
    reach: Any,
    values: Any,
    gains: Any,
    regrets: Any,
) -> None:
    """Add what each action of a player would have won more, as far as the others let it.

    Args:
        parents, places: The tree.
        ends: float64[H], what the first player wins where a history ends; 0 elsewhere.
        owners: int32[A], whose actions they are.
        chance: float64[H], the probability of each start; 0 elsewhere.
        player: Who improves.
        policy: float64[A], what everybody does.
        part: How much all of it counts.
        reach, values: float64[H], overwritten.
        gains: float64[A], overwritten.
        regrets: float64[A], what is added to.
    """
    for number in range(len(parents) - 1, -1, -1):
        parent = np.int64(parents[number])
        if parent < 0:
            reach[number] = chance[number]
        else:
            place = np.int64(places[number])
            share = 1.0 if owners[place] == player else policy[place]
            reach[number] = reach[parent] * share
        values[number] = ends[number] if player == 0 else -ends[number]
    for number in range(len(parents)):
        parent = np.int64(parents[number])
        if parent >= 0:
            values[parent] += policy[np.int64(places[number])] * values[number]
    for place in range(len(gains)):
        gains[place] = 0.0
    for number in range(len(parents)):
        parent = np.int64(parents[number])
        if parent >= 0:
            place = np.int64(places[number])
            if owners[place] == player:
                gains[place] += reach[parent] * (values[number] - values[parent])
    for place in range(len(gains)):
        regrets[place] += part * gains[place]


@kernel(allocates=False)
def add_average(
    own: Any, begins: Any, before: Any, policy: Any, weight: float, reach: Any, totals: Any
) -> None:
    """Add a player's policy to the sums of an average, as far as they do what leads there.

    Args:
        own: int64[], their information sets; what they did last stands before.
        begins, before: The tree.
        policy: float64[A].
        weight: How much it counts.
        reach: float64[A], overwritten: how far the player does all that leads to an action, and it.
        totals: float64[A], what is added to.
    """
    for known in own:
        last = np.int64(before[known])
        far = 1.0
        if last >= 0:
            far = reach[last]
        for place in range(begins[known], begins[known + 1]):
            reach[place] = far * policy[place]
            totals[place] += weight * reach[place]


@kernel(allocates=False)
def match_regrets(own: Any, begins: Any, regrets: Any, policy: Any) -> None:
    """Write a policy in proportion to regrets above zero; even where none is.

    Args:
        own: int64[], information sets.
        begins: Of the tree.
        regrets: float64[A].
        policy: float64[A], what is written.
    """
    for known in own:
        begin, end = begins[known], begins[known + 1]
        total = 0.0
        for place in range(begin, end):
            total += max(regrets[place], 0.0)
        for place in range(begin, end):
            if total > 0.0:
                policy[place] = max(regrets[place], 0.0) / total
            else:
                policy[place] = 1.0 / (end - begin)


@kernel(allocates=False)
def discount(owners: Any, player: int, above: float, below: float, regrets: Any) -> None:
    """Multiply a player's regrets by a number above zero, and another one below."""
    for place in range(len(owners)):
        if owners[place] == player:
            regrets[place] *= above if regrets[place] >= 0.0 else below
