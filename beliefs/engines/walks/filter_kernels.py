"""Kernels of filters over a walk: mass pushed along steps, pulled back, and paths drawn back.

Tables of steps come as `Rows`: entries of row ``i`` are ``starts[i]:starts[i + 1]``.
"""

from __future__ import annotations

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.problem import Floats, Integers
from ...arrays.transitions import Rows


@kernel
def pushed(mass: Floats, table: Rows) -> Floats:
    """Mass after a step, for every row of masses; both of shape (rows, positions)."""
    result = np.zeros_like(mass)
    for row in range(mass.shape[0]):
        for position in range(mass.shape[1]):
            here = mass[row, position]
            if here == 0.0:
                continue
            for entry in range(table.starts[position], table.starts[position + 1]):
                result[row, table.targets[entry]] += here * table.weights[entry]
    return result


@kernel
def pulled(value: Floats, table: Rows) -> Floats:
    """Weight of all that can follow a position, given the value of what follows."""
    result = np.zeros_like(value)
    for row in range(value.shape[0]):
        for position in range(value.shape[1]):
            total = 0.0
            for entry in range(table.starts[position], table.starts[position + 1]):
                total += table.weights[entry] * value[row, table.targets[entry]]
            result[row, position] = total
    return result


@kernel
def pulled_logs(value: Floats, table: Rows, logs: Floats) -> Floats:
    """The same in logarithms; ``logs`` are those of the table's weights."""
    result = np.full_like(value, -np.inf)
    for row in range(value.shape[0]):
        for position in range(value.shape[1]):
            first, last = table.starts[position], table.starts[position + 1]
            largest = -np.inf
            for entry in range(first, last):
                largest = max(largest, logs[entry] + value[row, table.targets[entry]])
            if largest == -np.inf:
                continue
            total = 0.0
            for entry in range(first, last):
                total += np.exp(logs[entry] + value[row, table.targets[entry]] - largest)
            result[row, position] = largest + np.log(total)
    return result


@kernel
def drawn(rows: Integers, mass: Floats, table: Rows, uniform: Floats) -> Integers:
    """The end of one entry of each of these rows, drawn by its weight times the mass there.

    Args:
        rows: Row of every draw, shape (draws,); some entry of it has weight.
        mass: Shape (positions,).
        uniform: One number in [0, 1) for every draw.
    """
    result = np.zeros(rows.shape[0], dtype=np.int64)
    for draw in range(rows.shape[0]):
        first, last = table.starts[rows[draw]], table.starts[rows[draw] + 1]
        total = 0.0
        for entry in range(first, last):
            total += table.weights[entry] * mass[table.targets[entry]]
        left = uniform[draw] * total
        chosen = np.int64(-1)
        for entry in range(first, last):
            share = table.weights[entry] * mass[table.targets[entry]]
            if share > 0.0:
                chosen = entry
                left -= share
                if left < 0.0:
                    break
        result[draw] = table.targets[chosen]
    return result


@kernel
def bridged(
    before: Integers,
    after: Integers,
    mass: Floats,
    first_step: Rows,
    second_step: Rows,
    uniform: Floats,
) -> Integers:
    """A position between two others, in proportion to both steps and its own mass.

    Args:
        before, after: Positions before the first step and after the second, shape (draws,);
            some position between them has weight.
        mass: Shape (positions,).
        first_step, second_step: Tables of the steps.
        uniform: One number in [0, 1) for every draw.
    """
    result = np.zeros(before.shape[0], dtype=np.int64)
    widest = 0
    for position in range(first_step.starts.shape[0] - 1):
        widest = max(widest, first_step.starts[position + 1] - first_step.starts[position])
    share = np.zeros(widest, dtype=np.float64)
    for draw in range(before.shape[0]):
        first, last = first_step.starts[before[draw]], first_step.starts[before[draw] + 1]
        total = 0.0
        for entry in range(first, last):
            share[entry - first] = 0.0
            between = first_step.targets[entry]
            if mass[between] == 0.0:
                continue
            low, high = second_step.starts[between], second_step.starts[between + 1]
            while low < high:
                middle = (low + high) // 2
                if second_step.targets[middle] < after[draw]:
                    low = middle + 1
                else:
                    high = middle
            if low < second_step.starts[between + 1] and second_step.targets[low] == after[draw]:
                share[entry - first] = (
                    first_step.weights[entry] * mass[between] * second_step.weights[low]
                )
                total += share[entry - first]
        left = uniform[draw] * total
        for entry in range(first, last):
            if share[entry - first] > 0.0:
                result[draw] = first_step.targets[entry]
                left -= share[entry - first]
                if left < 0.0:
                    break
    return result
