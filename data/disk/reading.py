"""Files that somebody else wrote, read up to a limit: nothing that is read here goes on for ever.

A file is read if it is a regular one, or a pipe to which somebody writes. Folders, devices and
sockets are refused before they are opened, and so is a pipe without a writer, which would be
waited for without end.
"""

from __future__ import annotations

import io
import os
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import IO, Any, Final

from ..errors import RecordError, SettingsError, SleuthError
from .sent import located

#: Seconds that a pipe is waited for until somebody opens its other end.
PATIENCE: Final = 1.0

_KINDS: Final = (
    (stat.S_ISDIR, "is a directory"),
    (stat.S_ISCHR, "is a device"),
    (stat.S_ISBLK, "is a device"),
    (stat.S_ISSOCK, "is a socket"),
)


@dataclass(frozen=True, kw_only=True)
class FileKind:
    """The reading of files of a kind, and what is said of one that is refused.

    Attributes:
        what: What they are called: ``"the record"``.
        most: Most bytes of one.
        error: The error to raise.
        where: Where the file was named, such as ``"out"``.
        hint: What to write instead of one that cannot be read.
    """

    what: str
    most: int
    error: type[SleuthError] = RecordError
    where: str | None = None
    hint: str = ""

    def bytes(self, path: str | Path | Traversable) -> bytes:
        """The content of a file.

        Raises:
            RecordError: Or the error asked for: it cannot be read, or has too many bytes.
        """
        with self.opened(path) as stream:
            content = stream.read(self.most + 1)
        if len(content) > self.most:
            raise self.too_large(path)
        return content

    def lines(
        self, path: str | Path | Traversable, *, longest: int
    ) -> Generator[tuple[int, bytes], None, None]:
        """The lines of a file with their numbers, counted from 1; ends of lines stay on them.

        Args:
            path: The file.
            longest: Most bytes of a line.

        Raises:
            RecordError: Or the error asked for: the file cannot be read, it or a line of it has
                too many bytes.
        """
        with self.opened(path) as stream:
            number = total = 0
            while line := stream.readline(longest + 1):
                number += 1
                total += len(line)
                if len(line) > longest:
                    raise self.long_line(number, longest)
                if total > self.most:
                    raise self.too_large(path)
                yield number, line

    @contextmanager
    def opened(self, path: str | Path | Traversable) -> Generator[IO[bytes]]:
        """A file to read, if it is one; what goes wrong while it is read is told alike.

        The reader keeps to `most` bytes.

        Raises:
            RecordError: Or the error asked for: it cannot be read.
        """
        try:
            stream = _open(Path(path) if isinstance(path, str) else path, self.most + 1)
        except (OSError, ValueError) as problem:  # the latter of a name that no file can have
            raise self._unreadable(path, problem) from None
        with stream:
            try:
                yield stream
            except OSError as problem:
                raise self._unreadable(path, problem) from None

    def too_large(self, path: object) -> SleuthError:
        """The error for a file of too many bytes."""
        return self.error(
            f"{self.what} has at most {self.most:,} bytes",
            where=self.where,
            value=str(path),
            hint="is it the right file?",
        )

    def long_line(self, number: int, longest: int) -> SleuthError:
        """The error for a line of too many bytes."""
        return self.error(f"a line has at most {longest:,} bytes", where=f"line {number}")

    def _unreadable(self, path: object, problem: OSError | ValueError) -> SleuthError:
        reason = problem.strerror if isinstance(problem, OSError) else None
        return self.error(
            f"{self.what} cannot be read: {(reason or str(problem)).lower()}",
            where=self.where,
            value=str(path),
            hint=self.hint,
        )


def refuse_special(path: Path, *, where: str | None = None) -> None:
    """Refuse to write to what is there and is no file: a folder, a device, a pipe, a socket.

    Raises:
        SettingsError: What is there is no file.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return  # not there, which is told when it is written
    if not stat.S_ISREG(mode):
        raise SettingsError(
            f"this {_kind(mode)} and no file", where=where, value=str(path), hint="name a file"
        )


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "is a pipe"
    return next((words for test, words in _KINDS if test(mode)), "is something else")


def _open(file: Path | Traversable, most: int) -> IO[bytes]:
    if not isinstance(file, Path):
        return file.open("rb")  # a file of an installed package
    file = located(file)
    _refuse_endless(file.stat().st_mode)  # before it is opened, which could do something already
    # Whatever stands there by now is not waited for.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    stream = os.fdopen(os.open(file, flags | getattr(os, "O_CLOEXEC", 0)), "rb")
    try:
        mode = os.fstat(stream.fileno()).st_mode
        _refuse_endless(mode)
        return _from_pipe(stream, most) if stat.S_ISFIFO(mode) else stream
    except BaseException:
        stream.close()
        raise


def _refuse_endless(mode: int) -> None:
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise OSError(0, _kind(mode))


def _from_pipe(stream: IO[Any], most: int) -> IO[bytes]:
    """All that comes through a pipe, up to a limit; its writer may take any time, but must be."""
    with stream:
        handle = stream.fileno()
        end = time.monotonic() + PATIENCE
        while True:
            try:
                first = os.read(handle, 1)
            except BlockingIOError:  # there is a writer, who has not written yet
                first = b""
                break
            if first:
                break
            if time.monotonic() > end:
                raise OSError(0, "is a pipe that no process has open for writing")
            time.sleep(0.02)
        os.set_blocking(handle, True)
        return io.BytesIO(first + stream.read(most - len(first)))
