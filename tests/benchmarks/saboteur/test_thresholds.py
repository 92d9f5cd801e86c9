"""The threshold of the paper on Saboteur: the laws of belief, and what 18 rounds look like."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="module")
def thresholds() -> ModuleType:
    return importlib.import_module("benchmarks.saboteur.thresholds")


def test_every_relation_in_every_mind_is_kd45_at_every_step() -> None:
    kd45 = importlib.import_module("benchmarks.saboteur.kd45")
    found = kd45.counted(12)
    # Five agents have one relation of their own, and one for each of the others.
    assert found["relations"] == 25 * found["moments"] > 5_000
    assert set(found["broken"].values()) == {0}
    # An absolute threshold leaves some of them nothing to believe.
    absolute = kd45.counted(12, "relative=no,threshold=-5")["broken"]
    assert absolute["serial"] > 0
    assert absolute["transitive"] == absolute["euclidean"] == 0


def as_told(thresholds: ModuleType) -> list[dict[str, Any]]:
    """Rounds that look as the report says; 12 of them for each set-up."""
    return [
        {
            "setup": setup,
            "round": number,
            "miners_win": saboteurs == "hidden" and (depth == 2 or number % 6 > 0),
            "all_believe": saboteurs != "hidden" or number != 3,
            "truth_believed": 1.0 - 0.2 * (saboteurs == "hidden" and number == 3),
            "worlds_believed": 2.0 if factor == 1.5 else 1.0,
        }
        for setup, (factor, depth, saboteurs) in enumerate(thresholds.SETUPS)
        for number in range(12)
    ]


def test_rounds_as_the_report_tells_them_look_so(
    thresholds: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thresholds, "DRAWS", 300)
    rows = as_told(thresholds)
    found = thresholds.looks_so(rows, seed=1)
    assert min(found.values()) > 0.8
    claims = list(thresholds.CLAIMS)
    changes: dict[int, Any] = {
        0: lambda row, setup: {"miners_win": True},
        1: lambda row, setup: {"all_believe": row["round"] % 2 == 0},
        2: lambda row, setup: {"worlds_believed": 1.0},
        3: lambda row, setup: {"miners_win": row["miners_win"] and row["round"] % 3 > 0},
        5: lambda row, setup: {"truth_believed": 0.5 if setup[2] == "explicit" else 1.0},
        6: lambda row, setup: {"miners_win": row["miners_win"] or setup[1] == 2},
        7: lambda row, setup: {"miners_win": row["miners_win"] or setup[2] == "switching"},
    }
    for place, change in changes.items():
        changed = [{**row, **change(row, thresholds.SETUPS[row["setup"]])} for row in rows]
        assert thresholds.looks_so(changed, seed=1)[claims[place]] < 0.2
    assert thresholds.looks_so(rows[:-12], seed=1) is None


def test_rounds_of_depth_1_serve_every_threshold_and_a_run_goes_on(
    thresholds: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rounds.jsonl"
    asked = ["--rounds", "1", "--official", "0", "--only", "threshold=-5,step=1"]
    thresholds.main([*asked, "--out", str(out), "--json"])
    found = json.loads(capsys.readouterr().out)["variants"]
    assert [(row["relative"], row["level"], row["step"]) for row in found] == [
        (False, -5.0, 1.0),
        (True, -5.0, 1.0),
    ]
    assert found[1]["nothing_believed"] == [0.0] * 12
    kept = out.read_text().splitlines()
    assert len(kept) == 24
    won: dict[int, set[bool]] = {}
    for line in map(json.loads, kept):
        if thresholds.SETUPS[line["setup"]][1] == 1:
            won.setdefault(line["setup"], set()).add(line["miners_win"])
    assert [len(each) for each in won.values()] == [1] * 6
    out.write_text("\n".join(kept[:-3]) + "\n")
    thresholds.main([*asked, "--out", str(out), "--json"])
    assert json.loads(capsys.readouterr().out)["variants"] == found
    assert sorted(out.read_text().splitlines()) == sorted(kept)
    assert "| best - 5 | 1 | 1 |" in thresholds.written(found)
