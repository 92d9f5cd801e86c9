"""The twelve set-ups of the paper on Saboteur: rounds are kept, and go on where they ended."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def setups() -> ModuleType:
    return importlib.import_module("benchmarks.saboteur.setups")


def test_all_set_ups_are_played_and_a_run_goes_on(
    setups: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rounds.jsonl"
    setups.main(["--rounds", "1", "--out", str(out), "--json"])
    rows = json.loads(capsys.readouterr().out)["setups"]
    assert {(row["factor"], row["depth"], row["saboteurs"]) for row in rows} == set(setups.SETUPS)
    assert len(rows) == 12
    for row in rows:
        assert row["rounds"] == 1
        assert row["miners_win"] in (0.0, 1.0)
        assert row["interval"][0] <= row["miners_win"] <= row["interval"][1]
        assert 0.0 <= row["truth_believed"] <= 1.0
        assert row["all_believe"] <= row["truth_believed"]
        assert row["nothing_believed"] == 0.0
        assert row["worlds_believed"] >= 1.0
        assert row["log_loss"] >= 0.0
    kept = out.read_text().splitlines()
    # A run that was interrupted: what is gone is played again, and the same.
    out.write_text("\n".join(kept[:-2]) + "\n")
    setups.main(["--rounds", "1", "--out", str(out), "--json"])
    assert json.loads(capsys.readouterr().out)["setups"] == rows
    assert sorted(out.read_text().splitlines()) == sorted(kept)


def test_other_weights_of_cards_play_otherwise(setups: ModuleType) -> None:
    numbers = list(range(6))
    usual = setups.play_rounds("paper", 1, "", numbers)
    assert setups.play_rounds("paper", 1, "", numbers, 3) != usual
    assert setups.play_rounds("paper", 1, "", numbers) == usual
