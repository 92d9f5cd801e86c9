"""Counting deals with open claims and partly known hands: the kernels of `claim_counting`.

The weight of a deal is a product of tables ``g(f, b)`` on cells (one item in one slot), by how many
free and bound copies are there. In the binomial basis a table is a sum of ``a(i, j) C(f, i) C(b,
j)``, which counts the ways to mark i and j of the copies; marked copies leave all others free, so
cells multiply, item by item. What remains are bound copies that are not marked, which fill free
positions of the slots they can be in, and free copies, which fill all others. Ties weigh how many
bound copies are in groups of slots, so marks are added up by those groups.

Terms alternate in sign. `count_deals` also adds up their absolute values, so that whoever calls it
sees how many digits were lost; on object arrays the same code, not compiled, counts in fractions.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...models.kernel import kernel

#: Most coordinates of a state: the value, marks, groups of slots, and shared slots.
MOST_COORDINATES: Final = 130
#: Most states.
MOST_STATES: Final = 1 << 20


@kernel
def coordinates(
    number: Any,
    room: Any,
    within: Any,
    group_of: Any,
    cells: Any,
    order: Any,
    values: int,
    shape: Any,
    users: Any,
    last: Any,
) -> int:
    """The coordinates of a state, and the number of groups of slots; -1 with too many states.

    They are the value; marks where no bound copy can be; for every group of slots its marks, and
    those of bound copies; for every slot that several cells share, its marks.

    Args:
        shape: Made: how many values each coordinate has.
        users: Made: how many cells every slot has.
        last: Made: the last of them, by its place in ``order``.
    """
    slots = room.shape[0]
    free_copies = number[:, 0].sum()
    bound_copies = number[:, 1].sum()
    groups = 0
    if bound_copies > 0:
        for slot in range(slots):
            if within[slot] == 1:
                groups = max(groups, group_of[slot] + 1)
    if 2 + 2 * groups + slots > shape.shape[0]:
        return -1
    for at in range(order.shape[0]):
        users[cells[order[at], 1]] += 1
        last[cells[order[at], 1]] = at
    shape[0] = values
    for at in range(order.shape[0]):
        item, slot = cells[order[at], 0], cells[order[at], 1]
        inside = groups > 0 and within[slot] == 1
        copies = number[item, 0] + (number[item, 1] if inside else 0)
        reach = min(copies, room[slot])
        if inside:
            shape[2 + 2 * group_of[slot]] += reach
            shape[3 + 2 * group_of[slot]] += min(number[item, 1], room[slot])
        else:
            shape[1] += reach
        if users[slot] > 1:
            shape[2 + 2 * groups + slot] += reach
    shape[1] = min(shape[1], free_copies + 1)
    for slot in range(slots):
        place = 2 + 2 * groups + slot
        shape[place] = min(shape[place], room[slot] + 1)
    for group in range(groups):
        space = 0
        for slot in range(slots):
            if within[slot] == 1 and group_of[slot] == group:
                space += room[slot]
        shape[2 + 2 * group] = min(shape[2 + 2 * group], space + 1)
        shape[3 + 2 * group] = min(shape[3 + 2 * group], min(space, bound_copies) + 1)
    states = 1
    for place in range(shape.shape[0]):
        states *= shape[place]
        if states > MOST_STATES:
            return -1
    return groups


@kernel
def count_deals(
    number: Any,
    room: Any,
    within: Any,
    group_of: Any,
    cells: Any,
    order: Any,
    weights: Any,
    labels: Any,
    values: int,
    first: int,
    tie_steps: Any,
    tie_base: Any,
    tie_start: Any,
    tie_table: Any,
    falling: Any,
    choose: Any,
    total: Any,
    size: Any,
) -> int:
    """Weight of all deals by the value of a feature, times the factorials of the rooms.

    Args:
        number: Free and bound copies of every item, shape (items, 2).
        room: Open positions of every slot.
        within: 1 for slots in which bound copies can be.
        group_of: For those, a number from 0: slots that no tie tells apart have the same.
        cells: Item and slot of every cell, shape (cells, 2).
        order: Cells, those of one item next to each other.
        weights: Weight of (free, bound) copies in a cell, shape (cells, w, w).
        labels: What a free and a bound copy in a cell add to the value, shape (cells, 2).
        values: Number of values.
        first: The value before any copies are counted.
        tie_steps: What a bound copy adds to the index of a tie, shape (ties, groups).
        tie_base: What the index begins with.
        tie_start, tie_table: Weights of tie t are ``tie_table[tie_start[t]:tie_start[t + 1]]``.
        falling: ``n (n - 1) ... (n - k + 1)`` for n and k, shape (n, k); falling[n, n] is n!.
        choose: Binomial coefficients, shape (n, k).
        total, size: Made: sums of the terms and of their absolute values, shape (values,).

    Returns:
        Steps taken, or -1 when there would be too many.
    """
    slots = room.shape[0]
    count = order.shape[0]
    free_copies = number[:, 0].sum()
    bound_copies = number[:, 1].sum()
    shape = np.ones(MOST_COORDINATES, dtype=np.int64)
    users = np.zeros(slots, dtype=np.int64)
    last = np.zeros(slots, dtype=np.int64)
    groups = coordinates(number, room, within, group_of, cells, order, values, shape, users, last)
    if groups < 0:
        return -1
    stride = np.ones(shape.shape[0], dtype=np.int64)
    states = 1
    for place in range(shape.shape[0]):
        stride[place] = states
        states *= shape[place]
    steps = 0
    now = np.zeros(states, dtype=total.dtype)
    bulk = np.zeros(states, dtype=size.dtype)
    now[first] += 1
    bulk[first] += 1
    at = 0
    while at < count:
        item = cells[order[at], 0]
        free, bound = number[item, 0], number[item, 1]
        inner = np.zeros((states, free + 1, bound + 1), dtype=total.dtype)
        inner_bulk = np.zeros((states, free + 1, bound + 1), dtype=size.dtype)
        inner[:, 0, 0] = now
        inner_bulk[:, 0, 0] = bulk
        while at < count and cells[order[at], 0] == item:
            cell = order[at]
            slot = cells[cell, 1]
            inside = groups > 0 and within[slot] == 1
            most_free = min(free, room[slot])
            most_bound = min(bound, room[slot]) if inside else 0
            shared = 2 + 2 * groups + slot
            after = np.zeros((states, free + 1, bound + 1), dtype=total.dtype)
            after_bulk = np.zeros((states, free + 1, bound + 1), dtype=size.dtype)
            for i in range(most_free + 1):
                for j in range(most_bound + 1):
                    if i + j > room[slot]:
                        continue
                    # The table's coefficient of C(f, i) C(b, j), by the value its points add.
                    for value in range(1 - values, values):
                        factor = now[0] * 0
                        for f in range(i + 1):
                            for b in range(j + 1):
                                if f * labels[cell, 0] + b * labels[cell, 1] != value:
                                    continue
                                term = choose[i, f] * choose[j, b] * weights[cell, f, b]
                                if (i + j - f - b) % 2 == 1:
                                    factor -= term
                                else:
                                    factor += term
                        if factor == 0:
                            continue
                        move = value * stride[0]
                        if inside:
                            move += (i + j) * stride[2 + 2 * group_of[slot]]
                            move += j * stride[3 + 2 * group_of[slot]]
                        else:
                            move += i * stride[1]
                        if users[slot] > 1:
                            move += (i + j) * stride[shared]
                        for state in range(max(0, -move), states - max(0, move)):
                            used = state // stride[shared] % shape[shared]
                            if used + i + j > room[slot]:
                                continue
                            positions = falling[room[slot] - used, i + j]
                            for f in range(free - i + 1):
                                for b in range(bound - j + 1):
                                    weight = inner_bulk[state, f, b]
                                    if weight == 0:
                                        continue
                                    steps += 1
                                    ways = positions * choose[free - f, i] * choose[bound - b, j]
                                    ways = ways * factor
                                    after[state + move, f + i, b + j] += inner[state, f, b] * ways
                                    after_bulk[state + move, f + i, b + j] += weight * abs(ways)
            inner = after
            inner_bulk = after_bulk
            if users[slot] > 1 and last[slot] == at:
                # Nobody asks any more how many positions of this slot are taken.
                for state in range(states):
                    used = state // stride[shared] % shape[shared]
                    if used > 0:
                        lower = state - used * stride[shared]
                        inner[lower] += inner[state]
                        inner_bulk[lower] += inner_bulk[state]
                        inner[state] = 0
                        inner_bulk[state] = 0
            at += 1
        for state in range(states):
            now[state] = inner[state].sum()
            bulk[state] = inner_bulk[state].sum()
    # What is not marked: bound copies fill positions of their slots, free ones all others.
    space = np.zeros(groups, dtype=np.int64)
    for slot in range(slots):
        if groups > 0 and within[slot] == 1:
            space[group_of[slot]] += room[slot]
    free_space = np.zeros(groups, dtype=np.int64)
    placed = np.zeros(groups, dtype=np.int64)
    present = np.zeros(groups, dtype=np.int64)
    total[:] = now[0] * 0
    size[:] = bulk[0] * 0
    for state in range(states):
        if bulk[state] == 0:
            continue
        value = state % shape[0]
        marked = state // stride[1] % shape[1]
        left = bound_copies
        fits = True
        for group in range(groups):
            taken = state // stride[2 + 2 * group] % shape[2 + 2 * group]
            bound = state // stride[3 + 2 * group] % shape[3 + 2 * group]
            free_space[group] = space[group] - taken
            present[group] = bound
            left -= bound
            marked += taken - bound
            fits = fits and space[group] >= taken
        if left < 0 or marked > free_copies or not fits:
            continue
        ways = falling[0, 0] * 0
        placed[:] = 0
        if groups > 0:
            placed[0] = left
        while True:
            weight = falling[0, 0]
            rest = left
            for group in range(groups):
                if placed[group] > free_space[group]:
                    weight = weight * 0
                    break
                weight = weight * choose[rest, placed[group]]
                weight = weight * falling[free_space[group], placed[group]]
                rest -= placed[group]
            if weight != 0:
                for tie in range(tie_base.shape[0]):
                    index = tie_base[tie]
                    for group in range(groups):
                        index += tie_steps[tie, group] * (present[group] + placed[group])
                    if index < 0 or index >= tie_start[tie + 1] - tie_start[tie]:
                        weight = weight * 0
                    else:
                        weight = weight * tie_table[tie_start[tie] + index]
                ways += weight
            # The next way to share out what is left among the groups.
            steps += 1
            group = 0
            while group < groups - 1 and placed[group] == 0:
                group += 1
            if group >= groups - 1:
                break
            moved = placed[group]
            placed[group] = 0
            placed[0] = moved - 1
            placed[group + 1] += 1
        rest = free_copies - marked
        total[value] += now[state] * ways * falling[rest, rest]
        size[value] += bulk[state] * ways * falling[rest, rest]
    return steps
