"""Exact inference by listing every deal: slow, simple, and the oracle of the tests.

Nothing is shared with the other engines but the declaration itself. Identical copies are
listed as counts, each weighted by the number of physical deals it stands for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...data.errors import CostError
from ..arrays.problem import MOST_PLACES, Additive, Floats, Integers, Layout, Problem
from ..arrays.scaling import LEAST_WEIGHT
from .abilities import Gaining, Holding
from .base import (
    EXACT,
    Cost,
    Diagnostics,
    EngineOptions,
    Unsupported,
    Worlds,
    weighted_joint,
    worlds_from_options,
)
from .listed import Listed, option_index

#: Most worlds that are listed.
MOST_WORLDS = 2_000_000
#: Most numbers that they are listed in, one for each site of each: a second.
MOST_NUMBERS = 40_000_000
#: So few sites do not make the list shorter.
FEW_SITES = 100
#: So many worlds are not counted any better before they are listed.
FEW_WORLDS = 10_000
#: Edges of the graph that counts the deals before they are listed.
COUNTING_EDGES = 1 << 16


@dataclass(frozen=True, eq=False, kw_only=True)
class Enumerated(Listed, Gaining, Holding):
    """Every deal and its weight; weights are not normalised, so that counts stay whole.

    Attributes:
        problem: What was enumerated.
        log_weight: Log of the total weight; minus infinity when no deal is left.
    """

    problem: Problem
    log_weight: float
    exact: bool = True
    diagnostics: Diagnostics = EXACT

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        layout = self.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        for site, copies in enumerate(layout.copies.tolist()):
            mass = np.bincount(
                self.chosen[:, site], weights=self.weights, minlength=self.lies.shape[0]
            )
            options = np.flatnonzero(mass)
            for copy in range(copies):
                np.add.at(result[site], self.lies[options, copy], mass[options])
        return result / self.weights.sum()

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,)."""
        return weighted_joint(self.index_of(feature), self.weights, feature.size)

    @property
    def worlds(self) -> Worlds:
        """Every world, shape (worlds, cards)."""
        return self._worlds

    @cached_property
    def _worlds(self) -> Worlds:
        return worlds_from_options(self.problem, self.lies, self.chosen)

    @cached_property
    def _cumulative(self) -> Floats | None:
        """For each world the probability of it and those before it; None when all are equal."""
        if (self.weights == self.weights[0]).all():
            return None
        cumulative = np.cumsum(self.weights / self.weights.sum())
        return cumulative / cumulative[-1]

    def draw_rows(self, count: int, rng: np.random.Generator) -> Integers:
        """Numbers of worlds, each drawn with its probability, shape (count,)."""
        if self._cumulative is None:
            return (rng.random(count) * self.weights.shape[0]).astype(np.int64)
        return self._cumulative.searchsorted(rng.random(count), side="right")

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, shape (count, cards)."""
        return self.worlds[self.draw_rows(count, rng)]


def places_of(layout: Layout, site: int) -> list[tuple[int, ...]]:
    """Every way to place the copies of a site: the slot of each copy, ascending."""
    slots = np.flatnonzero(layout.allowed[site]).tolist()
    copies = int(layout.copies[site])
    if copies == 1:
        return [(slot,) for slot in slots if layout.capacity[slot]]
    room = [copies if size < 0 else min(copies, size) for size in layout.capacity[slots].tolist()]

    def go(first: int, left: int) -> Iterator[tuple[int, ...]]:
        if left == 0:
            yield ()
            return
        for place in range(first, len(slots)):
            if sum(room[place:]) < left:
                return
            for here in range(min(room[place], left), 0, -1):
                for rest in go(place + 1, left - here):
                    yield (slots[place],) * here + rest

    return list(go(0, copies))


@dataclass(frozen=True)
class Enumeration:
    """List every deal.

    Attributes:
        most: Most worlds that it lists, also before all is placed.
    """

    name: str = "enumeration"
    exact: bool = True
    summary: str = "anything small: lists every deal; the oracle of the tests"
    most: int = MOST_WORLDS

    def cost(self, problem: Problem) -> Cost | Unsupported:
        worlds = _count_bound(problem)
        steps = worlds * (problem.layout.site_count + 2 * problem.factor_site.shape[0])
        # Listing site by site in NumPy takes about a millisecond before anything is counted.
        if worlds > MOST_WORLDS:
            # Among many places evidence on several variables may leave few enough.
            bound = problem.layout.place_count > MOST_PLACES
            reason = f"it lists at most {MOST_WORLDS:,} worlds"
            return Cost(operations=1e30, bound=bound, reason=reason)
        return Cost(operations=1e6 + steps, bytes=worlds * 9)

    def solve(self, problem: Problem, options: EngineOptions) -> Enumerated:
        layout = problem.layout
        options_of = [places_of(layout, site) for site in range(layout.site_count)]
        most = int(layout.copies.max(initial=1))
        lies = np.full((sum(len(each) for each in options_of), most), -1, dtype=np.int64)
        first = 0
        chosen: Integers = np.zeros((1, layout.site_count), dtype=np.int64)
        # Logarithms to base two where plain floats would lose some of the weights.
        strong = problem.strong
        weights: Floats = np.zeros(1) if strong else np.ones(1)
        power = 0.0
        # Room is kept for slots with a limit alone: a choice may have thousands of others.
        limited: Any = layout.capacity >= 0
        room: Integers = layout.capacity[limited]
        left: Integers = room[None, :]
        pending = [
            ({int(site) for site in additive.sites}, additive, table)
            for additive, table in problem.factors()
        ]
        done: set[int] = set()
        for site in sorted(range(layout.site_count), key=lambda site: len(options_of[site])):
            copies, options_here = int(layout.copies[site]), options_of[site]
            numbers: list[int] = list(range(first, first + len(options_here)))
            lies[first : first + len(options_here), :copies] = options_here
            first += len(options_here)
            parts: list[tuple[Integers, Floats, Integers]] = []
            if copies == 1 and not limited[layout.allowed[site] == 1].any():
                # A choice: every world goes on with each of its values.
                worlds = chosen.shape[0]
                refuse_more(worlds * len(options_here), layout.site_count, self.most)
                rows = np.tile(chosen, (len(options_here), 1))
                rows[:, site] = np.repeat(numbers, worlds)
                count = len(options_here)
                again: Floats = np.tile(weights, count)
                as_much: Integers = np.tile(left, (count, 1))
                parts = [(rows, again, as_much)]
            else:
                for number, option in zip(numbers, options_here, strict=True):
                    taken = np.bincount(option, minlength=layout.slot_count)
                    after: Integers = left - taken[limited]
                    fits: Any = (after >= 0).all(axis=1)
                    rows: Integers = chosen[fits]
                    rows[:, site] = number
                    ways = math.factorial(copies) / math.prod(map(math.factorial, taken.tolist()))
                    heavy = weights[fits]
                    heavy = heavy + math.log2(ways) if strong else heavy * ways
                    parts.append((rows, heavy, after[fits]))
            total = sum(part[0].shape[0] for part in parts)
            refuse_more(total, layout.site_count, self.most)
            if not parts or total == 0:
                return _none_left(problem)
            chosen = np.concatenate([part[0] for part in parts])
            weights = np.concatenate([part[1] for part in parts])
            left = np.concatenate([part[2] for part in parts])
            done.add(site)
            # A factor is weighed as soon as all its sites are placed.
            still: list[tuple[set[int], Additive, Floats]] = []
            for sites, additive, table in pending:
                if not sites <= done:
                    still.append((sites, additive, table))
                    continue
                found = table[option_index(additive, lies, chosen)]
                keep: Any = found > 0.0
                chosen, weights, left = chosen[keep], weights[keep], left[keep]
                if strong:
                    weights = weights + np.log2(found[keep])
                    continue
                weights = weights * found[keep]
                # Powers of two lose no digits; many small weights would underflow.
                exponent = math.frexp(float(weights.max(initial=0.0)))[1]
                weights, power = np.ldexp(weights, -exponent), power + exponent
            pending = still
        keep = (left == 0).all(axis=1)
        chosen, weights = chosen[keep], weights[keep]
        if not weights.shape[0]:
            return _none_left(problem)
        if strong:
            power = float(weights.max())
            weights = np.maximum(np.exp2(weights - power), LEAST_WEIGHT)
        total_weight = float(weights.sum())
        return Enumerated(
            lies,
            chosen,
            weights,
            problem=problem,
            log_weight=math.log(total_weight) + power * math.log(2.0),
        )


def refuse_more(worlds: int, sites: int, most: int = MOST_WORLDS) -> None:
    """Refuse to list more worlds than ``most``, or fewer of very many sites.

    Raises:
        CostError: There are more.
    """
    most = most if sites <= FEW_SITES else min(most, MOST_NUMBERS // sites)
    if worlds > most:
        raise CostError(
            f"enumeration would list more than {most:,} worlds",
            hint="take method='auto' or 'card_by_card'",
        )


def most_worlds(layout: Layout) -> float:
    """No fewer than the physical deals of a declaration: every copy lies anywhere it may."""
    places: Floats = layout.allowed.sum(axis=1).astype(np.float64)
    with np.errstate(over="ignore"):  # far too many is infinitely many
        return float(np.prod(np.power(places, layout.copies)))


def _count_bound(problem: Problem) -> float:
    """The number of deals that sizes and hard single-site evidence allow; physical ones."""
    from .partial_deals.graph import build, narrow

    at_most = most_worlds(problem.layout)
    if at_most <= FEW_WORLDS:
        return at_most
    narrowed = narrow(problem)
    if not math.isfinite(narrowed.constant):
        return 1.0
    layout = problem.layout
    if layout.place_count > MOST_PLACES:
        # A graph of so many places is larger than the list.
        return most_worlds(replace(layout, allowed=narrowed.allowed))
    sized = Layout(layout.copies, layout.capacity, narrowed.allowed, (), (), {}, {}, {})
    # More edges than this belong to far more deals than can be listed.
    graph = build(Problem.empty(sized), most_edges=COUNTING_EDGES)
    if graph is None or graph.log_weight > 40.0:
        return 1e30
    return math.exp(graph.log_weight)


def _none_left(problem: Problem) -> Enumerated:
    lies = np.zeros((0, 1), dtype=np.int64)
    none = np.zeros((0, problem.layout.site_count), dtype=np.int64)
    return Enumerated(lies, none, np.zeros(0), problem=problem, log_weight=-math.inf)


ENGINE = Enumeration()
