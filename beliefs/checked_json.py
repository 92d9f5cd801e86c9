"""Reading JSON data that somebody else may have written: every part checked, errors in words."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from typing import Any, cast

from ..data.errors import RecordError, SleuthError, shorten

Json = dict[str, Any]


@contextlib.contextmanager
def damage(where: str, *pass_on: type[SleuthError]) -> Generator[None]:
    """Whatever goes wrong inside is the fault of the data.

    Args:
        where: What is being read.
        pass_on: Errors that are raised as they are.

    Raises:
        RecordError: For everything else that goes wrong.
    """
    try:
        yield
    except pass_on:
        raise
    except RecordError as error:
        if error.where is not None:
            raise
        raise RecordError(f"this is damaged: {error}", where=where) from error
    except (SleuthError, LookupError, TypeError, ValueError, AttributeError) as error:
        words = str(error) if isinstance(error, SleuthError) else repr(error)
        raise RecordError(f"this is damaged: {shorten(words)}", where=where) from error
    except (RecursionError, OverflowError, MemoryError) as error:
        raise RecordError("this is damaged: it holds too much", where=where) from error


def get(data: object, key: str) -> Any:
    """An entry, whatever it is."""
    if not isinstance(data, dict):
        raise RecordError(f"an entry with {key!r} was expected", value=data)
    entries = cast(Json, data)
    if key not in entries:
        raise RecordError(f"{key!r} is missing")
    return entries[key]


def _typed(data: object, key: str, kind: type) -> Any:
    value = get(data, key)
    if type(value) is not kind:
        raise RecordError(f"{key!r} has the wrong kind of value", value=value)
    return value


def text(data: object, key: str) -> str:
    """An entry that is a text."""
    return _typed(data, key, str)


def flag(data: object, key: str) -> bool:
    """An entry that is true or false."""
    return _typed(data, key, bool)


def listed(data: object, key: str) -> list[Any]:
    """An entry that is a list."""
    return _typed(data, key, list)


def entries_of(data: object, key: str) -> Json:
    """An entry that has entries of its own."""
    return _typed(data, key, dict)


def least(data: object, key: str, low: int) -> int:
    """An entry that is a whole number of at least ``low``."""
    value: int = _typed(data, key, int)
    if not low <= value < 2**63:
        raise RecordError(f"{key!r} is out of range", value=value)
    return value


def number(value: object) -> float:
    """A value that is a number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise RecordError("a number was expected", value=value)
    return float(value)


def words(data: object, key: str) -> tuple[str, ...]:
    """An entry that is a list of different names."""
    found = listed(data, key)
    if not found or not all(type(word) is str for word in found) or len(set(found)) < len(found):
        raise RecordError(f"{key!r} must be a list of different names", value=found)
    return tuple(found)


def counts(data: object, key: str) -> dict[str, int]:
    """An entry that gives a whole number for every name."""
    found = entries_of(data, key)
    return {name: least(found, name, 0) for name in found}
