"""What a number of games says: intervals that cover, and a test that errs as rarely as it says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from sleuth.data.intervals import wilson
from sleuth.errors import SettingsError
from sleuth.matches import Stop
from sleuth.planners.matches.match_statistics import EQUAL, FIRST, SECOND


@pytest.mark.parametrize("wins, games", [(0, 1), (1, 1), (3, 10), (50, 100), (199, 200)])
def test_the_interval_is_that_of_another_library(wins: int, games: int) -> None:
    theirs = binomtest(wins, games).proportion_ci(method="wilson")
    assert wilson(wins, games) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_without_games_any_rate_is_possible() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("games", [10, 40, 200])
def test_the_interval_holds_the_true_rate_about_95_times_in_100(games: int) -> None:
    ends = np.array([wilson(wins, games) for wins in range(games + 1)])
    rates = np.linspace(0.01, 0.99, 197)
    holds = (ends[:, :1] <= rates) & (rates <= ends[:, 1:])
    coverage = (holds * binom.pmf(np.arange(games + 1)[:, None], games, rates)).sum(axis=0)
    assert coverage.mean() == pytest.approx(0.95, abs=0.01)
    assert coverage.min() > 0.83


def test_a_run_of_wins_ends_the_test_where_wald_says() -> None:
    # 20 ln 1.2 > ln(0.95 / 0.025) > 19 ln 1.2
    assert 19 * math.log(1.2) < math.log(0.95 / 0.025) < 20 * math.log(1.2)
    stop = Stop(delta=0.1, alpha=0.05, beta=0.05)
    assert stop.verdict([1] * 19) == (None, 19)
    assert stop.verdict([1] * 100) == (FIRST, 20)
    assert stop.verdict([-1] * 100) == (SECOND, 20)
    assert stop.verdict([1, -1] * 500)[0] == EQUAL


def test_rounds_of_nobody_say_nothing() -> None:
    stop = Stop(delta=0.1)
    assert stop.verdict([0] * 1000) == (None, 1000)
    assert stop.verdict([0, 1] * 20) == (FIRST, 40)


def verdicts(rate: float, stop: Stop, runs: int = 1500) -> dict[str | None, float]:
    rng = np.random.default_rng(7)
    found: list[str | None] = []
    for _ in range(runs):
        found.append(stop.verdict(np.where(rng.random(1500) < rate, 1, -1).tolist())[0])
    return {verdict: found.count(verdict) / runs for verdict in (FIRST, SECOND, EQUAL, None)}


def test_the_test_errs_as_rarely_as_it_says() -> None:
    stop = Stop(delta=0.15, alpha=0.1, beta=0.1)
    noise = 3 * math.sqrt(0.1 * 0.9 / 1500)
    equal = verdicts(0.5, stop)
    assert equal[FIRST] + equal[SECOND] <= 0.1 + noise
    # Rarely is not never: with errors of nearly nothing the test would be much longer.
    assert equal[FIRST] + equal[SECOND] >= 0.03
    better = verdicts(0.65, stop)
    assert 1 - 0.1 - noise <= better[FIRST] < 0.995
    worse = verdicts(0.35, stop)
    assert worse[SECOND] >= 1 - 0.1 - noise


@pytest.mark.parametrize("numbers", [{"delta": 0.0}, {"delta": 0.5}, {"alpha": 0.0}, {"beta": 1.0}])
def test_impossible_numbers_are_refused(numbers: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match="above 0 and below"):
        Stop(**numbers)
