"""Exact inference site by site: forward and backward over the graph of partial deals.

The state is what is left in every slot and where every open factor stands; see `layers`. It
solves every declaration (distinct items, identical copies, choices, whole networks), and is
cheap when few factors are open at a time. For Clue it has a few thousand edges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....data.errors import CostError
from ...arrays.problem import Problem
from ..base import Cost, EngineOptions, Unsupported
from .graph import MOST_BITS, MOST_EDGES, key_bits, narrow
from .graph import Graph as Graph
from .graph import build as build
from .order import reading_order

#: Edges of a graph that is built to see what it costs: a fraction of a second at most.
TRIAL_EDGES = 1 << 20
#: The same without deals: with more, a junction tree is mostly quicker than the trial.
TRIAL_EDGES_OF_CHOICES = 1 << 15
#: Edges of a first trial without deals. A second one has no prospect where so many edges are
#: estimated, nor is it worth its time where the tables of a junction tree are so small.
FIRST_EDGES = 1 << 13
HOPELESS_EDGES = 1 << 17
SMALL_ENTRIES = 1 << 18


@dataclass(frozen=True)
class CardByCard:
    """Forward and backward over partial deals, one site at a time."""

    name: str = "card_by_card"
    exact: bool = True
    summary: str = (
        "any declaration, by a graph of partial deals instead of deals; the default for Clue"
    )

    def cost(self, problem: Problem) -> Cost | Unsupported:
        if key_bits(problem) > MOST_BITS:
            return Unsupported(f"the sizes of all holders do not fit one {MOST_BITS}-bit key")
        # Bounds are far too high where much is known, so a small graph is simply built.
        most = TRIAL_EDGES if problem.layout.has_deals else TRIAL_EDGES_OF_CHOICES
        trial = self._trial(problem, most)
        if trial is not None:
            problem.cache["graph"] = trial
            return Cost(operations=1e4 + 100.0 * trial.edges, bytes=100.0 * trial.edges)
        estimate = max(self._estimate(problem), most)
        return Cost(operations=1e4 + 100.0 * estimate, bound=True)

    def _trial(self, problem: Problem, most: int) -> Graph | None:
        """The graph, where it has at most so many edges and is worth a trial."""
        if not problem.layout.has_deals:
            first = build(problem, most_edges=FIRST_EDGES)
            if first is not None or self._is_hopeless(problem):
                return first
        return build(problem, most_edges=most)

    def _is_hopeless(self, problem: Problem) -> bool:
        """True if a graph of choices is likely to be large, and a junction tree to be small."""
        from ..junction.plan import plan

        if self._estimate(problem) <= HOPELESS_EDGES:
            return False
        return plan(problem).elimination.entries <= SMALL_ENTRIES

    def _estimate(self, problem: Problem) -> float:
        """An upper bound on the edges: per layer, capacities left times states of open factors."""
        layout = problem.layout
        narrowed = narrow(problem)
        if not math.isfinite(narrowed.constant):
            return 1.0
        order = reading_order(layout.capacity, narrowed.allowed, problem.arrays, narrowed.alive)
        layer_of = np.argsort(order)
        open_bits = np.zeros(order.shape[0] + 1)
        for index in range(problem.factor_count):
            if not narrowed.alive[index]:
                continue
            additive, _ = problem.factor(index)
            layers = np.sort(layer_of[additive.sites])
            for position in range(layers.shape[0] - 1):
                states = min(2.0 ** (position + 1), max(2.0, additive.size / 2.0))
                open_bits[layers[position] + 1 : layers[position + 1] + 1] += math.log2(states)
        total = 0.0
        for layer in range(order.shape[0]):
            site = order[layer]
            options = float(narrowed.allowed[site].sum()) ** float(layout.copies[site])
            sized = [
                float(min(layout.capacity[slot], layer)) + 1.0
                for slot in range(layout.slot_count)
                if layout.capacity[slot] > 0
            ]
            # One capacity follows from the others, so the largest does not count.
            left = sum(math.log2(size) for size in sized) - (math.log2(max(sized)) if sized else 0)
            total += options * 2.0 ** min(left + open_bits[layer], 200.0)
        return total

    def solve(self, problem: Problem, options: EngineOptions) -> Graph:
        graph = problem.cache.get("graph") or build(problem, most_edges=MOST_EDGES)
        if graph is None:
            raise CostError(
                f"its graph of partial deals would have more than {MOST_EDGES:,} edges",
                hint="try another exact engine, or an approximate one",
            )
        return graph


ENGINE = CardByCard()
