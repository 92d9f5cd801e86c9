"""A limit of time for code that may never come to its end."""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

#: Seconds after which somebody who goes on is told again.
AGAIN = 1.0


class OutOfTime(BaseException):
    """The time is over. No ``except Exception`` of a stranger's code catches it."""


@contextmanager
def time_limit(seconds: float | None) -> Generator[None]:
    """Raise `OutOfTime` in what is done meanwhile, once so many seconds are over.

    It comes between two steps of Python, so what it interrupts can be told. One call of compiled
    code is not interrupted.

    Args:
        seconds: The limit; None for none.
    """
    if seconds is None:
        yield
    elif hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        with _alarmed(seconds):
            yield
    else:
        with _told(seconds, threading.get_ident()):
            yield


@contextmanager
def _alarmed(seconds: float) -> Generator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _told(seconds: float, thread: int) -> Generator[None]:
    """The same in a thread that gets no signals, and where there are none."""

    def tell() -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread), ctypes.py_object(OutOfTime)
        )

    timer = threading.Timer(seconds, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
