"""The journal of a long table: which records are in it, so that an interrupted run goes on.

A sidecar beside the table, JSON Lines: first the options the table was made with, then a line for
each record whose rows are all there, with where they begin and end. What the journal does not
know of (half a record, when the run was interrupted) is cut off before the run goes on. One process
at a time writes to a table: it holds the journal.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

from ....data.disk.growing import GrowingFile, same_values
from ....data.disk.json_text import Fields
from ....data.disk.writing import whole
from ....data.errors import RecordError, SettingsError
from ....planners.matches.contents import CONTENTS, changed

SUFFIX: Final = ".journal"
_DIGEST: Final = re.compile("[0-9a-f]{64}")


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
    """A table that grows by whole records; close it.

    Args:
        table: The file.
        options: What the rows depend on, besides the records.
        head: The first line of the table, if it has one.

    Raises:
        SettingsError: The table is there already and was not made by this journal, or with other
            options, or another process is writing to it.
        RecordError: A line of the journal cannot be used.
    """

    def __init__(self, table: Path, options: Mapping[str, object], head: bytes = b"") -> None:
        self.table = table
        self.head = head
        self._file = _Sidecar(table, options, len(head))
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    @property
    def entries(self) -> list[Entry]:
        """The records whose rows are in the table."""
        return self._file.entries

    def close(self) -> None:
        """Lets the table go."""
        self._file.close()

    def has(self, record: str, sha256: str) -> bool:
        """True if the rows of this very record are in the table."""
        return any(entry.record == record and entry.sha256 == sha256 for entry in self.entries)

    def forget(self, stale: Callable[[Entry], bool]) -> None:
        """Takes the rows of some records out of the table, which is written anew."""
        kept = [entry for entry in self.entries if not stale(entry)]
        if len(kept) == len(self.entries):
            return
        moved: list[Entry] = []
        with whole(self.table, where="out") as draft:
            with self.table.open("rb") as old, draft.open("wb") as new:
                new.write(self.head)
                for entry in kept:
                    old.seek(entry.begin)
                    begin = new.tell()
                    _copy(old, new, entry.end - entry.begin)
                    moved.append(Entry(entry.record, entry.sha256, begin, new.tell()))
            # The journal is emptied first: a crash in between costs work, never a wrong row.
            self._file.replace([])
        self._file.replace(moved)

    def add(self, record: str, sha256: str, rows: Iterable[bytes]) -> None:
        """Appends the rows of a record, which come in pieces."""
        # A table without a journal would be somebody else's.
        self._file.begin()
        with self.table.open("ab") as stream:
            if stream.tell() == 0:
                stream.write(self.head)
            begin = stream.tell()
            stream.writelines(rows)
            end = stream.tell()
            stream.flush()
            os.fsync(stream.fileno())
        self._file.add(Entry(record, sha256, begin, end))

    def _begin(self) -> None:
        if not self._file.begun and self.table.exists():
            raise SettingsError(
                "this file is there already, and not from an interrupted run",
                where="out",
                value=str(self.table),
                hint="delete it, or name another",
            )
        size = self.table.stat().st_size if self.table.exists() else 0
        there = [entry for entry in self.entries if entry.end <= size]
        if len(there) < len(self.entries):
            self._file.replace(there)
        end = there[-1].end if there else 0
        if size > end:
            with self.table.open("r+b") as stream:
                stream.truncate(end)


class _Sidecar(GrowingFile):
    """The journal itself."""

    def __init__(self, table: Path, options: Mapping[str, object], head: int) -> None:
        self.table = table
        self.entries: list[Entry] = []
        self._head_length = head
        super().__init__(table.with_name(table.name + SUFFIX), options, where="out")

    def add(self, entry: Entry) -> None:
        self.write(asdict(entry))
        self.entries.append(entry)

    def replace(self, entries: list[Entry]) -> None:
        self.rewrite(asdict(entry) for entry in entries)
        self.entries = list(entries)

    def check(self, found: object, header: Mapping[str, Any]) -> None:
        if not isinstance(found, dict):
            raise SettingsError(
                "this journal of an interrupted run cannot be read",
                where="out",
                value=str(self.path),
                hint="delete it and the table",
            )
        there = cast("dict[str, Any]", found)
        changes = changed(there, header)
        if changes and same_values({**there, CONTENTS: None}, {**header, CONTENTS: None}):
            raise SettingsError(
                f"this table was made with other files: {changes}",
                where="out",
                value=str(self.table),
                hint=f"name another, or delete it and {self.path.name}",
            )
        if not same_values(there, header):
            raise SettingsError(
                "this table was made with other options",
                where="out",
                value=str(self.table),
                hint=f"name another, or delete it and {self.path.name}",
            )

    def take(self, value: object) -> None:
        fields = Fields(value, ("record", "sha256", "begin", "end"))
        # Rows follow each other without a gap: else some would be lost, or stand twice.
        begin = self.entries[-1].end if self.entries else self._head_length
        sha256 = fields.text("sha256")
        if not _DIGEST.fullmatch(sha256):
            raise RecordError("a digest is needed", where="field 'sha256'", value=sha256)
        self.entries.append(
            Entry(
                fields.text("record"),
                sha256,
                fields.whole("begin", least=begin, most=begin),
                fields.whole("end", least=begin, most=2**63 - 1),
            )
        )

    def refusal(self) -> tuple[str, str]:
        return "this journal of an interrupted run cannot be read", "delete it and the table"


def _copy(source: IO[bytes], goal: IO[bytes], count: int) -> None:
    while count > 0:
        block = source.read(min(count, 1 << 20))
        if not block:
            return
        goal.write(block)
        count -= len(block)
