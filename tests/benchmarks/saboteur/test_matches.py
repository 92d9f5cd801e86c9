"""Saboteur's agents against each other: rounds are kept, and go on where they ended."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

from sleuth.agents import parse_agent


@pytest.fixture
def matches() -> ModuleType:
    return importlib.import_module("benchmarks.saboteur.matches")


def test_a_cell_is_played_and_a_run_goes_on(
    matches: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rounds.jsonl"
    asked = ["--rounds", "3", "--cell", "tight/trust/random", "--out", str(out), "--json"]
    matches.main(asked)
    [row] = json.loads(capsys.readouterr().out)["cells"]
    assert (row["rules"], row["miners"], row["saboteurs"]) == ("tight", "trust", "random")
    assert row["rounds"] == 3
    assert row["interval"][0] <= row["miners_win"] <= row["interval"][1]
    kept = [json.loads(line) for line in out.read_text().splitlines()]
    out.write_text(json.dumps(kept[0]) + "\n")
    matches.main(asked)
    capsys.readouterr()
    again = [json.loads(line) for line in out.read_text().splitlines()]
    for one, other in zip(kept, again, strict=True):
        assert {**one, "seconds": 0} == {**other, "seconds": 0}
    matches.main([*asked[2:-1], "--report"])
    assert "| tight | trust | random | 3 |" in capsys.readouterr().out


def test_every_cell_has_agents_that_there_are(matches: ModuleType) -> None:
    for cell in matches.ALL:
        for text in (matches.MINERS[cell.miners], matches.SABOTEURS[cell.saboteurs]):
            assert parse_agent(text).text == text
    with pytest.raises(SystemExit):
        matches.main(["--cell", "nobody"])
