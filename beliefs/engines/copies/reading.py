"""A problem as arrays of cells for `counting`: a kernel, since planners solve thousands.

Copies of an item that are not known to be somewhere are *free* (they can be in every open slot) or
*bound* (a card that was seen and went back into a hand: it is there or in what was split off
later). Evidence becomes tables on *cells* (one item in one slot), by how many free and bound copies
are there, or on how many bound copies of any item are in some slots, which is what a card drawn
between two splits leaves behind.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel
from .arrays import Copies

READ: Final = 0
IMPOSSIBLE: Final = 1
#: Why a problem is left to another way of counting.
DIFFERENT_PLACES: Final = 2
SEVERAL_CELLS: Final = 3
TOLD_APART: Final = 4
REASONS: Final = {
    DIFFERENT_PLACES: "copies that were seen can be in different sets of places",
    SEVERAL_CELLS: "it takes evidence on how many copies of one item are in one place, and this is "
    "about several such numbers together",
    TOLD_APART: "a feature tells copies of one item apart",
}


class Sites(NamedTuple):
    """The possible places of copies.

    Attributes:
        item: The item of every site.
        copies: How many copies every site has.
        capacity: Positions of every slot.
        allowed: 1 where a site's copies can be in a slot, shape (sites, slots).
    """

    item: Any
    copies: Any
    capacity: Any
    allowed: Any


class Factors(NamedTuple):
    """The factors of a problem: factor f has the rows from ``start[f]`` to ``start[f + 1]``.

    Attributes:
        start: Where every factor's rows begin.
        site, delta: The site of every row, and what a copy of it adds in every slot.
        table_start, table: Weights of factor f are ``table[table_start[f]:table_start[f + 1]]``.
    """

    start: Any
    site: Any
    delta: Any
    table_start: Any
    table: Any


class SortedCopies(NamedTuple):
    """Copies by where they can be; ``status`` is `READ`, or why that cannot be said."""

    status: int
    copies: Copies


class FeatureCells(NamedTuple):
    """A feature as a constant and what copies add in the cells where that is not the usual.

    Attributes:
        status: `READ`, or why it cannot be read.
        base: The constant.
        cells: Item and slot of the cells, shape (cells, 2).
        steps: What a free and a bound copy add, shape (items, 2, slots).
        only_bound: Whether it says how many bound copies are where, whatever their items.
        plain: What a bound copy of any item adds in every slot, if that is all it is.
        beside: The constant beside ``plain``.
    """

    status: int
    base: int
    cells: Any
    steps: Any
    only_bound: bool
    plain: Any
    beside: int


class ReadFactors(NamedTuple):
    """Factors as tables on cells, and as ties: tables on where bound copies are.

    Attributes:
        status: `READ`, or why they cannot be read.
        cell_at: Number of the cell of an item and a slot, or -1; shape (items, slots).
        cells: Item and slot of every cell, shape (cells, 2).
        weights: Weight of (free, bound) copies in a cell, shape (cells, w, w).
        tie_steps: What a bound copy adds in each slot, shape (ties, slots).
        tie_base: What everything else adds.
        tie_factor: The factor whose table it is.
        constant: The log of what is left.
    """

    status: int
    cell_at: Any
    cells: Any
    weights: Any
    tie_steps: Any
    tie_base: Any
    tie_factor: Any
    constant: float


@kernel(allocates=False, inner=True)
def settle(sites: Sites, place: Any, room: Any) -> bool:
    """Put sites with one slot left there, see `Copies`; whether everything fits."""
    copies, allowed = sites.copies, sites.allowed
    # Assigning to a whole array or row takes seconds to compile, here and below.
    for slot in range(room.shape[0]):
        room[slot] = sites.capacity[slot]
    for site in range(place.shape[0]):
        place[site] = -1
    changed = True
    while changed:
        changed = False
        for site in range(allowed.shape[0]):
            if place[site] >= 0:
                continue
            count = 0
            last = -1
            for slot in range(allowed.shape[1]):
                if allowed[site, slot] == 1 and room[slot] > 0:
                    count += 1
                    last = slot
            if count == 0:
                return False
            if count == 1:
                place[site] = last
                room[last] -= copies[site]
                if room[last] < 0:
                    return False
                changed = True
    return True


@kernel
def sort_copies(sites: Sites) -> SortedCopies:
    """The settled copies, and which open ones are free and which bound."""
    allowed, item, copies = sites.allowed, sites.item, sites.copies
    site_count, slots = allowed.shape
    items = 1
    for site in range(site_count):
        items = max(items, item[site] + 1)
    place, kind = np.full(site_count, -1, dtype=np.int64), np.full(site_count, -1, dtype=np.int64)
    number, within = np.zeros((items, 2), dtype=np.int64), np.zeros(slots, dtype=np.int64)
    room = np.zeros(slots, dtype=np.int64)
    made = Copies(item, copies, place, kind, number, room, within)
    if not settle(sites, place, room):
        return SortedCopies(np.int64(IMPOSSIBLE), made)
    bound = False
    # Slots that are full by now still tell copies apart that were seen: evidence may.
    anywhere = np.zeros(slots, dtype=np.int64)
    for site in range(site_count):
        for slot in range(slots):
            if place[site] < 0 and allowed[site, slot] == 1:
                anywhere[slot] = 1
    for site in range(site_count):
        if place[site] >= 0:
            continue
        everywhere = True
        for slot in range(slots):
            if anywhere[slot] == 1 and allowed[site, slot] == 0:
                everywhere = False
        kind[site] = 0 if everywhere else 1
        number[item[site], kind[site]] += copies[site]
        if everywhere:
            continue
        for slot in range(slots):
            here = 1 if room[slot] > 0 and allowed[site, slot] == 1 else 0
            if not bound:
                within[slot] = here
            elif within[slot] != here:
                return SortedCopies(np.int64(DIFFERENT_PLACES), made)
        bound = True
    return SortedCopies(np.int64(READ), made)


@kernel(allocates=False, inner=True)
def usual_step(steps: Any, room: Any, within: Any, bound: bool, preferred: int, given: bool) -> int:
    """The step of a copy in most slots it can be in; ``preferred`` if that is among them at all."""
    slots = room.shape[0]
    best = 0
    most = 0
    for slot in range(slots):
        if room[slot] <= 0 or (bound and within[slot] == 0):
            continue
        if given and steps[slot] == preferred:
            return preferred
        count = 0
        for other in range(slots):
            if room[other] > 0 and not (bound and within[other] == 0):
                count += 1 if steps[other] == steps[slot] else 0
        if count > most or (count == most and steps[slot] < best):
            most = count
            best = steps[slot]
    return best


@kernel
def read_feature(copies: Copies, sites: Any, delta: Any) -> FeatureCells:
    """A feature, from its rows, as what it says of cells."""
    item, place, room, kind = copies.item, copies.place, copies.room, copies.kind
    number, within = copies.number, copies.within
    items, slots = number.shape[0], room.shape[0]
    steps = np.zeros((items, 2, slots), dtype=np.int64)
    plain = np.zeros(slots, dtype=np.int64)
    found = np.zeros((items * slots, 2), dtype=np.int64)
    # Numbers written into the call would be types of their own.
    none, ready, one = np.int64(0), np.int64(READ), True
    told_apart = FeatureCells(np.int64(TOLD_APART), none, found[:0], steps, one, plain, none)
    rows = np.zeros((items, 2), dtype=np.int64)
    wanted = np.zeros((items, 2), dtype=np.int64)
    for site in range(item.shape[0]):
        if kind[site] >= 0:
            wanted[item[site], kind[site]] += 1
    base = none
    for row in range(sites.shape[0]):
        site = sites[row]
        if place[site] >= 0:
            base += copies.size[site] * delta[row, place[site]]
            continue
        group, which = item[site], kind[site]
        rows[group, which] += 1
        # What these copies add wherever they are does not tell them apart from others.
        least = np.int64(1) << 60
        for slot in range(slots):
            if room[slot] > 0 and (which == 0 or within[slot] == 1):
                least = min(least, delta[row, slot])
        base += copies.size[site] * least
        for slot in range(slots):
            if room[slot] <= 0 or (which == 1 and within[slot] == 0):
                continue
            step = delta[row, slot] - least
            if rows[group, which] == 1:
                steps[group, which, slot] = step
            elif steps[group, which, slot] != step:
                return told_apart
    beside = base
    first = True
    touched = 0
    for group in range(items):
        for which in range(2):
            for slot in range(slots if 0 < rows[group, which] < wanted[group, which] else 0):
                if steps[group, which, slot] != 0:
                    return told_apart
        if number[group, 1] > 0:
            least = 0
            begun = False
            for slot in range(slots):
                if within[slot] == 1 and (not begun or steps[group, 1, slot] < least):
                    least = steps[group, 1, slot]
                    begun = True
            beside += number[group, 1] * least
            for slot in range(slots):
                if within[slot] == 1:
                    if first:
                        plain[slot] = steps[group, 1, slot] - least
                    elif plain[slot] != steps[group, 1, slot] - least:
                        one = False
            first = False
        usual = 0
        given = False
        for which in range(2):
            if number[group, which] == 0:
                continue
            usual = usual_step(steps[group, which], room, within, which == 1, usual, given)
            given = True
            base += usual * number[group, which]
            if which == 0:
                beside += usual * number[group, 0]
            for slot in range(slots):
                if room[slot] > 0 and not (which == 1 and within[slot] == 0):
                    steps[group, which, slot] -= usual
                    if which == 0 and steps[group, 0, slot] != 0:
                        one = False
        for slot in range(slots):
            if steps[group, 0, slot] != 0 or steps[group, 1, slot] != 0:
                found[touched, 0] = group
                found[touched, 1] = slot
                touched += 1
    return FeatureCells(ready, base, found[:touched], steps, one, plain, beside)


@kernel
def read_factors(copies: Copies, factors: Factors, most_cells: int) -> ReadFactors:
    """Turn factors into tables on cells, and ties."""
    number, within, room = copies.number, copies.within, copies.room
    table, table_start = factors.table, factors.table_start
    items, slots = number.shape[0], room.shape[0]
    factor_count = factors.start.shape[0] - 1
    width = 1
    for group in range(items):
        width = max(width, number[group, 0] + 1, number[group, 1] + 1)
    cell_at = np.full((items, slots), -1, dtype=np.int64)
    cells = np.empty((most_cells, 2), dtype=np.int64)
    weights = np.empty((most_cells, width, width))
    tie_steps = np.empty((factor_count, slots), dtype=np.int64)
    tie_base = np.empty(factor_count, dtype=np.int64)
    tie_factor = np.empty(factor_count, dtype=np.int64)
    count = 0
    ties = 0
    constant = 0.0
    status = READ
    for factor in range(factor_count):
        start = table_start[factor]
        size = table_start[factor + 1] - start
        rows = slice(factors.start[factor], factors.start[factor + 1])
        said = read_feature(copies, factors.site[rows], factors.delta[rows])
        status = said.status
        if status != READ:
            break
        base, touched, found, steps = said.base, said.cells.shape[0], said.cells, said.steps
        if touched == 0:
            weight = table[start + base] if 0 <= base < size else 0.0
            if weight <= 0.0:
                status = IMPOSSIBLE
                break
            constant += math.log(weight)
            continue
        if touched > 1 and said.only_bound:
            for slot in range(slots):
                tie_steps[ties, slot] = said.plain[slot]
            tie_base[ties] = said.beside
            tie_factor[ties] = factor
            ties += 1
            continue
        low = base
        high = base
        end = base
        for place_of in range(touched if touched > 1 else 0):
            group, slot = found[place_of, 0], found[place_of, 1]
            step = one_step(number, within, steps, group, slot)
            if step == 0:
                status = SEVERAL_CELLS
                break
            reach = most_copies(number, within, room, group, slot)
            low += min(0, step * reach)
            high += max(0, step * reach)
        if status != READ:
            break
        if touched > 1:
            # A table that leaves one end of its range alone is a product of tables of cells.
            held = 0
            for index in range(max(low, 0), min(high + 1, size)):
                if table[start + index] > 0.0:
                    held += 1
                    end = index
            if held == 0:
                status = IMPOSSIBLE
                break
            if held > 1 or (end != low and end != high):
                status = SEVERAL_CELLS
                break
            constant += math.log(table[start + end])
        for place_of in range(touched):
            group, slot = found[place_of, 0], found[place_of, 1]
            cell = cell_at[group, slot]
            if cell < 0:
                if count == most_cells:
                    status = SEVERAL_CELLS
                    break
                cell = count
                cell_at[group, slot] = cell
                cells[cell, 0] = group
                cells[cell, 1] = slot
                for free in range(width):
                    for bound in range(width):
                        weights[cell, free, bound] = 1.0
                count += 1
            wanted = 0
            if touched > 1 and (end == high) == (one_step(number, within, steps, group, slot) > 0):
                wanted = most_copies(number, within, room, group, slot)
            for free in range(width):
                for bound in range(width):
                    index = base + free * steps[group, 0, slot] + bound * steps[group, 1, slot]
                    weight = table[start + index] if 0 <= index < size else 0.0
                    if touched > 1:
                        weight = 1.0 if free + bound == wanted else 0.0
                    weights[cell, free, bound] *= weight
        if status != READ:
            break
    return ReadFactors(
        status,
        cell_at,
        cells[:count],
        weights[:count],
        tie_steps[:ties],
        tie_base[:ties],
        tie_factor[:ties],
        constant,
    )


@kernel(allocates=False, inner=True)
def one_step(number: Any, within: Any, steps: Any, group: int, slot: int) -> int:
    """The step of any copy of an item in a slot; 0 when free and bound ones differ."""
    free, bound = steps[group, 0, slot], steps[group, 1, slot]
    if number[group, 0] == 0:
        return bound
    if number[group, 1] == 0 or within[slot] == 0:
        return free
    return free if free == bound else 0


@kernel(allocates=False, inner=True)
def most_copies(number: Any, within: Any, room: Any, group: int, slot: int) -> int:
    """Most copies of an item that can be in a slot."""
    copies = number[group, 0]
    if within[slot] == 1:
        copies += number[group, 1]
    return min(copies, room[slot])
