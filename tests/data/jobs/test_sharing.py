"""SharedWork that is shared out is done once, whatever becomes of the processes that do it."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import joblib
import pytest
from joblib._parallel_backends import ThreadingBackend

from sleuth import play_match
from sleuth.data.jobs import files, processes, sharing
from sleuth.data.jobs.batches import SharedWork, run_sent_batch
from sleuth.data.jobs.files import SentFiles
from sleuth.data.jobs.likeness import likeness
from sleuth.data.jobs.sharing import TOGETHER, pool
from sleuth.errors import WorkerError

posix = pytest.mark.skipif(sys.platform == "win32", reason="no signals")


def squared(number: int) -> int:
    return number * number


def ended_once(number: int, at: int, folder: Path) -> int:
    """The number; the first process that is asked about one of them is ended."""
    if number == at:
        try:
            (folder / "ended").touch(exist_ok=False)
        except FileExistsError:
            return number
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def stopped_once(number: int, folder: Path) -> int:
    """The number; the first process that is asked stops."""
    try:
        (folder / "stopped").touch(exist_ok=False)
    except FileExistsError:
        return number
    os.kill(os.getpid(), signal.SIGSTOP)
    return number


def slow(number: int) -> int:
    time.sleep(0.05)
    return os.getpid() if number < 0 else number


@pytest.mark.parametrize("ordered", [True, False], ids=["in order", "as they come"])
def test_every_call_is_answered_once(ordered: bool) -> None:
    with pool(2, ordered=ordered) as share:
        found = list(share(squared, ((number,) for number in range(3_000))))
    assert sorted(found) == [squared(number) for number in range(3_000)]
    assert not ordered or found == sorted(found)


@posix
def test_what_a_process_had_not_finished_is_done_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pool(2) as share:
        found = list(share(ended_once, ((number, 40, tmp_path) for number in range(60))))
    assert found == list(range(60))
    said = "a worker process was ended; what it had not finished is done again\n"
    assert capsys.readouterr().err == said
    # One that has nothing to do, and is kept for the next work.
    with pool(2) as share:
        (process,) = set(share(slow, [(-1,)]))
    os.kill(process, signal.SIGKILL)
    with pool(2) as share:
        assert list(share(squared, [(2,), (3,)])) == [4, 9]


@posix
@pytest.mark.skipif(not hasattr(os, "waitid"), reason="nobody can be asked")
def test_what_a_process_that_is_stopped_had_to_do_is_done_by_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "LOOK", 0.05)
    monkeypatch.setattr(processes, "PATIENCE", 0.1)
    with pool(2) as share:
        found = list(share(stopped_once, ((number, tmp_path) for number in range(20))))
    assert found == list(range(20))


class EndedError(Exception):
    pass


class Threads(processes.Processes):
    """What stands for processes, of which so many are ended by the work they are given."""

    ends = 0
    made = 0

    def __init__(self, key: tuple[object, ...], workers: int, threads: dict[str, str]) -> None:
        type(self).made += 1
        self.key = key
        self.capacity = workers
        self._ended = EndedError
        self._executor = ThreadPoolExecutor(workers)

    def submit(self, work: SharedWork, calls: list[tuple[Any, ...]]) -> Future[Any]:
        if Threads.ends > 0:
            Threads.ends -= 1
            future = Future[Any]()
            future.set_exception(EndedError())
            return future
        return super().submit(work, calls)

    def is_stuck(self) -> bool:
        return False

    def end(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "Processes", Threads)
    monkeypatch.setattr(processes, "kept", [])
    monkeypatch.setattr(Threads, "ends", 0)
    monkeypatch.setattr(Threads, "made", 0)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("ordered", [True, False], ids=["in order", "as they come"])
@pytest.mark.parametrize("ends", [1, 5, 12])
def test_nothing_is_lost_or_done_twice_for_whoever_takes_the_results(
    ends: int, ordered: bool
) -> None:
    Threads.ends = ends
    with pool(2, ordered=ordered) as share:
        found = list(share(squared, ((number,) for number in range(200))))
    assert sorted(found) == [squared(number) for number in range(200)]
    assert not ordered or found == sorted(found)
    assert Threads.made > 1


@pytest.mark.usefixtures("threads")
def test_processes_that_are_ended_again_and_again_are_an_error() -> None:
    Threads.ends = 10**9
    with (
        pool(2) as share,
        pytest.raises(WorkerError, match="ended 4 times before any work was done; see whether mem"),
    ):
        list(share(squared, [(1,), (2,)]))


@pytest.mark.usefixtures("threads")
def test_a_process_whose_end_nobody_notices_is_no_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the library misses it, the processes themselves are looked at."""

    class Blind(Threads):
        def submit(self, *_: Any) -> Future[Any]:
            return Future() if self.made == 1 else super().submit(*_)

        def is_stuck(self) -> bool:
            return self.made == 1

    monkeypatch.setattr(sharing, "Processes", Blind)
    monkeypatch.setattr(sharing, "LOOK", 0.01)
    with pool(2) as share:
        assert list(share(squared, [(2,), (3,)])) == [4, 9]


def test_a_process_that_is_gone_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class One:
        alive, pid = True, 0

        def is_alive(self) -> bool:
            return self.alive

    one = One()
    watched = object.__new__(processes.Processes)
    watched._missing = None
    watched._executor = SimpleNamespace(_processes={1: one})
    assert not watched.is_stuck()
    one.alive = False
    assert not watched.is_stuck()  # it may be noticed yet
    monkeypatch.setattr(processes, "PATIENCE", 0.0)
    assert watched.is_stuck()


@pytest.mark.usefixtures("threads")
def test_what_nobody_wants_any_more_is_broken_off() -> None:
    taken: list[int] = []

    def calls() -> Iterator[tuple[int]]:
        for number in range(100_000):
            taken.append(number)
            yield (number,)

    with pool(2) as share:
        results = share(slow, calls())
        assert next(results) == 0
        results.close()
        assert len(taken) < 20
        assert list(share(squared, [(4,)])) == [16]
    assert Threads.made == 2


@pytest.mark.usefixtures("threads")
def test_processes_are_kept_for_the_next_work() -> None:
    for workers in (2, 2, 3, 3):
        with pool(workers) as share:
            assert list(share(squared, [(2,), (3,)])) == [4, 9]
    assert Threads.made == 2


@pytest.mark.usefixtures("threads")
def test_a_worker_without_room_for_files_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "full"
    file.write_text("clue")

    def full() -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    def submit(self: Threads, work: SharedWork, calls: list[tuple[Any, ...]]) -> Future[Any]:
        packed = SharedWork(work.function, files=SentFiles.of([file])).packed("pickle")
        arguments = packed.digest, packed.content, likeness(), calls
        return self._executor.submit(run_sent_batch, *arguments)

    monkeypatch.setattr(files, "scratch_folder", full)
    monkeypatch.setattr(Threads, "submit", submit)
    with pool(2) as share, pytest.raises(WorkerError, match=r"job 1: .*No space left.*TMPDIR"):
        list(share(squared, [(1,), (2,)]))


@pytest.mark.usefixtures("threads")
def test_an_error_of_the_work_is_raised_here() -> None:
    with pool(2) as share, pytest.raises(WorkerError) as raised:
        list(share(divmod, [(1, 1), (1, 0)]))
    assert "job 2: the work failed: ZeroDivisionError" in str(raised.value)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_one_process_imports_nothing_for_others() -> None:
    code = (
        "import sys; from sleuth.jobs import run_jobs\n"
        "assert list(run_jobs(abs, [(-1,)])) == [1]\n"
        "print({'joblib', 'dask', 'distributed', 'ray'} & {*sys.modules})"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert ran.stdout.strip() == b"set()"


def test_one_worker_is_this_process() -> None:
    with pool(1) as share:
        assert list(share(slow, [(-1,)])) == [os.getpid()]


class Together(ThreadingBackend):
    """A backend that cannot hand out results as they come, as Ray's."""

    @property
    def supports_return_generator(self) -> bool:
        return False


@pytest.fixture
def together() -> Iterator[None]:
    joblib.register_parallel_backend("together", Together)
    with joblib.parallel_config(backend="together"):
        yield


@pytest.mark.usefixtures("together")
@pytest.mark.parametrize("ordered", [True, False])
def test_a_backend_without_generators_gets_batches(ordered: bool) -> None:
    taken: list[int] = []

    def calls() -> Iterator[tuple[int]]:
        for number in range(100):
            taken.append(number)
            yield (number,)

    with pool(3, ordered=ordered) as share:
        results = share(squared, calls())
        first = next(results)
        assert len(taken) == 3 * TOGETHER
        assert [first, *results] == [squared(number) for number in range(100)]


@pytest.mark.usefixtures("together", "plain_python")
def test_a_match_is_the_same_with_a_backend_without_generators() -> None:
    there = play_match("kuhn_poker", ["random", "random"], games=60, seed=9, workers=-1)
    with joblib.parallel_config(backend="loky"):
        assert there == play_match("kuhn_poker", ["random", "random"], games=60, seed=9)


@pytest.mark.usefixtures("together")
def test_the_backend_of_the_test_hands_out_no_generators() -> None:
    with pytest.raises(ValueError, match="return_as"):
        joblib.Parallel(n_jobs=2, return_as="generator")


def test_processes_that_are_kept_end_without_a_word() -> None:
    # What `threading` holds goes late, when loky's modules are gone, as at the end of a command.
    code = (
        "import multiprocessing.util, threading\n"
        "from sleuth.data.jobs import processes, sharing\n"
        "threading.held = sharing\n"
        "multiprocessing.util.held = processes.kept\n"
        "with sharing.pool(2) as share: list(share(abs, [(-1,)] * 4))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert ran.stderr == b""
