"""Compiled kernels on disk, keyed by everything their machine code depends on.

One file holds one compiled signature of one kernel. Its name is a digest of the signature, of the
text of every source file that the kernel's code comes from, its own and those of the kernels that
it names, however far away, and of every value that these can see (see `dependencies`). Editing any
other file compiles nothing again. Where something cannot be followed, nothing is kept.
Files are written under another name and then renamed, so processes that compile at once overwrite
one another with equal content, and no reader sees half a file. A file that is damaged, or whose
signature is not the one asked for, or that somebody else could have written, counts as absent.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import os
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from numba.core import caching, config

from .dependencies import Traced, Untraceable, options_of, text_of
from .folder import cache_folder, content_of, warn, write

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

# numba has no types of its own, and how it stores compiled code is not public.
_serialize: Any = importlib.import_module("numba.core.serialize")
_normalized: Any = importlib.import_module("numba.core.sigutils").normalize_signature
_compile_result: Any = importlib.import_module("numba.core.compiler").CompileResult

#: How kernels are compiled here, apart from how numba does it.
_WAYS: Final = tuple(
    str(Path(__file__).parents[1] / name) for name in ("by_address.py", "quick_compiling.py")
)

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
        """True if the file is still the one that was imported."""
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


class SourceCache(caching._Cache):  # pyright: ignore[reportPrivateUsage]
    """The disk cache of one kernel; numba asks it before it compiles a signature.

    Nothing is read or made on disk before the first compilation.
    """

    def __init__(self, function: Callable[..., Any], *, options: Mapping[str, Any]) -> None:
        self._function = function
        self._options = dict(options)
        self._enabled = True
        # The digest of what was frozen into the code that is in memory.
        self._frozen: bytes | None = None
        # Why nothing can be kept, where that is a matter of what the kernel names.
        self._reason = ""
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
        self._frozen = None
        folder = cache_folder()
        if folder is not None:
            for path in folder.glob(f"{self._stem()}-*.bin"):
                path.unlink(missing_ok=True)

    def path_of(self, sig: Any, target_context: Any) -> Path | None:
        """The path of a compiled signature, stored or to be stored; None when it must not be."""
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
            content = content_of(path)
            if content is None:
                return None
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
        self._remember()
        return result

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled signature; a full or vanished disk loses the file, not the result."""
        path = self._path(sig, data.codegen)
        self._remember()
        if self._reason:
            warn(
                f"kernel {self._function.__qualname__!r} is compiled in every process, for it "
                f"depends on {self._reason}; hand tables over as arguments"
            )
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
        write(path, hashlib.sha256(body).digest() + body)

    def _remember(self) -> None:
        """Keep what is frozen into the code in memory: into the first, if there is more."""
        with contextlib.suppress(Untraceable):
            part = self._part() if self._frozen is None else None
            self._frozen = self._frozen if part is None else part.digest()

    def _storable(self, data: Any) -> bool:
        if data.library.has_dynamic_globals:
            warn(
                f"kernel {self._function.__qualname__!r} uses a global array or pointer, so it is "
                "compiled in every process; hand tables over as arguments"
            )
            return False
        return not any(not lifted.can_cache for lifted in data.lifted)

    def _stem(self) -> str:
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        return "".join(letter if letter.isalnum() or letter in "._" else "_" for letter in name)

    def _dependencies(self) -> str | None:
        """A digest of what the code depends on; None when it cannot be told, or has changed since.

        The kernel's file, its options, and all values that it names, which are frozen into its
        code: followed through the functions that it calls.

        Raises:
            Untraceable: A value is such that nobody can tell what the code depends on.
        """
        digest = hashlib.sha256()
        waiting: list[Any] = [self]
        seen: set[int] = set()
        while waiting:
            called = waiting.pop()
            cache = called if called is self else getattr(called, "_cache", None)
            if isinstance(cache, SourceCache):
                part = cache._part()
                if part is None:
                    return None
                traced, function = part, cache._function
            else:
                function = getattr(called, "py_func", called)
                traced = Traced()
                if function is not called:
                    traced.text(options_of(called))
                traced.function(function)
            if id(function) in seen:
                continue
            seen.add(id(function))
            digest.update(traced.digest())
            waiting += traced.called
        return digest.hexdigest()

    def _part(self) -> Traced | None:
        """The code's own dependencies; None when they cannot be told."""
        # When a file changes after import, the code in memory is no longer the code on disk, and
        # nothing may be stored under its digest.
        if self._source is None or not self._source.is_current():
            return None
        traced = Traced()
        traced.text(self._source.digest, repr(sorted(self._options.items())))
        traced.function(self._function)
        # Code in memory has other values in it than a kernel that calls it would find now.
        return traced if self._frozen in (None, traced.digest()) else None

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        """The path of the signature; None when it must not be stored."""
        self._reason = ""
        folder = cache_folder() if self._enabled else None
        if folder is None:
            return None
        try:
            dependencies = self._dependencies()
            if dependencies is None:
                return None
            # A call does not say what is returned, a signature may: the same code serves both.
            arguments = [text_of(kind) for kind in _normalized(sig)[0]]
        except Untraceable as error:
            self._reason = str(error)
            return None
        parts = (
            repr(arguments),
            repr(codegen.magic_tuple()),  # target, processor and its features
            repr([(name, getattr(config, name, None)) for name in CODE_SETTINGS]),
            *(each.digest.hex() for each in map(_source, _WAYS) if each is not None),
            dependencies,
        )
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
        return folder / f"{self._stem()}-{digest}.bin"
