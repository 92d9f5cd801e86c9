"""Of what is given 30 % in Clue, 30 % is true, if the refuter's choice is weighed; else it is not.

Refuters choose at random among the cards they can show. Cards of one game depend on each other,
so everything is tested on sums per game, against worlds drawn from the posteriors.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np
import pytest

# Of each size. Large games take longer, and plain counting is found in fewer of them: with
# p = 2e-8 and less.
GAMES = {3: 250, 4: 250, 5: 150, 6: 150}
# Of each size; the four sizes are judged together.
SEEN_GAMES = 120
SEED = 71


@pytest.fixture(scope="module")
def script() -> Any:
    """benchmarks/clue/calibration.py, which makes the page of the documentation."""
    module: Any = importlib.import_module("benchmarks.clue.calibration")
    module.judge = functools.cache(module.judge)
    return module


def mean(curve: Any, what: str) -> float:
    count = sum(entry.count for entry in curve.bins)
    return sum(entry.count * getattr(entry, what) for entry in curve.bins) / count


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_choice_at_random_is_calibrated_and_plain_counting_is_not(script: Any, players: int):
    weighed, counted = (
        script.judge(players, choice, GAMES[players], SEED, viewer="notebook")
        for choice in ("random", "ignored")
    )
    for kind in script.KINDS:
        curve = weighed[kind].reliability()
        assert curve.refuted == 0
        # Four sizes of games and three kinds of cells are tested: 0.1 % in each.
        assert curve.p_value > 0.001, kind
        assert abs(curve.z) < 3.3, kind
        assert curve.log_score_bits < counted[kind].reliability().log_score_bits, kind
    plain = counted[script.REFUTER].reliability()
    assert plain.refuted == 0
    assert plain.p_value < 1e-6
    # Who has shown one of three cards holds another one less often than a count of deals says.
    assert mean(plain, "predicted") > 1.2 * mean(plain, "happened")


def test_a_player_who_sees_only_what_he_is_shown_is_calibrated_too(script: Any):
    cells: dict[str, Any] = {}
    for choice in ("random", "ignored"):
        cells[choice] = script.Cells()
        for players in (3, 4, 5, 6):
            found = script.judge(players, choice, SEEN_GAMES, SEED, viewer="player")
            cells[choice] += found[script.REFUTER]
    weighed, plain = (cells[choice].reliability() for choice in ("random", "ignored"))
    assert weighed.p_value > 0.001
    assert abs(weighed.z) < 3.3
    assert plain.p_value < 1e-6


def test_planted_errors_are_found(script: Any):
    """The test has the power to see a belief that is somewhat too sure, or not sure enough."""
    right = script.judge(3, "random", GAMES[3], SEED, viewer="notebook")[script.REFUTER]
    for exponent in (0.6, 1.6):
        p = np.array(right.predicted)
        odds = np.where((p > 0) & (p < 1), p, 0.5) / (1.0 - np.where((p > 0) & (p < 1), p, 0.5))
        bent = odds**exponent
        planted = script.Cells(
            [*np.where((p > 0) & (p < 1), bent / (1.0 + bent), p)],
            right.happened,
            right.games,
            right.draws,
        ).reliability()
        assert planted.p_value < 1e-4, exponent
    wrong = script.judge(3, "preference", GAMES[3], SEED, viewer="notebook")[script.REFUTER]
    assert wrong.reliability().p_value < 1e-4
