"""Processes that share out work: what they may import, and when they end.

All of them end with the process that started them, whatever ended it, and none of them imports a
module from the current directory, where the user's records are and other people's files may be.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

#: Seconds between looks at whether the parent still runs, where the system does not tell.
LOOK: Final = 0.5
#: Python's option for a child that imports nothing from the current directory.
SAFE: Final = "-P"
_SAFE_PATH: Final = "PYTHONSAFEPATH"
# See models/kernels/compiling.py.
_COMPILING: Final = "SLEUTH_COMPILE"
# Of linux/prctl.h.
_SET_DEATH_SIGNAL: Final = 1

_broken_off = threading.Event()
_outliving = threading.Event()


def begin(parent: int, folder: str | None = None, *, waits: bool = True) -> None:
    """Begins a worker: it leaves Ctrl-C to its parent, and ends with it.

    Args:
        parent: The number of the process that it works for.
        folder: Where that process is: joblib's workers are kept, and it may have moved since.
        waits: Whether it waits for the compiler, unless the user says otherwise: where every core
            has its worker already, and what workers do takes long.
    """
    if folder is not None:
        with contextlib.suppress(OSError):
            os.chdir(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if waits and os.environ.get(_COMPILING, "background") == "background":
        os.environ[_COMPILING] = "wait"
    follow(parent)


def follow(parent: int) -> None:
    """Ends this process when its parent, the process of this number, has ended.

    On Linux the system does it, even in the middle of compiled code. Elsewhere on POSIX systems a
    thread looks; on others nothing is done.
    """
    if not hasattr(os, "fork"):
        return
    if _started_by_main_thread(parent):
        _at_death_of_parent(signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=_watch, args=(parent,), daemon=True, name="parent watch").start()


def outlive(seconds: int) -> bool:
    """Lets this process go on for so long at most, also when its parent has ended.

    The system ends it then, whatever it is doing. To be called by the thread that called `follow`.

    Returns:
        False where the system could not end it: nothing has changed then.
    """
    if not hasattr(signal, "alarm"):
        return False
    signal.alarm(seconds)
    _outliving.set()
    _at_death_of_parent(0)
    return True


def is_stopped(process: int) -> bool:
    """True if a process was stopped, as by Ctrl-Z; False where the system does not tell."""
    try:
        # Its name stands in brackets, and may have some itself.
        said = Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2]
    except OSError:
        return False
    return said.split()[:1] in (["T"], ["t"])


def break_off() -> None:
    """Remembers that this process ends because somebody asked it to, in the middle of its work."""
    _broken_off.set()


def is_broken_off() -> bool:
    """True if somebody asked this process to end: what it started has to end, too."""
    return _broken_off.is_set() or getattr(sys, "last_type", None) is KeyboardInterrupt


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    if not _outliving.is_set():
        os._exit(1)


def _started_by_main_thread(parent: int) -> bool:
    """True if the system's signal may be asked for: it comes when the starting *thread* ends."""
    with contextlib.suppress(OSError):
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return str(os.getpid()) in children
    return False


def _at_death_of_parent(sent: int) -> None:
    """Sets the signal the system sends to this process when the parent ends; 0 for none."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        ctypes: Any = import_module("ctypes")
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, int(sent), 0, 0, 0)


@contextmanager
def safe_path() -> Generator[None, None, None]:
    """While the block runs, Python children import nothing from the current directory.

    Those of joblib and of Python itself are started without a way to say so but the environment.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_SAFE_PATH, None)
        else:
            os.environ[_SAFE_PATH] = before


@contextmanager
def ending_on_request() -> Generator[None, None, None]:
    """While the block runs, SIGTERM ends it as an error does, so that its children are ended.

    Only in the main thread, and where nobody else handles the signal.

    Raises:
        SystemExit: The signal came; the code is that of a shell, 143.
    """
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    ):
        yield
        return

    def end(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # asked twice, it ends at once
        break_off()
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
