"""How much an action tells about something hidden, estimated while searching.

The states that a search passes through are drawn from a belief, so the values that a hidden
variable takes among those that come by are a histogram of what is known there. For every action
of the observer in the tree, one histogram counts the states in which they took it, and one for each
thing they can know when they next decide (or the game ends) counts those that led there. The gain
is the entropy of the first less the average entropy of the others, in bits.

Entropies of counts are too small by about (K - 1) / 2n nats with n counts in K classes; that is
added (Miller 1955; Madow). With less than five states a class nothing is said yet.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....models.game import HIDDEN
from ....models.kernels.hash_table import ABSENT as ABSENT
from ....models.kernels.hash_table import empty_slots, enter_all, slot_of
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import mix

#: A variable with more values than this is not followed below the root.
MOST_CLASSES: Final = 64
#: States a class, on average, before an estimate is used.
ENOUGH: Final = 5
#: Most histograms of one tree: with 64 classes about a hundred megabytes.
MOST_HISTOGRAMS: Final = 1 << 19
#: In place of a gain while too few states are known.
UNKNOWN: Final = -1.0


class Histograms(NamedTuple):
    """H histograms of C classes, found by a 64-bit key.

    Attributes:
        slots: int32[S], a histogram's number or -1.
        keys: uint64[H].
        counts: int32[H, C], states in each class.
        totals: int64[H], states in all.
        seen: int64[H], classes with any.
        logs: float64[H], sum of c log2 c over the counts c.
        after: float64[H], for an action: total entropy (bits times states) of what it led to.
        used: int64[1], how many there are.
    """

    slots: NDArray[np.int32]
    keys: NDArray[np.uint64]
    counts: NDArray[np.int32]
    totals: NDArray[np.int64]
    seen: NDArray[np.int64]
    logs: NDArray[np.float64]
    after: NDArray[np.float64]
    used: NDArray[np.int64]


def empty_histograms(rows: int, classes: int) -> Histograms:
    """Room for so many histograms."""
    return Histograms(
        slots=empty_slots(rows),
        keys=np.zeros(rows, np.uint64),
        counts=np.zeros((rows, classes), np.int32),
        totals=np.zeros(rows, np.int64),
        seen=np.zeros(rows, np.int64),
        logs=np.zeros(rows, np.float64),
        after=np.zeros(rows, np.float64),
        used=np.zeros(1, np.int64),
    )


def more_histograms(histograms: Histograms) -> Histograms:
    """The same histograms with room for twice as many."""
    rows, classes = histograms.counts.shape
    larger = empty_histograms(min(MOST_HISTOGRAMS, 2 * rows), classes)
    for name in Histograms._fields:
        if name not in ("slots", "used"):
            getattr(larger, name)[:rows] = getattr(histograms, name)
    larger.used[:] = histograms.used
    enter_all(larger.slots, larger.keys, int(larger.used[0]))
    return larger


@kernel(allocates=False, inline="late", inner=True)
def lacks_histograms(histograms: Histograms, depth: int) -> bool:
    """Whether following ``depth`` decisions may need more histograms than there is room for."""
    return histograms.used[0] + 2 * depth > len(histograms.keys)


@kernel(allocates=False, inline="late")
def action_key(key: np.uint64, action: int) -> np.uint64:
    """The key of the states in which the observer took an action, knowing what ``key`` stands for.

    Told apart from the keys of what they see afterwards, which are ``mix(key, observation)``.
    """
    return mix(mix(key, HIDDEN), action)


@kernel(allocates=False, inline="late")
def histogram(histograms: Histograms, key: np.uint64, add: bool) -> int:
    """The histogram of a key; made if wanted and there is room, else -1."""
    slot = slot_of(histograms.slots, histograms.keys, key)
    if histograms.slots[slot] != ABSENT:
        return np.int64(histograms.slots[slot])
    row = histograms.used[0]
    if not add or row >= len(histograms.keys):
        return np.int64(ABSENT)
    histograms.used[0] = row + 1
    histograms.slots[slot] = row
    histograms.keys[row] = key
    return row


@kernel(allocates=False, inline="late")
def total_entropy(histograms: Histograms, row: int) -> float:
    """Entropy of a histogram in bits, corrected, times the number of its states."""
    total = histograms.totals[row]
    if total == 0:
        return 0.0
    plain = total * np.log2(total) - histograms.logs[row]
    return plain + (histograms.seen[row] - 1) / (2.0 * np.log(2.0))


@kernel(allocates=False, inline="late")
def count(histograms: Histograms, row: int, value: int) -> None:
    """Add a state whose hidden variable has the value of that number."""
    old = histograms.counts[row, value]
    histograms.counts[row, value] = old + 1
    histograms.totals[row] += 1
    histograms.logs[row] += (old + 1) * np.log2(old + 1)
    if old == 0:
        histograms.seen[row] += 1
    else:
        histograms.logs[row] -= old * np.log2(old)


@kernel(allocates=False, inline="late")
def arrive(histograms: Histograms, action: int, key: np.uint64, value: int) -> None:
    """Count a state at what the observer knows after an action, ``action`` being its histogram."""
    row = histogram(histograms, key, True)
    if row == ABSENT:
        return
    before = total_entropy(histograms, row)
    count(histograms, row, value)
    histograms.after[action] += total_entropy(histograms, row) - before


@kernel(allocates=False, inline="late")
def gain(histograms: Histograms, row: int) -> float:
    """Bits that an action tells, ``row`` being its histogram; `UNKNOWN` with too few states."""
    total = histograms.totals[row]
    if total == 0 or total < ENOUGH * histograms.seen[row]:
        return UNKNOWN
    return max(0.0, (total_entropy(histograms, row) - histograms.after[row]) / total)
