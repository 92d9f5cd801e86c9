"""Gains that are handed up a tree of decisions, from the rows of `knowledge`.

Gains add up along a line of play (the chain rule of entropy), so they are handed up: every taken
row keeps the sum of the gains from it on, over the states that took it. When the gain of a row
changes, the sums above it change at once, so they always say what today's gains say. A gain that is
not known yet stands as what decisions of the same depth tell on average, so that an action is not
preferred because more is known of what follows it.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.kernels.kernel import kernel
from .gains import UNKNOWN, count, gain, mean_sum, total_entropy, usual_gain
from .knowledge import ABSENT, BEST, HANDED, SEVERAL, Knowledge, action_key, row_made, row_of


@kernel(allocates=False, inline="late")
def take(knowledge: Knowledge, known: int, key: np.uint64, values: Any, telling: int) -> int:
    """Count a state in which the player takes an action; its taken row, -1 without room.

    Args:
        knowledge: The rows.
        known: The known row where they take it.
        key: See `action_key`.
        values: See `count`.
        telling: 1 if what the action tells counts, else 0.
    """
    row = row_made(knowledge, key, known, knowledge.depths[known])
    if row != ABSENT:
        knowledge.telling[row] = telling
        count(knowledge, row, values)
    return row


@kernel(allocates=False, inline="late")
def arrive(knowledge: Knowledge, taken: int, key: np.uint64, values: Any, discount: float) -> int:
    """Count a state at what the player knows after an action; that known row, -1 without room.

    Args:
        knowledge: The rows.
        taken: The action's row.
        key: Of what the player knows now.
        values: See `count`.
        discount: Factor on what is learned one decision later.
    """
    row = row_made(knowledge, key, taken, knowledge.depths[taken] + 1)
    if row == ABSENT:
        return row
    variables = len(values)
    sampled = knowledge.counts.shape[1] > 0
    before = total_entropy(knowledge, row, variables) if sampled else 0.0
    count(knowledge, row, values)
    if sampled:
        knowledge.after[taken] += total_entropy(knowledge, row, variables) - before
    if not np.isnan(knowledge.exact[row]):
        knowledge.covered[taken] += 1
        knowledge.told[taken] += knowledge.exact[row]
    bits = gain(knowledge, taken, variables)
    depth = np.int64(knowledge.depths[taken])
    if bits == UNKNOWN:
        bits = usual_gain(knowledge, depth)
    elif knowledge.used[BEST] == 0:
        knowledge.usual[depth, 0] += 1.0
        knowledge.usual[depth, 1] += bits
    # The states before this one change by what the gain has changed, and this one brings all of it.
    add = knowledge.totals[taken] * bits - (knowledge.totals[taken] - 1) * knowledge.gains[taken]
    knowledge.gains[taken] = bits
    hand_up(knowledge, taken, add, discount)
    return row


@kernel(allocates=False, inline="late", inner=True)
def leave(knowledge: Knowledge, known: int, discount: float) -> None:
    """Count a state in which the player decides at a known row, but nobody follows what they do.

    Args:
        knowledge: The rows.
        known: The known row.
        discount: See `arrive`.
    """
    bits = discount * usual_gain(knowledge, np.int64(knowledge.depths[known]))
    if knowledge.used[BEST] != 0:
        knowledge.held[known] += bits
    hand_up(knowledge, np.int64(knowledge.parents[known]), bits, discount)


@kernel(allocates=False, inline="late")
def hand_up(knowledge: Knowledge, taken: int, bits: float, discount: float) -> None:
    """Add bits to the sum of a taken row and, discounted, to those of all before it.

    Where the best is backed up, it is handed up from the best actions alone: one that was only
    tried says nothing of what will be learned.
    """
    row = np.int64(taken)
    while row != ABSENT:
        knowledge.sums[row] += bits
        known = np.int64(knowledge.parents[row])
        if knowledge.used[BEST] != 0:
            if knowledge.best[known] != row:
                return
            brings = discount * mean_sum(knowledge, row) * knowledge.totals[known]
            bits = brings - knowledge.held[known]
            knowledge.held[known] = brings
        else:
            bits *= discount
        before = np.int64(knowledge.parents[known])
        if before == ABSENT:
            handed = knowledge.used[HANDED]
            knowledge.used[HANDED] = row if handed in (ABSENT, row) else SEVERAL
        row = before


@kernel(allocates=False, inline="late", inner=True)
def bring(knowledge: Knowledge, known: int, action: int, variables: int, discount: float) -> None:
    """Hand up from a known row what its best action tells, for all states that came to it.

    Args:
        knowledge: The rows, where the best is backed up.
        known: The known row, which is not the first.
        action: The best action there.
        variables: See `total_entropy`.
        discount: See `arrive`.
    """
    row = row_of(knowledge, action_key(knowledge.keys[known], action))
    if row == ABSENT or knowledge.totals[row] == 0:
        return
    brings = discount * mean_sum(knowledge, row) * knowledge.totals[known]
    knowledge.sums[np.int64(knowledge.parents[known])] += brings - knowledge.held[known]
    knowledge.held[known] = brings
    knowledge.best[known] = row
    bits = gain(knowledge, row, variables)
    if bits != UNKNOWN:
        knowledge.usual[np.int64(knowledge.depths[row]), 0] += 1.0
        knowledge.usual[np.int64(knowledge.depths[row]), 1] += bits


@kernel(allocates=False)
def settle(knowledge: Knowledge, row: int, variables: int, discount: float) -> None:
    """Take up again the gain of a taken row, after something exact was learned about it.

    Args:
        knowledge: The rows.
        row: The taken row.
        variables: See `total_entropy`.
        discount: See `arrive`.
    """
    bits = gain(knowledge, row, variables)
    if bits == UNKNOWN:
        return
    add = knowledge.totals[row] * (bits - knowledge.gains[row])
    knowledge.gains[row] = bits
    hand_up(knowledge, row, add, discount)


@kernel(allocates=False)
def enter_gains(
    knowledge: Knowledge, known: int, actions: Any, bits: Any, variables: int, discount: float
) -> bool:
    """Enter what the posterior says that actions tell at a known row.

    Args:
        knowledge: The rows.
        known: The known row.
        actions: int64[n], the actions.
        bits: float64[n], what each tells.
        variables: See `total_entropy`.
        discount: See `arrive`.

    Returns:
        Whether there was room for all of them.
    """
    for i in range(len(actions)):
        key = action_key(knowledge.keys[known], actions[i])
        row = row_made(knowledge, key, known, knowledge.depths[known])
        if row == ABSENT:
            return False
        knowledge.telling[row] = 1
        knowledge.exact[row] = bits[i]
        settle(knowledge, row, variables, discount)
    return True
