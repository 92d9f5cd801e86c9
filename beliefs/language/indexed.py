"""What is asked about as numbers: values, their places, and an index on a layout."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays.layout import Additive, Integers, Layout


@dataclass(frozen=True)
class Indexed:
    """The values of a feature, and which of them every deal has."""

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
