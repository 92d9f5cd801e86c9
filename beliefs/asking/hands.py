"""The hands that a holder can have, many of them at a time, without what lies beside them.

Items of one kind (see `symmetry`) are alike, so how likely a hand is depends on how many of each
kind it has. Those numbers are asked of the posterior; each stands for all hands that have them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...data.errors import CostError
from ..arrays.layout import Additive, Bools, Floats, Integers
from ..arrays.problem import Problem
from ..engines.base import Solution
from ..language.deal_features import Which
from ..language.likelihoods import MOST_VALUES
from ..language.patterns import Pattern

#: Most hands that are tested: some seconds in NumPy, minutes in Python.
MOST_HANDS: Final = 100_000_000
#: Hands that are tested at a time.
CHUNK: Final = 1 << 18


@dataclass(frozen=True, eq=False)
class Hands:
    """Every hand that some holders can have of some items.

    Attributes:
        certain: Places (in the feature's items) of those that they have anyway.
        kinds: Places of the items of every kind of which they may have some.
        numbers: How many they have of each kind, shape (ways, kinds).
        shares: Probability of each of these ways, shape (ways,).
        hands: Hands that each of them stands for.
    """

    certain: Integers
    kinds: tuple[Integers, ...]
    numbers: Integers
    shares: Floats
    hands: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of hands."""
        return sum(self.hands)

    def chunks(self) -> Iterator[tuple[Integers, float]]:
        """Some hands at a time: the places of their items, ascending, and the share of each."""
        for numbers, share, hands in zip(self.numbers, self.shares, self.hands, strict=True):
            parts = [
                _subsets(kind, int(number))
                for kind, number in zip(self.kinds, numbers, strict=True)
            ]
            shape = [part.shape[0] for part in parts]
            for first in range(0, hands, CHUNK):
                which = np.arange(first, min(first + CHUNK, hands))
                places = np.unravel_index(which, shape) if shape else ()
                columns = [part[place] for part, place in zip(parts, places, strict=True)]
                known = np.broadcast_to(self.certain, (which.shape[0], self.certain.shape[0]))
                found: Any = np.concatenate([known, *columns], axis=1)
                found.sort(axis=1)
                yield found, share / hands


def _subsets(members: Integers, number: int) -> Integers:
    """Every subset of so many members, shape (subsets, number)."""
    count = math.comb(members.shape[0], number)
    every = itertools.chain.from_iterable(itertools.combinations(members.tolist(), number))
    return np.fromiter(every, dtype=np.int64, count=count * number).reshape(count, number)


def hands_of(problem: Problem, solution: Solution, which: Which) -> Hands | None:
    """Every hand that is possible; None where the items are told apart in too many ways."""
    # A program that only declares and asks little loads no numba.
    from ..engines.symmetry.interchangeable import lumps_in

    layout = problem.layout
    part = lumps_in(problem).part
    feature = which.additive(layout)
    theirs: Bools = np.asarray((feature.delta > 0).any(axis=0))
    sites = feature.sites
    # A place that is not allowed has no part in it, whatever the feature would add.
    at = part.place[sites]
    there = np.flatnonzero((at >= 0) & theirs[at])
    allowed = np.zeros((layout.site_count, layout.slot_count), dtype=np.bool_)
    allowed[np.ix_(part.sites, part.slots)] = part.allowed == 1
    inside, outside = allowed[sites][:, theirs].any(axis=1), allowed[sites][:, ~theirs].any(axis=1)
    certain = np.concatenate([there, np.flatnonzero(inside & ~outside)])
    open_rows = np.flatnonzero(inside & outside)
    marks = Additive(sites, (feature.delta > 0).astype(np.int64), 1)
    kind_of_site = lumps_in(problem, [marks]).site_lump
    kind = kind_of_site[np.searchsorted(part.sites, sites[open_rows])]
    order, kind = np.unique(kind, return_inverse=True)
    # The sites of a feature are those of its items, in their order.
    kinds = tuple(open_rows[kind == number] for number in range(order.shape[0]))
    room = int(part.capacity[theirs[part.slots]].sum())
    radix = [min(len(members), room) + 1 for members in kinds]
    size = math.prod(radix)
    if size > MOST_VALUES:
        return None
    strides = np.array([math.prod(radix[number + 1 :]) for number in range(len(radix))])
    delta = np.zeros((open_rows.shape[0], layout.slot_count), dtype=np.int64)
    if open_rows.size:
        delta[:, theirs] = strides[kind][:, None]
    shares = solution.joint(Additive(sites[open_rows], delta, size))
    ways = np.flatnonzero(shares)
    numbers = np.stack(np.unravel_index(ways, radix), axis=1) if radix else np.zeros((1, 0), int)
    hands = tuple(
        math.prod(math.comb(len(kinds[k]), int(n)) for k, n in enumerate(row)) for row in numbers
    )
    return Hands(certain, kinds, numbers, shares[ways], hands)


def pattern_marginal(hands: Hands, pattern: Pattern, which: Which) -> dict[Any, float]:
    """Probability that the items of a holder pass a test, and that they do not.

    Raises:
        CostError: There are too many hands.
    """
    if hands.count > MOST_HANDS:
        raise CostError(
            f"{pattern.describe()}: more than {MOST_HANDS:,} hands would have to be tested",
            value=hands.count,
            hint="ask of counts, deal.count(holder, items), or of samples",
        )
    passed: list[float] = []
    failed: list[float] = []
    for rows, share in hands.chunks():
        held = int(pattern.holds(rows, which.items).sum())
        passed.append(held * share)
        failed.append((rows.shape[0] - held) * share)
    found = {False: math.fsum(failed), True: math.fsum(passed)}
    return {held: share for held, share in found.items() if share}


def hand_marginal(hands: Hands, which: Which) -> dict[Any, float]:
    """Probability of every hand that is possible."""
    names = np.array(which.items, dtype=object)
    found: dict[Any, float] = {}
    for rows, share in hands.chunks():
        found.update(dict.fromkeys(map(tuple, names[rows].tolist()), share))
    return found
