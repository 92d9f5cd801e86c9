"""The marginals of a feature after each of many continuations of one past."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays.layout import Bools, Floats, Integers

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Continuations:
    """A feature's marginal after each of some continuations; `Posterior.after_each` makes it.

    Attributes:
        values: Values of the feature, in its order.
        probabilities: Probability (or weight) of each continuation, given the past, shape
            (continuations,); 0 for one that is impossible.
        entropies: What would be open of the feature, in bits, shape (continuations,); NaN for a
            continuation that is impossible.
        places: Which of the values are possible after some continuation, shape (possible,).
        shares: Probability of those values after each, shape (continuations, possible); a row of
            NaN for a continuation that is impossible.
    """

    values: tuple[Any, ...]
    probabilities: Floats
    entropies: Floats
    places: Integers = field(repr=False)
    shares: Floats = field(repr=False)

    def __len__(self) -> int:
        return self.probabilities.shape[0]

    @property
    def possible(self) -> Bools:
        """True for each continuation that is possible, shape (continuations,)."""
        return ~np.isnan(self.entropies)

    @cached_property
    def distributions(self) -> Floats:
        """Probability of every value after each continuation, shape (continuations, values).

        The row of a continuation that is impossible is NaN.
        """
        found = np.zeros((len(self), len(self.values)))
        found[:, self.places] = self.shares
        found[~self.possible] = np.nan
        return found

    def to_frame(self) -> pandas.DataFrame:
        """One tidy table: a row for each continuation and each value that it leaves possible.

        Columns are ``continuation`` (its number, from 0), its ``probability``, the ``entropy`` in
        bits, the ``value`` and its ``share``. A continuation that is impossible has one row,
        without a value.
        """
        import pandas

        rows: list[tuple[int, float, float, Any, float]] = []
        for number, row in enumerate(self.shares):
            said = number, float(self.probabilities[number]), float(self.entropies[number])
            if math.isnan(said[2]):
                rows.append((*said, None, math.nan))
                continue
            for column in np.flatnonzero(row > 0.0).tolist():
                rows.append((*said, self.values[self.places[column]], float(row[column])))
        names = ["continuation", "probability", "entropy", "value", "share"]
        return pandas.DataFrame(rows, columns=names)

    @staticmethod
    def of(
        values: tuple[Any, ...], places: Integers, weights: Floats, chances: Floats
    ) -> Continuations:
        """The continuations that the weights of some values after each of them give.

        Args:
            values: All values of the feature.
            places: Which of them have weights.
            weights: Shape (continuations, places); changed to shares.
            chances: Probability of each continuation.
        """
        totals = weights.sum(axis=1)
        with np.errstate(invalid="ignore"):
            weights /= totals[:, None]
        logs = np.log2(weights, where=weights > 0.0, out=np.zeros_like(weights))
        open_bits = np.maximum(-np.einsum("ij,ij->i", weights, logs), 0.0)
        open_bits[totals == 0.0] = np.nan
        return Continuations(values, chances, open_bits, places, weights)
