"""Processes of this machine that do jobs."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import time
from concurrent.futures import Future
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ..workers import begin
from .batches import AHEAD, BatchOutcome, EndedError, SharedWork, run_batch

#: Seconds of work that are handed to a process at once, at least.
BATCH: Final = 0.2
#: Seconds that processes without work are kept.
IDLE: Final = 300
#: Seconds after which a process that was ended should have been noticed.
PATIENCE: Final = 5.0


def _is_stopped(process: int) -> bool:
    """True if a process of this one is stopped, as by ``kill -STOP``, where that can be asked."""
    if not hasattr(os, "waitid"):  # Windows, and macOS with an older Python
        return False
    try:
        # WNOWAIT: the process that waits for its end is told all the same.
        found = os.waitid(os.P_PID, process, os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
    except OSError:  # it has ended, or is none of this one's children
        return False
    return found is not None


class Processes:
    """Processes of this machine, which are kept for the next work that needs as many."""

    ahead = AHEAD

    def __init__(self, key: tuple[object, ...], workers: int, threads: dict[str, str]) -> None:
        loky: Any = import_module("joblib.externals.loky")
        self.key = key
        self.capacity = workers
        self._ended: type[BaseException] = import_module(
            "joblib.externals.loky.process_executor"
        ).TerminatedWorkerError
        self._executor: Any = loky.ProcessPoolExecutor(
            max_workers=workers,
            timeout=IDLE,
            initializer=begin,
            initargs=(os.getpid(), str(Path.cwd())),
            env=threads,
        )
        self._missing: float | None = None

    @classmethod
    def taken(cls, workers: int, threads: dict[str, str]) -> Processes:
        """Processes that nobody else uses until they are let go."""
        # Those of a parent that was forked are not this one's.
        key = (os.getpid(), workers, str(Path.cwd()), *sorted(threads.items()))
        found = None
        with lock:
            while kept:
                each = kept.pop()
                if found is None and each.key == key:
                    found = each
                else:
                    each.end()
        return found or cls(key, workers, threads)

    def batch_seconds(self, capacity: int) -> float:
        """The work that is handed over at once."""
        return BATCH

    def submit(self, work: SharedWork, calls: list[tuple[Any, ...]]) -> Future[Any]:
        """Hands out a batch.

        Raises:
            EndedError: A process was ended.
        """
        try:
            return self._executor.submit(run_batch, work, calls)
        except self._ended as error:
            raise EndedError from error

    def outcome(self, future: Future[Any]) -> BatchOutcome:
        """The outcome of a batch that is done.

        Raises:
            EndedError: A process was ended.
        """
        try:
            return future.result()
        except self._ended as error:
            raise EndedError from error

    def is_stuck(self) -> bool:
        """True if a process was ended, or stopped, and nobody has noticed."""
        processes: list[Any] = list(getattr(self._executor, "_processes", {}).values())
        if all(each.is_alive() and not _is_stopped(each.pid) for each in processes):
            self._missing = None
            return False
        self._missing = self._missing or time.monotonic()
        return time.monotonic() > self._missing + PATIENCE

    def let_go(self, *, end: bool) -> None:
        """Keeps them for the next work, or ends them."""
        if end:
            self.end()
            return
        with lock:
            kept.append(self)

    def end(self) -> None:
        """Ends them, whatever they do."""
        # Another process's are none of ours after a fork.
        if self.key[0] != os.getpid():
            return
        processes: list[Any] = list(getattr(self._executor, "_processes", {}).values())
        self._executor.shutdown(wait=False, kill_workers=True)
        for each in processes:
            with contextlib.suppress(Exception):
                each.kill()


kept: Final[list[Processes]] = []
lock: Final = threading.Lock()


@atexit.register
def _end_all() -> None:
    """Ends those that are kept while Python is whole: loky's last words need its modules."""
    with lock:
        while kept:
            kept.pop().end()
