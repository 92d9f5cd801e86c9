"""The cells of Clue's matches: fields of agents, and counts that add up."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sleuth.models.games import game
from sleuth.planners.agents.names import parse_agent

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def scripts() -> Iterator[Any]:
    names = ("clue_matches", "clue_regret")
    sys.path.insert(0, str(FOLDER))
    try:
        yield SimpleNamespace(**{name: importlib.import_module(name) for name in names})
    finally:
        sys.path.remove(str(FOLDER))
        for name in names:
            sys.modules.pop(name, None)


def test_every_cell_is_a_field_that_can_be_played(scripts: Any) -> None:
    for cell in scripts.clue_matches.CELLS.values():
        assert game(cell.game, **cell.settings).players == len(cell.agents)
        for text in set(cell.agents):
            assert parse_agent(text).text == text


def test_a_cell_goes_on_and_its_counts_add_up(
    scripts: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "cell.jsonl"
    cell = ["--cell", "ledford_table", "--looked", "2", "--json", "--out", str(out)]
    assert scripts.clue_matches.main([*cell, "--games", "1"]) == 0
    capsys.readouterr()
    assert scripts.clue_matches.main([*cell, "--games", "3"]) == 0
    found = json.loads(capsys.readouterr().out)
    ours, theirs = found["agents"].values()
    assert found["cell"] == "ledford_table"
    assert found["games"] == 3 == len(out.read_text().splitlines()) - 1
    wins = [each["win_rate"] * 3 for each in (ours, theirs)]
    assert sum(wins) + found["nobody"] == pytest.approx(3)
    right = sum(each["accusations"] * (1 - each["wrong_accusations"]) for each in (ours, theirs))
    assert right == pytest.approx(sum(wins))
    assert found["win_rate"] == ours["win_rate"]
    assert ours["interval"][0] <= ours["win_rate"] <= ours["interval"][1]


def test_nobody_suggests_better_than_the_best(scripts: Any) -> None:
    found = scripts.clue_regret.regrets(game("clue_table"), ["likeliest", "entropy"], 3, 1)
    assert all(each["bits_lost"] >= 0.0 for each in found)
    assert found[1]["bits_lost"] <= found[0]["bits_lost"] + 0.02
