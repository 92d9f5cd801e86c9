"""The benchmark compares equals: all methods give the same posterior, or it stops."""

from __future__ import annotations

import importlib
import json
from types import ModuleType
from typing import Any

import numpy as np
import pytest


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return importlib.import_module("benchmarks.clue.inference")


def installed(method: Any) -> bool:
    return "not installed" not in method.library


@pytest.mark.parametrize("place", range(9))
def test_every_method_gives_the_same_posterior_of_a_game_of_three(benchmark: Any, place: int):
    method = benchmark.METHODS[place]
    if not installed(method):
        pytest.skip(f"{method.name} comes with the extra 'bench'")
    for state in benchmark.states(3, 2):
        ours = benchmark.OURS.prepare(state)
        expected = ours.answer(ours.after(state.event))
        if "choice" in method.name:
            continue
        peer = method.prepare(state)
        answer = peer.answer(peer.after(state.event))
        assert answer.error(expected) < 1e-9
        assert answer.case_file.sum() == pytest.approx(1.0, abs=1e-9)
        assert answer.held.sum(axis=0) == pytest.approx(np.array(state.sizes), abs=1e-9)


@pytest.mark.parametrize("ready", ["past", "declaration", "nothing"])
def test_diagrams_give_the_same_posterior_of_a_game_of_four(benchmark: Any, ready: str):
    pytest.importorskip("pysdd")
    method = benchmark.PySDD(ready)
    [state] = benchmark.states(4, 1)
    ours, peer = benchmark.OURS.prepare(state), method.prepare(state)
    expected = ours.answer(ours.after(state.event))
    assert peer.answer(peer.after(state.event)).error(expected) < 1e-9


def test_every_state_ends_with_an_event_that_says_something_new(benchmark: Any):
    for players in (3, 6):
        for state in benchmark.states(players, 5):
            assert len(state.past.events) == 12
            assert state.facts([state.event])


def test_states_are_the_same_every_time(benchmark: Any):
    first, second = benchmark.states(4, 3), benchmark.states(4, 3)
    assert [state.game for state in first] == [state.game for state in second]


def test_the_benchmark_stops_when_a_method_is_wrong(benchmark: Any):
    timing = importlib.import_module("benchmarks.clue.timing")

    class Wrong(benchmark.NumpyEnumeration):
        name = "wrong"

        def prepare(self, state: Any) -> Any:
            right = super().prepare(state)

            class Off:
                def after(self, event: Any) -> Any:
                    return right.after(event)

                def answer(self, posterior: Any) -> Any:
                    posterior.held[0] += 1e-6
                    return posterior

            return Off()

    budget = timing.Budget({3: 1}, quick=False)
    with pytest.raises(timing.Disagreement, match=r"wrong is off by 1\.0e-06"):
        timing.measure(3, [benchmark.OURS, Wrong()], benchmark.states(3, 1), budget, lambda: None)


def test_the_json_answer_has_a_number_for_every_peer_of_a_game_of_three(
    benchmark: Any, capsys: pytest.CaptureFixture[str]
):
    assert benchmark.main(["--json", "--players", "3", "--states", "1", "--quick"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == {"3", "gain_all_suggestions", "best_questions"}
    assert set(answer["3"]) == {"ours", "numpy_enumeration", "pysdd", "pyagrum", "pgmpy"}
    for key, method in zip(answer["3"], benchmark.METHODS, strict=False):
        if installed(method):
            assert answer["3"][key] > 0.0
    assert set(answer["gain_all_suggestions"]) == {"3"}
    assert answer["best_questions"]["3"] > 0.0


def test_the_page_names_every_method_and_what_was_timed(benchmark: Any):
    timing = importlib.import_module("benchmarks.clue.timing")
    times = {
        method.name: timing.Times({"a state": 0.002}, {"a state": 0.003})
        for method in benchmark.METHODS
    }
    times["ours"] = timing.Times({"a state": 0.0001}, {"a state": 0.001})
    results = benchmark.Results({3: times}, {"spectator": {6: 0.5}})
    page = benchmark.written(results, quick=True)
    assert "| pysdd | 2 ms (20x) |" in page
    assert "| pysdd | 3 ms (3.0x) |" in page
    assert "3 players, pysdd: goes on from the past | 20x ours | 20x | 3.0x | yes |" in page
    assert "6 players, spectator | 1 s | 500 ms |  | yes |" in page
    for method in benchmark.METHODS:
        assert f"- {method.name} ({method.library}): {method.note}." in page
