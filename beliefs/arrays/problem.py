"""One declaration and its evidence as arrays: what every engine works on.

A *site* is an item (or a number of identical copies of one, or a `Choice`); a *slot* is a
place where copies can be: a holder, or the part of a holder that belongs to one category, or a
value of a `Choice` (a slot without a limit). A *factor* is a weight table on a feature, and
every feature is additive: a copy of site i in slot s adds ``delta[i, s]`` to an index into the
table. That one form covers counts, subsets, holders, tuples of them and whole networks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...data.errors import DeclarationError, UnsupportedError
from .contents import Contents
from .layout import Additive as Additive
from .layout import Factor as Factor
from .layout import FactorArrays
from .layout import Flags as Flags
from .layout import Floats as Floats
from .layout import Integers as Integers
from .layout import Layout as Layout
from .scaling import LEAST_PACKED, MOST_KEPT_SPREAD, in_pieces, scaled, spreads, too_small
from .walk_problem import Stride, WalkProblem

#: What problems are extended by: a `Factor`, or the same with the weights of a step.
Addition = tuple[object, Additive, Any]

#: Most slots for most engines, whose tables have a column for each.
MOST_PLACES = 127


@dataclass(frozen=True, eq=False, slots=True)
class Narrowed:
    """A problem after propagation: what is still allowed, and which factors still matter.

    Attributes:
        allowed: 1 where a site may still be in a slot, shape (sites, slots).
        alive: 0 for factors that are constant on what is left, shape (factors,).
        constant: Sum of the logs of those constants; minus infinity for a contradiction.
    """

    allowed: Flags
    alive: Flags
    constant: float


@dataclass(frozen=True, eq=False)
class Packed:
    """Factors in arrays, and what is kept for them.

    Attributes:
        arrays: The factors.
        log_norm: See `Problem`.
        merged: The factors of every key that names a feature: several where the weights of one
            table would lie too far apart (see `scaling`).
        cache: What engines computed so far.
    """

    arrays: FactorArrays
    log_norm: float
    merged: Mapping[object, tuple[int, ...]] = field(
        default_factory=dict[object, "tuple[int, ...]"], repr=False
    )
    cache: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)


class Packing:
    """Factors that are packed when somebody first asks for the arrays.

    Attributes:
        base: What was packed already.
        added: What has come since; packing moves it into ``base``.
    """

    def __init__(self, base: Packed, added: tuple[Addition, ...] = ()) -> None:
        self.base = base
        self.added = added

    def on(self, layout: Layout) -> Packed:
        """All factors, packed."""
        if self.added:
            self.base, self.added = _packed(self.base, self.added, layout), ()
        return self.base


@dataclass(frozen=True, eq=False)
class Problem:
    """A layout and the factors on it, packed for the kernels; never changed, only extended.

    Factors that `with_factors` adds are packed when somebody first asks for one of the arrays:
    an engine that goes on from an earlier solution needs only `since`.

    Attributes:
        layout: Sites and slots.
        packing: The factors.
        walk_problem: What was added one after the other, for a model of one `Walk` with `Choice`s.
        contents: All that matters of the past, where holders come and go and are followed; then
            there are no factors.
    """

    layout: Layout
    packing: Packing = field(repr=False)
    walk_problem: WalkProblem | None = field(default=None, repr=False)
    contents: Contents | None = field(default=None, repr=False)

    @property
    def packed(self) -> Packed:
        """All factors in arrays, with what engines keep for them.

        Raises:
            UnsupportedError: There are none, since holders that come and go are followed.
        """
        if self.contents is not None:
            raise UnsupportedError(
                "this needs all evidence of the past, which is forgotten as holders come and go",
                hint="name the method that is to answer, such as 'card_by_card', from the start",
            )
        return self.packing.on(self.layout)

    @property
    def arrays(self) -> FactorArrays:
        """All factors, as kernels take them."""
        return self.packed.arrays

    @property
    def factor_start(self) -> Integers:
        return self.arrays.start

    @property
    def factor_site(self) -> Integers:
        return self.arrays.site

    @property
    def factor_delta(self) -> Integers:
        return self.arrays.delta

    @property
    def table_start(self) -> Integers:
        return self.arrays.table_start

    @property
    def table(self) -> Floats:
        return self.arrays.table

    @property
    def log_norm(self) -> float:
        """Log of the total weight before any evidence; log evidence is measured from it."""
        return self.packed.log_norm

    @property
    def spread(self) -> float:
        """Most powers of two between the weights of two worlds."""
        found = self.cache.get("spread")
        if found is None:
            found = self.cache["spread"] = float(spreads(self.arrays).sum())
        return found

    @property
    def strong(self) -> bool:
        """True if products of its weights can leave the floats, so that logarithms are needed."""
        return self.spread > MOST_KEPT_SPREAD

    @property
    def cache(self) -> dict[str, Any]:
        """The results that engines computed so far."""
        return self.packed.cache

    @property
    def factor_count(self) -> int:
        return self.factor_start.shape[0] - 1

    @staticmethod
    def empty(layout: Layout, log_norm: float = 0.0) -> Problem:
        """The problem without evidence."""
        arrays = FactorArrays(
            start=np.zeros(1, dtype=np.int64),
            site=np.zeros(0, dtype=np.int64),
            delta=np.zeros((0, layout.slot_count), dtype=np.int64),
            table_start=np.zeros(1, dtype=np.int64),
            table=np.zeros(0, dtype=np.float64),
        )
        return Problem(layout, Packing(Packed(arrays, log_norm)))

    @staticmethod
    def following(contents: Contents) -> Problem:
        """The problem of holders that come and go, as far as it still matters."""
        return replace(Problem.empty(contents.layout), contents=contents)

    def anew(
        self, *, layout: Layout | None = None, log_norm: float | None = None, **arrays: Any
    ) -> Problem:
        """This problem with some parts of it replaced, and nothing computed yet.

        Args:
            layout: Another layout.
            log_norm: Another log of the total weight before any evidence.
            **arrays: Fields of `FactorArrays`.
        """
        packed = Packed(
            self.arrays._replace(**arrays), self.log_norm if log_norm is None else log_norm
        )
        return replace(self, layout=layout or self.layout, packing=Packing(packed))

    def with_factors(self, factors: Sequence[Factor]) -> Problem:
        """This problem and more factors; a factor on a known key multiplies its table.

        Args:
            factors: For each a key that names its feature (None: never merged), the feature
                on this layout, and its weights, shape (size,).
        """
        if self.contents is not None and factors:
            return replace(self, contents=self.contents.weighed(factors))
        return self._and(self.layout, factors, None) if factors else self

    def with_step(self, layout: Layout, additive: Additive, stride: Stride) -> Problem:
        """This problem after a step of a walk, which adds a site and ties it to the one before.

        Args:
            layout: The layout with that site.
            additive: The feature of the sites that the step ties, on that layout.
            stride: The weights of the step; as a table only when somebody asks for the arrays.
        """
        return self._and(layout, [(None, additive, stride)], stride)

    def _and(self, layout: Layout, added: Sequence[Addition], stride: Stride | None) -> Problem:
        packing = Packing(self.packing.base, (*self.packing.added, *added))
        walk_problem = self.walk_problem
        if walk_problem is not None:
            walk_problem = walk_problem.then(layout, added if stride is None else (), stride)
        return Problem(layout, packing, walk_problem)

    def since(self, earlier: Problem) -> Sequence[Addition] | None:
        """The factors that were added to an earlier problem; None when that is not known."""
        base, added = self.packing.base, self.packing.added
        before = earlier.packing.added
        if self.layout is not earlier.layout or base is not earlier.packing.base:
            return None
        if before and any(one is not other for one, other in zip(added, before, strict=False)):
            return None
        return added[len(before) :]

    def factor(self, index: int) -> tuple[Additive, Floats]:
        """Feature and weights of one factor."""
        arrays = self.arrays
        first, last = int(arrays.start[index]), int(arrays.start[index + 1])
        start, stop = int(arrays.table_start[index]), int(arrays.table_start[index + 1])
        additive = Additive(arrays.site[first:last], arrays.delta[first:last], stop - start)
        return additive, arrays.table[start:stop]

    def factors(self) -> list[tuple[Additive, Floats]]:
        """Feature and weights of every factor."""
        return [self.factor(index) for index in range(self.factor_count)]


def _packed(packed: Packed, factors: Sequence[Addition], layout: Layout) -> Packed:
    """A packed problem and more factors, on a layout."""
    narrowed: Narrowed | None = packed.cache.get("narrowed", packed.cache.get("start"))
    if narrowed is not None and narrowed.allowed.shape != layout.allowed.shape:
        narrowed = None  # a walk has stepped on
    rows = _Rows(packed, None if narrowed is None else narrowed.alive)
    for key, additive, given in factors:
        rows.multiply(key, additive, given.table() if isinstance(given, Stride) else given)
    arrays = rows.joined()
    # What was ruled out stays so: propagation starts from where it stood.
    cache: dict[str, Any] = {}
    if narrowed is not None:
        alive = np.ones(arrays.start.shape[0] - 1, dtype=np.int8)
        alive[: narrowed.alive.shape[0]] = narrowed.alive
        cache["start"] = Narrowed(narrowed.allowed, alive, narrowed.constant)
    log_norm = packed.log_norm - rows.power * math.log(2.0)
    return Packed(arrays, log_norm, rows.merged, cache)


class _Rows:
    """Factors while more are packed; changed in place.

    Attributes:
        arrays: Those that were packed before, but for their table.
        alive: 0 for those of them that became constant and were taken out.
        table: The weights of those, copied before the first of them is written over.
        new: Those that are not packed yet.
        merged: See `Packed`.
        power: Of two, that all tables together must be multiplied by.
    """

    def __init__(self, packed: Packed, alive: Flags | None) -> None:
        self.arrays: FactorArrays = packed.arrays
        self.alive = alive
        self.table: Floats = packed.arrays.table
        self.new: list[Factor] = []
        self.merged = dict(packed.merged)
        self.power = 0

    def multiply(self, key: object, additive: Additive, weights: Floats) -> None:
        """Weigh a feature; a key that is known names factors that are multiplied."""
        rows = () if key is None else self.merged.get(key, ())
        rows = tuple(row for row in rows if self._is_alive(row))
        fitted = scaled(weights)
        if fitted is not None and len(rows) < 2:
            weights, power = fitted
            if not rows:
                self._append(key, additive, [weights])
                self.power += power
                return
            before = self._weights(rows[0])
            product = scaled(before * weights)
            if product is not None and product[1] > -700:
                lost = (product[0] < LEAST_PACKED) & (before > 0.0) & (weights > 0.0)
                if not lost.any():
                    self._write(rows[0], product[0])
                    self.power += power + product[1]
                    return
            self.power += power
        pieces, power = in_pieces([*map(self._weights, rows), weights])
        self.power += power
        ones = [np.ones(additive.size)] * max(len(rows) - len(pieces), 0)
        for row, piece in zip(rows, [*pieces, *ones], strict=False):
            self._write(row, piece)
        self._append(key, additive, pieces[len(rows) :])

    def joined(self) -> FactorArrays:
        """All of them."""
        arrays = self.arrays
        if not self.new:
            return arrays._replace(table=self.table)
        new = pack(self.new)
        if too_small(new.table).any():
            self._part()
            new = pack(self.new)
        return FactorArrays(
            start=np.concatenate([arrays.start, new.start[1:] + arrays.start[-1]]),
            site=np.concatenate([arrays.site, new.site]),
            delta=np.concatenate([arrays.delta, new.delta]),
            table_start=np.concatenate(
                [arrays.table_start, new.table_start[1:] + arrays.table_start[-1]]
            ),
            table=np.concatenate([self.table, new.table]),
        )

    def _part(self) -> None:
        """Write new tables whose weights lie too far apart as products."""
        for place, (key, additive, weights) in enumerate([*self.new]):
            if too_small(weights).any():
                pieces, power = in_pieces([weights])
                self.new[place] = key, additive, pieces[0]
                self._append(key, additive, pieces[1:])
                self.power += power

    def _append(self, key: object, additive: Additive, tables: Sequence[Floats]) -> None:
        count = self.arrays.start.shape[0] - 1 + len(self.new)
        self.new += [(key, additive, table) for table in tables]
        if key is not None:
            known = tuple(row for row in self.merged.get(key, ()) if self._is_alive(row))
            self.merged[key] = (*known, *range(count, count + len(tables)))

    def _is_alive(self, row: int) -> bool:
        return self.alive is None or row >= self.alive.shape[0] or self.alive[row] == 1

    def _weights(self, row: int) -> Floats:
        known = int(self.arrays.start.shape[0]) - 1
        if row >= known:
            return self.new[row - known][2]
        return self.table[self.arrays.table_start[row] : self.arrays.table_start[row + 1]]

    def _write(self, row: int, weights: Floats) -> None:
        known = int(self.arrays.start.shape[0]) - 1
        if row >= known:
            key, additive, _ = self.new[row - known]
            self.new[row - known] = key, additive, weights
            return
        if self.table is self.arrays.table:
            self.table = self.table.copy()
        self.table[self.arrays.table_start[row] : self.arrays.table_start[row + 1]] = weights


def pack(factors: Sequence[Factor]) -> FactorArrays:
    """Factors alone, one after the other; at least one."""
    if len(factors) == 1:
        _, feature, table = factors[0]
        return feature.with_table(table)
    rows, ends = [0], [0]
    for _, feature, _ in factors:
        rows.append(rows[-1] + feature.sites.shape[0])
        ends.append(ends[-1] + feature.size)
    return FactorArrays(
        np.array(rows, dtype=np.int64),
        np.concatenate([feature.sites for _, feature, _ in factors]),
        np.concatenate([feature.delta for _, feature, _ in factors]),
        np.array(ends, dtype=np.int64),
        np.concatenate([table for _, _, table in factors]),
    )


def has_walked(layout: Layout) -> bool:
    """True if some walk has taken a step: then it has more sites than the one where it starts."""
    return any(
        (name, "0") in layout.sites and (name, "1") in layout.sites for name in layout.values
    )


def log_multinomial(total: int, parts: list[int]) -> float:
    """Log of the number of ways to split ``total`` distinct cards into ``parts``."""
    if sum(parts) != total:
        raise DeclarationError("the parts do not add up", value=(total, parts))
    return math.lgamma(total + 1) - sum(math.lgamma(part + 1) for part in parts)
