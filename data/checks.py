"""Checks of arguments that several modules share."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterable, Sized
from typing import Any, Final, TypeVar, get_args

from .errors import SettingsError, SleuthError, nearest

#: A probability this near to 0 or 1 is certain: the rest is rounding.
CERTAIN: Final = 1e-9
#: Most digits of a whole number that is read from a text: Python refuses to read thousands.
MOST_DIGITS: Final = 18

_T = TypeVar("_T")


def whole_number(
    value: object,
    what: str,
    *,
    least: int,
    most: int | None = None,
    error: type[SleuthError] = SettingsError,
) -> int:
    """``value`` itself as an int, if it is a whole number in range; true and false are none.

    Args:
        value: What was given.
        what: Its name, such as ``"samples"``.
        least, most: The range.
        error: The error to raise.

    Raises:
        SettingsError: Or the ``error`` asked for: it is none.

    >>> from sleuth.kit import whole_number
    >>> whole_number(4, "players", least=2, most=6)
    4
    """
    reach = f"of at least {least}" if most is None else f"from {least} to {most}"
    hint = f"write {what} as a whole number {reach}"
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise error(f"{what} must be a whole number", value=value, hint=hint)
    number = operator.index(value)  # pyright: ignore[reportArgumentType]
    if number < least or (most is not None and number > most):
        raise error(f"{what} is out of range", value=number, hint=hint)
    return number


def listed(
    values: Iterable[_T],
    most: int,
    message: str,
    *,
    error: type[SleuthError],
    where: str | None = None,
    hint: str = "",
) -> list[_T]:
    """``values`` as a list, if there are no more than ``most``; more are never listed.

    What somebody gives may never end, or end after memory does.

    Args:
        values: What was given.
        most: How many there can be.
        message, where, hint: What is said where there are more.
        error: The error to raise.

    Raises:
        SleuthError: The ``error`` asked for: there are more.
    """
    found = list(itertools.islice(values, most + 1))
    if len(found) > most:
        raise error(message, where=where, value=_size(values, len(found)), hint=hint)
    return found


def _size(values: object, at_least: int) -> int:
    """The number of values, as far as they say it."""
    try:
        return len(values) if isinstance(values, Sized) else at_least
    except OverflowError:  # as of range(10**30)
        return at_least


def number_within(
    value: object,
    what: str,
    *,
    least: float = 0.0,
    most: float = math.inf,
    above: bool = False,
    where: str | None = None,
) -> float:
    """``value`` as a float, if it is a finite number in range; true and false are none.

    Args:
        value: What was given.
        what: Its name, such as ``"exploration"``.
        least, most: The range.
        above: Whether ``least`` itself is not in it.
        where: The place, for the error.

    Raises:
        SettingsError: The value is no such number.
    """
    number = float(value) if is_number(value) else math.nan  # pyright: ignore[reportArgumentType]
    if math.isfinite(number) and (number > least if above else number >= least) and number <= most:
        return number
    lower = f"above {least:,g}" if above else f"from {least:,g}"
    reach = f"{lower}, not infinite" if math.isinf(most) else f"{lower} to {most:,g}"
    raise SettingsError(
        f"{what} must be a number {reach}",
        where=where,
        value=value,
        hint=f"write for instance {what}={min(most, max(0.5, 1.5 * least)):g}",
    )


def is_number(value: object) -> bool:
    """True if it is a number other than NaN; true and false are none."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        return False
    try:
        return not math.isnan(float(value))  # pyright: ignore[reportArgumentType]
    except (TypeError, ValueError, OverflowError):
        return False


def known_name(name: Any, known: Iterable[str], kind: str, *, where: str | None = None) -> Any:
    """``name`` itself, if something has it.

    Args:
        name: What was given.
        known: All names there are.
        kind: What they are names of, such as ``"likelihood"``.
        where: The place, for the error.

    Raises:
        SettingsError: Nothing has it.
    """
    if name not in known:
        raise SettingsError(f"no such {kind}", where=where, value=name, hint=nearest(name, known))
    return name


def place_of(value: object, words: Any, where: str) -> int:
    """The place of a value among those that a ``Literal`` names.

    Raises:
        SettingsError: The value is none of these words.
    """
    known: tuple[object, ...] = get_args(words)
    if value not in known:
        hint = nearest(value, [str(each) for each in known])
        raise SettingsError("no such choice", where=where, value=value, hint=hint)
    return known.index(value)
