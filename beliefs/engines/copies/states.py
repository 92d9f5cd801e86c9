"""States of the sums in `kernels`: their numbers, and tables that hold sums by them.

The number of a state is made of its coordinates, which are, in this order: the value, free copies
that are marked, for every group its marks and those of bound copies, for every slot that several
cells share its marks, and free and bound copies of the item at hand that are marked.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel
from .arrays import Cells, Copies, Groups, copies_of

#: Most states that are kept at a time.
MOST_STATES: Final = 1 << 19
#: Numbers of states stay below this.
LARGEST_NUMBER: Final = 1e17
#: Coordinates before those of the groups.
VALUE: Final = 0
MARKED: Final = 1
FIRST: Final = 2
#: The last coordinates: of the item at hand.
FREE: Final = -2
BOUND: Final = -1


class Coordinates(NamedTuple):
    """The coordinates of a state.

    Attributes:
        states: The number of states there are at most.
        shape: The number of values of every coordinate, shape (2 + 2 groups + slots + 2,).
    """

    states: float
    shape: Any


class Numbering(NamedTuple):
    """The numbers of states, as those of the cells of an array whose first axis runs fastest.

    Attributes:
        shape: The number of values of every coordinate.
        stride: For every coordinate, what one more of it adds to the number; empty where numbers
            would be too large.
    """

    shape: Any
    stride: Any


class States(NamedTuple):
    """Sums of terms, by state.

    Attributes:
        key: The number of every state.
        total, size: Sums of its terms and of their absolute values.
    """

    key: Any
    total: Any
    size: Any


class StateTable(NamedTuple):
    """Room for states, which are found by their numbers: a table with open addressing.

    Attributes:
        place: The place of a state in the other arrays, or -1; a power of two of them, at least
            twice as many as states.
        key, total, size: As in `States`, with room for more.
    """

    place: Any
    key: Any
    total: Any
    size: Any


@kernel
def coordinates(copies: Copies, groups: Groups, cells: Cells, values: int) -> Coordinates:
    """The number of values of every coordinate, and of the states that makes at most."""
    number, room = copies.number, copies.room
    where, order = cells.where, cells.order
    count = groups.space.shape[0]
    shape = np.ones(FIRST + 2 * count + room.shape[0] + 2, dtype=np.int64)
    shape[VALUE] = values
    shape[MARKED] = copies_of(number, 0) + 1
    reached = 1.0
    for at in range(order.shape[0]):
        item, slot = where[order[at], 0], where[order[at], 1]
        inside = count > 0 and copies.within[slot] == 1
        most = number[item, 0] + (number[item, 1] if inside else 0)
        reach = min(most, room[slot])
        reached *= reach + 1.0
        if inside:
            place = FIRST + 2 * groups.of_slot[slot]
            shape[place] += reach
            shape[place + 1] += min(number[item, 1], room[slot])
        if is_shared(slot, cells):
            shape[FIRST + 2 * count + slot] += reach
    # While groups are summed out, the first one's coordinates count bound copies so far.
    if count > 0:
        bound_copies = copies_of(number, 1)
        shape[FIRST] = max(shape[FIRST], bound_copies + 1)
        shape[FIRST + 1] = max(shape[FIRST + 1], bound_copies + 1)
    for item in range(number.shape[0]):
        shape[FREE] = max(shape[FREE], number[item, 0] + 1)
        shape[BOUND] = max(shape[BOUND], number[item, 1] + 1)
    states = 1.0
    for place in range(shape.shape[0] - 2):
        states *= shape[place]
    return Coordinates(min(states, reached * values), shape)


@kernel(allocates=False, inline="late", inner=True)
def is_shared(slot: int, cells: Cells) -> bool:
    """True if several cells are in a slot."""
    users = 0
    for cell in range(cells.where.shape[0]):
        users += cells.where[cell, 1] == slot
    return users > 1


@kernel(inline="late", inner=True)
def numbering(shape: Any) -> Numbering:
    """The numbers of states whose coordinates have so many values."""
    stride = np.ones(shape.shape[0], dtype=np.int64)
    product = 1.0
    for place in range(1, shape.shape[0]):
        product *= shape[place - 1]
        if product > LARGEST_NUMBER:
            return Numbering(shape, stride[:0])
        stride[place] = stride[place - 1] * shape[place - 1]
    return Numbering(shape, stride)


@kernel(allocates=False, inline="late", inner=True)
def coordinate(key: int, place: int, layout: Numbering) -> int:
    """The coordinate at a place of the state that has a number."""
    return key // layout.stride[place] % layout.shape[place]


@kernel(inline="late", inner=True)
def only_state(key: int, sums: Any) -> States:
    """One state with a term of 1; its sums are of the type of others."""
    return States(
        np.full(1, key, dtype=np.int64), np.ones(1, dtype=sums.dtype), np.ones(1, dtype=sums.dtype)
    )


@kernel(inline="late", inner=True)
def table_for(terms: int, sums: Any) -> StateTable:
    """An empty table to which so many terms can be added; its sums are of the type of others."""
    capacity = min(terms, MOST_STATES)
    width = 16
    while width < 2 * capacity:
        width *= 2
    return StateTable(
        np.full(width, -1, dtype=np.int64),
        np.zeros(capacity, dtype=np.int64),
        np.zeros(capacity, dtype=sums.dtype),
        np.zeros(capacity, dtype=sums.dtype),
    )


@kernel(inline="late", inner=True)
def first_states(table: StateTable, made: int) -> States:
    """The states that a table has, of which there are so many."""
    return States(table.key[:made], table.total[:made], table.size[:made])


@kernel(allocates=False, inline="late", inner=True)
def add_term(table: StateTable, made: int, key: int, total: Any, size: Any) -> int:
    """Add a term to the sums of a state in a table.

    Args:
        made: States that the table has.
        key: The number of the state.
        total, size: The term and its absolute value.

    Returns:
        The number of states that it has then, or -1 when there is no room for one more.
    """
    mask = table.place.shape[0] - 1
    probe = (key ^ (key >> 9) ^ (key >> 21)) & mask
    while table.place[probe] >= 0 and table.key[table.place[probe]] != key:
        probe = (probe + 1) & mask
    found = table.place[probe]
    if found < 0:
        if made == table.key.shape[0]:
            return -1
        found = made
        table.place[probe] = found
        table.key[found] = key
        made += 1
    table.total[found] += total
    table.size[found] += size
    return made
