"""Exact inference site by site: forward and backward over the graph of partial deals.

The state is what is left in every slot and where every open factor stands; see `layers`. It
solves every declaration (distinct items, identical copies, choices, whole networks), and is
cheap when few factors are open at a time. For Clue it has a few thousand edges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...data.errors import CostError
from ..problem import Additive, Factor, Floats, Integers, Narrowed, Problem
from .base import (
    EXACT,
    Cost,
    Diagnostics,
    GainQuestion,
    Options,
    Unsupported,
    Worlds,
    placements,
    worlds_from_options,
)
from .conditioning import condition_layers, packed
from .labels import (
    backward_labels,
    boundary_costs,
    combined_gain,
    forward_labels,
    joint_shares,
)
from .layers import draw_paths, edge_marginals, partial_deals
from .order import reading_order
from .propagation import propagate

#: Most edges a graph may have: some seconds, and about 400 MB with its nodes.
MOST_EDGES = 8_000_000
#: Edges of a graph that is built to see what it costs: a fraction of a second at most.
TRIAL_EDGES = 1 << 20
#: Most numbers of listed placements (placements times slots) for each edge it may have.
MOST_CELLS = 8
#: A conditioned graph may have twice the edges of the one that was built, and these.
SPARE_EDGES = 1 << 10


def narrow(problem: Problem) -> Narrowed:
    """Rule out what hard evidence rules out, once per problem; see `propagation`."""
    found = problem.cache.get("narrowed")
    if found is not None:
        return found
    start = problem.cache.get("start")
    if start is None:
        allowed = problem.layout.allowed.copy()
        alive = np.ones(problem.factor_count, dtype=np.int8)
        constant = 0.0
    else:
        allowed, alive, constant = start.allowed.copy(), start.alive.copy(), start.constant
    constant += propagate(
        problem.layout.copies,
        problem.layout.capacity,
        allowed,
        problem.factor_start,
        problem.factor_site,
        problem.factor_delta,
        problem.table_start,
        problem.table,
        alive,
    )
    found = Narrowed(allowed, alive, constant)
    problem.cache["narrowed"] = found
    return found


@dataclass(frozen=True, eq=False)
class Graph:
    """The graph of partial deals of one problem; see `layers.build_layers` for the arrays.

    Attributes:
        log_total: Log of the weight of all paths.
        log_constant: Log of what every deal is multiplied by besides, in a problem with
            ``log_norm``.
        most_edges: With more edges than this the graph is built anew, not conditioned.
    """

    problem: Problem
    order: Integers
    option_start: Integers
    placed: Integers
    layer_start: Integers
    edge_start: Integers
    target: Integers
    choice: Integers
    weight: Floats
    forward: Floats
    backward: Floats
    log_total: float
    log_constant: float = 0.0
    log_norm: float = 0.0
    most_edges: int = 0
    was_conditioned: bool = False
    exact: bool = True
    diagnostics: Diagnostics = EXACT
    cache: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)

    @property
    def edges(self) -> int:
        return self.target.shape[0]

    @property
    def log_weight(self) -> float:
        """Log of the total weight of all deals; minus infinity when none is left."""
        if self.log_total == -math.inf:
            return -math.inf
        # Packing may have scaled the tables of the evidence that came since.
        return self.log_total + self.log_constant + (self.problem.log_norm - self.log_norm)

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        if "expected" not in self.cache:
            self.cache["expected"] = edge_marginals(
                self.order,
                self.placed,
                self.layer_start,
                self.edge_start,
                self.target,
                self.choice,
                self.weight,
                self.forward,
                self.backward,
            )
        return self.cache["expected"]

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,)."""
        return joint_shares(
            self.order,
            self.option_start,
            self.placed,
            feature.sites,
            feature.delta,
            feature.size,
            self.layer_start,
            self.edge_start,
            self.target,
            self.choice,
            self.weight,
            self.forward,
            self.backward,
        )

    def gains(
        self, about: Additive, about_project: Integers, questions: Sequence[GainQuestion]
    ) -> Floats:
        """Bits that each question gives about a feature, exactly, shape (questions,)."""
        combined = [combine(about, question[0]) for question in questions]
        if not combined:
            return np.zeros(0)
        step = max(1, len(combined) // 6)
        boundary = self._boundary(combined[::step])
        fronts: dict[bytes, tuple[Integers, Floats]] = {}
        backs: dict[bytes, tuple[Integers, Floats]] = {}
        result = np.zeros(len(combined))
        layer_of = np.empty_like(self.order)
        layer_of[self.order] = np.arange(self.order.shape[0])
        abouts = int(about_project.max()) + 1
        for place, (feature, question) in enumerate(zip(combined, questions, strict=True)):
            rows, first, last = self._rows(feature)
            before = layer_of[feature.sites] < boundary
            front_key = feature.sites[before].tobytes() + feature.delta[before].tobytes()
            back_key = feature.sites[~before].tobytes() + feature.delta[~before].tobytes()
            if front_key not in fronts:
                fronts[front_key] = self._front(feature, rows, min(first, boundary), boundary)
            if back_key not in backs:
                backs[back_key] = self._back(feature, rows, boundary, max(last, boundary))
            front_sums, front = fronts[front_key]
            back_sums, back = backs[back_key]
            additive, project, outcomes, likelihood, outcome_count = question
            result[place] = combined_gain(
                front_sums,
                back_sums,
                front.T @ back,
                additive.size,
                project,
                outcomes,
                likelihood,
                abouts,
                about_project,
                outcome_count,
            )
        return result

    def conditioned(self, problem: Problem, factors: Sequence[Factor]) -> Graph | None:
        """The graph after more factors; None where it is better built anew, or nothing is left.

        Args:
            problem: The problem with these factors.
            factors: What it has more than the problem of this graph.
        """
        (
            option_start,
            placed,
            layer_start,
            edge_start,
            target,
            choice,
            weight,
            forward,
            backward,
            expected,
            log_total,
            status,
        ) = condition_layers(
            self.order,
            self.option_start,
            self.placed,
            self.layer_start,
            self.edge_start,
            self.target,
            self.choice,
            self.weight,
            self.backward,
            *packed(factors),
            self.most_edges,
        )
        if status or log_total == -math.inf:
            return None
        made = object.__new__(Graph)
        made.__dict__.update(
            self.__dict__,
            problem=problem,
            option_start=option_start,
            placed=placed,
            layer_start=layer_start,
            edge_start=edge_start,
            target=target,
            choice=choice,
            weight=weight,
            forward=forward,
            backward=backward,
            log_total=log_total,
            was_conditioned=True,
            cache={"expected": expected},
        )
        return made

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, never rejected; shape (count, cards)."""
        graph = self._built
        chosen = draw_paths(
            graph.order,
            graph.edge_start,
            graph.target,
            graph.choice,
            graph.weight,
            graph.backward,
            rng.random((count, graph.order.shape[0])),
        )
        return worlds_from_options(self.problem, graph.placed, chosen)

    @property
    def _built(self) -> Graph:
        """This graph as it is built from the problem: what is drawn must not depend on the steps
        in which the evidence came.
        """
        if not self.was_conditioned:
            return self
        if "built" not in self.cache:
            self.cache["built"] = build(self.problem) or self
        return self.cache["built"]

    def _rows(self, feature: Additive) -> tuple[Integers, int, int]:
        """Row of the feature for every site (-1: none), its first layer, and one past its last."""
        rows = np.full(self.order.shape[0], -1, dtype=np.int64)
        rows[feature.sites] = np.arange(feature.sites.shape[0])
        layers = np.flatnonzero(rows[self.order] >= 0)
        if layers.shape[0] == 0:
            return rows, 0, 0
        return rows, int(layers[0]), int(layers[-1]) + 1

    def _boundary(self, features: Sequence[Additive]) -> int:
        """The layer at which the labels of many features meet at the least cost."""
        total = np.zeros(self.order.shape[0] + 1)
        for feature in features:
            rows, _, _ = self._rows(feature)
            # Passes are shared by many questions, products are not.
            total += boundary_costs(
                self.order,
                self.option_start,
                self.placed,
                self.layer_start,
                self.edge_start,
                rows,
                feature.delta,
                feature.size,
                0.15,
            )
        return int(np.argmin(total))

    def _front(
        self, feature: Additive, rows: Integers, first: int, boundary: int
    ) -> tuple[Integers, Floats]:
        return forward_labels(
            first,
            boundary,
            self.order,
            self.option_start,
            self.placed,
            rows,
            feature.delta,
            feature.size,
            self.layer_start,
            self.edge_start,
            self.target,
            self.choice,
            self.weight,
            self.forward,
            self.backward,
        )

    def _back(
        self, feature: Additive, rows: Integers, boundary: int, last: int
    ) -> tuple[Integers, Floats]:
        return backward_labels(
            boundary,
            last,
            self.order,
            self.option_start,
            self.placed,
            rows,
            feature.delta,
            feature.size,
            self.layer_start,
            self.edge_start,
            self.target,
            self.choice,
            self.weight,
            self.backward,
        )


def combine(first: Additive, second: Additive) -> Additive:
    """The feature whose index is ``first index * second.size + second index``."""
    sites = np.union1d(first.sites, second.sites)
    delta = np.zeros((sites.shape[0], first.delta.shape[1]), dtype=np.int64)
    delta[np.searchsorted(sites, first.sites)] += first.delta * second.size
    delta[np.searchsorted(sites, second.sites)] += second.delta
    return Additive(sites, delta, first.size * second.size)


@dataclass(frozen=True)
class CardByCard:
    """Forward and backward over partial deals, one site at a time."""

    name: str = "card_by_card"
    exact: bool = True
    summary: str = (
        "any declaration, by a graph of partial deals instead of deals; the default for Clue"
    )

    def cost(self, problem: Problem) -> Cost | Unsupported:
        layout = problem.layout
        bits = sum(int(size).bit_length() for size in layout.capacity if size > 0)
        if bits > 62:
            return Unsupported("the sizes of all holders do not fit one 62-bit key")
        # Bounds are far too high where much is known, so a small graph is simply built.
        trial = build(problem, most_edges=TRIAL_EDGES)
        if trial is not None:
            problem.cache["graph"] = trial
            return Cost(operations=1e4 + 100.0 * trial.edges, bytes=100.0 * trial.edges)
        estimate = max(self._estimate(problem), TRIAL_EDGES)
        return Cost(operations=1e4 + 100.0 * estimate, bound=True)

    def _estimate(self, problem: Problem) -> float:
        """An upper bound on the edges: per layer, capacities left times states of open factors."""
        layout = problem.layout
        narrowed = narrow(problem)
        if not math.isfinite(narrowed.constant):
            return 1.0
        order = reading_order(
            layout.capacity,
            narrowed.allowed,
            problem.factor_start,
            problem.factor_site,
            narrowed.alive,
        )
        layer_of = np.empty_like(order)
        layer_of[order] = np.arange(order.shape[0])
        open_bits = np.zeros(order.shape[0] + 1)
        for index in range(problem.factor_count):
            if not narrowed.alive[index]:
                continue
            first, last = int(problem.factor_start[index]), int(problem.factor_start[index + 1])
            layers = np.sort(layer_of[problem.factor_site[first:last]])
            size = int(problem.table_start[index + 1] - problem.table_start[index])
            for position in range(layers.shape[0] - 1):
                states = min(2.0 ** (position + 1), max(2.0, size / 2.0))
                open_bits[layers[position] + 1 : layers[position + 1] + 1] += math.log2(states)
        total = 0.0
        left = 0.0
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

    def solve(self, problem: Problem, options: Options) -> Graph:
        graph = problem.cache.get("graph") or build(problem, most_edges=MOST_EDGES)
        if graph is None:
            raise CostError(
                f"its graph of partial deals would have more than {MOST_EDGES:,} edges",
                hint="try another exact engine, or an approximate one",
            )
        return graph


def build(
    problem: Problem, *, most_edges: int = MOST_EDGES, narrowed: Narrowed | None = None
) -> Graph | None:
    """The graph of a problem; None when it would have more than ``most_edges`` edges."""
    layout = problem.layout
    if narrowed is None:
        narrowed = narrow(problem)
    if narrowed.constant == -math.inf:
        return _nothing_left(problem)
    # All placements of every site are listed before the first edge is counted.
    if not layout.distinct:
        cells = placements(layout, narrowed.allowed) * layout.slot_count
        if cells > MOST_CELLS * most_edges:
            return None
    (
        order,
        option_start,
        placed,
        layer_start,
        edge_start,
        target,
        choice,
        weight,
        forward,
        backward,
        log_total,
        status,
    ) = partial_deals(
        layout.copies,
        layout.capacity,
        narrowed.allowed,
        problem.factor_start,
        problem.factor_site,
        problem.factor_delta,
        problem.table_start,
        problem.table,
        narrowed.alive,
        most_edges,
    )
    if status:
        return None
    if log_total == -math.inf:
        return _nothing_left(problem)
    return Graph(
        problem=problem,
        order=order,
        option_start=option_start,
        placed=placed,
        layer_start=layer_start,
        edge_start=edge_start,
        target=target,
        choice=choice,
        weight=weight,
        forward=forward,
        backward=backward,
        log_total=log_total,
        log_constant=narrowed.constant,
        log_norm=problem.log_norm,
        most_edges=min(most_edges, 2 * target.shape[0] + SPARE_EDGES),
    )


def _nothing_left(problem: Problem) -> Graph:
    none = np.zeros(0, dtype=np.int64)
    nothing = np.zeros(0)
    return Graph(
        problem, none, none, none, none, none, none, none, nothing, nothing, nothing, -math.inf
    )


ENGINE = CardByCard()
