"""The comparison of speeds has a number for every game, and ratios where there is a peer."""

from __future__ import annotations

import importlib
import json
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    pytest.importorskip("pyspiel")
    return importlib.import_module("benchmarks.search.speed")


def always(name: str, turns: int) -> float:
    return 1.5


@pytest.fixture
def tiny(benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(benchmark, "GAMES", ("kuhn_poker", "phantom_tic_tac_toe"))
    monkeypatch.setattr(benchmark, "THEIRS", ("kuhn_poker",))
    monkeypatch.setattr(benchmark, "SIMULATIONS", (40, 20))
    monkeypatch.setattr(benchmark, "TURN", 0.001)
    # What a second thread adds takes searches that are long enough to be timed.
    monkeypatch.setattr(benchmark, "two_workers", always)
    return benchmark


def test_the_json_answer_has_rates_of_every_game(
    tiny: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tiny.main(["--json", "--turns", "1"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == {"kuhn_poker", "phantom_tic_tac_toe", "two_workers"}
    assert answer["two_workers"] == {"leduc_poker": 1.5}
    for name, keys in (
        ("kuhn_poker", {"ours", "open_spiel", "ratio"}),
        ("phantom_tic_tac_toe", {"ours"}),
    ):
        found = answer[name]
        assert set(found) == keys | {"at_1000"}
        assert set(found["at_1000"]) == keys
        for row in (found, found["at_1000"]):
            assert all(row[key] > 0.0 for key in keys)
    for row in (answer["kuhn_poker"], answer["kuhn_poker"]["at_1000"]):
        assert row["ratio"] == pytest.approx(row["ours"] / row["open_spiel"])


def test_the_table_says_whether_the_peer_is_beaten(
    tiny: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(name: str, simulations: int, turns: int) -> dict[str, float]:
        assert turns == 3
        return {"ours": 400.0, "open_spiel": 100.0, "ratio": 4.0}

    monkeypatch.setattr(tiny, "compare", found)
    for wanted, holds in ((5.0, "no"), (4.0, "yes")):
        monkeypatch.setattr(tiny, "WANTED", wanted)
        assert tiny.main(["--turns", "3"]) == 0
        said = capsys.readouterr().out.splitlines()
        assert said[-1].startswith(f"kuhn_poker: at least {wanted:g} times OpenSpiel's rate")
        assert said[-1].endswith(holds)
