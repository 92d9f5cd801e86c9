"""Counting deals with open claims and partly known hands: the kernels of `claim_counting`.

The weight of a deal is a product of tables ``g(f, b)`` on cells (one item in one slot), by how many
free and bound copies are there. In the binomial basis a table is a sum of ``a(i, j) C(f, i) C(b,
j)``, which counts the ways to mark i and j of the copies; marked copies leave all others free, so
cells multiply, item by item. What remains are bound copies that are not marked, which fill free
positions of the slots they can be in, and free copies, which fill all others. Ties weigh how many
bound copies are in groups of slots, each tie in the last few groups; so marks are added up by
group, and groups are then summed out one after the other.

A state is a number, made of its coordinates: the value, free copies that are marked, per group its
marks and those of bound copies, marks in every slot that several cells share, and of the item at
hand the copies that are marked. States are kept in a table by that number.

Terms alternate in sign. `count_deals` also adds up their absolute values, so that the caller
sees how many digits were lost; on object arrays the same code, not compiled, counts in fractions.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel

#: Most states that are kept at a time.
MOST_STATES: Final = 1 << 19
#: Coordinates before those of the groups.
VALUE: Final = 0
MARKED: Final = 1
FIRST: Final = 2


class Copies(NamedTuple):
    """Copies of items, and where they can be.

    Attributes:
        item: The item of every site.
        size: How many copies every site has.
        place: Slot of every settled site, else -1.
        kind: 0 for sites of free copies, 1 for bound ones, -1 for settled sites.
        number: Free and bound copies of every item, shape (items, 2).
        room: Open positions of every slot.
        within: 1 for slots in which bound copies can be.
    """

    item: Any
    size: Any
    place: Any
    kind: Any
    number: Any
    room: Any
    within: Any


class Groups(NamedTuple):
    """Slots that no tie tells apart, of those in which bound copies can be.

    Attributes:
        of_slot: For those slots, the number of their group.
        space: Positions of every group; empty where no copy is bound.
    """

    of_slot: Any
    space: Any


class Ties(NamedTuple):
    """Weights of how many bound copies are in some groups.

    Attributes:
        step: What a bound copy adds to the index of a tie in the groups it is about.
        after: It is about all groups from this one on.
        base: What the index begins with.
        start, table: Weights of tie t are ``table[start[t]:start[t + 1]]``.
    """

    step: Any
    after: Any
    base: Any
    start: Any
    table: Any


class Cells(NamedTuple):
    """Items in slots of which it matters how many copies are there.

    Attributes:
        where: Item and slot of every cell, shape (cells, 2).
        order: Cells, those of one item next to each other, best by the first group they are in.
    """

    where: Any
    order: Any


class Factorials(NamedTuple):
    """Numbers that counting needs.

    Attributes:
        falling: ``n (n - 1) ... (n - k + 1)`` for n and k, shape (n, k); falling[n, n] is n!.
        choose: Binomial coefficients, shape (n, k).
    """

    falling: Any
    choose: Any


class Coordinates(NamedTuple):
    """The coordinates of a state.

    Attributes:
        states: How many states there are at most.
        shape: How many values every coordinate has, shape (2 + 2 groups + slots + 2,).
        users: How many cells every slot has.
        last: The last of them, by its place in the order of the cells.
    """

    states: float
    shape: Any
    users: Any
    last: Any


class Sums(NamedTuple):
    """The sums that were counted.

    Attributes:
        steps: How many it took, or -1 when there would be too many.
        total, size: Sums of the terms and of their absolute values, by the value of the feature.
    """

    steps: int
    total: Any
    size: Any


@kernel(allocates=False)
def copies_of(number: Any, kind: int) -> int:
    """The number of free (0) or bound (1) copies of all items together."""
    total = np.int64(0)
    for item in range(number.shape[0]):
        total += number[item, kind]
    return total


@kernel
def coordinates(copies: Copies, groups: Groups, cells: Cells, values: int) -> Coordinates:
    """The number of values of every coordinate, and of the states that makes at most."""
    number, room, within = copies.number, copies.room, copies.within
    where, order = cells.where, cells.order
    count = groups.space.shape[0]
    shape = np.ones(FIRST + 2 * count + room.shape[0] + 2, dtype=np.int64)
    users = np.zeros(room.shape[0], dtype=np.int64)
    last = np.zeros(room.shape[0], dtype=np.int64)
    free_copies = copies_of(number, 0)
    bound_copies = copies_of(number, 1)
    for at in range(order.shape[0]):
        users[where[order[at], 1]] += 1
        last[where[order[at], 1]] = at
    shape[VALUE] = values
    shape[MARKED] = free_copies + 1
    reached = 1.0
    for at in range(order.shape[0]):
        item, slot = where[order[at], 0], where[order[at], 1]
        inside = count > 0 and within[slot] == 1
        most = number[item, 0] + (number[item, 1] if inside else 0)
        reach = min(most, room[slot])
        reached *= reach + 1.0
        if inside:
            place = FIRST + 2 * groups.of_slot[slot]
            shape[place] += reach
            shape[place + 1] += min(number[item, 1], room[slot])
        if users[slot] > 1:
            shape[FIRST + 2 * count + slot] += reach
    # While groups are summed out, the first one's coordinates count bound copies so far.
    if count > 0:
        shape[FIRST] = max(shape[FIRST], bound_copies + 1)
        shape[FIRST + 1] = max(shape[FIRST + 1], bound_copies + 1)
    for item in range(number.shape[0]):
        shape[-2] = max(shape[-2], number[item, 0] + 1)
        shape[-1] = max(shape[-1], number[item, 1] + 1)
    states = 1.0
    for place in range(shape.shape[0] - 2):
        states *= shape[place]
    return Coordinates(min(states, reached * values), shape, users, last)


@kernel
def count_deals(
    copies: Copies,
    groups: Groups,
    ties: Ties,
    cells: Cells,
    weights: Any,
    labels: Any,
    values: int,
    first: int,
    numbers: Factorials,
) -> Sums:
    """Weight of all deals by the value of a feature, times the factorials of the rooms.

    Args:
        copies, groups, ties, cells: What is counted.
        weights: Weight of (free, bound) copies in a cell, shape (cells, w, w); the sums are of
            their type.
        labels: What a free and a bound copy in a cell add to the value, shape (cells, 2).
        values: Number of values.
        first: The value before any copies are counted.
        numbers: Up to the open positions.
    """
    number, room, within = copies.number, copies.room, copies.within
    group_of, space = groups.of_slot, groups.space
    where, order = cells.where, cells.order
    falling, choose = numbers.falling, numbers.choose
    total = np.zeros(values, dtype=weights.dtype)
    size = np.zeros(values, dtype=weights.dtype)
    count = order.shape[0]
    last_group = space.shape[0] - 1
    shared_from = FIRST + 2 * space.shape[0]
    bound_copies = copies_of(number, 1)
    free_copies = copies_of(number, 0)
    made_of = coordinates(copies, groups, cells, values)
    shape, users, last = made_of.shape, made_of.users, made_of.last
    stride = np.ones(shape.shape[0], dtype=np.int64)
    product = 1.0
    for place in range(1, shape.shape[0]):
        product *= shape[place - 1]
        if product > 1e17:
            return Sums(np.int64(-1), total, size)
        stride[place] = stride[place - 1] * shape[place - 1]
    of_free, of_bound = stride[-2], stride[-1]
    keys = np.zeros(1, dtype=np.int64)
    now = np.zeros(1, dtype=total.dtype)
    bulk = np.zeros(1, dtype=size.dtype)
    keys[0] = first
    now[0] += 1
    bulk[0] += 1
    steps = np.int64(0)
    # The cells, item by item, and each group but the last once all of its cells have come.
    schedule = np.zeros(count + max(last_group, 0), dtype=np.int64)
    planned = 0
    gone = 0
    for at in range(count + 1):
        while gone < last_group:
            waits = False
            for later in range(at, count):
                slot = where[order[later], 1]
                waits = waits or (within[slot] == 1 and group_of[slot] == gone)
            if waits:
                break
            schedule[planned] = count + gone
            planned += 1
            gone += 1
        if at < count:
            schedule[planned] = at
            planned += 1
    most = weights.shape[1] * weights.shape[2] * (2 * values - 1) + bound_copies + 1
    moves = np.zeros(most, dtype=np.int64)
    marks = np.zeros((most, 2), dtype=np.int64)
    factors = np.zeros(most, dtype=total.dtype)
    for at in schedule:
        known = keys.shape[0]
        options = 0
        item = slot = free = bound = shared = 0
        closes = ends = False
        group = at - count
        if at < count:
            cell = order[at]
            item, slot = where[cell, 0], where[cell, 1]
            free, bound = number[item, 0], number[item, 1]
            inside = last_group >= 0 and within[slot] == 1
            shared = shared_from + slot
            closes = users[slot] > 1 and last[slot] == at
            ends = at + 1 == count or where[order[at + 1], 0] != item
            most_bound = min(bound, room[slot]) if inside else 0
            for i in range(min(free, room[slot]) + 1):
                for j in range(min(most_bound, room[slot] - i) + 1):
                    # The table's coefficient of C(f, i) C(b, j), by the value its points add.
                    for value in range(1 - values, values):
                        factor = total[0] * 0
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
                        move = value + i * stride[MARKED] + i * of_free + j * of_bound
                        if inside:
                            place = FIRST + 2 * group_of[slot]
                            move += (i + j) * stride[place] + j * stride[place + 1]
                        if users[slot] > 1:
                            move += (i + j) * stride[shared]
                        moves[options] = move
                        marks[options, 0] = i
                        marks[options, 1] = j
                        factors[options] = factor
                        options += 1
        else:
            options = min(space[group], bound_copies) + 1
        capacity = min(known * options, MOST_STATES)
        width = 16
        while width < 2 * capacity:
            width *= 2
        table = np.full(width, -1, dtype=np.int64)
        after_keys = np.zeros(capacity, dtype=np.int64)
        after = np.zeros(capacity, dtype=total.dtype)
        after_bulk = np.zeros(capacity, dtype=size.dtype)
        made = 0
        for state in range(known):
            key = keys[state]
            for option in range(options):
                if at < count:
                    i, j = marks[option, 0], marks[option, 1]
                    f = key // of_free % shape[-2]
                    b = key // of_bound
                    used = key // stride[shared] % shape[shared]
                    if f + i > free or b + j > bound or used + i + j > room[slot]:
                        continue
                    factor = factors[option] * falling[room[slot] - used, i + j]
                    factor = factor * (choose[free - f, i] * choose[bound - b, j])
                    made_key = key + moves[option]
                    if closes:
                        made_key -= (used + i + j) * stride[shared]
                    if ends:
                        made_key -= (f + i) * of_free + (b + j) * of_bound
                else:
                    # So many unmarked bound copies fill positions of this group. Of the groups
                    # before, it is known how many bound copies they have, and how many unmarked.
                    place = FIRST + 2 * group
                    taken = key // stride[place] % shape[place]
                    bound = key // stride[place + 1] % shape[place + 1]
                    made_key = key - taken * stride[place] - bound * stride[place + 1]
                    here = placed = 0
                    if group > 0:
                        here = made_key // stride[FIRST] % shape[FIRST]
                        placed = made_key // stride[FIRST + 1] % shape[FIRST + 1]
                        made_key -= here * stride[FIRST] + placed * stride[FIRST + 1]
                    here += bound + option
                    placed += option
                    if option > space[group] - taken or here > bound_copies:
                        continue
                    factor = choose[space[group] - taken, option]
                    for tie in range(ties.base.shape[0]):
                        if ties.after[tie] == group + 1:
                            index = ties.base[tie] + ties.step[tie] * (bound_copies - here)
                            if index < 0 or index >= ties.start[tie + 1] - ties.start[tie]:
                                factor = factor * 0
                            else:
                                factor = factor * ties.table[ties.start[tie] + index]
                    if factor == 0:
                        continue
                    made_key += here * stride[FIRST] + placed * stride[FIRST + 1]
                steps += 1
                probe = (made_key ^ (made_key >> 9) ^ (made_key >> 21)) & (width - 1)
                while table[probe] >= 0 and after_keys[table[probe]] != made_key:
                    probe = (probe + 1) & (width - 1)
                found = table[probe]
                if found < 0:
                    if made == capacity:
                        return Sums(np.int64(-1), total, size)
                    found = made
                    table[probe] = found
                    after_keys[found] = made_key
                    made += 1
                after[found] += now[state] * factor
                after_bulk[found] += bulk[state] * abs(factor)
        keys, now, bulk = after_keys[:made], after[:made], after_bulk[:made]
    # Bound copies that are left fill the last group, free ones all other positions.
    for state in range(keys.shape[0]):
        key = keys[state]
        value = key % shape[VALUE]
        rest = free_copies - key // stride[MARKED] % shape[MARKED]
        if rest < 0:
            continue
        factor = falling[rest, rest]
        if last_group >= 0:
            place = FIRST + 2 * last_group
            taken = key // stride[place] % shape[place]
            bound = key // stride[place + 1] % shape[place + 1]
            here = placed = 0
            if last_group > 0:
                here = key // stride[FIRST] % shape[FIRST]
                placed = key // stride[FIRST + 1] % shape[FIRST + 1]
            left = bound_copies - here - bound
            if left < 0 or left > space[last_group] - taken:
                continue
            factor = factor * choose[space[last_group] - taken, left]
            factor = factor * falling[placed + left, placed + left]
            for tie in range(ties.base.shape[0]):
                if ties.after[tie] == 0:
                    index = ties.base[tie] + ties.step[tie] * bound_copies
                    if index < 0 or index >= ties.start[tie + 1] - ties.start[tie]:
                        factor = factor * 0
                    else:
                        factor = factor * ties.table[ties.start[tie] + index]
        total[value] += now[state] * factor
        size[value] += bulk[state] * factor
    return Sums(steps, total, size)
