"""Results that are kept as they come, a line each, so that an interrupted run goes on.

JSON Lines. The first line says what the results depend on; every other one is a result. A last
line that was cut off is dropped. One process at a time has such a file; another is refused.
"""

from __future__ import annotations

import contextlib
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from ..errors import RecordError, SettingsError, join_hints
from .holding import Closes, HeldFile, hold
from .json_text import parse_json, refused

#: Seconds that `append_line` waits for another process, which takes but a moment.
PATIENCE: Final = 10.0
#: Most bytes of a file of results, and of a line of it.
MOST_BYTES: Final = 2**30
MOST_BYTES_OF_A_LINE: Final = 16 * 2**20


class GrowingFile(Closes, ABC):
    """A file of results, held by this process; gone again if nothing is written.

    Args:
        path: The file.
        header: What the results depend on, as plain values.
        where: Where the file was named, such as ``"out"``.

    Raises:
        SettingsError: The file has other results, or something else, or another process has it.
        RecordError: A line cannot be read, or is no result; with file, line, field and value.
    """

    def __init__(self, path: Path, header: Mapping[str, Any], *, where: str | None = None) -> None:
        self.path = path
        self.where = where
        self._head = (json.dumps(header, sort_keys=True) + "\n").encode()
        #: Bytes of whole lines that were in the file.
        self._whole = 0
        self._at_end = False
        self._held: HeldFile = hold(path, where=where)
        try:
            self._read()
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def check(self, found: object, header: Mapping[str, Any]) -> None:
        """Refuses a first line, None if it is not JSON, that has other results after it."""

    @abstractmethod
    def take(self, value: object) -> None:
        """Keeps a result of the file; RecordError with field and value if it is none."""

    @abstractmethod
    def refusal(self) -> tuple[str, str]:
        """The words on a line that is no result, and on what to do."""

    @property
    def begun(self) -> bool:
        """True if its first line is there."""
        return self._whole > 0

    def begin(self) -> None:
        """Writes the first line, if it is not there, and drops what was cut off."""
        if self._at_end:
            return
        if not self._held.writable:
            raise SettingsError(
                "this file can only be read", where=self.where, value=str(self.path)
            )
        if self._whole == 0:
            self._append(self._head)
        self._at_end = True

    def write(self, value: Mapping[str, Any]) -> None:
        """Writes a result.

        Raises:
            SettingsError: It cannot be written, such as on a full disk; nothing of it is kept.
        """
        self.begin()
        self._append(_line(value))

    def rewrite(self, values: Iterable[Mapping[str, Any]]) -> None:
        """Puts other results in place of all; an interruption leaves the first few of them."""
        self._whole, self._at_end = 0, False
        self.begin()
        self._append(b"".join(map(_line, values)))

    def close(self) -> None:
        """Lets the file go."""
        self._held.close()

    def _append(self, content: bytes) -> None:
        """Puts what is written into the system's hands, where it outlives this process."""
        handle = self._held.stream.fileno()
        left = memoryview(content)
        try:
            # What an interruption left half written would be in the way.
            os.ftruncate(handle, self._whole)
            os.lseek(handle, self._whole, os.SEEK_SET)
            while left:
                left = left[os.write(handle, left) :]
        except OSError as problem:
            with contextlib.suppress(OSError):
                os.ftruncate(handle, self._whole)
            raise SettingsError(
                f"this is not kept: {(problem.strerror or str(problem)).lower()}",
                where=self.where,
                value=str(self.path),
                hint="make room for it, and try again",
            ) from None
        self._whole += len(content)

    def _read(self) -> None:
        content = self._held.stream.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise SettingsError(
                f"a file of results has at most {MOST_BYTES:,} bytes",
                where=self.where,
                value=str(self.path),
                hint="is it the right file?",
            )
        if self._head.startswith(content):
            return  # nothing, or a first line that was cut off
        lines = content.split(b"\n")
        for place, line in enumerate(lines, start=1):
            if len(line) > MOST_BYTES_OF_A_LINE:
                raise RecordError(
                    f"a line has at most {MOST_BYTES_OF_A_LINE:,} bytes",
                    where=f"{self.path}, line {place}",
                )
        try:
            first = parse_json(lines[0])
        except RecordError:
            first = None
        self.check(first, json.loads(self._head))
        whole = len(lines[0]) + 1
        # What follows the last line's end was cut off while it was written.
        for place, line in enumerate(lines[1:-1], start=2):
            try:
                value = parse_json(line)
            except RecordError as error:
                if place == len(lines) - 1 and not _is_json(line):
                    break
                raise self._refused(error, place) from None
            try:
                self.take(value)
            except RecordError as error:
                raise self._refused(error, place) from None
            whole += len(line) + 1
        self._whole = min(whole, len(content))

    def _refused(self, error: RecordError, place: int) -> RecordError:
        what, hint = self.refusal()
        hint = join_hints(error.hint, hint)
        # Where in the line something is no JSON, or which of its fields it is.
        within = (error.where or "").removeprefix("line 1, ")
        where = f"{self.path}, line {place}" + (f", {within}" if within else "")
        message = f"{what}: {error.message}"
        if error.value is None:
            return RecordError(message, where=where, hint=hint)
        return refused(message, where=where, value=error.value, hint=hint)


def same_values(one: object, other: object) -> bool:
    """True if two plain values are written alike: true is not 1, and 1 is not 1.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def append_line(path: Path, line: str, *, where: str | None = None) -> None:
    """Adds a line to a file, which is made if it is not there; waits for others who do.

    A last line that was cut off stays, and is ended.

    Raises:
        SettingsError: It cannot be written.
    """
    held = hold(path, where=where, wait=PATIENCE)
    try:
        append_to(held, line, where=where)
    finally:
        held.close(keep_empty=True)


def append_to(held: HeldFile, line: str, *, where: str | None = None) -> None:
    """Adds a line to a file that is held.

    Raises:
        SettingsError: It cannot be written.
    """
    if not held.writable:
        raise SettingsError("this file can only be read", where=where, value=str(held.path))
    stream = held.stream
    if stream.seek(0, 2) > 0:
        stream.seek(-1, 2)
        if stream.read(1) != b"\n":
            line = "\n" + line
    stream.seek(0, 2)
    stream.write(f"{line}\n".encode())
    stream.flush()


def read_lines(path: Path) -> list[Any]:
    """The values of a file of JSON Lines, but for a last one that was cut off; none without it.

    Raises:
        RecordError: A line is not JSON; with file and line.
    """
    if not path.exists():
        return []
    found: list[Any] = []
    for place, line in enumerate(path.read_bytes().split(b"\n")[:-1], start=1):
        try:
            found.append(parse_json(line))
        except RecordError as error:
            raise RecordError(str(error), where=f"{path}, line {place}") from None
    return found


def _line(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value) + "\n").encode()


def _is_json(line: bytes) -> bool:
    """True if it could be a whole line: what was cut off in the middle is no JSON at all."""
    try:
        json.loads(line)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True
