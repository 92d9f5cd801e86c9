"""Identical copies with claims and partly known hands, counted by compiled kernels.

The same sums as in `marking`, for problems in which all copies that were seen and then went back
into a hand can be in the same places: `type_counting` takes this way where it can. Sums are floats;
where terms cancel so much that digits are lost they are added up again in fractions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ...data.errors import UnsupportedError
from ...models.randomness import generator
from ..problem import Additive, Floats, Integers, Problem
from .base import EXACT, Diagnostics, Worlds, card_sites
from .claim_cells import MOST_POSITIONS, Claims, in_order
from .claim_drawing import draw_deals
from .claim_kernels import count_deals
from .claim_reading import READ, REASONS, read_feature

#: Open positions of a usual deal: a pack of cards.
PACK = 52
#: Sums that are smaller than this share of their terms are added up again in fractions.
DIGITS_LOST = 1e-3


def factorials(most: int) -> tuple[Floats, Floats]:
    """Falling factorials and binomial coefficients for numbers up to ``most`` or more."""
    return _factorials(PACK if most <= PACK else MOST_POSITIONS)


@lru_cache(maxsize=2)
def _factorials(most: int) -> tuple[Floats, Floats]:
    falling, choose = exact_factorials(most)
    return falling.astype(np.float64), choose.astype(np.float64)


@lru_cache(maxsize=8)
def exact_factorials(most: int) -> tuple[Any, Any]:
    """The same in whole numbers."""
    places = range(most + 1)
    falling = np.array([[math.perm(n, k) for k in places] for n in places], dtype=object)
    choose = np.array([[math.comb(n, k) for k in places] for n in places], dtype=object)
    return falling, choose


@dataclass(frozen=True, eq=False)
class ClaimCounts:
    """The answers of `type_counting` where its kernels count.

    Attributes:
        claims: What was counted.
        total: Weight of all deals, times the factorials of the rooms.
    """

    problem: Problem
    claims: Claims
    total: float
    log_weight: float
    exact: bool = True
    diagnostics: Diagnostics = EXACT
    cache: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        if "expected" not in self.cache:
            self.cache["expected"] = self._expected()
        return self.cache["expected"]

    def _expected(self) -> Floats:
        claims, layout = self.claims, self.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        settled = np.flatnonzero(claims.place >= 0)
        result[settled, claims.place[settled]] = layout.copies[settled]
        for item, kind in zip(*np.nonzero(claims.number), strict=True):
            sites = np.flatnonzero((claims.item == item) & (claims.kind == kind))
            share = layout.copies[sites] / claims.number[item, kind]
            places = claims.room > 0
            if kind == 1:
                places &= claims.within == 1
            for slot in np.flatnonzero(places):
                label = np.zeros((1, 2), dtype=np.int64)
                label[0, kind] = 1
                cell = np.array([[item, slot]], dtype=np.int64)
                most = int(min(claims.number[item, kind], claims.room[slot]))
                shares = shares_of(claims, cell, label, most + 1, 0)
                result[sites, slot] = share * float(shares @ np.arange(most + 1))
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        Raises:
            UnsupportedError: The feature depends on too many cells at once; card by card can.
        """
        claims, layout = self.claims, self.problem.layout
        items, slots = claims.cell_at.shape
        steps = np.empty((items, 2, slots), dtype=np.int64)
        found = np.empty((items * slots, 2), dtype=np.int64)
        said = np.empty(4, dtype=np.int64)
        status = read_feature(
            layout.copies,
            claims.item,
            claims.place,
            claims.room,
            claims.kind,
            claims.number,
            claims.within,
            feature.sites,
            feature.delta,
            steps,
            np.empty(slots, dtype=np.int64),
            found,
            said,
        )
        if status != READ:
            raise UnsupportedError(f"type_counting cannot answer this: {REASONS[status]}")
        base, touched = int(said[0]), int(said[1])
        result = np.zeros(feature.size)
        if not touched:
            result[base] = 1.0
            return result
        cells = found[:touched]
        labels = np.stack([steps[item, :, slot] for item, slot in cells])
        low = high = 0
        for (item, slot), label in zip(cells.tolist(), labels.tolist(), strict=True):
            for kind in (0, 1):
                if kind == 0 or claims.within[slot]:
                    reach = int(min(claims.number[item, kind], claims.room[slot]))
                    low += min(0, label[kind] * reach)
                    high += max(0, label[kind] * reach)
        shares = shares_of(claims, cells, labels, high - low + 1, -low)
        for place in np.flatnonzero(shares):
            result[base + low + place] = shares[place]
        return result

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds; shape (count, cards).

        How many copies are in every cell is drawn one cell after the other, each given those
        before. All other copies are then dealt at random until none of them lies in a cell, which
        changes the count there.
        """
        claims = self.claims
        sites = card_sites(self.problem)
        result = np.empty((count, sites.shape[0]), dtype=np.int8)
        result[:] = claims.place[sites]
        falling, choose = factorials(int(claims.room.sum()))
        uniform = np.sort(rng.random(count))
        drawn = draw_deals(
            claims.number,
            claims.room,
            claims.within,
            claims.group_of,
            claims.space,
            claims.cell_at,
            claims.cells,
            in_order(claims, claims.cells),
            claims.weights,
            claims.tie_step,
            claims.tie_after,
            claims.tie_base,
            claims.tie_start,
            claims.tie_table,
            falling,
            choose,
            self.total,
            uniform,
            claims.item[sites],
            claims.kind[sites],
            generator(int(rng.integers(1 << 62))),
            result,
        )
        if drawn < count:
            if "lumped" not in self.cache:
                from .lumping import lump

                lumped = lump(self.problem)
                self.cache["lumped"] = lumped, lumped.graph(MOST_EDGES)
            lumped, graph = self.cache["lumped"]
            if graph is None:
                raise UnsupportedError(
                    "type_counting cannot draw worlds here: hardly a random deal fits",
                    hint="use method='card_by_card' or 'particles'",
                )
            return lumped.worlds(graph, count, rng)
        # Neighbours were drawn from the same branch.
        return result[rng.permutation(count)]


#: Most edges of the graph that worlds are drawn from where random deals hardly ever fit.
MOST_EDGES = 4_000_000


def solved(problem: Problem, claims: Claims) -> ClaimCounts:
    """The answers for a problem.

    Raises:
        UnsupportedError: There are too many states.
    """
    total = 0.0
    log_weight = -math.inf
    if claims.possible:
        nothing = np.zeros((0, 2), dtype=np.int64)
        masses, exact = masses_of(claims, nothing, nothing, 1, 0)
        total = float(masses[0])
        if exact[0] > 0:
            top = exact[0]
            log_weight = math.log(top) if isinstance(top, float) else _log(top)
            log_weight -= sum(math.lgamma(int(size) + 1) for size in claims.room)
            log_weight += claims.log_scale
    return ClaimCounts(problem, claims, total, log_weight)


def _log(number: Any) -> float:
    fraction = Fraction(number)
    return math.log(fraction.numerator) - math.log(fraction.denominator)


def shares_of(claims: Claims, cells: Integers, labels: Integers, values: int, first: int) -> Floats:
    """Probability of every value of what copies in some cells add up to, shape (values,)."""
    masses, _ = masses_of(claims, cells, labels, values, first)
    return masses / masses.sum()


def masses_of(
    claims: Claims, cells: Integers, labels: Integers, values: int, first: int
) -> tuple[Floats, Any]:
    """Weights of all deals by value; as floats, and as they were computed.

    Raises:
        UnsupportedError: There are too many states.
    """
    known, weights = claims.cells, claims.weights
    marked = np.zeros_like(known)
    for cell, label in zip(cells, labels, strict=True):
        number = claims.cell_at[cell[0], cell[1]]
        if number >= 0:
            marked[number] = label
    new = [place for place, cell in enumerate(cells) if claims.cell_at[cell[0], cell[1]] < 0]
    if new:
        width = int(claims.number.max()) + 1
        known = np.concatenate([known, cells[new]])
        weights = np.concatenate([weights, np.ones((len(new), width, width))])
        marked = np.concatenate([marked, labels[new]])
    total, size = np.zeros(values), np.zeros(values)
    most = int(claims.room.sum())
    arguments = (
        claims.number,
        claims.room,
        claims.within,
        claims.group_of,
        claims.space,
        known,
        in_order(claims, known),
    )
    ties = claims.tie_step, claims.tie_after, claims.tie_base, claims.tie_start
    steps = count_deals(
        *arguments,
        weights,
        marked,
        values,
        first,
        *ties,
        claims.tie_table,
        *factorials(most),
        total,
        size,
    )
    if steps < 0:
        raise UnsupportedError(
            "type_counting would need too many steps for this",
            hint="ask with method='card_by_card'",
        )
    if bool((np.abs(total) >= DIGITS_LOST * size).all()):
        return total, total.tolist()
    exact, exact_size = np.full(values, 0, dtype=object), np.full(values, 0, dtype=object)
    getattr(count_deals, "py_func", count_deals)(
        *arguments,
        _fractions(weights),
        marked,
        values,
        first,
        *ties,
        _fractions(claims.tie_table),
        *exact_factorials(most),
        exact,
        exact_size,
    )
    return exact.astype(np.float64), exact.tolist()


def _fractions(table: Floats) -> Any:
    """The same numbers as fractions, which lose nothing."""
    result = np.empty(table.shape, dtype=object)
    for place in np.ndindex(*table.shape):
        result[place] = Fraction(float(table[place]))
    return result
