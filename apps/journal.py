"""The journal of a long table: which records are in it, so that an interrupted run goes on.

A sidecar beside the table, JSON Lines: first the options the table was made with, then a line for
each record whose rows are all there, with where they begin and end. What the journal does not
know of (half a record, when the run was interrupted) is cut off before the run goes on.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

from ..data.errors import SettingsError
from ..data.writing import whole, write_whole

SUFFIX: Final = ".journal"


@dataclass(frozen=True)
class Entry:
    """A record whose rows are in the table.

    Attributes:
        record: Its name.
        sha256: Digest of what its viewer saw.
        begin, end: Its rows are these bytes of the table.
    """

    record: str
    sha256: str
    begin: int
    end: int


class Journal:
    """A table that grows by whole records.

    Args:
        table: The file.
        options: What the rows depend on, besides the records.
        head: The first line of the table, if it has one.

    Raises:
        SettingsError: The table is there already and was not made by this journal, or with other
            options.
    """

    def __init__(self, table: Path, options: Mapping[str, object], head: bytes = b"") -> None:
        self.table = table
        self.sidecar = table.with_name(table.name + SUFFIX)
        self.options = dict(options)
        self.head = head
        self.entries: list[Entry] = []
        if self.sidecar.exists():
            self._read()
        elif table.exists():
            raise SettingsError(
                "this file is there already, and not from an interrupted run",
                where="--out",
                value=str(table),
                hint="delete it, or name another",
            )

    def has(self, record: str, sha256: str) -> bool:
        """Whether the rows of this very record are in the table."""
        return any(entry.record == record and entry.sha256 == sha256 for entry in self.entries)

    def forget(self, stale: Callable[[Entry], bool]) -> None:
        """Takes the rows of some records out of the table, which is written anew."""
        kept = [entry for entry in self.entries if not stale(entry)]
        if len(kept) == len(self.entries):
            return
        moved: list[Entry] = []
        with whole(self.table, where="--out") as draft:
            with self.table.open("rb") as old, draft.open("wb") as new:
                new.write(self.head)
                for entry in kept:
                    old.seek(entry.begin)
                    begin = new.tell()
                    _copy(old, new, entry.end - entry.begin)
                    moved.append(Entry(entry.record, entry.sha256, begin, new.tell()))
            # The journal is emptied first: a crash in between costs work, never a wrong row.
            self.entries = []
            self._write()
        self.entries = moved
        self._write()

    def add(self, record: str, sha256: str, rows: Path) -> None:
        """Appends the rows of a record, which are the content of a file."""
        if not self.sidecar.exists():
            self._write()
        with self.table.open("ab") as stream:
            if stream.tell() == 0:
                stream.write(self.head)
            begin = stream.tell()
            with rows.open("rb") as source:
                shutil.copyfileobj(source, stream)
            end = stream.tell()
            stream.flush()
            os.fsync(stream.fileno())
        entry = Entry(record, sha256, begin, end)
        with self.sidecar.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(asdict(entry)) + "\n")
        self.entries.append(entry)

    def _read(self) -> None:
        lines = self.sidecar.read_bytes().split(b"\n")
        try:
            options = json.loads(lines[0])
            # What follows the last line's end was cut off while it was written.
            entries = [Entry(**cast("dict[str, Any]", json.loads(line))) for line in lines[1:-1]]
        except (ValueError, TypeError):
            raise SettingsError(
                "this journal of an interrupted run cannot be read",
                where="--out",
                value=str(self.sidecar),
                hint="delete it and the table",
            ) from None
        if options != self.options:
            raise SettingsError(
                "this table was made with other options",
                where="--out",
                value=str(self.table),
                hint=f"name another, or delete it and {self.sidecar.name}",
            )
        size = self.table.stat().st_size if self.table.exists() else 0
        while entries and entries[-1].end > size:
            entries.pop()
        self.entries = entries
        end = entries[-1].end if entries else 0
        if size > end:
            with self.table.open("r+b") as stream:
                stream.truncate(end)
        self._write()

    def _write(self) -> None:
        lines = [json.dumps(self.options), *(json.dumps(asdict(entry)) for entry in self.entries)]
        write_whole(self.sidecar, "".join(f"{line}\n" for line in lines), where="--out")


def _copy(source: IO[bytes], goal: IO[bytes], count: int) -> None:
    while count > 0:
        block = source.read(min(count, 1 << 20))
        if not block:
            return
        goal.write(block)
        count -= len(block)
