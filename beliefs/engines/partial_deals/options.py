"""Every way to place the copies of one site: the edges that a layer can have."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....models.kernels.growing_arrays import with_room_for_floats, with_rows
from ....models.kernels.kernel import kernel
from ...arrays.layout import Flags, Floats, Integers


class SiteOptions(NamedTuple):
    """Every way to place the copies of each site, in the order in which sites are read.

    Attributes:
        start: Options of layer l are ``start[l]:start[l + 1]``, shape (sites + 1,).
        placed: Copies by slot, shape (options, slots).
        ways: Number of physical placements that each stands for.
    """

    start: Integers
    placed: Integers
    ways: Floats


@kernel
def site_options(
    order: Integers, copies: Integers, capacity: Integers, allowed: Flags
) -> SiteOptions:
    """Every way to place the copies of each site, in the order in which sites are read."""
    sites, slots = allowed.shape
    start = np.zeros(sites + 1, dtype=np.int64)
    room = 16
    for site in range(sites):
        for slot in range(slots):
            room += int(allowed[site, slot])
    placed = np.zeros((room, slots), dtype=np.int64)
    ways = np.zeros(room, dtype=np.float64)
    current = np.zeros(slots, dtype=np.int64)
    beyond = np.zeros(slots + 1, dtype=np.int64)
    count = 0
    for layer in range(sites):
        site = order[layer]
        total = copies[site]
        start[layer] = count
        if total == 1:
            for slot in range(slots):
                if room_for(site, slot, total, capacity, allowed) > 0:
                    if count == placed.shape[0]:
                        placed = with_rows(placed, count, 2 * count)
                        ways = with_room_for_floats(ways, count, 2 * count)
                    placed[count, slot] = 1
                    ways[count] = 1.0
                    count += 1
            continue
        # Compositions by an odometer over the slots. No slot takes less than those after it
        # leave over, so that every partial composition can be completed.
        for back in range(slots):
            slot = slots - 1 - back
            current[slot] = 0
            most = room_for(site, slot, total, capacity, allowed)
            beyond[slot] = min(beyond[slot + 1] + most, total)
        slot = 0
        if beyond[0] < total:
            slot = -1
        left = total
        while slot >= 0:
            if slot < slots:
                current[slot] = max(left - beyond[slot + 1], 0)
                left -= current[slot]
                slot += 1
                continue
            if left == 0:
                if count == placed.shape[0]:
                    placed = with_rows(placed, count, 2 * count)
                    ways = with_room_for_floats(ways, count, 2 * count)
                for other in range(slots):
                    placed[count, other] = current[other]
                ways[count] = multinomial(total, current)
                count += 1
            slot -= 1
            while slot >= 0:
                if current[slot] < room_for(site, slot, left + current[slot], capacity, allowed):
                    current[slot] += 1
                    left -= 1
                    slot += 1
                    break
                left += current[slot]
                current[slot] = 0
                slot -= 1
    start[sites] = count
    return SiteOptions(
        start, with_rows(placed, count, count), with_room_for_floats(ways, count, count)
    )


@kernel(inner=True, allocates=False)
def room_for(site: int, slot: int, copies: int, capacity: Integers, allowed: Flags) -> int:
    """The number of so many copies of a site that a slot can take."""
    if allowed[site, slot] == 0:
        return 0
    return copies if capacity[slot] < 0 else min(copies, capacity[slot])


@kernel(inner=True, allocates=False)
def multinomial(total: int, parts: Integers) -> float:
    """In how many ways so many physical copies fall into parts."""
    ways = 1.0
    rest = total
    for part in range(parts.shape[0]):
        for taken in range(parts[part]):
            ways *= rest / (taken + 1)
            rest -= 1
    return np.round(ways)
