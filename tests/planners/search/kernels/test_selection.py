"""Selections against their formulas, by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import Search
from sleuth.errors import SettingsError
from sleuth.games.small import kuhn_poker
from sleuth.kit import generator
from sleuth.planners.search.kernels.selection import selection_settings, uct
from sleuth.search import progressive_history, puct

VISITS = np.array([10.0, 20.0, 5.0, 60.0])
MEANS = np.array([0.30, 0.45, 0.20, 0.50])
AVAILABLE = np.array([95.0, 40.0, 12.0, 95.0])
BIAS = np.array([0.9, 0.1, 0.5, 0.2])
PASSED = 95


def chosen(
    select: Any,
    *,
    visits: Any = VISITS,
    bias: Any = BIAS,
    exploration: float = 0.0,
    weight: float = 0.0,
    by_availability: bool = False,
    seed: int = 1,
) -> int:
    settings = selection_settings(exploration, weight, by_availability)
    return int(
        select(visits, MEANS, AVAILABLE, bias, len(visits), PASSED, settings, generator(seed))
    )


def best(scores: Any) -> int:
    return int(np.argmax(scores))


@pytest.mark.parametrize("exploration", [0.0, 0.1, 0.3, 0.7, 1.4, 5.0])
def test_uct_takes_the_upper_confidence_bound(exploration: float) -> None:
    plain = MEANS + exploration * np.sqrt(math.log(PASSED) / VISITS)
    assert chosen(uct, exploration=exploration) == best(plain)
    counted = MEANS + exploration * np.sqrt(np.log(AVAILABLE) / VISITS)
    assert chosen(uct, exploration=exploration, by_availability=True) == best(counted)


@pytest.mark.parametrize("weight", [0.0, 1.0, 5.0, 50.0])
def test_progressive_history_adds_the_actions_average(weight: float) -> None:
    scores = MEANS + 0.5 * np.sqrt(math.log(PASSED) / VISITS)
    scores = scores + weight * BIAS / (VISITS * (1 - MEANS) + 1)
    assert chosen(progressive_history, exploration=0.5, weight=weight) == best(scores)


@pytest.mark.parametrize("exploration", [0.0, 0.5, 2.0, 20.0])
def test_puct_follows_its_priors(exploration: float) -> None:
    priors = BIAS / BIAS.sum()
    scores = MEANS + exploration * priors * math.sqrt(PASSED) / (1 + VISITS)
    assert chosen(puct, exploration=exploration) == best(scores)


def test_puct_without_a_prior_for_an_action_may_never_try_it() -> None:
    visits = np.array([10.0, 20.0, 0.0, 60.0])
    assert chosen(puct, visits=visits, bias=np.array([1.0, 1.0, 0.0, 1.0]), exploration=2.0) != 2
    assert chosen(puct, visits=visits, bias=np.array([1.0, 1.0, 9.0, 1.0]), exploration=2.0) == 2


@pytest.mark.parametrize("select", [uct, progressive_history])
def test_actions_never_taken_come_first_in_random_order(select: Any) -> None:
    visits = np.array([10.0, 0.0, 0.0, 0.0])
    first = [chosen(select, visits=visits, exploration=0.1, seed=seed) for seed in range(600)]
    counts = np.bincount(first, minlength=4)
    assert counts[0] == 0
    assert chisquare(counts[1:]).pvalue > 1e-4


def test_large_counts_have_their_logarithm_too() -> None:
    many = np.array([500_000.0, 90_000.0])
    settings = selection_settings(0.7, 0.0, False)
    means = np.array([0.5, 0.49])
    passed = 590_000
    found = uct(many, means, many, many, 2, passed, settings, generator(1))
    assert found == best(means + 0.7 * np.sqrt(math.log(passed) / many))


def test_parts_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(SettingsError, match="history=True"):
        Search(kuhn_poker(), selection=progressive_history)
    with pytest.raises(SettingsError, match="no key"):
        Search(kuhn_poker(), information="key")
    with pytest.raises(SettingsError, match="every world has a tree of its own"):
        Search(kuhn_poker(), information="everything")
    with pytest.raises(SettingsError, match="one entry for each player"):
        Search(kuhn_poker(), searched=(True,))
    with pytest.raises(SettingsError, match="2 rows of 2"):
        Search(kuhn_poker(), credits=[[1.0]])
    with pytest.raises(SettingsError, match="no such option"):
        Search(kuhn_poker(), exploraton=1.0)
