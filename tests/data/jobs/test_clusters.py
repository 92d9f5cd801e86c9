"""A cluster gives the same bytes as one process, whatever happens to workers."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sleuth import OwnAgent, game, play_match
from sleuth.apps.commands.new_game import source
from sleuth.data.files import resource
from sleuth.data.jobs import dask_workers, likeness
from sleuth.data.jobs.clusters import active_cluster
from sleuth.data.jobs.files import SentFiles
from sleuth.errors import SettingsError, WorkerError
from sleuth.jobs import cluster, run_jobs

TWO = ["random", "random"]
JOBS = """
import os, signal, time
from pathlib import Path

def squared(number):
    return number * number

def slowly(number):
    time.sleep(0.1)
    return os.getpid()

def ended_once(folder, number):
    if number == 5:
        try:
            (Path(folder) / "ended").touch(exist_ok=False)
        except FileExistsError:
            return number
        os.kill(os.getpid(), signal.SIGKILL)
    return number

def always_ended(number):
    os.kill(os.getpid(), signal.SIGKILL)

def failing(number):
    return 1 // (3 - number)

def read(name):
    from sleuth.data.disk.reading import FileKind
    os.unlink(name)  # as on another machine
    return FileKind(what="the file", most=100).bytes(name)
"""


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Functions that workers can import: they stand in a folder that theirs is told of."""
    folder = tmp_path_factory.mktemp("jobs")
    (folder / "jobs_of_tests.py").write_text(JOBS, "utf-8")
    sys.path.insert(0, str(folder))
    try:
        import jobs_of_tests  # pyright: ignore[reportMissingImports]

        yield jobs_of_tests
    finally:
        sys.path.remove(str(folder))


@contextmanager
def worker(address: str, folder: Path, *, other: bool = False) -> Generator[None, None, None]:
    """A worker in a process of its own, with a nanny that replaces it when it is ended."""
    code = (
        "import asyncio, sys, distributed\n"
        "async def main():\n"
        f"    async with distributed.Nanny({address!r}, nthreads=1, host='127.0.0.1',\n"
        "        dashboard_address='127.0.0.1:0', local_directory=sys.argv[1]) as nanny:\n"
        "        await nanny.finished()\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    (folder / "worker.py").write_text(code, "utf-8")
    path = os.pathsep.join(map(str, [folder, *filter(None, sys.path)]))
    if other:
        (folder / "sitecustomize.py").write_text(
            "from importlib import metadata\nreal = metadata.version\n"
            "metadata.version = lambda name: '0.0.9' if name == 'sleuth' else real(name)\n"
        )
    process = subprocess.Popen(
        [sys.executable, str(folder / "worker.py"), str(folder)],
        env={**os.environ, "PYTHONPATH": path},
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()


@pytest.fixture(scope="module")
def dask(jobs: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster of two workers, on this machine alone."""
    distributed = pytest.importorskip("distributed")
    path = os.pathsep.join(filter(None, sys.path))
    with (
        pytest.MonkeyPatch.context() as patch,
        import_module("dask").config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            silence_logs="CRITICAL",
            local_directory=str(tmp_path_factory.mktemp("dask")),
            env={"PYTHONPATH": path},
        ) as made,
    ):
        patch.setattr(dask_workers, "LOOK", 0.1)
        yield made.scheduler_address.replace("tcp://", "dask://")


def test_without_an_address_nothing_changes_and_local_is_all_cores() -> None:
    with cluster(None):
        assert active_cluster() is None
    with cluster("local"):
        assert len(set(run_jobs(os.getpid, [()] * 4)) - {os.getpid()}) > 0
    assert active_cluster() is None
    assert set(run_jobs(os.getpid, [()] * 4)) == {os.getpid()}


def test_one_worker_of_a_cluster_is_one() -> None:
    with cluster("local", workers=1):
        assert set(run_jobs(os.getpid, [()] * 4, workers=-1)) == {os.getpid()}
    with (
        pytest.raises(SettingsError, match=r"workers: a cluster needs one worker.*\(got 0\)"),
        cluster("local", workers=0),
    ):
        pass


@pytest.mark.parametrize("address", ["", "localhost", "http://a:1", "ray://", "dask://a", "a:1/b"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(SettingsError, match=r"no address of a cluster.*write dask://HOST:PORT"):
        cluster(address).__enter__()


def test_what_differs_is_named() -> None:
    ours = likeness.likeness()
    assert ours == likeness.likeness()
    assert likeness.differences(ours, ours) == ""
    said = likeness.differences({**ours, "numba": "0.1"}, ours)
    assert said == f"numba 0.1 in place of {ours['numba']}"
    assert likeness.differences({"sleuth": "none"}, ours).startswith("sleuth none in place of 0.1")


@pytest.mark.cluster
def test_nobody_answers_where_there_is_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(dask_workers, "PATIENCE", 1)
    with pytest.raises(SettingsError, match=r"no cluster answers there.*'127\.0\.0\.1:9'"):
        cluster("127.0.0.1:9").__enter__()


@pytest.mark.cluster
@pytest.mark.parametrize("ordered", [True, False], ids=["in order", "as they come"])
def test_every_job_is_done_once_there(dask: str, jobs: Any, ordered: bool) -> None:
    told: list[int] = []
    with cluster(dask):
        found = list(
            run_jobs(
                jobs.squared,
                [(number,) for number in range(2_000)],
                ordered=ordered,
                progress=lambda what, done, total: told.append(done),
            )
        )
        assert len(set(run_jobs(jobs.slowly, [(1,)] * 8))) == 2
        assert len(set(run_jobs(lambda: os.getpid(), [()] * 4)) - {os.getpid()}) > 0
    with cluster(dask, workers=1):
        for workers in (1, -1, 2):
            (one,) = set(run_jobs(jobs.slowly, [(1,)] * 4, workers=workers))
            assert one != os.getpid()
    assert sorted(found) == [number * number for number in range(2_000)]
    assert not ordered or found == sorted(found)
    assert told == list(range(1, 2_001))


@pytest.mark.cluster
def test_what_a_worker_that_was_ended_had_to_do_is_done_by_others(
    dask: str, jobs: Any, tmp_path: Path
) -> None:
    with cluster(dask):
        calls = [(number,) for number in range(40)]
        assert list(run_jobs(jobs.ended_once, calls, common=(str(tmp_path),))) == [*range(40)]
        assert (tmp_path / "ended").exists()
        with pytest.raises(WorkerError, match="job 1: worker processes were ended 2 times"):
            list(run_jobs(jobs.always_ended, [(1,)]))


@pytest.mark.cluster
def test_an_error_there_says_which_job_it_is_of(dask: str, jobs: Any) -> None:
    with cluster(dask):
        found = run_jobs(jobs.failing, [(number,) for number in range(9)])
        assert [next(found), next(found), next(found)] == [0, 0, 1]
        with pytest.raises(WorkerError, match="job 4: the work failed: ZeroDivisionError") as told:
            next(found)
        assert "jobs_of_tests.py" in "".join(told.value.__cause__.__notes__)  # type: ignore

        def broken_maker(_: object) -> Any:
            return lambda seed: 1 // 0

        broken = OwnAgent("broken", broken_maker)
        with pytest.raises(WorkerError, match=r"game [01] of the match: the work failed: ZeroDiv"):
            play_match("kuhn_poker", [broken, "random"], games=2)


@pytest.mark.cluster
def test_ctrl_c_ends_the_work_and_leaves_the_cluster_to_others(dask: str, jobs: Any) -> None:
    interruption = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    with cluster(dask):
        interruption.start()
        with pytest.raises(KeyboardInterrupt):
            list(run_jobs(jobs.slowly, [(1,)] * 100_000))
        begin = time.monotonic()
        assert list(run_jobs(jobs.squared, [(3,)])) == [9]
        assert time.monotonic() - begin < 10  # what was handed out is not done first


@pytest.mark.cluster
def test_files_are_sent_and_read_by_their_names(dask: str, jobs: Any, tmp_path: Path) -> None:
    file = tmp_path / "a" / "word.txt"
    file.parent.mkdir()
    file.write_text("clue")
    with cluster(dask):
        sent = run_jobs(jobs.read, [(str(file),)], files=[file])
        assert next(sent) == b"clue"


@pytest.mark.cluster
@pytest.mark.usefixtures("plain_python")
def test_a_match_is_the_same_with_a_game_and_a_predictor_that_workers_do_not_have(
    dask: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(source("mine", "mine.py"), "utf-8")
    for ending in ("npz", "json"):
        shutil.copy(str(resource("cheat", f"truth.{ending}")), f"guess.{ending}")
    cheat = game("cheat", ranks=3, suits=2, hand=2)
    matches: list[Any] = [
        ("mine.py:GAME", TWO),
        (cheat, ["random", "pmga:predictor=guess,simulations=2"]),
    ]
    alone = [play_match(*each, games=6, seed=3) for each in matches]
    real = SentFiles.of

    def moved(files: Iterable[Path]) -> SentFiles:
        """As if the files were on another machine."""
        files = [*files]
        found = real(files)
        for file in files:
            file.unlink()
        return found

    monkeypatch.setattr(SentFiles, "of", moved)
    with cluster(dask):
        assert [play_match(*each, games=6, seed=3) for each in matches] == alone
    # Python keeps what it compiled of the game's file, where it may.
    assert [each.name for each in tmp_path.iterdir() if each.name != "__pycache__"] == []


@pytest.mark.cluster
@pytest.mark.usefixtures("plain_python")
def test_the_same_match_by_way_of_joblib(dask: str) -> None:
    import distributed
    import joblib

    with (
        distributed.Client(dask.replace("dask://", "tcp://")) as client,
        joblib.parallel_config(backend="dask", client=client),
    ):
        there = play_match("kuhn_poker", TWO, games=20, seed=9, workers=-1)
    assert there == play_match("kuhn_poker", TWO, games=20, seed=9)


@pytest.mark.cluster
def test_one_that_joins_late_helps_and_one_with_another_sleuth_does_not(
    dask: str, jobs: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    scheduler = dask.replace("dask://", "tcp://")
    late, foreign = tmp_path / "late", tmp_path / "other"
    late.mkdir()
    foreign.mkdir()
    with cluster(dask):
        found: list[int] = []
        began = run_jobs(jobs.slowly, [(number,) for number in range(10**6)])
        found.append(next(began))
        with worker(scheduler, late), worker(scheduler, foreign, other=True):
            end = time.monotonic() + 30
            said = ""
            while (len(set(found)) < 3 or "gets no work" not in said) and time.monotonic() < end:
                found.append(next(began))
                said += capfd.readouterr().err
            more = [next(began) for _ in range(12)]
            began.close()
    assert len({*found, *more}) == 3
    ours = likeness.likeness()["sleuth"]
    assert f"has sleuth 0.0.9 ({likeness.sources()}) in place of {ours}: it gets no work" in said
