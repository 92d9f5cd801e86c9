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
