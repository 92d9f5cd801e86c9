"""Files that one process writes at a time.

A second process is refused, or waits. The system's lock on the file ends with the process that has
it, however that ends. Where a file system knows no locks (some of networks), a file beside it,
``NAME.lock``, says which process of which machine writes; what a process of this machine left that
is gone is taken over.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import socket
import stat
import time
import uuid
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final, Self

from ..checks import MOST_DIGITS
from ..errors import SettingsError
from .reading import refuse_special

#: Seconds between tries of who waits.
PAUSE: Final = 0.05
#: Where Windows locks a byte, far beyond what a file holds: there a lock keeps readers out too.
_FAR: Final = 2**62
#: Of the API of Windows: the least right to look at a process, the code of one that has not ended,
#: and the error where somebody else's may not be looked at.
_QUERY: Final = 0x1000
_STILL_ACTIVE: Final = 259
_DENIED: Final = 5
_NOT_WRITABLE: Final = (errno.EACCES, errno.EPERM, errno.EROFS)


class _Busy(Exception):
    """Another process has the file."""


class Closes:
    """A resource that is let go at the end of a ``with``."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets it go."""
        raise NotImplementedError


class HeldFile(Closes):
    """A file that no other process holds, open for reading and writing in binary.

    Made by `hold`; close it.

    Attributes:
        path: The file.
        stream: The open file.
        writable: Whether it can be written; one that can only be read is not held.
        made: Whether it was made just now.
    """

    def __init__(
        self, path: Path, stream: IO[bytes], *, writable: bool, made: bool, beside: Path | None
    ) -> None:
        self.path = path
        self.stream = stream
        self.writable = writable
        self.made = made
        self._beside = beside

    def close(self, *, keep_empty: bool = False) -> None:
        """Lets the file go; one that was made and has nothing in it disappears."""
        if self.stream.closed:
            return
        with contextlib.suppress(OSError):
            if self.writable:
                self.stream.flush()
            if self.made and not keep_empty and os.fstat(self.stream.fileno()).st_size == 0:
                # Nobody else has it: who waits for this one sees that its name is gone.
                self.path.unlink()
        self.stream.close()
        if self._beside is not None:
            self._beside.unlink(missing_ok=True)


def hold(path: Path, *, where: str | None = None, wait: float = 0.0) -> HeldFile:
    """Opens a file, made if it is not there, for this process alone.

    Args:
        path: The file. One that can be read but not written is opened for reading.
        where: Where it was named, such as ``"out"``.
        wait: Seconds to wait for another process.

    Raises:
        SettingsError: Another process has it, or it cannot be opened.
    """
    refuse_special(path, where=where)
    end = time.monotonic() + wait
    while True:
        try:
            held = _try(path)
        except _Busy:
            if time.monotonic() < end:
                time.sleep(PAUSE)
                continue
            raise SettingsError(
                "another process is writing to this file",
                where=where,
                value=str(path),
                hint="wait until it has ended, or name another file",
            ) from None
        except OSError as problem:
            raise SettingsError(
                f"this file cannot be opened: {(problem.strerror or str(problem)).lower()}",
                where=where,
                value=str(path),
                hint="name a file in a folder that is there and open to you",
            ) from None
        if held is not None:
            return held


def _try(path: Path) -> HeldFile | None:
    """The file, or None if it vanished meanwhile."""
    flags = os.O_RDWR | getattr(os, "O_BINARY", 0)
    made = False
    try:
        handle = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
        made = True
    except FileExistsError:
        try:
            # A pipe would keep who opens it waiting.
            handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            # Only a link that leads nowhere is there and is not.
            if path.is_symlink():
                raise
            return None
        except OSError as problem:
            if problem.errno not in _NOT_WRITABLE:
                raise
            return HeldFile(path, path.open("rb"), writable=False, made=False, beside=None)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no ordinary file")
        beside = _lock(handle, path)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return HeldFile(
                    path, os.fdopen(handle, "r+b"), writable=True, made=made, beside=beside
                )
        if beside is not None:
            beside.unlink(missing_ok=True)
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _lock(handle: int, path: Path) -> Path | None:
    """Locks an open file; the file beside it that says so, where there are no locks."""
    try:
        fcntl: Any = import_module("fcntl")
    except ImportError:
        return _lock_byte(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        if problem.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES):
            raise _Busy from None
        return _lock_beside(path)
    return None


def _lock_byte(handle: int) -> None:
    msvcrt: Any = import_module("msvcrt")
    os.lseek(handle, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError:
        raise _Busy from None
    os.lseek(handle, 0, os.SEEK_SET)


def _lock_beside(path: Path) -> Path:
    beside = path.with_name(path.name + ".lock")
    own = f"{socket.gethostname()} {os.getpid()}\n"
    for _ in range(2):
        try:
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            _take_away(beside)
            continue
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(own)
        return beside
    raise _Busy


def _take_away(beside: Path) -> None:
    """Removes what a process of this machine left that is gone."""
    try:
        said = beside.read_text("utf-8", "replace")
    except OSError:
        return
    host, _, number = said.strip().rpartition(" ")
    known = number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS
    if host != socket.gethostname() or not known or runs(int(number)):
        raise _Busy
    # Two may come to this at once: only one of them gets the file that was read.
    aside = beside.with_name(f"{beside.name}.{uuid.uuid4().hex}")
    with contextlib.suppress(OSError):
        beside.rename(aside)
        found = aside.read_text("utf-8", "replace")
        if found != said:
            os.link(aside, beside)
        aside.unlink()


def runs(number: int) -> bool:
    """True if a process of this number runs."""
    if hasattr(ctypes, "windll"):
        return _runs_on_windows(number)
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _runs_on_windows(number: int) -> bool:
    """The same where a signal of number 0 is Ctrl-C."""
    system: Any = ctypes.__dict__["windll"].kernel32
    handle = system.OpenProcess(_QUERY, False, number)
    if not handle:
        return system.GetLastError() == _DENIED
    try:
        code = ctypes.c_ulong()
        return bool(system.GetExitCodeProcess(handle, ctypes.byref(code))) and (
            code.value == _STILL_ACTIVE
        )
    finally:
        system.CloseHandle(handle)
