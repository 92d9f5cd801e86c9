"""Scans over blocks of variables, each drawn anew given all others."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.layout import FactorArrays, Flags, Floats, Integers
from ..base import Worlds
from .kernels import OrderArrays, draw_places

#: Most combinations of values that a block may have, and most variables in one.
MOST_LEAVES = 256
MOST_IN_BLOCK = 12


class BlockArrays(NamedTuple):
    """Blocks of variables, as the kernel takes them.

    Attributes:
        start: Variables of block b are ``card[start[b]:start[b + 1]]``.
        card: Variables of all blocks.
        touched_start: Factors of block b are ``touched[touched_start[b]:touched_start[b + 1]]``.
        touched: Factors that some variable of the block is in; their places are numbers from 0.
        row_start: Rows of the p-th variable are ``row_start[p]:row_start[p + 1]``.
        row_place, row: Place of the factor of every row, and the row.
        done_start: Factors that are known with the p-th variable are ``done[done_start[p]:...]``.
        done: Their places.
    """

    start: Integers
    card: Integers
    touched_start: Integers
    touched: Integers
    row_start: Integers
    row_place: Integers
    row: Integers
    done_start: Integers
    done: Integers


@kernel
def scan(
    slot: Integers,
    blocks: BlockArrays,
    factors: FactorArrays,
    log_table: Floats,
    allowed: Flags,
    uniform: Floats,
    kept: Worlds,
) -> None:
    """Draw all blocks anew, one after the other, as often as there are rows of numbers.

    Args:
        slot: Slot of every card, shape (cards,); edited.
        blocks: The blocks.
        factors: All factors.
        log_table: Log weights of all factors.
        allowed: 1 where a card may be, shape (cards, slots).
        uniform: Numbers in [0, 1), shape (scans, blocks).
        kept: The world after every scan, shape (scans, cards); written.
    """
    slots = allowed.shape[1]
    most = 1
    for block in range(blocks.start.shape[0] - 1):
        most = max(most, blocks.touched_start[block + 1] - blocks.touched_start[block])
    index = np.zeros(most, dtype=np.int64)
    trying = np.zeros(MOST_IN_BLOCK, dtype=np.int64)
    reached = np.zeros(MOST_IN_BLOCK + 1, dtype=np.float64)
    leaf = np.zeros((slots + MOST_LEAVES, MOST_IN_BLOCK), dtype=np.int64)
    weight = np.zeros(slots + MOST_LEAVES, dtype=np.float64)
    for again in range(uniform.shape[0]):
        for block in range(blocks.start.shape[0] - 1):
            begin = blocks.start[block]
            length = blocks.start[block + 1] - begin
            first = blocks.touched_start[block]
            for place in range(blocks.touched_start[block + 1] - first):
                factor = blocks.touched[first + place]
                total = factors.table_start[factor]
                for row in range(factors.start[factor], factors.start[factor + 1]):
                    total += factors.delta[row, slot[factors.site[row]]]
                index[place] = total
            for depth in range(length):
                card = blocks.card[begin + depth]
                for each in range(
                    blocks.row_start[begin + depth], blocks.row_start[begin + depth + 1]
                ):
                    index[blocks.row_place[each]] -= factors.delta[blocks.row[each], slot[card]]
                trying[depth] = -1
            leaves = 0
            depth = 0
            while depth >= 0:
                at = begin + depth
                card = blocks.card[at]
                now = trying[depth]
                if now >= 0:
                    for each in range(blocks.row_start[at], blocks.row_start[at + 1]):
                        index[blocks.row_place[each]] -= factors.delta[blocks.row[each], now]
                now += 1
                while now < slots and allowed[card, now] == 0:
                    now += 1
                if now == slots:
                    trying[depth] = -1
                    depth -= 1
                    continue
                trying[depth] = now
                for each in range(blocks.row_start[at], blocks.row_start[at + 1]):
                    index[blocks.row_place[each]] += factors.delta[blocks.row[each], now]
                value = reached[depth]
                for each in range(blocks.done_start[at], blocks.done_start[at + 1]):
                    value += log_table[index[blocks.done[each]]]
                if value == -np.inf:
                    continue
                if depth + 1 < length:
                    depth += 1
                    reached[depth] = value
                    continue
                if leaves < weight.shape[0]:
                    weight[leaves] = value
                    for each in range(length):
                        leaf[leaves, each] = trying[each]
                    leaves += 1
            largest = -np.inf
            for each in range(leaves):
                largest = max(largest, weight[each])
            total_weight = 0.0
            for each in range(leaves):
                weight[each] = np.exp(weight[each] - largest)
                total_weight += weight[each]
            aim = uniform[again, block] * total_weight
            chosen = 0
            for each in range(leaves):
                if weight[each] > 0.0:
                    chosen = each
                    aim -= weight[each]
                    if aim < 0.0:
                        break
            for depth in range(length):
                slot[blocks.card[begin + depth]] = leaf[chosen, depth]
        for card in range(slot.shape[0]):
            kept[again, card] = slot[card]


@kernel
def scan_and_jump(
    slot: Integers,
    blocks: BlockArrays,
    log_table: Floats,
    order: OrderArrays,
    drawn: Worlds,
    log_weights: Floats,
    uniform: Floats,
    jumps: Floats,
    kept: Worlds,
) -> int:
    """The same, and after every scan the chain may jump to a world that was drawn for it.

    Returns how many it took.

    Args:
        slot, blocks, log_table, uniform, kept: See `scan`.
        order: The order in which worlds were drawn.
        drawn: Those worlds, shape (scans, cards).
        log_weights: What they weigh.
        jumps: Numbers in [0, 1), shape (scans,).
    """
    column = np.zeros((slot.shape[0], 1), dtype=np.int64)
    weight = np.zeros(1, dtype=np.float64)
    nothing = np.zeros((0, 1), dtype=np.float64)
    taken = 0
    for again in range(uniform.shape[0]):
        scan(
            slot,
            blocks,
            order.factors,
            log_table,
            order.allowed,
            uniform[again : again + 1],
            kept[again : again + 1],
        )
        for card in range(slot.shape[0]):
            column[card, 0] = slot[card]
        weight[0] = 0.0
        draw_places(column, order, 0, order.cards.shape[0], True, nothing, weight)
        if np.log(jumps[again]) < log_weights[again] - weight[0]:
            taken += 1
            for card in range(slot.shape[0]):
                slot[card] = drawn[again, card]
                kept[again, card] = drawn[again, card]
    return taken
