"""The benchmark of networks says the same by all libraries, and goes on where it was stopped."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The benchmark, with all libraries in this process."""
    module = importlib.import_module("benchmarks.networks")
    runs = importlib.import_module("benchmarks.beliefs.network_runs")
    monkeypatch.setattr(runs, "MOST_RUNS", 3)

    def run(library: str, name: str, keep: Path, limit: float) -> str:
        if not limit:
            return "no answer within 0 seconds"
        runs.main([library, name, str(keep)])
        return ""

    monkeypatch.setattr(module, "run", run)
    return module


def test_all_libraries_give_the_same_marginals(
    benchmark: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--keep", str(tmp_path), "--json", "--only"]
    benchmark.main([*given, "survey"])
    (row,) = json.loads(capsys.readouterr().out)["networks"].values()
    assert (row["nodes"], row["width"], row["refused"]) == (6, 2, {})
    for key in ("read", "ours", "pyagrum", "pgmpy", "pyagrum_read", "pgmpy_read"):
        assert row[key] >= 0.0  # the processor's clock may be coarse
    # pyAgrum reads floats of 32 bits.
    assert row["error"] < 1e-7
    assert row["pgmpy_error"] < 1e-7
    assert row["error_exact"] < 1e-14
    # What was measured is not measured again; what is refused says why.
    benchmark.main([*given, "survey,cancer", "--pgmpy-limit", "0"])
    both: dict[str, Any] = json.loads(capsys.readouterr().out)["networks"]
    assert both["survey"] == row
    assert both["cancer"]["pgmpy"] is None
    assert both["cancer"]["refused"] == {"pgmpy": "no answer within 0 seconds"}


def test_evidence_is_drawn_from_the_network_and_stays_the_same(
    benchmark: ModuleType, tmp_path: Path
) -> None:
    runs = importlib.import_module("benchmarks.beliefs.network_runs")
    drawn: list[Any] = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        runs.write_evidence("alarm", folder)
        drawn.append(runs.evidence("alarm", folder))
    assert drawn[0] == drawn[1]
    assert [len(seen) for seen in drawn[0]] == [0, 3, 4]


def test_values_that_pyagrum_cannot_read_are_respelt() -> None:
    runs = importlib.import_module("benchmarks.beliefs.network_runs")
    text = "{ Asy/Patch, <5, 5-12, fine_1, 7 };\n(Asy/Patch) 0.5, 1e-3, .25;"
    words = "{ sAsy_Patch, s_5, s5_12, fine_1, 7 };\n(sAsy_Patch) 0.5, 1e-3, .25;"
    assert runs.spelt(text) == words


def test_approximate_methods_are_measured_once_and_stand_beside_the_others(
    benchmark: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    approximate = importlib.import_module("benchmarks.networks_approximate")
    monkeypatch.setattr(approximate, "SAMPLES", 200)
    monkeypatch.setattr(approximate, "METHODS", ("junction_tree", "gibbs", "symmetry"))
    given = ["--keep", str(tmp_path), "--only", "grid", "--json"]
    benchmark.main(given)
    found = json.loads(capsys.readouterr().out)
    assert found["networks"] == {}
    run = found["approximate"]["grid"]
    exact, sampled, unable = (
        run["methods"][name] for name in ("junction_tree", "gibbs", "symmetry")
    )
    assert exact["tv"] < 1e-12 < sampled["tv"] < 0.3
    assert 1.0 < sampled["ess"] <= 200.0
    assert unable["tv"] is None
    assert unable["reason"].startswith("unsupported: ")
    # What was measured is not measured again.
    benchmark.main(given)
    assert json.loads(capsys.readouterr().out)["approximate"] == found["approximate"]
    benchmark.main([*given, "--no-approximate"])
    assert json.loads(capsys.readouterr().out)["approximate"] == {}
    text = "\n".join(approximate.section({"grid": run, "chain": {"refused": "no answer"}}))
    assert f"| grid | gibbs | {sampled['seconds']:.2g} | {sampled['kl_bits']:.2g} |" in text
    assert f"| grid | symmetry | - | {unable['reason']} | - |" in text
    assert "with 200 samples each" in text
    assert "- chain: no answer" in text


def test_the_page_says_what_the_goal_was_and_who_missed_it(benchmark: ModuleType) -> None:
    row = {
        "nodes": 8,
        "width": 2,
        "numbers": 40.0,
        "read": 0.1,
        "ours": 0.2,
        "pyagrum": 0.05,
        "pgmpy": None,
        "error": 2e-8,
        "error_exact": 1e-16,
        "pyagrum_read": 0.05,
        "pgmpy_read": None,
        "refused": {"pgmpy": "no answer within 60 seconds"},
    }
    quick, hard = {**row, "read": 0.05}, {**row, "pyagrum": 20.0, "ours": 90.0}
    page = benchmark.page({"slow": row, "quick": quick, "hard": hard})
    assert "Networks that the goal is about: 2. Reached: 1. Not reached: slow." in page
    assert (
        "| quick | 8 | 2 | 40 | 50 ms | 200 ms | 50 ms | 50 ms | 2.5 | - | - | 2e-08 | 1e-16 |"
        in page
    )
    assert "- slow: pgmpy: no answer within 60 seconds" in page
