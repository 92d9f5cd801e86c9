"""Features that can be asked or weighed: also tuples of them, conditions, and counts of these.

A feature has finitely many *values*. Every feature is additive on a layout (see `problem`), so
each engine treats all of them alike; a `Condition` is a feature with the values False and True.
Each makes the others, so all are here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np

from ...data.checks import is_number, listed
from ...data.errors import EvidenceError
from ..arrays.layout import Additive, Integers, Layout
from .evidence import Evidence, Prediction, carried
from .likelihoods import (
    MOST_VALUES,
    Likelihood,
    check_table,
    known_values,
    refuse_many,
    some_of,
    tabulate,
    tempered,
)
from .nesting import MOST_DEEP, MOST_PARTS, Nested, too_deep
from .quantities import IndexOf, Quantity

#: Most values of a tuple that are thought of before its holders have grown.
MOST_FURTHER = 10_000


class RandomVariable:
    """Base of what has one of finitely many values: conditions on it, and what is weighed by it."""

    def value(self) -> Feature:
        """The feature: which value it has."""
        raise NotImplementedError

    def equals(self, value: Any) -> Condition:
        """The condition that it has this value."""
        return self.among([value])

    def among(self, values: Iterable[Any]) -> Condition:
        """The condition that it has one of these values."""
        feature = self.value()
        one_of: set[Any] = set()
        for number, given in enumerate(values):
            value = _as_value(given)
            if number == MOST_VALUES:
                raise EvidenceError(f"name at most {MOST_VALUES:,} values", value=number + 1)
            if value not in feature.places and value not in feature.further:
                raise EvidenceError(
                    f"{feature.describe()} cannot have this value",
                    value=value,
                    hint=known_values(value, feature.values),
                )
            one_of.add(value)
        return self.satisfies(one_of.__contains__)

    def between(self, low: float, high: float) -> Condition:
        """The condition that its value, a number, is at least ``low`` and at most ``high``."""
        feature = self.value()
        if low > high:
            raise EvidenceError("an interval ends before it begins", value=(low, high))
        if not all(isinstance(value, (int, float)) for value in feature.values):
            raise EvidenceError(
                f"the values of {feature.describe()} are no numbers",
                hint="use equals(value), among(values) or satisfies(test)",
            )
        return self.satisfies(lambda value: low <= value <= high)

    def at_least(self, low: float) -> Condition:
        """The condition that its value, a number, is at least ``low``."""
        return self.between(low, math.inf)

    def satisfies(self, test: Callable[[Any], bool]) -> Condition:
        """The condition that a function of its value is true; the function is tabulated at once."""
        feature = self.value()
        refuse_many(feature.value_count)
        truth = tuple(bool(test(value)) for value in feature.values)
        beyond: tuple[bool, ...] = ()
        if feature.further:
            # Who writes a test need not think of values that may never come.
            with suppress(Exception):
                beyond = tuple(bool(test(value)) for value in feature.further)
        return Condition(feature, truth, beyond=beyond)

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
            trust: Exponent in [0, 1]; 1 takes the evidence whole, 0 keeps only what it rules out
                exactly.
            because: A sentence a person can read.
            id: Name for `retract` and `explain`; made from ``because`` when absent.
            event: Number of the event it came from.

        Raises:
            EvidenceError: The table is negative, NaN, zero everywhere, of the wrong length, or
                has zeros that were declared neither exact nor raised to a floor; or both were
                asked for.

        >>> from sleuth import Choice, Model, infer
        >>> coin = Choice("coin", ["fair", "two heads"])
        >>> heads = coin.weigh({"fair": 0.5, "two heads": 1.0}, because="heads")
        >>> belief = infer(Model(coin), [heads, heads])
        >>> {kind: round(p, 2) for kind, p in belief.marginal(coin).items()}
        {'fair': 0.2, 'two heads': 0.8}
        """
        feature = of = self.value()
        given: Any = likelihood
        if isinstance(given, (Sequence, np.ndarray)):
            of = feature.fitted(len(given)) if feature.late else feature  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(given, Mapping) and any(value in given for value in feature.further):
            of = feature.fitted(len(given))  # pyright: ignore[reportUnknownArgumentType]
        grows = callable(likelihood) and bool(feature.further)
        weights = tabulate(of, likelihood, possible=not grows)
        table = tempered(of, weights, exact=exact, floor=floor, trust=trust)
        more: tuple[float, ...] = ()
        if grows and callable(likelihood):
            # Who writes a likelihood need not think of values that may never come.
            with suppress(Exception):
                weights = np.array(
                    [likelihood(value) for value in feature.further], dtype=np.float64
                )
                if (np.isfinite(weights) & (weights >= 0.0)).all():
                    told = tempered(of, weights, exact=exact, floor=floor, trust=trust)
                    more = tuple(told.tolist())
        if grows and not any(more):
            check_table(of, table)
        return Evidence(of, table, because, id, event, beyond=more, checked=True)


@dataclass(frozen=True)
class Feature(Quantity, RandomVariable):
    """Base of all features; use the methods of `Deal` and `Choice` to make one.

    >>> from sleuth import Deal, Model, infer
    >>> cards = Deal({"ace": 3, "king": 3}, holders={"me": 2, "you": 2, "table": 2})
    >>> aces, belief = cards.count("you", "ace"), infer(Model(cards))
    >>> round(belief.probability(aces.equals(2)), 3), round(belief.probability(aces.at_least(1)), 3)
    (0.2, 0.8)
    >>> same = belief.observe(aces.among([0, 2]).observed(because="you have a pair"))
    >>> same.marginal(aces), same.probability(aces.between(1, 2))
    ({0: 0.5, 2: 0.5}, 0.5)
    >>> belief.observe(aces.satisfies(lambda n: n % 2 == 1).observed()).marginal(aces)
    {1: 1.0}
    """

    def value(self) -> Feature:
        """This feature itself: what a `Choice` has for its value."""
        return self


class Valued(RandomVariable):
    """Base of what stands for its value where a feature is wanted: a `Choice`, or a `Walk`."""

    @property
    def values(self) -> tuple[Any, ...]:
        """Every value, possible or not, in a fixed order."""
        return self.value().values

    @property
    def value_count(self) -> int:
        """Number of `values`."""
        return self.value().value_count

    def describe(self) -> str:
        """The feature in words, for errors and reports."""
        return self.value().describe()


class _Compiled:
    """A tuple on the layout on which it was asked for last."""

    layout: Layout | None = None
    additive: Additive


@dataclass(frozen=True)
class TupleOf(Feature):
    """Several features at once; values are tuples of their values, the last varying fastest."""

    parts: tuple[Feature, ...]

    @cached_property
    def nested(self) -> Nested:
        return Nested.around(part.nested for part in self.parts)

    @property
    def size(self) -> int:
        return self._size

    @property
    def value_count(self) -> int:
        return math.prod(part.value_count for part in self.parts)

    @cached_property
    def values(self) -> tuple[tuple[Any, ...], ...]:
        refuse_many(self.value_count)
        return tuple(itertools.product(*(part.values for part in self.parts)))

    @cached_property
    def further(self) -> tuple[tuple[Any, ...], ...]:
        if not any(part.further for part in self.parts):
            return ()
        wide = [(*part.values, *part.further) for part in self.parts]
        if math.prod(map(len, wide)) > MOST_FURTHER:
            return ()
        return tuple(value for value in itertools.product(*wide) if value not in self.places)

    @cached_property
    def large(self) -> bool:
        if any(part.large for part in self.parts) or self.value_count > MOST_VALUES:
            return True
        return not self.late and self.size > MOST_VALUES

    def in_worlds(self, layout: Layout, index_of: IndexOf) -> tuple[Integers, list[Any]]:
        found = [part.in_worlds(layout, index_of) for part in self.parts]
        numbers: Integers = np.zeros(1, dtype=np.int64)
        for part, values in found:
            # Only combinations that occur are numbered, however many there could be.
            _, numbers = np.unique(numbers * len(values) + part, return_inverse=True)
        _, first = np.unique(numbers, return_index=True)
        columns = [[values[number] for number in part[first]] for part, values in found]
        return numbers, [*zip(*columns, strict=True)]

    @property
    def base(self) -> Quantity:
        return self._below or self

    # Kept, since features may stand in each other many times over.

    @cached_property
    def _size(self) -> int:
        return math.prod(part.base.size for part in self.parts)

    @cached_property
    def _below(self) -> TupleOf | None:
        """The additive feature that this one is a function of, if it is another."""
        bases = cast("tuple[Feature, ...]", tuple(part.base for part in self.parts))
        same = all(base is part for base, part in zip(bases, self.parts, strict=True))
        return None if same else TupleOf(bases)

    @cached_property
    def late(self) -> bool:
        return any(part.late for part in self.parts)

    def advice(self, value: Any) -> str:
        several = zip(self.parts, value, strict=True)
        return next((part.advice(own) for part, own in several if own not in part.places), "")

    def on(self, layout: Layout) -> TupleOf:
        if not (self.late or layout.order):
            return self
        parts = tuple(part.on(layout) for part in self.parts)
        same = all(part is known for part, known in zip(parts, self.parts, strict=True))
        return self if same else together(*parts)

    @cached_property
    def project(self) -> Integers:
        refuse_many(self.size)
        result = np.zeros(1, dtype=np.int64)
        for part in self.parts:
            result = (result[:, None] * len(part.values) + part.project[None, :]).ravel()
        return result

    def additive(self, layout: Layout) -> Additive:
        if self.large:
            refuse_many(max(self.size, self.value_count))
        # To find it by its many parts takes longer than some answers.
        last = self._last
        if last.layout is not layout:
            last.layout, last.additive = layout, super().additive(layout)
        return last.additive

    @cached_property
    def _last(self) -> _Compiled:
        return _Compiled()

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
    """A statement that is so or not: a feature with the values False and True.

    Combine conditions with ``&``, ``|`` and ``~``.

    Attributes:
        of: The feature it is about.
        truth: Whether it holds, for every value of that feature.
        beyond: The same for values that the feature may come to have, as far as it was said.

    >>> from sleuth import Choice, Model, infer
    >>> die = Choice("die", range(1, 9))
    >>> high, even = die.at_least(5), die.among([2, 4, 6, 8])
    >>> belief = infer(Model(die), [(high | ~even).observed(because="high or odd")])
    >>> round(belief.probability(high & even), 3)
    0.333
    >>> [each.describe() for each in (high & even).every]
    ['value(die) in 5, 6, 7, 8', 'value(die) in 2, 4, 6, 8']
    >>> len((high | even).either), high.value() is high
    (2, True)
    >>> round(belief.probability(high.satisfies(lambda holds: not holds)), 3)
    0.333
    """

    of: Quantity
    truth: tuple[bool, ...]
    beyond: tuple[bool, ...] = field(default=(), compare=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        self.nested.refuse_deep()

    @cached_property
    def values(self) -> tuple[bool, ...]:
        return (False, True)

    @property
    def base(self) -> Quantity:
        return self.of.base

    @cached_property
    def nested(self) -> Nested:
        inner = self.of.nested
        return Nested.around([inner]) if isinstance(self.of, Condition) else inner

    @cached_property
    def late(self) -> bool:
        return self.of.late

    def on(self, layout: Layout) -> Condition:
        if not (self.late or layout.order):
            return self
        of = self.of.on(layout)
        if of is self.of:
            return self
        return Condition(of, carried(self.of, self.truth, self.beyond, of))

    @cached_property
    def project(self) -> Integers:
        return np.array(self.truth, dtype=np.int64)[self.of.project]

    @cached_property
    def large(self) -> bool:
        return self.of.large

    def in_worlds(self, layout: Layout, index_of: IndexOf) -> tuple[Integers, list[Any]]:
        numbers, values = self.of.in_worlds(layout, index_of)
        truth = np.array([self.truth[self.of.places[value]] for value in values], dtype=np.int64)
        found, numbers = np.unique(truth[numbers], return_inverse=True)
        return numbers, [bool(true) for true in found]

    def additive(self, layout: Layout) -> Additive:
        return self.base.additive(layout)

    @cached_property
    def adds_up(self) -> bool:
        """True if the number of conditions that hold is a sum over items, and this a term of it.

        >>> from sleuth import Deal
        >>> cards = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 1, "table": 1})
        >>> cards.holder_of("ace").equals("you").adds_up
        True
        """
        if self.late:
            return False
        base = self.base
        if base.one_place or base.one_holder:
            return True
        # Or a count that is 0 or 1, such as whether a holder has a card.
        return base.size == 2 and self.project.tolist() == [0, 1]

    def satisfies(self, test: Callable[[Any], bool]) -> Condition:
        truth = tuple(bool(test(true)) for true in self.truth)
        return Condition(self.of, truth, beyond=tuple(bool(test(true)) for true in self.beyond))

    def describe(self) -> str:
        for word, parts in (("all_of", self.every), ("any_of", self.either)):
            if parts != (self,):
                return f"{word}({_named(parts)})"
        held = [value for value, true in zip(self.of.values, self.truth, strict=True) if true]
        if len(held) <= len(self.truth) / 2:
            return f"{self.of.describe()} in {some_of(held)}"
        out = [value for value, true in zip(self.of.values, self.truth, strict=True) if not true]
        return f"{self.of.describe()} not in {some_of(out)}"

    @property
    def every(self) -> tuple[Condition, ...]:
        """The conditions that all hold where it does: those of an `all_of`, else itself."""
        if isinstance(self.of, Counted) and not any(self.truth[:-1]) and self.truth[-1]:
            return self.of.conditions
        return (self,)

    @property
    def either(self) -> tuple[Condition, ...]:
        """The conditions of which one holds where it does: those of an `any_of`, else itself."""
        if isinstance(self.of, Counted) and all(self.truth[1:]) and not self.truth[0]:
            return self.of.conditions
        return (self,)

    def __bool__(self) -> bool:
        raise EvidenceError(
            "a condition is neither true nor false before it is asked",
            value=self.describe(),
            hint="combine conditions with & | ~, and ask posterior.probability(condition)",
        )

    def __invert__(self) -> Condition:
        truth = tuple(not true for true in self.truth)
        return Condition(self.of, truth, beyond=tuple(not true for true in self.beyond))

    def __and__(self, other: Condition) -> Condition:
        return all_hold([self, other])

    def __or__(self, other: Condition) -> Condition:
        return any_holds([self, other])

    def observed(
        self,
        *,
        reliability: float = 1.0,
        because: str = "",
        id: str | None = None,
        event: int | None = None,
    ) -> Evidence:
        """Evidence that the condition was seen, or said, to hold: hard, unless it may be wrong.

        Args:
            reliability: P(it was said | it holds), and 1 minus it is P(it was said | it does not
                hold): misheard as often either way. 1 is hard evidence, 0.5 says nothing, and
                below 0.5 it tells against the condition.
            because: A sentence a person can read.
            id: Name for `retract` and `explain`; made from ``because`` when absent.
            event: Number of the event it came from.

        Raises:
            EvidenceError: The condition can never be true, or the reliability is no probability.

        >>> from sleuth import Choice, Model, infer
        >>> rain = Choice("rain", [True, False]).equals(True)
        >>> heard = rain.observed(reliability=0.75, because="somebody said so")
        >>> heard.table.tolist()
        [0.75, 0.25]
        """
        if not is_number(reliability) or not 0.0 <= reliability <= 1.0:
            raise EvidenceError(
                "a reliability is a probability",
                value=reliability,
                hint="write 0.9 for nine times in ten",
            )
        table = np.where(self.truth, float(reliability), 1.0 - float(reliability))
        more = tuple(reliability if true else 1.0 - reliability for true in self.beyond)
        if not (table.any() or any(more)):
            raise EvidenceError(f"it can never be true that {self.describe()}")
        return Evidence(self.of, table, because, id, event, beyond=more, checked=True)

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

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal({"ace": 2, "king": 2}, holders={"me": 2, "you": 2})
        >>> lie = cards.count("you", "ace").equals(0)
        >>> belief = infer(Model(cards), [lie.predicted(0.6, because="a learned model")])
        >>> round(belief.probability(lie), 2), round(infer(Model(cards)).probability(lie), 2)
        (0.6, 0.17)
        """
        return Prediction(
            self, p, given=given, trust=trust, floor=floor, because=because, id=id, event=event
        )


@dataclass(frozen=True)
class Counted(Feature):
    """The number of some conditions that hold; `counted` makes one."""

    conditions: tuple[Condition, ...]

    @property
    def size(self) -> int:
        return len(self.conditions) + 1

    @cached_property
    def values(self) -> tuple[int, ...]:
        return tuple(range(len(self.conditions) + 1))

    @cached_property
    def nested(self) -> Nested:
        return Nested.around(each.nested for each in self.conditions)

    @cached_property
    def late(self) -> bool:
        return any(condition.late for condition in self.conditions)

    def on(self, layout: Layout) -> Feature:
        if not (self.late or layout.order):
            return self
        conditions = [each.on(layout) for each in self.conditions]
        same = all(each is known for each, known in zip(conditions, self.conditions, strict=True))
        return self if same else counted(conditions)

    def describe(self) -> str:
        return f"count_of({_named(self.conditions)})"


def contribution(part: Quantity, layout: Layout, steps: Integers) -> Iterator[tuple[int, Integers]]:
    """The addition of each site of a feature that adds up by itself to a sum, by slot.

    Args:
        part: The feature.
        layout: Where it is asked.
        steps: What each of its values adds, shape (values,).
    """
    one = part.base.additive(layout)
    spoken_of = part.base.spoken_of(layout)
    for site, delta in zip(one.sites.tolist(), one.delta, strict=True):
        # What cannot be there adds nothing, and may have no index of its own.
        there = (layout.allowed[site] > 0) & (layout.capacity != 0) & spoken_of
        yield site, steps[part.project[np.where(there, delta, 0)]] * there


@dataclass(frozen=True)
class CountEach(Counted):
    """The number of some conditions that hold, each of which adds up by itself."""

    counts = True

    def _additive(self, layout: Layout) -> Additive:
        rows: dict[int, Integers] = {}
        for condition in self.conditions:
            for site, holds in contribution(condition, layout, np.arange(2)):
                rows[site] = rows.get(site, np.zeros(layout.slot_count, dtype=np.int64)) + holds
        sites = sorted(rows)
        delta = np.array([rows[site] for site in sites], dtype=np.int64)
        return Additive(np.array(sites, dtype=np.int64), delta, self.size)


@dataclass(frozen=True)
class CountOf(Counted):
    """The number of some conditions that hold, by all that decides them together."""

    @cached_property
    def of(self) -> TupleOf:
        """The features that decide them: the number that add up, and each of the others."""
        single = tuple(each for each in self.conditions if each.adds_up)
        other = [each for each in self.conditions if not each.adds_up]
        return TupleOf((*([CountEach(single)] if single else []), *other))

    @property
    def base(self) -> Quantity:
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


def counted(conditions: Iterable[Condition]) -> Feature:
    """The number of some conditions that hold; see `count_of`."""
    given = _conditions(conditions)
    made = (CountEach if all(each.adds_up for each in given) else CountOf)(given)
    made.nested.refuse_deep()
    return made


def all_hold(conditions: Iterable[Condition]) -> Condition:
    """The condition that all of some hold; those of an `all_of` are taken one by one."""
    given = [part for each in _conditions(conditions) for part in each.every]
    return counted(given).equals(len(given))


def any_holds(conditions: Iterable[Condition]) -> Condition:
    """The condition that any of some holds; those of an `any_of` are taken one by one."""
    given = [part for each in _conditions(conditions) for part in each.either]
    return counted(given).at_least(1)


def _conditions(given: Iterable[Condition]) -> tuple[Condition, ...]:
    conditions = listed(
        given,
        MOST_PARTS,
        f"at most {MOST_PARTS:,} conditions are counted together",
        error=EvidenceError,
        hint="say it of fewer, such as of those that are still open",
    )
    for each in conditions:
        if not isinstance(each, Condition):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError(
                "only conditions can be counted or combined",
                value=each,
                hint="write feature.equals(value)",
            )
    if not conditions:
        raise EvidenceError("name at least one condition")
    return tuple(conditions)


def _named(conditions: Sequence[Condition]) -> str:
    """The first few of some conditions, for messages."""
    shown = "; ".join(condition.describe() for condition in conditions[:3])
    return shown + ("; ..." if len(conditions) > 3 else "")


FeatureLike = Quantity | Valued | tuple["FeatureLike", ...]
#: A feature, or the name of a variable that stands for one: what a model and a posterior take.
FeatureName = FeatureLike | str | tuple[FeatureLike | str, ...]


def together(*parts: FeatureLike) -> TupleOf:
    """Several features as one, with tuples as values; a `Choice` stands for its value.

    >>> from sleuth import Choice, Model, infer, together
    >>> who, where = Choice("who", ["ann", "bob"]), Choice("where", ["attic"])
    >>> infer(Model(who, where)).marginal(together(who, where))
    {('ann', 'attic'): 0.5, ('bob', 'attic'): 0.5}
    """
    return _together(parts, MOST_DEEP)


def as_feature(feature: FeatureLike) -> Feature:
    """A feature; the value of a choice, or a tuple of features, as one."""
    return _as_feature(feature, MOST_DEEP)


def _as_feature(feature: FeatureLike, room: int) -> Feature:
    if isinstance(feature, Feature):
        return feature
    if isinstance(feature, Valued):
        return feature.value()
    if isinstance(feature, (tuple, list)) and feature:  # pyright: ignore[reportUnnecessaryIsInstance]
        return _together(feature, room)
    hint = "use deal.count(...), deal.which(...), deal.holder_of(...), choice.value(), walk.at()"
    if isinstance(feature, str):
        hint = "pass the Choice itself, or the Walk, not its name"
    raise EvidenceError("not a feature", value=feature, hint=hint)


def _together(parts: Iterable[FeatureLike], room: int) -> TupleOf:
    if not room:
        raise too_deep()
    several = listed(
        parts, MOST_PARTS, f"a tuple has at most {MOST_PARTS:,} features", error=EvidenceError
    )
    made = TupleOf(tuple(_as_feature(part, room - 1) for part in several))
    made.nested.refuse_deep()
    return made


def _as_value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(cast("list[Any]", value))
    return value
