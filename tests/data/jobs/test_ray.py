"""Ray gives the same as one process, by batches; left out where it is not installed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import pytest

from sleuth import play_match
from sleuth.errors import WorkerError
from sleuth.jobs import cluster, run_jobs

# It is imported when it is used: what it reads then is said by `cluster`.
without = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
pytestmark = [pytest.mark.cluster, without]


@pytest.fixture(scope="module", autouse=True)
def started() -> Iterator[None]:
    """A Ray of two cores on this machine, which `cluster` finds started."""
    with cluster("ray://local"):
        yield


def test_it_listens_on_this_machine_alone() -> None:
    ray: Any = import_module("ray")
    assert {node["NodeManagerAddress"] for node in ray.nodes()} == {"127.0.0.1"}


@pytest.mark.parametrize("ordered", [True, False], ids=["in order", "as they come"])
def test_every_job_is_done_once_there(ordered: bool) -> None:
    with cluster("ray://local"):
        calls = [(-number,) for number in range(3_000)]
        found = list(run_jobs(abs, calls, ordered=ordered))
        assert len({*run_jobs(os.getpid, [()] * 50)} - {os.getpid()}) > 0
    assert sorted(found) == [*range(3_000)]
    assert not ordered or found == sorted(found)


def test_one_worker_of_it_does_one_thing_at_a_time() -> None:
    def slowly(number: int) -> tuple[float, float]:
        begin = time.monotonic()
        time.sleep(0.6)  # more than a batch
        return begin, time.monotonic()

    with cluster("ray://local", workers=1):
        times = list(run_jobs(slowly, [(number,) for number in range(4)]))
    assert all(end <= begin for (_, end), (begin, _) in pairwise(times))


@pytest.mark.usefixtures("plain_python")
def test_a_match_is_the_same() -> None:
    alone = play_match("kuhn_poker", ["random", "random"], games=60, seed=9)
    with cluster("ray://local"):
        assert play_match("kuhn_poker", ["random", "random"], games=60, seed=9) == alone


def test_errors_and_ends_of_workers_are_told_and_only_as_errors(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with cluster("ray://local"):
        with pytest.raises(WorkerError, match="job 2: the work failed: ZeroDivisionError"):
            list(run_jobs(divmod, [(1, 1), (1, 0)]))
        with pytest.raises(WorkerError, match="job 1: worker processes were ended 4 times"):
            list(run_jobs(os._exit, [(1,)]))
    assert capfd.readouterr().out == ""
