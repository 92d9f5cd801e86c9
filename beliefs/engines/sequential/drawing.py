"""Worlds of any number of choices, drawn one variable after the other, and their weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ....data.errors import CostError
from ...arrays.layout import Floats, Integers, make_layout, number_type
from ...arrays.problem import Problem
from ..base import Worlds, feature_index
from ..partial_deals.graph import Graph, build
from ..sampling.cards import Cards
from .kernels import draw_places
from .order import DrawingOrder, drawing_order

#: Uniform numbers that are made at a time.
CHUNK = 4_000_000
#: Most edges of the graph that deals are drawn from.
MOST_EDGES = 2_000_000


@dataclass(frozen=True, eq=False)
class Drawing:
    """A source of worlds: deals first, then choices one after the other.

    Attributes:
        problem: What is drawn.
        order: The order of the choices.
        deals: The source of the deals; None where nothing is dealt.
        limited: Slots of holders.
        log_constant: Log of what every weight of a world must be multiplied by.
    """

    problem: Problem
    order: DrawingOrder
    deals: Graph | None
    limited: Integers
    log_constant: float

    @property
    def places(self) -> int:
        """Number of choices that are drawn."""
        return self.order.arrays.cards.shape[0]

    def begin(self, count: int, rng: np.random.Generator) -> tuple[Worlds, Floats]:
        """Worlds with deals and whatever is known, shape (cards, worlds), and log weights."""
        cards = self.order.cards
        kind = number_type(cards.problem.layout.slot_count)
        columns = np.repeat(cards.allowed.argmax(axis=1).astype(kind)[:, None], count, axis=1)
        if self.deals is not None:
            columns[self.order.dealt] = self.limited[self.deals.draw(count, rng)].T
        log_weights = self._weighed(columns, self.order.before)
        return columns, log_weights  # pyright: ignore[reportReturnType]  # wide ones need more

    def draw(self, count: int, rng: np.random.Generator) -> tuple[Worlds, Floats]:
        """Independent worlds, shape (worlds, cards), and the log weight of each."""
        columns, log_weights = self.begin(count, rng)
        for first, last in self.chunks(count):
            uniform = rng.random((last - first, count))
            draw_places(columns, self.order.arrays, first, last, False, uniform, log_weights)
        log_weights += self._weighed(columns, self.order.left)
        return columns.T, log_weights

    def chunks(self, count: int) -> Iterator[tuple[int, int]]:
        """Places for which numbers are made at a time."""
        size = max(CHUNK // max(count, 1), 1)
        for first in range(0, self.places, size):
            yield first, min(first + size, self.places)

    @cached_property
    def log_bound(self) -> float:
        """Log of the most that a world can weigh, where only distributions are drawn from."""
        starts, table = self.order.cards.problem.table_start, self.order.cards.log_table
        most = (float(table[starts[each] : starts[each + 1]].max()) for each in self.order.left)
        return self.order.log_largest + sum(most)

    def _weighed(self, columns: Worlds, factors: Integers) -> Floats:
        cards = self.order.cards
        total = np.zeros(columns.shape[1])
        for factor in factors.tolist():
            additive, table = cards.problem.factor(factor)
            with np.errstate(divide="ignore"):
                total += np.log(table)[feature_index(cards.problem, additive, columns.T)]
        return total


def drawing(problem: Problem, cards: Cards, *, evidence: bool) -> Drawing:
    """The source of worlds of a problem.

    Args:
        problem: What is drawn.
        cards: Its cards, as far as they are still open, or as declared.
        evidence: Whether draws take in all evidence; else what they leave is weighed afterwards.

    Raises:
        CostError: The deals are too large to be dealt from exactly.
    """
    order = drawing_order(cards, evidence=evidence)
    layout = cards.problem.layout
    limited: Integers = np.flatnonzero(layout.capacity >= 0)
    deals: Graph | None = None
    # Tables may have been scaled when they were packed anew.
    log_constant = cards.constant + order.log_scale + problem.log_norm - cards.problem.log_norm
    if order.dealt.size:
        deals = build(
            Problem.empty(
                make_layout(
                    layout.copies.take(order.dealt),
                    layout.capacity.take(limited),
                    cards.allowed.take(order.dealt, axis=0).take(limited, axis=1),
                    tuple(layout.site_names[card] for card in map(int, order.dealt)),
                    tuple(layout.slot_names[slot] for slot in map(int, limited)),
                    {},
                )
            ),
            most_edges=MOST_EDGES,
        )
        if deals is None:
            raise CostError(
                f"dealing at random needs a graph of more than {MOST_EDGES:,} edges",
                hint="take method='metropolis'",
            )
        log_constant += deals.log_weight
    return Drawing(problem, order, deals, limited, log_constant)
