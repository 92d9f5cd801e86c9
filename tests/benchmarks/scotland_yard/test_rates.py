"""The table of win rates counts each game once in every cell that it came to."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

from sleuth import Play, play_match
from sleuth.games.scotland_yard import scotland_yard
from sleuth.models.scotland_yard.advice.win_rates import POSSIBLE, ROUNDS, cell_of
from sleuth.models.scotland_yard.state import HIDER


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return importlib.import_module("benchmarks.scotland_yard.rates")


def test_a_game_counts_once_in_each_cell(
    benchmark: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "AGENT", "random")
    monkeypatch.setattr(benchmark, "TABLE", tmp_path / "rates.json")
    benchmark.main(["--state", str(tmp_path), "--games", "3"])
    table = json.loads((tmp_path / "rates.json").read_text("utf-8"))
    assert (table["games"], table["rounds_from"]) == (3, [*ROUNDS])
    game = scotland_yard()
    games = play_match(
        game, ["random", "random"], games=3, seed=benchmark.SEED, swap=False,
        out=tmp_path / "games.jsonl",
    ).games  # fmt: skip
    came: dict[tuple[int, int], list[bool]] = {}
    for one in games:
        play, met = Play.new(game, seed=one.seed), set[tuple[int, int]]()
        for action in one.actions:
            if play.player != HIDER:
                met.add(cell_of(play.view(1).states[0]))
            play.apply(action)
        for cell in met:
            came.setdefault(cell, []).append(one.returns[HIDER] < 0.0)
    found = {(each["round"], each["possible"]): each for each in table["cells"]}
    assert {cell: (len(won), sum(won)) for cell, won in came.items()} == {
        cell: (each["games"], each["won"]) for cell, each in found.items()
    }
    assert max(cell[1] for cell in found) < len(POSSIBLE)
    before = (tmp_path / "rates.json").read_text("utf-8")
    benchmark.main(["--state", str(tmp_path), "--report"])
    assert (tmp_path / "rates.json").read_text("utf-8") == before
