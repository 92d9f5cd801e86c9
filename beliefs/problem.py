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
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..data.errors import DeclarationError

if TYPE_CHECKING:
    from .trail import Stride, Trail

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.int8]

#: A product of soft weights is kept at least this likely beside the likeliest value.
LEAST_WEIGHT = 1e-300
#: Most slots: worlds are arrays of int8.
MOST_PLACES = 127

#: (variable name, item name)
SiteName = tuple[str, str]
#: (variable name, holder name)
HolderName = tuple[str, str]


@dataclass(frozen=True, eq=False, slots=True)
class Additive:
    """A feature on a layout: ``index = sum of delta[row, slot]`` over the copies of its sites.

    Attributes:
        sites: Sites in the feature, each once, shape (rows,).
        delta: What one copy of a row's site adds to the index, shape (rows, slots).
        size: Number of indices; every reachable sum is below it.
    """

    sites: Integers
    delta: Integers
    size: int


#: A key that names the feature (None: never merged), the feature, and its weights, shape (size,).
Factor = tuple[object, Additive, Floats]


@dataclass(frozen=True, eq=False)
class Layout:
    """Which sites and slots there are, and which site may be where.

    Attributes:
        copies: Copies of every site, shape (sites,).
        capacity: Copies every slot holds, shape (slots,); -1 without a limit.
        allowed: 1 where a site may be in a slot, shape (sites, slots).
        site_names: Variable and item of every site; marked copies repeat their item.
        slot_names: Variable and holder of every slot; the slots of one holder repeat it.
        sites: Sites of a named item.
        slots: Slots of a named present holder.
        log_deals: Log of the number of deals before any evidence.
        cache: Features compiled on this layout.
    """

    copies: Integers
    capacity: Integers
    allowed: Flags
    site_names: tuple[SiteName, ...]
    slot_names: tuple[HolderName, ...]
    sites: Mapping[SiteName, tuple[int, ...]]
    slots: Mapping[HolderName, tuple[int, ...]]
    cache: dict[object, Any] = field(default_factory=dict[object, Any], repr=False)

    @property
    def site_count(self) -> int:
        return self.copies.shape[0]

    @property
    def slot_count(self) -> int:
        return self.capacity.shape[0]

    @property
    def distinct(self) -> bool:
        """Whether every item is there once."""
        if "distinct" not in self.cache:
            self.cache["distinct"] = bool((self.copies == 1).all())
        return self.cache["distinct"]


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
class Problem:
    """A layout and the factors on it, packed for the kernels; never changed, only extended.

    Factors that `with_factors` adds are packed when somebody first asks for one of the arrays:
    whoever goes on from an earlier solution needs only `since`.

    Attributes:
        layout: Sites and slots.
        factor_start: Rows of factor f are ``factor_start[f]:factor_start[f + 1]``.
        factor_site: Site of every row, shape (rows,).
        factor_delta: Additive index by slot, shape (rows, slots).
        table_start: Table of factor f is ``table[table_start[f]:table_start[f + 1]]``.
        table: Weights of all factors, one after the other.
        log_norm: Log of the total weight before any evidence; log evidence is measured from it.
        trail: What was added one after the other, for a model of one `Walk` with `Choice`s.
    """

    layout: Layout
    factor_start: Integers
    factor_site: Integers
    factor_delta: Integers
    table_start: Integers
    table: Floats
    log_norm: float
    merged: Mapping[object, int] = field(default_factory=dict[object, int], repr=False)
    cache: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)
    trail: Trail | None = field(default=None, repr=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What is missing before `with_factors` has packed its factors."""
            added = self.__dict__.get("_added")
            if added is None or name not in self.__dataclass_fields__:
                raise AttributeError(name)
            self.__dict__.update(_packed(*added, self.layout))
            del self.__dict__["_added"]
            return self.__dict__[name]

    @property
    def factor_count(self) -> int:
        return self.factor_start.shape[0] - 1

    @staticmethod
    def empty(layout: Layout) -> Problem:
        """The problem without evidence; ``log_norm`` still to be set."""
        return Problem(
            layout=layout,
            factor_start=np.zeros(1, dtype=np.int64),
            factor_site=np.zeros(0, dtype=np.int64),
            factor_delta=np.zeros((0, layout.slot_count), dtype=np.int64),
            table_start=np.zeros(1, dtype=np.int64),
            table=np.zeros(0, dtype=np.float64),
            log_norm=0.0,
        )

    def with_factors(self, factors: Sequence[Factor]) -> Problem:
        """This problem and more factors; a factor on a known key multiplies its table.

        Args:
            factors: For each a key that names its feature (None: never merged), the feature
                on this layout, and its weights, shape (size,).
        """
        if not factors:
            return self
        base, before = self.__dict__.get("_added", (self, ()))
        extended = object.__new__(Problem)
        extended.__dict__.update(layout=self.layout, _added=(base, (*before, *factors)))
        if self.trail is not None:
            extended.__dict__["trail"] = self.trail.then(self.layout, factors)
        return extended

    def with_step(self, layout: Layout, additive: Additive, stride: Stride) -> Problem:
        """This problem after a step of a walk, which adds a site and ties it to the one before.

        Args:
            layout: The layout with that site.
            additive: The feature of the sites that the step ties, on that layout.
            stride: The weights of the step; as a table only when somebody asks for the arrays.
        """
        base, before = self.__dict__.get("_added", (self, ()))
        extended = object.__new__(Problem)
        extended.__dict__.update(layout=layout, _added=(base, (*before, (None, additive, stride))))
        if self.trail is not None:
            extended.__dict__["trail"] = self.trail.then(layout, (), stride)
        return extended

    def since(self, earlier: Problem) -> Sequence[Factor] | None:
        """The factors that were added to an earlier problem; None when that is not known."""
        base, added = self.__dict__.get("_added", (None, ()))
        if self.layout is not earlier.layout:
            return None
        if base is earlier:
            return added
        known, before = earlier.__dict__.get("_added", (None, ()))
        shared = zip(added, before, strict=False)
        if base is None or base is not known or any(one is not other for one, other in shared):
            return None
        return added[len(before) :]

    def factor(self, index: int) -> tuple[Additive, Floats]:
        """Feature and weights of one factor."""
        first, last = int(self.factor_start[index]), int(self.factor_start[index + 1])
        start, stop = int(self.table_start[index]), int(self.table_start[index + 1])
        additive = Additive(
            self.factor_site[first:last], self.factor_delta[first:last], stop - start
        )
        return additive, self.table[start:stop]

    def factors(self) -> list[tuple[Additive, Floats]]:
        """Feature and weights of every factor."""
        return [self.factor(index) for index in range(self.factor_count)]


def _packed(
    problem: Problem, factors: Sequence[tuple[object, Additive, Any]], layout: Layout
) -> dict[str, Any]:
    """The fields of a problem and more factors."""
    merged = dict(problem.merged)
    narrowed: Narrowed | None = None
    if layout is problem.layout:
        narrowed = problem.cache.get("narrowed", problem.cache.get("start"))
    table = problem.table
    copied = False
    new_rows: list[tuple[Additive, Floats]] = []
    count = problem.factor_count
    scale = 0
    for key, additive, given in factors:
        weights: Floats = given if type(given) is np.ndarray else given.table()
        row = merged.get(key, -1) if key is not None else -1
        if row >= count:
            known, before = new_rows[row - count]
            product, exponent = _times(before, weights)
            new_rows[row - count] = (known, product)
            scale += exponent
        elif row >= 0 and (narrowed is None or narrowed.alive[row]):
            if not copied:
                table = table.copy()
                copied = True
            start = int(problem.table_start[row])
            product, exponent = _times(table[start : start + additive.size], weights)
            table[start : start + additive.size] = product
            scale += exponent
        else:
            if key is not None:
                merged[key] = count + len(new_rows)
            scaled, exponent = _scaled(weights)
            new_rows.append((additive, scaled))
            scale += exponent
    log_norm = problem.log_norm - scale * math.log(2.0)
    # What was ruled out stays so: propagation starts from where it stood.
    cache: dict[str, Any] = {}
    if narrowed is not None:
        alive = np.ones(count + len(new_rows), dtype=np.int8)
        alive[:count] = narrowed.alive
        cache["start"] = Narrowed(narrowed.allowed, alive, narrowed.constant)
    row_end = int(problem.factor_start[-1])
    table_end = int(problem.table_start[-1])
    row_ends: list[int] = []
    table_ends: list[int] = []
    for additive, _ in new_rows:
        row_end += additive.sites.shape[0]
        table_end += additive.size
        row_ends.append(row_end)
        table_ends.append(table_end)
    return {
        "factor_start": np.concatenate([problem.factor_start, np.array(row_ends, dtype=np.int64)]),
        "factor_site": np.concatenate([problem.factor_site, *(a.sites for a, _ in new_rows)]),
        "factor_delta": np.concatenate([problem.factor_delta, *(a.delta for a, _ in new_rows)]),
        "table_start": np.concatenate([problem.table_start, np.array(table_ends, dtype=np.int64)]),
        "table": np.concatenate([table, *(weights for _, weights in new_rows)]),
        "log_norm": log_norm,
        "merged": merged,
        "cache": cache,
    }


def _scaled(weights: Floats) -> tuple[Floats, int]:
    """Weights of which the largest is about one, and the power of two they must be multiplied by.

    Multiplying by powers of two loses no digits, so counts stay exact; and hundreds of small
    weights can be multiplied.
    """
    largest = float(weights.max())
    if 0.25 <= largest <= 2.0 or not 0.0 < largest < math.inf:
        return weights, 0
    exponent = math.frexp(largest)[1]
    return np.ldexp(weights, -exponent), exponent


def _times(first: Floats, second: Floats) -> tuple[Floats, int]:
    """The product, scaled; what was possible stays so, however unlikely."""
    product, exponent = _scaled(first * second)
    lost = (product < LEAST_WEIGHT) & (first > 0.0) & (second > 0.0)
    return np.where(lost, LEAST_WEIGHT, product), exponent


def has_walked(layout: Layout) -> bool:
    """Whether some walk has taken a step: then several sites share its positions."""
    unlimited = layout.allowed[:, layout.capacity < 0]
    return bool((unlimited.sum(axis=0) > 1).any())


def log_multinomial(total: int, parts: list[int]) -> float:
    """Log of the number of ways to split ``total`` distinct cards into ``parts``."""
    if sum(parts) != total:
        raise DeclarationError("the parts do not add up", value=(total, parts))
    return math.lgamma(total + 1) - sum(math.lgamma(part + 1) for part in parts)


def make_layout(
    copies: Integers,
    capacity: Integers,
    allowed: Flags,
    site_names: tuple[tuple[str, str], ...],
    slot_names: tuple[tuple[str, str], ...],
) -> Layout:
    """A layout with its indices by name."""
    sites: dict[tuple[str, str], tuple[int, ...]] = {}
    for site, name in enumerate(site_names):
        sites[name] = (*sites.get(name, ()), site)
    slots: dict[tuple[str, str], tuple[int, ...]] = {}
    for slot, name in enumerate(slot_names):
        slots[name] = (*slots.get(name, ()), slot)
    return Layout(copies, capacity, allowed, site_names, slot_names, sites, slots)
