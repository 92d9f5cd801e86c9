"""Checks of arguments that several modules share."""

from __future__ import annotations

import math
import operator

from .errors import SettingsError, SleuthError


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
    """
    reach = f"of at least {least}" if most is None else f"from {least} to {most}"
    hint = f"write {what} as a whole number {reach}"
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise error(f"{what} must be a whole number", value=value, hint=hint)
    number = operator.index(value)  # pyright: ignore[reportArgumentType]
    if number < least or (most is not None and number > most):
        raise error(f"{what} is out of range", value=number, hint=hint)
    return number


def is_number(value: object) -> bool:
    """Whether it is a number other than NaN; true and false are none."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        return False
    try:
        return not math.isnan(float(value))  # pyright: ignore[reportArgumentType]
    except (TypeError, ValueError, OverflowError):
        return False
