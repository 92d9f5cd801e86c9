"""The benchmark asks what is possible, and both ways of asking say the same."""

from __future__ import annotations

import importlib
import json
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return importlib.import_module("benchmarks.beliefs.after_each")


def test_it_prints_one_row_for_each_number_of_players_and_events(
    benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmark, "MOST", 40)
    given = ["--players", "3", "6", "--events", "0", "12", "--moments", "1", "--rounds", "1"]
    benchmark.main([*given, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [(players, *rows) for players, rows in found.items()] == [
        ("3", "0", "12"),
        ("6", "0", "12"),
    ]
    for row in (row for rows in found.values() for row in rows.values()):
        assert row["continuations"] == 40
        assert row["seconds_together"] > 0.0
        assert row["ratio"] == pytest.approx(row["seconds_one_by_one"] / row["seconds_together"])


def test_it_gives_up_where_they_disagree(
    benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "MOST", 5)
    (moment,) = benchmark.moments(3, 1)
    chances, bits, rows = benchmark.together(moment)
    monkeypatch.setattr(benchmark, "together", lambda _: (chances + 1e-6, bits, rows))
    with pytest.raises(SystemExit, match="off by"):
        benchmark.measured(moment, 1)
