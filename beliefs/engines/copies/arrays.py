"""Arrays that describe deals with splits and partly known hands: what `kernels` counts.

`cells` and `reading` make them of a problem.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportReturnType=false

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel


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


@kernel(allocates=False)
def copies_of(number: Any, kind: int) -> int:
    """The number of free (0) or bound (1) copies of all items together."""
    total = np.int64(0)
    for item in range(number.shape[0]):
        total += number[item, kind]
    return total
