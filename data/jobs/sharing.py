"""Work that is shared out over workers, any of which may be ended before it is done.

What a worker that was ended had not finished is done again by others. Inside `clusters.cluster` the
work goes to a cluster; inside ``joblib.parallel_config`` with another backend, to that one.
"""

from __future__ import annotations

import itertools
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ..errors import SleuthError, WorkerError
from ..progress import Tell, silent
from ..workers import ending_on_request, safe_path
from .batches import BatchOutcome, EndedError, JobFailure, JobWorkers, SharedWork
from .clusters import active_cluster
from .counting import active_backend, is_local, worker_count
from .files import SentFiles
from .processes import Processes

#: Most calls in a batch.
MOST_CALLS: Final = 1_000
#: Calls for each process in a batch, where a backend hands out results together only.
TOGETHER: Final = 8
#: How often in a row workers may be ended before any work is done.
MOST_ENDS: Final = 3
#: How often in a row workers may give back what they cannot do.
MOST_RETURNS: Final = 1_000
#: Seconds between looks at whether all workers still run.
LOOK: Final = 1.0

_Call = tuple[int, tuple[Any, ...]]
_Name = Callable[..., str]
_Results = Generator[Any, None, None]


class Share:
    """Shares out calls of a function; see `pool`.

    Args:
        results: (the work, the arguments of each call, their names) -> the results.
        away: Whether files have to be sent.
    """

    def __init__(
        self,
        results: Callable[[SharedWork, Iterable[tuple[Any, ...]], _Name | None], _Results],
        *,
        away: bool = False,
    ) -> None:
        self._results = results
        self._away = away

    def __call__(
        self,
        function: Callable[..., Any],
        calls: Iterable[tuple[Any, ...]],
        *,
        common: tuple[Any, ...] = (),
        files: Iterable[Path] = (),
        named: _Name | None = None,
    ) -> _Results:
        """The results of calls.

        Args:
            function: Does a job.
            calls: The arguments of each job.
            common: Arguments before those, the same for all jobs: sent once to each worker.
            files: Files that the jobs read; sent where workers do not have them.
            named: (arguments of a job) -> what the job is called in errors.
        """
        work = SharedWork(function, common, SentFiles.of(files if self._away else ()))
        return self._results(work, calls, named)


def run_jobs(
    function: Callable[..., Any],
    calls: Sequence[tuple[Any, ...]],
    *,
    workers: int = 1,
    ordered: bool = True,
    common: tuple[Any, ...] = (),
    files: Iterable[str | Path] = (),
    named: Callable[..., str] | None = None,
    things: str = "jobs",
    doing: str = "working",
    progress: Tell = silent,
) -> Generator[Any, None, None]:
    """The results of calls of a function, by one process or several, or by a cluster.

    Results come as they are taken, so a caller who keeps them can go on from there after an
    interruption. Jobs must give the same twice: what a worker that was ended had not finished is
    done again. Chance comes from a seed among a job's arguments, and never from its worker.

    Args:
        function: Does a job. Workers import it, or are sent it where it was made in a console.
        calls: The arguments of each job.
        workers: Processes; -1 for all cores. Inside `cluster` all its workers, or at most so many.
        ordered: Whether results come in the order of the calls, and not as jobs end.
        common: Arguments before those of each job, the same for all: sent once to each worker.
        files: Files that the jobs read: their contents are sent to a cluster's workers.
        named: (arguments of a job) -> what the job is called in errors.
        things: What jobs are called where fewer workers are started than were asked for.
        doing: What the work is called, for `progress`.
        progress: Told after every job.

    Raises:
        WorkerError: A job failed on a worker, or workers are ended again and again.
        SleuthError: What a job raised, with its name.

    >>> from sleuth.jobs import run_jobs
    >>> list(run_jobs(divmod, [(7, 2), (9, 4)], workers=1))
    [(3, 1), (2, 1)]
    """
    sent = [Path(each) for each in files]
    with (
        pool(worker_count(workers, len(calls), things), ordered=ordered) as share,
        closing(share(function, calls, common=common, files=sent, named=named)) as found,
    ):
        for done, result in enumerate(found, start=1):
            progress(doing, done, len(calls))
            yield result


@contextmanager
def pool(workers: int, *, ordered: bool = True) -> Generator[Share, None, None]:
    """So many workers: call it with a function and the arguments of each call, for the results.

    Results are handed out as they come; close what is returned where not all are taken. The
    processes leave Ctrl-C to this one and end with it. One that was ended by something else is
    replaced, and what it had not finished is done again: calls must give the same twice.

    Args:
        workers: How many; see `worker_count`.
        ordered: Whether results come in the order of the work.

    Raises:
        WorkerError: Processes are ended again and again.
    """
    cluster = active_cluster()
    # Nobody has chosen a backend of joblib's who has not imported it.
    backend = active_backend() if workers != 1 or "joblib" in sys.modules else None
    with safe_path(), ending_on_request(), warnings.catch_warnings():
        # The person who interrupts the work knows that it is not finished.
        warnings.filterwarnings("ignore", message=".*have been cancelled", category=UserWarning)
        if cluster is not None and cluster.take is not None:
            take, most = cluster.take, cluster.limited(workers)
            yield _shared(lambda work: take(work, most), ordered, away=True)
        elif backend is not None and not is_local(backend):
            with _elsewhere(backend, workers, ordered) as share:
                yield share
        elif backend is None or import_module("joblib").effective_n_jobs(workers) == 1:
            yield Share(_here)
        else:
            # As joblib's own: as many threads for each process as there are cores for it.
            threads: dict[str, str] = backend._prepare_worker_env(n_jobs=workers)
            yield _shared(lambda _: Processes.taken(workers, threads), ordered)


def _here(work: SharedWork, calls: Iterable[tuple[Any, ...]], _: _Name | None) -> _Results:
    for arguments in calls:
        yield work.function(*work.common, *arguments)


@contextmanager
def _elsewhere(backend: Any, workers: int, ordered: bool) -> Generator[Share, None, None]:
    """Work for a backend of joblib's that is not its usual one, such as a cluster's."""
    joblib: Any = import_module("joblib")
    together = not getattr(backend, "supports_return_generator", False)
    how = "list" if together else "generator" if ordered else "generator_unordered"
    with joblib.Parallel(n_jobs=workers, return_as=how) as parallel:

        def results(
            work: SharedWork, calls: Iterable[tuple[Any, ...]], _: _Name | None
        ) -> _Results:
            left = iter(calls)
            some = TOGETHER * max(1, workers) if together else None
            while batch := itertools.islice(left, some):
                # One is taken to see whether there are any more.
                first = list(itertools.islice(batch, 1))
                if not first:
                    return
                yield from parallel(
                    joblib.delayed(work.function)(*work.common, *each)
                    for each in itertools.chain(first, batch)
                )

        yield Share(results)


def _shared(
    take: Callable[[SharedWork], JobWorkers], ordered: bool, *, away: bool = False
) -> Share:
    """Calls that are shared out over workers."""
    return Share(
        lambda work, calls, named: _Sharing(take, ordered, work, named).results(calls), away=away
    )


class _Sharing:
    """Calls of one function on their way to workers and back."""

    def __init__(
        self,
        take: Callable[[SharedWork], JobWorkers],
        ordered: bool,
        work: SharedWork,
        named: Callable[..., str] | None = None,
    ) -> None:
        self.take = take
        self.ordered = ordered
        self.work = work
        self.named = named
        self.size = 1
        self._running: dict[Future[Any], list[_Call]] = {}
        self._again: deque[_Call] = deque()
        self._all_out = False
        self._returns = 0
        self._workers: JobWorkers | None = None

    def results(self, calls: Iterable[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """The results of the calls."""
        left: Iterator[_Call] = enumerate(calls)
        found: dict[int, Any] = {}
        failed: dict[int, tuple[_Call, JobFailure]] = {}
        following = ends = 0
        try:
            while True:
                try:
                    self._hand_out(left)
                    if not self._running:
                        if self._all_out and not self._again:
                            return
                        time.sleep(LOOK)  # until there are workers
                        continue
                    done = self._done(failed)
                    ends = 0 if done or failed else ends
                except EndedError:
                    ends += 1
                    self._start_again(ends)
                    continue
                if not self.ordered:
                    yield from done.values()
                    for call, failure in failed.values():
                        raise self._raised(call, failure)
                    continue
                found |= done
                while following in found:
                    yield found.pop(following)
                    following += 1
                # The first in their order, whichever failed first.
                if following in failed:
                    raise self._raised(*failed[following])
        finally:
            if self._workers is not None:
                # What still runs is wanted by nobody.
                self._workers.let_go(end=bool(self._running))

    def _hand_out(self, left: Iterator[_Call]) -> None:
        while True:
            if self._workers is not None and self._is_full(self._workers):
                return
            batch: list[_Call] = []
            while self._again and len(batch) < self.size:
                batch.append(self._again.popleft())
            batch += itertools.islice(left, self.size - len(batch))
            if not batch:
                self._all_out = True
                return
            try:
                if self._workers is None:
                    self._workers = self.take(self.work)
                if self._is_full(self._workers):
                    self._again.extendleft(reversed(batch))
                    return
                arguments = [each for _, each in batch]
                self._running[self._workers.submit(self.work, arguments)] = batch
            except EndedError:
                self._again.extendleft(reversed(batch))
                raise

    def _is_full(self, workers: JobWorkers) -> bool:
        return len(self._running) >= workers.ahead * workers.capacity

    def _done(self, failed: dict[int, tuple[_Call, JobFailure]]) -> dict[int, Any]:
        """Results that have come, by the numbers of their calls; none after a while without any.

        Args:
            failed: Takes the calls that failed, by their numbers.
        """
        assert self._workers is not None
        found: dict[int, Any] = {}
        ready, _ = wait(self._running, timeout=LOOK, return_when=FIRST_COMPLETED)
        if not ready:
            if self._workers.is_stuck():
                raise EndedError
            return found
        ended = False
        for future in ready:
            try:
                outcome = self._workers.outcome(future)
            except EndedError as end:
                if end.times:
                    raise self._given_up(end.times, self._running[future]) from end
                ended = True
                continue
            batch = self._running.pop(future)
            if outcome is None:
                self._take_back(batch)
                continue
            self._returns = 0
            ran = len(outcome.results)
            found |= {number: one for (number, _), one in zip(batch, outcome.results, strict=False)}
            if outcome.failure is not None:
                failed[batch[ran][0]] = batch[ran], outcome.failure
            self._resize(outcome)
        if ended and not found:
            raise EndedError
        return found

    def _take_back(self, batch: list[_Call]) -> None:
        self._again.extendleft(reversed(batch))
        self._returns += 1
        if self._returns > MOST_RETURNS:
            raise WorkerError(
                "workers give back what they are handed, again and again",
                where=self._name(batch[0]),
            )

    def _resize(self, outcome: BatchOutcome) -> None:
        """More calls in a batch where they take little time, as joblib does."""
        assert self._workers is not None
        wanted = self._workers.batch_seconds(self._workers.capacity)
        fitting = int(wanted * len(outcome.results) / max(outcome.seconds, 1e-6))
        self.size = max(1, min(fitting, 2 * self.size, MOST_CALLS))

    def _start_again(self, ends: int) -> None:
        """Ends what is left of the workers; what was not done is handed out anew."""
        lost = sorted((call for batch in self._running.values() for call in batch), key=_number)
        self._running.clear()
        self._again.extendleft(reversed(lost))
        if self._workers is not None:
            self._workers.let_go(end=True)
            self._workers = None
        if ends > MOST_ENDS:
            raise self._given_up(ends, lost)
        if lost:
            text = "a worker process was ended; what it had not finished is done again"
            print(text, file=sys.stderr, flush=True)

    def _given_up(self, ends: int, lost: list[_Call]) -> WorkerError:
        names = [self._name(lost[each]) for each in (0, -1)] if lost else []
        return WorkerError(
            f"worker processes were ended {ends} times before any work was done",
            where=" to ".join(dict.fromkeys(names)) or None,
            hint="see whether memory is short: fewer workers need less of it",
        )

    def _name(self, call: _Call) -> str:
        number, arguments = call
        return f"job {number + 1}" if self.named is None else self.named(*arguments)

    def _raised(self, call: _Call, failure: JobFailure) -> Exception:
        """The error of a job as the sender gets it."""
        error = failure.error
        error.add_note(f"On the worker:\n{failure.trace}")
        if isinstance(error, SleuthError):
            if error.where is None:
                error.reword(where=self._name(call))
            return error
        told = WorkerError(
            f"the work failed: {type(error).__name__}: {error}", where=self._name(call)
        )
        told.__cause__ = error
        return told


def _number(call: _Call) -> int:
    return call[0]
