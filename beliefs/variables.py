"""The hidden variables: `Deal`, `Choice`, and the place of `Walk`.

>>> cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
>>> cards.count("you", "ace").values
(0, 1, 2)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..data.errors import DeclarationError, EvidenceError, nearest
from .deal_features import Count, HolderOf, Single, Value, Which
from .evidence import Evidence, Merge, Reveal, Split
from .features import MOST_ITEMS, Condition
from .problem import Floats

Items = str | Iterable[str]
Contents = Mapping[str, int] | Sequence[str]


@dataclass(frozen=True, init=False)
class Deal:
    """Items, each with exactly one holder; every holder has a known number of items.

    Args:
        items: Names of distinct items, or a mapping from item to number of identical copies.
        holders: How many items each holder has; must add up to the number of items.
        categories: Named groups of items, for ``counts``.
        counts: For a holder, exactly how many items of a category it has.
        known: Items that are known to be with a holder from the start.
        name: Name of the variable; needed only with several deals in a model.

    Raises:
        DeclarationError: Sizes do not add up, or a name is unknown or given twice.
    """

    items: Mapping[str, int]
    holders: Mapping[str, int]
    categories: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, Mapping[str, int]]
    known: Mapping[str, Mapping[str, int]]
    name: str
    # Holders that splits and merges have made, with their sizes: only to check names early.
    _made: dict[str, int] = field(repr=False, compare=False)
    # Holders whose size is no longer one number, since splits or merges changed it.
    _resized: set[str] = field(repr=False, compare=False)

    def __init__(
        self,
        items: Mapping[str, int] | Sequence[str],
        *,
        holders: Mapping[str, int],
        categories: Mapping[str, Sequence[str]] | None = None,
        counts: Mapping[str, Mapping[str, int]] | None = None,
        known: Mapping[str, Contents] | None = None,
        name: str = "deal",
    ) -> None:
        where = f"deal {name!r}"
        copies = _tally(items, where=where)
        sizes = dict(holders)
        for kind, numbers in (("item", copies), ("holder", sizes)):
            for word, number in numbers.items():
                if not isinstance(word, str) or not word:  # pyright: ignore[reportUnnecessaryIsInstance]
                    raise DeclarationError(
                        f"every {kind} is named by a string", where=where, value=word
                    )
                least = 1 if kind == "item" else 0
                if type(number) is not int or number < least:
                    raise DeclarationError(
                        f"the number for {kind} {word!r} is a whole number of at least {least}",
                        where=where,
                        value=number,
                    )
        if not copies:
            raise DeclarationError("a deal needs items", where=where)
        if len(sizes) < 1 or len(sizes) > 100:
            raise DeclarationError("a deal has 1 to 100 holders", where=where, value=len(sizes))
        total, places = sum(copies.values()), sum(sizes.values())
        if total != places:
            raise DeclarationError(
                f"sizes do not add up: {total} items, but the holders take {places}",
                where=where,
                hint="give the left-over items a holder of their own, such as 'table'",
            )
        groups = {group: tuple(members) for group, members in (categories or {}).items()}
        for group, members in groups.items():
            for item in members:
                if item not in copies:
                    raise DeclarationError(
                        f"category {group!r} has an unknown item",
                        where=where,
                        value=item,
                        hint=nearest(item, copies),
                    )
            if len(set(members)) != len(members):
                raise DeclarationError(f"category {group!r} names an item twice", where=where)
        exact: dict[str, dict[str, int]] = {}
        for holder, wanted in (counts or {}).items():
            self._check_declared(holder, sizes, "holder", where)
            exact[holder] = dict(wanted)
            used: set[str] = set()
            for group, number in wanted.items():
                self._check_declared(group, groups, "category", where)
                if used & set(groups[group]):
                    raise DeclarationError(
                        f"the categories counted for {holder!r} share an item",
                        where=where,
                        value=sorted(used & set(groups[group]))[0],
                    )
                used |= set(groups[group])
                _whole(number, where)
                if not 0 <= number <= sum(copies[item] for item in groups[group]):
                    raise DeclarationError(
                        f"{holder!r} cannot have this many of {group!r}", where=where, value=number
                    )
            counted, rest = sum(wanted.values()), sum(copies.values())
            rest -= sum(copies[item] for item in used)
            if counted > sizes[holder] or sizes[holder] - counted > rest:
                raise DeclarationError(
                    f"the counts of {holder!r} do not fit its size {sizes[holder]}",
                    where=where,
                    value=dict(wanted),
                )
        fixed: dict[str, dict[str, int]] = {}
        for holder, contents in (known or {}).items():
            self._check_declared(holder, sizes, "holder", where)
            fixed[holder] = _tally(contents, where=where)
            for item, number in fixed[holder].items():
                self._check_declared(item, copies, "item", where)
                _whole(number, where)
            if sum(fixed[holder].values()) > sizes[holder]:
                raise DeclarationError(
                    f"{holder!r} is known to have more than its {sizes[holder]} items", where=where
                )
        for item in copies:
            taken = sum(contents.get(item, 0) for contents in fixed.values())
            if taken > copies[item]:
                raise DeclarationError(
                    "more copies of an item are known than there are", where=where, value=item
                )
        for attribute, value in (
            ("items", copies),
            ("holders", sizes),
            ("categories", groups),
            ("counts", exact),
            ("known", fixed),
            ("name", name),
            ("_made", dict[str, int]()),
            ("_resized", set[str]()),
        ):
            object.__setattr__(self, attribute, value)

    def __hash__(self) -> int:
        return hash((self.name, frozenset(self.items.items()), frozenset(self.holders.items())))

    # -- features

    def count(self, holders: Items, items: Items) -> Count:
        """How many of ``items`` the holders have together; values 0, 1, ..."""
        wanted, group = self._items(items), self._group(holders)
        copies = room = 0
        for item in wanted:
            copies += self.items[item]
        for holder in group:
            room += self._size(holder)
        return Count(self.name, group, wanted, min(copies, room))

    def which(self, holders: Items, items: Items) -> Which:
        """Which of at most twelve distinct items the holders have; values are tuples of items."""
        wanted = self._items(items)
        if len(wanted) > MOST_ITEMS:
            raise EvidenceError(
                f"a subset of at most {MOST_ITEMS} items can be asked for",
                value=len(wanted),
                hint="ask for count(holders, items) instead",
            )
        self._distinct(wanted)
        return Which(self.name, self._group(holders), wanted)

    def holder_of(self, item: str) -> HolderOf:
        """Who has a distinct item; values are the holders."""
        self._items(item)
        self._distinct((item,))
        made = sorted(set(self._made) - set(self.holders))
        return HolderOf(self.name, item, (*self.holders, *made))

    def single(self, holder: str, category: str) -> Single:
        """The one item of a category that the holder has, where its declared count is 1."""
        self._group(holder)
        if self.counts.get(holder, {}).get(category) != 1:
            raise EvidenceError(
                f"{holder!r} was not declared to have exactly one of this category",
                value=category,
                hint=f"declare counts={{{holder!r}: {{{category!r}: 1}}}}",
            )
        self._distinct(self.categories[category])
        return Single(self.name, holder, self.categories[category])

    # -- conditions

    def all_of(self, holder: str, items: Items) -> Condition:
        """Whether all that ``holder`` has are copies of one item; of a list, whether it has all."""
        wanted = self._items(items)
        if isinstance(items, str):
            feature, size = self.count(holder, items), self._size(holder)
            if holder in self._resized:
                raise EvidenceError(
                    f"the size of {holder!r} has changed, so 'all' is not one number",
                    hint=f"say how many: count({holder!r}, {items!r}).equals(n)",
                )
            return feature.satisfies(lambda value: value == size)
        total = sum(self.items[item] for item in wanted)
        return self.count(holder, wanted).satisfies(lambda value: value == total)

    # -- evidence

    def holds(self, holders: Items, items: Items, n: int | None = None, **notes: Any) -> Evidence:
        """They have all of ``items``; with ``n``, at least n of one item."""
        feature = self.count(holders, items)
        if n is None:
            n = len(feature.items)
            if n > 1 and any(self.items[item] > 1 for item in feature.items):
                raise EvidenceError(
                    "say how many copies: one call per item, holds(holder, item, n)", value=items
                )
        if not 1 <= n <= feature.total:
            raise EvidenceError(
                f"they can have at most {feature.total} of these, so n is 1 to {feature.total}",
                value=n,
            )
        return _at_least(feature, n, **notes)

    def lacks(self, holders: Items, items: Items, **notes: Any) -> Evidence:
        """They have none of ``items``."""
        feature = self.count(holders, items)
        table = np.zeros(feature.size)
        table[0] = 1.0
        return _noted(feature, table, **notes)

    def holds_any(self, holders: Items, items: Items, **notes: Any) -> Evidence:
        """They have at least one of ``items``."""
        return _at_least(self.count(holders, items), 1, **notes)

    # -- moves

    def split(self, source: str, new_holder: str, n: int) -> Split:
        """``n`` unseen items leave ``source`` and form ``new_holder``."""
        self._group(source)
        if new_holder in self.holders or not new_holder:
            raise EvidenceError("a new holder needs a new name", value=new_holder)
        if n < 1:
            raise EvidenceError("a split takes at least one item", value=n)
        self._resized.add(source)
        self._make(new_holder, n)
        return Split(self.name, source, new_holder, n)

    def merge(self, holders: Sequence[str], into: str) -> Merge:
        """The holders become one, called ``into``."""
        self._group(holders)
        self._make(into, sum(self._size(holder) for holder in holders))
        return Merge(self.name, tuple(holders), into)

    def reveal(self, holder: str, contents: Contents, **notes: Any) -> Reveal:
        """Everybody sees all items of ``holder``: a list, or a mapping from item to copies."""
        self._group(holder)
        tally = _tally(contents, where=f"reveal of {holder!r}")
        self._items(tuple(tally))
        return Reveal(self.name, holder, tally, **notes)

    # -- checks

    @staticmethod
    def _check_declared(word: str, known: Iterable[str], kind: str, where: str) -> None:
        words = list(known)
        if word not in words:
            raise DeclarationError(
                f"unknown {kind}", where=where, value=word, hint=nearest(word, words)
            )

    def _items(self, items: Items) -> tuple[str, ...]:
        wanted = (items,) if isinstance(items, str) else tuple(items)
        if not wanted:
            raise EvidenceError("name at least one item")
        for item in wanted:
            if item not in self.items:
                raise EvidenceError("unknown item", value=item, hint=nearest(item, self.items))
        if len(set(wanted)) != len(wanted):
            raise EvidenceError("an item is named twice", value=wanted)
        return wanted

    def _group(self, holders: Items) -> tuple[str, ...]:
        wanted = (holders,) if isinstance(holders, str) else tuple(holders)
        if not wanted:
            raise EvidenceError("name at least one holder")
        for holder in wanted:
            if holder not in self.holders and holder not in self._made:
                known = [*self.holders, *sorted(self._made)]
                raise EvidenceError("unknown holder", value=holder, hint=nearest(holder, known))
        if len(set(wanted)) != len(wanted):
            raise EvidenceError("a holder is named twice", value=wanted)
        return wanted

    def _make(self, holder: str, size: int) -> None:
        before = self._size(holder) if holder in self.holders else self._made.get(holder, size)
        if before != size:
            self._resized.add(holder)
        # The largest size it ever had bounds what it can have.
        self._made[holder] = max(before, size)

    def _size(self, holder: str) -> int:
        return self._made[holder] if holder in self._made else self.holders[holder]

    def _distinct(self, items: Iterable[str]) -> None:
        for item in items:
            if self.items[item] != 1:
                raise EvidenceError(
                    f"there are {self.items[item]} identical copies of {item!r}",
                    hint="ask for count(holder, item)",
                )


def _at_least(feature: Count, n: int, **notes: Any) -> Evidence:
    if n > feature.total:
        raise EvidenceError(f"it can never be true that {feature.describe()} is at least {n}")
    table = np.ones(feature.size)
    table[:n] = 0.0
    return _noted(feature, table, **notes)


def _noted(
    feature: Count,
    table: Floats,
    *,
    because: str = "",
    id: str | None = None,
    event: int | None = None,
) -> Evidence:
    return Evidence.trusted(feature, table, because, id, event)


@dataclass(frozen=True, init=False)
class Choice:
    """One of finitely many values.

    Args:
        name: Name of the variable.
        options: Its values, or a mapping from value to prior weight.
    """

    name: str
    options: tuple[Any, ...]
    prior: tuple[float, ...]

    def __init__(self, name: str, options: Mapping[Any, float] | Sequence[Any]) -> None:
        where = f"choice {name!r}"
        values = tuple(options)
        weights = (
            [float(options[value]) for value in values]
            if isinstance(options, Mapping)
            else [1.0] * len(values)
        )
        if not name:
            raise DeclarationError("a choice needs a name", where=where)
        if not values or len(values) > 100:
            raise DeclarationError("a choice has 1 to 100 values", where=where, value=len(values))
        if len(set(values)) != len(values):
            raise DeclarationError("a value is given twice", where=where, value=values)
        if not all(math.isfinite(weight) and weight >= 0.0 for weight in weights):
            raise DeclarationError("a prior is finite and not negative", where=where, value=weights)
        total = math.fsum(weights)
        if total <= 0.0:
            raise DeclarationError("a prior is zero everywhere", where=where)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "options", values)
        object.__setattr__(self, "prior", tuple(weight / total for weight in weights))

    def value(self) -> Value:
        """The feature: which value it has."""
        return Value(self.name, self.options)

    def equals(self, value: Any) -> Condition:
        """Whether it has this value."""
        return self.value().equals(value)


@dataclass(frozen=True)
class Walk:
    """A position on a graph that moves in steps. Its filter comes with Scotland Yard.

    Attributes:
        name: Name of the variable.
        positions: Every position.
    """

    name: str
    positions: tuple[Any, ...] = ()


Variable = Deal | Choice | Walk


def _whole(number: object, where: str) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise DeclarationError("a number of items is a whole number", where=where, value=number)


def _tally(contents: Contents, *, where: str) -> dict[str, int]:
    if isinstance(contents, Mapping):
        return dict(contents)
    if isinstance(contents, str):
        raise DeclarationError("give a list of names", where=where, value=contents)
    result: dict[str, int] = {}
    for item in contents:
        if item in result:
            raise DeclarationError(
                "an item is named twice",
                where=where,
                value=item,
                hint="for identical copies write a mapping, {item: copies}",
            )
        result[item] = 1
    return result
