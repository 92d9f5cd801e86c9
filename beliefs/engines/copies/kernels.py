"""Counting deals with splits and partly known hands: the kernels of `counting`.

The weight of a deal is a product of tables ``g(f, b)`` on cells (one item in one slot), by how many
free and bound copies are there. In the binomial basis a table is a sum of ``a(i, j) C(f, i) C(b,
j)``, which counts the ways to mark i and j of the copies; marked copies leave all others free, so
cells multiply, item by item. What remains are bound copies that are not marked, which fill free
positions of the slots they can be in, and free copies, which fill all others. Ties weigh how many
bound copies are in groups of slots, each tie in the last few groups; so marks are added up by
group, and groups are then summed out one after the other.

What may follow some marks depends on a few numbers alone: the coordinates of a state, see
`states`. Cells and groups take turns: each goes through all states that there are, and adds
its terms to those that they lead to.

Terms alternate in sign. `count_deals` also adds up their absolute values, so that the caller
sees how many digits were lost; on object arrays the same code, not compiled, counts in fractions.
"""

# Most sums take a microsecond, to which calls would add a third: hence inline="late" throughout.
# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel
from .arrays import Cells, Copies, Factorials, Groups, Ties, copies_of
from .states import (
    BOUND,
    FIRST,
    FREE,
    MARKED,
    VALUE,
    Numbering,
    States,
    StateTable,
    add_term,
    coordinate,
    coordinates,
    first_states,
    numbering,
    only_state,
    table_for,
)


class Sums(NamedTuple):
    """The sums that were counted.

    Attributes:
        steps: How many it took, or -1 when there would be too many.
        total, size: Sums of the terms and of their absolute values, by the value of the feature.
    """

    steps: int
    total: Any
    size: Any


class Cell(NamedTuple):
    """A cell whose turn it is.

    Attributes:
        number: Its number.
        free, bound: Copies of its item.
        room: Open positions of its slot.
        group: First coordinate of the group of its slot; -1 where no bound copy can be.
        shared: Coordinate of the marks in its slot.
        closes: True if no later cell is in its slot.
        ends: True if no later cell is of its item.
    """

    number: int
    free: int
    bound: int
    room: int
    group: int
    shared: int
    closes: bool
    ends: bool


class Marks(NamedTuple):
    """Room for the ways to mark copies in a cell, each with what it adds to the value.

    Attributes:
        move: Added to the number of a state.
        copies: Free and bound copies that are marked, shape (ways, 2).
        factor: Multiplies a term, besides the ways to choose copies and positions.
    """

    move: Any
    copies: Any
    factor: Any


class Added(NamedTuple):
    """The result of adding a cell or a group to a table.

    Attributes:
        states: States that the table has then, or -1 when there is no room for all.
        terms: Terms that were added.
    """

    states: int
    terms: int


class BoundCopies(NamedTuple):
    """Bound copies in a group, and in those before it, as the number of a state says.

    Attributes:
        others: The number without the coordinates that say it.
        marks: Marks in the group.
        marked: Those of bound copies.
        before: Bound copies in the groups before.
        placed: Those that are not marked.
    """

    others: int
    marks: int
    marked: int
    before: int
    placed: int


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
    total = np.zeros(values, dtype=weights.dtype)
    size = np.zeros(values, dtype=weights.dtype)
    layout = numbering(coordinates(copies, groups, cells, values).shape)
    if layout.stride.shape[0] == 0:
        return Sums(np.int64(-1), total, size)
    count, group_count = cells.order.shape[0], groups.space.shape[0]
    turns = np.zeros(count + max(group_count - 1, 0), dtype=np.int64)
    write_turns(turns, copies, groups, cells)
    marks = marks_for(weights, values)
    states = only_state(first, total)
    steps = np.int64(0)
    for turn in turns:
        known = states.key.shape[0]
        if turn < count:
            cell = cell_of_turn(turn, copies, groups, cells)
            ways = write_marks(marks, cell, weights, labels, values, layout, numbers)
            into = table_for(known * ways, total)
            added = mark_cell(into, states, cell, marks, ways, layout, numbers)
        else:
            group, bound = turn - count, copies_of(copies.number, 1)
            ways = min(groups.space[group], bound) + 1
            into = table_for(known * ways, total)
            added = leave_group(into, states, group, bound, groups, ties, layout, numbers)
        if added.states < 0:
            return Sums(np.int64(-1), total, size)
        steps += added.terms
        states = first_states(into, added.states)
    add_up(total, size, states, copies, groups, ties, layout, numbers)
    return Sums(steps, total, size)


# -- the order


@kernel(allocates=False, inline="late", inner=True)
def write_turns(turns: Any, copies: Copies, groups: Groups, cells: Cells) -> None:
    """Write whose turn it is: cells in order, and each group but the last after its last cell.

    Args:
        turns: Takes the places of cells in their order, and groups, which are numbered from the
            number of cells on.
    """
    count = cells.order.shape[0]
    last_group = groups.space.shape[0] - 1
    planned = 0
    gone = 0
    for at in range(count + 1):
        while gone < last_group and not waits(gone, at, copies, groups, cells):
            turns[planned] = count + gone
            planned += 1
            gone += 1
        if at < count:
            turns[planned] = at
            planned += 1


@kernel(allocates=False, inline="late", inner=True)
def waits(group: int, start: int, copies: Copies, groups: Groups, cells: Cells) -> bool:
    """True if a cell of a group comes at a place of the order or after it."""
    for at in range(start, cells.order.shape[0]):
        slot = cells.where[cells.order[at], 1]
        if copies.within[slot] == 1 and groups.of_slot[slot] == group:
            return True
    return False


# -- cells


@kernel(allocates=False, inline="late", inner=True)
def cell_of_turn(at: int, copies: Copies, groups: Groups, cells: Cells) -> Cell:
    """The cell at a place of the order."""
    where, order = cells.where, cells.order
    count, group_count = order.shape[0], groups.space.shape[0]
    item, slot = where[order[at], 0], where[order[at], 1]
    closes = True
    for later in range(at + 1, count):
        closes = closes and where[order[later], 1] != slot
    inside = group_count > 0 and copies.within[slot] == 1
    return Cell(
        order[at],
        copies.number[item, 0],
        copies.number[item, 1],
        copies.room[slot],
        FIRST + 2 * groups.of_slot[slot] if inside else -1,
        FIRST + 2 * group_count + slot,
        closes,
        at + 1 == count or where[order[at + 1], 0] != item,
    )


@kernel(inline="late", inner=True)
def marks_for(weights: Any, values: int) -> Marks:
    """Room for the ways to mark copies in any cell; weights and values are as in `count_deals`."""
    ways = weights.shape[1] * weights.shape[2] * (2 * values - 1)
    return Marks(
        np.zeros(ways, dtype=np.int64),
        np.zeros((ways, 2), dtype=np.int64),
        np.zeros(ways, dtype=weights.dtype),
    )


@kernel(allocates=False, inline="late", inner=True)
def write_marks(
    marks: Marks,
    cell: Cell,
    weights: Any,
    labels: Any,
    values: int,
    layout: Numbering,
    numbers: Factorials,
) -> int:
    """Write all ways to mark copies in a cell into ``marks``; the number of them.

    Weights, labels and values are as in `count_deals`.
    """
    ways = 0
    most_bound = min(cell.bound, cell.room) if cell.group >= 0 else 0
    for free in range(min(cell.free, cell.room) + 1):
        for bound in range(min(most_bound, cell.room - free) + 1):
            move = move_of(free, bound, cell, layout)
            for value in range(1 - values, values):
                factor = coefficient(cell.number, free, bound, value, weights, labels, numbers)
                if factor == 0:
                    continue
                marks.move[ways] = value + move
                marks.copies[ways, 0] = free
                marks.copies[ways, 1] = bound
                marks.factor[ways] = factor
                ways += 1
    return ways


@kernel(allocates=False, inline="late", inner=True)
def move_of(free: int, bound: int, cell: Cell, layout: Numbering) -> int:
    """Marked copies of a cell as an addition to the number of a state, but for the value."""
    stride = layout.stride
    move = free * stride[MARKED]
    if cell.group >= 0:
        move += (free + bound) * stride[cell.group] + bound * stride[cell.group + 1]
    if not cell.closes:
        move += (free + bound) * stride[cell.shared]
    if not cell.ends:
        move += free * stride[FREE] + bound * stride[BOUND]
    return move


@kernel(allocates=False, inline="late", inner=True)
def coefficient(
    cell: int,
    free: int,
    bound: int,
    value: int,
    weights: Any,
    labels: Any,
    numbers: Factorials,
) -> Any:
    """The coefficient of C(f, free) C(b, bound) in the table of a cell.

    Args:
        value: Only points (f, b) of the table count that add this to the value of the feature.
        weights, labels: As in `count_deals`.
    """
    factor = numbers.choose[0, 0] * 0  # of the type of the sums
    for f in range(free + 1):
        for b in range(bound + 1):
            if f * labels[cell, 0] + b * labels[cell, 1] != value:
                continue
            term = numbers.choose[free, f] * numbers.choose[bound, b] * weights[cell, f, b]
            if (free + bound - f - b) % 2 == 1:
                factor -= term
            else:
                factor += term
    return factor


@kernel(allocates=False, inline="late", inner=True)
def mark_cell(
    into: StateTable,
    states: States,
    cell: Cell,
    marks: Marks,
    ways: int,
    layout: Numbering,
    numbers: Factorials,
) -> Added:
    """Add to a table what states become when copies in a cell are marked, in each of some ways."""
    stride = layout.stride
    made = np.int64(0)
    terms = np.int64(0)
    for state in range(states.key.shape[0]):
        key = states.key[state]
        free = coordinate(key, FREE, layout)
        bound = coordinate(key, BOUND, layout)
        used = coordinate(key, cell.shared, layout)
        if cell.closes:
            key -= used * stride[cell.shared]
        if cell.ends:
            key -= free * stride[FREE] + bound * stride[BOUND]
        free_left, bound_left, room_left = cell.free - free, cell.bound - bound, cell.room - used
        for way in range(ways):
            more_free, more_bound = marks.copies[way, 0], marks.copies[way, 1]
            more = more_free + more_bound
            if more_free > free_left or more_bound > bound_left or more > room_left:
                continue
            chosen = numbers.choose[free_left, more_free] * numbers.choose[bound_left, more_bound]
            factor = marks.factor[way] * numbers.falling[room_left, more]
            factor = factor * chosen
            total, size = states.total[state] * factor, states.size[state] * abs(factor)
            made = add_term(into, made, key + marks.move[way], total, size)
            if made < 0:
                return Added(made, terms)
            terms += 1
    return Added(made, terms)


# -- groups


@kernel(allocates=False, inline="late", inner=True)
def leave_group(
    into: StateTable,
    states: States,
    group: int,
    bound_copies: int,
    groups: Groups,
    ties: Ties,
    layout: Numbering,
    numbers: Factorials,
) -> Added:
    """Add to a table what states become when a group has all its bound copies.

    Args:
        group: Its cells have come, and the groups before it were left.
        bound_copies: Bound copies of all items together.
    """
    stride = layout.stride
    made = np.int64(0)
    terms = np.int64(0)
    for state in range(states.key.shape[0]):
        known = bound_copies_in(group, states.key[state], layout)
        here = known.before + known.marked
        space = groups.space[group] - known.marks
        # So many bound copies that are not marked fill positions of this group.
        for more in range(min(space, bound_copies - here) + 1):
            later = bound_copies - here - more
            factor = tied(numbers.choose[space, more], group + 1, later, ties)
            if factor == 0:
                continue
            key = known.others + (here + more) * stride[FIRST]
            key += (known.placed + more) * stride[FIRST + 1]
            total, size = states.total[state] * factor, states.size[state] * abs(factor)
            made = add_term(into, made, key, total, size)
            if made < 0:
                return Added(made, terms)
            terms += 1
    return Added(made, terms)


@kernel(allocates=False, inline="late", inner=True)
def bound_copies_in(group: int, key: int, layout: Numbering) -> BoundCopies:
    """Bound copies in a group and in those before it, which were left, by the number of a state."""
    stride = layout.stride
    place = FIRST + 2 * group
    marks = coordinate(key, place, layout)
    marked = coordinate(key, place + 1, layout)
    others = key - marks * stride[place] - marked * stride[place + 1]
    before = placed = 0
    if group > 0:
        before = coordinate(key, FIRST, layout)
        placed = coordinate(key, FIRST + 1, layout)
        others -= before * stride[FIRST] + placed * stride[FIRST + 1]
    return BoundCopies(others, marks, marked, before, placed)


@kernel(allocates=False, inline="late", inner=True)
def tied(factor: Any, start: int, copies: int, ties: Ties) -> Any:
    """A factor times the weights of those ties that are about all groups from one on.

    Args:
        factor: The factor.
        start: The first of the groups.
        copies: The number of bound copies that are in them.
        ties: These ties and others.
    """
    for tie in range(ties.base.shape[0]):
        if ties.after[tie] == start:
            index = ties.base[tie] + ties.step[tie] * copies
            if index < 0 or index >= ties.start[tie + 1] - ties.start[tie]:
                factor = factor * 0
            else:
                factor = factor * ties.table[ties.start[tie] + index]
    return factor


@kernel(allocates=False, inline="late", inner=True)
def add_up(
    total: Any,
    size: Any,
    states: States,
    copies: Copies,
    groups: Groups,
    ties: Ties,
    layout: Numbering,
    numbers: Factorials,
) -> None:
    """Add all states to the sums, by their values, when all cells and all groups but one are done.

    Bound copies that are left fill the last group, free ones all other positions.
    """
    free_copies, bound_copies = copies_of(copies.number, 0), copies_of(copies.number, 1)
    last_group = groups.space.shape[0] - 1
    for state in range(states.key.shape[0]):
        key = states.key[state]
        rest = free_copies - coordinate(key, MARKED, layout)
        if rest < 0:
            continue
        factor = numbers.falling[rest, rest]
        if last_group >= 0:
            known = bound_copies_in(last_group, key, layout)
            left = bound_copies - known.before - known.marked
            space = groups.space[last_group] - known.marks
            if left < 0 or left > space:
                continue
            factor = factor * numbers.choose[space, left]
            factor = factor * numbers.falling[known.placed + left, known.placed + left]
            factor = tied(factor, 0, bound_copies, ties)
        value = coordinate(key, VALUE, layout)
        total[value] += states.total[state] * factor
        size[value] += states.size[state] * factor
