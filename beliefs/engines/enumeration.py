"""Exact inference by listing every deal: slow, simple, and the oracle of the tests.

Nothing is shared with the other engines but the declaration itself. Identical copies are
listed as counts, each weighted by the number of physical deals it stands for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...data.errors import CostError
from ..problem import Additive, Floats, Integers, Layout, Problem
from .base import EXACT, Cost, Diagnostics, Options, Unsupported, Worlds, worlds_from_options

#: Most worlds that are listed.
MOST_WORLDS = 2_000_000
#: So many worlds are not counted any better before they are listed.
FEW_WORLDS = 10_000
#: Edges of the graph that counts the deals before they are listed.
COUNTING_EDGES = 1 << 16


@dataclass(frozen=True, eq=False)
class Listing:
    """Every deal and its weight.

    Attributes:
        problem: What was enumerated.
        placed: Copies by slot of every option of any site, shape (options, slots).
        chosen: Option of every site in every world, shape (worlds, sites).
        weights: Weight of every world, shape (worlds,); not normalised, so that counts stay whole.
    """

    problem: Problem
    placed: Integers
    chosen: Integers
    weights: Floats
    log_weight: float
    exact: bool = True
    diagnostics: Diagnostics = EXACT

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        result = np.zeros((self.chosen.shape[1], self.placed.shape[1]))
        for site in range(self.chosen.shape[1]):
            mass = np.bincount(
                self.chosen[:, site], weights=self.weights, minlength=self.placed.shape[0]
            )
            result[site] = mass @ self.placed
        return result / self.weights.sum()

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,)."""
        index = _index(feature, self.placed, self.chosen)
        mass = np.bincount(index, weights=self.weights, minlength=feature.size)
        return mass.astype(np.float64) / self.weights.sum()

    @cached_property
    def worlds(self) -> Worlds:
        """Every world, shape (worlds, cards)."""
        return worlds_from_options(self.problem, self.placed, self.chosen)

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


def _index(feature: Additive, placed: Integers, chosen: Integers) -> Integers:
    index = np.zeros(chosen.shape[0], dtype=np.int64)
    for row, site in enumerate(feature.sites):
        index += (placed @ feature.delta[row])[chosen[:, site]]
    return index


def compositions(total: int, limits: list[int]) -> list[tuple[int, ...]]:
    """Every way to write ``total`` as a sum of parts within their limits."""
    if not limits:
        return [()] if total == 0 else []
    return [
        (part, *rest)
        for part in range(min(total, limits[0]), max(total - sum(limits[1:]), 0) - 1, -1)
        for rest in compositions(total - part, limits[1:])
    ]


def site_compositions(layout: Layout) -> list[list[tuple[int, ...]]]:
    """Every way to place the copies of each site."""
    result: list[list[tuple[int, ...]]] = []
    for site in range(layout.site_count):
        copies = int(layout.copies[site])
        limits = [
            0 if not layout.allowed[site, slot] else copies if size < 0 else min(copies, int(size))
            for slot, size in enumerate(layout.capacity)
        ]
        result.append(compositions(copies, limits))
    return result


@dataclass(frozen=True)
class Enumeration:
    """List every deal."""

    name: str = "enumeration"
    exact: bool = True
    summary: str = "anything small: lists every deal; the oracle of the tests"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        worlds = _count_bound(problem)
        steps = worlds * (problem.layout.site_count + 2 * problem.factor_site.shape[0])
        # Listing site by site in NumPy takes about a millisecond before anything is counted.
        if worlds > MOST_WORLDS:
            return Cost(operations=1e30, reason=f"it lists at most {MOST_WORLDS:,} worlds")
        return Cost(operations=1e6 + steps, bytes=worlds * 9)

    def solve(self, problem: Problem, options: Options) -> Listing:
        layout = problem.layout
        options_of = site_compositions(layout)
        placed: list[tuple[int, ...]] = []
        ways: list[float] = []
        chosen = np.zeros((1, layout.site_count), dtype=np.int64)
        weights, power = np.ones(1), 0
        limited = layout.capacity >= 0
        left: Integers = np.where(limited, layout.capacity, 0)[None, :].astype(np.int64)
        pending = [
            ({int(site) for site in additive.sites}, additive, table)
            for additive, table in problem.factors()
        ]
        done: set[int] = set()
        for site in sorted(range(layout.site_count), key=lambda site: len(options_of[site])):
            numbers = [*range(len(placed), len(placed) + len(options_of[site]))]
            placed.extend(options_of[site])
            copies = int(layout.copies[site])
            ways.extend(
                math.factorial(copies) / math.prod(math.factorial(part) for part in option)
                for option in options_of[site]
            )
            parts: list[tuple[Integers, Floats, Integers]] = []
            for number, option in zip(numbers, options_of[site], strict=True):
                after = left - np.where(limited, np.array(option, dtype=np.int64), 0)
                fits = (after >= 0).all(axis=1)
                rows = chosen[fits]
                rows[:, site] = number
                parts.append((rows, weights[fits] * ways[number], after[fits]))
            total = sum(part[0].shape[0] for part in parts)
            if total > MOST_WORLDS:
                raise CostError(
                    f"enumeration would list more than {MOST_WORLDS:,} worlds",
                    hint="take method='auto' or 'card_by_card'",
                )
            if not parts or total == 0:
                return _none_left(problem)
            chosen = np.concatenate([part[0] for part in parts])
            weights = np.concatenate([part[1] for part in parts])
            left = np.concatenate([part[2] for part in parts])
            done.add(site)
            # A factor is weighed as soon as all its sites are placed.
            table_of_options = np.array(placed, dtype=np.int64)
            still: list[tuple[set[int], Additive, Floats]] = []
            for sites, additive, table in pending:
                if not sites <= done:
                    still.append((sites, additive, table))
                    continue
                weights = weights * table[_index(additive, table_of_options, chosen)]
                keep = weights > 0.0
                chosen, weights, left = chosen[keep], weights[keep], left[keep]
                # Powers of two lose no digits; many small weights would underflow.
                exponent = math.frexp(float(weights.max(initial=0.0)))[1]
                weights, power = np.ldexp(weights, -exponent), power + exponent
            pending = still
        keep = (left == 0).all(axis=1)
        chosen, weights = chosen[keep], weights[keep]
        total_weight = float(weights.sum())
        if total_weight <= 0.0:
            return _none_left(problem)
        return Listing(
            problem,
            np.array(placed, dtype=np.int64),
            chosen,
            weights,
            math.log(total_weight) + power * math.log(2.0),
        )


def most_worlds(layout: Layout) -> float:
    """No fewer than the physical deals of a declaration: every copy lies anywhere it may."""
    places: Floats = layout.allowed.sum(axis=1).astype(np.float64)
    return float(np.prod(np.power(places, layout.copies)))


def _count_bound(problem: Problem) -> float:
    """The number of deals that sizes and hard single-site evidence allow; physical ones."""
    from .card_by_card import build, narrow

    at_most = most_worlds(problem.layout)
    if at_most <= FEW_WORLDS:
        return at_most
    narrowed = narrow(problem)
    if not math.isfinite(narrowed.constant):
        return 1.0
    layout = problem.layout
    sized = Layout(layout.copies, layout.capacity, narrowed.allowed, (), (), {}, {}, {})
    # More edges than this belong to far more deals than can be listed.
    graph = build(Problem.empty(sized), most_edges=COUNTING_EDGES)
    if graph is None or graph.log_weight > 40.0:
        return 1e30
    return math.exp(graph.log_weight)


def _none_left(problem: Problem) -> Listing:
    none = np.zeros((0, problem.layout.site_count), dtype=np.int64)
    return Listing(
        problem,
        np.zeros((0, problem.layout.slot_count), dtype=np.int64),
        none,
        np.zeros(0),
        -math.inf,
    )


ENGINE = Enumeration()
