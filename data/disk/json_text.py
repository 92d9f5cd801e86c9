"""JSON that somebody else may have written or changed: its text, and the fields of an object.

All of it raises :class:`~sleuth.data.errors.RecordError` and nothing else, whatever it is given.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from typing import Final, NoReturn, cast

from ..errors import RecordError, nearest

#: Most brackets and commas of a JSON text, which bound how much memory its values take.
MOST_MARKS: Final = 1_000_000


def refused(
    message: str, *, value: object, where: str | None = None, hint: str = ""
) -> RecordError:
    """A :class:`RecordError` that shows ``value`` even if it has no printable form."""
    try:
        return RecordError(message, where=where, value=value, hint=hint)
    except (RecursionError, ValueError):  # nested too deeply, or thousands of digits
        return RecordError(message, where=where, value=type(value).__name__, hint=hint)


def parse_json(content: bytes | str, *, most: int = MOST_MARKS) -> object:
    """The value written in ``content``, which is JSON in UTF-8.

    Args:
        content: The text.
        most: How many brackets and commas it may have. They are counted first, since a small
            text can hold values that take a hundred times its memory.

    Raises:
        RecordError: If it is not, or is too large; also for a key that stands twice in one
            object, for the numbers JSON does not have (``NaN``, ``Infinity``), and for text that
            is nested more deeply than can be read.
    """
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        refuse_large(text, most=most)
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_such_number)
    except UnicodeDecodeError as problem:
        raise RecordError(
            "the text is not UTF-8", where=f"byte {problem.start + 1}", hint="save it as UTF-8"
        ) from None
    except json.JSONDecodeError as problem:
        raise RecordError(
            f"this is not JSON: {problem.msg[:1].lower()}{problem.msg[1:]}",
            where=f"line {problem.lineno}, column {problem.colno}",
        ) from None
    except RecursionError:
        raise RecordError("the JSON is nested too deeply") from None
    except ValueError:
        raise RecordError("a number in the JSON has too many digits") from None


def marks_of(text: str) -> int:
    """The number of brackets and commas in a text: at least the values of its JSON, but one."""
    return text.count("{") + text.count("[") + text.count(",")


def refuse_large(text: str, *, most: int, where: str | None = None) -> None:
    """Refuses JSON of too many brackets and commas before its values are made.

    Raises:
        RecordError: The text has more than ``most``.
    """
    marks = marks_of(text)
    if marks > most:
        raise RecordError(
            f"the JSON is too large: it has {marks:,} brackets and commas",
            where=where,
            hint=f"at most {most:,} are read",
        )


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise RecordError(
                    "a key stands twice in one JSON object", value=key, hint="keep one of them"
                )
            seen.add(key)
    return made


def _no_such_number(word: str) -> NoReturn:
    raise RecordError("JSON has no such number", value=word)


class Fields:
    """The fields of a JSON object that this program wrote, each checked as it is read.

    Args:
        value: The object.
        names: Its fields.
        optional: Those that may be missing.

    Raises:
        RecordError: It is no object, or a field is missing or unknown.
    """

    def __init__(
        self, value: object, names: Collection[str], *, optional: Collection[str] = ()
    ) -> None:
        if not isinstance(value, dict):
            raise refused("a JSON object is needed", value=value)
        self._given = cast("dict[str, object]", value)
        for name in names:
            if name not in self._given and name not in optional:
                raise RecordError("the field is missing", where=f"field {name!r}")
        for name in self._given:
            if name not in names:
                raise refused("no such field", value=name, hint=nearest(name[:80], names))

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def whole(self, name: str, *, least: int = 0, most: int | None = None) -> int:
        """A whole number."""
        return _whole(self._given[name], f"field {name!r}", least, most)

    def number(self, name: str, *, least: float = -math.inf, most: float = math.inf) -> float:
        """A finite number."""
        return _number(self._given[name], f"field {name!r}", least, most)

    def text(self, name: str) -> str:
        """A text."""
        value = self._given[name]
        if not isinstance(value, str):
            raise refused("a text is needed", where=f"field {name!r}", value=value)
        return value

    def wholes(
        self,
        name: str,
        *,
        count: int | None = None,
        longest: int | None = None,
        least: int = 0,
        most: int | None = None,
    ) -> tuple[int, ...]:
        """A list of whole numbers: so many, or so many at most."""
        return tuple(
            _whole(each, f"field {name!r}, item {place}", least, most)
            for place, each in enumerate(self._list(name, count, longest), start=1)
        )

    def numbers(
        self, name: str, *, count: int, least: float = -math.inf, most: float = math.inf
    ) -> tuple[float, ...]:
        """A list of finite numbers."""
        return tuple(
            _number(each, f"field {name!r}, item {place}", least, most)
            for place, each in enumerate(self._list(name, count, None), start=1)
        )

    def _list(self, name: str, count: int | None, longest: int | None) -> list[object]:
        value = self._given[name]
        where = f"field {name!r}"
        if not isinstance(value, list):
            raise refused("a list is needed", where=where, value=value)
        listed = cast("list[object]", value)
        if count is not None and len(listed) != count:
            raise refused(f"a list of {count} is needed", where=where, value=listed)
        if longest is not None and len(listed) > longest:
            raise refused(f"a list of at most {longest} is needed", where=where, value=listed)
        return listed


def _whole(value: object, where: str, least: int, most: int | None) -> int:
    if type(value) is not int or value < least or (most is not None and value > most):
        reach = f"{least} or more" if most is None else f"from {least} to {most}"
        reach = str(least) if least == most else reach
        raise refused(f"a whole number, {reach}, is needed", where=where, value=value)
    return value


def _number(value: object, where: str, least: float, most: float) -> float:
    # Compared before it is converted: a whole number may be too large for a float.
    if type(value) not in (int, float) or not least <= cast("float", value) <= most:
        bounded = math.isfinite(least) or math.isfinite(most)
        reach = f", from {least:g} to {most:g}," if bounded else ""
        raise refused(f"a number{reach} is needed", where=where, value=value)
    try:
        found = float(cast("float", value))
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise refused("a finite number is needed", where=where, value=value)
    return found
