"""In which order sites are read: it decides how many factors are open at a time."""

from __future__ import annotations

import numpy as np

from ....models.kernels.growing_arrays import stable_order, with_room
from ....models.kernels.kernel import kernel
from ...arrays.layout import FactorArrays, Flags, Integers
from .propagation import open_slots


@kernel
def reading_order(
    capacity: Integers, allowed: Flags, factors: FactorArrays, alive: Flags
) -> Integers:
    """An order of the sites that keeps few factors and few small slots open at a time.

    Sites with one place left come first (they cost nothing). Then greedily: the site after
    which the estimated width (in bits: open factors, and slots that only some of the sites can
    still fill) is smallest; ties go to the declared order.
    """
    sites, slots = allowed.shape
    factor_count = factors.start.shape[0] - 1
    order = np.zeros(sites, dtype=np.int64)
    done = np.zeros(sites, dtype=np.int8)
    candidates = np.zeros(slots, dtype=np.int64)
    left = np.zeros(factor_count, dtype=np.int64)
    opened = np.zeros(factor_count, dtype=np.int8)
    count = 0
    for site in range(sites):
        if open_slots(site, allowed) <= 1:
            order[count] = site
            count += 1
            done[site] = 1
        else:
            for slot in range(slots):
                candidates[slot] += allowed[site, slot]
    # Rows by their site, and the factor of every row.
    by_site = stable_order(factors.site, sites)
    of_site = np.zeros(sites + 1, dtype=np.int64)
    owner = np.zeros(factors.site.shape[0], dtype=np.int64)
    for factor in range(factor_count):
        for row in range(factors.start[factor], factors.start[factor + 1]):
            owner[row] = factor
            of_site[factors.site[row] + 1] += 1
            left[factor] += 1 - done[factors.site[row]]
    for site in range(sites):
        of_site[site + 1] += of_site[site]
    remaining = with_room(candidates, slots, slots)
    while count < sites:
        best = -1
        best_cost = np.inf
        for site in range(sites):
            if done[site] == 1:
                continue
            cost = 0.0
            for index in range(of_site[site], of_site[site + 1]):
                factor = owner[by_site[index]]
                if alive[factor] == 0:
                    continue
                if opened[factor] == 0:
                    if left[factor] > 1:
                        cost += 1.0
                elif left[factor] == 1:
                    cost -= 1.0
                else:
                    cost -= 0.3
            for slot in range(slots):
                # A slot that few sites can fill is one more bit while it is half read.
                if allowed[site, slot] == 1 and capacity[slot] == 1:
                    if remaining[slot] == candidates[slot]:
                        if candidates[slot] > 1:
                            cost += 1.0
                    elif remaining[slot] == 1:
                        cost -= 1.0
                    else:
                        cost -= 0.5
            if cost < best_cost:
                best_cost = cost
                best = site
        order[count] = best
        count += 1
        done[best] = 1
        for slot in range(slots):
            remaining[slot] -= allowed[best, slot]
        for index in range(of_site[best], of_site[best + 1]):
            opened[owner[by_site[index]]] = 1
            left[owner[by_site[index]]] -= 1
    return order
