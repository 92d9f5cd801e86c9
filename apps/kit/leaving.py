"""A window that is closed, or a process that is asked to end: what a person typed is kept first.

The system ends a process that is sent SIGHUP (its terminal is gone) or SIGTERM, wherever it is.
While somebody plays or types, both are an error instead, as Ctrl-C is, so that whoever keeps the
game does so on the way out.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from ...data.workers import break_off

#: What asks a process to end; SIGHUP is not known on every system.
ASKED: Final = tuple(
    getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)
)


class Ended(SystemExit):
    """This process was asked to end; the code is a shell's, 128 and the signal's number."""


@contextmanager
def kept() -> Generator[None, None, None]:
    """While the block runs, SIGHUP and SIGTERM end it by `Ended`, once.

    Only in the main thread, and each signal only where nobody else handles it (``nohup`` ignores
    SIGHUP).

    Raises:
        Ended: A signal came.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.getsignal(number)
        for number in ASKED
        if signal.getsignal(number) is signal.SIG_DFL
    }

    def end(number: int, frame: FrameType | None) -> None:
        # A closing terminal sends several: none of them may break off what is kept now.
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        break_off()
        raise Ended(128 + number)

    for number in before:
        signal.signal(number, end)
    try:
        yield
    except Ended:
        _say_no_more()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say_no_more() -> None:
    """Nobody may be there to read: what Python writes on its way out goes nowhere."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


@contextmanager
def held_back() -> Generator[None, None, None]:
    """While the block runs, nothing that asks the process to end interrupts it; then it is heard.

    For what has to be whole: a game that is being kept.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in (*ASKED, signal.SIGINT)}
    # What is ignored stays so, and what was not set from Python cannot be set again.
    heard = {each: how for each, how in before.items() if how not in (signal.SIG_IGN, None)}
    for number in heard:
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
    for number in dict.fromkeys(came):
        signal.raise_signal(number)


@contextmanager
def unheard() -> Generator[None, None, None]:
    """Lets words in the block find nobody: a closed window or pipe is no error."""
    try:
        yield
    except OSError:
        _say_no_more()
