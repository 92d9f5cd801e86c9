"""Kinds of predictors of claims on the same folds, and what the page says of the shipped one."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from sleuth.games.cheat import TRUTH, USUAL, known_predictor

ROOT = Path(__file__).parents[3]


@pytest.fixture
def kinds() -> ModuleType:
    return importlib.import_module("benchmarks.cheat.kinds")


def test_kinds_are_judged_by_the_same_claims(
    kinds: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kinds, "DRAWN", 20)
    monkeypatch.setattr(kinds, "ASKED", 20)
    kinds.main(["--players", "10", "--kinds", "logistic", "tree", "--json"])
    found = json.loads(capsys.readouterr().out)
    first, second = found["kinds"]
    assert (first["kind"], second["kind"]) == ("logistic", "tree")
    assert first["AUC, more than the first"] == [0.0, 0.0]
    low, high = second["AUC, more than the first"]
    assert low < second["AUC"] - first["AUC"] < high
    assert 0.5 < second["AUC"] < first["AUC"] < 1.0
    for row in (first, second):
        assert row["bytes"] > 500
        assert row["microseconds, one row"] > row["microseconds a row, of all"] > 0.0


def test_the_page_sets_a_forest_beside_what_is_shipped() -> None:
    card = known_predictor(USUAL, TRUTH).card
    page = (ROOT / "docs" / "results" / "cheat_training.md").read_text("utf-8")
    section = page.partition("## Which kind comes with sleuth\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| (\w+) \| (0\.\d{4}) \|", section, re.M))
    assert next(iter(rows)) == card["model"]
    assert "forest" in rows
    assert float(rows[card["model"]]) == pytest.approx(card["scores"]["cold"]["auc"], abs=0.002)
    assert f"{card['trained_on']['claims']:,} claims" in section
