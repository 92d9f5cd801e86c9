"""A folder of recorded games as one tidy table: who may have what, after every event.

Columns: record (file name), event (0 is before the first), viewer, variable (a card, the station
of Mr. X), value (its holder, the station), probability. Values with probability 0 are left out.

Workers are sent what is in a record, and send its rows back, packed; the table grows by whole
records, so memory does not depend on their number.
"""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ....data.errors import RecordError, SettingsError, SleuthError
from ....data.jobs.counting import worker_count
from ....data.jobs.sharing import pool
from ....data.version import version
from ....models.games import entry
from ....models.records.reading import parse_record, read_bytes, records_in
from ....planners.matches.contents import field_of, files_of
from ..console import Tell
from .contract import AnalysisRequest, TableRows
from .journal import Journal
from .opening import analysis_of

COLUMNS: Final = ("record", "event", "viewer", "variable", "value", "probability")
FORMATS: Final = (".csv", ".jsonl")
#: So many workers are thought of where a cluster's are not counted.
PLENTY: Final = 16
#: Bytes of rows that are unpacked at a time.
PIECE: Final = 2**20


@dataclass(frozen=True)
class RecordOutcome:
    """The outcome of a record.

    Attributes:
        name: The name of its file.
        sha256: Digest of what its viewer saw.
        rows: Its rows as they stand in the table, packed by zlib; None if it was refused.
        error: Why it was refused.
    """

    name: str
    sha256: str = ""
    rows: bytes | None = None
    error: str = ""


@dataclass(frozen=True)
class Summary:
    """The outcome of a folder: the number of records added, there already, and refused."""

    added: int
    known: int
    refused: int


def analyse_folder(
    folder: Path,
    table: Path,
    asked: AnalysisRequest,
    *,
    jobs: int = -1,
    complain: Callable[[str], None],
    progress: Tell,
) -> Summary:
    """Writes the rows of every ``*.json`` file of a folder, or goes on where a run was ended.

    A record that changed since is analysed again, and its old rows leave the table.

    Args:
        folder: The folder; or a single record.
        table: The table, ``.csv`` or ``.jsonl``.
        jobs: Worker processes; 1 works in this one, -1 uses all cores.
        complain: Told about every record that is refused.
        progress: Told how far the work has come.

    Raises:
        SettingsError: The table cannot be written, or was made in another way.
        RecordError: The folder holds no record.
    """
    if table.suffix not in FORMATS:
        raise SettingsError(
            "the table's name says its form",
            where="out",
            value=str(table),
            hint=f"end it in {' or '.join(FORMATS)}",
        )
    paths = _records(folder)
    head = _csv_line(COLUMNS) if table.suffix == ".csv" else b""
    with closing(Journal(table, _head(asked), head)) as journal:
        refused = known = added = 0
        wanted: list[tuple[Path, str]] = []
        for path in paths:
            try:
                sha256 = _rows(read_bytes(path), asked).sha256
            except SleuthError as error:
                complain(f"{_name(path)}: {error}")
                refused += 1
            else:
                wanted.append((path, sha256))
        if not wanted:
            raise RecordError("none of the files is a record", value=str(folder))
        current = {_name(path): sha256 for path, sha256 in wanted}
        journal.forget(lambda entry: current.get(entry.record, entry.sha256) != entry.sha256)
        todo = [path for path, sha256 in wanted if not journal.has(_name(path), sha256)]
        known = len(wanted) - len(todo)
        for done, outcome in enumerate(_outcomes(todo, table.suffix, asked, jobs)):
            if outcome.rows is None:
                complain(f"{outcome.name}: {outcome.error}")
                refused += 1
            else:
                journal.add(outcome.name, outcome.sha256, unpacked(outcome.rows))
                added += 1
            progress("analysing records", done + 1, len(todo))
    return Summary(added, known, refused)


def _head(asked: AnalysisRequest) -> dict[str, object]:
    """The dependencies of the rows, besides the records, as the journal keeps them."""
    return {
        "table": list(COLUMNS),
        "observer": asked.observer,
        "method": asked.method.replace("-", "_"),
        **asked.own,
        **({} if asked.rules is None else {"rules": asked.rules}),
        "samples": asked.samples,
        "seed": asked.seed,
        "version": version(),
        **field_of(None if asked.rules is None else entry(asked.rules), *asked.own.values()),
    }


def _records(folder: Path) -> list[Path]:
    paths = [folder] if folder.is_file() else records_in(folder)
    paths = [path for path in paths if path.is_file()]
    if not paths:
        raise RecordError(
            "the folder holds no record",
            value=str(folder),
            hint="records are its files that end in .json, or begin with such as 'game: saboteur'",
        )
    return paths


def _name(path: Path) -> str:
    """A file's name, with what is no UTF-8 in it replaced."""
    return path.name.encode("utf-8", "replace").decode()


def _outcomes(
    paths: list[Path], suffix: str, asked: AnalysisRequest, jobs: int
) -> Iterator[RecordOutcome]:
    """The outcome of every record, in order; a few batches of them exist at a time."""
    workers = worker_count(jobs, len(paths), "records")
    # Work is handed out as results come in, whether they are taken or not; batches bound what
    # waits in memory.
    size = 1 if workers == 1 else 16 * max(workers, PLENTY)
    files = files_of(None if asked.rules is None else entry(asked.rules), *asked.own.values())
    with pool(workers) as share:
        for first in range(0, len(paths), size):
            some = [(_name(path), read_bytes(path)) for path in paths[first : first + size]]
            shared = share(work, some, common=(suffix, asked), files=files, named=_called)
            with closing(shared) as outcomes:
                yield from outcomes


def _called(name: str, content: bytes) -> str:
    return name


def work(suffix: str, asked: AnalysisRequest, name: str, content: bytes) -> RecordOutcome:
    """A record's rows; a record that is refused is an outcome, not an error."""
    pack = zlib.compressobj(level=1)
    packed = bytearray()
    try:
        found = _rows(content, asked)
        for event, variable, value, probability in found.rows:
            row = (name, event, found.viewer, variable, value, probability)
            packed += pack.compress(_line(suffix, row))
    except SleuthError as error:
        return RecordOutcome(name, error=str(error))
    return RecordOutcome(name, found.sha256, bytes(packed + pack.flush()))


def unpacked(rows: bytes) -> Iterator[bytes]:
    """The rows of a record, a piece at a time."""
    unpack = zlib.decompressobj()
    while rows:
        yield unpack.decompress(rows, PIECE)
        rows = unpack.unconsumed_tail
    yield unpack.flush()


def _rows(content: bytes, asked: AnalysisRequest) -> TableRows:
    """A record's rows, which are computed as they are taken."""
    value = parse_record(content)
    game = analysis_of(value, asked.rules)
    game.check(asked)
    return game.rows(value, asked)


def _line(suffix: str, row: tuple[object, ...]) -> bytes:
    if suffix == ".csv":
        return _csv_line(row)
    return (json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n").encode()


class _Lines:
    """A file for `csv.writer` that keeps the last line."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text = text
        return len(text)


def _csv_line(row: Iterable[object]) -> bytes:
    line = _Lines()
    csv.writer(line, lineterminator="\n").writerow(row)
    return line.text.encode()
