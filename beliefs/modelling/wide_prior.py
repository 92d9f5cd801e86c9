"""The prior of a declaration of very many values, before any evidence.

Its parts are independent, but for choices whose prior depends on another part: they are drawn after
what they depend on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.errors import CostError
from ..arrays.layout import Additive, Bools, Floats, Integers, Layout, make_layout
from ..arrays.problem import Problem
from ..engines.apart import SolutionInParts, parts_of
from ..engines.base import Solution, Worlds
from ..engines.partial_deals.graph import build


@dataclass(frozen=True, eq=False)
class SingleSite:
    """A choice, or where a walk starts.

    Attributes:
        site: Its site.
        slots: The slots of its values.
        weights: The prior weight of each.
    """

    site: int
    slots: Integers
    weights: Floats

    def draw(self, worlds: NDArray[Any], cards: Integers, rng: np.random.Generator) -> Integers:
        """A slot for each world; of the worlds nothing matters but how many they are."""
        shares = self.weights / self.weights.sum()
        return rng.choice(self.slots, size=len(worlds), p=shares)


@dataclass(frozen=True, eq=False)
class DependentSite:
    """A choice whose prior depends on other sites.

    Attributes:
        site: Its site.
        slots: The slots of its values.
        row: Its row in the feature.
        additive: The feature of what it depends on and its own value together.
        table: The prior weight of each value of the feature.
    """

    site: int
    slots: Integers
    row: int
    additive: Additive
    table: Floats

    @property
    def parents(self) -> list[tuple[int, Integers]]:
        """The sites it depends on, and what a copy of each in each slot adds to the index."""
        every = zip(self.additive.sites.tolist(), self.additive.delta, strict=True)
        return [(site, delta) for row, (site, delta) in enumerate(every) if row != self.row]

    def draw(self, worlds: NDArray[Any], cards: Integers, rng: np.random.Generator) -> Integers:
        """A slot for each world, given where its parents are in it; ``cards`` are their sites."""
        index = np.zeros(len(worlds), dtype=np.int64)
        for site, delta in self.parents:
            index += delta[worlds[:, cards == site]].sum(axis=1)
        own = self.additive.delta[self.row, self.slots]
        drawn = np.empty(len(worlds), dtype=np.int64)
        for each in np.unique(index):
            here = index == each
            weights = self.table[each + own]
            drawn[here] = rng.choice(self.slots, size=here.sum(), p=weights / weights.sum())
        return drawn


@dataclass(frozen=True, eq=False)
class WidePrior:
    """Deals without evidence, and values that are drawn beside them.

    Attributes:
        problem: The declaration.
        limited: Slots of holders.
        dealt: Cards of deals, by their numbers.
        deals: Their solution; None where nothing is dealt.
        singles: Everything else, a part after those that it depends on.
        constant: Log of what every world is multiplied by besides.
    """

    problem: Problem
    limited: Integers
    dealt: Integers
    deals: Solution | None
    singles: Sequence[SingleSite | DependentSite]
    constant: float

    @property
    def log_weight(self) -> float:
        """Log of the total weight; minus infinity when nothing can be dealt so."""
        found = self.constant + (0.0 if self.deals is None else self.deals.log_weight)
        # Weights that depend on other parts sum to one, whatever those are.
        alone = (each for each in self.singles if isinstance(each, SingleSite))
        return found + sum(float(np.log(each.weights.sum())) for each in alone)

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, shape (count, cards)."""
        cards = self.problem.layout.card_sites
        worlds = np.zeros((count, cards.shape[0]), dtype=np.int32)
        if self.deals is not None:
            worlds[:, self.dealt] = self.limited[self.deals.draw(count, rng)]
        for each in self.singles:
            worlds[:, cards == each.site] = each.draw(worlds, cards, rng)[:, np.newaxis]
        return worlds  # pyright: ignore[reportReturnType]  # wide worlds need more than a byte


def wide_prior(problem: Problem) -> WidePrior:
    """The solution of a declaration without evidence.

    Raises:
        CostError: The deals are too large to be dealt from exactly.
    """
    layout = problem.layout
    is_limited: Bools = np.asarray(layout.capacity >= 0)
    limited: Integers = np.flatnonzero(is_limited)
    of_deal: Bools = np.asarray(layout.allowed[:, is_limited].any(axis=1))
    singles, constant = _in_order(problem, np.flatnonzero(~of_deal).tolist())
    sites: Integers = np.flatnonzero(of_deal)
    deals: Solution | None = None
    if sites.size:
        deals = _dealt(
            Problem.empty(
                make_layout(
                    layout.copies.take(sites),
                    layout.capacity.take(limited),
                    layout.allowed.take(sites, axis=0).take(limited, axis=1),
                    tuple(layout.site_names[site] for site in map(int, sites)),
                    tuple(layout.slot_names[slot] for slot in map(int, limited)),
                    {},
                )
            )
        )
    dealt: Integers = np.flatnonzero(of_deal[layout.card_sites])
    return WidePrior(problem, limited, dealt, deals, singles, constant)


def _dealt(problem: Problem) -> Solution:
    """The solution of deals that nothing ties together, each by itself.

    Raises:
        CostError: One of them is too large.
    """
    parts = parts_of(problem)
    solutions: list[Solution] = []
    for part in parts:
        found = build(part.problem)
        if found is None:
            raise CostError("the declaration is too large to be dealt from exactly")
        solutions.append(found)
    return solutions[0] if len(parts) == 1 else SolutionInParts(problem, parts, solutions)


def _in_order(
    problem: Problem, sites: Sequence[int]
) -> tuple[list[SingleSite | DependentSite], float]:
    """The sites that are not dealt, each after those that its prior depends on, and a constant."""
    layout = problem.layout
    weights: dict[int, Floats] = {}
    found: dict[int, SingleSite | DependentSite] = {}
    constant = 0.0
    # A prior whose weights lie far apart stands in several factors.
    for additive, table in problem.factors():
        if additive.sites.shape[0] == 1:
            site = int(additive.sites[0])
            weights[site] = table[additive.delta[0]] * weights.get(site, 1.0)
    for additive, table in problem.factors():
        if table.min() == table.max():
            # It depends on nothing, and of what it says it cannot be seen which choice it is of.
            if additive.sites.shape[0] > 1:
                constant += float(np.log(table[0]))
        elif additive.sites.shape[0] > 1:
            row = _own_row(additive, layout, weights)
            site = int(additive.sites[row])
            known = found.get(site)
            if isinstance(known, DependentSite):
                table = table * known.table
            found[site] = DependentSite(site, _slots(layout, site), row, additive, table)
    for site in sites:
        if site not in found:
            slots = _slots(layout, site)
            found[site] = SingleSite(
                site, slots, weights.get(site, np.ones(layout.slot_count))[slots]
            )
    above = {
        site: [parent for parent, _ in each.parents if parent in found]
        if isinstance(each, DependentSite)
        else []
        for site, each in found.items()
    }
    return [found[site] for site in TopologicalSorter(above).static_order()], constant


def _slots(layout: Layout, site: int) -> Integers:
    return np.flatnonzero(layout.allowed[site])


def _own_row(additive: Additive, layout: Layout, weights: dict[int, Floats]) -> int:
    """The row of the choice whose prior it is: its values count up by one (`prior_table`).

    What it depends on counts up by as many as it has values; of a choice of one value all weights
    are the same.
    """
    rows: list[tuple[int, int]] = []
    for row, site in enumerate(additive.sites.tolist()):
        own = additive.delta[row, _slots(layout, site)]
        if site not in weights and np.array_equal(own, np.arange(len(own))):
            rows.append((len(own), row))
    return max(rows)[1]
