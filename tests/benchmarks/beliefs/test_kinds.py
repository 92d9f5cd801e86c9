"""The script that says what it is worth to find out what kind of player somebody is."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture
def kinds() -> ModuleType:
    return importlib.import_module("benchmarks.beliefs.kinds")


def test_a_field_is_played_kept_and_told_as_documented(
    kinds: ModuleType, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = ["--only", "cheat", "--fields", "mixed", "--games", "8", "--after", "1", "--json"]
    kinds.main([*asked, "--out", str(tmp_path)])
    first = capsys.readouterr().out
    found = json.loads(first)
    models = {row["model"]: row for row in found["rows"] if row["field"] == "mixed"}
    apart = {row["field"] for row in found["rows"]} - {"mixed"}
    assert apart
    assert all(field.startswith("mixed, ") for field in apart)
    assert set(models) == {
        "all kinds", "reacting people", "steady people", "searches", "none of these",
    }  # fmt: skip
    for row in models.values():
        assert row["interval"][0] <= row["log_loss"] <= row["interval"][1]
    best = models[models["all kinds"]["best"]]
    assert best["beyond_best"] == 0.0
    assert (
        min(row["log_loss"] for name, row in models.items() if name != "all kinds")
        == (best["log_loss"])
    )
    assert sum(row["number"] for row in found["calibration"]) % 4 == 0
    kinds.main([*asked, "--out", str(tmp_path)])
    assert capsys.readouterr().out == first


def test_what_kinds_were_given_is_held_against_what_they_were(kinds: ModuleType) -> None:
    moments: list[Any] = [
        kinds.Moment(game, 10, {}, ((true, {"a": 0.9, "b": 0.1}), ("b", {"a": 0.0, "b": 1.0})))
        for game, true in enumerate(["a"] * 9 + ["b"])
    ]
    # Of a game the last moment counts.
    moments.insert(0, kinds.Moment(0, 10, {}, (("b", {"a": 0.9, "b": 0.1}),)))
    found = {row["from"]: row for row in kinds.calibration_of("cheat", moments)}
    assert (found[0.8]["number"], found[0.8]["so"]) == (10, 0.9)
    assert (found[0.05]["so"], found[0.95]["so"], found[0.0]["so"]) == (0.1, 1.0, 0.0)


def test_losses_are_means_of_games_and_the_best_kind_is_no_mixture(kinds: ModuleType) -> None:
    losses = [
        {"all kinds": 0.5, "one": 1.0, "other": 2.0},
        {"all kinds": 0.7, "one": 0.6, "other": 2},
    ]
    moments = [kinds.Moment(game, 10, losses[game % 2]) for game in (0, 0, 1)]
    rows = {row["model"]: row for row in kinds.rows_of("cheat", "mixed", moments, 1)}
    assert rows["all kinds"]["best"] == "one"
    assert rows["one"]["log_loss"] == pytest.approx(np.mean([1.0, 0.6]))
    assert rows["all kinds"]["beyond_best"] == pytest.approx(0.6 - 0.8)


@pytest.mark.parametrize("wrong", [["--fields", "chess"], ["--games", "0"]])
def test_what_cannot_be_played_is_refused(
    kinds: ModuleType, wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        kinds.main(wrong)
    assert stopped.value.code == 2
    assert wrong[1] in capsys.readouterr().err
