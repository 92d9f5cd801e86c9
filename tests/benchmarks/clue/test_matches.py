"""The cells of Clue's matches: fields of agents, and counts that add up."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sleuth import game
from sleuth.agents import parse_agent


@pytest.fixture(scope="module")
def scripts() -> Any:
    names = ("matches", "regret", "waiting")
    return SimpleNamespace(
        **{f"clue_{name}": importlib.import_module(f"benchmarks.clue.{name}") for name in names}
    )


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


def test_what_is_expected_is_counted_with_what_came_of_it(scripts: Any) -> None:
    waiting = scripts.clue_waiting
    expected = {"right": 0.3, "after": 0.5, "sooner": 0.2, "waiting": 0.25, "plain": 0.4}
    came = [
        {"is_right": True, "plain_is_right": False, "next": True},
        {"is_right": False, "plain_is_right": False, "lost": True},
    ]
    found = waiting.counted([{**expected, **each} for each in came])
    assert found["right now"][-1] == [pytest.approx(0.3), 1.0, 2]
    assert found["right now, but for passing"][-1] == [pytest.approx(0.4), 0.0, 2]
    assert found["somebody else before the next turn"][-1] == [pytest.approx(0.2), 1.0, 2]
    assert found["right at the next turn"][-1] == [pytest.approx(0.5), 1.0, 1]
    assert found[waiting.LATER][-1] == [pytest.approx(0.4), 1.0, 2]
    assert "right now, where that looks better" in found
    assert "right now, where that looks half as good again" not in found


def test_who_is_watched_waits_until_they_are_certain(
    scripts: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "moments.jsonl"
    arguments = ["--cell", "table3", "--games", "2", "--json", "--out", str(out)]
    assert scripts.clue_waiting.main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    moments = [each for line in out.read_text().splitlines() for each in json.loads(line)]
    assert scripts.clue_waiting.main(arguments) == 0  # read, not played
    assert json.loads(capsys.readouterr().out) == found
    for each in moments:
        assert ("next" in each) != ("lost" in each)
        assert not (each["won"] and "lost" in each)
