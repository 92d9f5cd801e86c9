"""Exact draws from part of a problem, to be weighted by the rest of it.

Deals are drawn from the card-by-card graph of the layout, with no factor that joins two sites, so
the graph stays small; where many holders make it large all the same, by shuffling. Choices whose
factors form a Bayesian network are drawn parents first, each given its parents, the logic sampling
of Henrion (1988); with evidence taken into each draw and its normaliser into the weight, as in the
likelihood weighting of Fung and Chang (1990).

What is rare may be what evidence that comes later picks. So of some worlds one choice is drawn from
all of its values alike, and weights are those of the mixture (Owen and Zhou, 2000): none is larger
for it than by a quarter. What is rare for more than one reason may still never be drawn; `unseen`
says how much that could matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....data.errors import CostError
from ...arrays.problem import Additive, Flags, Floats, Integers, Narrowed, Problem, log_multinomial
from ..base import Worlds
from ..partial_deals.graph import Graph, build
from .cards import Cards, site_allowed
from .sampled import never_drawn

#: Most edges of the graph that deals are drawn from.
MOST_EDGES = 2_000_000
#: How far the sums of a conditional distribution may differ: tables are often rounded.
ROUNDING = 0.02
#: Share of the worlds of which one choice is drawn from all of its values alike.
EXPLORING = 0.2
#: Logs of weights of one choice that differ by less than this are multiplied as floats.
MODERATE = 200.0
#: Most combinations of values that are looked at to see what a factor is a distribution of.
MOST_COMBINATIONS = 1_000_000


@dataclass(frozen=True, eq=False)
class Conditional:
    """The distribution of one choice given others.

    Attributes:
        card: The choice.
        slots: Its values, shape (values,).
        parents: The choices it depends on, shape (parents,).
        parent_delta: What their values add to the index, shape (parents, slots).
        delta: What each of its own values adds, shape (values,).
        table: Weight of every index.
        log_own: Log weight of each of its values by other evidence, shape (values,).
        log_largest: Log of the largest sum of weights over its values, without that evidence.
        log_most: The same with it.
    """

    card: int
    slots: Integers
    parents: Integers
    parent_delta: Integers
    delta: Integers
    table: Floats
    log_own: Floats
    log_largest: float
    log_most: float

    def log_sums(self, worlds: Worlds) -> Floats:
        """Log of the sum of weights over its values, given its parents; shape (worlds,)."""
        rows, largest = self._rows(worlds)
        with np.errstate(divide="ignore"):
            return np.log(rows.sum(axis=1)) + largest

    def draw(
        self, worlds: Worlds, alike: NDArray[np.bool_], rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Write this choice into worlds whose parents are drawn.

        Args:
            worlds: Slot of every card, shape (worlds, cards); edited.
            alike: Where all values that are possible are as likely, shape (worlds,).
            rng: Source of randomness.

        Returns:
            The log normalisers, and the log of how much likelier the value that was drawn is
            where all are alike than by its weight.
        """
        rows, largest = self._rows(worlds)
        total: Floats = rows.sum(axis=1)
        possible = rows > 0.0
        weights = np.where(alike[:, None], possible, rows) if alike.any() else rows
        aim = rng.random(len(worlds)) * weights.sum(axis=1)
        place = np.count_nonzero(weights.cumsum(axis=1) <= aim[:, None], axis=1)
        place = np.minimum(place, self.slots.shape[0] - 1)
        worlds[:, self.card] = self.slots[place]
        drawn = rows[np.arange(len(worlds)), place]
        with np.errstate(divide="ignore", invalid="ignore"):
            log_total = np.log(total)
            # What is drawn where all are alike may have hardly any weight: its ratio is no float.
            log_ratio = log_total - np.log(drawn) - np.log(possible.sum(axis=1))
            return log_total + largest, np.where(drawn > 0.0, log_ratio, 0.0)

    def _rows(self, worlds: Worlds) -> tuple[Floats, Any]:
        """Weights of its values in every world, and the log of what they must be multiplied by."""
        base = np.zeros(worlds.shape[0], dtype=np.int64)
        for parent, delta in zip(self.parents, self.parent_delta, strict=True):
            base += delta[worlds[:, parent]]
        rows = self.table[base[:, None] + self.delta[None, :]]
        largest: Any = 0.0
        possible = self.log_own[self.log_own > -math.inf]
        if possible.size and float(np.ptp(possible)) < MODERATE:
            largest = float(possible.max())
            rows = rows * np.exp(self.log_own - largest)
        else:
            # Evidence may speak for what the table leaves hardly any weight.
            with np.errstate(divide="ignore"):
                logs: Floats = np.log(rows) + self.log_own
            largest = logs.max(axis=1)
            largest = np.where(largest > -math.inf, largest, 0.0)
            rows = np.exp(logs - largest[:, None])
        return rows, largest


@dataclass(frozen=True, eq=False)
class Shuffle:
    """Deals in which every card that is not known may be anywhere: a shuffled pack, cut.

    Attributes:
        fixed: Slot of every card that is known, shape (cards,).
        packs: Per deal its other cards, and their slots in any order.
        choices: Every choice that is not known, and its values.
        log_weight: Log of the number of deals, and of what is constant.
    """

    fixed: Worlds
    packs: tuple[tuple[Integers, Worlds], ...]
    choices: tuple[tuple[int, Worlds], ...]
    log_weight: float

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Worlds, shape (count, cards)."""
        worlds = np.repeat(self.fixed[None, :], count, axis=0)
        for cards, slots in self.packs:
            worlds[:, cards] = rng.permuted(np.repeat(slots[None, :], count, axis=0), axis=1)
        for card, slots in self.choices:
            worlds[:, card] = slots[rng.integers(slots.shape[0], size=count)]
        return worlds


@dataclass(frozen=True, eq=False)
class Proposal:
    """A source of worlds for a problem, and what it leaves to be weighted.

    Attributes:
        source: Exact draws of the deals.
        conditionals: Choices drawn afterwards, parents first.
        used: 1 for a factor of the cards that the draws (and their weights) already contain.
        log_total: Log of the total weight of the draws; their own weights multiply it.
        explored: Places of the conditionals whose rare values are drawn too.
    """

    source: Graph | Shuffle
    conditionals: tuple[Conditional, ...]
    used: Flags
    log_total: float
    explored: tuple[int, ...] = ()

    def draw(self, count: int, rng: np.random.Generator) -> tuple[Worlds, Floats]:
        """Worlds, shape (count, cards), and the log weight that each starts with."""
        worlds = self.source.draw(count, rng)
        weights, log_beside = np.zeros(count), np.full(count, -math.inf)
        explorer = np.full(count, -1)
        if self.explored:
            explores = rng.random(count) < EXPLORING
            explorer[explores] = rng.choice(self.explored, size=int(explores.sum()))
        for place, conditional in enumerate(self.conditionals):
            log_sum, log_ratio = conditional.draw(worlds, explorer == place, rng)
            weights += log_sum
            if place in self.explored:
                log_beside = np.logaddexp(log_beside, log_ratio - math.log(len(self.explored)))
        if self.explored:
            weights -= np.logaddexp(math.log(1.0 - EXPLORING), math.log(EXPLORING) + log_beside)
        return worlds, weights

    def unseen(self, left: Cards, worlds: Worlds, log_mean: float, count: int) -> str | None:
        """The warning of worlds that were never drawn; None where they cannot matter.

        Args:
            left: The cards, with the evidence that is not in the draws.
            worlds: What was drawn, shape (worlds, cards).
            log_mean: Log of the mean weight of the draws.
            count: How many were drawn.
        """
        starts = left.problem.table_start
        log_most = sum(conditional.log_most for conditional in self.conditionals) + sum(
            float(left.log_table[starts[factor] : starts[factor + 1]].max())
            for factor in range(left.problem.factor_count)
        )

        def fits() -> Floats:
            sums = [conditional.log_sums(worlds) for conditional in self.conditionals]
            return left.log_weights(worlds) + sum(sums)

        return never_drawn(log_most - log_mean, lambda: fits() - log_most, count)


def declared_proposal(problem: Problem, cards: Cards) -> Proposal:
    """Draws from the declaration alone; ``cards`` are its cards before any narrowing."""
    return _proposal(problem, cards, evidence=False)


def informed_proposal(problem: Problem, cards: Cards) -> Proposal:
    """Draws that know all evidence on single sites, and where cards can be at all."""
    return _proposal(problem, cards, evidence=True)


def _proposal(problem: Problem, cards: Cards, *, evidence: bool) -> Proposal:
    factors = cards.problem.factors()
    structure = _network(cards, factors)
    used = np.zeros(len(factors), dtype=np.int8)
    for factor, _ in structure.values():
        used[factor] = 1
    own = {card: np.zeros(cards.problem.layout.slot_count) for card in structure}
    into_graph: list[tuple[object, Additive, Floats]] = []
    in_graph: list[int] = []
    if evidence:
        sites = np.repeat(np.arange(problem.layout.site_count), problem.layout.copies)
        for number, (additive, table) in enumerate(factors):
            loose = cards.allowed[additive.sites].sum(axis=1) > 1
            if used[number] or len(set(sites[additive.sites[loose]].tolist())) > 1:
                continue
            card = int(additive.sites[loose][0]) if loose.any() else -1
            if card in own:
                fixed = cards.allowed[additive.sites].argmax(axis=1)
                index = int(additive.delta[np.arange(loose.shape[0]), fixed][~loose].sum())
                steps = additive.delta[loose][0]
                reach = np.minimum(index + steps, additive.size - 1)
                with np.errstate(divide="ignore"):
                    own[card] += np.log(np.where(cards.allowed[card] == 1, table[reach], 0.0))
            else:
                into_graph.append((None, *problem.factor(int(cards.numbers[number]))))
                in_graph.append(number)
            used[number] = 1
    simple = Problem.empty(problem.layout, problem.log_norm).with_factors(into_graph)
    alive = np.ones(simple.factor_count, dtype=np.int8)
    allowed = site_allowed(problem, cards.allowed)
    narrowed = Narrowed(allowed, alive, cards.constant)
    source: Graph | Shuffle | None = build(simple, most_edges=MOST_EDGES, narrowed=narrowed)
    if source is None:
        source = _shuffle(cards)
        used[in_graph] = 0
    if source is None:
        raise CostError(
            f"dealing at random needs a graph of more than {MOST_EDGES:,} edges",
            hint="take method='metropolis'",
        )
    log_total = source.log_weight
    conditionals: list[Conditional] = []
    for card, (factor, largest) in structure.items():
        additive, table = factors[factor]
        slots = np.flatnonzero(cards.allowed[card])
        log_total -= math.log(slots.shape[0])
        mine = additive.sites == card
        conditionals.append(
            Conditional(
                card,
                slots,
                additive.sites[~mine],
                additive.delta[~mine],
                additive.delta[mine][0][slots],
                table,
                own[card][slots],
                math.log(largest),
                _log_most(cards, card, additive, table, own[card]) if evidence else 0.0,
            )
        )
    explored = tuple(
        place
        for place, conditional in enumerate(conditionals)
        if evidence and conditional.slots.shape[0] > 1
    )
    return Proposal(source, tuple(conditionals), used, log_total, explored)


def _log_most(cards: Cards, card: int, additive: Additive, table: Floats, log_own: Floats) -> float:
    """Log of the largest sum of weights over a choice's values, with other evidence on it."""
    index = np.zeros((), dtype=np.int64)
    own = np.zeros(())
    for place, each in enumerate(additive.sites):
        slots = np.flatnonzero(cards.allowed[each])
        index = index[..., None] + additive.delta[place][slots]
        own = own[..., None] + (log_own[slots] if each == card else np.zeros(slots.shape[0]))
    with np.errstate(divide="ignore"):
        logs = np.log(table[index]) + own
    axis = additive.sites.tolist().index(card)
    return float(np.logaddexp.reduce(logs, axis=axis).max())


def _shuffle(cards: Cards) -> Shuffle | None:
    """Deals by shuffling; None where some card is barred from a place that others may take."""
    layout = cards.problem.layout
    group_of, start, members = cards.groups
    fixed = cards.allowed.argmax(axis=1).astype(np.int8)
    known = cards.allowed.sum(axis=1) == 1
    packs: list[tuple[Integers, Worlds]] = []
    log_weight = cards.constant
    for group in range(start.shape[0] - 1):
        pack = members[start[group] : start[group + 1]]
        if (cards.allowed[pack] != cards.allowed[pack[0]]).any():
            return None
        slots = np.flatnonzero(cards.allowed[pack[0]])
        room = [int(layout.capacity[slot] - (fixed[known] == slot).sum()) for slot in slots]
        log_weight += log_multinomial(pack.shape[0], room)
        packs.append((pack, np.repeat(slots, room).astype(np.int8)))
    choices = [
        (int(card), np.flatnonzero(cards.allowed[card]).astype(np.int8))
        for card in cards.movable
        if group_of[card] < 0
    ]
    log_weight += sum(math.log(slots.shape[0]) for _, slots in choices)
    return Shuffle(fixed, tuple(packs), tuple(choices), log_weight)


def _network(cards: Cards, factors: list[tuple[Additive, Floats]]) -> dict[int, tuple[int, float]]:
    """Choices that some factor is a conditional distribution of, parents first.

    The declaration decides, not the evidence: a factor counts when its weights over one choice
    have nearly the same sum whatever the values of the other choices.

    Returns:
        For each such choice the factor and the largest of those sums.
    """
    candidates: list[tuple[int, int, dict[int, float]]] = []
    for number, (additive, table) in enumerate(factors):
        children = children_of(cards, additive, table)
        if children:
            candidates.append((len(children), number, children))
    chosen: dict[int, tuple[int, float]] = {}
    parents: dict[int, list[int]] = {}
    for _, number, children in sorted(candidates, key=lambda entry: entry[:2]):
        scope = [int(card) for card in factors[number][0].sites]
        for child, largest in children.items():
            others = [card for card in scope if card != child]
            if child not in chosen and not any(_leads(child, card, parents) for card in others):
                chosen[child] = (number, largest)
                parents[child] = others
                break
    ordered: dict[int, tuple[int, float]] = {}
    while len(ordered) < len(chosen):
        for child, found in chosen.items():
            if child in ordered:
                continue
            if all(parent in ordered or parent not in chosen for parent in parents[child]):
                ordered[child] = found
    return ordered


def _leads(ancestor: int, card: int, parents: dict[int, list[int]]) -> bool:
    """True if one choice is another, or is drawn before it because it depends on it."""
    waiting, seen = [card], set[int]()
    while waiting:
        current = waiting.pop()
        if current == ancestor:
            return True
        if current not in seen:
            seen.add(current)
            waiting.extend(parents.get(current, []))
    return False


def children_of(cards: Cards, additive: Additive, table: Floats) -> dict[int, float]:
    """Choices over which the factor has one sum for all values of the others, and that sum."""
    layout = cards.problem.layout
    index = np.zeros((), dtype=np.int64)
    combinations = 1
    for place, card in enumerate(additive.sites):
        slots = np.flatnonzero(layout.allowed[card])
        combinations *= slots.shape[0]
        if (layout.capacity[slots] >= 0).any() or combinations > MOST_COMBINATIONS:
            return {}
        index = index[..., None] + additive.delta[place][slots]
    weights = table[index]
    children: dict[int, float] = {}
    for axis, card in enumerate(additive.sites):
        sums = weights.sum(axis=axis)
        if sums.min() > (1.0 - ROUNDING) * sums.max():
            children[int(card)] = float(sums.max())
    return children
