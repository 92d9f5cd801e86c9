"""Curves of exploitability: the same games in both libraries, and no run measured twice."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sleuth import exploitability

pyspiel: Any = pytest.importorskip("pyspiel")


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return importlib.import_module("benchmarks.soundness")


def printed(benchmark: ModuleType, capsys: pytest.CaptureFixture[str], *given: str) -> Any:
    assert benchmark.main(["--quick", "--json", *given]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_method_has_points_and_learns(
    benchmark: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    found = printed(benchmark, capsys)
    assert set(found) == {"games"}
    (methods,) = found["games"].values()
    assert set(methods) == set(benchmark.METHODS)
    for method, points in methods.items():
        columns = list(zip(*points, strict=True))
        assert [list(column) for column in columns[:2]] == [sorted(set(c)) for c in columns[:2]]
        assert all(0.0 <= value < 0.4583 + 0.05 for value in columns[2]), method
    for method in ("ours:external", "openspiel:external"):
        assert methods[method][-1][1:] == [1_000, pytest.approx(0.02, abs=0.02)]


def test_the_search_of_information_sets_ends_at_a_pure_strategy(benchmark: ModuleType) -> None:
    yardstick = benchmark.GAMES["kuhn_poker"]
    for compiled in (True, False):
        learner = benchmark.SearchOfSets(yardstick, "ismcts", 1)
        assert learner.compiled
        if not compiled:
            learner = benchmark.SearchOfSets(benchmark.Yardstick(yardstick.ours), "ismcts", 1)
            assert not learner.compiled
        learner.learn(12 * (3_000 if compiled else 300))
        assert learner.exploitability() == pytest.approx(1 / 6, abs=0.03 if compiled else 0.06)


def test_both_libraries_measure_the_same(benchmark: ModuleType) -> None:
    yardstick = benchmark.GAMES["kuhn_poker"]
    ours = exploitability(yardstick.tree, yardstick.tree.uniform_policy()).exploitability
    for each in (yardstick, benchmark.Yardstick(yardstick.ours)):
        theirs = pyspiel.exploitability(each.loaded, pyspiel.UniformRandomPolicy(each.loaded))
        assert theirs == pytest.approx(ours, abs=1e-9)


def test_a_finished_run_is_not_measured_again_and_an_unfinished_one_begins_anew(
    benchmark: ModuleType, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "points.jsonl"
    given = ["--methods", "ours:external", "openspiel:outcome", "--out", str(kept)]
    found = printed(benchmark, capsys, *given)
    lines = kept.read_text().splitlines()
    assert printed(benchmark, capsys, *given) == found
    assert kept.read_text().splitlines() == lines
    # Stopped before the last run was finished: its points are measured again, the others kept.
    kept.write_text("\n".join(lines[:-1]) + "\n")
    again = printed(benchmark, capsys, *given)["games"]["kuhn_poker"]
    assert again["ours:external"] == found["games"]["kuhn_poker"]["ours:external"]
    drawn, before = again["openspiel:outcome"], found["games"]["kuhn_poker"]["openspiel:outcome"]
    assert [point[1:] for point in drawn] == [point[1:] for point in before]


def test_points_are_medians_of_the_seeds_as_far_as_all_went(benchmark: ModuleType) -> None:
    runs = benchmark.Runs(None)
    for seed, values in enumerate(([0.5, 0.1], [0.3, 0.2, 0.1], [0.4, 0.4])):
        run = ("game", "method", seed)
        runs.begin(run)
        for place, value in enumerate(values):
            runs.add(run, [seed + place, 10**place, value])
    assert runs.medians() == {"game": {"method": [[1, 1, 0.4], [2, 10, 0.2]]}}
