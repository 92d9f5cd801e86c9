"""Curves of win rate against time: each point can be played, goes on, and is drawn."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sleuth import game
from sleuth.agents import parse_agent


@pytest.fixture(scope="module")
def clue_time() -> Any:
    return importlib.import_module("benchmarks.clue.time")


def test_every_point_is_a_field_that_can_be_played(clue_time: Any) -> None:
    for curve in clue_time.CURVES.values():
        made = game(curve.game, **curve.settings)
        assert made.players == 1 + len(curve.others)
        for text in (*map(curve.agent.format, curve.budgets), *curve.others):
            parse_agent(text).prepare(made)


def test_a_curve_goes_on_and_is_drawn(
    clue_time: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    few = replace(clue_time.CURVES["deals"], budgets=(5, 20), others=("notebook",) * 3)
    monkeypatch.setitem(clue_time.CURVES, "deals", few)
    asked = ["--curve", "deals", "--timed", "1", "--json", "--out", str(tmp_path / "kept")]
    assert clue_time.main([*asked, "--games", "1"]) == 0
    capsys.readouterr()
    picture = tmp_path / "curve.png"
    assert clue_time.main([*asked, "--games", "3", "--plot", str(picture)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [point["agent"] for point in found] == ["detective:worlds=5", "detective:worlds=20"]
    for point, file in zip(found, sorted((tmp_path / "kept").iterdir()), strict=False):
        assert point["games"] == 3 == len(file.read_text().splitlines()) - 1
        assert point["interval"][0] <= point["win_rate"] <= point["interval"][1]
        assert 0.0 < point["seconds_per_decision"] <= point["slowest_decision"]
    assert picture.read_bytes()[:4] == b"\x89PNG"
