"""Models of behaviour in Clue are judged at moments of recorded games."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def script() -> Any:
    return importlib.import_module("benchmarks.clue.likelihoods")


def test_all_models_are_judged_at_the_same_moments(
    script: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = ["--agents", "notebook", "--games", "2", "--players", "3", "--json"]
    assert script.main([*asked, "--out", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = found["rows"]
    assert {row["what"] for row in rows} == {"file", "holders"}
    assert len({row["games"] for row in rows}) == 1
    for row in rows:
        low, high = row["interval"]
        assert 0.0 <= low <= row["log_loss"] <= high
        if row["model"] == script.BASE:
            assert row["beyond"] == 0.0
    assert set(found["calibration"]) == {row["model"] for row in rows}


def test_three_cards_are_in_the_case_file(script: Any, tmp_path: Path) -> None:
    made = script.game("clue_table", players=3)
    played = script.self_play(made, "notebook", games=1, seed=7, name="x", out=tmp_path)
    moments = script.moments_of(played, {"random": script.Counting("random")})
    assert moments
    for each in moments:
        shares, so = zip(*each.cells["random"], strict=True)
        assert sum(shares) == pytest.approx(3.0)
        assert sum(so) == 3
