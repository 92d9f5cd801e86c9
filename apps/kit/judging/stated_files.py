"""Files of stated probabilities: JSON and CSV, checked, with the line of what is wrong."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from ....data.errors import RecordError, SettingsError
from ....models.records.reading import parse_json, read_bytes, refuse_slips

#: The columns of a table, and the fields of an answer.
COLUMNS: Final = ("event", "about", "value", "probability")
FIELDS: Final = ("event", "about", "probabilities")
#: Sums this near to 1 are rounding.
ROUNDED: Final = 0.02
#: Most answers of a file.
MOST_ANSWERS: Final = 100_000


@dataclass(frozen=True)
class AnswerForm:
    """The probabilities of one hidden thing at a moment, in a file.

    Attributes:
        event: After how many events that the viewer saw.
        about: The hidden thing, by the name that the template gives it.
        probabilities: By value; null for none. Values that are not named share what is left to 1.
        happened: The event in words, as the template says it; nobody reads it again.
    """

    event: int
    about: str
    probabilities: Mapping[str, float | None]
    happened: str = ""


@dataclass(frozen=True)
class StatedForm:
    """A file of stated beliefs: the template of ``sleuth judge --template``, filled in.

    Attributes:
        answers: In any order; one in which all numbers are null is left out.
        game: The game's name.
        viewer: Whose eyes; null for the record's usual viewer.
        record_sha256: The digest of what they saw, if it is to be checked.
        version: Of sleuth.
    """

    answers: tuple[AnswerForm, ...]
    game: str | None = None
    viewer: str | None = None
    record_sha256: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class StatedAnswer:
    """Probabilities that somebody wrote down.

    Attributes:
        event: After how many events.
        about: The hidden thing.
        shares: The probability of each value that they named.
        where: Where it stands, for errors.
    """

    event: int
    about: str
    shares: Mapping[str, float]
    where: str


@dataclass(frozen=True)
class StatedAnswers:
    """The content of a file of answers.

    Attributes:
        answers: Those that were given.
        unanswered: How many questions were left open.
        viewer: Whose eyes they are from; None where the file does not say it.
        record_sha256: The digest of what that viewer saw; None where the file does not say it.
    """

    answers: tuple[StatedAnswer, ...]
    unanswered: int = 0
    viewer: str | None = None
    record_sha256: str | None = None


def read_stated(stated: str | Path | Mapping[str, object]) -> StatedAnswers:
    """The answers of a file, or of what was read from one.

    Args:
        stated: A file, JSON or CSV by its ending; or the JSON's own value.

    Raises:
        RecordError: It cannot be read, or is not written so; with the line.
    """
    if isinstance(stated, Mapping):
        return _of_value(dict(stated), [])
    path = Path(stated)
    content = read_bytes(path)
    try:
        if path.suffix.lower() == ".csv":
            return _of_table(content)
        lines = content.decode("utf-8", "replace").splitlines()
        starts = [n for n, line in enumerate(lines, 1) for _ in re.finditer(r'"event"\s*:', line)]
        return _of_value(parse_json(content), starts)
    except RecordError as error:
        error.reword(where=f"{path}: {error.where}" if error.where else str(path))
        raise


def _of_value(value: object, lines: list[int]) -> StatedAnswers:
    if not isinstance(value, dict):
        raise _refused("answers are a JSON object", "the file", type(value).__name__)
    found = cast("dict[str, Any]", value)
    refuse_slips(found, known=("answers", "viewer", "record_sha256", "game", "version"), where=None)
    answers = found.get("answers")
    if not isinstance(answers, list):
        raise _refused("a list of answers is needed", "field 'answers'", type(answers).__name__)
    entries = cast("list[Any]", answers)
    if len(entries) > MOST_ANSWERS:
        raise _refused(f"at most {MOST_ANSWERS:,} answers", "field 'answers'", len(entries))
    given: list[StatedAnswer] = []
    for number, entry in enumerate(entries, start=1):
        line = f"line {lines[number - 1]}, " if len(lines) == len(entries) else ""
        one = _answer(entry, f"{line}answer {number}")
        given += [] if one is None else [one]
    return StatedAnswers(
        tuple(given),
        len(entries) - len(given),
        _word(found, "viewer"),
        _word(found, "record_sha256"),
    )


def _word(found: Mapping[str, object], name: str) -> str | None:
    value = found.get(name)
    if value is not None and not isinstance(value, str):
        raise _refused("a word is needed", f"field {name!r}", type(value).__name__)
    return value


def _answer(entry: object, where: str) -> StatedAnswer | None:
    """One answer; None where all its numbers are left open."""
    if not isinstance(entry, dict):
        raise _refused("an answer is a JSON object", where, type(entry).__name__)
    found = cast("dict[str, Any]", entry)
    refuse_slips(found, known=(*FIELDS, "happened"), where=where)
    for name in FIELDS:
        if name not in found:
            raise _refused(f"the field {name!r} is missing", where, sorted(found))
    event, about, shares = (found[name] for name in FIELDS)
    if not isinstance(event, int) or isinstance(event, bool) or event < 0:
        raise _refused("the number of an event is needed", f"{where}, field 'event'", event)
    if not isinstance(about, str):
        raise _refused("the name of a hidden thing is needed", f"{where}, field 'about'", about)
    if not isinstance(shares, dict):
        raise _refused(
            "probabilities by values are needed", f"{where}, field 'probabilities'", shares
        )
    named = cast("dict[str, Any]", shares)
    if all(share is None for share in named.values()):
        return None
    return StatedAnswer(
        event, about, {value: _share(share, value, where) for value, share in named.items()}, where
    )


def _share(share: object, value: str, where: str) -> float:
    at = f"{where}, value {value!r}"
    if share is None:
        return 0.0
    if isinstance(share, bool) or not isinstance(share, int | float):
        raise _refused("a probability is needed", at, share)
    number = float(share)
    if not math.isfinite(number) or number < 0.0:
        raise _refused("a probability is a number from 0", at, share)
    return number


def _of_table(content: bytes) -> StatedAnswers:
    text = content.decode("utf-8-sig", "replace")
    reader = csv.reader(io.StringIO(text))
    head = [name.strip().lower() for name in next(reader, list[str]())]
    missing = [name for name in COLUMNS if name not in head]
    if missing:
        raise _refused(
            f"the table has no column {missing[0]!r}",
            "line 1",
            head,
            hint=f"its columns are {', '.join(COLUMNS)}",
        )
    places = [head.index(name) for name in COLUMNS]
    kept: dict[tuple[int, str], dict[str, float]] = {}
    wheres: dict[tuple[int, str], str] = {}
    asked: set[tuple[int, str]] = set()
    for row in reader:
        where = f"line {reader.line_num}"
        if not any(cell.strip() for cell in row):
            continue
        if len(row) < len(head):
            raise _refused("the row has too few fields", where, len(row))
        event, about, value, share = (row[place].strip() for place in places)
        if not event.isascii() or not event.isdigit() or len(event) > 9:
            raise _refused("the number of an event is needed", f"{where}, column 'event'", event)
        key = int(event), about
        asked.add(key)
        if not share:
            continue
        shares = kept.setdefault(key, {})
        wheres.setdefault(key, where)
        if value in shares:
            raise _refused("a value stands here twice", where, value)
        try:
            shares[value] = _share(float(share), value, where)
        except ValueError:
            raise _refused("a probability is needed", where, share) from None
    if len(asked) > MOST_ANSWERS:
        raise _refused(f"at most {MOST_ANSWERS:,} answers", "the table", len(asked))
    answers = tuple(
        StatedAnswer(event, about, shares, wheres[event, about])
        for (event, about), shares in kept.items()
    )
    return StatedAnswers(answers, len(asked) - len(kept))


def complete_shares(
    answer: StatedAnswer, values: tuple[str, ...], *, normalise: bool
) -> tuple[list[float], bool]:
    """The probability of every value.

    Values that are not named share what is left to 1, each alike.

    Args:
        answer: What was stated.
        values: All values, in words.
        normalise: Whether probabilities that do not add up are divided by their sum.

    Returns:
        The probabilities, and whether they had to be normalised.

    Raises:
        RecordError: A value is none of these, or the probabilities do not add up.
    """
    for value in answer.shares:
        if value not in values:
            raise _refused(
                f"{answer.about!r} has no such value",
                answer.where,
                value,
                hint=f"known: {', '.join(values[:24])}" + (", ..." if len(values) > 24 else ""),
            )
    total = math.fsum(answer.shares.values())
    others = len(values) - len(answer.shares)
    left = max(0.0, 1.0 - total) if others else 0.0
    shares = [answer.shares.get(value, left / max(others, 1)) for value in values]
    whole = total + left
    if abs(whole - 1.0) > ROUNDED and not normalise:
        raise _refused(
            "the probabilities do not add up to 1",
            answer.where,
            round(whole, 6),
            hint="mend them, or say `normalise` to have them divided by their sum",
        )
    if not whole > 0.0:
        raise _refused("no value is given any probability", answer.where, answer.about)
    return [share / whole for share in shares], abs(whole - 1.0) > ROUNDED


def template_text(path: Path, questions: Any) -> str:
    """A template in the form that the file's ending says.

    Raises:
        SettingsError: It has another ending.
    """
    match path.suffix.lower():
        case ".json":
            return json.dumps(questions.to_json(), indent=2, ensure_ascii=False) + "\n"
        case ".csv":
            return questions.to_csv()
        case ".txt":
            return questions.prompts()
        case _:
            raise SettingsError(
                "the ending says what is written",
                where="template",
                value=str(path),
                hint="end the name in .json or .csv (answers to fill in), or .txt (prompts)",
            )


def _refused(message: str, where: str, value: object, hint: str = "") -> RecordError:
    return RecordError(message, where=where, value=value, hint=hint)
