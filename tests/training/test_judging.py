"""Scores of predictions, against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from sleuth.errors import SettingsError
from sleuth.training.judging import (
    auc,
    auc_gain,
    auc_interval,
    calibration_curve,
    judge,
    line,
    roc_curve,
)

RNG = np.random.default_rng(0)
P = np.round(RNG.random(2000), 2).clip(0.01, 0.99)
Y = (RNG.random(2000) < P).astype(int)
GROUPS = RNG.integers(40, size=2000)


def test_scores_are_those_of_scikit_learn() -> None:
    scores = judge(Y, P, GROUPS)
    assert scores.auc == pytest.approx(roc_auc_score(Y, P), abs=1e-12)
    assert scores.brier == pytest.approx(brier_score_loss(Y, P), abs=1e-12)
    assert scores.log_loss == pytest.approx(log_loss(Y, P), abs=1e-12)
    low, high = scores.auc_interval
    assert low < scores.auc < high


def test_weights_count_as_copies() -> None:
    weights = RNG.integers(0, 4, size=2000)
    wanted = roc_auc_score(np.repeat(Y, weights), np.repeat(P, weights))
    assert auc(Y, P, weights) == pytest.approx(wanted, abs=1e-12)


def test_four_claims_by_hand() -> None:
    scores = judge([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], [1, 2, 3, 4])
    assert scores.auc == 0.75
    assert (scores.tpr, scores.tnr) == (0.5, 0.5)
    assert scores.g_mean == 0.5
    assert scores.brier == pytest.approx((0.01 + 0.36 + 0.36 + 0.01) / 4)
    assert roc_curve(np.array([1, 1, 0, 0]), np.array([0.9, 0.4, 0.6, 0.1])).tolist() == [
        [0, 0], [0, 0.5], [0.5, 0.5], [0.5, 1], [1, 1],
    ]  # fmt: skip


def test_true_probabilities_have_the_slope_one() -> None:
    p = RNG.random(50_000) * 0.96 + 0.02
    y = (RNG.random(50_000) < p).astype(int)
    scores = judge(y, p, np.arange(50_000) // 50)
    assert scores.slope == pytest.approx(1, abs=0.03)
    assert scores.intercept == pytest.approx(0, abs=0.04)
    # Twice as sure as it should be.
    logits = 2 * np.log(p / (1 - p))
    assert judge(y, 1 / (1 + np.exp(-logits)), np.arange(50_000) // 50).slope == pytest.approx(
        0.5, abs=0.02
    )
    assert np.abs(scores.curve[:, 0] - scores.curve[:, 1]).max() < 0.03
    assert scores.curve[:, 2].sum() == 50_000


@pytest.mark.parametrize("spread", [0.5, 2.0, 6.0])
@pytest.mark.parametrize("slope", [0.0, 0.3, 1.0])
def test_the_slope_is_that_of_logistic_regression_however_wrong_predictions_are(
    spread: float, slope: float
) -> None:
    rng = np.random.default_rng(9)
    logits = spread * rng.normal(size=600)
    y = (rng.random(600) < 1 / (1 + np.exp(-(slope * logits - 1.5)))).astype(int)
    usual = LogisticRegression(C=1e10, max_iter=10_000, tol=1e-9).fit(logits[:, None], y)
    assert line(logits, y) == pytest.approx((usual.coef_[0, 0], usual.intercept_[0]), abs=1e-3)


def test_the_interval_is_over_groups_not_rows() -> None:
    """Each group's rows are copies of one: five times as many say nothing more."""
    base = auc_interval(Y[:200], P[:200], np.arange(200))
    copies = auc_interval(
        np.repeat(Y[:200], 5), np.repeat(P[:200], 5), np.repeat(np.arange(200), 5)
    )
    naive = auc_interval(np.repeat(Y[:200], 5), np.repeat(P[:200], 5), np.arange(1000))
    width = base[1] - base[0]
    assert copies[1] - copies[0] == pytest.approx(width, rel=0.1)
    assert naive[1] - naive[0] < 0.6 * width


def test_few_players_or_no_difference_have_no_interval() -> None:
    """Ten claims of two players said "0.667 to 0.667"."""
    y, p = np.array([0, 1, 0, 1, 1, 0, 1, 0, 1, 0]), np.linspace(0.05, 0.95, 10)
    for low, high in (
        auc_interval(y, p, np.arange(10) % 2),
        auc_interval(y, p, np.arange(10) % 4),
        auc_interval(y, y * 0.5 + 0.25, np.arange(10)),
        auc_gain(y, p, 1 - p, np.arange(10) % 2)[1:],
    ):
        assert np.isnan(low)
        assert np.isnan(high)
    assert judge(y, p, np.arange(10) % 2).to_json()["auc_interval"] == [None, None]


def test_an_interval_of_95_percent_holds_the_truth_about_that_often() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for seed in range(60):
        effect = rng.normal(size=40) * 0.3
        group = np.repeat(np.arange(40), 20)
        y = rng.integers(2, size=800)
        p = 1 / (1 + np.exp(-(y + rng.normal(size=800) + effect[group])))
        low, high = auc_interval(y, p, group, seed=seed)
        held += low <= 0.7519 <= high  # Phi(1 / sqrt(2 (1 + 0.3^2)))
    assert held >= 50


def test_equal_predictions_tell_nothing() -> None:
    scores = judge(Y, np.full(2000, 0.5), GROUPS)
    assert scores.auc == 0.5
    assert np.isnan(scores.slope)


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(SettingsError, match="one class"):
        judge([1, 1], [0.5, 0.6], [0, 1])
    with pytest.raises(SettingsError, match="between 0 and 1"):
        judge([1, 0], [0.5, 1.6], [0, 1])
    with pytest.raises(SettingsError, match="between 0 and 1"):
        judge([1, 0], [0.5, np.nan], [0, 1])


def test_bins_hold_equally_many() -> None:
    assert set(calibration_curve(Y, P)[:, 2]) == {200.0}


def test_a_gain_has_an_interval_of_its_own() -> None:
    """A little noise on the same predictions: neither interval alone would tell them apart."""
    noisy = np.clip(P + 0.1 * RNG.normal(size=2000), 0, 1)
    gain, low, high = auc_gain(Y, P, noisy, GROUPS)
    assert gain == pytest.approx(auc(Y, P) - auc(Y, noisy), abs=1e-12)
    assert 0 < low < gain < high
    one, other = auc_interval(Y, P, GROUPS), auc_interval(Y, noisy, GROUPS)
    assert one[0] < other[1]
    assert auc_gain(Y, P, P, GROUPS) == (0, 0, 0)
