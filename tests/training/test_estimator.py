"""The classifier that is over-sampled and calibrated again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from sleuth.training.estimator import BalancedClassifier, platt
from sleuth.training.predictor_kinds import MODELS, classifier


def rows(count: int, seed: int, *, share: float = 0.5) -> tuple[Any, Any]:
    """Two normal clouds, the second with a share of the rows."""
    rng = np.random.default_rng(seed)
    y = (rng.random(count) < share).astype(int)
    return rng.normal(size=(count, 4)) + 0.8 * y[:, None], y


def logits(X: Any, share: float = 0.5) -> Any:
    """The true log odds of the clouds."""
    return 0.8 * X.sum(axis=1) - 2 * 0.8**2 + np.log(share / (1 - share))


@pytest.mark.parametrize("inner", [None, DecisionTreeClassifier(max_depth=3, random_state=0)])
def test_it_is_an_estimator_of_scikit_learn(inner: Any) -> None:
    check_estimator(BalancedClassifier(inner))


def test_the_default_forest_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made = classifier("forest")
    made.estimator.set_params(n_estimators=5)
    check_estimator(made)


@pytest.mark.parametrize("model", MODELS)
def test_probabilities_can_be_taken_at_their_word(model: str) -> None:
    X, y = rows(1500, 1, share=0.2)
    new, true = rows(4000, 2, share=0.2)
    given = classifier(model).fit(X, y).predict_proba(new)[:, 1]
    slope, intercept = platt(np.log(given / (1 - given)), true)
    # One tree, and a small network that stops early, change more from fold to fold.
    rough = model in ("tree", "network")
    assert (0.6 if rough else 0.75) < slope < (1.8 if rough else 1.3)
    assert abs(intercept) < (0.7 if rough else 0.35)
    assert abs(given.mean() - 0.2) < 0.035


def test_threads_do_not_change_the_last_digit() -> None:
    X, y = rows(400, 6, share=0.3)

    def decided() -> bytes:
        made = classifier("forest", seed=1, jobs=4)
        made.estimator.set_params(n_estimators=60)
        return made.fit(X, y).decision_function(X).tobytes()

    first = decided()
    assert [decided() for _ in range(2)] == [first, first]


def test_over_sampling_alone_would_shift_them() -> None:
    X, y = rows(1500, 1, share=0.2)
    new, _ = rows(4000, 2, share=0.2)
    shifted = BalancedClassifier(folds=0).fit(X, y).predict_proba(new)[:, 1]
    assert shifted.mean() > 0.3
    plain = BalancedClassifier(folds=0, over_sample=False).fit(X, y).predict_proba(new)[:, 1]
    assert abs(plain.mean() - 0.2) < 0.03


def test_it_calibrates_what_is_too_sure_of_itself() -> None:
    X, y = rows(800, 3)
    new, true = rows(4000, 4)
    forest = RandomForestClassifier(50, max_depth=None, random_state=0)
    tree = DecisionTreeClassifier(random_state=0)
    for sure in (forest, tree):
        given = BalancedClassifier(sure).fit(X, y).predict_proba(new)[:, 1]
        given = np.clip(given, 1e-6, 1 - 1e-6)
        assert 0.7 < platt(np.log(given / (1 - given)), true)[0] < 1.3


def test_no_label_is_on_both_sides_of_an_inner_fold() -> None:
    """Rows in copies: an honest calibration notices that copies are no proof."""
    X, y = rows(120, 5)
    groups = np.repeat(np.arange(120), 5)
    X, y = np.repeat(X, 5, axis=0), np.repeat(y, 5)
    tree = DecisionTreeClassifier(random_state=0)
    blind = BalancedClassifier(tree).fit(X, y).slope_
    honest = BalancedClassifier(tree).fit(X, y, groups=groups).slope_
    assert honest < 0.5 * blind


@pytest.mark.parametrize("labels", [1, 2])
def test_few_labels_are_no_reason_to_leave_probabilities_shifted(labels: int) -> None:
    """Over-sampling moves them to a half, however few circles of players there are."""
    X, y = rows(1500, 1, share=0.15)
    new, _ = rows(4000, 2, share=0.15)
    made = BalancedClassifier().fit(X, y, groups=np.arange(1500) % labels)
    assert abs(made.predict_proba(new)[:, 1].mean() - 0.15) < 0.03


def test_what_is_not_known_is_as_is_typical() -> None:
    X, y = rows(400, 6)
    X[::3, 2] = np.nan
    made = BalancedClassifier().fit(X, y)
    assert made.typical_[2] == np.nanmedian(X[:, 2])
    some = X[:5].copy()
    some[:, 2] = np.nan
    filled = np.where(np.isnan(some), made.typical_, some)
    assert np.array_equal(made.predict_proba(some), made.predict_proba(filled))


def test_platt_finds_the_line() -> None:
    rng = np.random.default_rng(7)
    given = rng.normal(size=50_000) * 2
    y = (rng.random(50_000) < 1 / (1 + np.exp(-(0.5 * given - 0.3)))).astype(int)
    slope, intercept = platt(given, y)
    assert slope == pytest.approx(0.5, abs=0.03)
    assert intercept == pytest.approx(-0.3, abs=0.05)
    assert platt(given, 1 - y)[0] > 0  # an order is never turned round


def test_the_clouds_are_told_apart_as_well_as_can_be() -> None:
    X, y = rows(3000, 8)
    new, _ = rows(2000, 9)
    given = BalancedClassifier().fit(X, y).decision_function(new)
    assert np.corrcoef(given, logits(new))[0, 1] > 0.99
