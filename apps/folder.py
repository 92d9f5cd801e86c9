"""A folder of recorded games as one tidy table: who may have what, after every event.

Columns: record (file name), event (0 is before the first), viewer, variable (a card, the station
of Mr. X), value (its holder, the station), probability. Values with probability 0 are left out.

Records are analysed by joblib workers, which write their rows to files of their own; the table
grows by whole records, so memory does not depend on their number.
"""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from ..data.errors import RecordError, SettingsError, SleuthError
from ..data.version import version
from ..models.reading import parse_json, read_bytes
from .analyses import Asked, Rows, analysis_of
from .console import Tell
from .journal import Journal

if TYPE_CHECKING:
    from ..models.clue.choice import ChoiceModel

COLUMNS: Final = ("record", "event", "viewer", "variable", "value", "probability")
FORMATS: Final = (".csv", ".jsonl")


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the rows depend on, besides the records; arguments are those of `analyse`."""

    observer: str | None
    method: str
    choice: ChoiceModel
    samples: int
    seed: int
    likelihood: str | None = None

    @property
    def asked(self) -> Asked:
        """The options as each game takes its own from them."""
        return Asked(
            observer=self.observer,
            method=self.method,
            choice=self.choice.name,
            preference=",".join(self.choice.order) or None,
            likelihood=self.likelihood,
            samples=self.samples,
            seed=self.seed,
        )

    def to_json(self) -> dict[str, object]:
        """The options as the journal keeps them."""
        return {
            "table": list(COLUMNS),
            "observer": self.observer,
            "method": self.method.replace("-", "_"),
            "choice": self.choice.name,
            "preference": list(self.choice.order),
            **({} if self.likelihood is None else {"likelihood": self.likelihood}),
            "samples": self.samples,
            "seed": self.seed,
            "version": version(),
        }


@dataclass(frozen=True)
class Outcome:
    """What became of a record.

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
    """What became of a folder: how many records were added, were there already, were refused."""

    added: int
    known: int
    refused: int


def analyse_folder(
    folder: Path,
    table: Path,
    options: Options,
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
            where="--out",
            value=str(table),
            hint=f"end it in {' or '.join(FORMATS)}",
        )
    paths = _records(folder)
    head = _csv_line(COLUMNS) if table.suffix == ".csv" else b""
    journal = Journal(table, options.to_json(), head)
    refused = known = added = 0
    wanted: list[tuple[Path, str]] = []
    for path in paths:
        try:
            sha256 = _rows(path, options).sha256
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
    with TemporaryDirectory(prefix="sleuth-") as scratch:
        for done, outcome in enumerate(_outcomes(todo, Path(scratch), table, options, jobs)):
            if outcome.rows is None:
                complain(f"{_name(outcome.path)}: {outcome.error}")
                refused += 1
            else:
                journal.add(_name(outcome.path), outcome.sha256, outcome.rows)
                outcome.rows.unlink()
                added += 1
            progress("analysing records", done + 1, len(todo))
    return Summary(added, known, refused)


def _records(folder: Path) -> list[Path]:
    paths = [folder] if folder.is_file() else sorted(folder.glob("*.json"))
    paths = [path for path in paths if path.is_file()]
    if not paths:
        raise RecordError(
            "the folder holds no record",
            value=str(folder),
            hint="records are its files that end in .json",
        )
    return paths


def _name(path: Path) -> str:
    """A file's name, with what is no UTF-8 in it replaced."""
    return path.name.encode("utf-8", "replace").decode()


def _outcomes(
    paths: list[Path], scratch: Path, table: Path, options: Options, jobs: int
) -> Iterator[Outcome]:
    """The outcome of every record, in order; a few batches of them exist at a time."""
    joblib: Any = import_module("joblib")  # it has no types
    workers = min(joblib.cpu_count() if jobs == -1 else jobs, max(len(paths), 1))
    if workers == 1:
        for place, path in enumerate(paths):
            yield work(path, scratch / f"{place}{table.suffix}", options)
        return
    # joblib hands out work as results come in, whether they are taken or not; batches bound
    # what waits on the disk.
    with (
        warnings.catch_warnings(),
        joblib.Parallel(n_jobs=workers, return_as="generator") as parallel,
    ):
        # Whoever interrupts the run knows that it is not finished.
        warnings.filterwarnings("ignore", message=".*have been cancelled", category=UserWarning)
        size = 16 * workers
        for first in range(0, len(paths), size):
            places = range(first, min(first + size, len(paths)))
            batch: Any = parallel(
                joblib.delayed(_in_worker)(
                    paths[place], scratch / f"{place}{table.suffix}", options
                )
                for place in places
            )
            yield from batch


def _in_worker(path: Path, rows: Path, options: Options) -> Outcome:
    """`work` in a process that leaves Ctrl-C to the one which started it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return work(path, rows, options)


def work(path: Path, rows: Path, options: Options) -> Outcome:
    """Writes one record's rows to a file; a record that is refused is an outcome, not an error."""
    try:
        found = _rows(path, options)
        name = _name(path)
        with rows.open("wb") as stream:
            stream.writelines(
                _line(rows.suffix, (name, event, found.viewer, variable, value, probability))
                for event, variable, value, probability in found.rows
            )
    except SleuthError as error:
        return Outcome(path, error=str(error))
    return Outcome(path, found.sha256, rows)


def _rows(path: Path, options: Options) -> Rows:
    """A record's rows, which are computed as they are taken."""
    value = parse_json(read_bytes(path))
    game, asked = analysis_of(value), options.asked
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
