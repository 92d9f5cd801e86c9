"""How many of some conditions hold, without a table of all their combinations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..data.errors import EvidenceError
from .arrays.layout import Additive, Integers, Layout
from .deal_features import HolderOf, Value
from .features import Condition, Feature, IndexOf, TupleOf, together
from .walk import At

#: Features of one item in one place: every condition on them adds up by itself.
ONE_PLACE = (Value, HolderOf, At)


@dataclass(frozen=True)
class _Counted(Feature):
    conditions: tuple[Condition, ...]

    @property
    def size(self) -> int:
        return len(self.conditions) + 1

    @cached_property
    def values(self) -> tuple[int, ...]:
        return tuple(range(len(self.conditions) + 1))

    @cached_property
    def late(self) -> bool:
        return any(condition.late for condition in self.conditions)

    def on(self, layout: Layout) -> Feature:
        return count_of(each.on(layout) for each in self.conditions) if self.late else self

    def describe(self) -> str:
        shown = "; ".join(condition.describe() for condition in self.conditions[:3])
        return f"count_of({shown}{'; ...' if len(self.conditions) > 3 else ''})"


@dataclass(frozen=True)
class CountEach(_Counted):
    """How many of some conditions hold, each of which adds up by itself; see `adds_up`."""

    def _additive(self, layout: Layout) -> Additive:
        rows: dict[int, Integers] = {}
        for condition in self.conditions:
            one = condition.base.additive(layout)
            for site, delta in zip(one.sites.tolist(), one.delta, strict=True):
                holds = condition.project[delta] * (layout.allowed[site] > 0)
                rows[site] = rows.get(site, np.zeros(layout.slot_count, dtype=np.int64)) + holds
        sites = sorted(rows)
        delta = np.array([rows[site] for site in sites], dtype=np.int64)
        return Additive(np.array(sites, dtype=np.int64), delta, self.size)


@dataclass(frozen=True)
class CountOf(_Counted):
    """How many of some conditions hold, by all that decides them together."""

    @cached_property
    def of(self) -> TupleOf:
        """What decides them: how many add up by themselves, and each of the others."""
        single = tuple(each for each in self.conditions if adds_up(each))
        other = [each for each in self.conditions if not adds_up(each)]
        return together(*([CountEach(single)] if single else []), *other)

    @property
    def base(self) -> Feature:
        return self.of.base

    @cached_property
    def large(self) -> bool:
        return self.of.large

    @cached_property
    def project(self) -> Integers:
        parts = self.of.project  # refuses what is too large
        totals: Integers = np.zeros(1, dtype=np.int64)
        for part in self.of.parts:
            totals = np.add.outer(totals, np.arange(part.value_count)).ravel()
        return totals[parts]

    def additive(self, layout: Layout) -> Additive:
        return self.base.additive(layout)

    def in_worlds(self, layout: Layout, index_of: IndexOf) -> tuple[Integers, list[Any]]:
        total: Integers = np.zeros(1, dtype=np.int64)
        for part in self.of.parts:
            numbers, values = part.in_worlds(layout, index_of)
            total = total + np.array(values, dtype=np.int64)[numbers]
        found, numbers = np.unique(total, return_inverse=True)
        return numbers, found.tolist()


def adds_up(condition: Condition) -> bool:
    """Whether the number of conditions that hold is a sum over items, and this one a term of it."""
    if condition.late:
        return False
    base = condition.base
    # Or a count that is 0 or 1, such as whether a holder has a card.
    return isinstance(base, ONE_PLACE) or (base.size == 2 and condition.project.tolist() == [0, 1])


def count_of(*conditions: Condition | Iterable[Condition]) -> Feature:
    """How many of some conditions hold: 0, 1, ...

    Conditions on the value of a `Choice`, on the holder of one item, or on whether a holder has it,
    are only counted: there may be hundreds. Others are put together in one table. Where a dozen of
    them make that too large, it can still be asked of worlds that are few enough to be listed.

    Raises:
        EvidenceError: Something else than conditions.
    """
    given: list[Condition] = []
    for each in conditions:
        given.extend(each if isinstance(each, Iterable) else [each])
    for each in given:
        if not isinstance(each, Condition):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError(
                "only conditions can be counted", value=each, hint="write feature.equals(value)"
            )
    if not given:
        raise EvidenceError("name at least one condition")
    return (CountEach if all(map(adds_up, given)) else CountOf)(tuple(given))


def any_of(*conditions: Condition | Iterable[Condition]) -> Condition:
    """Whether at least one of some conditions holds; see `count_of`."""
    return count_of(*conditions).at_least(1)


def all_of(*conditions: Condition | Iterable[Condition]) -> Condition:
    """Whether all of some conditions hold; see `count_of`."""
    counted = count_of(*conditions)
    return counted.equals(counted.values[-1])
