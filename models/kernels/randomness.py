"""Chance and hashes inside kernels: a small generator in an array, and 64-bit keys.

Both give the same bits compiled and as plain Python; nothing in them overflows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kernel import kernel

# To make such a number takes plain Python longer than to shift by it.
_SEVEN, _THIRTEEN, _SEVENTEEN = np.uint64(7), np.uint64(13), np.uint64(17)
_HALF, _MASK = np.uint64(32), np.uint64(0xFFFFFFFF)
_LOW, _HIGH, _TAIL = np.uint64(0x9E3779B1), np.uint64(0x85EBCA77), np.uint64(29)

Generator = NDArray[np.uint64]
"""One word of state. Kernels that draw from it change it."""


def generator(*seeds: int) -> Generator:
    """A generator for kernels, from whole numbers such as (seed, worker).

    The same numbers give the same draws; others give unrelated ones (NumPy's ``SeedSequence``).

    >>> import sleuth
    >>> from sleuth.kit import generator
    >>> random = generator(7, 1)
    >>> [sleuth.below(random, 6) for _ in range(5)]
    [5, 0, 5, 3, 4]
    """
    sequence = np.random.SeedSequence([seed & 0xFFFF_FFFF_FFFF_FFFF for seed in seeds])
    state = sequence.generate_state(1, np.uint64).astype(np.uint64)
    state[0] |= np.uint64(1)  # zero would stay zero for ever
    return state


@kernel(allocates=False, inline="late")
def word(random: Generator) -> np.uint64:
    """Any 64 bits but zero, by xorshift (Marsaglia 2003, triple 13, 7, 17)."""
    x = random[0]
    x ^= x << _THIRTEEN
    x ^= x >> _SEVEN
    x ^= x << _SEVENTEEN
    random[0] = x
    return x


@kernel(allocates=False, inline="late")
def below(random: Generator, count: int) -> int:
    """A whole number from 0 to ``count`` - 1, each equally likely (to within count / 2**32).

    >>> import sleuth
    >>> from sleuth.kit import generator
    >>> sleuth.below(generator(1), 52)
    17
    """
    high = word(random) >> _HALF
    # int() of an unsigned number stays unsigned when compiled, and then mixes into a float.
    return np.int64((high * np.uint64(count)) >> _HALF)  # pyright: ignore[reportReturnType]


@kernel(allocates=False, inline="late")
def uniform(random: Generator) -> float:
    """A number in [0, 1).

    >>> import sleuth
    >>> from sleuth.kit import generator
    >>> round(sleuth.uniform(generator(1)), 3)
    0.333
    """
    return float(word(random) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel(allocates=False, inline="late")
def mix(key: np.uint64, value: int) -> np.uint64:
    """The 64-bit key of a sequence that went on with ``value`` after the one of ``key``."""
    x = key ^ np.uint64(np.int64(value))
    for _ in range(2):
        low = (x & _MASK) * _LOW
        high = (x >> _HALF) * _HIGH
        x = low ^ ((high << _HALF) | (high >> _HALF))
        x ^= x >> _TAIL
    return x


@kernel(allocates=False)
def key_of(words: NDArray[np.int32]) -> np.uint64:
    """The 64-bit key of an array of whole numbers."""
    key = np.uint64(0x243F6A8885A308D3)
    for i in range(len(words)):
        key = mix(key, int(words[i]))
    return key
