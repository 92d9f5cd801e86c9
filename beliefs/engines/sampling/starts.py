"""Deals that satisfy all hard evidence, found by search and not by any exact engine.

First depth-first, card by card, with propagation after every step; where that takes too long, by
annealing from a deal that has the right sizes only. Search that ends without a deal has proved
that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....data.errors import CostError
from ...arrays.layout import Flags, number_type
from ..base import Worlds
from ..partial_deals.propagation import propagate
from .cards import Cards
from .swaps import UNIFORMS, walk


@dataclass(frozen=True, kw_only=True)
class StartBudget:
    """The effort to look for one deal.

    Attributes:
        tries: Searches that begin afresh, in another random order.
        nodes: Steps of each of them.
        last_nodes: Steps of one more search, which may prove that there is no deal.
        anneals: Annealing runs, if those searches found nothing.
        sweeps: Proposals per card of each annealing run.
    """

    tries: int = 4
    nodes: int = 200
    last_nodes: int = 3_000
    anneals: int = 8
    sweeps: int = 1_000


class _Exhausted(Exception):
    """The search took more steps than it may."""


def find_worlds(
    cards: Cards, count: int, rng: np.random.Generator, budget: StartBudget | None = None
) -> Worlds | None:
    """Deals of positive weight, found independently; None when there is provably none.

    Returns:
        Slot of every card, shape (count, cards).

    Raises:
        CostError: None was found, but none was proved to be impossible either.
    """
    found: Any = np.zeros((count, cards.count), dtype=_kind(cards))
    for row in range(count):
        world = _find(cards, rng, budget or StartBudget())
        if world is None:
            return None
        found[row] = world
    return found


def _kind(cards: Cards) -> Any:
    return number_type(cards.problem.layout.slot_count)


def _find(cards: Cards, rng: np.random.Generator, budget: StartBudget) -> Worlds | None:
    for nodes in [budget.nodes] * budget.tries + [budget.last_nodes]:
        try:
            return _search(cards, rng, nodes)
        except _Exhausted:
            continue
    sizes = cards.ordered([])
    for _ in range(budget.anneals):
        try:
            start = _search(sizes, rng, budget.last_nodes)
        except _Exhausted:
            continue
        if start is None:
            return None
        world = _anneal(cards, start, rng, budget.sweeps)
        if world is not None:
            return world
    raise CostError(
        f"no deal that fits all hard evidence was found in {budget.tries * budget.nodes:,} + "
        f"{budget.last_nodes:,} steps of search and {budget.anneals} annealing runs of "
        f"{budget.sweeps:,} sweeps",
        hint="it may contradict itself: an exact engine can tell",
    )


def _search(cards: Cards, rng: np.random.Generator, nodes: int) -> Worlds | None:
    """One deal by depth-first search in random order; None when there is none."""
    allowed = cards.allowed.copy()
    if not _propagate(cards, allowed):
        return None
    left = nodes
    stack: list[tuple[Flags, int, Iterator[int]]] = []
    while True:
        options = allowed.sum(axis=1)
        if (options == 1).all():
            return allowed.argmax(axis=1).astype(_kind(cards))
        fewest = np.flatnonzero(options == options[options > 1].min())
        card = int(fewest[rng.integers(fewest.shape[0])])
        order = rng.permutation(np.flatnonzero(allowed[card]))
        stack.append((allowed, card, iter(order.tolist())))
        while stack:
            before, card, slots = stack[-1]
            slot = next(slots, None)
            if slot is None:
                stack.pop()
                continue
            if left == 0:
                raise _Exhausted
            left -= 1
            allowed = before.copy()
            allowed[card] = 0
            allowed[card, slot] = 1
            if _propagate(cards, allowed):
                break
        else:
            return None


def _propagate(cards: Cards, allowed: Flags) -> bool:
    """Narrow ``allowed`` in place; whether anything is left."""
    layout = cards.problem.layout
    alive = np.ones(cards.problem.factor_count, dtype=np.int8)
    constant = propagate(layout.copies, layout.capacity, allowed, cards.problem.arrays, alive)
    return constant > -np.inf


def _anneal(cards: Cards, start: Worlds, rng: np.random.Generator, sweeps: int) -> Worlds | None:
    """A deal near ``start`` that fits all hard evidence, or None."""
    factors = cards.problem.factor_count
    far = cards.distances.astype(np.float64)
    slot = start.astype(np.int64)
    every = max(1, cards.movable.shape[0])
    rounds = 100
    kept: Any = np.zeros((max(1, sweeps // rounds), cards.count), dtype=_kind(cards))
    for cold in np.geomspace(0.3, 10.0, rounds):
        uniform = rng.random((kept.shape[0] * every, UNIFORMS))
        walk(slot, cards.moves, -cold * far, factors, uniform, every, kept)
        fits = np.flatnonzero(cards.log_weights(kept) > -np.inf)
        if fits.shape[0]:
            return kept[fits[-1]]
    return None
