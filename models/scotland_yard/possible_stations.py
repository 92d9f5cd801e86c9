"""The hider's possible stations, from what everybody saw: Algorithm 1 of the paper, on bits.

Nijssen and Winands (2012), "Monte Carlo Tree Search for the Hide-and-Seek Game Scotland Yard".
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.kernel import kernel
from .state import BITS, DIGITS, WORDS


@kernel(allocates=False, inline="late")
def is_possible(state: Any, station: int) -> bool:
    """True if the hider can be at a station."""
    return (state.possible[station // BITS] >> (station % BITS)) & 1 == 1


@kernel(allocates=False, inline="late")
def exclude(state: Any, station: int) -> None:
    """The hider is not at a station."""
    if is_possible(state, station):
        state.possible[station // BITS] -= 1 << (station % BITS)


@kernel(allocates=False, inline="late")
def include(state: Any, station: int) -> None:
    """The hider can be at a station after all."""
    if not is_possible(state, station):
        state.possible[station // BITS] += 1 << (station % BITS)


@kernel(allocates=False, inline="late")
def in_eights(word: int) -> int:
    """The number of 1 bits of each eight of a positive word, in the place of these eight."""
    pairs = word - ((word >> 1) & 0x5555_5555_5555_5555)
    fours = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333)
    return (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F


@kernel(allocates=False, inline="late")
def ones(word: int) -> int:
    """The number of 1 bits among the 31 of a word."""
    return ((in_eights(word) * 0x0101_0101) >> 24) & 0xFF


@kernel(allocates=False)
def only(state: Any, station: int) -> None:
    """The hider is at a station: they surface."""
    for word in range(WORDS):
        state.possible[word] = 0
    include(state, station)


@kernel(allocates=False)
def spread(state: Any, ticket: int, tables: Any) -> None:
    """The hider has moved with a ticket, to a station without a detective."""
    a = 0
    b = 0
    c = 0
    d = 0
    e = 0
    f = 0
    g = 0
    reach = tables.board[0].reach
    for word in range(WORDS):
        left = np.int64(state.possible[word])
        while left > 0:
            lowest = left & -left
            left -= lowest
            station = word * BITS + ones(lowest - 1)
            a |= reach[ticket, station, 0]
            b |= reach[ticket, station, 1]
            c |= reach[ticket, station, 2]
            d |= reach[ticket, station, 3]
            e |= reach[ticket, station, 4]
            f |= reach[ticket, station, 5]
            g |= reach[ticket, station, 6]
    state.possible[0] = a
    state.possible[1] = b
    state.possible[2] = c
    state.possible[3] = d
    state.possible[4] = e
    state.possible[5] = f
    state.possible[6] = g
    for seeker in range(1, tables.rules[0].seekers + 1):
        exclude(state, state.stations[seeker])


@kernel(allocates=False)
def count_possible(state: Any) -> int:
    """The number of stations the hider can be at."""
    count = 0
    for word in range(WORDS):
        count += ones(np.int64(state.possible[word]))
    return count


@kernel(allocates=False, inline="late")
def total_distance(state: Any, station: int, tables: Any) -> int:
    """The sum of the distances from a station to all where the hider can be."""
    possible = state.possible
    first = np.int64(possible[0]) | np.int64(possible[1]) << BITS
    second = np.int64(possible[2]) | np.int64(possible[3]) << BITS
    third = np.int64(possible[4]) | np.int64(possible[5]) << BITS
    fourth = np.int64(possible[6])
    total = 0
    for digit in range(DIGITS):
        row = tables.board[0].digits[station, digit]
        sums = in_eights(first & row[0]) + in_eights(second & row[1])
        sums += in_eights(third & row[2]) + in_eights(fourth & row[3])
        # At most 199 of them, so no field of eight bits is too small for the sum of all.
        sums += sums >> 32
        sums += sums >> 16
        total += ((sums + (sums >> 8)) & 0xFF) << digit
    return total


@kernel(allocates=False)
def only_taxis(state: Any, tables: Any) -> bool:
    """True if nothing but taxis leaves from all stations where the hider can be."""
    for word in range(WORDS):
        left = state.possible[word]
        there = word * BITS
        while left > 0:
            if left & 1 == 1 and tables.board[0].kind[there] > 0:
                return False
            left >>= 1
            there += 1
    return True
