"""Matches with a gain and without: pairs are counted right, and no finished game is lost."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

from sleuth import game
from sleuth.agents import parse_agent


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return importlib.import_module("benchmarks.information.gain_matches")


def test_a_run_goes_on_where_it_was_and_compares_deal_by_deal(
    script: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    plain_python: None,
) -> None:
    search = "mcts:simulations=4"  # all are alike, so that one game shows both
    small = script.Cell("kuhn_poker", "each", search, search, search, (0.5,))
    sides = script.Cell(
        "kuhn_poker", "first", "mcts:simulations=4", "random", "random", (0.5,), usual="random"
    )
    monkeypatch.setattr(script, "CELLS", (small, sides))
    out = tmp_path / "games.jsonl"
    assert script.main(["--out", str(out), "--games", "2", "--json"]) == 0
    capsys.readouterr()
    before = out.read_text("utf-8")
    assert script.main(["--out", str(out), "--games", "5", "--json"]) == 0
    assert out.read_text("utf-8").startswith(before)
    found = json.loads(capsys.readouterr().out)["games"]
    # With each player in turn, and for one side with the gain, without, and as usual.
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(lines) == 5 * 2 + 5 * 2  # what is usual is here the search without
    (gain,) = found["kuhn_poker"]["gains"]
    won = [line["won"] for line in lines if line["cell"] == small.name]
    assert gain["deals"] == 5
    assert gain["rates"] == pytest.approx([sum(won) / 10, 1 - sum(won) / 10])
    assert gain["difference"] == pytest.approx(2 * sum(won) / 10 - 1)
    low, high = gain["interval"]
    assert low <= gain["difference"] <= high
    (of_side,) = found["kuhn_poker, first"]["gains"]
    usual = found["kuhn_poker, first"]["usual"]
    assert {**of_side, "agent": ""} == {**usual, "agent": ""}
    assert len(of_side["seconds"]) == 2
    assert gain["seconds"][1] is None
    # A table says the same, and nothing is played for it.
    assert script.main(["--out", str(out), "--games", "9", "--report"]) == 0
    assert out.read_text("utf-8").count("\n") == 20
    assert f"| kuhn_poker | 0.5 | the same without | {50 * gain['rates'][0] * 2:.1f} |" in (
        capsys.readouterr().out
    )


def test_the_interval_of_a_difference_is_that_of_pairs(script: ModuleType) -> None:
    cell = script.Cell("kuhn_poker", "first", "a", "b", "c", (1,))
    games = script.Games(None)
    for number, (one, other) in enumerate([(1, 0), (1, 1), (0, 1), (1, 0)]):
        games.won[cell.name, "a,gain=1", number] = float(one)
        games.won[cell.name, "b", number] = float(other)
    games.won[cell.name, "b", 4] = 1.0  # without its pair
    said = script.compared(games, cell, "a,gain=1", "b")
    # 1, 0, -1, 1: mean 1/4, standard deviation sqrt(11/12).
    half = 1.959964 * (11 / 12) ** 0.5 / 2
    assert said["interval"] == pytest.approx([0.25 - half, 0.25 + half], abs=1e-6)
    assert (said["difference"], said["deals"], said["rates"]) == (0.25, 4, [0.75, 0.5])
    assert script.compared(games, cell, "c", "b")["difference"] is None


def test_every_agent_can_be_asked_for_and_every_side_is_played(script: ModuleType) -> None:
    for cell in script.CELLS:
        of = game(cell.game, **dict(cell.settings))
        texts = [cell.without, cell.others, *map(cell.gaining, cell.weights)]
        for text in texts + ([cell.usual] if cell.usual else []):
            agent = parse_agent(text)
            assert parse_agent(agent.text) == agent
        assert cell.side in ("each", *of.sides, *of.secret_sides)
    assert len({cell.name for cell in script.CELLS}) == len(script.CELLS)


def test_no_deals_are_refused(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        script.main(["--games", "0"])
    assert stopped.value.code == 2
    assert "at least 1 deal" in capsys.readouterr().err
