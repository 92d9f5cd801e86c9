"""An open-addressing table: from 64-bit keys to numbers counted from 0.

``slots`` hold numbers or `ABSENT`; there is a power of two of them, of which only a part is taken.
What has number i has key ``keys[i]``.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .kernel import kernel

ABSENT: Final = -1
#: Part of the slots that may be taken.
FILLED: Final = 0.7


def empty_slots(count: int) -> NDArray[np.int32]:
    """Slots for so many keys."""
    return np.full(1 << max(4, int(np.ceil(np.log2(max(count, 1) / FILLED)))), ABSENT, np.int32)


@kernel(allocates=False, inline="late")
def slot_of(slots: Any, keys: Any, key: np.uint64) -> np.uint64:
    """The slot of a key: the one that holds its number, or the empty one where it belongs."""
    mask = np.uint64(len(slots) - 1)
    slot = key & mask
    while slots[slot] != ABSENT and keys[np.uint64(slots[slot])] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@kernel(allocates=False)
def enter_all(slots: Any, keys: Any, count: int) -> None:
    """Give the first ``count`` keys their slots, all of which are empty."""
    for number in range(count):
        slots[slot_of(slots, keys, keys[number])] = number
