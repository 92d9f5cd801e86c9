"""Shares of values among two kinds of samples, compared over many moments: for `check_belief`.

At each moment there are two samples of the numbers of a state. Whether their values are shared out
alike is asked for each number, and for pairs of neighbours, over all moments of a group: in those,
differences that point the same way add up (Mantel and Haenszel 1959). A difference counts if chance
explains it as rarely as once in a million checks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

#: Something that chance explains as rarely as once in so many checks is taken for a fault.
SAFETY: Final = 1e6
#: Of a number with more values the most frequent ones are looked at.
MOST_VALUES: Final = 64
#: Pairs of neighbours that are looked at.
MOST_PAIRS: Final = 16
#: Values that are expected less often in all are taken together.
FEWEST: Final = 5.0

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]
Cells = tuple[int, ...]
"""The places of one number of a state, or of two."""
Values = tuple[int, ...]
"""Their values."""


@dataclass(frozen=True)
class Samples:
    """States in numbers, with weights.

    Attributes:
        numbers: int64[n, C].
        weights: float64[n].
        size: So many states of equal weight would say as much.
    """

    numbers: Numbers
    weights: Floats
    size: float

    @classmethod
    def of(cls, numbers: Numbers) -> Samples:
        """States that count alike."""
        return cls(numbers, np.ones(len(numbers)), float(len(numbers)))


@dataclass(frozen=True)
class Difference:
    """Values that are shared out otherwise in one kind of samples than in the other.

    Attributes:
        score: Minus the log of about how likely chance makes as clear a difference.
        group: Of which moments.
        cells: Which number, or which two.
        values: The value that differs most.
        first: Its share in the first kind.
        second: Its share in the second.
        moments: In how many moments they were compared.
        where: One of them.
    """

    score: float
    group: Hashable
    cells: Cells
    values: Values
    first: float
    second: float
    moments: int
    where: str


class _Sums:
    """The sums over the moments of a group."""

    __slots__ = ("clearest", "freedom", "moments", "shares", "sizes", "statistic", "weight")

    def __init__(self) -> None:
        #: For each value: weighed shares in the first, in the second, and in both together.
        self.shares: dict[Values, tuple[float, float, float]] = {}
        self.sizes = (0.0, 0.0)
        self.weight = 0.0
        self.moments = 0
        #: Statistics of single moments, which differences add to whichever way they point.
        self.statistic = self.freedom = 0.0
        self.clearest = _One(-1.0, (), 0.0, 0.0, "")


@dataclass(frozen=True)
class _One:
    """The findings at a single moment: a statistic, and the value that differs most."""

    statistic: float
    values: Values
    first: float
    second: float
    where: str


class Differences:
    """Collects comparisons of two kinds of samples."""

    def __init__(self) -> None:
        self._sums: dict[tuple[Hashable, Cells], _Sums] = {}

    @property
    def tests(self) -> int:
        """The number of comparisons that were made."""
        return len(self._sums)

    def add(
        self,
        groups: Sequence[Hashable],
        cells: Sequence[int],
        first: Samples,
        second: Samples,
        where: str,
    ) -> None:
        """Compare the samples of a moment.

        Args:
            groups: All to which it belongs.
            cells: Places of the numbers to compare.
            first: The one kind.
            second: The other one.
            where: What the moment is called.
        """
        sizes = first.size, second.size
        weight = sizes[0] * sizes[1] / (sizes[0] + sizes[1])
        for one, values, its, theirs in _shares(cells, first, second):
            both = (sizes[0] * its + sizes[1] * theirs) / (sizes[0] + sizes[1])
            table = weight * np.array((its, theirs, both)).T
            statistic, freedom, most = _statistic(table, weight, sizes)
            found = _One(statistic, values[most], float(its[most]), float(theirs[most]), where)
            rows = table.tolist()
            for group in groups:
                sums = self._sums.get((group, one))
                if sums is None:
                    sums = self._sums[group, one] = _Sums()
                sums.statistic += statistic
                sums.freedom += freedom
                if statistic > sums.clearest.statistic:
                    sums.clearest = found
                sums.weight += weight
                sums.sizes = sums.sizes[0] + sizes[0], sums.sizes[1] + sizes[1]
                sums.moments += 1
                shares = sums.shares
                for value, (mine, other, pooled) in zip(values, rows, strict=True):
                    before = shares.get(value, (0.0, 0.0, 0.0))
                    shares[value] = before[0] + mine, before[1] + other, before[2] + pooled

    def clearest(self, counts: Callable[[int], bool]) -> Difference | None:
        """The difference that chance explains least; None if it explains all of them.

        Args:
            counts: Whether a number counts at all, by its place.
        """
        keys = [key for key in self._sums if all(map(counts, key[1]))]
        found = [self.of(*key) for key in keys]
        found = [each for each in found if each.score > np.log(SAFETY * len(keys))]
        # One number says more to a reader than two.
        return max(found, key=lambda each: (-len(each.cells), each.score), default=None)

    def of(self, group: Hashable, cells: Cells) -> Difference:
        """The difference of one number, or of two; a score of 0 if they were not compared."""
        sums = self._sums.get((group, cells)) or _Sums()
        along, single = _scores(sums)
        one, moments = sums.clearest, 1
        if along >= single and sums.shares:
            values, weight = list(sums.shares), sums.weight
            table = np.array([sums.shares[value] for value in values])
            most = _statistic(table, weight, sums.sizes)[2]
            first, second = table[most, :2] / weight
            one = _One(along, values[most], float(first), float(second), one.where)
            moments = sums.moments
        return Difference(
            max(along, single), group, cells, one.values, one.first, one.second, moments, one.where
        )


def _scores(sums: _Sums) -> tuple[float, float]:
    """The improbability of the differences: of those that point the same way, and of all."""
    if len(sums.shares) < 2:
        return 0.0, 0.0
    table = np.array(list(sums.shares.values()))
    statistic, freedom, _ = _statistic(table, sums.weight, sums.sizes)
    return _surprise(statistic, freedom), _surprise(sums.statistic, sums.freedom)


def _statistic(
    table: Floats, weight: float, sizes: tuple[float, float]
) -> tuple[float, float, int]:
    """Chi-square of two distributions, its degrees of freedom, and which value differs most.

    The lesser of Pearson's statistic and of a likelihood ratio, which few counts do not deceive.

    Args:
        table: float64[values, 3]: shares in the first kind, the second, both together, weighed.
        weight: What they add up to.
        sizes: Of the two samples; only how they are to each other matters.
    """
    apart = (table[:, 0] - table[:, 1]) ** 2 / np.maximum(table[:, 2], 1e-300)
    most, rare = int(apart.argmax()), table[:, 2] < FEWEST
    if rare.sum() > 1:
        table = np.concatenate((table[~rare], table[rare].sum(axis=0)[None]))
    if len(table) < 2:
        return 0.0, 0.0, most
    pearson = ((table[:, 0] - table[:, 1]) ** 2 / np.maximum(table[:, 2], 1e-300)).sum()
    ratio = sizes[0] / sizes[1]
    own, other = weight * (1.0 + ratio), weight * (1.0 + 1.0 / ratio)
    first, second = table[:, 0] / weight, table[:, 1] / weight
    pooled = (own * first + other * second) / (own + other)
    likelihood = 2.0 * (own * _divergence(first, pooled) + other * _divergence(second, pooled))
    return float(min(pearson, likelihood)), len(table) - 1.0, most


def _surprise(statistic: float, freedom: float) -> float:
    """At least minus the log of how likely chi-square reaches this (Chernoff's bound)."""
    if freedom <= 0 or statistic <= freedom:
        return 0.0
    return float(statistic - freedom - freedom * np.log(statistic / freedom)) / 2.0


def _divergence(shares: Floats, of: Floats) -> float:
    """Kullback-Leibler divergence of two distributions, in nats."""
    there = shares > 0
    return float((shares[there] * np.log(shares[there] / of[there])).sum())


def _shares(
    cells: Sequence[int], first: Samples, second: Samples
) -> Iterator[tuple[Cells, list[Values], Floats, Floats]]:
    """For each number, and pair of neighbours, its values and their shares in both samples."""
    both = np.concatenate((first.numbers, second.numbers))[:, list(cells)]
    count, total, its_total = len(first.numbers), first.weights.sum(), second.weights.sum()
    single = [np.unique(column, return_inverse=True) for column in both.T]
    for one in (*((place,) for place in range(len(cells))), *_pairs(len(cells))):
        known, ranks = single[one[0]]
        values: list[Values] = [(value,) for value in _whole(known)]
        if len(one) == 2:
            others, more = single[one[1]]
            joint, ranks = np.unique(ranks * len(others) + more, return_inverse=True)
            places = np.divmod(joint, len(others))
            named = _whole(known[places[0]]), _whole(others[places[1]])
            values = list(zip(*named, strict=True))
        its = np.bincount(ranks[:count], first.weights, len(values)) / total
        theirs = np.bincount(ranks[count:], second.weights, len(values)) / its_total
        if len(values) > MOST_VALUES:
            # By how often both have them together: what is left to chance is who has them.
            counted = first.size * its + second.size * theirs
            kept = np.sort(np.argsort(-counted, kind="stable")[:MOST_VALUES])
            values = [values[place] for place in _whole(kept)]
            its, theirs = its[kept], theirs[kept]
        yield tuple(cells[place] for place in one), values, its, theirs


def _whole(numbers: Numbers) -> list[int]:
    return numbers.tolist()


def _pairs(count: int) -> list[tuple[int, int]]:
    return list(pairwise(range(count)))[:MOST_PAIRS]
