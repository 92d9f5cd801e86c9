"""Joints of few deals: every path of the graph of partial deals is walked."""

from __future__ import annotations

import numpy as np

from ...models.kernel import kernel
from ..problem import Floats, Integers

#: So many paths are walked sooner than labels are planned for and carried along.
MOST_PATHS = 2_000


@kernel
def paths_between(
    first: int,
    last: int,
    layer_start: Integers,
    edge_start: Integers,
    target: Integers,
    backward: Floats,
) -> float:
    """Number of paths from layer ``first`` to layer ``last`` that some deal takes."""
    base = layer_start[first]
    count = np.zeros(layer_start[last + 1] - base, dtype=np.float64)
    for node in range(layer_start[last], layer_start[last + 1]):
        count[node - base] = 1.0
    for back in range(layer_start[last] - base):
        node = layer_start[last] - 1 - back
        for edge in range(edge_start[node], edge_start[node + 1]):
            if backward[target[edge]] != 0.0:
                count[node - base] += count[target[edge] - base]
    return float(count[: layer_start[first + 1] - base].sum())


@kernel
def listed_shares(
    first: int,
    last: int,
    step: Integers,
    size: int,
    layer_start: Integers,
    edge_start: Integers,
    target: Integers,
    choice: Integers,
    weight: Floats,
    forward: Floats,
    backward: Floats,
) -> Floats:
    """Probability of every index of a feature, by walking every path; shape (size,).

    Args:
        first, last: First layer of the feature, and one past its last.
        step: What every option adds to the index.
    """
    result = np.zeros(size, dtype=np.float64)
    depth = last - first
    edge_at = np.zeros(depth + 1, dtype=np.int64)
    stop_at = np.zeros(depth + 1, dtype=np.int64)
    index = np.zeros(depth + 1, dtype=np.int64)
    mass = np.zeros(depth + 1, dtype=np.float64)
    total = 0.0
    for begin in range(layer_start[first], layer_start[first + 1]):
        if backward[begin] == 0.0:
            continue
        mass[0] = forward[begin]
        if depth == 0:
            share = forward[begin] * backward[begin]
            result[0] += share
            total += share
            continue
        level = 0
        edge_at[0] = edge_start[begin]
        stop_at[0] = edge_start[begin + 1]
        while level >= 0:
            if edge_at[level] == stop_at[level]:
                level -= 1
                continue
            edge = edge_at[level]
            edge_at[level] += 1
            end = target[edge]
            if backward[end] == 0.0:
                continue
            value = mass[level] * weight[edge]
            place = index[level] + step[choice[edge]]
            if level + 1 == depth:
                share = value * backward[end]
                result[place] += share
                total += share
                continue
            level += 1
            mass[level] = value
            index[level] = place
            edge_at[level] = edge_start[end]
            stop_at[level] = edge_start[end + 1]
    for place in range(size):
        result[place] /= total
    return result
