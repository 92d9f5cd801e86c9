"""Weights that stay within the floats, however strong the evidence.

What counts is how likely worlds are beside the likeliest *after all* evidence, and that is not
known while it comes in. So nothing is rounded away before: a table whose weights lie too far apart
is written as a product of several that do not, and engines ask how far apart the weights of whole
worlds can be (`spread`) before they multiply plain floats.

All limits are powers of two of the 1,022 between one and the least float that keeps its digits:

* 256 within a packed table, so that three of them can be multiplied before anything is scaled;
* 400 between worlds that are kept as plain floats, for later evidence may take as much away again;
* 700 below the largest weight of a table that is scaled: what is left is for the packing after it;
* 900 where plain floats are multiplied once, and what comes of it is not multiplied again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .layout import FactorArrays, Floats, Integers

#: What is possible is given at least this probability or weight beside the likeliest: never 0.
LEAST_WEIGHT = 1e-300
#: Most powers of two between the largest weight of a packed table and its least.
PACKED_POWERS = 256
#: The least weight of a packed table, beside a largest of about one.
LEAST_PACKED = 2.0**-PACKED_POWERS
#: Most powers of two between the weights of two worlds that plain floats may be multiplied for: as
#: many again are left for sums, and for what evidence that comes later takes away.
MOST_KEPT_SPREAD = 400.0
#: Most powers of two between weights of which plain floats are multiplied once, and then let go.
MOST_PASSING_SPREAD = 900.0
#: The least weight beside the largest of a table that is scaled without being packed.
LEAST_SCALED = 2.0**-700


def scaled(weights: Floats) -> tuple[Floats, int] | None:
    """Weights of which the largest is about one, and the power of two they must be multiplied by.

    Multiplying by powers of two loses no digits, so counts stay exact; and hundreds of small
    weights can be multiplied. None where the least would be lost beside the largest.
    """
    largest = float(weights.max())
    if 0.25 <= largest <= 2.0 or not 0.0 < largest < math.inf:
        return weights, 0
    exponent = math.frexp(largest)[1]
    if exponent > 0 and too_small(weights, LEAST_SCALED * largest).any():
        return None
    return np.ldexp(weights, -exponent), exponent


def too_small(weights: Floats, least: float = LEAST_PACKED) -> NDArray[np.bool_]:
    """True for each weight that is positive, but below this."""
    return (weights < least) & (weights > 0.0)


def in_pieces(tables: Sequence[Floats]) -> tuple[list[Floats], int]:
    """The product of tables, however far apart its weights are, without loss.

    Returns:
        Tables whose largest weights are about one and whose least are at least `LEAST_PACKED`, and
        the power of two that their product must be multiplied by.
    """
    mantissa, power = _parts(tables[0])
    for table in tables[1:]:
        part, more = _parts(table)
        mantissa, carried = _parts(mantissa * part)
        power = power + more + carried
    return _pieces(mantissa, power)


def _parts(numbers: Floats) -> tuple[Floats, Integers]:
    """Numbers as mantissas and powers of two."""
    mantissa, power = np.frexp(numbers)
    return mantissa, power.astype(np.int64)


def pieces_of_logs(logs: Floats) -> tuple[list[Floats], int]:
    """The same for a table of which the logarithms to base two are known."""
    possible = logs > -math.inf
    power = np.floor(np.where(possible, logs, 0.0)).astype(np.int64)
    return _pieces(np.where(possible, np.exp2(logs - power), 0.0), power)


def _pieces(mantissa: Floats, power: Integers) -> tuple[list[Floats], int]:
    possible = mantissa > 0.0
    if not possible.any():
        return [mantissa], 0
    largest = int(power[possible].max())
    left: Integers = np.where(possible, power - largest, 0)
    pieces: list[Floats] = []
    while not pieces or left.any():
        here = np.maximum(left, 1 - PACKED_POWERS)
        pieces.append(np.ldexp(1.0 if pieces else mantissa, here))
        left = left - here
    return pieces, largest


def spread(table: Floats) -> float:
    """Powers of two between the largest and the least positive weight of a table."""
    possible = table[table > 0.0]
    return float(np.ptp(np.log2(possible))) if possible.size else 0.0


def spreads(factors: FactorArrays) -> Floats:
    """Powers of two between the largest and the least positive weight of every factor."""
    if not factors.table.shape[0]:
        return np.zeros(0)
    table, start = factors.table, factors.table_start[:-1]
    largest = np.maximum.reduceat(table, start)
    least = np.minimum.reduceat(np.where(table > 0.0, table, math.inf), start)
    # A table of zeros lets nothing differ.
    some = largest > 0.0
    return np.log2(np.where(some, largest, 1.0)) - np.log2(np.where(some, least, 1.0))
