"""The folder of compiled kernels, and the files in it: this user's alone.

Loading a compiled kernel runs it. So the folder and each file that is read must belong to the user
and be writable by nobody else; see :func:`cache_root` and :func:`content_of`.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import importlib
import inspect
import os
import shutil
import stat
import sys
import tempfile
import time
import uuid
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

import numpy as np

from ....data.disk.places import user_folder

# Compiled signatures that are kept: a few versions of the package and of somebody's games.
KEPT_FILES: Final = 4000

# Folders that are kept: one for each combination of Python, numba and NumPy.
KEPT_FOLDERS: Final = 8

# Seconds after which nobody is writing a file any more: the process that began it was killed.
UNFINISHED: Final = 600.0

# Seconds that a process waits at most for another one to compile the same kernel.
MOST_WAIT: Final = 120.0

#: The file in the folder whose bytes stand for kernels that are being compiled.
LOCKS: Final = "locks"

#: The byte behind those of all kernels: of the process that compiles after its parent's end.
_WITHOUT_PARENT: Final = 1 << 40

#: Variable that says what a user has been told about the cache.
TOLD: Final = "SLEUTH_CACHE_TOLD"

#: What to do about a folder that cannot be used.
ADVICE: Final = "or set SLEUTH_CACHE_DIR to a folder that only you can write to"

#: Packages whose lines tell a user nothing about where a warning comes from.
_INNER: Final = (__name__.partition(".")[0], "numba", "llvmlite", "functools", "contextlib")

_BINARY: Final[int] = getattr(os, "O_BINARY", 0)  # on Windows
_LINK: Final = "it is a link"
_OTHERS_WRITE: Final = "others can write to it"


@functools.cache
def version_digest() -> str:
    """A digest of the versions of Python, numba, its compiler and NumPy."""
    compilers = [importlib.import_module(name).__version__ for name in ("numba", "llvmlite")]
    text = "\0".join((sys.version, *compilers, np.__version__))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _unfit(folder: Path) -> str:
    """Why ``folder`` cannot hold kernels; nothing if it is this user's alone and can be written."""
    status = folder.lstat()
    if stat.S_ISLNK(status.st_mode):
        return _LINK
    if not stat.S_ISDIR(status.st_mode):
        return "it is no folder"
    if reason := _not_ours_alone(status):
        # To keep others out from now on is not enough.
        left = "; remove the folder, for what is in it may be theirs"
        return reason + left * (reason == _OTHERS_WRITE)
    tempfile.TemporaryFile(dir=folder).close()
    return ""


def _not_ours_alone(status: os.stat_result) -> str:
    """The others who may have written something; nothing where only this user may."""
    if hasattr(os, "geteuid"):
        if status.st_uid != os.geteuid():
            return "it belongs to another user"
        if status.st_mode & 0o022:
            return _OTHERS_WRITE
    return ""


def content_of(path: Path) -> bytes | None:
    """The content of a file in the folder.

    None if it is not there, or is not a file of this user's that nobody else can write; a warning
    says so then, once for the folder.
    """
    # Who a name belongs to may change before it is opened: asked is what was opened. Nobody waits
    # for the other end of a pipe.
    careful = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, os.O_RDONLY | _BINARY | careful)
    except OSError as error:
        if error.errno == errno.ELOOP:
            _distrust(path.parent, _LINK)
        return None
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        regular = stat.S_ISREG(status.st_mode)
        if reason := _not_ours_alone(status) if regular else "it is no file":
            _distrust(path.parent, reason)
            return None
        return file.read()


@functools.cache
def _distrust(folder: Path, reason: str) -> None:
    """Says, once, that files in the folder are not used."""
    _tell(
        f"a compiled kernel in {folder} is not used: {reason}; remove the folder, for somebody "
        "else may have written to it"
    )


def write(path: Path, content: bytes) -> None:
    """Write a file that only this user can read and write: whole, or not at all.

    A disk that is full or gone loses the file, and nobody is told.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{uuid.uuid4().hex[:12]}")
    try:
        with open(
            os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600), "wb"
        ) as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)


def _refused(folder: Path) -> str:
    """Why ``folder``, which is made if it is not there, cannot be used; nothing if it can."""
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.path.lexists(folder):
            folder.mkdir(mode=0o700, exist_ok=True)
        reason = _unfit(folder)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
    return f"{folder}: {reason}" if reason else ""


def _tell(message: str) -> None:
    """Warns, unless a process that started this one did so already."""
    if os.environ.get(TOLD) != message:
        # Workers inherit it, and each would say the same.
        os.environ[TOLD] = message
        warn(message)


def warn(message: str) -> None:
    """Warns, at the line outside this package and the compiler that led here."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_back is not None and _is_inner(frame):
        frame = frame.f_back
    assert frame is not None  # CPython has frames
    warnings.warn_explicit(
        message,
        RuntimeWarning,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=frame.f_globals.get("__name__"),
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )


def _is_inner(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] in _INNER


def _candidates() -> Iterator[Path]:
    chosen = os.environ.get("SLEUTH_CACHE_DIR")
    usual = Path(chosen).absolute() if chosen else user_folder("cache")
    if usual is not None:
        yield usual
    user = os.geteuid() if hasattr(os, "geteuid") else "user"
    yield Path(tempfile.gettempdir()) / f"sleuth-{user}"


@functools.cache
def cache_root() -> Path | None:
    """The folder of this user's compiled kernels, or None if there can be none.

    Asked once per process; folders that are made have mode 0700. One warning says if it is not the
    folder that was to be expected.
    """
    refusals: list[str] = []
    try:
        for candidate in _candidates():
            kernels = candidate / "kernels"
            refusal = _refused(candidate) or _refused(kernels)
            if not refusal:
                if refusals:
                    _tell(
                        f"compiled kernels are kept in {kernels}, which may not last, and not "
                        f"where they should be ({'; '.join(refusals)}); {ADVICE}"
                    )
                return kernels
            refusals.append(refusal)
    except OSError as error:  # no temporary folder at all
        refusals.append(str(error).lower())
    _tell(
        "compiled kernels are not cached, so every process compiles them anew "
        f"({'; '.join(refusals)}); {ADVICE}"
    )
    return None


def _prune(root: Path, keep: Path) -> None:
    """Remove all but the latest folders and files; another process may be doing the same."""
    for _, folder in _by_age(root)[KEPT_FOLDERS:]:
        if folder != keep:
            shutil.rmtree(folder, ignore_errors=True)
    long_ago = time.time() - UNFINISHED
    for number, (age, file) in enumerate(_by_age(keep)):
        if number >= KEPT_FILES or (".bin." in file.name and age < long_ago):
            file.unlink(missing_ok=True)


def _by_age(folder: Path) -> list[tuple[float, Path]]:
    """The files in a folder, the latest used first."""
    ages: list[tuple[float, Path]] = []
    for path in folder.iterdir():
        try:
            ages.append((path.stat().st_mtime, path))
        except OSError:
            continue
    return sorted(ages, reverse=True)


@functools.cache
def cache_folder() -> Path | None:
    """The folder for the present versions, made and marked as used; None when uncached."""
    root = cache_root()
    if root is None:
        return None
    folder = root / version_digest()
    if refusal := _refused(folder):
        _tell(
            "compiled kernels are not cached, so every process compiles them anew "
            f"({refusal}); {ADVICE}"
        )
        return None
    try:
        os.utime(folder)
        _prune(root, folder)
    except OSError:
        pass
    return folder


@functools.cache
def _locks(folder: Path, owner: int) -> Any:
    """The file of locks, open as long as the process lives; None where it cannot be."""
    try:
        return (folder / LOCKS).open("ab", buffering=0)
    except OSError:
        return None


@contextmanager
def compiling_alone(path: Path | None) -> Generator[None, None, None]:
    """Waits while another process compiles a kernel, and keeps others waiting meanwhile.

    What it waited for is on disk then. The system opens the lock of a process that is killed.

    Args:
        path: Where the compiled kernel will be; None where it is not kept.
    """
    file = None if path is None or path.exists() else _locks(path.parent, os.getpid())
    if file is None or path is None:
        yield
        return
    place = int(hashlib.sha256(path.name.encode()).hexdigest()[:10], 16)
    until, locked = time.monotonic() + MOST_WAIT, False
    while not locked and not path.exists() and time.monotonic() < until:
        taken = _taken(file, place)
        if taken is None:
            break
        locked = taken
        if not locked:
            time.sleep(0.02)
    try:
        yield
    finally:
        if locked:
            with contextlib.suppress(OSError):
                system: Any = importlib.import_module("fcntl")
                system.lockf(file, system.LOCK_UN, 1, place)


def goes_on_alone() -> bool:
    """True if this process is the only one that compiles into the folder without a parent.

    From now on it is, until it ends.
    """
    folder = cache_folder()
    file = None if folder is None else _locks(folder, os.getpid())
    return file is not None and bool(_taken(file, _WITHOUT_PARENT))


def _taken(file: Any, place: int) -> bool | None:
    """True if a lock is this process's now; None where there are no locks."""
    try:
        system: Any = importlib.import_module("fcntl")
    except ImportError:  # not on POSIX: two may compile the same
        return None
    try:
        system.lockf(file, system.LOCK_EX | system.LOCK_NB, 1, place)
    except OSError as error:
        # Anything else: a file system without locks.
        return False if error.errno in (errno.EACCES, errno.EAGAIN) else None
    return True
