"""Exact inference where many items or places are alike: kinds are counted, not items.

A pack of cards before anything is seen is one kind of items. Evidence tells a few apart, and so
does each question: it is answered from the problem of the kinds that are left when it is asked.

Source: exchangeability; lifted inference (Poole, 2003) by counting (Milch et al., 2008).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from ....data.errors import CostError, UnsupportedError
from ...arrays.layout import Additive, Factor, Floats, number_type
from ...arrays.problem import MOST_PLACES, Problem
from ..abilities import Extending
from ..base import EXACT, Cost, Diagnostics, EngineOptions, Solution, Unsupported, Worlds
from ..copies.type_counting import ENGINE as TYPE_COUNTING
from ..partial_deals.card_by_card import ENGINE as CARD_BY_CARD
from .lumps import Lumps, lumps_of
from .open_part import OpenPart, open_part
from .turning import Turned, turned

#: Most numbers that are compared to find what is alike.
MOST_CELLS = 50_000_000
USUAL: Final = EngineOptions()
#: Steps that it takes at least.
KERNEL = 2e4


@dataclass(frozen=True, eq=False, kw_only=True)
class Interchangeable(Extending):
    """The answers by kinds of items and places.

    Attributes:
        problem: What was solved.
        part: What is open in it.
        lumps: The kinds that evidence leaves.
        options: How much may be spent.
    """

    problem: Problem
    part: OpenPart
    lumps: Lumps
    options: EngineOptions
    exact: bool = True
    diagnostics: Diagnostics = EXACT

    @property
    def log_weight(self) -> float:
        """Log of the total weight of all deals; minus infinity when none is left."""
        return self._log_weight

    @cached_property
    def _log_weight(self) -> float:
        part = self.part
        if part.log_scale == -math.inf or not part.sites.size:
            return part.log_scale
        small = self.lumps.problem
        found = self._solution(self.lumps).log_weight - small.log_norm
        return found + part.log_scale + self.lumps.log_ways

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        return self._expected

    @cached_property
    def _expected(self) -> Floats:
        part, layout = self.part, self.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        settled = np.flatnonzero(part.place >= 0)
        result[settled, part.place[settled]] = layout.copies[settled]
        if part.sites.size:
            small = self._solution(self.lumps).expected()
            result[np.ix_(part.sites, part.slots)] = self.lumps.expected(small)
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        Raises:
            CostError: The feature tells too many items and places apart.
        """
        part = self.part
        base, delta = part.reduced(feature)
        result = np.zeros(feature.size)
        if not delta.any():
            result[base] = 1.0
            return result
        site, slot = part.site_of(delta), part.slot_of(delta)
        if site is not None or slot is not None:
            # What is said of one place: the marginals know it, whatever else is alike.
            chances = self._expected[np.ix_(part.sites, part.slots)]
            if site is not None:
                chances, delta = chances[site], delta[site]
            else:
                chances, delta = chances[:, slot], delta[:, slot]
            shares = np.bincount(delta, weights=chances)
        else:
            lumps = lumps_of(part, [delta])
            shares = self._solution(lumps).joint(lumps.small(delta, part.reach(delta) + 1))
        within = shares[: feature.size - base]
        result[base : base + within.shape[0]] = within
        return result / result.sum()

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, shape (count, cards): kinds first, then which of the alike items."""
        part, layout = self.part, self.problem.layout
        cards = layout.card_sites
        result = np.empty((count, cards.shape[0]), dtype=number_type(layout.slot_count))
        result[:] = part.place[cards]
        if part.sites.size:
            small = self._solution(self.lumps).draw(count, rng)
            result[:, part.place[cards] < 0] = part.slots[self.lumps.worlds(small, rng)]
        return result

    def extended(self, problem: Problem, factors: Sequence[Factor]) -> Interchangeable | None:
        """The answers after more factors; None where another engine is better asked.

        Args:
            problem: The problem with these factors.
            factors: What it has more than the problem of this solution.
        """
        found = dealt_by_kinds(problem, self.options)
        return found if found is not None and found.log_weight > -math.inf else None

    def _solution(self, lumps: Lumps) -> Solution:
        return solved(lumps, self.options)


def lumps_in(problem: Problem, features: Sequence[Additive] = ()) -> Lumps:
    """The kinds that the evidence of a problem, and some features, leave."""
    found = problem.cache.get("lumps")
    if found is None:
        found = problem.cache["lumps"] = lumps_of(open_part(problem))
    if not features:
        return found
    return lumps_of(found.part, [found.part.reduced(each)[1] for each in features])


def solved(lumps: Lumps, options: EngineOptions) -> Solution:
    """The solution of the problem of some kinds, kept with the problem they were found in.

    Raises:
        CostError: They are too many.
    """
    kept = lumps.part.problem.cache.setdefault("kinds", {})
    found = kept.get(lumps.key)
    if found is None:
        found = kept[lumps.key] = _solved(lumps, options)
    return found


def _solved(lumps: Lumps, options: EngineOptions) -> Solution:
    """The cheapest way is taken that is there."""
    refusals: list[str] = []
    for cost, solve in _ways(lumps, options):
        if isinstance(cost, Unsupported):
            refusals.append(cost.reason)
            continue
        try:
            return solve()
        except (CostError, UnsupportedError) as error:
            refusals.append(error.message)
    raise CostError(
        f"{_kinds(lumps)}, and these are too many to count: {'; '.join(dict.fromkeys(refusals))}",
        hint="ask or observe what tells fewer of them apart, or take an approximate method",
    )


def _ways(
    lumps: Lumps, options: EngineOptions
) -> Iterator[tuple[Cost | Unsupported, Callable[[], Any]]]:
    """Costs and ways to solve the problem of some kinds: what is sure to be cheap comes first."""
    small = lumps.problem
    if small.layout.slot_count > MOST_PLACES or small.layout.site_count > MOST_PLACES * 8:
        reason = f"at most {MOST_PLACES} kinds of places can be told apart"
        yield Unsupported(reason), partial(CARD_BY_CARD.solve, small, options)
        return
    plain = CARD_BY_CARD.cost(small)
    if isinstance(plain, Cost) and not plain.bound:
        yield plain, partial(CARD_BY_CARD.solve, small, options)
    may_turn = bool((small.layout.capacity >= 0).all())
    other = turned(small) if may_turn and small.layout.site_count <= MOST_PLACES else None
    around = Unsupported("") if other is None else CARD_BY_CARD.cost(other)

    def solve_turned() -> Turned:
        assert other is not None
        return Turned(small, other, CARD_BY_CARD.solve(other, options))

    if isinstance(around, Cost) and not around.bound:
        yield around, solve_turned
    counting = TYPE_COUNTING.cost(small)
    if isinstance(counting, Cost) and counting.operations <= options.limit:
        yield counting, partial(TYPE_COUNTING.solve, small, options)
    # What may be beyond what is affordable is found out by trying.
    yield plain, partial(CARD_BY_CARD.solve, small, options)
    if isinstance(around, Cost):
        yield around, solve_turned


def _kinds(lumps: Lumps) -> str:
    """The kinds in words, with some that nothing is like."""
    part, names = lumps.part, lumps.part.problem.layout
    items, places = lumps.shape
    alone = np.flatnonzero(np.bincount(lumps.site_lump)[lumps.site_lump] == 1)
    some = [names.site_names[part.sites[site]][1] for site in alone[:3].tolist()]
    shown = f" ({', '.join(some)}{', ...' if alone.size > 3 else ''} alone)" if some else ""
    return (
        f"what is known and asked tells {items} kinds of items{shown} and {places} kinds of places "
        "apart"
    )


@dataclass(frozen=True)
class Symmetry:
    """Count kinds of items in kinds of places."""

    name: str = "symmetry"
    exact: bool = True
    summary: str = "many items or places that nothing tells apart: a pack of cards, 52 places"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        layout = problem.layout
        if problem.walk_problem is not None or (layout.capacity < 0).all():
            return Unsupported("it counts kinds of items in a deal, and there is none here")
        if layout.site_count * layout.slot_count * (1 + problem.factor_count) > MOST_CELLS:
            return Unsupported("there are too many items and places to look for those alike")
        lumps = lumps_in(problem)
        if not lumps.part.sites.size or lumps.part.log_scale == -math.inf:
            return Cost(operations=KERNEL)
        if not lumps.alike:
            return Unsupported("the evidence tells all items and all places apart")
        for cost, _ in _ways(lumps, EngineOptions()):
            if isinstance(cost, Cost):
                return Cost(
                    operations=KERNEL + cost.operations,
                    bytes=cost.bytes,
                    bound=cost.bound,
                    reason=f"{_kinds(lumps)}, which is too many" if cost.bound else "",
                )
        return Unsupported(f"{_kinds(lumps)}, which is too many")

    def solve(self, problem: Problem, options: EngineOptions) -> Interchangeable:
        """The answers by kinds.

        Raises:
            CostError: They are too many.
        """
        lumps = lumps_in(problem)
        if lumps.part.sites.size and lumps.part.log_scale > -math.inf:
            solved(lumps, options)
        return Interchangeable(problem=problem, part=lumps.part, lumps=lumps, options=options)


ENGINE = Symmetry()


def dealt_by_kinds(problem: Problem, options: EngineOptions = USUAL) -> Interchangeable | None:
    """The answers by kinds; None where they are too many."""
    try:
        able = not isinstance(ENGINE.cost(problem), Unsupported)
        return ENGINE.solve(problem, options) if able else None
    except CostError:
        return None
