"""Identical copies with splits and partly known hands, counted by compiled kernels.

All copies that were seen and then went back into a hand must be in the same places. Sums are
floats; where terms cancel so much that digits are lost they are added up again in fractions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ....data.errors import UnsupportedError
from ....models.kernels.plain.twins import twin
from ....models.kernels.randomness import generator
from ...arrays.problem import Additive, Floats, Integers, Problem
from ..base import EXACT, Diagnostics, Worlds, card_sites
from .arrays import Cells, Factorials
from .cells import MOST_POSITIONS, CellProblem, in_order
from .drawing import CardKinds, draw_deals
from .kernels import count_deals
from .lumping import Lumped, lump
from .reading import READ, REASONS, FeatureCells, read_feature

#: Open positions of a usual deal: a pack of cards.
PACK = 52
#: Sums that are smaller than this share of their terms are added up again in fractions.
DIGITS_LOST = 1e-3


def factorials(most: int) -> Factorials:
    """Those for numbers up to ``most`` or more."""
    return _factorials(PACK if most <= PACK else MOST_POSITIONS)


@lru_cache(maxsize=2)
def _factorials(most: int) -> Factorials:
    return Factorials(*(table.astype(np.float64) for table in exact_factorials(most)))


@lru_cache(maxsize=8)
def exact_factorials(most: int) -> Factorials:
    """The same in whole numbers."""
    places = range(most + 1)
    falling = np.array([[math.perm(n, k) for k in places] for n in places], dtype=object)
    choose = np.array([[math.comb(n, k) for k in places] for n in places], dtype=object)
    return Factorials(falling, choose)


@dataclass(frozen=True, eq=False)
class CellCounts:
    """The answers of `type_counting` where its kernels count.

    Attributes:
        counted: What was counted.
        total: Weight of all deals, times the factorials of the rooms.
    """

    problem: Problem
    counted: CellProblem
    total: float
    log_weight: float
    exact: bool = True
    diagnostics: Diagnostics = EXACT

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        return self._expected

    @cached_property
    def _expected(self) -> Floats:
        counted, layout = self.counted, self.problem.layout
        copies = self.counted.copies
        result = np.zeros((layout.site_count, layout.slot_count))
        settled = np.flatnonzero(copies.place >= 0)
        result[settled, copies.place[settled]] = layout.copies[settled]
        for item, kind in zip(*np.nonzero(copies.number), strict=True):
            sites = np.flatnonzero((copies.item == item) & (copies.kind == kind))
            share = layout.copies[sites] / copies.number[item, kind]
            places = copies.room > 0
            if kind == 1:
                places &= copies.within == 1
            for slot in np.flatnonzero(places):
                label = np.zeros((1, 2), dtype=np.int64)
                label[0, kind] = 1
                cell = np.array([[item, slot]], dtype=np.int64)
                most = int(min(copies.number[item, kind], copies.room[slot]))
                shares = shares_of(counted, cell, label, most + 1, 0)
                result[sites, slot] = share * float(shares @ np.arange(most + 1))
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        Raises:
            UnsupportedError: The feature depends on too many cells at once; card by card can.
        """
        counted, copies = self.counted, self.counted.copies
        said: FeatureCells = read_feature(copies, feature.sites, feature.delta)
        if said.status != READ:
            raise UnsupportedError(f"type_counting cannot answer this: {REASONS[said.status]}")
        base, cells = int(said.base), said.cells
        result = np.zeros(feature.size)
        if not len(cells):
            result[base] = 1.0
            return result
        labels = np.stack([said.steps[item, :, slot] for item, slot in cells])
        low = high = 0
        for (item, slot), label in zip(cells.tolist(), labels.tolist(), strict=True):
            for kind in (0, 1):
                if kind == 0 or copies.within[slot]:
                    reach = int(min(copies.number[item, kind], copies.room[slot]))
                    low += min(0, label[kind] * reach)
                    high += max(0, label[kind] * reach)
        shares = shares_of(counted, cells, labels, high - low + 1, -low)
        for place in np.flatnonzero(shares):
            result[base + low + place] = shares[place]
        return result

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds; shape (count, cards).

        How many copies are in every cell is drawn one cell after the other, each given those
        before. All other copies are then dealt at random until none of them lies in a cell, which
        changes the count there.
        """
        counted, copies = self.counted, self.counted.copies
        sites = card_sites(self.problem)
        result = np.empty((count, sites.shape[0]), dtype=np.int8)
        result[:] = copies.place[sites]
        uniform = np.sort(rng.random(count))
        drawn = draw_deals(
            copies,
            counted.groups,
            counted.ties,
            counted.cells,
            counted.cell_at,
            counted.weights,
            factorials(int(copies.room.sum())),
            self.total,
            uniform,
            CardKinds(copies.item[sites], copies.kind[sites]),
            generator(int(rng.integers(1 << 62))),
            result,
        )
        if drawn < count:
            lumped = self._lumped
            if lumped.graph is None:
                raise UnsupportedError(
                    "type_counting cannot draw worlds here: hardly a random deal fits",
                    hint="use method='card_by_card' or 'particles'",
                )
            return lumped.worlds(lumped.graph, count, rng)
        # Neighbours were drawn from the same branch.
        return result[rng.permutation(count)]

    @cached_property
    def _lumped(self) -> Lumped:
        """The lumped sums that worlds are drawn from where random deals hardly ever fit."""
        return lump(self.problem)


def solved(problem: Problem, counted: CellProblem) -> CellCounts:
    """The answers for a problem.

    Raises:
        UnsupportedError: There are too many states.
    """
    total = 0.0
    log_weight = -math.inf
    if counted.possible:
        nothing = np.zeros((0, 2), dtype=np.int64)
        masses, exact = masses_of(counted, nothing, nothing, 1, 0)
        total = float(masses[0])
        if exact[0] > 0:
            top = exact[0]
            log_weight = math.log(top) if isinstance(top, float) else _log(top)
            log_weight -= sum(math.lgamma(int(size) + 1) for size in counted.copies.room)
            log_weight += counted.log_scale
    return CellCounts(problem, counted, total, log_weight)


def _log(number: Any) -> float:
    fraction = Fraction(number)
    return math.log(fraction.numerator) - math.log(fraction.denominator)


def shares_of(
    counted: CellProblem, cells: Integers, labels: Integers, values: int, first: int
) -> Floats:
    """Probability of every value of what copies in some cells add up to, shape (values,)."""
    masses, _ = masses_of(counted, cells, labels, values, first)
    return masses / masses.sum()


def masses_of(
    counted: CellProblem, cells: Integers, labels: Integers, values: int, first: int
) -> tuple[Floats, Any]:
    """Weights of all deals by value; as floats, and as they were computed.

    Raises:
        UnsupportedError: There are too many states.
    """
    copies, groups = counted.copies, counted.groups
    known, weights = counted.cells.where, counted.weights
    marked = np.zeros_like(known)
    for cell, label in zip(cells, labels, strict=True):
        number = counted.cell_at[cell[0], cell[1]]
        if number >= 0:
            marked[number] = label
    new = [place for place, cell in enumerate(cells) if counted.cell_at[cell[0], cell[1]] < 0]
    if new:
        width = int(copies.number.max()) + 1
        known = np.concatenate([known, cells[new]])
        weights = np.concatenate([weights, np.ones((len(new), width, width))])
        marked = np.concatenate([marked, labels[new]])
    asked = Cells(known, in_order(copies, groups, known))
    most = int(copies.room.sum())
    steps, total, size = count_deals(
        copies, groups, counted.ties, asked, weights, marked, values, first, factorials(most)
    )
    if steps < 0:
        raise UnsupportedError(
            "type_counting would need too many steps for this",
            hint="ask with method='card_by_card'",
        )
    if bool((np.abs(total) >= DIGITS_LOST * size).all()):
        return total, total.tolist()
    ties = counted.ties._replace(table=_fractions(counted.ties.table))
    _, exact, _ = twin(count_deals)(
        copies, groups, ties, asked, _fractions(weights), marked, values, first,
        exact_factorials(most),
    )  # fmt: skip
    return exact.astype(np.float64), exact.tolist()


def _fractions(table: Floats) -> Any:
    """The same numbers as fractions, which lose nothing."""
    result = np.empty(table.shape, dtype=object)
    for place in np.ndindex(*table.shape):
        result[place] = Fraction(float(table[place]))
    return result
