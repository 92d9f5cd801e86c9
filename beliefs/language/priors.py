"""Priors: weights of values, and tables of them that depend on another variable.

>>> from sleuth import Choice, Model, infer
>>> style = Choice("style", {"honest": 0.75, "bluffer": 0.25})
>>> card = Choice(
...     "card",
...     {"honest": {"high": 0.9, "low": 0.1}, "bluffer": {"high": 0.5, "low": 0.5}},
...     given=style.value(),
... )
>>> infer(Model(style, card)).marginal(card.value())
{'high': 0.8, 'low': 0.2}
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final, Protocol, cast

import numpy as np

from ...data.checks import is_number, listed
from ...data.errors import DeclarationError, SleuthError, nearest
from ..arrays.layout import Factor, Floats, Layout
from .evidence import Evidence
from .features import Feature, together
from .likelihoods import MOST_VALUES, refuse_many, some_of

#: Weights above this are divided by the largest before they are added.
MOST_WEIGHT: Final = 1e300
#: Numbers whose sum is so near to one were written as probabilities.
NEARLY_ONE: Final = 1e-6

_TOO_LARGE: Final = (
    f"a prior that depends on another variable has at most {MOST_VALUES:,} weights in its rows"
)
_SMALLER: Final = "let it depend on less, such as whether the other is among some values"

#: Weights of the values of one row: a mapping, or values that are equally likely.
Row = Mapping[Any, float] | Sequence[Any]
#: A row for every value of the variable that a prior depends on.
Rows = Mapping[Any, Row] | Callable[[Any], Row]


class Given(Protocol):
    """A `Choice`, as far as its prior goes."""

    @property
    def name(self) -> str: ...
    @property
    def options(self) -> tuple[Any, ...]: ...
    @property
    def table(self) -> Floats: ...
    @property
    def given(self) -> Feature | None: ...
    def value(self) -> Feature: ...


def prior_weight(value: object, weight: Any, where: str) -> float:
    """The weight that a declaration gives to a value."""
    if not is_number(weight) or not math.isfinite(weight) or weight < 0.0:
        raise DeclarationError(
            f"the prior of {value!r} is not a finite and not negative number",
            where=where,
            value=weight,
            hint="a row for each value of another variable needs given=, that variable"
            if isinstance(weight, (Mapping, list, tuple))
            else "",
        )
    return float(weight)


def refuse_shares(values: Sequence[Any], where: str) -> None:
    """Refuse a list of values that are meant as their probabilities.

    Raises:
        DeclarationError: It has several numbers, none of them whole by its type, that sum to one.
    """
    if len(values) < 2 or not all(isinstance(value, float) for value in values):
        return
    if min(values) >= 0.0 and abs(math.fsum(values) - 1.0) < NEARLY_ONE:
        raise DeclarationError(
            "a list names equally likely values; for probabilities write {value: p}",
            where=where,
            value=list(values),
            hint="if these numbers are the values, write {number: 1, ...}",
        )


def normalised(weights: Sequence[float], where: str) -> tuple[float, ...]:
    """Weights that sum to one; those that do are not divided again, to the last digit."""
    largest = max(weights, default=0.0)
    scaled = weights
    if largest > MOST_WEIGHT:
        # Their sum would be larger than any number.
        scaled = [weight / largest for weight in weights]
    total = math.fsum(scaled)
    if total <= 0.0:
        raise DeclarationError("a prior is zero everywhere", where=where)
    if abs(total - 1.0) < 1e-12:
        total = 1.0
    shares = tuple(weight / total for weight in scaled)
    for weight, share in zip(weights, shares, strict=True):
        if weight > 0.0 and share < sys.float_info.min:
            raise DeclarationError(
                "the weights of a prior lie further apart than floats do", where=where, value=weight
            )
    return shares


def normalised_rows(weights: Floats, where: str) -> Floats:
    """Rows of weights as rows that each sum to one, as `normalised` does it; a new array.

    Args:
        weights: Shape (rows, values).
        where: The variable, for messages.

    Raises:
        DeclarationError: A weight is none, or a row has no share for one of them or for any.
    """
    wrong = ~(np.isfinite(weights) & (weights >= 0.0))
    if wrong.any():
        raise DeclarationError(
            "the weights of a prior are finite and not negative numbers",
            where=where,
            value=float(weights[wrong][0]),
        )
    largest = weights.max(axis=1, keepdims=True)
    scaled = weights / np.where(largest > MOST_WEIGHT, largest, 1.0)
    totals = scaled.sum(axis=1, keepdims=True)
    if (totals <= 0.0).any():
        raise DeclarationError("a prior is zero everywhere", where=where)
    totals[abs(totals - 1.0) < 1e-12] = 1.0
    shares = scaled / totals
    lost = (weights > 0.0) & (shares < sys.float_info.min)
    if lost.any():
        raise DeclarationError(
            "the weights of a prior lie further apart than floats do",
            where=where,
            value=float(weights[lost][0]),
        )
    return shares


def read_rows(rows: Rows, given: Feature, where: str) -> list[dict[Any, Any]]:
    """The weights that were declared for every value of the feature they depend on, in its order.

    Raises:
        DeclarationError: A value has no row, there is no such value, or a row is none.
    """
    refuse_many(given.value_count)
    words = given.describe()
    found: Iterable[Any]
    if isinstance(rows, Mapping):
        table = cast("Mapping[Any, Row]", rows)
        for value in table:
            if value not in given.places:
                raise DeclarationError(
                    f"{words} has no such value",
                    where=where,
                    value=value,
                    hint=nearest(value, [str(known) for known in given.values]),
                )
        for value in given.values:
            if value not in table:
                raise DeclarationError(
                    f"the prior lacks a row for a value of {words}",
                    where=where,
                    value=value,
                    hint=f"it needs one for each of {some_of(given.values)}",
                )
        found = (table[value] for value in given.values)
    elif callable(rows):
        found = map(rows, given.values)
    else:
        raise DeclarationError(
            f"a prior given {words} needs a row for each of its values",
            where=where,
            value=rows,
            hint="write {value: {option: weight, ...}, ...}, or a function of the value",
        )
    # A row is refused before the next is asked for.
    return [
        _row(row, f"{where}, {words} = {value}", given.value_count)
        for row, value in zip(found, given.values, strict=True)
    ]


def refuse_large(options: int, rows: int, where: str) -> None:
    """Refuse a prior whose table, one row for each value that it depends on, would be too large.

    Raises:
        DeclarationError: The table would be too large.
    """
    if options * rows > MOST_VALUES:
        raise DeclarationError(_TOO_LARGE, where=where, value=options * rows, hint=_SMALLER)


def _row(row: Any, where: str, rows: int) -> dict[Any, Any]:
    most = MOST_VALUES // rows
    # A row alone has fewer than all of them together may have: both numbers are told.
    large = f"{_TOO_LARGE}, which are {most:,} in each of {rows:,}" if rows > 1 else _TOO_LARGE
    if isinstance(row, Mapping):
        weights = cast("Mapping[Any, Any]", row)
        keys = listed(weights, most, large, error=DeclarationError, where=where, hint=_SMALLER)
        return {key: weights[key] for key in keys}
    if isinstance(row, (str, set, frozenset)) or not isinstance(row, Iterable):
        raise DeclarationError(
            "a row is a mapping from value to weight, or a list of equally likely values",
            where=where,
            value=cast(object, row),
        )
    several = cast("Iterable[Any]", row)
    values = listed(several, most, large, error=DeclarationError, where=where, hint=_SMALLER)
    refuse_shares(values, where)
    try:
        found = dict.fromkeys(values, 1.0 / max(len(values), 1))
    except TypeError:
        raise DeclarationError(
            "a value must be hashable", where=where, value=values, hint="write a tuple"
        ) from None
    if len(found) != len(values):
        raise DeclarationError("a value is given twice", where=where, value=values)
    return found


def options_of(rows: Sequence[Mapping[Any, Any]]) -> list[Any]:
    """All values that the rows name, in the order in which they first do."""
    return list(dict.fromkeys(value for row in rows for value in row))


def flat_prior(
    rows: Sequence[Mapping[Any, Any]], options: Sequence[Any], where: str
) -> tuple[float, ...]:
    """Rows that each sum to one, one after the other; what a row leaves out is impossible."""
    return tuple(
        share
        for row in rows
        for share in normalised(
            [prior_weight(option, row.get(option, 0.0), where) for option in options], where
        )
    )


def prior_table(choice: Given) -> Evidence:
    """The prior of a choice that depends on another variable, as weights on both together."""
    assert choice.given is not None
    both = together(choice.given, choice.value())
    return Evidence(both, choice.table.ravel(), because=f"prior of {choice.name}", checked=True)


def prior_factor(choice: Given, layout: Layout) -> Factor:
    """The prior of a choice that depends on another variable, on the layout of a declaration.

    Raises:
        DeclarationError: What it depends on is not there at the start.
    """
    try:
        table = prior_table(choice).on(layout)
        return None, table.feature.base.additive(layout), table.base_table()
    except SleuthError as error:
        raise DeclarationError(
            f"the prior cannot depend on this: {error}", where=f"choice {choice.name!r}"
        ) from error


def check_given(choices: Sequence[Given], names: Sequence[str]) -> None:
    """Refuse priors that depend on what is not there, or on themselves.

    Args:
        choices: All choices of a model.
        names: Of all its variables.

    Raises:
        DeclarationError: A variable is missing, or the priors go round in a circle.
    """
    above: dict[str, list[str]] = {}
    known = frozenset(names)
    for choice in choices:
        if choice.given is None:
            continue
        above[choice.name] = names_in(choice.given)
        for name in above[choice.name]:
            if name not in known:
                raise DeclarationError(
                    "the prior depends on a variable that the model does not have",
                    where=f"choice {choice.name!r}",
                    value=name,
                    hint=f"give Model(...) all of them; {nearest(name, names)}",
                )
    try:
        TopologicalSorter(above).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        raise DeclarationError(
            "priors depend on each other in a circle",
            value=" -> ".join(circle),
            hint="declare one of them without given=, and weigh the two together as evidence",
        ) from error


def names_in(feature: Feature) -> list[str]:
    """Names of the variables that a feature is about."""
    found: dict[str, None] = {}
    waiting: list[Any] = [feature]
    while waiting:
        part = waiting.pop().base
        waiting += [*getattr(part, "parts", ()), *getattr(part, "conditions", ())]
        for field in ("deal", "choice", "walk"):
            name = getattr(part, field, None)
            if isinstance(name, str):
                found[name] = None
    return list(found)
