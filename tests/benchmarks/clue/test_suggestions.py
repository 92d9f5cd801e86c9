"""How often the likeliest case file is the best suggestion is counted right, and written."""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np
import pytest

from sleuth.games.clue import simulate


@pytest.fixture(scope="module")
def script() -> Any:
    return importlib.import_module("benchmarks.clue.suggestions")


def test_positions_are_open_and_of_every_number_of_players(script: Any) -> None:
    found = [*script.positions(4, 4)]
    assert {each.players for each in found} == {3, 4, 5, 6}
    for each in found:
        assert each.bits > 0.0
        assert 0.0 <= each.told <= each.most + 1e-12 <= each.bits + 1e-9
        assert each.same == (each.told >= each.most - 1e-9)


def test_a_known_case_file_is_no_position(script: Any) -> None:
    record = simulate(3, np.random.default_rng(1), accuse=True)
    assert script.valued(record.seen_by("p1"), 4) is None


def test_the_table_and_its_json_say_the_same(
    script: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.main(["--positions", "2", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["lines"][0]
    assert first["positions"] == 2
    assert first["low"] <= first["same"] <= first["high"]
    assert script.main(["--positions", "2"]) == 0
    assert f"| all | 2 | {first['same']:.1%} |" in capsys.readouterr().out
