"""A problem card by card, narrowed and arranged for moving cards about.

The sampling engines treat identical copies as physical cards: every deal of physical cards is
equally likely before evidence, so counts of copies come out right by themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arrays.layout import Additive, Flags, Floats, Integers, Layout, SiteName
from ...arrays.problem import Problem
from ..base import Worlds, card_sites, feature_index
from ..partial_deals.graph import narrow
from .distances import support_distance
from .swaps import Moves, log_weights

#: Larger tables have no distances, only zeros and ones.
MOST_DISTANCES = 20_000


def as_cards(problem: Problem) -> Problem:
    """The same problem with one site for every physical card."""
    layout = problem.layout
    if layout.distinct:
        return problem
    sites = card_sites(problem)
    after: Layout | None = layout.cache.get("as_cards")
    if after is None:
        names: list[SiteName] = [layout.site_names[int(site)] for site in sites]
        after = Layout(
            np.ones(len(names), dtype=np.int64),
            layout.capacity,
            layout.allowed[sites],
            tuple(names),
            layout.slot_names,
            {},
            {},
            layout.values,
        )
        layout.cache["as_cards"] = after
    spread = [(None, cards_of(problem, additive), table) for additive, table in problem.factors()]
    return Problem.empty(after, problem.log_norm).with_factors([*spread])


def cards_of(problem: Problem, feature: Additive) -> Additive:
    """A feature of sites as the same feature of physical cards."""
    layout = problem.layout
    if layout.distinct:
        return feature
    sites = card_sites(problem)
    members = sites[None, :] == feature.sites[:, None]
    rows, cards = np.nonzero(members)
    return Additive(cards.astype(np.int64), feature.delta[rows], feature.size)


@dataclass(frozen=True, eq=False)
class Cards:
    """A narrowed problem, one site per physical card, with only the factors that still matter.

    Attributes:
        problem: One site per card; every factor is open.
        allowed: Where hard evidence still lets a card be, shape (cards, slots).
        constant: Log of the factors that became constant; minus infinity for a contradiction.
        numbers: Which factor of the original problem each factor is, shape (factors,).
    """

    problem: Problem
    allowed: Flags
    constant: float
    numbers: Integers

    @property
    def count(self) -> int:
        return self.allowed.shape[0]

    @property
    def impossible(self) -> bool:
        """True if hard evidence was found to contradict itself."""
        return self.constant == -math.inf

    @cached_property
    def movable(self) -> Integers:
        """Cards that can be in more than one slot."""
        return np.flatnonzero(self.allowed.sum(axis=1) > 1)

    @cached_property
    def choices(self) -> Flags:
        """1 for a card that is a choice: its slots have no limit."""
        limited = self.problem.layout.capacity >= 0
        return (~(self.allowed[:, limited] == 1).any(axis=1)).astype(np.int8)

    @cached_property
    def groups(self) -> tuple[Integers, Integers, Integers]:
        """Cards that a chain of swaps could exchange: those connected by slots they share.

        Returns:
            Group of every card (-1: none), start of every group, and the cards of all groups.
        """
        return _groups(self.allowed, self.movable, self.choices)

    @cached_property
    def log_table(self) -> Floats:
        """Log weights of all factors, minus infinity where they are zero."""
        with np.errstate(divide="ignore"):
            return np.log(self.problem.table)

    @cached_property
    def distances(self) -> Integers:
        """About how many cards must move until a weight is positive, for every table entry."""
        return support_distance(self.allowed, self.problem.arrays, MOST_DISTANCES)

    @cached_property
    def moves(self) -> Moves:
        """The data for moving these cards about."""
        factors = self.problem.arrays
        by_card = np.argsort(factors.site, kind="stable")
        row_factor = np.repeat(np.arange(self.problem.factor_count), np.diff(factors.start))
        return Moves(
            self.problem.layout.capacity,
            self.allowed,
            self.movable,
            *self.groups,
            np.searchsorted(factors.site[by_card], np.arange(self.count + 1)),
            row_factor[by_card],
            factors.delta[by_card],
            factors,
        )

    def log_weights(self, worlds: Worlds, first: int = 0, last: int | None = None) -> Floats:
        """Log weight of every world under a range of factors (all of them), shape (worlds,)."""
        stop = self.problem.factor_count if last is None else last
        return log_weights(worlds, self.problem.arrays, self.log_table, first, stop)

    def index(self, worlds: Worlds, factor: int) -> Integers:
        """The index of one factor in every world, shape (worlds,)."""
        additive, _ = self.problem.factor(factor)
        return feature_index(self.problem, additive, worlds)

    def ordered(self, factors: Sequence[int] | Integers) -> Cards:
        """The same cards with these factors only, in this order."""
        chosen = [(None, *self.problem.factor(int(factor))) for factor in factors]
        empty = Problem.empty(self.problem.layout, self.problem.log_norm)
        numbers = self.numbers[np.array(factors, dtype=np.int64)]
        return Cards(empty.with_factors([*chosen]), self.allowed, self.constant, numbers)


def open_cards(problem: Problem) -> Cards:
    """The cards of a problem after hard evidence has narrowed where they can be."""
    physical = as_cards(problem)
    narrowed = narrow(physical)
    numbers = np.arange(problem.factor_count)
    cards = Cards(physical, narrowed.allowed, narrowed.constant, numbers)
    return cards.ordered(np.flatnonzero(narrowed.alive))


def declared_cards(problem: Problem) -> Cards:
    """The cards of a problem as they were declared: nothing narrowed, every factor kept."""
    physical = as_cards(problem)
    return Cards(physical, physical.layout.allowed, 0.0, np.arange(problem.factor_count))


def site_allowed(problem: Problem, allowed: Flags) -> Flags:
    """The possible places of a problem's sites, from those of its cards."""
    first = np.cumsum(problem.layout.copies) - problem.layout.copies
    return allowed[first].copy()


def _groups(
    allowed: Flags, movable: Integers, choices: Flags
) -> tuple[Integers, Integers, Integers]:
    group_of = np.full(allowed.shape[0], -1, dtype=np.int64)
    groups: list[tuple[set[int], list[int]]] = []
    for card in movable.tolist():
        if choices[card]:
            continue
        reach: set[int] = set(np.flatnonzero(allowed[card]).tolist())
        members = [card]
        apart: list[tuple[set[int], list[int]]] = []
        for group in groups:
            if group[0] & reach:
                reach |= group[0]
                members = [*group[1], *members]
            else:
                apart.append(group)
        groups = [*apart, (reach, members)]
    for number, (_, members) in enumerate(groups):
        group_of[members] = number
    sizes = [len(members) for _, members in groups]
    start = np.concatenate([[0], np.cumsum(np.array(sizes, dtype=np.int64))]).astype(np.int64)
    joined = np.array([card for _, members in groups for card in members], dtype=np.int64)
    return group_of, start, joined
