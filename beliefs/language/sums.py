"""The sum of numbers that are hidden, without a table of all their combinations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np

from ...data.checks import is_number, listed
from ...data.errors import EvidenceError
from ..arrays.layout import Additive, Integers, Layout
from .features import Condition, Feature, FeatureLike, as_feature, contribution
from .likelihoods import MOST_VALUES, some_of
from .nesting import MOST_PARTS, Nested
from .quantities import Quantity

Summand = FeatureLike | Mapping[FeatureLike, float]


@dataclass(frozen=True)
class SumOf(Feature):
    """The sum of some features, each times a factor; `sum_of` makes one."""

    counts = True

    parts: tuple[Feature, ...]
    factors: tuple[float, ...]

    @cached_property
    def nested(self) -> Nested:
        return Nested.around(part.nested for part in self.parts)

    @cached_property
    def late(self) -> bool:
        return any(part.late for part in self.parts)

    def on(self, layout: Layout) -> SumOf:
        if not (self.late or layout.order):
            return self
        parts = tuple(as_feature(part.on(layout)) for part in self.parts)
        same = all(part is known for part, known in zip(parts, self.parts, strict=True))
        return self if same else SumOf(parts, self.factors)

    @cached_property
    def further(self) -> tuple[Any, ...]:
        if not any(part.further for part in self.parts):
            return ()
        wide = tuple(
            as_feature(part.fitted(part.value_count + len(part.further))) if part.further else part
            for part in self.parts
        )
        return tuple(
            value for value in SumOf(wide, self.factors).values if value not in self.places
        )

    @cached_property
    def _numbers(self) -> list[list[Fraction]]:
        """The numbers that the values of each part add."""
        return [
            [_fraction(value, part) * _exact(factor) for value in part.values]
            for part, factor in zip(self.parts, self.factors, strict=True)
        ]

    @cached_property
    def _step(self) -> Fraction:
        """The largest number of which all differences are multiples."""
        differences = [number - row[0] for row in self._numbers for number in row]
        scale = math.lcm(*(number.denominator for number in differences))
        whole = math.gcd(*(int(number * scale) for number in differences))
        return Fraction(whole or 1, scale)

    @property
    def size(self) -> int:
        return self._size

    @cached_property
    def _size(self) -> int:
        return 1 + sum(int((max(row) - min(row)) / self._step) for row in self._numbers)

    @cached_property
    def values(self) -> tuple[Any, ...]:
        least = sum((min(row) for row in self._numbers), Fraction(0))
        found = [least + place * self._step for place in range(self.size)]
        if all(number.denominator == 1 for number in found):
            return tuple(map(int, found))
        return tuple(map(float, found))

    def describe(self) -> str:
        words = [
            part.describe() if factor == 1 else f"{factor:g} {part.describe()}"
            for part, factor in zip(self.parts[:3], self.factors, strict=False)
        ]
        return f"sum_of({', '.join(words)}{', ...' if len(self.parts) > 3 else ''})"

    def _additive(self, layout: Layout) -> Additive:
        rows: dict[int, Integers] = {}
        for part, numbers in zip(self.parts, self._numbers, strict=True):
            steps = np.array(
                [int((number - min(numbers)) / self._step) for number in numbers], dtype=np.int64
            )
            for site, row in contribution(part, layout, steps):
                rows[site] = rows.get(site, np.zeros(layout.slot_count, dtype=np.int64)) + row
        sites = sorted(rows)
        delta = np.array([rows[site] for site in sites], dtype=np.int64)
        return Additive(np.array(sites, dtype=np.int64), delta, self.size)


def sum_of(*parts: Summand | Iterable[FeatureLike]) -> Feature:
    """The sum of numbers: of values of choices, positions, counts, and of conditions as 0 or 1.

    A mapping from each of them to a factor counts points. Only the sum is kept, so there may be
    hundreds; it has a value for every number between the least and the largest sum, in steps that
    all of them are made of.

    Raises:
        EvidenceError: Something else than numbers, or too many sums.

    >>> from sleuth import Choice, Model, infer, sum_of
    >>> dice = [Choice(f"die {number}", range(1, 7)) for number in range(3)]
    >>> belief = infer(Model(*dice), sum_of(dice).at_least(17).observed())
    >>> {total: round(p, 2) for total, p in belief.marginal(sum_of(dice)).items()}
    {17: 0.75, 18: 0.25}
    >>> points = sum_of({dice[0]: 1, dice[1].equals(6): 10, dice[2].equals(6): 10})
    >>> round(belief.probability(points.equals(16)), 2)
    0.5
    """
    wanted: list[tuple[Feature, float]] = []
    each: Iterable[Any]
    for given in parts:
        if isinstance(given, Mapping):
            pairs = cast("Mapping[Any, float]", given).items()
        elif isinstance(given, Iterable) and not isinstance(given, Feature):
            each = cast("Iterable[Any]", given)
            pairs = [(part, 1) for part in each]
        else:
            pairs = [(given, 1)]
        wanted += [(as_feature(part), factor) for part, factor in pairs]
    wanted = listed(
        wanted, MOST_PARTS, f"at most {MOST_PARTS:,} numbers are added up", error=EvidenceError
    )
    if not wanted:
        raise EvidenceError("name at least one number to be added")
    for part, factor in wanted:
        _check(part, factor)
    made = SumOf(tuple(part for part, _ in wanted), tuple(factor for _, factor in wanted))
    made.nested.refuse_deep()
    if made.size > MOST_VALUES:
        raise EvidenceError(
            f"{made.describe()} has too many values",
            value=made.size,
            hint=f"keep it below {MOST_VALUES:,}, with numbers in larger steps",
        )
    return made


def _check(part: Feature, factor: object) -> None:
    if not is_number(factor):
        raise EvidenceError("a factor is a number", value=factor, where=part.describe())
    for value in part.values:
        _fraction(value, part)
    if part.base.one_place or part.base.one_holder:
        return
    adds_up = part.adds_up if isinstance(part, Condition) else part.counts
    if not adds_up:
        raise EvidenceError(
            "this does not add up by itself",
            value=part.describe(),
            hint="add values of choices, counts of items, and conditions on one value, one holder "
            "or one item",
        )
    if cast(float, factor) < 0:
        raise EvidenceError(
            "what counts several items cannot be taken away",
            value=part.describe(),
            hint="count those of the other holders instead",
        )


def _fraction(value: Any, part: Quantity) -> Fraction:
    if isinstance(value, bool):
        return Fraction(int(value))
    if not is_number(value) or not math.isfinite(value):
        raise EvidenceError(
            f"the values of {part.describe()} are no numbers",
            value=value,
            hint=f"only numbers can be added; its values are {some_of(part.values)}",
        )
    return _exact(value)


def _exact(number: float) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(int(number)) if number == int(number) else Fraction(repr(float(number)))
