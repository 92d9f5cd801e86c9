"""Weight tables: a likelihood, however it was written, as one weight for every value."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ...data.checks import is_number, listed
from ...data.errors import EvidenceError, join_hints, meant
from ..arrays.layout import Floats

#: Most indices a feature may have.
MOST_VALUES = 4_000_000
#: Most values among which the nearest to a word is looked for.
MOST_COMPARED = 1_000

Likelihood = Callable[[Any], float] | Mapping[Any, float] | Sequence[float]


class Weighable(Protocol):
    """The subject of a table: a `Feature`."""

    @cached_property
    def values(self) -> tuple[Any, ...]: ...
    @property
    def value_count(self) -> int: ...
    @cached_property
    def places(self) -> dict[Any, int]: ...
    def refuse_table(self) -> None: ...
    def describe(self) -> str: ...
    def advice(self, value: Any) -> str: ...


def tabulate(feature: Weighable, likelihood: Likelihood, *, possible: bool = True) -> Floats:
    """Weights for every value of a feature, checked.

    Args:
        feature, likelihood: As for `Feature.weigh`.
        possible: Whether all of them may not be zero.

    Raises:
        EvidenceError: A weight is missing, negative, infinite or NaN, or all are zero.
    """
    feature.refuse_table()
    if callable(likelihood):
        rows = [likelihood(value) for value in feature.values]
    elif isinstance(likelihood, Mapping):
        unknown = [value for value in likelihood if value not in feature.places]
        if unknown:
            raise EvidenceError(
                f"{feature.describe()} has no such value",
                value=unknown[0],
                hint=join_hints(
                    known_values(unknown[0], feature.values), feature.advice(unknown[0])
                ),
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
        count = feature.value_count
        words = (
            f"the table for {feature.describe()} needs one weight for each of its {count} values"
        )
        rows = listed(likelihood, count, words, error=EvidenceError)
        if len(rows) != count:
            raise EvidenceError(words, value=len(rows))
    try:
        table = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EvidenceError(
            f"the weights of {feature.describe()} are not numbers", value=rows[:4]
        ) from error
    return check_table(feature, table, possible=possible)


def tempered(
    feature: Weighable, table: Floats, *, exact: bool, floor: float | None, trust: float
) -> Floats:
    """Weights as they enter, with their zeros meant or raised to a floor.

    Args:
        feature, table: What the weights are of, and themselves.
        exact, floor, trust: As for `Feature.weigh`.

    Raises:
        EvidenceError: A floor or trust is impossible, or zeros are neither meant nor raised.
    """
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
            f"the weights of {feature.describe()} have zeros that were not declared exact",
            value=feature.values[place],
            hint="say exact=True if the rules forbid it, or floor=0.01 to keep it possible",
        )
    if floor is not None:
        table = np.maximum(table, floor)
    if trust < 1.0:
        table = np.where(table > 0.0, table**trust, 0.0)
    return table


def check_table(feature: Weighable, table: Floats, *, possible: bool = True) -> Floats:
    """The table itself, if it can be a likelihood."""
    if table.shape != (feature.value_count,):
        raise EvidenceError(
            f"the table for {feature.describe()} has the wrong shape", value=table.shape
        )
    # Whatever NumPy is told to do about overflow, an infinite total is refused below.
    with np.errstate(over="ignore"):
        total = float(table.sum())
    wrong = ~(np.isfinite(table) & (table >= 0.0))
    if wrong.any():
        place = int(wrong.argmax())
        raise EvidenceError(
            f"weights must be finite and not negative; that of {feature.values[place]!r} in "
            f"{feature.describe()} is not",
            value=float(table[place]),
        )
    if not math.isfinite(total):
        raise EvidenceError(
            f"the weights of {feature.describe()} add up to more than any number",
            value=float(table.max()),
            hint="divide all of them by the largest; only how they compare counts",
        )
    if possible and total == 0.0:
        raise EvidenceError(f"the weights of {feature.describe()} are zero everywhere")
    return table


def refuse_many(size: int) -> None:
    """Refuse a feature of more values than a table can have."""
    if size > MOST_VALUES:
        raise EvidenceError(
            "a tuple of features has too many values",
            value=size,
            hint=f"keep it below {MOST_VALUES:,}; marginal, entropy and gains take more where few "
            "worlds are left",
        )


def known_values(value: object, known: Sequence[Any]) -> str:
    """A hint that names the values there are, and the nearest one to a word that is none."""
    words = known[:MOST_COMPARED] if isinstance(value, str) else ()
    near = meant(value, [word for word in words if isinstance(word, str)])
    return join_hints(near, f"{'Its' if near else 'its'} values are {some_of(known)}")


def some_of(values: Iterable[Any]) -> str:
    """The first few of many values, for messages."""
    words = [str(value) for value in itertools.islice(values, 7)]
    return ", ".join(words[:6]) + (", ..." if len(words) > 6 else "")
