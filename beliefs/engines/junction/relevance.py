"""Leaving out what cannot matter to a question: variables below which nothing was seen.

A variable that stands in one table alone is summed out of it. Where the sums are all the same, as
those of a probability table over its own variable are, the table says nothing about the others and
is left out; so the next variable may stand in one table alone (Shachter, "Evaluating influence
diagrams", 1986: barren nodes). It needs no knowledge of which way a table is meant.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from .parts import ProblemParts
from .passing import CliqueTable

#: Sums that differ by no more than this, beside the largest, are the same but for rounding.
ROUNDING = 1e-13


def relevant(parts: ProblemParts, wanted: Collection[int]) -> ProblemParts:
    """The same problem without the tables that cannot matter to some variables.

    What is left out stays there as a variable of its own that nothing is known about.

    Args:
        parts: The problem.
        wanted: The variables that are asked about.
    """
    tables: dict[int, CliqueTable] = dict(enumerate(parts.tables))
    standing: dict[int, set[int]] = {}
    for number, table in tables.items():
        for variable in table.scope:
            standing.setdefault(variable, set()).add(number)
    kept = {*wanted, *(variable for deal in parts.deals for variable in deal.variables)}
    log_constant = parts.log_constant
    waiting = [variable for variable in standing if variable not in kept]
    while waiting:
        variable = waiting.pop()
        mine = frozenset(standing.get(variable, ()))
        shared = [number for number in mine if len(tables[number].scope) > 1]
        if len(shared) > 1 or variable in kept or not mine:
            continue
        # Tables on it alone are multiplied into the one that ties it to others.
        weights = np.ones(parts.sizes[variable])
        for number in mine:
            if number not in shared:
                weights = weights * tables[number].weights
        scope: tuple[int, ...] = (variable,)
        if shared:
            scope = tables[shared[0]].scope
            axis = scope.index(variable)
            sums = np.tensordot(tables[shared[0]].weights, weights, axes=(axis, 0))
        else:
            sums = weights.sum()
        least, most = float(np.min(sums)), float(np.max(sums))
        if not most > 0.0 or most - least > ROUNDING * most:
            continue
        log_constant += math.log(most) - math.log(parts.sizes[variable])
        for number in mine:
            del tables[number]
        for other in scope:
            standing[other] -= mine
            if other != variable:
                waiting.append(other)
    return replace(parts, tables=tuple(tables.values()), log_constant=log_constant)
