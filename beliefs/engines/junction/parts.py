"""A problem taken apart: choices as variables with tables, and deals that hang on few of them.

What evidence has fixed is no variable any more. A weight on many choices becomes a chain of small
tables, with a variable for what has to be remembered. A deal, with all evidence on it, becomes one
table on the choices that its evidence mentions: for each combination of their values its own engine
solves it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arrays.layout import Additive, Factor, Floats, Integers, Layout, make_layout
from ...arrays.problem import Problem
from ...arrays.scaling import spread
from ..apart import restricted
from ..networks.markov import minimal_chain
from .passing import MOST_SPREAD, CliqueTable

#: Most entries of a table over several choices, beside as many as its feature has indices.
MOST_DENSE = 1 << 12
#: Most combinations of choices' values for which a deal is solved.
MOST_CASES = 4_096


@dataclass(frozen=True, eq=False)
class DealPart:
    """A deal with its evidence, which depends on some choices.

    Attributes:
        sites: Its sites in the whole problem.
        slots: Its slots in the whole problem.
        variables: Those of the choices.
        factors: Its factors: the feature of its own sites, what the values of each variable add to
            the index, and the weights.
        problem: The whole problem.
    """

    sites: Integers
    slots: Integers
    variables: tuple[int, ...]
    factors: Sequence[tuple[Additive, int, dict[int, Integers], Floats]]
    problem: Problem

    def case(self, values: Sequence[int]) -> Problem:
        """The problem of this deal alone.

        Args:
            values: Place of every variable's value among its options.
        """
        layout = self._layout
        place = dict(zip(self.variables, values, strict=True))
        factors: list[Factor] = []
        for additive, start, adds, weights in self.factors:
            first = start + sum(int(add[place[variable]]) for variable, add in adds.items())
            table = np.zeros(additive.size)
            here = weights[first : first + additive.size]
            table[: here.shape[0]] = here
            factors.append((None, additive, table))
        return Problem.empty(layout).with_factors(factors)

    def feature(self, additive: Additive) -> Additive | None:
        """The part of a feature that is about this deal; None if nothing is."""
        rows = np.flatnonzero(np.isin(additive.sites, self.sites))
        if not rows.size:
            return None
        return restricted(additive, rows, self.sites, self.slots, self._layout.copies)

    @cached_property
    def _layout(self) -> Layout:
        layout = self.problem.layout
        sites: list[int] = self.sites.tolist()
        slots: list[int] = self.slots.tolist()
        return make_layout(
            layout.copies[sites],
            layout.capacity[slots],
            np.ascontiguousarray(layout.allowed[np.ix_(self.sites, self.slots)]),
            tuple(layout.site_names[site] for site in sites),
            tuple(layout.slot_names[slot] for slot in slots),
            {},
        )


@dataclass(frozen=True, eq=False)
class ProblemParts:
    """A problem as variables, tables and deals.

    Attributes:
        problem: The problem.
        number: Variable of every open choice's site.
        options: Slots of every variable that stands for a choice.
        fixed: The slot of every choice that has one left.
        sizes: Number of values of every variable; those of chains come last.
        tables: Weights, by ascending variables; all positive somewhere, or nothing is possible.
        deals: The deals.
        log_constant: Log of what all weights are multiplied by.
    """

    problem: Problem
    number: dict[int, int]
    options: tuple[Integers, ...]
    fixed: dict[int, int]
    sizes: tuple[int, ...]
    tables: tuple[CliqueTable, ...]
    deals: tuple[DealPart, ...]
    log_constant: float

    @property
    def impossible(self) -> bool:
        """True if hard evidence on a choice leaves it no value."""
        return self.log_constant == -math.inf

    def split(self, additive: Additive) -> tuple[int, dict[int, Integers]]:
        """A feature's choices: what fixed ones add to its index, and each variable's values."""
        return _split(additive, self.number, self.options, self.fixed)


def index_by_values(start: int, adds: Iterable[Integers]) -> Integers:
    """The index of a feature by the values of some variables, one axis for each.

    Args:
        start: The index before any of them counts.
        adds: What the values of each add.
    """
    index: Integers = np.array(start)
    for add in adds:
        index = index[..., None] + add
    return index


def _split(
    additive: Additive,
    number: dict[int, int],
    options: Sequence[Integers],
    fixed: dict[int, int],
) -> tuple[int, dict[int, Integers]]:
    start = 0
    adds: dict[int, Integers] = {}
    for row, site in enumerate(additive.sites.tolist()):
        variable = number.get(site)
        if variable is not None:
            adds[variable] = additive.delta[row, options[variable]]
        elif site in fixed:
            start += int(additive.delta[row, fixed[site]])
    return start, adds


def take_apart(problem: Problem) -> ProblemParts:
    """The parts of a problem."""
    layout = problem.layout
    limited = layout.capacity >= 0
    of_deal = (layout.allowed[:, limited] != 0).any(axis=1)
    factors = problem.factors()
    nothing = ProblemParts(problem, {}, (), {}, (), (), (), -math.inf)
    alone: dict[int, list[Floats]] = {}
    several: list[tuple[Additive, Floats]] = []
    for additive, weights in factors:
        if additive.sites.shape[0] == 1 and not of_deal[additive.sites[0]]:
            site = int(additive.sites[0])
            alone.setdefault(site, []).append(weights[additive.delta[0]])
        else:
            several.append((additive, weights))
    number: dict[int, int] = {}
    options: list[Integers] = []
    fixed: dict[int, int] = {}
    tables: list[CliqueTable] = []
    log_constant = 0.0
    for site in np.flatnonzero(~of_deal).tolist():
        possible = layout.allowed[site] != 0
        for weights in alone.get(site, ()):
            possible &= weights > 0.0
        slots: Integers = np.flatnonzero(possible)
        if not slots.size:
            return nothing
        if slots.size == 1:
            fixed[site] = int(slots[0])
            for weights in alone.get(site, ()):
                log_constant += math.log(float(weights[slots[0]]))
            continue
        number[site] = len(options)
        for weights in alone.get(site, ()):
            tables.append(CliqueTable((len(options),), weights[slots]))
        options.append(slots)
    sizes = [slots.shape[0] for slots in options]
    dealt: list[tuple[Additive, Floats]] = []
    for additive, weights in several:
        if of_deal[additive.sites].any():
            dealt.append((additive, weights))
            continue
        start, adds = _split(additive, number, options, fixed)
        made, more = _tables(start, adds, weights, sizes)
        tables += made
        log_constant += more
    deals = _deals(problem, of_deal, dealt, number, options, fixed)
    return ProblemParts(
        problem,
        number,
        tuple(options),
        fixed,
        tuple(sizes),
        tuple(tables),
        deals,
        log_constant,
    )


def _tables(
    start: int, adds: dict[int, Integers], weights: Floats, sizes: list[int]
) -> tuple[list[CliqueTable], float]:
    """The tables of a weight on several choices, and the log of what multiplies them.

    Args:
        start: The index before any of them counts.
        adds: What the values of each add.
        weights: Weight by index.
        sizes: Number of values of every variable; those of a chain are added.
    """
    for variable, add in [*adds.items()]:
        if (add == add[0]).all():
            start += int(add[0])
            adds = {other: each for other, each in adds.items() if other != variable}
    if not adds:
        weight = float(weights[start])
        return [], math.log(weight) if weight > 0.0 else -math.inf
    scope = sorted(adds)
    entries = math.prod(sizes[variable] for variable in scope)
    if entries <= max(MOST_DENSE, 4 * weights.shape[0]):
        index = index_by_values(start, [adds[variable] for variable in scope])
        return [CliqueTable(tuple(scope), weights[index])], 0.0
    most = float(weights.max())
    if not most > 0.0:
        return [], -math.inf
    chain = minimal_chain([(each, adds[each]) for each in scope], start, weights / most)
    if not chain.weights.shape[0]:
        return [], -math.inf
    found: list[CliqueTable] = []
    before: tuple[int, ...] = ()
    last = len(chain.steps) - 1
    for place, (variable, step) in enumerate(zip(chain.cards, chain.steps, strict=True)):
        if place == last:
            values: Floats = np.where(step >= 0, chain.weights[np.maximum(step, 0)], 0.0)
            after: tuple[int, ...] = ()
        else:
            states = chain.steps[place + 1].shape[0]
            # One at the next state; the last column, for -1, is cut off.
            values = np.eye(states + 1)[step][:, :, :states]
            after = (len(sizes),) if states > 1 else ()
            if after:
                sizes.append(states)
            else:
                values = values[:, :, 0]
        if not before:
            values = values[0]
        # Ascending variables: the choice, the state before, the state after.
        elif values.ndim == 3:
            values = values.transpose(1, 0, 2)
        else:
            values = values.T
        found.append(CliqueTable((variable, *before, *after), values))
        before = after
    return found, math.log(most)


def _deals(
    problem: Problem,
    of_deal: np.ndarray[tuple[int], np.dtype[np.bool_]],
    factors: Sequence[tuple[Additive, Floats]],
    number: dict[int, int],
    options: Sequence[Integers],
    fixed: dict[int, int],
) -> tuple[DealPart, ...]:
    """The deals that no evidence ties to each other, with the choices that each depends on."""
    layout = problem.layout
    limited = np.flatnonzero(layout.capacity >= 0)
    group: dict[int, int] = {}

    def find(site: int) -> int:
        while group[site] != site:
            group[site] = group[group[site]]
            site = group[site]
        return site

    sites = np.flatnonzero(of_deal).tolist()
    for site in sites:
        group[site] = site
    ties = [np.flatnonzero(layout.allowed[:, slot]).tolist() for slot in limited.tolist()]
    ties += [[site for site in additive.sites.tolist() if of_deal[site]] for additive, _ in factors]
    for tied in ties:
        for site in tied[1:]:
            group[find(site)] = find(tied[0])
    found: list[DealPart] = []
    for first in dict.fromkeys(find(site) for site in sites):
        own = np.array([site for site in sites if find(site) == first], dtype=np.int64)
        slots = limited[(layout.allowed[np.ix_(own, limited)] != 0).any(axis=0)]
        mine: list[tuple[Additive, int, dict[int, Integers], Floats]] = []
        variables: dict[int, None] = {}
        for additive, weights in factors:
            rows = np.flatnonzero(np.isin(additive.sites, own))
            if rows.size:
                start, adds = _split(additive, number, options, fixed)
                inner = restricted(additive, rows, own, slots, layout.copies[own])
                mine.append((inner, start, adds, weights))
                variables.update(dict.fromkeys(adds))
        found.append(DealPart(own, slots, tuple(sorted(variables)), mine, problem))
    # Places that nothing may be in must be empty.
    return tuple(found)


def strong(parts: ProblemParts) -> bool:
    """True if the tables on some variable alone are too far apart for plain floats."""
    spreads: dict[int, float] = {}
    for table in parts.tables:
        if len(table.scope) == 1:
            variable = table.scope[0]
            spreads[variable] = spreads.get(variable, 0.0) + spread(table.weights)
    return max(spreads.values(), default=0.0) > MOST_SPREAD
