"""Answers from the decision diagram of placements, in terms of the choices of a problem."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arrays.layout import Additive, Factor, Floats, Integers, number_type
from ...arrays.problem import Problem
from ..abilities import Extending, Gaining, Joining, Listing
from ..base import EXACT, GainQuestion, Worlds
from ..listed import Listed
from ..partial_deals.graph import Built, Graph
from ..partial_deals.paths import draw_paths
from .diagram import diagram
from .options import CoverOptions, Pairs, options_of

#: A diagram to which evidence was added may have twice the edges of the one that was built, and
#: these.
SPARE_EDGES = 1 << 10
#: Most edges of a diagram: some seconds, and about 1.5 GB.
MOST_EDGES = 1 << 25
#: A diagram of more edges is built anew for more evidence: that is as fast.
MOST_EXTENDED = 1 << 18
#: What is left for no pair, below which it is found out whether that is possible.
LITTLE = 1e-6


@dataclass(frozen=True, eq=False)
class Cover(Extending, Gaining, Joining, Listing):
    """The placements of one problem.

    Attributes:
        problem: What was solved.
        options: Its options; None where nothing is left.
        graph: Their decision diagram.
        added: Whether evidence was added since the diagram was built.
    """

    problem: Problem
    options: CoverOptions
    graph: Graph
    added: bool = False
    exact = True
    diagnostics = EXACT

    @property
    def edges(self) -> int:
        return self.graph.edges

    @property
    def log_weight(self) -> float:
        """Log of the total weight of all placements; minus infinity when none is left."""
        return self.graph.log_weight

    def expected(self) -> Floats:
        """Probability of every choice's values, shape (sites, slots)."""
        pairs = self.options.pairs
        result = np.zeros((pairs.sites, pairs.slots))
        result[pairs.site, pairs.slot] = self.shares
        return result

    @cached_property
    def shares(self) -> Floats:
        """Probability of every pair."""
        options = self.options
        taken = self.graph.expected()[options.layer, options.place]
        shares = np.bincount(options.pair, taken[options.option], options.pairs.count)
        return shares.astype(np.float64)

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        Raises:
            CostError: There is not enough memory for its values.
        """
        step, offset, size = self.options.pairs.steps(feature)
        found = self._of_single_pairs(step, size)
        if found is None:
            found = self.graph.joint(self.options.by_layers(step, size))
        return _moved(found, offset, feature.size)

    def _of_single_pairs(self, step: Integers, size: int) -> Floats | None:
        """The joint of a feature to which at most one pair adds; None where more may."""
        options = self.options
        adding = step.nonzero()[0]
        sites = np.unique(options.pairs.site[adding])
        if sites.size > 1 and not options.exclude_each_other(adding.tolist()):
            return None
        if not adding.size:
            return np.eye(1, size)[0]
        found = np.bincount(step[adding], self.shares[adding], size)
        if sites.size == 1:
            mine = options.pairs.site == sites[0]
            found[0] = self.shares[mine & (step == 0)].sum()
        else:
            found[0] = 1.0 - found.sum()
            if found[0] < LITTLE:
                return None  # whether it is possible at all, rounding does not say
        return found / found.sum()

    def joints(self, features: Sequence[Additive]) -> Iterator[Floats]:
        """The joint of each feature."""
        yield from map(self.joint, features)

    def gains(
        self, about: Additive, about_project: Integers, questions: Sequence[GainQuestion]
    ) -> Floats:
        """Bits that each question gives about a feature, exactly, shape (questions,).

        Raises:
            CostError: Both the placements and the values are too many.
        """
        feature, project = self._by_layers(about, about_project)
        asked: list[GainQuestion] = []
        for question in questions:
            one, rows = self._by_layers(question.feature, question.answers.project)
            asked.append(GainQuestion(one, question.answers._replace(project=rows)))
        return self.graph.gains(feature, project, asked)

    def _by_layers(self, feature: Additive, project: Integers) -> tuple[Additive, Integers]:
        """A feature as one of layers, and the values of its indices."""
        step, offset, size = self.options.pairs.steps(feature)
        return self.options.by_layers(step, size), project[offset : offset + size]

    def listed(self, most: int) -> Listed | None:
        """Every way to place what is hidden; None where there are more than ``most``."""
        found = self.graph.listed(most)
        if found is None:
            return None
        slots = np.arange(self.options.pairs.slots)[:, None]
        return Listed(slots, self._worlds(found.chosen), found.weights)

    def extended(self, problem: Problem, factors: Sequence[Factor]) -> Cover | None:
        """The placements after more factors; None where they are better found anew.

        Args:
            problem: The problem with these factors.
            factors: What it has more than the problem of this one.
        """
        if self.graph.edges > MOST_EXTENDED:
            return None
        moved: list[Factor] = []
        for _, feature, table in factors:
            step, offset, size = self.options.pairs.steps(feature)
            moved.append((None, self.options.by_layers(step, size), table[offset : offset + size]))
        graph = self.graph.extended(problem, moved)
        return None if graph is None else Cover(problem, self.options, graph, True)

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, never rejected; shape (count, choices)."""
        cover = self._drawn_from
        deals = cover.graph.deals
        chosen = draw_paths(deals, rng.random((count, deals.order.shape[0])))
        return cover._worlds(chosen).astype(number_type(cover.options.pairs.slots))

    def _worlds(self, chosen: Integers) -> Integers:
        """The slots of all choices, from an option of the diagram for each layer."""
        options, deals = self.options, self.graph.deals
        # Evidence that was added may have left options out.
        place = deals.placed.argmax(axis=1)
        worlds = np.zeros((chosen.shape[0], options.pairs.sites), dtype=np.int64)
        first = options.option.searchsorted(list(range(options.layer.shape[0] + 1)))
        for layer in range(options.layers):
            taken = place[chosen[:, layer]]
            for each in np.unique(taken).tolist():
                option = int(options.start[layer]) + each
                mine = options.pair[first[option] : first[option + 1]]
                if mine.size:
                    rows = (taken == each).nonzero()[0]
                    worlds[np.ix_(rows, options.pairs.site[mine])] = options.pairs.slot[mine]
        return worlds

    @cached_property
    def _drawn_from(self) -> Cover:
        """These placements as they are found from the problem: what is drawn must not depend on
        the steps in which the evidence came.
        """
        return build(self.problem, most_edges=MOST_EDGES) if self.added else self


def _moved(found: Floats, offset: int, size: int) -> Floats:
    """Probabilities of sums as those of indices."""
    if found.shape[0] == size:
        return found
    result = np.zeros(size)
    result[offset : offset + found.shape[0]] = found
    return result


def build(problem: Problem, *, most_edges: int) -> Cover:
    """The placements of a problem of choices.

    Raises:
        CostError: Their diagram would have more than so many edges.
    """
    options = options_of(problem) or _no_options(problem)
    found = diagram(options, problem.strong, most_edges)
    spare = min(most_edges, 2 * found.deals.target.shape[0] + SPARE_EDGES)
    log_total, log_constant = found.log_total, options.log_constant
    if problem.strong and log_total > -math.inf:
        log_total, log_constant = 0.0, log_constant + log_total
    built = Built(log_constant, problem.log_norm, spare)
    return Cover(
        problem, options, Graph(problem, found.deals, log_total, built, 0.0, found.expected)
    )


def _no_options(problem: Problem) -> CoverOptions:
    none = np.zeros(0, dtype=np.int64)
    pairs = Pairs(none, none, np.zeros(1, dtype=np.int64), np.zeros(0), problem.layout.slot_count)
    start = np.array([0, 0], dtype=np.int64)
    return CoverOptions(pairs, start, none, none, np.zeros(0), (), 0.0)
