"""Searches end when they should, go on where they stopped, and can be made again."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from sleuth import Budget, Play, Search, game
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.planners.search.kernels.tree import NODES, Tree
from sleuth.planners.search.runs.pacing import CHUNK, in_time
from sleuth.planners.search.runs.running import Run
from sleuth.search import progressive_history, puct


def start(
    name: str = "phantom_tic_tac_toe",
    *,
    simulations: int | None = None,
    seed: int = 1,
    **options: Any,
) -> Run:
    """A search from the start of a game, by the player who begins."""
    made = game(name)
    beliefs = belief_or_none(made)
    play = Play.new(made, seed=4)
    view = play.view(play.player)
    assert beliefs is not None
    posterior = beliefs.infer(view, play.seen_by(play.player))
    search = Search(made, **options)
    return search.start(
        view,
        lambda count, rng: beliefs.worlds(posterior, count, rng),
        seed=seed,
        simulations=simulations,
    )


def fingerprint(run: Run) -> list[str]:
    """The bytes of all trees, as far as they are used."""
    found: list[str] = []
    for branch in run.branches:
        digest = hashlib.sha256()
        for name in Tree._fields:
            if name != "slots":
                digest.update(getattr(branch.tree, name).tobytes())
        found.append(digest.hexdigest())
    return found


def visits(run: Run) -> int:
    return sum(report.visits for report in run.decision().actions)


# The same again


@pytest.mark.parametrize("options", [{}, {"workers": 2}, {"trees": 6}, {"trees": 6, "workers": 2}])
def test_the_same_seed_workers_and_simulations_give_the_same_search(
    options: dict[str, Any],
) -> None:
    runs = [start(**options).extend(Budget(simulations=9_000)) for _ in range(3)]
    first = runs[0].decision()
    for run in runs[1:]:
        again = run.decision()
        assert again.action == first.action
        assert again.actions == first.actions
        assert fingerprint(run) == fingerprint(runs[0])


def test_another_seed_gives_another_search() -> None:
    one = start(seed=1).extend(Budget(simulations=500))
    other = start(seed=2).extend(Budget(simulations=500))
    assert fingerprint(one) != fingerprint(other)


WAYS: dict[str, dict[str, Any]] = {
    "one tree": {},
    "a tree for each player": {"information": "players"},
    "separate trees": {"trees": 3},
    "history": {"history": True, "selection": progressive_history},
    "puct": {"selection": puct},
    "credits": {"credits": [[0.7, 0.3], [0.3, 0.7]]},
    "plain counts": {"by_availability": False},
    "discount": {"discount": 0.9},
}


def fingerprints() -> dict[str, list[str]]:
    """Of small searches in all ways that differ in what the kernel does."""
    return {
        f"{name}, {way}": fingerprint(
            start(name, worlds=40, **options).extend(Budget(simulations=150))
        )
        for name in ("kuhn_poker", "leduc_poker", "phantom_tic_tac_toe")
        for way, options in WAYS.items()
    }


@pytest.fixture(scope="module")
def plain() -> dict[str, list[str]]:
    """The fingerprints of the same searches as plain Python."""
    code = (
        "import json, sys, types\n"
        "package = types.ModuleType('these_tests')\n"
        f"package.__path__ = [{os.path.dirname(__file__)!r}]\n"
        "sys.modules['these_tests'] = package\n"
        "from these_tests.test_running import fingerprints\n"
        "print(json.dumps(fingerprints()))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )
    return json.loads(ran.stdout)


@pytest.mark.parametrize("way", WAYS)
def test_compiled_and_plain_python_build_the_same_trees(
    way: str, plain: dict[str, list[str]]
) -> None:
    compiled = fingerprints()
    same = [name for name in compiled if name.endswith(f", {way}")]
    assert len(same) == 3
    assert {name: plain[name] for name in same} == {name: compiled[name] for name in same}
    assert len({tuple(each) for each in compiled.values()}) > len(compiled) / 2


# Going on


@pytest.mark.parametrize("options", [{}, {"workers": 2}, {"trees": 4}])
def test_a_search_that_goes_on_keeps_what_it_found(options: dict[str, Any]) -> None:
    run = start(**options)
    before: dict[int, int] = {}
    for made in (1_000, 3_000, 3_001):
        run.extend(Budget(simulations=made - run.simulations))
        assert run.simulations == made
        assert visits(run) == made
        decision = run.decision()
        assert decision.simulations == made
        for report in decision.actions:
            assert report.visits >= before.get(report.action, 0)
            before[report.action] = report.visits


def test_a_search_in_two_parts_is_the_search_in_one() -> None:
    whole = start().extend(Budget(simulations=600))
    parts = start().extend(Budget(simulations=200)).extend(Budget(simulations=400))
    assert fingerprint(whole) == fingerprint(parts)


def test_how_much_room_a_tree_had_at_first_makes_no_difference() -> None:
    reports = [
        start(simulations=simulations).extend(Budget(simulations=20_000)).decision().actions
        for simulations in (5_000, 20_000)
    ]
    assert reports[0] == reports[1]


# Ending


@pytest.fixture
def compiled() -> None:
    """Everything is compiled, so that only searching takes time."""
    start().extend(Budget(simulations=100))
    start(workers=2).extend(Budget(simulations=100))


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("options", [{}, {"workers": 2}, {"trees": 10}])
@pytest.mark.parametrize("seconds", [0.05, 0.4])
def test_a_search_keeps_to_its_seconds(options: dict[str, Any], seconds: float) -> None:
    late: list[float] = []
    for _ in range(3):  # a machine that does other things may be slow for a moment
        run = start(**options)
        begun = time.perf_counter()
        run.extend(Budget(seconds=seconds))
        took = time.perf_counter() - begun
        assert took >= seconds
        assert not run.interrupted
        late.append(took - seconds)
        if late[-1] < 0.1:
            return
    raise AssertionError(f"the search ended {late} s late")


@pytest.mark.usefixtures("compiled")
def test_what_others_do_meanwhile_uses_up_no_processor_time() -> None:
    waited: list[float] = []

    def wait(what: str, made: int, total: int) -> None:
        if not waited:
            waited.append(0.6)
            time.sleep(0.6)

    run = start()
    before = time.thread_time()
    run.extend(Budget(cpu_seconds=0.5), wait)
    used = time.thread_time() - before
    assert waited
    assert run.seconds >= 1.1
    assert 0.5 <= used < 0.8


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("options", [{}, {"workers": 2}, {"trees": 10}])
def test_a_search_can_be_stopped_from_another_thread(options: dict[str, Any]) -> None:
    run = start(**options)
    timer = threading.Timer(0.2, run.stop)
    timer.start()
    begun = time.perf_counter()
    run.extend(Budget(seconds=30))
    took = time.perf_counter() - begun
    timer.join()
    assert took < 1
    assert run.interrupted
    decision = run.decision()
    assert decision.interrupted
    assert decision.simulations == visits(run) > 100
    assert not run.extend(Budget(simulations=100)).interrupted


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_answers_with_the_best_so_far(workers: int) -> None:
    run = start(workers=workers)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.perf_counter()
    run.extend(Budget(seconds=30))
    took = time.perf_counter() - begun
    timer.join()
    assert took < 2
    assert run.interrupted
    assert run.decision().action in run.actions
    assert visits(run) == run.simulations


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_before_the_first_simulation_is_ctrl_c(workers: int) -> None:
    """It is no mistake of who asked, who is told of a budget otherwise."""
    run = start(workers=workers)
    run.stop()
    run.extend(Budget(simulations=10))
    assert run.interrupted
    assert run.simulations == 0
    with pytest.raises(KeyboardInterrupt):
        run.decision()
    assert run.extend(Budget(simulations=10)).decision().simulations == 10


def test_whichever_limit_is_reached_first_ends_a_search() -> None:
    run = start().extend(Budget(simulations=700, seconds=30))
    assert run.simulations == 700
    assert run.seconds < 10


def test_a_tree_has_no_more_nodes_than_allowed_and_the_decision_says_so() -> None:
    limit = 2_000
    decision = start().extend(Budget(simulations=60_000, nodes=limit)).decision()
    assert decision.full
    assert decision.nodes == limit


def test_a_decision_says_when_the_tree_grew_no_more() -> None:
    run = start().extend(Budget(simulations=60_000, nodes=2_000))
    decision = run.decision()
    assert decision.full
    assert decision.simulations == visits(run) == 60_000
    assert "reached its most nodes" in decision.summary()
    assert not start().extend(Budget(simulations=5_000, nodes=100_000)).decision().full


@pytest.mark.parametrize("simulations", [None, 20_000])
def test_few_nodes_are_kept_to_from_the_first(simulations: int | None) -> None:
    run = start(simulations=simulations).extend(Budget(simulations=20_000, nodes=300))
    assert run.decision().full
    assert int(run.branches[0].tree.used[NODES]) <= 300


@pytest.mark.usefixtures("compiled")
def test_progress_is_told_while_a_search_goes_on() -> None:
    told: list[tuple[int, int]] = []
    start().extend(Budget(seconds=0.9), lambda what, made, total: told.append((made, total)))
    assert 2 <= len(told) <= 4
    assert told == sorted(told)
    assert all(made > 0 and total == 0 for made, total in told)


def test_a_chunk_is_no_longer_than_the_time_that_is_left() -> None:
    assert in_time(1_000, CHUNK) == in_time(1_000, 10.0) == 1_000
    assert in_time(1_000, CHUNK / 4) == 250
    assert in_time(1_000, 0.0) == in_time(1_000, -1.0) == in_time(0, CHUNK) == 1


def test_few_states_are_drawn_for_a_short_time_when_the_speed_is_known() -> None:
    run = start(simulations=20)
    search = run.search
    assert search.planned(Budget(simulations=70)) == 70
    search.chunk = 0
    assert search.planned(Budget(seconds=1)) is None
    search.chunk = 1_000  # in CHUNK seconds
    assert search.planned(Budget(seconds=CHUNK / 10)) == 100
    run.extend(Budget(seconds=CHUNK / 10))
    assert sum(len(branch.worlds.states) for branch in run.branches) == 100
    assert run.simulations > 0
