"""Sites and slots, and features on them: the data that problems are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...data.errors import EvidenceError

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.int8]
Bools = NDArray[np.bool_]

#: (variable name, item name)
SiteName = tuple[str, str]
#: (variable name, holder name)
HolderName = tuple[str, str]
#: The name of a slot that stands for a value of any choice, or a position of any walk.
VALUE_SLOT: Final[HolderName] = ("", "")


def number_type(numbers: int) -> type[np.signedinteger[Any]]:
    """The smallest type that counts so many; most worlds number their slots in one byte each."""
    return next(kind for kind in (np.int8, np.int16, np.int32) if numbers <= np.iinfo(kind).max)


@dataclass(frozen=True, eq=False)
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

    def with_table(self, table: Floats) -> FactorArrays:
        """The factor of this feature with a table, alone.

        Evidence is read-only; the copy of its table is not, so that kernels are compiled once.
        """
        return FactorArrays(*self._alone, table.copy())

    @cached_property
    def _alone(self) -> tuple[Integers, Integers, Integers, Integers]:
        rows = np.array([0, self.sites.shape[0]], dtype=np.int64)
        return rows, self.sites, self.delta, np.array([0, self.size], dtype=np.int64)


#: A key that names the feature (None: never merged), the feature, and its weights, shape (size,).
Factor = tuple[object, Additive, Floats]


class FactorArrays(NamedTuple):
    """Factors one after the other, as kernels take them.

    Attributes:
        start: Rows of factor f are ``start[f]:start[f + 1]``.
        site: Site of every row, shape (rows,).
        delta: What one copy of a row's site adds to the factor's index, shape (rows, slots).
        table_start: Table of factor f is ``table[table_start[f]:table_start[f + 1]]``.
        table: Weights of all factors, one after the other.
    """

    start: Integers
    site: Integers
    delta: Integers
    table_start: Integers
    table: Floats


@dataclass(frozen=True, eq=False)
class Layout:
    """The sites and slots of a problem, and the places each site may have.

    Places of deals have a slot each. Values of choices share slots, since a slot without a limit
    ties nothing together: the first value of each is in the first of these, and so on.

    Attributes:
        copies: Copies of every site, shape (sites,).
        capacity: Copies every slot holds, shape (slots,); -1 without a limit.
        allowed: 1 where a site may be in a slot, shape (sites, slots).
        site_names: Variable and item of every site.
        slot_names: Variable and holder of every slot; the slots of one holder repeat it, and
            those of values are all called `VALUE_SLOT`.
        sites: Sites of a named item.
        slots: Slots of a named present holder, or of the values of a choice or walk.
        values: Number of values of every choice, and of positions of every walk, by name.
        order: Names of the present holders in the order of their numbers, once some came or went;
            before, it is that of their slots.
        cache: Features compiled on this layout.
    """

    copies: Integers
    capacity: Integers
    allowed: Flags
    site_names: tuple[SiteName, ...]
    slot_names: tuple[HolderName, ...]
    sites: Mapping[SiteName, tuple[int, ...]]
    slots: Mapping[HolderName, tuple[int, ...]]
    values: Mapping[str, int] = field(default_factory=dict[str, int])
    order: tuple[HolderName, ...] = ()
    cache: dict[object, Any] = field(default_factory=dict[object, Any], repr=False)

    @property
    def site_count(self) -> int:
        return self.copies.shape[0]

    @property
    def slot_count(self) -> int:
        return self.capacity.shape[0]

    @cached_property
    def place_count(self) -> int:
        """Places of deals, and values of all choices and walks, each counted for itself."""
        held = self.slot_count - max(self.values.values(), default=0)
        return held + sum(self.values.values())

    @cached_property
    def has_deals(self) -> bool:
        """True if there are places of deals."""
        return bool((self.capacity >= 0).any())

    @cached_property
    def holders(self) -> tuple[HolderName, ...]:
        """Names of the present holders of all deals, in the order of their numbers."""
        held = (name for name, slots in self.slots.items() if slots and name[0] not in self.values)
        return self.order or tuple(held)

    @cached_property
    def columns(self) -> Integers | None:
        """The physical cards in the order in which people are told of them, shape (cards,).

        All copies of an item stand together, the items in the order of the declaration, wherever
        the sites of copies that were seen stand. It is None where the cards stand so.
        """
        first = np.array([self.sites[name][0] for name in self.site_names], dtype=np.int64)
        if (first == np.arange(self.site_count)).all():
            return None
        return np.argsort(first[self.card_sites], kind="stable")

    @cached_property
    def distinct(self) -> bool:
        """True if every item is there once."""
        return bool((self.copies == 1).all())

    @cached_property
    def card_sites(self) -> Integers:
        """Site of every physical card, shape (cards,)."""
        return np.repeat(np.arange(self.site_count), self.copies)


def make_layout(
    copies: Integers,
    capacity: Integers,
    allowed: Flags,
    site_names: tuple[tuple[str, str], ...],
    slot_names: tuple[tuple[str, str], ...],
    values: Mapping[str, int],
) -> Layout:
    """A layout with its indices by name."""
    sites, slots = _numbers(site_names), _numbers(slot_names)
    shared = slots.pop(VALUE_SLOT, ())
    for name, count in values.items():
        slots[(name, name)] = shared[:count]
    return Layout(copies, capacity, allowed, site_names, slot_names, sites, slots, values)


def _numbers(names: tuple[tuple[str, str], ...]) -> dict[tuple[str, str], tuple[int, ...]]:
    """The places of each name, ascending."""
    found: dict[tuple[str, str], list[int]] = {}
    for number, name in enumerate(names):
        found.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in found.items()}


def walk_sites(layout: Layout, walk: str) -> list[int]:
    """Site of a walk's position after every number of steps.

    Raises:
        EvidenceError: The layout has no such walk.
    """
    found = layout.cache.get(("walk", walk))
    if found is None:
        steps = {
            int(item): sites[0]
            for (owner, item), sites in layout.sites.items()
            if owner == walk and item.isdigit()
        }
        if (walk, walk) not in layout.slots or not steps:
            raise EvidenceError("this model has no such walk", value=walk)
        found = layout.cache[("walk", walk)] = [steps[step] for step in range(len(steps))]
    return found


def steps_taken(layout: Layout, walk: str) -> int:
    """The number of steps a walk has taken so far."""
    return len(walk_sites(layout, walk)) - 1
