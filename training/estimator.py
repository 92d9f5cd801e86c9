"""A classifier of two classes that is over-sampled and calibrated honestly, around any other.

Where one class is rarer, its rows are drawn again until both are as many: the paper over-samples
(Bitan and Kraus 2018, section 4.7). That shifts probabilities, so they are calibrated again by
Platt's method (1999, "Probabilistic outputs for support vector machines") on predictions of inner
folds, which are over-sampled each for itself: no row is ever in its own training.
"""

# scikit-learn and scipy come without types.
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from ..beliefs.predictors.predictor import EDGE
from .threads import one_thread

#: Fewer rows than this of a class are not calibrated on.
LEAST_ROWS: Final = 10
#: A calibration never turns an order round.
LEAST_SLOPE: Final = 1e-3


class BalancedClassifier(ClassifierMixin, BaseEstimator):
    """Two classes: unknown features filled in, the rarer class over-sampled, then calibrated.

    Args:
        estimator: What is fitted; None for logistic regression.
        over_sample: Whether the rarer class is drawn again until both are as many.
        folds: Inner folds whose predictions the calibration is fitted on; 0 for none.
        random_state: Of the draws and the folds.

    Attributes:
        classes_: The two classes.
        estimator_: Fitted on all rows.
        typical_: float64[F], the median of each feature, which stands where it is unknown.
        slope_, intercept_: The calibrated logit is slope times the estimator's plus intercept.
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        over_sample: bool = True,
        folds: int = 3,
        random_state: Any = 0,
    ) -> None:
        self.estimator = estimator
        self.over_sample = over_sample
        self.folds = folds
        self.random_state = random_state

    def fit(self, X: Any, y: Any, groups: Any = None) -> BalancedClassifier:
        """Fit to rows.

        Args:
            X: float[n, F]; what is not known is not a number.
            y: n classes.
            groups: n labels; rows of one label are never in two inner folds, unless there is but
                one: probabilities that over-sampling has shifted would be worse.
        """
        given, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        if kind != "binary":
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}."
            )
        self.classes_, target = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("Classifier can't train when only one class is present.")
        random = check_random_state(self.random_state)
        known = np.where(np.isnan(given).all(axis=0), 0.0, given)
        self.typical_ = np.nanmedian(known, axis=0)
        filled = np.where(np.isnan(given), self.typical_, given)
        self.slope_, self.intercept_ = self._calibration(filled, target, groups, random)
        self.estimator_ = self._fitted(filled, target, random)
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """The calibrated logit of the second class; float64[n]."""
        check_is_fitted(self)
        given = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        filled = np.where(np.isnan(given), self.typical_, given)
        return self.slope_ * logit_of(self.estimator_, filled) + self.intercept_

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of both classes; float64[n, 2]."""
        with np.errstate(over="ignore"):  # infinite odds are a probability of 0
            share = 1.0 / (1.0 + np.exp(-self.decision_function(X)))
        return np.column_stack([1.0 - share, share])

    def predict(self, X: Any) -> NDArray[Any]:
        """The likelier class of each row."""
        second = self.decision_function(X) > 0
        return self.classes_[second.astype(int)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        return tags

    def _fitted(self, X: Any, target: Any, random: Any) -> Any:
        base = LogisticRegression(max_iter=1000) if self.estimator is None else self.estimator
        chosen = np.arange(len(target))
        counts = np.bincount(target, minlength=2)
        if self.over_sample and counts.min() < counts.max():
            rare = np.flatnonzero(target == np.argmin(counts))
            more = rare[random.randint(len(rare), size=counts.max() - counts.min())]
            chosen = np.concatenate([chosen, more])
        made: Any = clone(base)
        if "random_state" in made.get_params():
            made.set_params(random_state=random.randint(2**31 - 1))
        with one_thread():
            made.fit(X[chosen], target[chosen])
        if "n_jobs" in made.get_params():
            # Threads add up in any order: predictions would differ in their last digits.
            made.set_params(n_jobs=1)
        return made

    def _calibration(self, X: Any, target: Any, groups: Any, random: Any) -> tuple[float, float]:
        counts = np.bincount(target, minlength=2)
        groups = None if groups is None else np.asarray(groups)
        if self.folds < 2 or counts.min() < max(LEAST_ROWS, self.folds):
            return 1.0, 0.0
        logits = np.full(len(target), np.nan)
        for inside, outside in self._folds(X, target, groups, random):
            if len(np.unique(target[inside])) == 2:
                logits[outside] = logit_of(
                    self._fitted(X[inside], target[inside], random), X[outside]
                )
        used = np.isfinite(logits)
        if len(np.unique(target[used])) < 2:
            return 1.0, 0.0
        return platt(logits[used], target[used])

    def _folds(self, X: Any, target: Any, groups: Any, random: Any) -> Any:
        state = random.randint(2**31 - 1)
        labels = 1 if groups is None else len(np.unique(groups))
        if labels < 2:
            return StratifiedKFold(self.folds, shuffle=True, random_state=state).split(X, target)
        return GroupKFold(min(self.folds, labels)).split(X, target, groups)


def platt(logits: NDArray[np.float64], target: NDArray[Any]) -> tuple[float, float]:
    """Slope and intercept of the logistic regression of classes 0 and 1 on logits."""
    scale = max(float(np.std(logits)), 1e-9)
    model = LogisticRegression(C=1e6, max_iter=1000).fit(logits[:, None] / scale, target)
    return max(float(model.coef_[0, 0]) / scale, LEAST_SLOPE), float(model.intercept_[0])


def logit_of(estimator: Any, X: Any) -> NDArray[np.float64]:
    """The logit of the second class, as an estimator gives it."""
    if hasattr(estimator, "decision_function"):
        return np.asarray(estimator.decision_function(X), dtype=np.float64)
    share = np.clip(estimator.predict_proba(X)[:, 1], EDGE, 1.0 - EDGE)
    return np.log(share / (1.0 - share))
