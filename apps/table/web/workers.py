"""Work that would keep touches waiting, in processes that the system serves last."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import multiprocessing
import os
import signal
from collections.abc import Generator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, Final

from ....data.errors import WorkerError
from ....data.workers import begin
from ..sitting import Job

#: How much later than the server the system serves a worker.
LATER: Final = 10
#: Times that a piece of work is begun whose worker was ended.
MOST_TRIES: Final = 2
#: Seconds that the end of a pool is waited for.
LINGER: Final = 1.0


def _begin(parent: int) -> None:
    # People wait for what workers do.
    begin(parent, waits=False)
    if hasattr(signal, "pthread_sigmask"):
        # It leaves Ctrl-C to its parent by now.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if hasattr(os, "nice"):
        os.nice(LATER)


@contextmanager
def _undisturbed() -> Generator[None]:
    """Processes that start inside do not hear of Ctrl-C before they know what it means to them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


async def _answer(pool: ProcessPoolExecutor, job: Job) -> Any:
    """The answer of a worker.

    Who no longer waits for it does not call it off: a pool that ends at that moment fails over it.
    """
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def tell(_: Future[Any]) -> None:
        with contextlib.suppress(RuntimeError):  # The server has ended meanwhile.
            loop.call_soon_threadsafe(ended.set)

    with _undisturbed():
        submitted = pool.submit(job.make, *job.arguments)
    submitted.add_done_callback(tell)
    await ended.wait()
    return submitted.result()


class Workers:
    """Processes that work for all tables of a server; none is started before there is work.

    What is urgent goes first; what came first goes first among the same. What is less urgent leaves
    one process free: a search may take long, and somebody may touch something meanwhile.

    Args:
        count: How many; by default one less than there are cores, and at least two.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = max(2, (os.cpu_count() or 2) - 1) if count is None else count
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._free = self.count
        self._working: set[asyncio.Future[Any]] = set()
        self._closed = False

    async def run(self, job: Job, *, urgency: int = 0, seconds: float | None = None) -> Any:
        """The answer of a job.

        Args:
            job: It.
            urgency: What is lower goes first; 0 for what somebody waits for.
            seconds: How long it may work; None for as long as it takes. What takes longer is ended
                with all processes, and what else they did is begun again.

        Raises:
            WorkerError: Its worker was ended, again and again, or it took too long.
        """
        await self._turn(urgency)
        # Nobody may wait for it any more: its process is free when it has ended, and not before, so
        # that nothing else stands behind it that somebody does wait for.
        working = asyncio.ensure_future(self._worked(job, seconds))
        self._working.add(working)
        working.add_done_callback(self._let_go)
        return await asyncio.shield(working)

    def close(self) -> None:
        """End all processes; nothing is begun after."""
        self._closed = True
        if self._pool is None:
            return
        manager: Any = getattr(self._pool, "_executor_manager_thread", None)
        self._end(self._pool)
        if manager is not None:
            # Python wakes it at its exit, which fails while it lets go of its pipes.
            manager.join(LINGER)

    def _end(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is pool:
            self._pool = None
        # None of them, where it was broken already.
        running: dict[int, Any] = getattr(pool, "_processes", None) or {}
        processes = list(running.values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            # It may be in the middle of a long search.
            process.kill()

    async def _worked(self, job: Job, seconds: float | None) -> Any:
        for _ in range(MOST_TRIES):
            if self._closed:
                break
            pool = self._started()
            try:
                async with asyncio.timeout(seconds):
                    return await _answer(pool, job)
            except TimeoutError:
                self._end(pool)
                raise WorkerError(
                    f"this was ended after {seconds:g} seconds",
                    hint="ask for less, such as fewer simulations",
                ) from None
            except (BrokenProcessPool, CancelledError):
                if self._pool is pool:
                    self._pool = None
                pool.shutdown(wait=False, cancel_futures=True)
        raise WorkerError("the process that worked on this was ended, twice")

    def _let_go(self, working: asyncio.Future[Any]) -> None:
        self._working.discard(working)
        if not working.cancelled():
            working.exception()  # It is known, also where nobody waits for it.
        self._free += 1
        self._next()

    async def _turn(self, urgency: int) -> None:
        if self._has_room(urgency):
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (urgency, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._free += 1
                self._next()
            raise

    def _has_room(self, urgency: int) -> bool:
        """True if work may begin now."""
        return self._free > (urgency > 0 and self.count > 1)

    def _next(self) -> None:
        while self._waiting and self._has_room(self._waiting[0][0]):
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self._free -= 1
                turn.set_result(None)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.count,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_begin,
                initargs=(os.getpid(),),
            )
        return self._pool
