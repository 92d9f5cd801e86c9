"""Exact draws from a smaller problem: what no evidence tells apart is put together.

Items that no factor mentions, and places that neither evidence nor declaration tells apart, are
exchangeable: a deal of the lumped problem, with the lumps filled at random, is a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arrays.layout import number_type
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
        lump_of_card = self.site_lump[card_sites(self.problem)]
        shuffled = np.flatnonzero(np.bincount(self.site_lump) > 1)
        lumped = graph.draw(count, rng)
        capacity = self.problem.layout.capacity
        return shared_out(lumped, lump_of_card, shuffled, self.slot_lump, capacity, rng)


def shared_out(
    lumped: Worlds,
    lump_of_card: Integers,
    shuffled: Integers,
    slot_lump: Integers,
    capacity: Integers,
    rng: np.random.Generator,
) -> Worlds:
    """Worlds of a whole problem, by those of the lumped one; shape (count, cards).

    Args:
        lumped: Lumped slot of every card of the lumped sites, in their order; edited by nobody.
        lump_of_card: Lumped site of every card of the whole problem.
        shuffled: Lumped sites whose cards are not in order already.
        slot_lump: Lumped slot of every slot.
        capacity: Copies that every slot holds; all have a limit.
    """
    # Cards of one lumped site: any of them is as likely to be in any of its places.
    columns = np.argsort(lump_of_card, kind="stable")
    places = np.empty_like(lumped)
    places[:, columns] = lumped
    for lump in shuffled:
        members = np.flatnonzero(lump_of_card == lump)
        places[:, members] = rng.permuted(places[:, members], axis=1)
    # Places of one lumped slot: its cards are shared out at random.
    order = np.argsort(places + rng.random(places.shape), axis=1)
    slots = np.argsort(slot_lump, kind="stable")
    filled = np.repeat(slots, capacity[slots]).astype(number_type(slot_lump.shape[0]))
    result = np.empty(lumped.shape, dtype=filled.dtype)
    np.put_along_axis(result, order, np.broadcast_to(filled, order.shape), axis=1)
    return result


def lump(problem: Problem) -> Lumped:
    """Put together what is exchangeable; every slot must have a limit."""
    layout = problem.layout
    mentioned = np.zeros(layout.site_count, dtype=np.bool_)
    mentioned[problem.factor_site] = True
    site_lump = numbered(
        [
            (b"", site) if mentioned[site] else (layout.allowed[site].tobytes(), -1)
            for site in range(layout.site_count)
        ]
    )
    slot_lump = numbered(
        [
            layout.allowed[:, slot].tobytes() + problem.factor_delta[:, slot].tobytes()
            for slot in range(layout.slot_count)
        ]
    )
    first_site, first_slot = first_places(site_lump), first_places(slot_lump)
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


def first_places(numbers: Integers) -> list[int]:
    """The first place of every number."""
    return [int(place) for place in np.unique(numbers, return_index=True)[1]]


def numbered(keys: Sequence[object]) -> Integers:
    """Equal keys get equal numbers, in order of their first appearance."""
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
