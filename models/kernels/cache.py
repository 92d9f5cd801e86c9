"""Compiled kernels on disk, keyed by everything their machine code depends on.

One file holds one compiled signature of one kernel. Its name is a digest of the signature and of
the text of every source file that the kernel's code comes from: its own, and those of the kernels
and modules that it names, however far away. Editing any other file compiles nothing again.
Files are written under another name and then renamed, so processes that compile at once overwrite
one another with equal content, and no reader sees half a file. A file that is damaged, or whose
signature is not the one asked for, counts as absent.

Loading a compiled kernel runs it, so the folder must belong to the user and be writable by nobody
else; see :func:`cache_root`.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import importlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
import time
import uuid
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final, cast

import numba
import numpy as np
from numba.core import caching, config
from numpy.typing import NDArray

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

# numba's settings that change machine code without being part of a signature.
CODE_SETTINGS: Final = (
    "BOUNDSCHECK",
    "OPT",
    "DEBUGINFO_DEFAULT",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "ENABLE_AVX",
    "DISABLE_PERFORMANCE_WARNINGS",
    "THREADING_LAYER",
)

#: Variable that says what a user has been told about the cache.
TOLD: Final = "SLEUTH_CACHE_TOLD"

#: What to do about a folder that cannot be used.
ADVICE: Final = (
    "let only yourself write to that folder (chmod 700), or set SLEUTH_CACHE_DIR to one of yours"
)

# numba has no types of its own, and how it stores compiled code is not public.
_serialize: Any = importlib.import_module("numba.core.serialize")
_normalized: Any = importlib.import_module("numba.core.sigutils").normalize_signature
_compile_result: Any = importlib.import_module("numba.core.compiler").CompileResult

_CHECKSUM_LENGTH: Final = 32


@dataclass(frozen=True)
class Source:
    """A source file as it was when a module of kernels was imported from it.

    Attributes:
        path: The file.
        digest: SHA-256 of its text.
        stamp: Time of change and size, taken before it was read: cheap enough to compare at
            every compilation.
    """

    path: Path
    digest: bytes
    stamp: tuple[int, int]

    def is_current(self) -> bool:
        """Whether the file is still the one that was imported."""
        return _stamp(self.path) == self.stamp


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)


@functools.cache
def _source(file: str) -> Source | None:
    """The source file of that name as it is at the first call; None when there is none."""
    path = Path(file)
    stamp = _stamp(path)
    try:
        return Source(path, hashlib.sha256(path.read_bytes()).digest(), stamp)
    except OSError:
        return None


@functools.cache
def version_digest() -> str:
    """A digest of the versions of Python, numba and NumPy."""
    text = "\0".join((sys.version, numba.__version__, np.__version__))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _unfit(folder: Path) -> str:
    """Why ``folder`` cannot hold kernels; nothing if it is this user's alone and can be written."""
    status = folder.lstat()
    if stat.S_ISLNK(status.st_mode):
        return "it is a link"
    if not stat.S_ISDIR(status.st_mode):
        return "it is no folder"
    if hasattr(os, "geteuid"):
        if status.st_uid != os.geteuid():
            return "it belongs to another user"
        if status.st_mode & 0o022:
            return "others can write to it"
    tempfile.TemporaryFile(dir=folder).close()
    return ""


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
        warnings.warn(message, RuntimeWarning, stacklevel=4)


def _candidates() -> Iterator[Path]:
    chosen = os.environ.get("SLEUTH_CACHE_DIR")
    shared = os.environ.get("XDG_CACHE_HOME", "")
    if chosen:
        yield Path(chosen).absolute()
    elif os.path.isabs(shared):  # a relative one is to be ignored, says its specification
        yield Path(shared) / "sleuth"
    else:
        home = os.path.expanduser("~")
        if os.path.isabs(home):
            yield Path(home) / ".cache" / "sleuth"
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
    """What is in a folder, the latest used first."""
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
    """Whether this process is the only one that compiles into the folder without a parent.

    From now on it is, until it ends.
    """
    folder = cache_folder()
    file = None if folder is None else _locks(folder, os.getpid())
    return file is not None and bool(_taken(file, _WITHOUT_PARENT))


def _taken(file: Any, place: int) -> bool | None:
    """Whether a lock is this process's now; None where there are no locks."""
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


def _named_by(function: Callable[..., Any]) -> Iterator[object]:
    """The global values that a function names, also as attributes of modules."""
    names = sorted(function.__code__.co_names)
    for name in names:
        value = function.__globals__.get(name)
        yield value
        if isinstance(value, ModuleType):
            yield from (getattr(value, attribute, None) for attribute in names)


def _is_constant(value: object) -> bool:
    """Whether the value's text says all of it, the same in every process."""
    if isinstance(value, tuple):
        return all(_is_constant(item) for item in cast(tuple[object, ...], value))
    return isinstance(value, bool | int | float | complex | str | np.generic | np.dtype)


class SourceCache(caching._Cache):  # pyright: ignore[reportPrivateUsage]
    """The disk cache of one kernel; numba asks it before it compiles a signature.

    Nothing is read or made on disk before the first compilation.
    """

    def __init__(self, function: Callable[..., Any], *, options: Mapping[str, Any]) -> None:
        self._function = function
        self._options = dict(options)
        self._enabled = True
        # Read now: the file may have been edited by the time of the first call.
        self._source = _source(function.__code__.co_filename)

    @property
    def cache_path(self) -> Any:
        """The folder as text; None when nothing is cached."""
        folder = cache_folder()
        return None if folder is None else str(folder)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Forget every signature of this kernel, as ``recompile`` asks for."""
        folder = cache_folder()
        if folder is not None:
            for path in folder.glob(f"{self._stem()}-*.bin"):
                path.unlink(missing_ok=True)

    def path_of(self, sig: Any, target_context: Any) -> Path | None:
        """Where a compiled signature is stored, or will be; None when it must not be."""
        return self._path(sig, target_context.codegen())

    def name_of(self, sig: Any, target_context: Any) -> str | None:
        """A name of a compiled signature that changes with all that its code depends on.

        None where that cannot be told, or nothing is cached.
        """
        path = self._path(sig, target_context.codegen())
        return None if path is None else path.stem

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled signature, or None."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        if path is None:
            return None
        try:
            content = path.read_bytes()
            checksum, body = content[:_CHECKSUM_LENGTH], content[_CHECKSUM_LENGTH:]
            if hashlib.sha256(body).digest() != checksum:
                return None
            arguments, returned = _normalized(sig)
            (stored_arguments, stored_returned), payload = pickle.loads(body)
            if stored_arguments != arguments or returned not in (None, stored_returned):
                return None
            result = _compile_result._rebuild(target_context, *payload)
        except Exception:
            # Whatever is wrong with a stored file, compiling anew is the answer.
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # still in use
        return result

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled signature; a full or vanished disk loses the file, not the result."""
        path = self._path(sig, data.codegen)
        if path is None or not self._storable(data):
            return
        try:
            reduced = data._reduce()
        except RuntimeError as error:
            if "no compiled object" not in str(error):
                raise
            # Ctrl-C in the callback of llvmlite that hands over the code is swallowed there.
            raise KeyboardInterrupt from error
        compiled = _normalized(sig)[0], data.signature.return_type
        body = _serialize.dumps((compiled, reduced))
        temporary = path.with_name(f"{path.name}.{os.getpid()}-{uuid.uuid4().hex[:12]}")
        try:
            temporary.write_bytes(hashlib.sha256(body).digest() + body)
            os.replace(temporary, path)
        except OSError:
            temporary.unlink(missing_ok=True)

    def _storable(self, data: Any) -> bool:
        if data.library.has_dynamic_globals:
            warnings.warn(
                f"kernel {self._function.__qualname__!r} uses a global array or pointer, so it is "
                "compiled in every process; hand tables over as arguments",
                RuntimeWarning,
                stacklevel=2,
            )
            return False
        return not any(not lifted.can_cache for lifted in data.lifted)

    def _stem(self) -> str:
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        return "".join(letter if letter.isalnum() or letter in "._" else "_" for letter in name)

    def _sources(self) -> str | None:
        """What the code depends on; None when that cannot be told, or has changed since.

        The kernel's file, the modules that it names, and the values of the globals that it
        names, which are frozen into its code: followed through the kernels that it calls.
        """
        digest = hashlib.sha256()
        waiting: list[SourceCache] = [self]
        seen: set[int] = set()
        while waiting:
            cache = waiting.pop()
            if id(cache) in seen:
                continue
            seen.add(id(cache))
            # When a file changes after import, the code in memory is no longer the code on
            # disk, and nothing may be stored under its digest.
            if cache._source is None or not cache._source.is_current():
                return None
            digest.update(cache._source.digest)
            for value in _named_by(cache._function):
                called = getattr(value, "_cache", None)
                if isinstance(called, SourceCache):
                    waiting.append(called)
                elif hasattr(value, "py_func"):  # compiled by numba's own decorator
                    named = _source(cast(Any, value).py_func.__code__.co_filename)
                    digest.update(named.digest if named else b"")
                elif isinstance(value, ModuleType):
                    named = _source(getattr(value, "__file__", None) or "")
                    digest.update(named.digest if named else b"")
                elif isinstance(value, np.ndarray):
                    array = cast(NDArray[Any], value)
                    digest.update(f"{array.dtype}{array.shape}".encode() + array.tobytes())
                elif _is_constant(value):
                    digest.update(repr(value).encode())
        return digest.hexdigest()

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        """Where the signature is stored; None when it must not be."""
        # A call does not say what is returned, a signature may: the same code serves both.
        signature = str(_normalized(sig)[0])
        # A type that names an address is another one in every process.
        if not self._enabled or " at 0x" in signature:
            return None
        folder = cache_folder()
        sources = self._sources() if folder is not None else None
        if folder is None or sources is None:
            return None
        code = self._function.__code__
        closure = self._function.__closure__ or ()
        if any(not _is_constant(cell.cell_contents) for cell in closure):
            return None
        parts = (
            signature,
            code.co_code.hex(),
            repr([cell.cell_contents for cell in closure]),
            str(code.co_firstlineno),
            repr(codegen.magic_tuple()),  # target, processor and its features
            repr(sorted(self._options.items())),
            repr([(name, getattr(config, name, None)) for name in CODE_SETTINGS]),
            sources,
        )
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
        return folder / f"{self._stem()}-{digest}.bin"
