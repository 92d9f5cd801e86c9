"""Files of many recorded games: JSON Lines, one game on each line, or a table, one turn on each.

A table has commas between its columns (CSV), or semicolons or tabs, as sheets write it where commas
are in numbers. What belongs to a whole game stands in the row of its
first turn. The columns of somebody else's table are read by their own names, see `named_columns`.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

from ...data.disk.reading import FileKind
from ...data.disk.writing import write_whole
from ...data.errors import RecordError, SettingsError, nearest
from .reading import parse_json, refused
from .written import WrittenRecord

MOST_BYTES: Final = 256 * 2**20
MOST_BYTES_OF_A_LINE: Final = 2**20
MOST_GAMES: Final = 1_000_000
#: Most games of a file that are told to be wrong, after which it is another kind of file.
MOST_PROBLEMS: Final = 10_000
#: The ending of tables; of all other names it is JSON Lines.
TABLE: Final = ".csv"
#: What may stand between the columns of a table.
SEPARATORS: Final = ",;\t"

FILE: Final = FileKind(what="the file of records", most=MOST_BYTES)
COLUMNS_FILE: Final = FileKind(what="the file of columns", most=2**16, where="columns")

Columns = Mapping[str, str]
"""Names of columns in somebody's table by those that they have here."""
Record = TypeVar("Record", bound=WrittenRecord)


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


@dataclass(frozen=True)
class TableRow:
    """A row of a table, by the names that columns have here.

    Attributes:
        values: What stands in it, without spaces at the ends; empty for what is not known.
        columns: The names that columns have in the table, where those are others.
    """

    values: Mapping[str, str]
    columns: Columns = field(default_factory=dict[str, str])

    def __getitem__(self, name: str) -> str:
        return self.values.get(name, "")

    def place(self, name: str) -> str:
        """The place of a column, by its name in the table."""
        return f"column {self.columns.get(name, name)!r}"

    def number(self, name: str, kind: type[int] | type[float] = int) -> float:
        """A number that stands in a column.

        Raises:
            RecordError: There is none; with the column.
        """
        try:
            return kind(self[name])
        except ValueError:
            raise refused("a number is needed", value=self[name], where=self.place(name)) from None


@dataclass(frozen=True, kw_only=True)
class TableForm(Generic[Record]):
    """The written form of one game's records in a table.

    Attributes:
        columns: All that there are.
        needed: Those that cannot be left out.
        key: Those that say which game a row is of; rows of one game stand together.
        game: A game, as it stands in JSON but for its turns, from its first row.
        turns: The turns of a row, as they stand in JSON; none if the row says none.
        rows: The rows of a record, to be written.
        most: How many turns a game may have.
    """

    columns: Sequence[str]
    needed: Sequence[str]
    key: Sequence[str]
    game: Callable[[TableRow], dict[str, Any]]
    turns: Callable[[TableRow], Sequence[dict[str, Any]]]
    rows: Callable[[Record], Sequence[dict[str, Any]]]
    most: int


@dataclass(frozen=True, kw_only=True)
class GameFiles(Generic[Record]):
    """Files of many records of one game.

    Attributes:
        record: Makes a record of what stands in JSON, or refuses it.
        table: Its form in a table.
        together: Makes a check of whether a record goes with those before it in the file: it is
            given each record with its line.
    """

    record: Callable[[object], Record]
    table: TableForm[Record]
    together: Callable[[], Callable[[Record, int], None]]

    def read(
        self,
        path: str | Path | Traversable,
        *,
        most: int = MOST_GAMES,
        columns: Columns | None = None,
    ) -> tuple[Record, ...]:
        """All games of a file.

        Args:
            path: The file; a table if its name ends with ``.csv``, else JSON Lines.
            most: How many games it may have.
            columns: Names of columns in the table, by those that they have here.

        Raises:
            RecordError: It cannot be read, has more games, or one of them does not follow the
                schema or the rules; with the line, the place in the game, and a hint.
        """
        records: list[Record] = []
        for found in self.each(path, columns):
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

    def check(
        self, path: str | Path | Traversable, columns: Columns | None = None
    ) -> tuple[tuple[Record, ...], tuple[FileProblem, ...]]:
        """All games of a file that can be used, and what is wrong with the others.

        Raises:
            RecordError: The file itself cannot be read, or more than ``MOST_PROBLEMS`` of its games
                cannot be used.
        """
        records: list[Record] = []
        problems: list[FileProblem] = []
        for found in self.each(path, columns):
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

    def write(self, records: Iterable[Record], path: str | Path) -> None:
        """Write games to a file, whole or not at all: a table if its name ends with ``.csv``.

        Raises:
            SettingsError: It cannot be written.
        """
        target = Path(path)
        if target.suffix.lower() != TABLE:
            lines = (json.dumps(record.to_json(), ensure_ascii=False) + "\n" for record in records)
            write_whole(target, "".join(lines))
            return
        text = io.StringIO()
        writer: csv.DictWriter[str] = csv.DictWriter(
            text, list(self.table.columns), lineterminator="\n"
        )
        writer.writeheader()
        for record in records:
            writer.writerows(self.table.rows(record))
        write_whole(target, text.getvalue())

    def each(
        self, path: str | Path | Traversable, columns: Columns | None = None
    ) -> Iterator[Record | FileProblem]:
        """Each game, or what is wrong with it; and then whether the games fit together."""
        file = Path(path) if isinstance(path, str) else path
        is_table = file.name.lower().endswith(TABLE)
        if columns and not is_table:
            raise SettingsError(
                "only a table has columns",
                where="columns",
                value=file.name,
                hint=f"the name of a table ends in {TABLE}",
            )
        found = _Table(self.table, columns or {}).games(file) if is_table else _json_lines(file)
        fits = self.together()
        for count, (line, value, rows) in enumerate(found):
            if count >= MOST_GAMES:
                raise RecordError(f"a file has at most {MOST_GAMES:,} games", where=str(file))
            try:
                if isinstance(value, RecordError):
                    raise value
                record = self.record(value)
                fits(record, line)
            except RecordError as error:
                line = _line_of(error, line, rows)
                yield FileProblem(line, _on_line(error, line, columns or {}))
            else:
                yield record


def head_of(path: Path) -> tuple[str, ...]:
    """The names of the columns of a table, as far as there are any."""
    with FILE.opened(path) as binary:
        line = binary.readline(MOST_BYTES_OF_A_LINE).decode("utf-8-sig", "replace")
    try:
        head = next(csv.reader([line], delimiter=_separator(line)), ())
        return tuple(name.strip() for name in head)
    except csv.Error:
        return ()


def _separator(head: str) -> str:
    """The separator of columns that stands most often in a table's first line, but for quotes."""
    bare = re.sub('"[^"]*"', "", head)
    return max(SEPARATORS, key=bare.count)


def named_columns(text: str) -> dict[str, str]:
    """Names of columns as somebody writes them.

    Args:
        text: ``player=who,rank=claimed``: the name here, then that in the table; or the name of a
            JSON file with an object that says the same.

    Raises:
        SettingsError: It is nothing like that.

    >>> from sleuth.kit import named_columns
    >>> named_columns("player=who, rank=claimed")
    {'player': 'who', 'rank': 'claimed'}
    """
    if text.strip().lower().endswith(".json"):
        value = parse_json(COLUMNS_FILE.bytes(text.strip()))
        pairs = cast("dict[str, object]", value).items() if isinstance(value, dict) else [("", 0)]
        found = {name: theirs for name, theirs in pairs if isinstance(theirs, str) and theirs}
        if not found or len(found) < len(pairs):
            raise SettingsError(
                "a file of columns is an object of names",
                where="columns",
                value=text,
                hint='such as {"player": "who", "rank": "claimed"}',
            )
        return found
    named: dict[str, str] = {}
    for part in text.split(","):
        name, sign, theirs = (piece.strip() for piece in part.partition("="))
        if not (name and sign and theirs):
            raise SettingsError(
                "this names no column",
                where="columns",
                value=part,
                hint="write NAME=YOURS,NAME=YOURS, such as player=who,rank=claimed",
            )
        if name in named:
            raise SettingsError("a column is named twice", where="columns", value=name)
        named[name] = theirs
    return named


def _line_of(error: RecordError, line: int, rows: Sequence[int]) -> int:
    """The line of the turn in which something is wrong, where each turn has one of its own."""
    found = re.match(r"turn (\d+)\b", error.where or "")
    turn = int(found[1]) if found else 0
    return rows[turn - 1] if 0 < turn <= len(rows) else line


def _on_line(error: RecordError, line: int, columns: Columns) -> RecordError:
    place = error.where
    for name, theirs in columns.items():
        place = place and place.replace(f"field {name!r}", f"column {theirs!r}")
    where = f"line {line}, {place}" if place else f"line {line}"
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


@dataclass(frozen=True)
class _Table:
    """A table as it is read.

    Attributes:
        form: Its form.
        columns: The names of its columns, by those that they have here.
    """

    form: TableForm[Any]
    columns: Columns

    def games(self, file: Path | Traversable) -> Iterator[tuple[int, object, Sequence[int]]]:
        """The games, as what would stand in JSON, with the lines of their turns."""
        reader: csv.DictReader[str] | None = None
        try:
            with FILE.opened(file) as binary:
                stream = io.TextIOWrapper(binary, encoding="utf-8-sig", newline="")
                lines = _text_lines(stream, file)
                head = next(lines, "")
                reader = csv.DictReader(
                    itertools.chain([head], lines), delimiter=_separator(head), strict=True
                )
                names = self._named(reader.fieldnames or ())
                yield from self._games(reader, names)
        except UnicodeDecodeError:
            raise RecordError(
                "the text is not UTF-8", where=file.name, hint="save it as UTF-8"
            ) from None
        except csv.Error as problem:
            # Its own number is of the last row that could be read.
            line = 1 if reader is None else max(reader.reader.line_num, 1)
            raise RecordError(f"this is no table: {problem}", where=f"line {line}") from None

    def _named(self, head: Sequence[str]) -> dict[str, str]:
        """The names here of the columns of a table."""
        known = self.form.columns
        for name, theirs in self.columns.items():
            if name not in known:
                raise SettingsError(
                    "no such column", where="columns", value=name, hint=nearest(name, known)
                )
            if theirs not in head:
                raise RecordError(
                    "the table has no such column",
                    where="line 1",
                    value=theirs,
                    hint=nearest(theirs, head),
                )
        called = {theirs: name for name, theirs in self.columns.items()}
        # Somebody else's table may have more columns; in ours one that is not known is a slip.
        names = {
            name: called.get(name, name)
            for name in head
            if name in called or (name not in self.columns and name in known)
        }
        for name in () if self.columns else head:
            if name not in known:
                raise RecordError(
                    "no such column", where="line 1", value=name, hint=nearest(name, known)
                )
        for name in self.form.needed:
            if name not in names.values():
                raise RecordError(f"the column {name!r} is missing", where="line 1")
        return names

    def _games(
        self, reader: csv.DictReader[str], names: Mapping[str, str]
    ) -> Iterator[tuple[int, object, Sequence[int]]]:
        current: tuple[str, ...] | None = None
        made: Any = None
        first_line = 0
        lines: list[int] = []
        for found in reader:
            line = reader.line_num
            row = self._row(found, names)
            place = tuple((found.get(self.columns.get(name, name)) or "") for name in self.form.key)
            if place != current:
                if current is not None:
                    yield first_line, made, lines
                current, first_line, lines = place, line, []
                made = _attempt(self.form.game, row)
            if not isinstance(made, RecordError):
                turns = _attempt(self.form.turns, row)
                if isinstance(turns, RecordError):
                    made, first_line = turns, line
                    continue
                for turn in turns:
                    if len(made["turns"]) <= self.form.most:  # with one too many it is refused
                        made["turns"].append(turn)
                        lines.append(line)
        if current is not None:
            yield first_line, made, lines

    def _row(self, found: dict[Any, Any], names: Mapping[str, str]) -> TableRow | RecordError:
        if None in found or any(value is None for value in found.values()):
            columns = sum(name is not None for name in found)
            some = sum(value is not None for name, value in found.items() if name is not None)
            return RecordError(
                "a row has as many fields as the table has columns",
                value=some + len(found.get(None) or ()),
                hint=f"it has {columns} columns; leave a field empty, but write what separates it",
            )
        return TableRow({ours: found[name].strip() for name, ours in names.items()}, self.columns)


def _attempt(make: Callable[[TableRow], Any], row: TableRow | RecordError) -> Any:
    if isinstance(row, RecordError):
        return row
    try:
        return make(row)
    except RecordError as error:
        return error


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
