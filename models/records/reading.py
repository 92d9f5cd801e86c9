"""Reading JSON that somebody else wrote: strict about its text, kind in what it says.

The parts that every game's record reader shares. All of them raise
:class:`~sleuth.data.errors.RecordError` and nothing else, whatever they are given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from ...data.disk.json_text import MOST_MARKS as MOST_MARKS
from ...data.disk.json_text import marks_of as marks_of
from ...data.disk.json_text import parse_json as parse_json
from ...data.disk.json_text import refuse_large as refuse_large
from ...data.disk.json_text import refused as refused
from ...data.disk.reading import FileKind
from ...data.errors import RecordError, did_you_mean, nearest
from ...data.files import examples

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

SLIP_DISTANCE = 2

#: Most bytes of a record; the longest games that were ever recorded have some hundred thousand.
MOST_BYTES: Final = 8 * 2**20
#: Most events of a record, turns and moves included.
MOST_EVENTS: Final = 5_000
#: Most fields of somebody's own in a record, and in each part of it.
MOST_OWN: Final = 50

#: Bytes in which the first line of a record in lines stands.
MOST_OF_A_HEAD: Final = 4_096
#: The first line of a record in lines of text, behind empty ones and remarks.
LINES: Final = re.compile(r"(?:\s*(?:#[^\n]*)?\n)*\s*game:[ \t]*([\w -]*\w)[ \t]*\r?(?:\n|$)", re.I)
#: The beginning of what was meant as a record in JSON, or of an empty file.
JSON: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:[{\[]|$)")

#: How one record is read.
RECORD: Final = FileKind(what="the record", most=MOST_BYTES)


def read_bytes(path: str | Path | Traversable) -> bytes:
    """The content of a record's file, of at most ``MOST_BYTES`` bytes.

    Raises:
        RecordError: If it cannot be read or is larger than that.
    """
    try:
        return RECORD.bytes(path)
    except RecordError as error:
        name = Path(path).name.removesuffix(".json") if isinstance(path, str | Path) else ""
        if error.hint or name not in examples():
            raise
        hint = f"a record of this name comes with sleuth: sleuth.example({name!r})"
        raise RecordError(error.message, value=error.value, hint=hint) from None


def parse_record(content: bytes) -> object:
    """The value of a record: JSON, or lines of text that begin with the game they are of.

    Lines come as ``{"game": "saboteur", "lines": [...]}``, which records that can be written so
    read like any other value.

    Raises:
        RecordError: It is neither.
    """
    found = LINES.match(content.decode("utf-8-sig", "replace"))
    if found is None:
        try:
            return parse_json(content)
        except RecordError as error:
            if error.message.startswith("this is not JSON") and not JSON.match(content):
                error.reword(hint="a record in lines begins with such as 'game: saboteur'")
            raise
    lines = content.decode("utf-8-sig", "replace").splitlines()
    refuse_long(lines, name="lines")
    return {"game": found[1].lower().replace("-", "_").replace(" ", "_"), "lines": lines}


def records_in(folder: Path) -> list[Path]:
    """The files of a folder that may be records: ``*.json``, and lines of text of a game.

    A text file that does not begin as such a record does is somebody's own.
    """
    text = [path for path in folder.glob("*.txt") if path.is_file() and _begins(path)]
    return sorted([*(path for path in folder.glob("*.json") if path.is_file()), *text])


def _begins(path: Path) -> bool:
    """True if a file begins with the game of a record in lines."""
    try:
        with path.open("rb") as file:
            head = file.read(MOST_OF_A_HEAD)
    except OSError:
        return False
    return LINES.match(head.decode("utf-8-sig", "replace")) is not None


def refuse_long(value: object, *, name: str, most: int = MOST_EVENTS) -> None:
    """Refuses a list of too many events before anything looks at them one by one.

    Args:
        value: What stands in the field; what is no list is refused by others.
        name: The field, which is called as what it lists: ``"events"``.
        most: How many there may be.

    Raises:
        RecordError: The list has more events than that.
    """
    if isinstance(value, list) and len(cast("list[object]", value)) > most:
        raise RecordError(
            f"a record has at most {most:,} {name}",
            where=f"field {name!r}",
            value=f"{len(cast('list[object]', value)):,} {name}",
            hint="write one game to a record",
        )


def refuse_slips(keys: Iterable[object], *, known: Collection[str], where: str | None) -> None:
    """Refuses a key that is no known one but so near to one that it is probably a slip.

    Keys further away are fine: a record may carry fields of its own.

    Raises:
        RecordError: For a key within ``SLIP_DISTANCE`` edits of a known one, for one that is not
            text, and for more than ``MOST_OWN`` of somebody's own.
    """
    own = 0
    for key in keys:
        if not isinstance(key, str):
            raise refused("a key must be text", where=where, value=key)
        if key in known:
            continue
        own += 1
        if own > MOST_OWN:
            raise RecordError(
                f"there may be at most {MOST_OWN} fields of your own",
                where=where,
                hint="put what you note yourself into one of them",
            )
        distance, meant = min((edit_distance(key, word), word) for word in known)
        if distance <= SLIP_DISTANCE:
            raise refused(
                "an unknown field, probably a slip",
                where=where,
                value=key,
                hint=did_you_mean(meant),
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
#: The same where a value or their number is out of bounds.
OUT_OF_BOUNDS: Final = {
    "less_than_equal": "this must be {le} at most",
    "less_than": "this must be less than {lt}",
    "greater_than_equal": "this must be {ge} at least",
    "greater_than": "this must be more than {gt}",
    "too_long": "this must have {max_length} items at most",
    "too_short": "this must have {min_length} items at least",
}


def what_is_wrong(error: ErrorDetails, wrong_type: Mapping[str, str] = WRONG_TYPE) -> str:
    """A sentence on what pydantic found wrong, with its context; without a capital or a full stop.

    Args:
        error: What it found.
        wrong_type: The sentences for what has a wrong type, by pydantic's name for it.
    """
    kind = error["type"]
    if kind in wrong_type:
        return wrong_type[kind]
    if kind in OUT_OF_BOUNDS:
        return OUT_OF_BOUNDS[kind].format_map(error.get("ctx", {}))
    message = error["msg"].removeprefix("Value error, ")
    return message[:1].lower() + message[1:]


def place_of(entry: str, number: int | None, field: str | None = None, item: object = None) -> str:
    """The place of something in a record of numbered entries: ``turn 3, field 'cards', item 2``.

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
    kinds: Collection[str] | None,
    expected: Callable[[str], str],
    wrong_type: Mapping[str, str],
    words: Mapping[str, Collection[str]],
    within: Collection[str],
) -> RecordError:
    """The error in a record of numbered entries, as a reader can mend it.

    Args:
        problem: What pydantic found.
        entry: What an entry is called; the field of all of them is called so with an s.
        article: That goes before it.
        kinds: The types of entries; None where all are of one type.
        expected: What to write in a field.
        wrong_type: What is wrong with a value, by pydantic's name for it.
        words: What can stand in a field that has words, by field.
        within: Fields of the record that are called by what stands in them.
    """
    error = problem.errors(include_url=False)[0]
    path = list(error["loc"])
    number = None
    if path and path[0] == f"{entry}s" and len(path) > 1:
        number = cast("int", path[1]) + 1
        # After the entry's place pydantic names the type it took it for, if there are several.
        path = path[2:] if kinds is None else path[3:]
    elif len(path) > 1 and path[0] in within:
        path = path[1:]
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
            hint = nearest(known[:40], kinds or ())
            return refused(f"no such type of {entry}", where=where, value=known, hint=hint)
        return refused(
            f"{article} {entry} must say its type", where=where, value=known, hint=expected("type")
        )
    message = what_is_wrong(error, wrong_type)
    hint = expected(field or f"{entry}s")
    if kind == "literal_error" and isinstance(value, str) and field and field in words:
        hint = nearest(value[:40], words[field])
    return refused(
        message,
        where=place_of(entry, number, field, item) or None,
        value=value,
        hint=hint,
    )
