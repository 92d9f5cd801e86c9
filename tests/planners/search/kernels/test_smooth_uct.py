"""Smooth UCT against its formula: how often it takes what looks best, and what it takes else."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import Budget, Play, Search
from sleuth.errors import SettingsError
from sleuth.games.small import tic_tac_toe
from sleuth.kit import generator
from sleuth.planners.search.kernels.selection import Mixing, selection_settings, uct
from sleuth.planners.search.kernels.smooth_uct import smooth_uct

VISITS = np.array([10.0, 20.0, 5.0, 0.0, 60.0])
MEANS = np.array([0.30, 0.45, 0.90, 0.0, 0.50])
BEST = 2
DRAWS = 20_000


def counts(mixing: Mixing, *, visits: Any = VISITS, passed: int | None = None) -> Any:
    """How often each action is taken."""
    settings = selection_settings(0.1, 0.0, False, mixing)
    random = generator(7)
    passed = int(visits.sum()) + 1 if passed is None else passed
    none = np.zeros(len(visits))
    taken = np.zeros(len(visits))
    for _ in range(DRAWS):
        taken[smooth_uct(visits, MEANS, none, none, len(visits), passed, settings, random)] += 1
    return taken


def expected(best: float, rest: Any) -> Any:
    chances = (1 - best) * rest / rest.sum()
    chances[BEST] += best
    return chances * DRAWS


def agrees(seen: Any, wanted: Any) -> bool:
    possible = wanted > 0
    return seen[~possible].sum() == 0 and chisquare(seen[possible], wanted[possible]).pvalue > 1e-4


TRIED = VISITS + (VISITS == 0)  # UCT would take an action that was never tried


@pytest.mark.parametrize("mixing", [Mixing(), Mixing(slowing=0.05), Mixing(least=0.5, slowing=9.0)])
def test_it_takes_the_best_with_the_chance_of_the_formula(mixing: Mixing) -> None:
    passed = int(TRIED.sum()) + 1
    best = max(mixing.least, mixing.most / (1 + mixing.slowing * math.sqrt(passed)))
    assert agrees(counts(mixing, visits=TRIED), expected(best, TRIED))


def test_the_check_would_see_another_chance() -> None:
    seen = counts(Mixing(slowing=0.05), visits=TRIED)
    assert not agrees(seen, expected(0.9, TRIED))


def test_without_mixing_it_is_uct() -> None:
    settings = selection_settings(0.3, 0.0, False, Mixing(least=1.0, most=1.0))
    none = np.zeros(5)
    for seed in range(50):
        visits = np.random.default_rng(seed).integers(1, 30, 5).astype(float)
        passed = int(visits.sum()) + 1
        arguments = (visits, MEANS, none, none, 5, passed, settings, generator(seed))
        assert smooth_uct(*arguments) == uct(*arguments)


def test_an_action_never_taken_has_no_share_in_the_average() -> None:
    seen = counts(Mixing(least=0.0, most=0.0))
    assert agrees(seen, DRAWS * VISITS / VISITS.sum())


def test_what_was_taken_of_others_is_left_out_or_spread() -> None:
    more = int(VISITS.sum()) + 96  # 95 times something was taken that is not legal now
    scaled = counts(Mixing(least=0.0, most=0.0), passed=more)
    assert agrees(scaled, DRAWS * VISITS / VISITS.sum())
    spread = counts(Mixing(least=0.0, most=0.0, spread=True), passed=more)
    assert agrees(spread, DRAWS * (0.5 * VISITS / VISITS.sum() + 0.5 / len(VISITS)))


@pytest.mark.parametrize("wrong", [{"least": -0.1}, {"most": 1.5}, {"slowing": math.nan}])
def test_numbers_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="must be a number"):
        Mixing(**wrong)


def test_a_search_with_it_finds_the_winning_move() -> None:
    play = Play.new(tic_tac_toe(), seed=0)
    for move in (0, 4, 1, 8):
        play.apply(move)
    search = Search(tic_tac_toe(), selection=smooth_uct, mixing=Mixing(slowing=0.01))
    assert search.decide(play.view(0), budget=Budget(simulations=3_000), seed=1).action == 2
