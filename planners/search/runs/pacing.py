"""Long work in short calls: it keeps time, can be stopped, tells how far it is, and has threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from ....data.progress import Tell

#: Seconds that one call of a kernel should take: time to react, without much overhead.
CHUNK: Final = 0.025
#: Seconds between two tellings of how far the work is.
_TELLING: Final = 0.25
#: Arrays of fewer items become four times as large when they are full, others twice.
SMALL: Final = 65_536

Tick = Callable[[], None]
"""called between two calls of a kernel"""


def in_time(chunk: int, left: float) -> int:
    """The number of simulations to make at once, of a chunk's, with so many seconds left."""
    return max(1, int(chunk * min(1.0, max(left, 0.0) / CHUNK)))


def next_chunk(chunk: int, made: int, took: float, *, parts: int = 1) -> int:
    """The number of simulations that take as long as a chunk should.

    Args:
        chunk: The number until now; it becomes four times as large at most.
        made: Simulations of the last call.
        took: Its seconds.
        parts: Calls among which a chunk is divided.
    """
    return max(1, min(int(CHUNK * made / max(took, 1e-6)) * parts, 4 * chunk))


def with_room(size: int, needed: int, *, small: int = SMALL) -> int:
    """The size of an array that has room for so many items, and for more that come soon."""
    while size < needed:
        size *= 4 if size < small else 2
    return size


class Ticker:
    """Tells how far work has come, about four times a second.

    Args:
        progress: Is told.
        what: What goes on.
        made: How far it has come.
        total: How far it shall come; 0 where nobody says.
    """

    def __init__(self, progress: Tell, what: str, made: Callable[[], int], total: int) -> None:
        self._progress, self._what, self._made, self._total = progress, what, made, total
        self._last = time.perf_counter()

    def tick(self) -> None:
        """Tell it, if it is time to."""
        now = time.perf_counter()
        if now - self._last > _TELLING:
            self._last = now
            self._progress(self._what, self._made(), self._total)


def work_through(
    works: Sequence[Callable[[Tick], None]], stop: threading.Event, ticker: Ticker
) -> bool:
    """Do one work here, or several at once in threads. Ctrl-C stops them all.

    Args:
        works: Each ends soon after ``stop`` is set. It calls its argument now and then.
        stop: Is clear again afterwards.
        ticker: Tells how far they are.

    Returns:
        Whether they were stopped.
    """
    try:
        if len(works) == 1:
            works[0](ticker.tick)
        else:
            _together(works, stop, ticker)
    except KeyboardInterrupt:
        stop.set()
    stopped = stop.is_set()
    stop.clear()
    return stopped


def _together(
    works: Sequence[Callable[[Tick], None]], stop: threading.Event, ticker: Ticker
) -> None:
    with ThreadPoolExecutor(len(works)) as pool:
        futures = [pool.submit(work, _nothing) for work in works]
        try:
            while not all(future.done() for future in futures):
                time.sleep(CHUNK / 5)
                ticker.tick()
                if any(future.done() and future.exception() for future in futures):
                    break
        finally:
            if not all(future.done() for future in futures):
                stop.set()
        for future in futures:
            future.result()


def _nothing() -> None:
    """For works in threads: the ticker is called here."""
