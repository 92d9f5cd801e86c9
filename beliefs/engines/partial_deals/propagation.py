"""The exclusions that the hard evidence alone makes, before any counting is done.

Cards that must be somewhere, and places that a card cannot be, are found by arc consistency
over the factors and by counting how many cards every slot still takes. It never removes a
possible deal, so engines may use it freely; it makes most of them much cheaper.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.layout import FactorArrays, Flags, Integers

#: What a look at a slot or a factor can find out.
UNCHANGED = 0
CHANGED = 1
CONTRADICTION = 2


@kernel
def propagate(
    copies: Integers, capacity: Integers, allowed: Flags, factors: FactorArrays, alive: Flags
) -> float:
    """Narrow ``allowed`` and ``alive`` in place; return the log of the constants taken out.

    Args:
        copies: Copies of every site, shape (sites,).
        capacity: Size of every slot, shape (slots,); -1 for a slot without a limit.
        allowed: 1 where a site may be in a slot, shape (sites, slots); edited.
        factors: All factors.
        alive: 1 for a factor that still matters; set to 0 where it became constant.

    Returns:
        The sum of the logs of the constant factors; minus infinity for a contradiction.
    """
    count = factors.start.shape[0] - 1
    widest = 1
    longest = 1
    for factor in range(count):
        widest = max(widest, factors.table_start[factor + 1] - factors.table_start[factor])
        longest = max(longest, factors.start[factor + 1] - factors.start[factor])
    reached = np.zeros((longest + 1, widest), dtype=np.int8)
    supported = np.zeros((longest + 1, widest), dtype=np.int8)
    seen = np.full(count, -1, dtype=np.int64)
    constant = 0.0
    changed = True
    while changed:
        changed = False
        for slot in range(capacity.shape[0]):
            if capacity[slot] >= 0:
                found = look_at_slot(slot, copies, capacity, allowed)
                if found == CONTRADICTION:
                    return -np.inf
                changed |= found == CHANGED
        for factor in range(count):
            if alive[factor] == 0:
                continue
            single = True
            for row in range(factors.start[factor], factors.start[factor + 1]):
                single &= copies[factors.site[row]] == 1
            options = open_slots_of(factor, factors, allowed)
            if not single or options == seen[factor]:
                continue
            # What is removed below changes the count, so that the factor is looked at again.
            seen[factor] = options
            slot = slot_of_one(factor, capacity, factors, allowed)
            if slot >= 0:
                level = look_at_one(factor, slot, factors, allowed)
                if level == 0.0:
                    return -np.inf
                if level > 0.0:
                    constant += math.log(level)
                    alive[factor] = 0
                changed |= open_slots_of(factor, factors, allowed) != options
                continue
            level = reach(factor, factors, allowed, reached)
            if level == 0.0:
                return -np.inf
            if level > 0.0:
                constant += math.log(level)
                alive[factor] = 0
                continue
            found = look_at_factor(factor, factors, allowed, reached, supported)
            if found == CONTRADICTION:
                return -np.inf
            changed |= found == CHANGED
    return constant


@kernel(inner=True, allocates=False)
def open_slots(site: int, allowed: Flags) -> int:
    """In how many slots a site may be."""
    total = 0
    for slot in range(allowed.shape[1]):
        total += int(allowed[site, slot])
    return total


@kernel(inner=True, allocates=False)
def open_slots_of(factor: int, factors: FactorArrays, allowed: Flags) -> int:
    """In how many slots the sites of a factor may be, all together."""
    total = 0
    for row in range(factors.start[factor], factors.start[factor + 1]):
        total += open_slots(factors.site[row], allowed)
    return total


@kernel(inner=True, allocates=False)
def look_at_slot(slot: int, copies: Integers, capacity: Integers, allowed: Flags) -> int:
    """A full slot takes nothing more, a needy one takes all that can still come."""
    sites, slots = allowed.shape
    fixed = 0
    possible = 0
    for site in range(sites):
        if allowed[site, slot] == 1:
            possible += copies[site]
            if open_slots(site, allowed) == 1:
                fixed += copies[site]
    if fixed > capacity[slot] or possible < capacity[slot]:
        return CONTRADICTION
    if fixed == possible or (fixed < capacity[slot] and possible > capacity[slot]):
        return UNCHANGED
    full = fixed == capacity[slot]
    for site in range(sites):
        if allowed[site, slot] == 1 and open_slots(site, allowed) > 1:
            for other in range(slots):
                if (other == slot) == full:
                    allowed[site, other] = 0
    return CHANGED


@kernel(inner=True, allocates=False)
def slot_of_one(factor: int, capacity: Integers, factors: FactorArrays, allowed: Flags) -> int:
    """The slot for one card that alone decides what a factor weighs; -1 where there is none.

    The sums of the sites know nothing of capacities: to them the slot could stay empty, or take
    several cards.
    """
    slot = -1
    among = 0
    for row in range(factors.start[factor], factors.start[factor + 1]):
        site = factors.site[row]
        if open_slots(site, allowed) > 1:
            for other in range(allowed.shape[1]):
                if allowed[site, other] == 1 and factors.delta[row, other] != 0:
                    if slot >= 0 and other != slot:
                        return -1
                    slot = other
    if slot < 0 or capacity[slot] != 1:
        return -1
    for row in range(factors.start[factor], factors.start[factor + 1]):
        site = factors.site[row]
        among += int(allowed[site, slot] == 1 and open_slots(site, allowed) > 1)
    for site in range(allowed.shape[0]):
        among -= int(allowed[site, slot])
    return slot if among == 0 else -1


@kernel(inner=True, allocates=False)
def look_at_one(factor: int, slot: int, factors: FactorArrays, allowed: Flags) -> float:
    """Take away the cards for which a factor has no weight if they are in its slot for one.

    Returns:
        The weight that it has for all others; 0 where there are none, -1 where they differ.
    """
    base = factors.table_start[factor]
    size = factors.table_start[factor + 1] - base
    for row in range(factors.start[factor], factors.start[factor + 1]):
        site = factors.site[row]
        if open_slots(site, allowed) == 1:
            for only in range(allowed.shape[1]):
                if allowed[site, only] == 1:
                    base += factors.delta[row, only]
    size -= base - factors.table_start[factor]
    level = 0.0
    for row in range(factors.start[factor], factors.start[factor + 1]):
        site = factors.site[row]
        if allowed[site, slot] == 0:
            continue
        delta = factors.delta[row, slot]
        weight = factors.table[base + delta] if delta < size else 0.0
        if weight == 0.0:
            allowed[site, slot] = 0
        elif level == 0.0:
            level = weight
        elif level != weight:
            level = -1.0
    return level


@kernel(inner=True, allocates=False)
def reach(factor: int, factors: FactorArrays, allowed: Flags, reached: Flags) -> float:
    """The sums the first sites of a factor can reach, and the weight of all of them together.

    Args:
        reached: 1 where so many sites can reach a sum, shape (sites + 1, sums); written.

    Returns:
        The weight that all sums of all sites have; -1 where they have several.
    """
    first = factors.start[factor]
    length = factors.start[factor + 1] - first
    base = factors.table_start[factor]
    size = factors.table_start[factor + 1] - base
    for value in range(size):
        reached[0, value] = 0
    reached[0, 0] = 1
    for position in range(length):
        site = factors.site[first + position]
        for value in range(size):
            reached[position + 1, value] = 0
        for value in range(size):
            if reached[position, value] == 1:
                for slot in range(allowed.shape[1]):
                    if allowed[site, slot] == 1:
                        after = value + factors.delta[first + position, slot]
                        if after < size:
                            reached[position + 1, after] = 1
    level = -1.0
    for value in range(size):
        if reached[length, value] == 1:
            if level < 0.0:
                level = factors.table[base + value]
            elif factors.table[base + value] != level:
                return -1.0
    return max(level, 0.0)


@kernel(inner=True, allocates=False)
def look_at_factor(
    factor: int, factors: FactorArrays, allowed: Flags, reached: Flags, supported: Flags
) -> int:
    """Take away what no way through a factor's sites has weight for.

    Args:
        reached: See `reach`.
        supported: Scratch of the same shape: from which sums the other sites can get weight.
    """
    first = factors.start[factor]
    length = factors.start[factor + 1] - first
    base = factors.table_start[factor]
    size = factors.table_start[factor + 1] - base
    found = UNCHANGED
    for value in range(size):
        supported[length, value] = 1 if factors.table[base + value] > 0.0 else 0
    for back in range(length):
        position = length - 1 - back
        site = factors.site[first + position]
        for value in range(size):
            supported[position, value] = 0
        for slot in range(allowed.shape[1]):
            if allowed[site, slot] == 0:
                continue
            delta = factors.delta[first + position, slot]
            kept = False
            for value in range(size - delta):
                if supported[position + 1, value + delta] == 1:
                    supported[position, value] = 1
                    kept |= reached[position, value] == 1
            if not kept:
                allowed[site, slot] = 0
                found = CHANGED
        if open_slots(site, allowed) == 0:
            return CONTRADICTION
    return found
