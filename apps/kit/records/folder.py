"""A folder of recorded games as one tidy table: who may have what, after every event.

Columns: record (file name), event (0 is before the first), viewer, variable (a card, the station
of Mr. X), value (its holder, the station), probability. Values with probability 0 are left out.

Records are analysed by joblib workers, which write their rows to files of their own; the table
grows by whole records, so memory does not depend on their number.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ....data.disk.writing import scratch
from ....data.errors import RecordError, SettingsError, SleuthError
from ....data.sharing import pool
from ....data.version import version
from ....data.workers import worker_count
from ....models.games import entry
from ....models.records.reading import parse_record, read_bytes, records_in
from ....planners.matches.contents import field_of
from ..console import Tell
from .contract import AnalysisRequest, TableRows
from .journal import Journal
from .opening import analysis_of

COLUMNS: Final = ("record", "event", "viewer", "variable", "value", "probability")
FORMATS: Final = (".csv", ".jsonl")


@dataclass(frozen=True)
class RecordOutcome:
    """The outcome of a record.

    Attributes:
        path: Its file.
        sha256: Digest of what its viewer saw.
        rows: The file with its rows; None if it was refused.
        error: Why it was refused.
    """

    path: Path
    sha256: str = ""
    rows: Path | None = None
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
                sha256 = _rows(path, asked).sha256
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
        with scratch() as place:
            for done, outcome in enumerate(_outcomes(todo, place, table, asked, jobs)):
                if outcome.rows is None:
                    complain(f"{_name(outcome.path)}: {outcome.error}")
                    refused += 1
                else:
                    journal.add(_name(outcome.path), outcome.sha256, outcome.rows)
                    outcome.rows.unlink()
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
    paths: list[Path], scratch: Path, table: Path, asked: AnalysisRequest, jobs: int
) -> Iterator[RecordOutcome]:
    """The outcome of every record, in order; a few batches of them exist at a time."""
    workers = 1 if jobs == 1 else worker_count(jobs, len(paths), "records")
    if workers == 1:
        for place, path in enumerate(paths):
            yield work(path, scratch / f"{place}{table.suffix}", asked)
        return
    # joblib hands out work as results come in, whether they are taken or not; batches bound
    # what waits on the disk.
    with pool(workers) as share:
        size = 16 * workers
        for first in range(0, len(paths), size):
            places = range(first, min(first + size, len(paths)))
            calls = ((paths[place], scratch / f"{place}{table.suffix}", asked) for place in places)
            with closing(share(work, calls)) as outcomes:
                yield from outcomes


def work(path: Path, rows: Path, asked: AnalysisRequest) -> RecordOutcome:
    """Writes one record's rows to a file; a record that is refused is an outcome, not an error."""
    try:
        found = _rows(path, asked)
        name = _name(path)
        with rows.open("wb") as stream:
            stream.writelines(
                _line(rows.suffix, (name, event, found.viewer, variable, value, probability))
                for event, variable, value, probability in found.rows
            )
    except SleuthError as error:
        return RecordOutcome(path, error=str(error))
    return RecordOutcome(path, found.sha256, rows)


def _rows(path: Path, asked: AnalysisRequest) -> TableRows:
    """A record's rows, which are computed as they are taken."""
    value = parse_record(read_bytes(path))
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
