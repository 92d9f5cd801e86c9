"""The page about adapters says what the runs and the spaces of today say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import sleuth
from benchmarks.beliefs import learning
from sleuth.kit import BeliefSpace

PAGE = Path(__file__).resolve().parents[3] / "docs" / "adapters.md"
#: Games whose spaces take long to make, or are looked at elsewhere.
LONG = ("cockroach_poker", "liars_dice_for_many", "saboteur")


def test_the_table_of_the_page_is_that_of_the_runs() -> None:
    text = PAGE.read_text("utf-8")
    assert [line for line in learning.table() if line not in text] == []
    assert learning.PICTURE.is_file()
    assert f"{learning.hours():.2f} hours of one core" in text


def test_an_interval_holds_the_mean_of_runs_as_students_says() -> None:
    mean, half = learning.interval([[1.0, 0.0], [3.0, 0.0], [5.0, 0.0]])
    assert mean.tolist() == [3.0, 0.0]
    assert half[0] == pytest.approx(4.303 * 2.0 / np.sqrt(3), rel=1e-3)
    assert half[1] == 0.0


def test_only_runs_of_both_halves_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "RUNS", tmp_path / "runs.jsonl")
    lines = [(0, False, 1.0), (0, True, 2.0), (1, False, 3.0), (1, True, 6.0), (2, False, 9.0)]
    with learning.RUNS.open("w") as file:
        for seed, belief, won in lines:
            run = {"game": "cheat", "seed": seed, "belief": belief, "returns": [won] * 20}
            file.write(json.dumps(run) + "\n")
    task = learning.TASKS[1]
    found = learning.halves(task)
    assert found[False][:, 0].tolist() == [1.0, 3.0]
    assert found[True][:, 0].tolist() == [2.0, 6.0]
    left = {(each.game, seed, belief) for each, seed, belief in learning.lacking()}
    assert ("cheat", 2, True) in left
    assert ("cheat", 2, False) not in left


def test_the_page_has_the_sizes_of_all_games() -> None:
    rows = re.findall(r"^\| (\w+) \| ([\d,]+) \| ([\d,]+) \| \d", PAGE.read_text("utf-8"), re.M)
    told = {name: tuple(int(each.replace(",", "")) for each in sizes) for name, *sizes in rows}
    assert set(told) == {name for name in sleuth.games.names() if sleuth.game(name).hides}
    for name, (fields, beliefs) in told.items():
        game = sleuth.game(name)
        assert game.observation_space.size == fields
        if name not in LONG:
            assert BeliefSpace.of(game).size == beliefs
