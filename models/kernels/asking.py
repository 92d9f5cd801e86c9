"""Kernels this process would like to have compiled, and the other process that does it.

The other process is told of one kernel at a time: of the one that has kept plain Python busy for
longest by then. When this process has done its work, the other one may go on with the rest for a
while (see `LINGER`), so that short commands get their kernels, too.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, cast

from ...data.workers import is_broken_off
from .disk.folder import cache_folder
from .plain.plain_call import overtake

#: Seconds for which the other process goes on at most after this one has done its work.
LINGER: Final = 20
#: What it says when it goes on.
GOES_ON: Final = b"on\n"
#: Seconds to wait for that word: it may have more to do than to listen.
_WORD: Final = 0.5
#: The message that nothing more will be asked for: of length 0.
_LAST: Final = bytes(8)

# Starts the other process: nothing is imported from a folder that this process would not look in.
_START: Final = (
    "import json, sys; from importlib import import_module; "
    "sys.path[:] = json.loads(sys.argv[1]); "
    "import_module(sys.argv[2]).serve(int(sys.argv[3]))"
)


class CompileRequest:
    """A signature of a kernel that this process would like to have compiled.

    Attributes:
        path: Where the compiled kernel will be.
        failed: It will not come from the other process.
    """

    def __init__(self, function: Any, kinds: tuple[Any, ...], path: Path) -> None:
        self.function = function
        self.kinds = kinds
        self.path = path
        self.sent = False
        self.failed = False
        self._seconds = 0.0
        self._since: list[float] = []

    def ready(self) -> bool:
        """True if the kernel need not be waited for any more."""
        return self.failed or self.path.exists()

    def seconds(self) -> float:
        """For how long plain Python has done its work so far."""
        now = time.perf_counter()
        return self._seconds + sum(now - start for start in self._since.copy())

    def begin(self, start: float) -> None:
        """A plain call of it begins."""
        self._since.append(start)

    def end(self, start: float) -> None:
        """A plain call of it that began then has ended."""
        self._since.remove(start)
        self._seconds += time.perf_counter() - start

    def message(self) -> bytes | None:
        """The message to the other process; None where it could not find the kernel."""
        function = self.function.py_func
        name = function.__qualname__
        try:
            kinds = pickle.dumps(self.kinds)
        except Exception:  # whatever a type of somebody's own may raise
            return None
        if function.__module__ == "__main__" or b"__main__" in kinds or "<" in name:
            return None
        return pickle.dumps((_files(function, kinds), function.__module__, name, kinds))


def _files(function: Any, kinds: bytes) -> dict[str, str]:
    """The files of a kernel's module, and of those that the types of its arguments name."""
    found: dict[str, str] = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        # As text stands in a pickle.
        named = b"\x8c" + bytes([len(name) % 256]) + name.encode() in kinds
        if file is not None and (named or name == function.__module__):
            found[name] = str(Path(file).absolute())
    return found


_asked: dict[tuple[int, Any], CompileRequest | None] = {}


def asked_for(function: Any, signature: Any) -> CompileRequest | None:
    """The request for a kernel and signature; None where it cannot be kept on disk."""
    key = (id(function), signature)
    if key not in _asked:
        path = function._cache.path_of(signature, function.targetctx)
        args = cast("tuple[Any, ...]", getattr(signature, "args", signature))
        _asked[key] = None if path is None else CompileRequest(function, args, path)
    return _asked[key]


@contextmanager
def taking_time(awaited: Sequence[CompileRequest]) -> Generator[None, None, None]:
    """While the block runs, plain Python does what these kernels would do."""
    start = time.perf_counter()
    for each in awaited:
        each.begin(start)
    try:
        yield
    finally:
        for each in awaited:
            each.end(start)


class _Compiler:
    """The other process, and the threads that talk with it."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        path = [entry or os.getcwd() for entry in sys.path]
        program = [sys.executable, "-P", "-c", _START, json.dumps(path)]
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            [*program, f"{__package__}.compiler", str(self.owner)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,  # at its end Python waits for nobody who reads
        )
        self.gone = False
        # It says so when it has begun; until then there may be something more urgent.
        self._begun, self._busy = False, True
        self._working: CompileRequest | None = None
        self._waiting: dict[CompileRequest, bytes] = {}
        self._changing = threading.Lock()
        self._goes_on = self._told_all = False
        self._messages: SimpleQueue[bytes] = SimpleQueue()
        self._telling = threading.Thread(target=self._tell, daemon=True, name="to compile")
        self._telling.start()
        self._listening = threading.Thread(target=self._listen, daemon=True, name="compiled")
        self._listening.start()

    def ask(self, asked: CompileRequest) -> None:
        """Have a kernel compiled; it fails at once where that cannot be."""
        message = asked.message()
        asked.sent = True
        with self._changing:
            if message is None or self.gone:
                asked.failed = True
                return
            self._waiting[asked] = message
            self._go_on()

    def _go_on(self) -> None:
        """Name the most urgent kernel, if the other process has nothing to do."""
        if self._busy:
            return
        for asked in self._by_urgency():
            message = self._waiting.pop(asked)
            if not asked.ready():
                self._busy, self._working = True, asked
                self._send(message)
                return

    def _by_urgency(self) -> list[CompileRequest]:
        return sorted(self._waiting, key=CompileRequest.seconds, reverse=True)

    def _send(self, message: bytes) -> None:
        self._messages.put(len(message).to_bytes(8, "big") + message)

    def _tell(self) -> None:
        """Writes what the other process is told, up to the empty message."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            while rest := self._messages.get():
                last = rest == _LAST
                while rest:
                    rest = rest[os.write(self.process.stdin.fileno(), rest) :]
                if last:
                    return

    def _listen(self) -> None:
        """Takes what is told of each kernel, until the other process ends."""
        assert self.process.stdout is not None
        for line in iter(self.process.stdout.readline, b""):
            if line == GOES_ON:
                self._goes_on = True
                return  # that was its last word
            self._begun = True
            with self._changing:
                if self._working is not None:
                    self._working.failed = not self._working.path.exists()
                self._busy, self._working = False, None
                if not self._told_all:
                    self._go_on()
            overtake()
        with self._changing:
            self.gone = True
            for asked in (*self._waiting, self._working):
                if asked is not None:
                    asked.failed = not asked.path.exists()
        overtake()

    def end(self) -> None:
        """End the other process, unless it may go on for a while; remove what it was writing."""
        if self.owner != os.getpid() or self._may_go_on():  # a child made by fork has none
            return
        with contextlib.suppress(OSError):
            self.process.kill()
        self.process.wait()
        folder = cache_folder()
        for path in folder.glob(f"*.{self.process.pid}-*") if folder else ():
            path.unlink(missing_ok=True)

    def _may_go_on(self) -> bool:
        """True if the other process goes on with what is left to do, and then ends by itself."""
        if is_broken_off() or self.gone:
            return False
        with self._changing:
            self._told_all = True
            left = [each for each in self._by_urgency() if not each.ready()]
            if not left and self._working is None:
                return False
            for asked in left:
                self._send(self._waiting[asked])
            self._messages.put(_LAST)
        self._telling.join(_WORD)
        if self._begun:
            # Until it says that it goes on, the system would end it together with this process.
            self._listening.join(_WORD)
            goes_on = self._goes_on
        else:
            goes_on = not self._telling.is_alive() and not self.gone  # it will read all of that
        if goes_on:
            self.process.returncode = 0  # nobody here asks what becomes of it
        return goes_on


_compiler: _Compiler | None = None
_lock = threading.Lock()


def ask(asked: CompileRequest) -> None:
    """Have a kernel compiled by the other process, once."""
    global _compiler
    with _lock:
        if asked.sent:
            return
        if _compiler is None or _compiler.owner != os.getpid():
            try:
                _compiler = _Compiler()
            except OSError:
                asked.sent = asked.failed = True
                return
            atexit.register(_compiler.end)
        _compiler.ask(asked)
