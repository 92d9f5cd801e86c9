"""How many processes are of use, and what those of a pool are told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import joblib
import pytest

from sleuth import play_match
from sleuth.data.jobs import counting
from sleuth.data.jobs.counting import MOST_PER_CORE, worker_count
from sleuth.data.jobs.processes import Processes
from sleuth.data.jobs.sharing import pool
from sleuth.data.workers import ending_on_request

TWO = ["random", "random"]


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "_said", set[str]())


def test_no_more_are_started_than_there_is_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert worker_count(100_000, 2, "games") == 2
    assert worker_count(100_000, 2, "games") == 2
    assert capsys.readouterr().err == "2 of 100000 workers are started: there are only 2 games\n"
    assert worker_count(2, 2) == 2
    assert worker_count(-1, 1) == 1
    assert worker_count(5, 0) == 1
    assert capsys.readouterr().err == ""


def test_no_more_are_started_than_the_cores_can_use(capsys: pytest.CaptureFixture[str]) -> None:
    most = MOST_PER_CORE * joblib.cpu_count()
    assert worker_count(most, 10**6) == most
    assert capsys.readouterr().err == ""
    assert worker_count(100_000, 10**6) == most
    assert "for each core are of use" in capsys.readouterr().err
    assert worker_count(-1, 10**6) == joblib.cpu_count()


def test_a_match_starts_no_more_than_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = Processes.taken

    def noted(workers: int, threads: dict[str, str]) -> Any:
        asked.append(workers)
        return real(workers, threads)

    monkeypatch.setattr(Processes, "taken", noted)
    found = play_match("kuhn_poker", TWO, games=2, workers=100_000)
    assert asked == [2]
    assert found == play_match("kuhn_poker", TWO, games=2)


def told(_: int) -> tuple[str | None, bool, int]:
    ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    return os.environ.get("PYTHONSAFEPATH"), ignored, os.getppid()


def test_workers_have_a_safe_path_and_leave_interruptions_to_their_parent() -> None:
    before = os.environ.get("PYTHONSAFEPATH")
    with pool(2) as share:
        assert list(share(told, [(0,), (1,)])) == [("1", True, os.getpid())] * 2
    assert os.environ.get("PYTHONSAFEPATH") == before


def test_a_request_to_end_is_an_end_with_cleaning_up() -> None:
    def asked() -> None:
        with ending_on_request():
            os.kill(os.getpid(), signal.SIGTERM)
            signal.pause()

    with pytest.raises(SystemExit) as ended:
        asked()
    assert ended.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_whoever_handles_requests_to_end_himself_goes_on_doing_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: seen.append(number))
    try:
        with ending_on_request():
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert seen == [signal.SIGTERM]


CHILD = """
import os, time
from sleuth.data.workers import follow
follow({})
print(flush=True)
time.sleep(600)
"""
PARENT = f"""
import os, subprocess, sys, threading, time
children = []
def start():
    code = {CHILD!r}.format(os.getpid())
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    child.stdout.readline()  # it follows
    children.append(child)
if sys.argv[1] == "thread":
    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
else:
    start()
print(children[0].pid, flush=True)
time.sleep(600)
"""


def runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_child_ends_with_its_parent_and_not_with_the_thread_that_started_it() -> None:
    program = [sys.executable, "-c", PARENT]
    with ExitStack() as ending:
        parents = [
            ending.enter_context(subprocess.Popen([*program, starter], stdout=subprocess.PIPE))
            for starter in ("main", "thread")
        ]
        try:
            children = [int(parent.stdout.readline()) for parent in parents if parent.stdout]
            time.sleep(1)
            assert [runs(child) for child in children] == [True, True]
        finally:
            for parent in parents:
                parent.kill()
    end = time.monotonic() + 5
    while any(map(runs, children)) and time.monotonic() < end:
        time.sleep(0.1)
    assert [runs(child) for child in children] == [False, False]
