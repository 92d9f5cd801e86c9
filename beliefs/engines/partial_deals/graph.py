"""The graph of partial deals of one problem, as a solution that answers questions."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ....data.errors import CostError
from ...arrays.layout import Additive, Factor, Floats, Integers
from ...arrays.problem import Narrowed, Problem, pack
from ..abilities import Extending, Gaining, Joining, Listing
from ..base import EXACT, GainQuestion, Worlds, placements, slots_of_copies, worlds_from_options
from ..listed import Listed
from .arrays import PartialDeals
from .conditioning import condition
from .gains import (
    JOINT_PASS,
    best_boundary,
    combined_before,
    labelled_gains,
    labelled_joints,
)
from .labels import joint
from .layers import partial_deals
from .paths import MOST_PATHS, draw_paths, edge_marginals, listed_paths, paths_between
from .propagation import propagate

#: Most edges a graph may have: some seconds, and about 400 MB with its nodes.
MOST_EDGES = 8_000_000
#: Edges of a graph that another engine tries for a list of the deals.
SMALL_EDGES = 1 << 18
#: Most bits of the key of a partial deal.
MOST_BITS = 62
#: Most numbers of listed placements (placements times slots) for each edge it may have.
MOST_CELLS = 8
#: Most indices of a question and what it is about together for which labels are carried along
#: where the deals that are left could be listed, and where they are too many for that.
FEW_LABELS = 1 << 20
MOST_LABELS = 1 << 26
#: Most deals that are listed instead of carrying labels along: some milliseconds a question.
MOST_LISTED = 100_000
#: Most that are listed where labels are out of the question.
LONGEST_LIST = 2_000_000
#: Steps with labels that take as long as one listed deal.
STEPS_PER_DEAL = 16
#: Most steps with labels for one question: a second, and far less memory than they could take.
MOST_STEPS = 5e8
#: For fewer joints each looks for the layer that suits it.
FEW_JOINTS = 4
#: A conditioned graph may have twice the edges of the one that was built, and these.
SPARE_EDGES = 1 << 10

#: Graphs that are kept, most edges of one, and most weights in the tables that it is made of.
KEPT = 8
KEPT_EDGES = 1 << 15
KEPT_TABLE = 1 << 14
_kept: dict[tuple[bytes, ...], tuple[PartialDeals, float]] = {}
_keeping = threading.Lock()

FEWER_VALUES = "ask about a feature with fewer values, or take an approximate method"


@dataclass(frozen=True, eq=False)
class Built:
    """The parts that stay as they were when a graph was built, however much evidence came since.

    Attributes:
        log_constant: Log of what every deal is multiplied by besides the weights of the graph.
        log_norm: That of the problem for which it was built.
        most_edges: With more edges than this the graph is built anew, not conditioned.
    """

    log_constant: float
    log_norm: float
    most_edges: int


@dataclass(frozen=True, eq=False)
class Graph(Extending, Gaining, Joining, Listing):
    """The graph of partial deals of one problem.

    Attributes:
        problem: What was solved.
        deals: The graph; None where no deal is left.
        log_total: Log of the weight of all paths.
        built: What is known since the graph was built.
        log_most: What `condition` has to know of the weights.
        marginals: What `expected` answers, where conditioning the graph has found it.
    """

    problem: Problem
    deals: PartialDeals
    log_total: float
    built: Built
    log_most: float = 0.0
    marginals: Floats | None = None
    exact = True
    diagnostics = EXACT

    @property
    def edges(self) -> int:
        return self.deals.target.shape[0]

    @property
    def was_conditioned(self) -> bool:
        """True if it was made from the graph of less evidence."""
        return self.marginals is not None

    @property
    def log_weight(self) -> float:
        """Log of the total weight of all deals; minus infinity when none is left."""
        if self.log_total == -math.inf:
            return -math.inf
        # Packing may have scaled the tables of the evidence that came since.
        built = self.built
        return self.log_total + built.log_constant + (self.problem.log_norm - built.log_norm)

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        return self._expected if self.marginals is None else self.marginals

    @cached_property
    def _expected(self) -> Floats:
        return edge_marginals(self.deals)

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        Raises:
            CostError: There is not enough memory for its values.
        """
        # Not `within_memory`, whose entering and leaving takes a microsecond.
        try:
            return joint(tuple(self.deals), feature.sites, feature.delta, feature.size)
        except MemoryError:
            raise out_of_memory() from None

    def joints(self, features: Sequence[Additive]) -> Iterator[Floats]:
        """The joint of each feature.

        Raises:
            CostError: There is not enough memory for the values of one.
        """
        if len(features) < FEW_JOINTS or self._paths <= MOST_PATHS:
            yield from map(self.joint, features)
            return
        with within_memory():
            some = features[:: max(1, len(features) // 6)]
            boundary, _ = best_boundary(self.deals, some, JOINT_PASS)
            yield from labelled_joints(self.deals, boundary, features)

    def gains(
        self, about: Additive, about_project: Integers, questions: Sequence[GainQuestion]
    ) -> Floats:
        """Bits that each question gives about a feature, exactly, shape (questions,).

        Where few deals are left and the features have many values, the deals are listed.

        Raises:
            CostError: Both the deals and the values are too many.
        """
        size = about.size * max((question.feature.size for question in questions), default=0)
        with within_memory():
            if size > FEW_LABELS:
                listed = self.listed(MOST_LISTED if size <= MOST_LABELS else LONGEST_LIST)
                if listed is not None:
                    return listed.gains(about, about_project, questions)
            if size > MOST_LABELS:
                raise too_many_values(size)
            combined = [combined_before(about, question.feature) for question in questions]
            if not combined:
                return np.zeros(0)
            boundary, steps = best_boundary(self.deals, combined[:: max(1, len(combined) // 6)])
            listed = self.listed(int(min(steps / STEPS_PER_DEAL, MOST_LISTED)))
            if listed is not None:
                return listed.gains(about, about_project, questions)
            if steps > MOST_STEPS:
                raise too_many_values(size)
            return labelled_gains(self.deals, boundary, combined, about_project, questions)

    def listed(self, most: int) -> Listed | None:
        """Every deal that is left; None where there are more than ``most``."""
        return None if self._paths > most else self._listed

    @cached_property
    def _paths(self) -> float:
        return paths_between(0, self.deals.order.shape[0], self.deals)

    @cached_property
    def _listed(self) -> Listed:
        return Listed(slots_of_copies(self.deals.placed), *listed_paths(self.deals))

    def extended(self, problem: Problem, factors: Sequence[Factor]) -> Graph | None:
        """The graph after more factors; None where it is better built anew, or nothing is left.

        Args:
            problem: The problem with these factors.
            factors: What it has more than the problem of this graph.
        """
        deals, marginals, log_total, log_most, status = condition(
            tuple(self.deals), tuple(pack(factors)), self.log_most, self.built.most_edges
        )
        if status or log_total == -math.inf:
            return None
        return Graph(problem, PartialDeals(*deals), log_total, self.built, log_most, marginals)

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, never rejected; shape (count, cards)."""
        deals = self._drawn_from.deals
        chosen = draw_paths(deals, rng.random((count, deals.order.shape[0])))
        return worlds_from_options(self.problem, slots_of_copies(deals.placed), chosen)

    @cached_property
    def _drawn_from(self) -> Graph:
        """This graph as it is built from the problem: what is drawn must not depend on the steps
        in which the evidence came.
        """
        return (build(self.problem) or self) if self.was_conditioned else self


@contextlib.contextmanager
def within_memory() -> Generator[None]:
    """Refuses a graph that needs more memory than there is, as too costly."""
    try:
        yield
    except MemoryError:
        raise out_of_memory() from None


def out_of_memory() -> CostError:
    """The error where there is not enough memory for an answer."""
    return CostError("this answer takes more memory than there is", hint=FEWER_VALUES)


def too_many_values(size: int) -> CostError:
    """The error of a question that has too many values together with what it is about."""
    return CostError(
        "the question and the feature that it is about have too many values together",
        value=size,
        hint=FEWER_VALUES,
    )


def few_deals(problem: Problem, most: int = LONGEST_LIST) -> Listed | None:
    """Every deal of a problem; None where there are more than ``most``, or a graph of them would
    be large.
    """
    if "small_graph" not in problem.cache:
        small = key_bits(problem) <= MOST_BITS
        problem.cache["small_graph"] = build(problem, most_edges=SMALL_EDGES) if small else None
    graph = problem.cache["small_graph"]
    return None if graph is None else graph.listed(most)


def key_bits(problem: Problem) -> int:
    """Bits that the sizes of all holders take in the key of a partial deal."""
    return sum(int(size).bit_length() for size in problem.layout.capacity if size > 0)


def narrow(problem: Problem) -> Narrowed:
    """Rule out what hard evidence rules out, once per problem; see `propagation`."""
    cache = problem.cache
    if "narrowed" not in cache:
        layout = problem.layout
        start = cache.get("start")
        if start is None:
            start = Narrowed(layout.allowed, np.ones(problem.factor_count, dtype=np.int8), 0.0)
        allowed, alive = start.allowed.copy(), start.alive.copy()
        constant = propagate(layout.copies, layout.capacity, allowed, problem.arrays, alive)
        cache["narrowed"] = Narrowed(allowed, alive, start.constant + constant)
    return cache["narrowed"]


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
    found = _deals(problem, narrowed, most_edges)
    if found is None:
        return None
    deals, log_total = found
    if log_total == -math.inf:
        return _nothing_left(problem)
    most_edges = min(most_edges, 2 * deals.target.shape[0] + SPARE_EDGES)
    log_constant = narrowed.constant
    if problem.strong:
        log_total, log_constant = 0.0, log_constant + log_total
    built = Built(log_constant, problem.log_norm, most_edges)
    return Graph(problem, deals, log_total, built)


def _deals(
    problem: Problem, narrowed: Narrowed, most_edges: int
) -> tuple[PartialDeals, float] | None:
    """The graph, and the log of its weight; None when it would have too many edges.

    The last small ones are kept: a declaration asks for one, and so does every engine that is to
    say what it costs.
    """
    layout, arrays = problem.layout, problem.arrays
    asked = (layout.copies, layout.capacity, narrowed.allowed, arrays, narrowed.alive)
    key = None
    if arrays.table.shape[0] <= KEPT_TABLE:
        parts = (layout.copies, layout.capacity, narrowed.allowed, *arrays, narrowed.alive)
        key = tuple(part.tobytes() for part in parts)
        kept = _kept.get(key)
        if kept is not None:
            return kept if kept[0].target.shape[0] <= most_edges else None
    deals, log_total, status = partial_deals(*asked, most_edges, problem.strong)
    if status:
        return None
    if key is not None and deals.target.shape[0] <= KEPT_EDGES:
        with _keeping:
            _kept[key] = deals, log_total
            if len(_kept) > KEPT:
                del _kept[next(iter(_kept))]
    return deals, log_total


def forget() -> None:
    """Keep no graph: the next one is built, whatever was asked before. For measurements."""
    with _keeping:
        _kept.clear()


def _nothing_left(problem: Problem) -> Graph:
    none = np.zeros(0, dtype=np.int64)
    nothing = np.zeros(0)
    deals = PartialDeals(none, none, none, none, none, none, none, nothing, nothing, nothing)
    return Graph(problem, deals, -math.inf, Built(0.0, 0.0, 0))
