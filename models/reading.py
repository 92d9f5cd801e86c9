"""Reading JSON that somebody else wrote: strict about its text, kind in what it says.

The parts that every game's record reader shares. All of them raise
:class:`~sleuth.data.errors.RecordError` and nothing else, whatever they are given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, cast

from ..data.errors import RecordError, nearest

if TYPE_CHECKING:
    from pydantic import ValidationError

MAXIMAL_BYTES = 32 * 2**20
SLIP_DISTANCE = 2


def refused(
    message: str, *, value: object, where: str | None = None, hint: str = ""
) -> RecordError:
    """A :class:`RecordError` that shows ``value`` even if it has no printable form."""
    try:
        return RecordError(message, where=where, value=value, hint=hint)
    except (RecursionError, ValueError):  # nested too deeply, or thousands of digits
        return RecordError(message, where=where, value=type(value).__name__, hint=hint)


def read_bytes(path: str | Path | Traversable) -> bytes:
    """The content of a file of at most ``MAXIMAL_BYTES`` bytes.

    Raises:
        RecordError: If it cannot be read or is larger than that.
    """
    file = Path(path) if isinstance(path, str) else path
    try:
        with file.open("rb") as stream:
            content = stream.read(MAXIMAL_BYTES + 1)
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else None
        raise refused(
            f"the record cannot be read: {(reason or str(problem)).lower()}", value=str(path)
        ) from None
    if len(content) > MAXIMAL_BYTES:
        raise refused(f"a record has at most {MAXIMAL_BYTES} bytes", value=str(path))
    return content


def parse_json(content: bytes | str) -> object:
    """The value written in ``content``, which is JSON in UTF-8.

    Raises:
        RecordError: If it is not; also for a key that stands twice in one object, for the
            numbers JSON does not have (``NaN``, ``Infinity``), and for text that is nested
            more deeply than can be read.
    """
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
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


def refuse_slips(keys: Iterable[object], *, known: Collection[str], where: str | None) -> None:
    """Refuses a key that is no known one but so near to one that it is probably a slip.

    Keys further away are fine: a record may carry fields of its own.

    Raises:
        RecordError: For a key within ``SLIP_DISTANCE`` edits of a known one, and for one that
            is not text.
    """
    for key in keys:
        if not isinstance(key, str):
            raise refused("a key must be text", where=where, value=key)
        if key in known:
            continue
        distance, meant = min((edit_distance(key, word), word) for word in known)
        if distance <= SLIP_DISTANCE:
            raise refused(
                "an unknown field, probably a slip",
                where=where,
                value=key,
                hint=f"did you mean {meant!r}?",
            )


def edit_distance(one: str, other: str) -> int:
    """Levenshtein distance: the fewest letters to insert, delete or replace.

    Distances above ``SLIP_DISTANCE`` that the lengths already prove are not computed further.
    """
    if abs(len(one) - len(other)) > SLIP_DISTANCE:
        return abs(len(one) - len(other))
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        diagonal, row[0] = row[0], i
        for j, letter_of_other in enumerate(other, start=1):
            diagonal, row[j] = (
                row[j],
                min(row[j] + 1, row[j - 1] + 1, diagonal + (letter != letter_of_other)),
            )
    return row[-1]


#: What is wrong with a value, by pydantic's name for it.
WRONG_TYPE: Final = {
    "bool_type": "this must be true or false",
    "dict_type": "this must be a JSON object",
    "float_type": "this must be a number",
    "int_type": "this must be a whole number",
    "list_type": "this must be a list",
    "model_attributes_type": "this must be a JSON object",
    "model_type": "this must be a JSON object",
    "string_type": "this must be text",
}


def place_of(entry: str, number: int | None, field: str | None = None, item: object = None) -> str:
    """Where something stands in a record of numbered entries: ``turn 3, field 'cards', item 2``.

    Args:
        entry: What one of them is called, such as ``"turn"``.
        number: Which one; None for the record itself.
        field, item: What in it, if anything.
    """
    parts = [f"{entry} {number}"] if number is not None else []
    parts += [f"field {field!r}"] if field is not None else []
    parts += [f"item {item!r}"] if item is not None else []
    return ", ".join(parts)


def readable(
    problem: ValidationError,
    *,
    entry: str,
    article: str,
    kinds: Collection[str],
    expected: Callable[[str], str],
    wrong_type: Mapping[str, str] = WRONG_TYPE,
) -> RecordError:
    """What is wrong with a record of numbered entries of several types, as a reader can mend it.

    Args:
        problem: What pydantic found.
        entry: What an entry is called; the field of all of them is called so with an s.
        article: That goes before it.
        kinds: The types of entries.
        expected: What to write in a field.
        wrong_type: What is wrong with a value, by pydantic's name for it.
    """
    error = problem.errors(include_url=False, include_context=False)[0]
    path = list(error["loc"])
    number = None
    if path[0] == f"{entry}s" and len(path) > 1:
        number = cast("int", path[1]) + 1
        # After the entry's place pydantic names the type it took it for.
        path = path[3:] if len(path) > 3 else []
    kind, value = error["type"], error["input"]
    field = str(path[0]) if path else None
    item = path[1] if len(path) > 1 else None
    if isinstance(item, int):
        item += 1
    if kind == "missing":
        return RecordError(
            f"the field {field!r} is missing",
            where=place_of(entry, number) or None,
            hint=expected(field or ""),
        )
    if kind.startswith("union_tag"):
        known = cast("dict[object, object]", value).get("type")
        where = place_of(entry, number, "type")
        if isinstance(known, str):
            hint = nearest(known[:40], kinds)
            return refused(f"no such type of {entry}", where=where, value=known, hint=hint)
        return refused(
            f"{article} {entry} must say its type", where=where, value=known, hint=expected("type")
        )
    message = wrong_type.get(kind) or error["msg"].removeprefix("Value error, ")
    return refused(
        message[:1].lower() + message[1:],
        where=place_of(entry, number, field, item) or None,
        value=value,
        hint=expected(field or f"{entry}s"),
    )
