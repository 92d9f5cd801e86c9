"""The benchmark of Scotland Yard's playouts prints what scripts read, and plays whole games."""

from __future__ import annotations

import importlib
import json
from types import ModuleType

import pytest

from sleuth import game


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return importlib.import_module("benchmarks.scotland_yard.speed")


def test_it_prints_rates_and_their_ratio(
    benchmark: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "OPENINGS", 16)
    monkeypatch.setattr(benchmark, "SIMULATIONS", 16)
    monkeypatch.setattr(benchmark, "game_of", lambda name: game(name, rounds=4))
    assert benchmark.main(["--json", "--seconds", "0.05"]) == 0
    found = json.loads(capsys.readouterr().out)
    greedy, random = (found[f"{kind}_playouts_per_second"] for kind in ("epsilon_greedy", "random"))
    assert greedy > 0
    assert found["ratio"] == pytest.approx(greedy / random, rel=1e-2)
    assert {name for pair in benchmark.PAIRS for name in pair} == set(benchmark.AGENTS)
    assert all(found[f"{name}_simulations_per_second"] > 0 for name in benchmark.AGENTS)


def test_greedy_detectives_win_more_and_sooner(benchmark: ModuleType) -> None:
    found = benchmark.measure(0.05)
    greedy, random = found["epsilon_greedy"], found["random"]
    # Detectives who are told where he is nearly always catch him.
    assert greedy["won"] > 0.9
    assert 0.1 < random["won"] < 0.5
    assert greedy["plies"] < random["plies"] < 134
