"""Kernels of filters over a walk: mass pushed along steps, pulled back, and paths drawn back.

Tables of steps are sparse by rows: entries of row ``i`` are ``starts[i]:starts[i + 1]``.
"""

from __future__ import annotations

import numpy as np

from ...models.kernel import kernel
from ..problem import Floats, Integers


@kernel
def pushed(mass: Floats, starts: Integers, targets: Integers, weights: Floats) -> Floats:
    """Mass after a step, for every row of masses; both of shape (rows, positions)."""
    result = np.zeros_like(mass)
    for row in range(mass.shape[0]):
        for position in range(mass.shape[1]):
            here = mass[row, position]
            if here == 0.0:
                continue
            for entry in range(starts[position], starts[position + 1]):
                result[row, targets[entry]] += here * weights[entry]
    return result


@kernel
def pulled(value: Floats, starts: Integers, targets: Integers, weights: Floats) -> Floats:
    """Weight of all that can follow a position, given the value of what follows."""
    result = np.zeros_like(value)
    for row in range(value.shape[0]):
        for position in range(value.shape[1]):
            total = 0.0
            for entry in range(starts[position], starts[position + 1]):
                total += weights[entry] * value[row, targets[entry]]
            result[row, position] = total
    return result


@kernel
def drawn_entries(
    rows: Integers,
    mass: Floats,
    starts: Integers,
    targets: Integers,
    weights: Floats,
    uniform: Floats,
) -> Integers:
    """One entry of each of these rows, in proportion to its weight times the mass it leads to.

    Args:
        rows: Row of every draw, shape (draws,); some entry of it has weight.
        mass: Shape (positions,).
        uniform: One number in [0, 1) for every draw.
    """
    result = np.zeros(rows.shape[0], dtype=np.int64)
    for draw in range(rows.shape[0]):
        first, last = starts[rows[draw]], starts[rows[draw] + 1]
        total = 0.0
        for entry in range(first, last):
            total += weights[entry] * mass[targets[entry]]
        left = uniform[draw] * total
        chosen = np.int64(-1)
        for entry in range(first, last):
            share = weights[entry] * mass[targets[entry]]
            if share > 0.0:
                chosen = entry
                left -= share
                if left < 0.0:
                    break
        result[draw] = chosen
    return result


@kernel
def bridged(
    before: Integers,
    after: Integers,
    mass: Floats,
    starts: Integers,
    targets: Integers,
    weights: Floats,
    next_starts: Integers,
    next_targets: Integers,
    next_weights: Floats,
    uniform: Floats,
) -> Integers:
    """A position between two others, in proportion to both steps and its own mass.

    Args:
        before, after: Positions before the first step and after the second, shape (draws,);
            some position between them has weight.
        mass: Shape (positions,).
        starts, targets, weights: Table of the first step.
        next_starts, next_targets, next_weights: Table of the second; targets ascend in a row.
        uniform: One number in [0, 1) for every draw.
    """
    result = np.zeros(before.shape[0], dtype=np.int64)
    widest = 0
    for position in range(starts.shape[0] - 1):
        widest = max(widest, starts[position + 1] - starts[position])
    share = np.zeros(widest, dtype=np.float64)
    for draw in range(before.shape[0]):
        first, last = starts[before[draw]], starts[before[draw] + 1]
        total = 0.0
        for entry in range(first, last):
            share[entry - first] = 0.0
            between = targets[entry]
            if mass[between] == 0.0:
                continue
            low, high = next_starts[between], next_starts[between + 1]
            while low < high:
                middle = (low + high) // 2
                if next_targets[middle] < after[draw]:
                    low = middle + 1
                else:
                    high = middle
            if low < next_starts[between + 1] and next_targets[low] == after[draw]:
                share[entry - first] = weights[entry] * mass[between] * next_weights[low]
                total += share[entry - first]
        left = uniform[draw] * total
        for entry in range(first, last):
            if share[entry - first] > 0.0:
                result[draw] = targets[entry]
                left -= share[entry - first]
                if left < 0.0:
                    break
    return result
