"""Quantities with finitely many values: their places, and an index on a layout that adds up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..arrays.layout import Additive, Bools, Integers, Layout
from .likelihoods import refuse_many
from .nesting import Nested

#: For a feature on a layout, its index in each of some listed worlds.
IndexOf = Callable[[Additive], Integers]


@dataclass(frozen=True)
class Quantity:
    """A feature as numbers: its values, and which of them every deal has.

    >>> from sleuth import Deal, Model
    >>> cards = Deal({"ace": 1, "king": 3}, holders={"me": 2, "you": 2})
    >>> feature, layout = cards.count("you", "ace"), Model(cards).layout
    >>> feature.describe(), feature.values, feature.places[1], feature.size, feature.value_count
    ('count(you, ace)', (0, 1), 1, 2, 2)
    >>> feature.additive(layout).delta.tolist()  # what an ace adds with me, and with you
    [[0, 1]]
    >>> feature.equals(1).project.tolist(), feature.nested.depth, feature.late, feature.large
    ([0, 1], 0, False, False)
    >>> feature.base is feature, feature.equals(1).base is feature
    (True, True)
    >>> feature.counts, feature.one_place, feature.one_holder, feature.spoken_of(layout).tolist()
    (True, False, False, [True, True])
    >>> kings = cards.count("you", "king")
    >>> kings.values, kings.further, kings.extra(3), kings.has_all(feature)
    ((0, 1, 2), (3,), 0, True)
    """

    #: Whether it says one thing of one item in one place: then conditions on it add up.
    one_place: ClassVar[bool] = False
    #: Whether it says one thing of the one item that a holder has of some.
    one_holder: ClassVar[bool] = False
    #: Whether it is a sum over items: its values are numbers in equal steps.
    counts: ClassVar[bool] = False

    @property
    def size(self) -> int:
        """Number of indices."""
        return len(self.values)

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """Every value, possible or not, in a fixed order."""
        raise NotImplementedError

    @property
    def value_count(self) -> int:
        """Number of `values`."""
        return self.size

    @cached_property
    def project(self) -> Integers:
        """Place in `values` for every index, shape (indices,)."""
        return np.arange(self.size)

    @cached_property
    def places(self) -> dict[Any, int]:
        """Place of every value in `values`."""
        return {value: place for place, value in enumerate(self.values)}

    @cached_property
    def further(self) -> tuple[Any, ...]:
        """Values that it has not now, but may come to have once holders are merged."""
        return ()

    def extra(self, value: Any) -> int:
        """Place among `further` of a value that is not among `values`; after them if not there."""
        return self.further.index(value) if value in self.further else len(self.further)

    def advice(self, value: Any) -> str:
        """Words on the way to name a value that a move gave it; none where there is no such way.

        >>> from sleuth import Deal
        >>> cards = Deal(["ace", "king"], holders={"me": 2})
        >>> cards.holder_of("ace").advice("table")
        "name the holder that a move made: deal.holder_of('ace', also=['table'])"
        """
        return ""

    def has_all(self, other: Quantity) -> bool:
        """True if all values of another are among those of this one."""
        return all(value in self.places for value in other.values)

    @property
    def base(self) -> Quantity:
        """The additive feature that this one is a function of (itself, mostly)."""
        return self

    @cached_property
    def nested(self) -> Nested:
        """The number of features made of others that it is made of."""
        return Nested(0, 0)

    @cached_property
    def late(self) -> bool:
        """True if what it says depends on the present holders; then ask `on` for it."""
        return False

    def on(self, layout: Layout) -> Quantity:
        """The same feature, with what depends on the present holders filled in.

        Its values are among those of this one and its `further` ones.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal({"ace": 2, "king": 2}, holders={"you": 3, "table": 1})
        >>> belief = infer(Model(cards), [cards.split("you", "claim 1", 1)])
        >>> feature = cards.count("claim 1", "ace")
        >>> feature.late, feature.values, feature.on(belief.problem.layout).values
        (True, (0, 1, 2), (0, 1))
        """
        return self

    def fitted(self, count: int) -> Quantity:
        """The same feature with ``count`` values, where it is open how many there are.

        >>> from sleuth import Deal
        >>> cards = Deal({"ace": 2, "king": 2}, holders={"you": 3, "table": 1})
        >>> claim = cards.split("you", "claim 1", 1)
        >>> cards.count("claim 1", "ace").fitted(2).values
        (0, 1)
        """
        return self

    @cached_property
    def large(self) -> bool:
        """True if no table can have all its values; then only listed worlds can tell of it."""
        return False

    def refuse_table(self) -> None:
        """Refuse it where no table can have a weight for each of its values.

        Raises:
            EvidenceError: It has too many.

        >>> from sleuth import Deal
        >>> cards = Deal([*"abcdefghijklm"], holders={"me": 2, "deck": 11})
        >>> cards.which("me", [*cards.items]).refuse_table()
        Traceback (most recent call last):
            ...
        sleuth.data.errors.EvidenceError: which(me, a, b, c, d, e, f, ...) has too many values ...
        """
        refuse_many(self.value_count)

    def in_worlds(self, layout: Layout, index_of: IndexOf) -> tuple[Integers, list[Any]]:
        """The value of it in some listed worlds.

        Args:
            layout: Where they are worlds of.
            index_of: The index of an additive feature in each of them.

        Returns:
            For each world the number of a value, shape (worlds,), and the values that occur.

        >>> import numpy as np
        >>> from sleuth import Deal, Model
        >>> cards = Deal(["ace", "king"], holders={"me": 1, "you": 1})
        >>> indices = np.array([0, 1, 1])  # of three worlds that somebody listed
        >>> cards.holder_of("ace").in_worlds(Model(cards).layout, lambda additive: indices)
        (array([0, 1, 1]), ['me', 'you'])
        """
        places, numbers = np.unique(
            self.project[index_of(self.base.additive(layout))], return_inverse=True
        )
        return numbers, [self.values[place] for place in places]

    def spoken_of(self, layout: Layout) -> Bools:
        """True for each slot that it is about, shape (slots,): all, unless it is of one holder."""
        return np.ones(layout.slot_count, dtype=np.bool_)

    def additive(self, layout: Layout) -> Additive:
        """This feature on a layout; kept there, since many questions repeat it."""
        found = layout.cache.get(self)
        if found is None:
            found = layout.cache[self] = self._additive(layout)
        return found

    def __getstate__(self) -> dict[str, Any]:
        """Only what was declared: what is kept for speed would drag whole layouts along."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def _additive(self, layout: Layout) -> Additive:
        raise NotImplementedError

    def describe(self) -> str:
        """The feature in words, for errors and reports."""
        raise NotImplementedError
