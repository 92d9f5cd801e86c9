"""The features of the hidden variables: counts, subsets, holders and values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from ...data.errors import EvidenceError, nearest
from ..arrays.layout import Additive, Bools, Integers, Layout
from .features import Condition, Feature, all_hold, any_holds
from .holders import holders_of, slots_of
from .likelihoods import some_of
from .patterns import Pattern, refuse_values
from .quantities import IndexOf

#: Most items whose subsets are all written down.
MOST_ITEMS = 12
#: Most items whose subset can be asked for at once: each is a bit of a number.
MOST_BITS = 62


@dataclass(frozen=True)
class _OfDeal(Feature):
    deal: str

    def _slots(self, layout: Layout, holders: Sequence[str]) -> list[int]:
        slots: list[int] = []
        for holder in holders:
            found = layout.slots.get((self.deal, holder))
            # Words are made only where they are told.
            slots += found or slots_of(layout, self.deal, holder, asked=self.describe())
        return slots

    def _read(
        self, layout: Layout, sites: Sequence[int], slots: Sequence[int], steps: Sequence[int]
    ) -> Additive:
        """The feature that adds a step for each of its sites that is in one of its slots."""
        delta = np.zeros((len(sites), layout.slot_count), dtype=np.int64)
        delta[:, slots] = np.array(steps, dtype=np.int64)[:, None]
        return Additive(np.array(sites, dtype=np.int64), delta, self.size)

    def _sites(self, layout: Layout, item: str) -> tuple[int, ...]:
        found = layout.sites.get((self.deal, item))
        if found is None:
            known = [name for deal, name in layout.sites if deal == self.deal]
            raise EvidenceError("unknown item", value=item, hint=nearest(item, known))
        return found


@dataclass(frozen=True)
class Count(_OfDeal):
    """The number of some items a group of holders has; values 0, 1, ...

    Attributes:
        total: The largest value.
        reach: How many there are, which is as far as the value can come once holders are merged.
    """

    counts = True

    holders: tuple[str, ...]
    items: tuple[str, ...]
    total: int
    reach: int = field(default=0, compare=False, repr=False)

    @property
    def size(self) -> int:
        return self.total + 1

    @cached_property
    def values(self) -> tuple[int, ...]:
        return tuple(range(self.total + 1))

    @cached_property
    def further(self) -> tuple[int, ...]:
        return tuple(range(self.total + 1, self.reach + 1))

    def describe(self) -> str:
        return f"count({'+'.join(self.holders)}, {some_of(self.items)})"

    def on(self, layout: Layout) -> Feature:
        if not layout.order or self.reach <= self.total:
            return self
        most = self._most(layout)
        return self if most <= self.total else replace(self, total=most, reach=0)

    def fitted(self, count: int) -> Feature:
        known = self.total < count - 1 <= self.reach
        return replace(self, total=count - 1) if known else self

    def _most(self, layout: Layout) -> int:
        """The largest value on a layout."""
        slots = self._slots(layout, self.holders)
        sites = [site for item in self.items for site in self._sites(layout, item)]
        return min(int(layout.copies[sites].sum()), int(layout.capacity[slots].sum()))

    def _additive(self, layout: Layout) -> Additive:
        most = self._most(layout)
        if most > self.total:
            raise EvidenceError(
                f"{self.describe()} was made when there could be {self.total} at most",
                value=most,
                hint="weigh all values that it has now: with a function, or a mapping",
            )
        slots = self._slots(layout, self.holders)
        sites = [site for item in self.items for site in self._sites(layout, item)]
        return self._read(layout, sites, slots, [1] * len(sites))


@dataclass(frozen=True)
class OpenCount(Count):
    """A count in holders that moves make, so only the copies there are bound it.

    A shorter list of weights is one for a smaller holder; that it is no larger is checked when
    the evidence is observed.
    """

    @cached_property
    def late(self) -> bool:
        return True

    def on(self, layout: Layout) -> Feature:
        size = int(layout.capacity[self._slots(layout, self.holders)].sum())
        return Count(self.deal, self.holders, self.items, min(self.total, size))

    def fitted(self, count: int) -> Feature:
        known = 1 <= count <= self.value_count
        return Count(self.deal, self.holders, self.items, count - 1) if known else self


@dataclass(frozen=True)
class AllOf(_OfDeal):
    """The condition that all a holder has are copies of one item; values are False and True.

    How many that is depends on the moves that were observed, so it is looked up when it is asked.
    """

    holder: str
    item: str
    total: int

    @cached_property
    def values(self) -> tuple[bool, ...]:
        return (False, True)

    @property
    def base(self) -> Feature:
        return Count(self.deal, (self.holder,), (self.item,), self.total)

    @cached_property
    def late(self) -> bool:
        return True

    def on(self, layout: Layout) -> Feature:
        size = int(layout.capacity[self._slots(layout, (self.holder,))].sum())
        return self.base.satisfies(lambda value: value == size)

    @cached_property
    def project(self) -> Integers:
        raise EvidenceError(
            f"{self.describe()} depends on the present holders",
            hint="ask a posterior, or write feature.on(layout)",
        )

    def describe(self) -> str:
        return f"all_of({self.holder}, {self.item})"


@dataclass(frozen=True)
class Which(_OfDeal):
    """The items of some distinct ones that a group of holders has; values are tuples of items."""

    holders: tuple[str, ...]
    items: tuple[str, ...]

    @property
    def size(self) -> int:
        return 1 << len(self.items)

    @cached_property
    def large(self) -> bool:
        return len(self.items) > MOST_ITEMS

    @cached_property
    def values(self) -> tuple[tuple[str, ...], ...]:
        if self.large:
            refuse_values(self.describe(), self.size)
        return tuple(map(self._value, range(self.size)))

    def refuse_table(self) -> None:
        if self.large:
            raise EvidenceError(
                f"{self.describe()} has too many values to weigh each of them",
                value=self.size,
                hint="declare a holder for each place of a small hand, such as {'v1': 1, 'v2': 1}, "
                "and write together(deal.item_of('v1'), deal.item_of('v2')).weigh(...)",
            )

    def _value(self, index: int) -> tuple[str, ...]:
        return tuple(item for place, item in enumerate(self.items) if index >> place & 1)

    def in_worlds(self, layout: Layout, index_of: IndexOf) -> tuple[Integers, list[Any]]:
        if not self.large:
            return super().in_worlds(layout, index_of)
        found, numbers = np.unique(index_of(self.additive(layout)), return_inverse=True)
        return numbers, [self._value(index) for index in found.tolist()]

    def among(self, values: Iterable[Any]) -> Condition:
        if not self.large:
            return super().among(values)
        return any_holds(map(self._exactly, values))

    def _exactly(self, value: object) -> Condition:
        """The condition that they have these of the items, and none of the others."""
        given: tuple[Any, ...] = ()
        if isinstance(value, (tuple, list)):
            given = tuple(cast("Sequence[Any]", value))
        found = tuple(item for item in self.items if item in given)
        if found != given or not isinstance(value, (tuple, list)):
            raise EvidenceError(
                f"{self.describe()} cannot have this value",
                value=cast("Any", value),
                hint="its values are tuples of the items, in their order",
            )
        rest = tuple(item for item in self.items if item not in found)
        halves = [(found, len(found)), (rest, 0)]
        return all_hold(
            Count(self.deal, self.holders, items, len(items)).equals(number)
            for items, number in halves
            if items
        )

    def satisfies(self, test: Callable[[Any], Any], *, at_once: bool = False) -> Condition:
        """The condition that the items pass a test: of a tuple of them, or of many hands at once.

        Of more than twelve items not every subset is tested, but those that are possible when it
        is asked: of five cards of 48, 1,712,304. A test in Python takes a microsecond at least for
        each; ``at_once`` hands over many in an array, for NumPy.

        Args:
            test: A function of a tuple of items, or of an array of the places that the items have
                in the list that was asked for, shape (hands, items of a hand).
            at_once: Whether it is the latter, and gives an array of bools, shape (hands,).

        >>> from sleuth import Deal, Model, infer
        >>> deck = [rank + suit for rank in "23456789" for suit in "cdhs"]
        >>> cards = Deal(deck, holders={"me": 2, "deck": 30})
        >>> hand = cards.which("me", deck)
        >>> pair = hand.satisfies(lambda cards: cards[0][0] == cards[1][0])
        >>> round(infer(Model(cards)).probability(pair), 4) == round(3 / 31, 4)
        True
        >>> fast = hand.satisfies(lambda hands: hands[:, 0] // 4 == hands[:, 1] // 4, at_once=True)
        >>> round(infer(Model(cards)).probability(fast), 4) == round(3 / 31, 4)
        True
        """
        pattern = Pattern(self, (), test, at_once)
        if self.large:
            return pattern
        places = {item: place for place, item in enumerate(self.items)}
        hands = [np.array([[places[item] for item in value]], dtype=int) for value in self.values]
        return Condition(self, tuple(bool(pattern.holds(hand, self.items)[0]) for hand in hands))

    def describe(self) -> str:
        return f"which({'+'.join(self.holders)}, {some_of(self.items)})"

    def _additive(self, layout: Layout) -> Additive:
        slots = self._slots(layout, self.holders)
        sites = [self._sites(layout, item)[0] for item in self.items]
        return self._read(layout, sites, slots, [1 << place for place in range(len(sites))])


@dataclass(frozen=True)
class HolderOf(_OfDeal):
    """The holder of a distinct item; values are holders.

    Attributes:
        holders: Those of the declaration, and others that are named or present.
        declared: How many of them are of the declaration; None where they are not checked.
    """

    one_place = True

    item: str
    holders: tuple[str, ...]
    declared: int | None = field(default=None, compare=False, repr=False)

    @cached_property
    def values(self) -> tuple[str, ...]:
        return self.holders

    def describe(self) -> str:
        return f"holder_of({self.item})"

    def among(self, values: Iterable[Any]) -> Condition:
        named = tuple(values)
        others = (word for word in named if isinstance(word, str) and word not in self.places)
        of = replace(self, holders=(*self.holders, *dict.fromkeys(others)))
        found = Feature.among(of, named)
        # Whoever else comes to hold it is none of these.
        return Condition(of, found.truth, beyond=(False,))

    def extra(self, value: Any) -> int:
        return 0

    def advice(self, value: Any) -> str:
        return f"name the holder that a move made: deal.holder_of({self.item!r}, also=[{value!r}])"

    def on(self, layout: Layout) -> Feature:
        if not layout.order:
            return self
        present = holders_of(layout, self.deal)
        names = (*self.holders, *(name for name in present if name not in self.places))
        return self if names == self.holders else replace(self, holders=names)

    def _additive(self, layout: Layout) -> Additive:
        site = self._sites(layout, self.item)[0]
        if self.declared is not None:
            self._slots(layout, self.holders[self.declared :])
        delta = np.zeros((1, layout.slot_count), dtype=np.int64)
        for deal, holder in layout.holders:
            if deal != self.deal:
                continue
            slots = list(layout.slots[(deal, holder)])
            if holder in self.places:
                delta[0, slots] = self.places[holder]
            elif layout.allowed[site, slots].any():
                raise EvidenceError(
                    f"{self.describe()} does not say what holds of a holder that came to be",
                    value=holder,
                    hint=self.advice(holder),
                )
        return Additive(np.array([site], dtype=np.int64), delta, self.size)


@dataclass(frozen=True)
class _OneItem(_OfDeal):
    """One item of a holder; values are items."""

    one_holder = True

    holder: str
    items: tuple[str, ...]

    @cached_property
    def values(self) -> tuple[str, ...]:
        return self.items

    def spoken_of(self, layout: Layout) -> Bools:
        found = np.zeros(layout.slot_count, dtype=np.bool_)
        found[self._slots(layout, (self.holder,))] = True
        return found


@dataclass(frozen=True)
class Single(_OneItem):
    """The one item of a category that a holder has; values are items."""

    def describe(self) -> str:
        return f"single({self.holder}, {some_of(self.items)})"

    def _additive(self, layout: Layout) -> Additive:
        slots = self._slots(layout, (self.holder,))
        sites = [self._sites(layout, item)[0] for item in self.items]
        if layout.capacity[[s for s in slots if layout.allowed[sites, s].any()]].sum() > 1:
            raise EvidenceError(
                f"{self.describe()}: the holder may have several of them now", value=self.holder
            )
        return self._read(layout, sites, slots, range(len(sites)))


@dataclass(frozen=True)
class ItemOf(_OneItem):
    """The item of a holder that has just one; values are items."""

    def describe(self) -> str:
        return f"item_of({self.holder})"

    def _additive(self, layout: Layout) -> Additive:
        slots = self._slots(layout, (self.holder,))
        size = int(layout.capacity[slots].sum())
        if size != 1:
            raise EvidenceError(
                f"{self.describe()}: this holder has {size} items, not one",
                value=self.holder,
                hint="ask for count(holder, item), or give each place a holder of its own",
            )
        found = [self._sites(layout, item) for item in self.items]
        sites = [site for each in found for site in each]
        delta = np.zeros((len(sites), layout.slot_count), dtype=np.int64)
        numbers = np.repeat(np.arange(len(found)), [len(each) for each in found])
        delta[:, slots] = numbers[:, None]
        return Additive(np.array(sites, dtype=np.int64), delta, self.size)


@dataclass(frozen=True)
class Value(Feature):
    """The value of a choice."""

    one_place = True

    choice: str
    options: tuple[Any, ...]

    @cached_property
    def values(self) -> tuple[Any, ...]:
        return self.options

    def describe(self) -> str:
        return f"value({self.choice})"

    def _additive(self, layout: Layout) -> Additive:
        sites = layout.sites.get((self.choice, self.choice))
        if sites is None:
            known = [name for name, item in layout.sites if name == item]
            raise EvidenceError(
                "unknown choice", value=self.choice, hint=nearest(self.choice, known)
            )
        delta = np.zeros((1, layout.slot_count), dtype=np.int64)
        first = layout.slots[(self.choice, self.choice)][0]
        delta[0, first : first + self.size] = np.arange(self.size)
        return Additive(np.array(sites, dtype=np.int64), delta, self.size)
