"""In which order sites are read: it decides how many factors are open at a time."""

from __future__ import annotations

import numpy as np

from ...models.kernel import kernel
from ..problem import Flags, Integers
from .arrays import with_room


@kernel
def reading_order(
    capacity: Integers,
    allowed: Flags,
    factor_start: Integers,
    factor_site: Integers,
    alive: Flags,
) -> Integers:
    """An order of the sites that keeps few factors and few small slots open at a time.

    Sites with one place left come first (they cost nothing). Then greedily: the site after
    which the estimated width (in bits: open factors, and slots that only some of the sites can
    still fill) is smallest; ties go to the declared order.
    """
    sites, slots = allowed.shape
    factors = factor_start.shape[0] - 1
    order = np.zeros(sites, dtype=np.int64)
    done = np.zeros(sites, dtype=np.int8)
    options = np.zeros(sites, dtype=np.int64)
    candidates = np.zeros(slots, dtype=np.int64)
    left = np.zeros(factors, dtype=np.int64)
    opened = np.zeros(factors, dtype=np.int8)
    count = 0
    for site in range(sites):
        for slot in range(slots):
            options[site] += allowed[site, slot]
        if options[site] <= 1:
            order[count] = site
            count += 1
            done[site] = 1
    for site in range(sites):
        if done[site] == 0:
            for slot in range(slots):
                candidates[slot] += allowed[site, slot]
    of_site = np.zeros(sites + 1, dtype=np.int64)
    for factor in range(factors):
        if alive[factor] == 1:
            for row in range(factor_start[factor], factor_start[factor + 1]):
                of_site[factor_site[row] + 1] += 1
                if done[factor_site[row]] == 0:
                    left[factor] += 1
    for site in range(sites):
        of_site[site + 1] += of_site[site]
    by_site = np.zeros(of_site[sites], dtype=np.int64)
    fill = with_room(of_site, sites, sites)
    for factor in range(factors):
        if alive[factor] == 1:
            for row in range(factor_start[factor], factor_start[factor + 1]):
                by_site[fill[factor_site[row]]] = factor
                fill[factor_site[row]] += 1
    remaining = with_room(candidates, slots, slots)
    while count < sites:
        best = -1
        best_cost = np.inf
        for site in range(sites):
            if done[site] == 1:
                continue
            cost = 0.0
            for index in range(of_site[site], of_site[site + 1]):
                factor = by_site[index]
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
            opened[by_site[index]] = 1
            left[by_site[index]] -= 1
    return order
