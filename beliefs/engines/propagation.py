"""What the hard evidence alone rules out, before any counting is done.

Cards that must be somewhere, and places that a card cannot be, are found by arc consistency
over the factors and by counting how many cards every slot still takes. It never removes a
possible deal, so engines may use it freely; it makes most of them much cheaper.
"""

from __future__ import annotations

import math

import numpy as np

from ...models.kernel import kernel
from ..problem import Flags, Floats, Integers


@kernel
def propagate(
    copies: Integers,
    capacity: Integers,
    allowed: Flags,
    factor_start: Integers,
    factor_site: Integers,
    factor_delta: Integers,
    table_start: Integers,
    table: Floats,
    alive: Flags,
) -> float:
    """Narrow ``allowed`` and ``alive`` in place; return the log of the constants taken out.

    Args:
        copies: Copies of every site, shape (sites,).
        capacity: Size of every slot, shape (slots,); -1 for a slot without a limit.
        allowed: 1 where a site may be in a slot, shape (sites, slots); edited.
        factor_start: Rows of factor f are ``factor_start[f]:factor_start[f + 1]``.
        factor_site: Site of every row.
        factor_delta: What one copy of the row's site adds to the factor's index, by slot.
        table_start: Table of factor f is ``table[table_start[f]:table_start[f + 1]]``.
        table: Weights of all factors.
        alive: 1 for a factor that still matters; set to 0 where it became constant.

    Returns:
        The sum of the logs of the constant factors; minus infinity for a contradiction.
    """
    sites, slots = allowed.shape
    factors = factor_start.shape[0] - 1
    widest = 1
    longest = 1
    for factor in range(factors):
        widest = max(widest, table_start[factor + 1] - table_start[factor])
        longest = max(longest, factor_start[factor + 1] - factor_start[factor])
    forward = np.zeros((longest + 1, widest), dtype=np.int8)
    backward = np.zeros((longest + 1, widest), dtype=np.int8)
    seen = np.full(factors, -1, dtype=np.int64)
    constant = 0.0
    changed = True
    while changed:
        changed = False
        # Slots: a full one takes nothing more, a needy one takes all that can still come.
        for slot in range(slots):
            if capacity[slot] < 0:
                continue
            fixed = 0
            possible = 0
            for site in range(sites):
                if allowed[site, slot] == 1:
                    options = 0
                    for other in range(slots):
                        options += int(allowed[site, other])
                    possible += copies[site]
                    if options == 1:
                        fixed += copies[site]
            if fixed > capacity[slot] or possible < capacity[slot]:
                return -np.inf
            if fixed == possible:
                continue
            if fixed == capacity[slot]:
                for site in range(sites):
                    if allowed[site, slot] == 1:
                        options = 0
                        for other in range(slots):
                            options += int(allowed[site, other])
                        if options > 1:
                            allowed[site, slot] = 0
                            changed = True
            elif possible == capacity[slot]:
                for site in range(sites):
                    if allowed[site, slot] == 1:
                        for other in range(slots):
                            if other != slot and allowed[site, other] == 1:
                                allowed[site, other] = 0
                                changed = True
        for factor in range(factors):
            if alive[factor] == 0:
                continue
            first = factor_start[factor]
            length = factor_start[factor + 1] - first
            size = table_start[factor + 1] - table_start[factor]
            base = table_start[factor]
            open_options = 0
            single = True
            for position in range(length):
                site = factor_site[first + position]
                if copies[site] != 1:
                    single = False
                for slot in range(slots):
                    open_options += int(allowed[site, slot])
            if not single or open_options == seen[factor]:
                continue
            # What is removed below changes the count, so that the factor is looked at again.
            seen[factor] = open_options
            for value in range(size):
                forward[0, value] = 0
                backward[length, value] = 1 if table[base + value] > 0.0 else 0
            forward[0, 0] = 1
            for position in range(length):
                site = factor_site[first + position]
                for value in range(size):
                    forward[position + 1, value] = 0
                for value in range(size):
                    if forward[position, value] == 1:
                        for slot in range(slots):
                            if allowed[site, slot] == 1:
                                after = value + factor_delta[first + position, slot]
                                if after < size:
                                    forward[position + 1, after] = 1
            level = -1.0
            flat = True
            for value in range(size):
                if forward[length, value] == 1:
                    if level < 0.0:
                        level = table[base + value]
                    elif table[base + value] != level:
                        flat = False
            if flat:
                if level <= 0.0:
                    return -np.inf
                constant += math.log(level)
                alive[factor] = 0
                continue
            for back in range(length):
                position = length - 1 - back
                site = factor_site[first + position]
                for value in range(size):
                    backward[position, value] = 0
                options = 0
                for slot in range(slots):
                    if allowed[site, slot] == 0:
                        continue
                    delta = factor_delta[first + position, slot]
                    supported = False
                    for value in range(size - delta):
                        if backward[position + 1, value + delta] == 1:
                            backward[position, value] = 1
                            if forward[position, value] == 1:
                                supported = True
                    if supported:
                        options += 1
                    else:
                        allowed[site, slot] = 0
                        changed = True
                if options == 0:
                    return -np.inf
    return constant
