"""Arrays that grow, inside kernels.

Assigning to a slice of an array takes numba about a second to compile, each time; these are
compiled once and shared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kernel import kernel

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@kernel
def with_room(values: Integers, used: int, room: int) -> Integers:
    """The first ``used`` of some whole numbers in an array of ``room``, the rest zeros."""
    result = np.zeros(room, dtype=np.int64)
    for index in range(used):
        result[index] = values[index]
    return result


@kernel
def with_room_for_floats(values: Floats, used: int, room: int) -> Floats:
    """The first ``used`` of some numbers in an array of ``room``, the rest zeros."""
    result = np.zeros(room, dtype=np.float64)
    for index in range(used):
        result[index] = values[index]
    return result


@kernel
def with_rows(table: Integers, used: int, room: int) -> Integers:
    """The first ``used`` rows of a table in one of ``room`` rows, the rest zeros."""
    columns = table.shape[1]
    result = np.zeros((room, columns), dtype=np.int64)
    for row in range(used):
        for column in range(columns):
            result[row, column] = table[row, column]
    return result


@kernel
def stable_order(values: Integers, below: int) -> Integers:
    """Indices that sort whole numbers from 0 to ``below`` - 1; equal ones stay in their order."""
    start = np.zeros(below + 1, dtype=np.int64)
    for index in range(values.shape[0]):
        start[values[index] + 1] += 1
    for value in range(below):
        start[value + 1] += start[value]
    result = np.zeros(values.shape[0], dtype=np.int64)
    for index in range(values.shape[0]):
        result[start[values[index]]] = index
        start[values[index]] += 1
    return result
