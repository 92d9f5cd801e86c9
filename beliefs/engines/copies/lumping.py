"""Exact draws from a smaller problem: what no evidence tells apart is put together.

Items that no factor mentions, and places that neither evidence nor declaration tells apart, are
exchangeable: a deal of the lumped problem, with the lumps filled at random, is a deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arrays.problem import Additive, Floats, Integers, Layout, Problem
from ..base import Worlds, card_sites
from ..partial_deals.card_by_card import Graph, build

#: Most edges of the graph that worlds are drawn from.
MOST_EDGES = 4_000_000


@dataclass(frozen=True, eq=False)
class Lumped:
    """A problem with exchangeable sites and slots put together.

    Attributes:
        problem: What was given.
        small: The lumped problem.
        site_lump: Site of ``small`` for every site.
        slot_lump: Slot of ``small`` for every slot.
    """

    problem: Problem
    small: Problem
    site_lump: Integers
    slot_lump: Integers

    @cached_property
    def graph(self) -> Graph | None:
        """The graph to draw from; None when it would have more than `MOST_EDGES` edges."""
        return build(self.small, most_edges=MOST_EDGES)

    def worlds(self, graph: Graph, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds of the whole problem, shape (count, cards)."""
        lumped = graph.draw(count, rng)
        # Cards of one lumped site: any of them is as likely to be in any of its places.
        lump_of_card = self.site_lump[card_sites(self.problem)]
        columns = np.argsort(lump_of_card, kind="stable")
        places = np.empty_like(lumped)
        places[:, columns] = lumped
        for lump in np.flatnonzero(np.bincount(self.site_lump) > 1):
            members = np.flatnonzero(lump_of_card == lump)
            places[:, members] = rng.permuted(places[:, members], axis=1)
        # Places of one lumped slot: its cards are shared out at random.
        order = np.argsort(places + rng.random(places.shape), axis=1)
        slots = np.argsort(self.slot_lump, kind="stable")
        filled = np.repeat(slots, self.problem.layout.capacity[slots]).astype(np.int8)
        result = np.empty_like(lumped)
        np.put_along_axis(result, order, np.broadcast_to(filled, order.shape), axis=1)
        return result


def lump(problem: Problem) -> Lumped:
    """Put together what is exchangeable; every slot must have a limit."""
    layout = problem.layout
    mentioned = np.zeros(layout.site_count, dtype=np.bool_)
    mentioned[problem.factor_site] = True
    site_lump = _number(
        [
            (b"", site) if mentioned[site] else (layout.allowed[site].tobytes(), -1)
            for site in range(layout.site_count)
        ]
    )
    slot_lump = _number(
        [
            layout.allowed[:, slot].tobytes() + problem.factor_delta[:, slot].tobytes()
            for slot in range(layout.slot_count)
        ]
    )
    first_site, first_slot = _first(site_lump), _first(slot_lump)
    small = Layout(
        np.bincount(site_lump, weights=layout.copies).astype(np.int64),
        np.bincount(slot_lump, weights=layout.capacity).astype(np.int64),
        np.ascontiguousarray(layout.allowed[np.ix_(first_site, first_slot)]),
        tuple(layout.site_names[site] for site in first_site),
        tuple(layout.slot_names[slot] for slot in first_slot),
        {},
        {},
        {},
    )
    factors: list[tuple[object, Additive, Floats]] = [
        (
            None,
            Additive(
                site_lump[additive.sites],
                np.ascontiguousarray(additive.delta[:, first_slot]),
                additive.size,
            ),
            table,
        )
        for additive, table in problem.factors()
    ]
    return Lumped(problem, Problem.empty(small).with_factors(factors), site_lump, slot_lump)


def _first(numbers: Integers) -> list[int]:
    """The first place of every number."""
    return [int(place) for place in np.unique(numbers, return_index=True)[1]]


def _number(keys: list[object]) -> Integers:
    """Equal keys get equal numbers, in order of their first appearance."""
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
