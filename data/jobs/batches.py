"""Jobs as they are handed over: some at a time, with what all of them have in common."""

from __future__ import annotations

import hashlib
import os
import pickle
import threading
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Protocol

from ..errors import WorkerError
from .files import SentFiles
from .likeness import Likeness, likeness

# See models/kernels/compiling.py.
_COMPILING: Final = "SLEUTH_COMPILE"
#: Batches for each worker that are handed out and not done, so that none waits for the next.
AHEAD: Final = 2
#: Pieces of work that a process keeps unpacked.
KEPT: Final = 4


@dataclass(frozen=True, eq=False)
class SharedWork:
    """The common part of many jobs.

    Attributes:
        function: Does a job.
        common: Its first arguments, the same in all jobs.
        files: Files of the sender that the jobs read.
    """

    function: Callable[..., Any]
    common: tuple[Any, ...] = ()
    files: SentFiles = field(default_factory=SentFiles)

    def packed(self, pickler: str) -> PackedWork:
        """The work as bytes, which are sent once to each worker.

        Args:
            pickler: The module of the cluster's library that packs what was made in a console.
        """
        content: bytes = import_module(pickler).dumps(self)
        return PackedWork(content, hashlib.sha256(content).hexdigest())


@dataclass(frozen=True)
class PackedWork:
    """Work as bytes, and their digest, by which workers know it again."""

    content: bytes
    digest: str


@dataclass(frozen=True)
class JobFailure:
    """The error of a job, and where it was raised.

    Attributes:
        error: The error; a `WorkerError` with its words where it cannot be sent.
        trace: The lines of code, as Python prints them.
    """

    error: Exception
    trace: str

    @classmethod
    def of(cls, error: Exception) -> JobFailure:
        """The failure as it can be sent."""
        trace = "".join(traceback.format_exception(error))
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # whatever somebody's error may do when it is copied
            error = WorkerError(f"the work failed: {type(error).__name__}: {error}")
        return cls(error, trace)


@dataclass(frozen=True)
class BatchOutcome:
    """The outcome of a batch of jobs.

    Attributes:
        results: Of its jobs, in their order; up to the first that failed.
        seconds: How long they took.
        failure: Of the job after the last result.
        other: The worker's likeness where that is another than the sender's; nothing was done then.
    """

    results: list[Any]
    seconds: float
    failure: JobFailure | None = None
    other: Likeness | None = None


class EndedError(Exception):
    """A process was ended.

    Args:
        times: How often, where others have tried the same again already; 0 where nobody has.
    """

    def __init__(self, times: int = 0) -> None:
        super().__init__()
        self.times = times


class JobWorkers(Protocol):
    """The workers that do jobs."""

    @property
    def ahead(self) -> int:
        """Batches for each worker that are handed out and not done."""
        ...

    @property
    def capacity(self) -> int:
        """The number of batches that can be worked on at once, which may change."""
        ...

    def batch_seconds(self, capacity: int) -> float:
        """The work that is handed over at once, at least: handing over takes time, too."""
        ...

    def submit(self, work: SharedWork, calls: list[tuple[Any, ...]]) -> Future[Any]:
        """Hands out a batch.

        Raises:
            EndedError: A process was ended.
        """
        ...

    def outcome(self, future: Future[Any]) -> BatchOutcome | None:
        """The outcome of a batch that is done; None if it is to be handed out again.

        Raises:
            EndedError: A process was ended.
        """
        ...

    def is_stuck(self) -> bool:
        """True if what is handed out will not be done, and nobody has noticed."""
        ...

    def let_go(self, *, end: bool) -> None:
        """Leaves the workers to others; ends what is still being done, if that is said."""
        ...


def run_batch(work: SharedWork, calls: Sequence[tuple[Any, ...]]) -> BatchOutcome:
    """Do jobs, here."""
    start = time.perf_counter()
    results: list[Any] = []
    failure = None
    for each in calls:
        try:
            results.append(work.function(*work.common, *each))
        except Exception as error:  # it is raised again where the job came from
            failure = JobFailure.of(error)
            break
    return BatchOutcome(results, time.perf_counter() - start, failure)


def run_sent_batch(
    digest: str, packed: bytes, sender: Likeness, calls: Sequence[tuple[Any, ...]]
) -> BatchOutcome:
    """Do jobs on a cluster's worker: one batch at a time in a process, if it is like the sender's.

    Args:
        digest: Of the work.
        packed: The work.
        sender: What the sender works with.
        calls: The arguments of each job.
    """
    if likeness() != sender:
        return BatchOutcome([], 0.0, other=likeness())
    with _alone, _waiting():
        work = _unpacked(digest, packed)
        try:
            standing = work.files.standing()
        except OSError as error:
            told = WorkerError(
                f"a worker cannot keep copies of files: {error}",
                hint="its temporary folder needs room (TMPDIR names another)",
            )
            return BatchOutcome([], 0.0, JobFailure.of(told))
        with standing:
            return run_batch(work, calls)


_alone: Final = threading.Lock()


def _unpacked(digest: str, packed: bytes) -> SharedWork:
    if digest not in _kept:
        _kept[digest] = pickle.loads(packed)
        while len(_kept) > KEPT:
            del _kept[next(iter(_kept))]
    return _kept[digest]


_kept: Final[dict[str, SharedWork]] = {}


@contextmanager
def _waiting() -> Generator[None, None, None]:
    """Kernels are waited for, unless the worker says otherwise: what workers do takes long."""
    before = os.environ.get(_COMPILING)
    if before in (None, "", "background"):
        os.environ[_COMPILING] = "wait"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_COMPILING, None)
        else:
            os.environ[_COMPILING] = before
