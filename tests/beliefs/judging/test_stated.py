"""Scores of stated beliefs: proper, and each wrong way to weigh evidence shows where it should."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth.beliefs.judging.stated import StatedBelief, StatedScores, stated_scores


def two(share: float) -> np.ndarray:
    return np.array([share, 1.0 - share])


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_nobody_expects_a_better_score_than_the_exact_posterior(exact: float, said: float) -> None:
    one = StatedBelief(0, "coin", two(exact), two(said), truth=0)
    assert one.kl_bits >= 0.0
    assert one.log_bits >= one.entropy_bits - 1e-9
    assert one.brier >= one.exact_brier
    assert one.brier - one.exact_brier == pytest.approx(2 * (exact - said) ** 2)
    by_hand = exact * math.log2(exact / said) + (1 - exact) * math.log2((1 - exact) / (1 - said))
    assert one.kl_bits == pytest.approx(by_hand, abs=1e-9)
    assert one.true_scores(two(said)) == pytest.approx((-math.log2(said), 2 * (1 - said) ** 2))


def test_what_is_possible_and_was_given_nothing_costs_much_and_not_everything() -> None:
    one = StatedBelief(0, "coin", two(0.5), np.array([1.0, 0.0]))
    assert one.missed
    assert 3.0 < one.kl_bits < 6.0


def judged(weight: Callable[[int], float], moments: int = 40, things: int = 3) -> StatedScores:
    """Somebody who weighs evidence by its age, over random evidence."""
    rng = np.random.default_rng(1)
    stated: list[StatedBelief] = []
    for thing in range(things):
        news = rng.normal(0.0, 0.5, moments)
        for now in range(moments + 1):
            odds = news[:now].sum()
            theirs = sum(weight(now - 1 - place) * news[place] for place in range(now))
            exact, said = (two(1.0 / (1.0 + math.exp(-each))) for each in (odds, theirs))
            stated.append(StatedBelief(now, f"thing {thing}", exact, said))
    return stated_scores(stated)


def around(value: float, interval: tuple[float, float] | None) -> bool:
    return interval is not None and interval[0] - 1e-9 <= value <= interval[1] + 1e-9


def test_the_exact_judge_is_not_off_at_all() -> None:
    scores = judged(lambda age: 1.0)
    assert scores.kl_bits.value == pytest.approx(0.0, abs=1e-12)
    assert scores.slope.value == pytest.approx(1.0)
    assert scores.recency.value == pytest.approx(0.0, abs=1e-9)
    assert [each.weight.value for each in scores.weights] == pytest.approx([1.0] * 5)
    assert scores.calibration_error == pytest.approx(0.0, abs=1e-12)


def test_a_forgetful_judge_is_farther_and_farther_off() -> None:
    scores = judged(lambda age: float(age < 4))
    assert scores.growth.interval is not None
    assert scores.growth.interval[0] > 0.002
    assert scores.late_kl_bits > 3 * scores.early_kl_bits
    assert [each.weight.value for each in scores.weights] == pytest.approx(
        [1, 1, 1, 0, 0], abs=1e-6
    )
    assert around(1.0, scores.slope.interval)


def test_an_order_biased_judge_weighs_late_evidence_more() -> None:
    scores = judged(lambda age: 2.0 if age == 0 else 1.0)
    assert scores.recency.value == pytest.approx(1.0)
    assert scores.lagged.value == pytest.approx(-1.0)
    assert [each.weight.value for each in scores.weights] == pytest.approx(
        [2, 1, 1, 1, 1], abs=1e-6
    )
    assert around(0.0, scores.growth.interval)


def test_a_conservative_judge_moves_too_little() -> None:
    scores = judged(lambda age: 0.5)
    assert scores.slope.value == pytest.approx(0.5)
    assert scores.slope.interval is not None
    assert scores.slope.interval[1] < 1.0
    assert scores.recency.value == pytest.approx(0.0, abs=1e-9)


@settings(max_examples=4)
@given(st.integers(0, 10_000))
def test_weights_are_found_among_noise(seed: int) -> None:
    rng = np.random.default_rng(seed)
    stated: list[StatedBelief] = []
    for thing in range(4):
        news, noise = rng.normal(0.0, 0.7, 30), rng.normal(0.0, 0.05, 31)
        for now in range(31):
            odds = news[:now].sum()
            theirs = odds + (news[now - 1] if now else 0.0) + noise[now]
            exact, said = (two(1.0 / (1.0 + math.exp(-each))) for each in (odds, theirs))
            stated.append(StatedBelief(now, f"thing {thing}", exact, said))
    scores = stated_scores(stated, seed=seed)
    assert scores.recency.value == pytest.approx(1.0, abs=0.25)
    assert scores.recency.interval is not None
    assert scores.recency.interval[0] > 0.5


def test_too_few_moments_have_no_interval() -> None:
    scores = stated_scores([StatedBelief(0, "coin", two(0.5), two(0.6))])
    assert scores.kl_bits.interval is None
    assert scores.slope.value is None
    assert scores.weights == ()
