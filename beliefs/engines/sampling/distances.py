"""The distance of a deal from fitting hard evidence, in cards that must move."""

from __future__ import annotations

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.layout import FactorArrays, Flags, Integers


@kernel
def support_distance(allowed: Flags, factors: FactorArrays, largest: int) -> Integers:
    """About how many cards must move before a factor's weight is positive, for every index.

    Found by breadth-first search over what one card can change, whatever the others do. A table
    with more than ``largest`` entries is only told apart into 0 (positive) and 1.
    """
    slots = allowed.shape[1]
    table_start, table, delta = factors.table_start, factors.table, factors.delta
    result = np.zeros(table.shape[0], dtype=np.int64)
    for factor in range(factors.start.shape[0] - 1):
        base = table_start[factor]
        size = table_start[factor + 1] - base
        length = factors.start[factor + 1] - factors.start[factor]
        queue = np.zeros(size, dtype=np.int64)
        head = 0
        tail = 0
        for index in range(size):
            if table[base + index] > 0.0:
                queue[tail] = index
                tail += 1
            else:
                result[base + index] = 1 if size > largest else length + 1
        if size > largest or tail == size:
            continue
        reached = np.zeros(2 * size + 1, dtype=np.int8)
        steps = np.zeros(2 * size + 1, dtype=np.int64)
        kinds = 0
        for row in range(factors.start[factor], factors.start[factor + 1]):
            card = factors.site[row]
            for here in range(slots):
                for there in range(slots):
                    if allowed[card, here] == 1 and allowed[card, there] == 1:
                        step = delta[row, here] - delta[row, there]
                        if step != 0 and abs(step) < size and reached[step + size] == 0:
                            reached[step + size] = 1
                            steps[kinds] = step
                            kinds += 1
        while head < tail:
            index = queue[head]
            head += 1
            for kind in range(kinds):
                after = index + steps[kind]
                if 0 <= after < size and result[base + after] == length + 1:
                    result[base + after] = result[base + index] + 1
                    queue[tail] = after
                    tail += 1
    return result
