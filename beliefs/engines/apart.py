"""A problem in parts that nothing ties together, each solved by itself.

Any exact engine can answer so: an index of a feature is a sum, so its distribution over several
parts is the convolution of theirs.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays.layout import Additive, Factor, Floats, Integers, make_layout, number_type
from ..arrays.problem import Problem
from .base import EXACT, Diagnostics, Solution, Worlds


@dataclass(frozen=True, eq=False)
class ProblemPart:
    """Some sites of a problem that no evidence ties to the others.

    Attributes:
        sites: The sites in the whole problem, ascending.
        slots: The slots in the whole problem, ascending.
        problem: The problem of these alone.
    """

    sites: Integers
    slots: Integers
    problem: Problem

    def feature(self, whole: Additive) -> Additive | None:
        """The share of this part in a feature; None if there is none."""
        rows = np.flatnonzero(np.isin(whole.sites, self.sites))
        if not rows.size:
            return None
        return restricted(whole, rows, self.sites, self.slots, self.problem.layout.copies)


def restricted(
    additive: Additive, rows: Integers, sites: Integers, slots: Integers, copies: Integers
) -> Additive:
    """A feature on some of its sites, numbered anew.

    Args:
        additive: The feature.
        rows: Its rows that are kept.
        sites, slots: What is kept of the problem.
        copies: Copies of the sites that are kept.
    """
    delta = np.ascontiguousarray(additive.delta[np.ix_(rows, slots)])
    own = np.searchsorted(sites, additive.sites[rows])
    most = int((delta.max(axis=1) * copies[own]).sum())
    return Additive(own.astype(np.int64), delta, min(most + 1, additive.size))


def connected(problem: Problem) -> list[Integers]:
    """The sites of every part of a problem, ascending.

    Sites are tied by a slot with a limit that both may be in, and by a factor on both.
    """
    layout = problem.layout
    above = [*range(layout.site_count)]

    def find(site: int) -> int:
        while above[site] != site:
            above[site] = above[above[site]]
            site = above[site]
        return site

    ties: list[list[int]] = [
        np.flatnonzero(layout.allowed[:, slot]).tolist()
        for slot in np.flatnonzero(layout.capacity >= 0).tolist()
    ]
    arrays = problem.arrays
    ends: list[int] = arrays.start.tolist()
    sites: list[int] = arrays.site.tolist()
    ties += [sites[first:last] for first, last in itertools.pairwise(ends)]
    for tied in ties:
        for site in tied[1:]:
            above[find(site)] = find(tied[0])
    found: dict[int, list[int]] = {}
    for site in range(layout.site_count):
        found.setdefault(find(site), []).append(site)
    return [np.array(each, dtype=np.int64) for each in found.values()]


def parts_of(problem: Problem) -> list[ProblemPart]:
    """The parts of a problem."""
    layout = problem.layout
    groups = connected(problem)
    number = np.zeros(layout.site_count, dtype=np.int64)
    for place, group in enumerate(groups):
        number[group] = place
    factors: list[list[tuple[Additive, Floats]]] = [[] for _ in groups]
    for additive, table in problem.factors():
        factors[number[additive.sites[0]] if additive.sites.size else 0].append((additive, table))
    names = [layout.slot_names[slot] for slot in range(layout.slot_count)]
    found: list[ProblemPart] = []
    for sites, mine in zip(groups, factors, strict=True):
        slots: Integers = np.flatnonzero(layout.allowed[sites].any(axis=0))
        numbers: list[int] = sites.tolist()
        open_slots: list[int] = slots.tolist()
        owners = [layout.site_names[site] for site in numbers]
        small = make_layout(
            layout.copies[sites],
            layout.capacity[slots],
            np.ascontiguousarray(layout.allowed[np.ix_(sites, slots)]),
            tuple(owners),
            tuple(names[slot] for slot in open_slots),
            {name: layout.values[name] for name, _ in owners if name in layout.values},
        )
        own: list[Factor] = []
        for additive, table in mine:
            rows = np.arange(additive.sites.shape[0], dtype=np.int64)
            inner = restricted(additive, rows, sites, slots, small.copies)
            own.append((None, inner, table[: inner.size]))
        found.append(ProblemPart(sites, slots, Problem.empty(small).with_factors(own)))
    return found


@dataclass(frozen=True, eq=False)
class SolutionInParts:
    """The solutions of all parts of a problem, as one.

    Attributes:
        problem: The whole problem.
        parts: Its parts.
        solutions: The solution of each.
    """

    problem: Problem
    parts: Sequence[ProblemPart]
    solutions: Sequence[Solution]

    exact: bool = True
    diagnostics: Diagnostics = EXACT

    @property
    def log_weight(self) -> float:
        """Log of the total weight of all deals; minus infinity when none is left."""
        return sum(
            solution.log_weight - part.problem.log_norm
            for part, solution in zip(self.parts, self.solutions, strict=True)
        )

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        layout = self.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        for part, solution in zip(self.parts, self.solutions, strict=True):
            result[np.ix_(part.sites, part.slots)] = solution.expected()
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,)."""
        shares: Floats = np.ones(1)
        sums: Integers = np.zeros(1, dtype=np.int64)
        for part, solution in zip(self.parts, self.solutions, strict=True):
            inner = part.feature(feature)
            if inner is None:
                continue
            found = solution.joint(inner)
            index = np.flatnonzero(found)
            sums, places = np.unique(sums[:, None] + index[None, :], return_inverse=True)
            both = np.outer(shares, found[index])
            shares = np.bincount(places.ravel(), both.ravel()).astype(np.float64)
        result = np.zeros(feature.size)
        held = shares > 0.0
        result[sums[held]] = shares[held]
        return result

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Worlds from the posterior: every part is drawn by itself, shape (count, cards)."""
        layout = self.problem.layout
        cards = layout.card_sites
        worlds = np.zeros((count, len(cards)), dtype=number_type(layout.slot_count))
        for part, solution in zip(self.parts, self.solutions, strict=True):
            columns = np.flatnonzero(np.isin(cards, part.sites))
            worlds[:, columns] = part.slots[solution.draw(count, rng)]
        return worlds
