"""A problem as a small Markov network: the form that general graphical-model tools read.

One variable per physical card that is still open, with the slots it may be in as states. Every
hard capacity and every factor is a *chain*: it reads its cards one by one, and all it remembers
is a state from which the rest of the weight follows (a count for a capacity, one bit for "at
least one of these"). Chains are the least such automata, found backwards, so that the tables
stay small however many cards a count is about.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays.problem import Additive, Floats, Integers, Narrowed, Problem
from ..base import card_sites
from ..partial_deals.graph import narrow
from ..partial_deals.order import reading_order

#: A chain over few cards is one table when that has at most this many entries.
SMALL_TABLE = 256


@dataclass(frozen=True, eq=False, slots=True)
class FactorChain:
    """A weight that depends on some cards, read one by one.

    Attributes:
        cards: Open cards in the order in which they are read.
        steps: For every card the next state by (state, option), -1 where the weight is zero;
            the first state is 0.
        weights: Weight of every final state, shape (final states,); all positive.
    """

    cards: tuple[int, ...]
    steps: tuple[Integers, ...]
    weights: Floats


@dataclass(frozen=True, eq=False, slots=True)
class MarkovNetwork:
    """Open cards, and the chains on them.

    Attributes:
        problem: What was encoded.
        site: Site of every physical card, shape (cards,).
        fixed: Slot of every card that can be in one place only, -1 for open ones.
        options: For every open card the slots it may be in.
        order: Open cards in reading order.
        chains: Capacities first, then factors.
        constant: Log of the weight that does not depend on the open cards; minus infinity for
            a contradiction.
    """

    problem: Problem
    site: Integers
    fixed: Integers
    options: dict[int, Integers]
    order: tuple[int, ...]
    chains: tuple[FactorChain, ...]
    constant: float

    def start(self, feature: Additive) -> int:
        """The addition of the cards that are not open to the index of a feature."""
        total = 0
        row_of = {int(site): row for row, site in enumerate(feature.sites)}
        for card, slot in enumerate(self.fixed):
            row = row_of.get(int(self.site[card]), -1)
            if row >= 0 and slot >= 0:
                total += int(feature.delta[row, slot])
        return total

    def parts(self, feature: Additive) -> list[tuple[int, Integers]]:
        """The open cards on which a feature depends, with what each option adds to its index."""
        row_of = {int(site): row for row, site in enumerate(feature.sites)}
        parts: list[tuple[int, Integers]] = []
        for card in self.order:
            row = row_of.get(int(self.site[card]), -1)
            if row >= 0:
                adds = feature.delta[row, self.options[card]]
                if adds.any():
                    parts.append((card, adds))
        return parts


def encode(problem: Problem, narrowed: Narrowed | None = None) -> MarkovNetwork:
    """The network of a problem.

    Args:
        problem: What to encode.
        narrowed: What is still allowed; by default, what its hard evidence leaves.
    """
    layout = problem.layout
    if narrowed is None:
        narrowed = narrow(problem)
    site = card_sites(problem)
    fixed: Integers = -np.ones(site.shape[0], dtype=np.int64)
    empty = MarkovNetwork(problem, site, fixed, {}, (), (), -math.inf)
    if narrowed.constant == -math.inf:
        return empty
    sites = reading_order(layout.capacity, narrowed.allowed, problem.arrays, narrowed.alive)
    options: dict[int, Integers] = {}
    order: list[int] = []
    for number in sites:
        slots = np.flatnonzero(narrowed.allowed[number])
        for card in np.flatnonzero(site == number):
            if slots.shape[0] == 1:
                fixed[card] = slots[0]
            else:
                options[int(card)] = slots
                order.append(int(card))
    network = MarkovNetwork(problem, site, fixed, options, tuple(order), (), narrowed.constant)
    chains: list[FactorChain] = []
    constant = narrowed.constant
    for slot in _binding_slots(network):
        left = int(layout.capacity[slot] - (fixed == slot).sum())
        parts = [
            (card, (options[card] == slot).astype(np.int64))
            for card in order
            if (options[card] == slot).any()
        ]
        table = np.zeros(len(parts) + 1)
        if not 0 <= left <= len(parts):
            return empty
        table[left] = 1.0
        chains.append(minimal_chain(parts, 0, table))
    for index in np.flatnonzero(narrowed.alive):
        additive, table = problem.factor(int(index))
        most = float(table.max())
        if most <= 0.0:
            return empty
        # The largest weight of every table is 1, so that no product overflows.
        constant += math.log(most)
        parts = network.parts(additive)
        chain = minimal_chain(parts, network.start(additive), table / most)
        if chain.weights.shape[0] == 0:
            return empty
        if chain.cards:
            chains.append(chain)
        else:
            constant += math.log(float(chain.weights[0]))
    if any(chain.weights.shape[0] == 0 for chain in chains):
        return empty
    return MarkovNetwork(problem, site, fixed, options, tuple(order), tuple(chains), constant)


def _binding_slots(network: MarkovNetwork) -> list[int]:
    """Slots whose sizes must be kept: one of each deal follows from the others."""
    capacity = network.problem.layout.capacity
    of_deal: dict[str, dict[int, int]] = {}
    for card in network.order:
        for slot in network.options[card]:
            if capacity[slot] >= 0:
                deal: str = network.problem.layout.site_names[int(network.site[card])][0]
                slots = of_deal.setdefault(deal, {})
                slots[int(slot)] = slots.get(int(slot), 0) + 1
    binding: list[int] = []
    for slots in of_deal.values():
        left = {slot: int(capacity[slot] - (network.fixed == slot).sum()) for slot in slots}
        # The one whose chain would be the widest.
        widest = max(slots, key=lambda slot: (min(left[slot], slots[slot] - left[slot]), slot))
        binding += [slot for slot in slots if slot != widest]
    return binding


def minimal_chain(parts: list[tuple[int, Integers]], start: int, table: Floats) -> FactorChain:
    """The least automaton that reads the cards and ends in the weight ``table[sum]``.

    Args:
        parts: Cards with what each of their options adds to the sum.
        start: The sum before the first card.
        table: Weight by sum; zeros are impossible.
    """
    reached = [np.array([start])]
    for _, adds in parts:
        reached.append(np.unique(reached[-1][:, None] + adds[None, :]))
    # Backwards: two sums are one state if every option leads both to one state.
    inside = reached[-1] < table.shape[0]
    final = np.where(inside, table[np.minimum(reached[-1], table.shape[0] - 1)], 0.0)
    weights = np.unique(final[final > 0.0])
    state = np.where(final > 0.0, np.searchsorted(weights, final), -1)
    steps: list[Integers] = []
    for place in range(len(parts) - 1, -1, -1):
        adds = parts[place][1]
        after = state[np.searchsorted(reached[place + 1], reached[place][:, None] + adds[None, :])]
        known: dict[bytes, int] = {}
        rows: list[Any] = []
        state = np.full(reached[place].shape[0], -1, dtype=np.int64)
        for number, row in enumerate(after):
            if (row < 0).all():
                continue
            key = row.tobytes()
            if key not in known:
                known[key] = len(rows)
                rows.append(row)
            state[number] = known[key]
        steps.append(np.array(rows, dtype=np.int64).reshape(len(rows), adds.shape[0]))
    if state[0] < 0:
        return FactorChain((), (), np.zeros(0))
    return FactorChain(tuple(card for card, _ in parts), tuple(reversed(steps)), weights)


def chain_table(chain: FactorChain) -> Floats:
    """The weights of a chain by the options of its cards, one axis per card."""
    state = np.zeros((), dtype=np.int64)
    for step in chain.steps:
        after = step[np.maximum(state, 0)]
        state = np.where(state[..., None] >= 0, after, -1)
    return np.where(state >= 0, chain.weights[np.maximum(state, 0)], 0.0)
