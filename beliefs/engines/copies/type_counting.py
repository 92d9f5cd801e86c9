"""Exact inference for identical copies: inclusion-exclusion over weighted counts.

For evidence on how many copies of one item are in one place, such as Cheat's claims, the deals
are never listed: see `marking` for the counting. Its cost grows with the number of items and of
weighted cells, not with the number of deals, and hardly with the number of open claims. Problems
of one deal are mostly counted by compiled kernels (`claim_counting`), all others in whole numbers.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ....data.errors import CostError, UnsupportedError
from ...arrays.problem import Additive, Floats, Problem
from ...arrays.scaling import MOST_PASSING_SPREAD
from ..base import Cost, Diagnostics, EngineOptions, Unsupported, Worlds
from .cells import Cells, cells_of, linear
from .claim_cells import Claims, claims_of
from .claim_counting import ClaimCounts, solved
from .claim_kernels import MOST_STATES
from .lumping import Lumped, lump
from .marking import FREE, Mark, OpenDeal

#: What the compiled way takes at least.
KERNEL = 2_000.0
#: A step in whole numbers takes about this many of the compiled engines' steps.
STEP = 200.0


@dataclass(frozen=True, eq=False)
class Counts:
    """The answers of `type_counting`.

    Attributes:
        problem: What was counted.
        cells: Its open deals.
        totals: Weight of every open deal, in whole numbers.
    """

    problem: Problem
    cells: Cells
    totals: tuple[int, ...]
    log_weight: float
    exact: bool = True
    diagnostics: Diagnostics = field(default_factory=Diagnostics)

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        return self._expected

    @cached_property
    def _expected(self) -> Floats:
        layout = self.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        for site, slot in enumerate(self.cells.place):
            if slot >= 0:
                result[site, slot] = layout.copies[site]
        for deal, total in zip(self.cells.deals, self.totals, strict=True):
            special = deal.special()
            plain = [slot for slot in deal.capacity if slot not in special]
            for number, group in enumerate(deal.groups):
                for place, bound in enumerate(group.bound):
                    for slot in bound.slots:
                        mass = deal.sums({}, Mark((number, slot), place)).get(0, 0)
                        result[bound.site, slot] = mass / total
                if not group.copies:
                    continue
                sites = list(group.sites)
                share = layout.copies[sites] / group.copies
                for slot in sorted(special):
                    mass = deal.sums({}, Mark((number, slot))).get(0, 0)
                    result[sites, slot] = share * (mass / total)
                if plain:
                    # In places that no evidence is about, every position is alike.
                    mass = deal.sums({}, Mark((number, plain[0]))).get(0, 0)
                    each = mass / (total * deal.capacity[plain[0]])
                    for slot in plain:
                        result[sites, slot] = share * (each * deal.capacity[slot])
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        Raises:
            UnsupportedError: The feature depends on too many cells at once; card by card can.
        """
        base, steps = linear(self.problem, self.cells, feature)
        masses = {base: 1}
        for number, (deal, total) in enumerate(zip(self.cells.deals, self.totals, strict=True)):
            labels = {
                (group, slot): by_kind
                for (part, group, slot), by_kind in steps.items()
                if part == number
            }
            sums = deal.sums(labels, None) if labels else {0: total}
            after: dict[int, int] = {}
            for (value, mass), (more, weight) in itertools.product(masses.items(), sums.items()):
                after[value + more] = after.get(value + more, 0) + mass * weight
            masses = after
        total = math.prod(self.totals)
        result = np.zeros(feature.size)
        for value, mass in masses.items():
            result[value] = mass / total
        return result

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, never rejected; shape (count, cards).

        Where few claims are open, the copies that evidence is about are drawn from a graph of
        partial deals (microseconds a world), everything else is dealt at random. Where the graph
        would be too large (more than seven or eight open claims), these copies are placed one
        after the other, each by its probability given those before, for which the rest is
        counted again every time: about a tenth of a second a world with twelve open claims.
        """
        if self._lumped.graph is not None:
            return self._lumped.worlds(self._lumped.graph, count, rng)
        return draw_one_by_one(self, count, rng)

    @cached_property
    def _lumped(self) -> Lumped:
        return lump(self.problem)


def draw_one_by_one(counts: Counts, number: int, rng: np.random.Generator) -> Worlds:
    """Worlds by sequential conditionals, shape (number, cards)."""
    layout = counts.problem.layout
    ends = np.cumsum(layout.copies)
    cards = [
        range(int(end - size), int(end)) for end, size in zip(ends, layout.copies, strict=True)
    ]
    result = np.zeros((number, int(ends[-1])), dtype=np.int8)
    for site, slot in enumerate(counts.cells.place):
        if slot >= 0:
            result[:, cards[site]] = slot
    for deal in counts.cells.deals:
        known: dict[object, tuple[list[int], Floats]] = {}
        for row in result:
            _place(deal, cards, row, known, rng)
    return result


def _place(
    deal: OpenDeal,
    cards: list[range],
    row: Worlds,
    known: dict[object, tuple[list[int], Floats]],
    rng: np.random.Generator,
) -> None:
    """Place the open copies of one deal in one world; ``known`` keeps chances for other worlds."""
    rest: list[int] = []
    for number, group in enumerate(deal.groups):
        free = [card for site in group.sites for card in cards[site]]
        if not group.support():
            rest += free
            continue
        kinds = [(place, [*cards[bound.site]]) for place, bound in enumerate(group.bound)]
        for kind, members in [*kinds, (FREE, free)]:
            for card in members:
                special = sorted(deal.special())
                plain = [slot for slot in deal.capacity if slot not in special]
                now = deal.groups[number]
                state = (
                    number,
                    card,
                    *(deal.capacity[slot] for slot in special),
                    *(len(table.weights) for tables in now.tables.values() for table in tables),
                )
                if state not in known:
                    known[state] = _chances(deal, number, kind, special, plain)
                slots, chances = known[state]
                slot = slots[int(rng.choice(len(slots), p=chances))]
                if slot < 0:
                    room = np.array([deal.capacity[slot] for slot in plain], dtype=np.float64)
                    slot = plain[int(rng.choice(len(plain), p=room / room.sum()))]
                row[card] = slot
                deal = deal.after(number, kind, slot)
        deal = deal.without(number)
    places = [slot for slot, size in deal.capacity.items() for _ in range(size)]
    row[rest] = rng.permutation(np.array(places, dtype=np.int8))


def _chances(
    deal: OpenDeal, number: int, kind: int, special: list[int], plain: list[int]
) -> tuple[list[int], Floats]:
    """The slots for one more copy of a group (-1: any of ``plain``), with their probabilities."""
    masses: dict[int, int] = {}
    for slot in special:
        if deal.capacity[slot] and (kind == FREE or slot in deal.groups[number].bound[kind].slots):
            # Totals are times the factorials of the capacities; one position was taken.
            masses[slot] = deal.after(number, kind, slot).total() * deal.capacity[slot]
    room = sum(deal.capacity[slot] for slot in plain)
    if room and kind == FREE:
        used = next(slot for slot in plain if deal.capacity[slot])
        masses[-1] = deal.after(number, kind, used).total() * room
    total = sum(masses.values())
    slots = [slot for slot, mass in masses.items() if mass]
    return slots, np.array([masses[slot] / total for slot in slots])


@dataclass(frozen=True)
class TypeCounting:
    """Count deals of identical copies by inclusion-exclusion over weighted cells."""

    name: str = "type_counting"
    exact: bool = True
    summary: str = "identical copies with evidence on counts of one item in one place: Cheat"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        claims = _claims(problem)
        if not isinstance(claims, str):
            steps = claims.states * (1 + claims.cells.where.shape[0])
            # Few of the states that are possible are ever reached.
            return Cost(operations=KERNEL + 50.0 * min(steps, MOST_STATES), bound=True)
        found = cells_of(problem)
        if isinstance(found, Unsupported):
            return found
        steps = sum(deal.steps() for deal in found.deals) + problem.layout.site_count
        return Cost(operations=STEP * steps)

    def solve(self, problem: Problem, options: EngineOptions) -> Counts | ClaimCounts:
        claims = _claims(problem)
        if not isinstance(claims, str):
            return solved(problem, claims)
        cost = self.cost(problem)
        if isinstance(cost, Cost) and cost.operations > options.limit:
            raise CostError(
                "type_counting would need too many steps", hint="try another exact engine"
            )
        return in_whole_numbers(problem)


def _claims(problem: Problem) -> Claims | str:
    """The cells of a problem for the kernels, which are for many copies of few items."""
    layout = problem.layout
    if layout.distinct and len(layout.sites) == layout.site_count:
        return "every item is there once"
    if problem.spread > MOST_PASSING_SPREAD:
        return "products of the weights leave the floats"
    found = problem.cache.get("claims")
    if found is None:
        found = problem.cache["claims"] = claims_of(problem)
    return found


def in_whole_numbers(problem: Problem) -> Counts:
    """The answers by `marking`, in whole numbers of any size; slower, and for every problem.

    Raises:
        UnsupportedError: The evidence is not about cells.
        CostError: It would take too many steps.
    """
    found = cells_of(problem)
    if isinstance(found, Unsupported):
        raise UnsupportedError(f"type_counting cannot solve this: {found.reason}")
    try:
        totals = tuple(deal.total() for deal in found.deals) if found.possible else (0,)
    except UnsupportedError as error:
        raise CostError(error.message, hint="try another exact engine") from error
    if not all(totals):
        return Counts(problem, found, totals, -math.inf)
    # Totals are times the factorials of the capacities.
    repeats = math.prod(
        math.factorial(size) for deal in found.deals for size in deal.capacity.values()
    )
    log_weight = log_ratio(math.prod(totals), repeats, found.exponent)
    return Counts(problem, found, totals, log_weight + found.log_scale)


def log_ratio(top: int, bottom: int, exponent: int) -> float:
    """Log of ``top / bottom * 2**exponent``, also where that is no floating-point number."""
    power = top.bit_length() - bottom.bit_length()
    mantissa = (top << max(-power, 0)) / (bottom << max(power, 0))
    return math.log(mantissa) + (power + exponent) * math.log(2.0)


ENGINE = TypeCounting()
