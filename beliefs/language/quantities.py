"""Quantities with finitely many values: their places, and an index on a layout that adds up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..arrays.layout import Additive, Integers, Layout
from .nesting import Nested

#: For a feature on a layout, its index in each of some listed worlds.
IndexOf = Callable[[Additive], Integers]


@dataclass(frozen=True)
class Quantity:
    """A feature as numbers: its values, and which of them every deal has."""

    #: Whether it says one thing of one item in one place: then conditions on it add up.
    one_place: ClassVar[bool] = False

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

        Its values are among those of this one.
        """
        return self

    def fitted(self, count: int) -> Quantity:
        """The same feature with ``count`` values, where it is open how many there are."""
        return self

    @cached_property
    def large(self) -> bool:
        """True if no table can have all its values; then only listed worlds can tell of it."""
        return False

    def in_worlds(self, layout: Layout, index_of: IndexOf) -> tuple[Integers, list[Any]]:
        """The value of it in some listed worlds.

        Args:
            layout: Where they are worlds of.
            index_of: The index of an additive feature in each of them.

        Returns:
            For each world the number of a value, shape (worlds,), and the values that occur.
        """
        places, numbers = np.unique(
            self.project[index_of(self.base.additive(layout))], return_inverse=True
        )
        return numbers, [self.values[place] for place in places]

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
