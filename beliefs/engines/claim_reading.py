"""A problem as arrays of cells for `claim_counting`: a kernel, since planners solve thousands.

Copies of an item that are not known to be somewhere are *free* (they can be in every open slot) or
*bound* (a card that was seen and went back into a hand: it is there or in a later claim). Evidence
becomes tables on *cells* (one item in one slot), by how many free and bound copies are there, or on
how many bound copies of any item are in some slots, which is what a card drawn between two claims
leaves behind.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ...models.kernel import kernel

READ: Final = 0
IMPOSSIBLE: Final = 1
#: Why a problem is left to another way of counting.
DIFFERENT_PLACES: Final = 2
SEVERAL_CELLS: Final = 3
TOLD_APART: Final = 4
REASONS: Final = {
    DIFFERENT_PLACES: "copies that were seen can be in different sets of places",
    SEVERAL_CELLS: "evidence is about several items and places together",
    TOLD_APART: "a feature tells copies of one item apart",
}


@kernel
def settle(copies: Any, capacity: Any, allowed: Any, place: Any, room: Any) -> bool:
    """Put sites with one slot left there; whether everything fits."""
    sites, slots = allowed.shape
    room[:] = capacity
    place[:] = -1
    changed = True
    while changed:
        changed = False
        for site in range(sites):
            if place[site] >= 0:
                continue
            count = 0
            last = -1
            for slot in range(slots):
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
def sort_copies(
    copies: Any, allowed: Any, item: Any, place: Any, room: Any, kind: Any, number: Any, within: Any
) -> int:
    """Which open copies are free (kind 0) and which are bound (1); -1 for settled sites.

    Args:
        number: Made: free and bound copies of every item, shape (items, 2).
        within: Made: 1 for slots in which bound copies can be.
    """
    sites, slots = allowed.shape
    number[:] = 0
    within[:] = 0
    bound = False
    # Slots that are full by now still tell copies apart that were seen: evidence may.
    anywhere = np.zeros(slots, dtype=np.int64)
    for site in range(sites):
        for slot in range(slots):
            if place[site] < 0 and allowed[site, slot] == 1:
                anywhere[slot] = 1
    for site in range(sites):
        kind[site] = -1
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
                return DIFFERENT_PLACES
        bound = True
    return READ


@kernel
def usual_step(steps: Any, room: Any, within: Any, bound: bool, preferred: int, given: bool) -> int:
    """What a copy adds in most slots it can be in; ``preferred`` if that is among them at all."""
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
def read_feature(
    copies: Any,
    item: Any,
    place: Any,
    room: Any,
    kind: Any,
    number: Any,
    within: Any,
    sites: Any,
    delta: Any,
    steps: Any,
    plain: Any,
    found: Any,
    result: Any,
) -> int:
    """A feature as a constant and what copies add in the cells where that is not the usual.

    Args:
        sites, delta: The feature's rows.
        steps: Made: what a free and a bound copy add, shape (items, 2, slots).
        plain: Made: what a bound copy of any item adds in every slot, if that is all it is.
        found: Made: item and slot of the cells, shape (items * slots, 2).
        result: Made: the constant, the number of cells, whether ``plain`` says it all, and the
            constant beside it; shape (4,).
    """
    items, slots = steps.shape[0], room.shape[0]
    steps[:] = 0
    plain[:] = 0
    rows = np.zeros((items, 2), dtype=np.int64)
    wanted = np.zeros((items, 2), dtype=np.int64)
    for site in range(copies.shape[0]):
        if kind[site] >= 0:
            wanted[item[site], kind[site]] += 1
    base = 0
    for row in range(sites.shape[0]):
        site = sites[row]
        if place[site] >= 0:
            base += copies[site] * delta[row, place[site]]
            continue
        group, which = item[site], kind[site]
        rows[group, which] += 1
        # What these copies add wherever they are does not tell them apart from others.
        least = np.int64(1) << 60
        for slot in range(slots):
            if room[slot] > 0 and (which == 0 or within[slot] == 1):
                least = min(least, delta[row, slot])
        base += copies[site] * least
        for slot in range(slots):
            if room[slot] <= 0 or (which == 1 and within[slot] == 0):
                continue
            step = delta[row, slot] - least
            if rows[group, which] == 1:
                steps[group, which, slot] = step
            elif steps[group, which, slot] != step:
                return TOLD_APART
    beside = base
    one = True
    first = True
    touched = 0
    for group in range(items):
        for which in range(2):
            if 0 < rows[group, which] < wanted[group, which] and steps[group, which].any():
                return TOLD_APART
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
    result[0] = base
    result[1] = touched
    result[2] = 1 if one else 0
    result[3] = beside
    return READ


@kernel
def read_factors(
    copies: Any,
    item: Any,
    place: Any,
    room: Any,
    kind: Any,
    number: Any,
    within: Any,
    factor_start: Any,
    factor_site: Any,
    factor_delta: Any,
    table_start: Any,
    table: Any,
    cell_at: Any,
    cells: Any,
    weights: Any,
    tie_steps: Any,
    tie_base: Any,
    tie_factor: Any,
    result: Any,
) -> int:
    """Turn factors into tables on cells, and ties: tables on where bound copies are.

    Args:
        cell_at: Made: number of the cell of an item and a slot, or -1; shape (items, slots).
        cells: Made: item and slot of every cell, shape (most cells, 2).
        weights: Made: weight of (free, bound) copies in a cell, shape (most cells, w, w).
        tie_steps: Made: what a bound copy adds in each slot, shape (factors, slots).
        tie_base: Made: what everything else adds.
        tie_factor: Made: the factor whose table it is.
        result: Made: numbers of cells and ties, and the log of what is left, shape (3,).
    """
    items, slots = cell_at.shape
    steps = np.zeros((items, 2, slots), dtype=np.int64)
    plain = np.zeros(slots, dtype=np.int64)
    found = np.zeros((items * slots, 2), dtype=np.int64)
    said = np.zeros(4, dtype=np.int64)
    count = 0
    ties = 0
    constant = 0.0
    cell_at[:] = -1
    for factor in range(factor_start.shape[0] - 1):
        start = table_start[factor]
        size = table_start[factor + 1] - start
        begin, stop = factor_start[factor], factor_start[factor + 1]
        status = read_feature(
            copies,
            item,
            place,
            room,
            kind,
            number,
            within,
            factor_site[begin:stop],
            factor_delta[begin:stop],
            steps,
            plain,
            found,
            said,
        )
        if status != READ:
            return status
        base, touched = said[0], said[1]
        if touched == 0:
            weight = table[start + base] if 0 <= base < size else 0.0
            if weight <= 0.0:
                return IMPOSSIBLE
            constant += math.log(weight)
            continue
        if touched > 1 and said[2] == 1:
            tie_steps[ties] = plain
            tie_base[ties] = said[3]
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
                return SEVERAL_CELLS
            reach = most_copies(number, within, room, group, slot)
            low += min(0, step * reach)
            high += max(0, step * reach)
        if touched > 1:
            # A table that leaves one end of its range alone is a product of tables of cells.
            held = 0
            for index in range(max(low, 0), min(high + 1, size)):
                if table[start + index] > 0.0:
                    held += 1
                    end = index
            if held == 0:
                return IMPOSSIBLE
            if held > 1 or (end != low and end != high):
                return SEVERAL_CELLS
            constant += math.log(table[start + end])
        for place_of in range(touched):
            group, slot = found[place_of, 0], found[place_of, 1]
            cell = cell_at[group, slot]
            if cell < 0:
                if count == cells.shape[0]:
                    return SEVERAL_CELLS
                cell = count
                cell_at[group, slot] = cell
                cells[cell, 0] = group
                cells[cell, 1] = slot
                weights[cell] = 1.0
                count += 1
            wanted = 0
            if touched > 1 and (end == high) == (one_step(number, within, steps, group, slot) > 0):
                wanted = most_copies(number, within, room, group, slot)
            for free in range(weights.shape[1]):
                for bound in range(weights.shape[2]):
                    index = base + free * steps[group, 0, slot] + bound * steps[group, 1, slot]
                    weight = table[start + index] if 0 <= index < size else 0.0
                    if touched > 1:
                        weight = 1.0 if free + bound == wanted else 0.0
                    weights[cell, free, bound] *= weight
    result[0] = count
    result[1] = ties
    result[2] = constant
    return READ


@kernel
def one_step(number: Any, within: Any, steps: Any, group: int, slot: int) -> int:
    """What any copy of an item adds in a slot; 0 when free and bound ones differ."""
    free, bound = steps[group, 0, slot], steps[group, 1, slot]
    if number[group, 0] == 0:
        return bound
    if number[group, 1] == 0 or within[slot] == 0:
        return free
    return free if free == bound else 0


@kernel
def most_copies(number: Any, within: Any, room: Any, group: int, slot: int) -> int:
    """Most copies of an item that can be in a slot."""
    copies = number[group, 0]
    if within[slot] == 1:
        copies += number[group, 1]
    return min(copies, room[slot])
