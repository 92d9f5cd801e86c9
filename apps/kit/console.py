"""The terminal: where text and progress go, and what a record may not do to it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from ...data.progress import Tell as Tell
from ...data.progress import silent

if TYPE_CHECKING:
    from rich.console import Console

STARTING: Final = "getting ready (engines are compiled at their first use)"
PATIENCE: Final = 1.0
"""Seconds of work before progress is shown."""


def printable(text: str) -> str:
    """``text`` in one line, without what could command a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def out() -> Console:
    """Standard output: as wide as the terminal, coloured only if it is one."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def complain(message: str) -> None:
    """One line on standard error, if anybody reads it."""
    with suppress(OSError):
        print(f"sleuth: {printable(message)}", file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """A value on standard output, readable."""
    import json

    print(json.dumps(value, indent=2, allow_nan=False))


@contextmanager
def progress(
    *, wanted: bool = True, lines: bool = False, interrupted: str = ""
) -> Generator[Tell, None, None]:
    """Shows on standard error how far work has come, once it has taken over a second.

    Only a terminal is told, since elsewhere what stands on standard error is a message.

    Args:
        wanted: Whether to show anything.
        lines: Tell others than a terminal too, a line for each step: for work of few long steps.
        interrupted: What Ctrl-C leaves, which is said then, if the interruption does not say it.
    """
    try:
        if wanted and sys.stderr.isatty():
            with _bar() as tell:
                yield tell
        else:
            yield _line_by_line() if wanted and lines else silent
    except KeyboardInterrupt as interruption:
        if said := str(interruption) or interrupted:
            complain(said)
        raise


def _line_by_line() -> Tell:
    start = time.monotonic()

    def tell(what: str, done: int, total: int) -> None:
        if time.monotonic() - start >= PATIENCE:
            complain(f"{what} ({done + 1} of {total})")

    return tell


@contextmanager
def _bar() -> Generator[Tell, None, None]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        Elapsed(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(STARTING, total=None)
    ended = threading.Event()

    def begin() -> None:
        if not ended.is_set():
            bar.start()

    def tell(what: str, done: int, total: int) -> None:
        bar.update(task, description=what, completed=done, total=total or None)

    timer = threading.Timer(PATIENCE, begin)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        ended.set()
        timer.cancel()
        timer.join()
        bar.stop()
