"""Files of recorded games of Cheat: JSON Lines, one game on each line, or CSV, one turn on each.

In a CSV file the columns ``match`` and ``number`` say which game a turn is of, in the order in
which turns stand; what belongs to a whole game stands in the row of its first turn. Cards are
written as words with spaces between them, and what is not known as nothing.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from ....data.disk.reading import FileKind
from ....data.disk.writing import write_whole
from ....data.errors import RecordError, nearest
from ...records.reading import parse_json, refused
from ..state import MOST_TURNS
from .record import CheatRecord

#: Columns that say something of a game, and of a turn.
GAME_COLUMNS: Final = (
    "match", "number", "first_player", "second_player", "settings", "first", "first_hand",
    "second_hand", "winner", "source", "note",
)  # fmt: skip
TURN_COLUMNS: Final = ("by", "type", "rank", "count", "cards", "card", "caught", "seconds")
COLUMNS: Final[Sequence[str]] = (*GAME_COLUMNS, *TURN_COLUMNS)

MOST_BYTES: Final = 256 * 2**20
MOST_BYTES_OF_A_LINE: Final = 2**20
MOST_GAMES: Final = 1_000_000
#: Most games of a file that are told to be wrong, after which it is another kind of file.
MOST_PROBLEMS: Final = 10_000

FILE: Final = FileKind(what="the file of records", most=MOST_BYTES)


@dataclass(frozen=True)
class FileProblem:
    """Why a game of a file cannot be used.

    Attributes:
        line: Where it stands, counted from 1; in a table the row of the turn that is wrong, or
            else the game's first.
        error: What is wrong.
    """

    line: int
    error: RecordError


def read_records(
    path: str | Path | Traversable, *, most: int = MOST_GAMES
) -> tuple[CheatRecord, ...]:
    """All games of a file.

    Args:
        path: The file; CSV if its name ends with ``.csv``, else JSON Lines.
        most: How many games it may have.

    Raises:
        RecordError: It cannot be read, has more games, or one of them does not follow the schema
            or the rules; with the line, the place in the game, and a hint.

    >>> from sleuth.games.cheat import mini_cheat, read_records, simulate, write_records
    >>> records = simulate(2, seed=1, games=2, game=mini_cheat())
    >>> write_records(records, "games.csv")
    >>> read_records("games.csv") == records
    True
    """
    records: list[CheatRecord] = []
    for found in _each(path):
        if isinstance(found, FileProblem):
            raise found.error
        if len(records) >= most:
            raise RecordError(
                f"of such a file at most {most:,} games are read here",
                value=str(path),
                hint="write those that you want to look at to a file of their own",
            )
        records.append(found)
    return tuple(records)


def check_records(
    path: str | Path | Traversable,
) -> tuple[tuple[CheatRecord, ...], tuple[FileProblem, ...]]:
    """All games of a file that can be used, and what is wrong with the others.

    Raises:
        RecordError: The file itself cannot be read, or more than ``MOST_PROBLEMS`` of its games
            cannot be used.

    >>> import pathlib
    >>> from sleuth.games.cheat import check_records
    >>> _ = pathlib.Path("wrong.jsonl").write_text('{"game": "cheat"}')
    >>> good, (problem,) = check_records("wrong.jsonl")
    >>> len(good), problem.line, problem.error.message
    (0, 1, "the field 'players' is missing")
    """
    records: list[CheatRecord] = []
    problems: list[FileProblem] = []
    for found in _each(path):
        if isinstance(found, FileProblem):
            problems.append(found)
            if len(problems) > MOST_PROBLEMS:
                raise RecordError(
                    f"more than {MOST_PROBLEMS:,} games of this file cannot be used",
                    value=str(path),
                    hint=f"the first: {problems[0].error}",
                )
        else:
            records.append(found)
    return tuple(records), tuple(problems)


def write_records(records: Iterable[CheatRecord], path: str | Path) -> None:
    """Write games to a file, whole or not at all: CSV if its name ends with ``.csv``.

    Raises:
        SettingsError: It cannot be written.

    >>> import pathlib
    >>> from sleuth.games.cheat import mini_cheat, simulate, write_records
    >>> write_records(simulate(2, seed=1, games=3, game=mini_cheat()), "games.jsonl")
    >>> len(pathlib.Path("games.jsonl").read_text().splitlines())
    3
    """
    target = Path(path)
    if target.suffix.lower() != ".csv":
        lines = (json.dumps(record.to_json(), ensure_ascii=False) + "\n" for record in records)
        write_whole(target, "".join(lines))
        return
    text = io.StringIO()
    writer: csv.DictWriter[str] = csv.DictWriter(text, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    for record in records:
        writer.writerows(_rows(record))
    write_whole(target, text.getvalue())


def _each(path: str | Path | Traversable) -> Iterator[CheatRecord | FileProblem]:
    """Each game, or what is wrong with it; and then whether the games fit together."""
    file = Path(path) if isinstance(path, str) else path
    read = _table if file.name.lower().endswith(".csv") else _json_lines
    seen: dict[tuple[str, int], int] = {}
    couples: dict[str, frozenset[str]] = {}
    for count, (line, value, rows) in enumerate(read(file)):
        if count >= MOST_GAMES:
            raise RecordError(f"a file has at most {MOST_GAMES:,} games", where=str(file))
        try:
            if isinstance(value, RecordError):
                raise value
            record = CheatRecord.from_json(value)
            place = (record.match, record.number)
            couple = couples.setdefault(record.match, frozenset(record.players))
            if place in seen:
                raise RecordError(
                    f"this game of the match stands in line {seen[place]} already",
                    where="field 'number'",
                    value=record.number,
                    hint="number the games of a match from 1",
                )
            if couple != frozenset(record.players):
                raise RecordError(
                    "the games of a match are between the same two players",
                    where="field 'players'",
                    value=list(record.players),
                    hint=f"in this match they are {' and '.join(sorted(couple))}",
                )
            seen[place] = line
        except RecordError as error:
            line = _line_of(error, line, rows)
            yield FileProblem(line, _on_line(error, line))
        else:
            yield record


def _line_of(error: RecordError, line: int, rows: Sequence[int]) -> int:
    """The line of the turn in which something is wrong, where each turn has one of its own."""
    found = re.match(r"turn (\d+)\b", error.where or "")
    turn = int(found[1]) if found else 0
    return rows[turn - 1] if 0 < turn <= len(rows) else line


def _on_line(error: RecordError, line: int) -> RecordError:
    where = f"line {line}, {error.where}" if error.where else f"line {line}"
    text = str(error).removeprefix(f"{error.where}: ") if error.where else str(error)
    made = RecordError(text, where=where)
    made.message, made.value, made.hint = error.message, error.value, error.hint
    return made


def _json_lines(file: Path | Traversable) -> Iterator[tuple[int, object, Sequence[int]]]:
    for line, content in FILE.lines(file, longest=MOST_BYTES_OF_A_LINE):
        if not content.strip():
            continue
        try:
            # Without the line's end, after which a game that was cut off would be wrong.
            yield line, parse_json(content.rstrip(b"\r\n")), ()
        except RecordError as error:
            # The JSON is one line, so only the column says something.
            place = (error.where or "").removeprefix("line 1, ") or None
            hint = error.hint or "write each game on one line"
            yield line, RecordError(error.message, where=place, hint=hint), ()


def _table(file: Path | Traversable) -> Iterator[tuple[int, object, Sequence[int]]]:
    """The games of a CSV file, as what would stand in JSON, with the lines of their turns."""
    reader: csv.DictReader[str] | None = None
    try:
        with FILE.opened(file) as binary:
            stream = io.TextIOWrapper(binary, encoding="utf-8-sig", newline="")
            reader = csv.DictReader(_text_lines(stream, file), strict=True)
            for name in reader.fieldnames or ():
                if name not in COLUMNS:
                    whole = set(re.split("[;\t]", name)) <= set(COLUMNS)
                    hint = "put commas between columns" if whole else nearest(name, COLUMNS)
                    raise RecordError("no such column", where="line 1", value=name, hint=hint)
            for name in ("match", "number", "by", "type"):
                if name not in (reader.fieldnames or ()):
                    raise RecordError(f"the column {name!r} is missing", where="line 1")
            yield from _games(reader)
    except UnicodeDecodeError:
        raise RecordError(
            "the text is not UTF-8", where=file.name, hint="save it as UTF-8"
        ) from None
    except csv.Error as problem:
        # Its own number is of the last row that could be read.
        line = 1 if reader is None else max(reader.reader.line_num, 1)
        raise RecordError(f"this is no table: {problem}", where=f"line {line}") from None


def _text_lines(stream: io.TextIOWrapper, file: Path | Traversable) -> Iterator[str]:
    """The lines of a table, however its lines end, as long as neither they nor it are too long."""
    number = total = 0
    while line := stream.readline(MOST_BYTES_OF_A_LINE + 1):
        number += 1
        size = len(line.encode())
        total += size
        if size > MOST_BYTES_OF_A_LINE:
            raise FILE.long_line(number, MOST_BYTES_OF_A_LINE)
        if total > MOST_BYTES:
            raise FILE.too_large(file)
        yield line


def _games(reader: csv.DictReader[str]) -> Iterator[tuple[int, object, Sequence[int]]]:
    current: tuple[str, str] | None = None
    made: Any = None
    first_line = 0
    lines: list[int] = []
    for row in reader:
        line = reader.line_num
        place = (row.get("match") or "", row.get("number") or "")
        if place != current:
            if current is not None:
                yield first_line, made, lines
            current, first_line, lines = place, line, []
            made = _attempt(_game, row)
        if not isinstance(made, RecordError):
            turn = _attempt(_turn, row)
            if isinstance(turn, RecordError):
                made, first_line = turn, line
            elif turn and len(made["turns"]) <= MOST_TURNS:  # with one too many it is refused
                made["turns"].append(turn)
                lines.append(line)
    if current is not None:
        yield first_line, made, lines


def _attempt(make: Any, row: dict[Any, Any]) -> Any:
    if None in row or any(value is None for value in row.values()):
        return RecordError("a row has as many fields as the table has columns")
    try:
        return make({name: value.strip() for name, value in row.items()})
    except RecordError as error:
        return error


def _game(row: dict[str, str]) -> dict[str, Any]:
    players = [row.get("first_player", ""), row.get("second_player", "")]
    made: dict[str, Any] = {
        "game": "cheat",
        "schema": 1,
        "players": players,
        "match": row["match"],
        "number": _number(row, "number", int),
        "turns": [],
    }
    for name in ("first", "winner", "source", "note"):
        if row.get(name):
            made[name] = row[name]
    if row.get("settings"):
        made["settings"] = parse_json(row["settings"])
    hands = {
        player: row[column].split()
        for player, column in zip(players, ("first_hand", "second_hand"), strict=True)
        if row.get(column)
    }
    if hands:
        made["hands"] = hands
    return made


def _turn(row: dict[str, str]) -> dict[str, Any]:
    if not row["type"] and not row["by"]:
        return {}
    made: dict[str, Any] = {"by": row["by"], "type": row["type"]}
    for name in ("rank", "card"):
        if row.get(name):
            made[name] = row[name]
    if row.get("count"):
        made["count"] = _number(row, "count", int)
    if row.get("seconds"):
        made["seconds"] = _number(row, "seconds", float)
    if row.get("cards"):
        made["cards"] = row["cards"].split()
    if row.get("caught"):
        made["caught"] = {"true": True, "false": False}.get(row["caught"].lower(), row["caught"])
    return made


def _number(row: dict[str, str], name: str, kind: type[int] | type[float]) -> float:
    try:
        return kind(row[name])
    except ValueError:
        raise refused("a number is needed", value=row[name], where=f"column {name!r}") from None


def _rows(record: CheatRecord) -> list[dict[str, Any]]:
    value = record.to_json()
    hands: dict[str, Sequence[str]] = value.get("hands", {})
    head = {name: value[name] for name in ("first", "winner", "source", "note") if name in value}
    head |= {"first_player": record.players[0], "second_player": record.players[1]}
    for player, column in zip(record.players, ("first_hand", "second_hand"), strict=True):
        head[column] = " ".join(hands.get(player, ()))
    if record.settings:
        head["settings"] = json.dumps(value["settings"])
    rows: list[dict[str, Any]] = []
    turns: list[dict[str, Any]] = value["turns"] or [{}]
    for turn in turns:
        row: dict[str, Any] = {"match": record.match, "number": record.number, **head, **turn}
        if "cards" in row:
            row["cards"] = " ".join(turn["cards"])
        if "caught" in row:
            row["caught"] = str(turn["caught"]).lower()
        rows.append(row)
        head = {}
    return rows
