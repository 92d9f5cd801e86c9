"""Work that is shared out over processes, any of which may be ended before it is done.

What a process that was ended had not finished is done again by others. Inside
``joblib.parallel_config`` with another backend, the work is that one's.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from .errors import WorkerError
from .workers import active_backend, begin, ending_on_request, is_local, safe_path

Share = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Generator[Any, None, None]]

#: Seconds of work that are handed to a process at once, at least: handing over takes time, too.
BATCH: Final = 0.2
#: Most calls in a batch.
MOST_CALLS: Final = 1_000
#: Batches for each process that are handed out and not done.
AHEAD: Final = 2
#: Calls for each process in a batch, where a backend hands out results together only.
TOGETHER: Final = 8
#: Seconds that processes without work are kept.
IDLE: Final = 300
#: How often in a row processes may be ended before any work is done.
MOST_ENDS: Final = 3
#: Seconds between looks at whether all processes still run.
LOOK: Final = 1.0
#: Seconds after which a process that was ended should have been noticed.
PATIENCE: Final = 5.0

_Call = tuple[int, tuple[Any, ...]]


@contextmanager
def pool(workers: int, *, ordered: bool = True) -> Generator[Share, None, None]:
    """So many processes: call it with a function and the arguments of each call, for the results.

    Results are handed out as they come; close what is returned where not all are taken. The
    processes leave Ctrl-C to this one and end with it. One that was ended by something else is
    replaced, and what it had not finished is done again: calls must give the same twice.

    Args:
        workers: How many; see `worker_count`.
        ordered: Whether results come in the order of the work.

    Raises:
        WorkerError: Processes are ended again and again.
    """
    joblib: Any = import_module("joblib")
    backend = active_backend()
    with safe_path(), ending_on_request(), warnings.catch_warnings():
        # The person who interrupts the work knows that it is not finished.
        warnings.filterwarnings("ignore", message=".*have been cancelled", category=UserWarning)
        if not is_local(backend):
            with _elsewhere(backend, workers, ordered) as share:
                yield share
        elif joblib.effective_n_jobs(workers) == 1:
            yield _here
        else:
            # As joblib's own: as many threads for each process as there are cores for it.
            threads: dict[str, str] = backend._prepare_worker_env(n_jobs=workers)
            yield lambda function, calls: _Sharing(workers, ordered, threads).results(
                function, calls
            )


def _here(
    function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
) -> Generator[Any, None, None]:
    for arguments in calls:
        yield function(*arguments)


@contextmanager
def _elsewhere(backend: Any, workers: int, ordered: bool) -> Generator[Share, None, None]:
    """Work for a backend of joblib's that is not its usual one, such as a cluster's."""
    joblib: Any = import_module("joblib")
    if getattr(backend, "supports_return_generator", False):
        how = "generator" if ordered else "generator_unordered"
        with joblib.Parallel(n_jobs=workers, return_as=how) as parallel:
            yield lambda function, calls: parallel(
                joblib.delayed(function)(*each) for each in calls
            )
        return
    with joblib.Parallel(n_jobs=workers) as parallel:

        def together(
            function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
        ) -> Generator[Any, None, None]:
            left = iter(calls)
            while some := list(itertools.islice(left, TOGETHER * max(1, workers))):
                yield from parallel(joblib.delayed(function)(*each) for each in some)

        yield together


class _EndedError(Exception):
    """A process was ended."""


class _Sharing:
    """Calls that are shared out over processes of this machine."""

    def __init__(self, workers: int, ordered: bool, threads: dict[str, str]) -> None:
        self.workers = workers
        self.ordered = ordered
        self.threads = threads
        self.size = 1
        self._running: dict[Future[Any], list[_Call]] = {}
        self._again: deque[_Call] = deque()
        self._processes: _Processes | None = None

    def results(
        self, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
    ) -> Generator[Any, None, None]:
        """The results of the calls."""
        left: Iterator[_Call] = enumerate(calls)
        found: dict[int, Any] = {}
        following = ends = 0
        try:
            while True:
                try:
                    self._hand_out(function, left)
                    if not self._running:
                        return
                    done = self._done()
                    ends = 0
                except _EndedError:
                    ends += 1
                    self._start_again(ends)
                    continue
                if not self.ordered:
                    yield from done.values()
                    continue
                found |= done
                while following in found:
                    yield found.pop(following)
                    following += 1
        finally:
            if self._processes is not None:
                # What still runs is wanted by nobody.
                self._processes.let_go(end=bool(self._running))

    def _hand_out(self, function: Callable[..., Any], left: Iterator[_Call]) -> None:
        while len(self._running) < AHEAD * self.workers:
            batch: list[_Call] = []
            while self._again and len(batch) < self.size:
                batch.append(self._again.popleft())
            batch += itertools.islice(left, self.size - len(batch))
            if not batch:
                return
            if self._processes is None:
                self._processes = _Processes.taken(self.workers, self.threads)
            try:
                arguments = [each for _, each in batch]
                self._running[self._processes.submit(_run, function, arguments)] = batch
            except _EndedError:
                self._again.extendleft(reversed(batch))
                raise

    def _done(self) -> dict[int, Any]:
        """Results that have come, by the numbers of their calls; waits for some."""
        assert self._processes is not None
        found: dict[int, Any] = {}
        ready: set[Future[Any]] = set()
        while not ready:
            ready, _ = wait(self._running, timeout=LOOK, return_when=FIRST_COMPLETED)
            if not ready and self._processes.is_stuck():
                raise _EndedError
        for future in ready:
            with self._processes.suppressing_ends():
                results, seconds = future.result()
                batch = self._running.pop(future)
                found |= {number: each for (number, _), each in zip(batch, results, strict=True)}
                self._resize(len(batch), seconds)
        if not found:
            raise _EndedError
        return found

    def _resize(self, calls: int, seconds: float) -> None:
        """More calls in a batch where they take little time, as joblib does."""
        fitting = int(BATCH * calls / max(seconds, 1e-6))
        self.size = max(1, min(fitting, 2 * self.size, MOST_CALLS))

    def _start_again(self, ends: int) -> None:
        """Ends what is left of the processes; what was not done is handed out anew."""
        lost = sorted((call for batch in self._running.values() for call in batch), key=_number)
        self._running.clear()
        self._again.extendleft(reversed(lost))
        if self._processes is not None:
            self._processes.let_go(end=True)
            self._processes = None
        if ends > MOST_ENDS:
            raise WorkerError(
                f"worker processes were ended {ends} times before any work was done",
                hint="see whether memory is short: fewer workers need less of it",
            )
        if lost:
            text = "a worker process was ended; what it had not finished is done again"
            print(text, file=sys.stderr, flush=True)


def _number(call: _Call) -> int:
    return call[0]


def _run(function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> tuple[list[Any], float]:
    """In a process: the results of some calls, and the seconds they took."""
    start = time.perf_counter()
    return [function(*each) for each in calls], time.perf_counter() - start


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


class _Processes:
    """Processes of this machine, which are kept for whoever needs as many."""

    def __init__(self, key: tuple[object, ...], workers: int, threads: dict[str, str]) -> None:
        loky: Any = import_module("joblib.externals.loky")
        self.key = key
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
    def taken(cls, workers: int, threads: dict[str, str]) -> _Processes:
        """Processes that nobody else uses until they are let go."""
        # Those of a parent that was forked are not this one's.
        key = (os.getpid(), workers, str(Path.cwd()), *sorted(threads.items()))
        found = None
        with _lock:
            while _kept:
                each = _kept.pop()
                if found is None and each.key == key:
                    found = each
                else:
                    each.end()
        return found or cls(key, workers, threads)

    def submit(self, function: Callable[..., Any], *arguments: object) -> Future[Any]:
        """Hands out a call.

        Raises:
            _EndedError: A process was ended.
        """
        try:
            return self._executor.submit(function, *arguments)
        except self._ended as error:
            raise _EndedError from error

    def suppressing_ends(self) -> AbstractContextManager[None]:
        """Leaves out what cannot be done since a process was ended."""
        return contextlib.suppress(self._ended)

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
        with _lock:
            _kept.append(self)

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


_kept: Final[list[_Processes]] = []
_lock: Final = threading.Lock()


@atexit.register
def _end_all() -> None:
    """Ends those that are kept while Python is whole: loky's last words need its modules."""
    with _lock:
        while _kept:
            _kept.pop().end()
