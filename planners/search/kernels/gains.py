"""The bits that an action tells about something hidden, from the counts of `knowledge`.

The gain of an action is the entropy before it less the average entropy of what it leads to, in
bits. There are two estimators:

* **Sampled.** The states that a search passes are drawn from a belief, so the values that a hidden
  variable takes among those that come by are a histogram of what is known there. Entropies of
  counts are too small by about (K - 1) / 2n nats with n counts in K classes; that is added
  (Miller 1955; Madow). With less than five states a class nothing is said yet.
* **Exact.** A posterior says the entropy of a known row, or the gain of a taken one. Where most
  states that took an action led to rows with an exact entropy, the gain is exact but for their
  shares.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....models.kernels.kernel import kernel
from .knowledge import ABSENT, Knowledge, row_of

#: States a class, on average, before a sampled gain is used.
ENOUGH: Final = 5
#: Part of an action's states that must have led to rows with an exact entropy.
COVERED: Final = 0.9
#: In place of a gain while too little is known.
UNKNOWN: Final = -np.inf


@kernel(allocates=False, inline="late")
def total_entropy(knowledge: Knowledge, row: int, variables: int) -> float:
    """Entropy of a row's counts in bits, corrected, times the number of its states.

    Args:
        knowledge: The rows.
        row: The row.
        variables: In how many classes each state is counted: those of several variables, whose
            entropies are added up.
    """
    total = knowledge.totals[row]
    if total == 0:
        return 0.0
    plain = variables * (total * np.log2(total)) - knowledge.logs[row]
    return plain + (knowledge.seen[row] - variables) / (2.0 * np.log(2.0))


@kernel(allocates=False, inline="late")
def count(knowledge: Knowledge, row: int, values: Any) -> None:
    """Add a state whose hidden variables have the values of these numbers, one for each."""
    knowledge.totals[row] += 1
    if knowledge.counts.shape[1] == 0:
        return
    for variable in range(len(values)):
        value = values[variable]
        old = knowledge.counts[row, value]
        knowledge.counts[row, value] = old + 1
        knowledge.logs[row] += (old + 1) * np.log2(old + 1)
        if old == 0:
            knowledge.seen[row] += 1
        else:
            knowledge.logs[row] -= old * np.log2(old)


@kernel(allocates=False, inline="late")
def usual_gain(knowledge: Knowledge, depth: int) -> float:
    """The mean gain of a decision after so many others, as far as it is known.

    Until it is, the decision before it is taken to tell as much; 0 where nothing is known at all.
    """
    for before in range(depth + 1):
        known = knowledge.usual[depth - before, 0]
        if known > 0.0:
            return knowledge.usual[depth - before, 1] / known
    return 0.0


@kernel(allocates=False, inline="late", inner=True)
def mean_sum(knowledge: Knowledge, row: int) -> float:
    """Bits from a taken row on, for each state that took it; its own gain where it is not known is
    the usual one. No more than what is open before it, where the posterior says how much that is.
    """
    total = knowledge.totals[row]
    if total == 0:
        return knowledge.gains[row]
    bits = knowledge.sums[row] / total
    there = knowledge.exact[np.int64(knowledge.parents[row])]
    if bits > there:
        return max(knowledge.gains[row], there)
    return bits


@kernel(allocates=False, inline="late")
def says_exactly(knowledge: Knowledge, row: int) -> bool:
    """True if the gain of a taken row comes from the posterior."""
    if not np.isnan(knowledge.exact[row]):
        return True
    covered = knowledge.covered[row]
    if covered == 0 or covered < COVERED * knowledge.totals[row]:
        return False
    return not np.isnan(knowledge.exact[np.int64(knowledge.parents[row])])


@kernel(allocates=False, inline="late")
def gain(knowledge: Knowledge, row: int, variables: int) -> float:
    """Bits that an action tells, ``row`` being its taken row; `UNKNOWN` while too little is known.

    Args:
        knowledge: The rows.
        row: The taken row.
        variables: See `total_entropy`.
    """
    if knowledge.telling[row] == 0:
        return 0.0
    if not np.isnan(knowledge.exact[row]):
        return knowledge.exact[row]
    total = knowledge.totals[row]
    if says_exactly(knowledge, row):
        # What moves unseen can be less certain afterwards: exact gains may be negative.
        before = knowledge.exact[np.int64(knowledge.parents[row])]
        return before - knowledge.told[row] / knowledge.covered[row]
    if knowledge.counts.shape[1] == 0 or total == 0:
        return UNKNOWN
    if total * variables < ENOUGH * knowledge.seen[row]:
        return UNKNOWN
    return max(0.0, (total_entropy(knowledge, row, variables) - knowledge.after[row]) / total)


@kernel(allocates=False, inline="late")
def gain_on(knowledge: Knowledge, row: int, variables: int) -> float:
    """Bits from an action on: its own gain and what follows; `UNKNOWN` while its own is.

    No more than what is open before it, where the posterior says how much that is.
    """
    bits = gain(knowledge, row, variables)
    if bits == UNKNOWN or knowledge.totals[row] == 0:
        return bits
    following = bits - knowledge.gains[row] + knowledge.sums[row] / knowledge.totals[row]
    there = knowledge.exact[np.int64(knowledge.parents[row])]
    if following > there:
        return max(bits, there)
    return following


@kernel(allocates=False, inline="late")
def ranked(knowledge: Knowledge, key: np.uint64) -> bool:
    """True if the gains of all actions are known exactly, where the player knows this."""
    row = row_of(knowledge, key)
    return row != ABSENT and knowledge.telling[row] != 0
