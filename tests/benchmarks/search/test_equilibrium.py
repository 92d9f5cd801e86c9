"""The report on how near the search is to an equilibrium says what it should."""

from __future__ import annotations

import importlib
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return importlib.import_module("benchmarks.search.equilibrium")


def test_no_policy_wins_more_than_the_value_from_an_equilibrium(benchmark: ModuleType) -> None:
    said: list[str] = []
    found = benchmark.of_game("kuhn_poker", [30, 300], 2, 300, said.append)
    value = found["value"]
    assert value == pytest.approx(-1 / 18, abs=0.002)
    rows = [found["equilibrium"], found["uniform"]]
    for title in benchmark.SEARCHES:
        for simulations in ("30", "300"):
            rows += [found[title][simulations][kind] for kind in ("visits", "greedy")]
    assert len(rows) == 14
    for row in rows:
        first, second = row["against_equilibrium"]
        assert first <= value + 0.003
        assert second <= -value + 0.003
        assert row["exploitability"] >= 0
    assert found["uniform"]["exploitability"] == pytest.approx(11 / 24)
    assert found["players"]["300"]["visits"]["exploitability"] < 11 / 24
    text = benchmark.table("kuhn_poker", found)
    assert len(text.splitlines()) == 2 + len(rows)
