"""What can be asked or weighed: counts, subsets, holders, values, and tuples of them.

A feature has finitely many *values*. Every feature is additive on a layout (see `problem`), so
each engine treats all of them alike; a `Condition` is a feature with the values False and True.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..data.checks import is_number
from ..data.errors import EvidenceError
from .problem import Additive, Floats, Integers, Layout

if TYPE_CHECKING:
    from .evidence import Evidence, Prediction

#: Most items whose subset can be asked for at once.
MOST_ITEMS = 12
#: Most indices a feature may have.
MOST_VALUES = 4_000_000

Likelihood = Callable[[Any], float] | Mapping[Any, float] | Sequence[float]


@dataclass(frozen=True)
class Feature:
    """Base of all features; use the methods of `Deal` and `Choice` to make one."""

    @property
    def size(self) -> int:
        """Number of indices of `base`."""
        raise NotImplementedError

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """Every value, possible or not, in a fixed order."""
        raise NotImplementedError

    @property
    def value_count(self) -> int:
        """Number of `values`."""
        return self.size

    @property
    def base(self) -> Feature:
        """The additive feature that this one is a function of (itself, mostly)."""
        return self

    @cached_property
    def late(self) -> bool:
        """Whether what it says depends on the present holders; then ask `on` for it."""
        return False

    def on(self, layout: Layout) -> Feature:
        """The same feature, with what depends on the present holders filled in.

        Its values are among those of this one.
        """
        return self

    def fitted(self, count: int) -> Feature:
        """The same feature with ``count`` values, where it is open how many there are."""
        return self

    @cached_property
    def project(self) -> Integers:
        """Place in `values` for every index of `base`, shape (base.size,)."""
        return np.arange(self.size)

    def additive(self, layout: Layout) -> Additive:
        """This feature on a layout; kept there, since many questions repeat it."""
        last = self.__dict__.get("_last")
        if last is not None and last[0] is layout:
            return last[1]
        found = layout.cache.get(self)
        if found is None:
            found = self._additive(layout)
            layout.cache[self] = found
        self.__dict__["_last"] = (layout, found)
        return found

    def __getstate__(self) -> dict[str, Any]:
        """Only what was declared: what is kept for speed would drag whole layouts along."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    def _additive(self, layout: Layout) -> Additive:
        raise NotImplementedError

    def describe(self) -> str:
        """The feature in words, for errors and reports."""
        raise NotImplementedError

    def equals(self, value: Any) -> Condition:
        """Whether the feature has this value."""
        return self.among([value])

    def among(self, values: Iterable[Any]) -> Condition:
        """Whether the feature has one of these values."""
        wanted = [_as_value(value) for value in values]
        for value in wanted:
            if value not in self.places:
                raise EvidenceError(
                    f"{self.describe()} cannot have this value",
                    value=value,
                    hint=f"its values are {some_of(self.values)}",
                )
        return self.satisfies(lambda value: value in wanted)

    def between(self, low: float, high: float) -> Condition:
        """Whether a numeric feature is at least ``low`` and at most ``high``."""
        if low > high:
            raise EvidenceError("an interval ends before it begins", value=(low, high))
        if not all(isinstance(value, (int, float)) for value in self.values):
            raise EvidenceError(
                f"the values of {self.describe()} are no numbers",
                hint="use equals(value), among(values) or satisfies(test)",
            )
        return self.satisfies(lambda value: low <= value <= high)

    def at_least(self, low: float) -> Condition:
        """Whether a numeric feature is at least ``low``."""
        return self.between(low, math.inf)

    def satisfies(self, test: Callable[[Any], bool]) -> Condition:
        """Whether a function of the value is true; the function is tabulated at once."""
        _refuse_many(self.value_count)
        truth = tuple(bool(test(value)) for value in self.values)
        return Condition(self, truth)

    def weigh(
        self,
        likelihood: Likelihood,
        *,
        exact: bool = False,
        floor: float | None = None,
        trust: float = 1.0,
        because: str = "",
        id: str | None = None,
        event: int | None = None,
    ) -> Evidence:
        """Soft evidence: P(observation | value) for every value.

        Args:
            likelihood: A function of the value, a mapping from values, or a sequence in the
                order of `values`. Functions are tabulated now and dropped.
            exact: The zeros are meant: the rules forbid those values.
            floor: Zeros (and anything smaller) are raised to this, so that a wrong model
                cannot kill the true world; 0.01 suits declared behaviour, 1e-6 learned models.
                Not together with ``exact``, which keeps the zeros.
            trust: Exponent in [0, 1]; 0 ignores the evidence, 1 takes it whole.
            because: A sentence a person can read.
            id: Name for `retract` and `explain`; made from ``because`` when absent.
            event: Number of the event it came from.

        Raises:
            EvidenceError: The table is negative, NaN, zero everywhere, of the wrong length, or
                has zeros that were declared neither exact nor raised to a floor; or both were
                asked for.
        """
        from .evidence import Evidence

        listed = isinstance(likelihood, (Sequence, np.ndarray))
        of = self.fitted(len(likelihood)) if listed else self  # pyright: ignore[reportUnknownArgumentType]
        table = tabulate(of, likelihood)
        if not is_number(trust) or not 0.0 <= trust <= 1.0:
            raise EvidenceError("trust is an exponent in [0, 1]", value=trust)
        if floor is not None and not (is_number(floor) and 0.0 < floor < math.inf):
            raise EvidenceError("a floor is a positive number", value=floor)
        if floor is not None and exact:
            raise EvidenceError(
                "exact zeros and a floor contradict each other",
                value=floor,
                hint="leave out floor=, or exact=True if the zeros are not meant",
            )
        if not exact and (table == 0.0).any() and floor is None:
            place = int(np.flatnonzero(table == 0.0)[0])
            raise EvidenceError(
                f"the weights of {of.describe()} have zeros that were not declared exact",
                value=of.values[place],
                hint="say exact=True if the rules forbid it, or floor=0.01 to keep it possible",
            )
        if floor is not None:
            table = np.maximum(table, floor)
        if trust < 1.0:
            table = np.where(table > 0.0, table**trust, 0.0)
        return Evidence.trusted(of, table, because, id, event)

    @cached_property
    def places(self) -> dict[Any, int]:
        """Place of every value in `values`."""
        return {value: place for place, value in enumerate(self.values)}


@dataclass(frozen=True)
class TupleOf(Feature):
    """Several features at once; values are tuples of their values, the last varying fastest."""

    parts: tuple[Feature, ...]

    @property
    def size(self) -> int:
        return math.prod(part.base.size for part in self.parts)

    @property
    def value_count(self) -> int:
        return math.prod(part.value_count for part in self.parts)

    @cached_property
    def values(self) -> tuple[tuple[Any, ...], ...]:
        return tuple(itertools.product(*(part.values for part in self.parts)))

    @property
    def base(self) -> Feature:
        for part in self.parts:
            if part.base is not part:
                break
        else:
            return self
        return TupleOf(tuple(part.base for part in self.parts))

    @cached_property
    def late(self) -> bool:
        return any(part.late for part in self.parts)

    def on(self, layout: Layout) -> TupleOf:
        return together(*(part.on(layout) for part in self.parts)) if self.late else self

    @cached_property
    def project(self) -> Integers:
        result = np.zeros(1, dtype=np.int64)
        for part in self.parts:
            result = (result[:, None] * len(part.values) + part.project[None, :]).ravel()
        return result

    def describe(self) -> str:
        return "(" + ", ".join(part.describe() for part in self.parts) + ")"

    def _additive(self, layout: Layout) -> Additive:
        parts = [part.base.additive(layout) for part in self.parts]
        sites = np.unique(np.concatenate([part.sites for part in parts]))
        delta = np.zeros((sites.shape[0], layout.slot_count), dtype=np.int64)
        stride = 1
        for part in reversed(parts):
            np.add.at(delta, np.searchsorted(sites, part.sites), part.delta * stride)
            stride *= part.size
        return Additive(sites, delta, stride)


@dataclass(frozen=True)
class Condition(Feature):
    """Whether something is so: a feature with the values False and True.

    Combine conditions with ``&``, ``|`` and ``~``.

    Attributes:
        of: The feature it is about.
        truth: Whether it holds, for every value of that feature.
    """

    of: Feature
    truth: tuple[bool, ...]

    @property
    def size(self) -> int:
        return 2

    @cached_property
    def values(self) -> tuple[bool, ...]:
        return (False, True)

    @property
    def base(self) -> Feature:
        return self.of.base

    @cached_property
    def late(self) -> bool:
        return self.of.late

    def on(self, layout: Layout) -> Condition:
        if not self.late:
            return self
        of = self.of.on(layout)
        return Condition(of, tuple(self.truth[self.of.places[value]] for value in of.values))

    @cached_property
    def project(self) -> Integers:
        return np.array(self.truth, dtype=np.int64)[self.of.project]

    def additive(self, layout: Layout) -> Additive:
        return self.base.additive(layout)

    def describe(self) -> str:
        held = [value for value, true in zip(self.of.values, self.truth, strict=True) if true]
        if len(held) <= len(self.truth) / 2:
            return f"{self.of.describe()} in {some_of(held)}"
        out = [value for value, true in zip(self.of.values, self.truth, strict=True) if not true]
        return f"{self.of.describe()} not in {some_of(out)}"

    def __bool__(self) -> bool:
        raise EvidenceError(
            "a condition is neither true nor false before it is asked",
            value=self.describe(),
            hint="combine conditions with & | ~, and ask posterior.probability(condition)",
        )

    def __invert__(self) -> Condition:
        return Condition(self.of, tuple(not true for true in self.truth))

    def __and__(self, other: Condition) -> Condition:
        return together(self, other).satisfies(all)

    def __or__(self, other: Condition) -> Condition:
        return together(self, other).satisfies(any)

    def observed(
        self, *, because: str = "", id: str | None = None, event: int | None = None
    ) -> Evidence:
        """Hard evidence that the condition holds."""
        from .evidence import Evidence

        table = np.array(self.truth, dtype=np.float64)
        if not table.any():
            raise EvidenceError(f"it can never be true that {self.describe()}")
        return Evidence.trusted(self.of, table, because, id, event)

    def predicted(
        self,
        p: float,
        *,
        given: float | str = "counting",
        trust: float = 1.0,
        floor: float = 1e-6,
        because: str = "",
        id: str | None = None,
        event: int | None = None,
    ) -> Prediction:
        """A predictor's probability that already contains a baseline.

        It enters as odds of ``p`` over odds of the baseline, and is ignored where the baseline
        is 0 or 1.

        Args:
            p: The predictor's probability that the condition holds.
            given: The baseline it contains: a probability, or ``"counting"`` for what the hard
                evidence alone says at that moment.
            trust: Exponent in [0, 1] of the odds ratio.
            floor: ``p`` is kept this far from 0 and 1.
        """
        from .evidence import Prediction

        return Prediction(
            self, p, given=given, trust=trust, floor=floor, because=because, id=id, event=event
        )


FeatureLike = Feature | tuple["FeatureLike", ...]


def together(*parts: FeatureLike) -> TupleOf:
    """Several features as one, with tuples as values."""
    features = tuple(as_feature(part) for part in parts)
    result = TupleOf(features)
    if not result.late:
        _refuse_many(result.size)
    return result


def _refuse_many(size: int) -> None:
    if size > MOST_VALUES:
        raise EvidenceError(
            "a tuple of features has too many values",
            value=size,
            hint=f"keep it below {MOST_VALUES:,}",
        )


def as_feature(feature: FeatureLike) -> Feature:
    """A feature, or a tuple of them as one feature."""
    if isinstance(feature, Feature):
        return feature
    if isinstance(feature, (tuple, list)) and feature:  # pyright: ignore[reportUnnecessaryIsInstance]
        return together(*feature)
    raise EvidenceError(
        "not a feature",
        value=feature,
        hint="use deal.count(...), deal.which(...), deal.holder_of(...), choice.value(), walk.at()",
    )


def tabulate(feature: Feature, likelihood: Likelihood) -> Floats:
    """Weights for every value of a feature, checked.

    Raises:
        EvidenceError: A weight is missing, negative, infinite or NaN, or all are zero.
    """
    _refuse_many(feature.value_count)
    if callable(likelihood):
        rows = [likelihood(value) for value in feature.values]
    elif isinstance(likelihood, Mapping):
        unknown = [value for value in likelihood if value not in feature.places]
        if unknown:
            raise EvidenceError(
                f"{feature.describe()} has no such value",
                value=unknown[0],
                hint=f"its values are {some_of(feature.values)}",
            )
        missing = [value for value in feature.values if value not in likelihood]
        if missing:
            raise EvidenceError(
                f"the table for {feature.describe()} lacks a value", value=missing[0]
            )
        rows = [likelihood[value] for value in feature.values]
    else:
        if not isinstance(likelihood, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError(
                f"one weight is needed for each value of {feature.describe()}",
                value=likelihood,
                hint=f"give a function, a mapping or a list for {some_of(feature.values)}",
            )
        rows = list(likelihood)
        if len(rows) != feature.value_count:
            raise EvidenceError(
                f"the table for {feature.describe()} needs one weight for each of its "
                f"{feature.value_count} values",
                value=len(rows),
            )
    try:
        table = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EvidenceError(
            f"the weights of {feature.describe()} are not numbers", value=rows[:4]
        ) from error
    return check_table(feature, table)


def check_table(feature: Feature, table: Floats) -> Floats:
    """The table itself, if it can be a likelihood."""
    if table.shape != (feature.value_count,):
        raise EvidenceError(
            f"the table for {feature.describe()} has the wrong shape", value=table.shape
        )
    total = float(table.sum())
    if not (math.isfinite(total) and table.min() >= 0.0):
        wrong = ~(np.isfinite(table) & (table >= 0.0))
        # Weights near the largest number there is are finite, but their sum is not.
        place = int(wrong.argmax()) if wrong.any() else int(table.argmax())
        raise EvidenceError(
            f"weights must be finite and not negative; that of {feature.values[place]!r} in "
            f"{feature.describe()} is not",
            value=float(table[place]),
        )
    if total == 0.0:
        raise EvidenceError(f"the weights of {feature.describe()} are zero everywhere")
    return table


def _as_value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(cast("list[Any]", value))
    return value


def some_of(values: Iterable[Any]) -> str:
    """The first few of many values, for messages."""
    words = [str(value) for value in itertools.islice(values, 7)]
    return ", ".join(words[:6]) + (", ..." if len(words) > 6 else "")
