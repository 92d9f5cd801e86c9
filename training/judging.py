"""The quality of predicted probabilities: scores, with intervals over players."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..data.errors import SettingsError

BOOTSTRAPS: Final = 1_000
BINS: Final = 10
#: Fewest groups whose draws say how much others would differ.
LEAST_GROUPS: Final = 5
EDGE: Final = 1e-6


@dataclass(frozen=True, eq=False)
class PredictionScores:
    """The scores of a set of predictions. Class 1 is the positive one.

    Attributes:
        auc: The chance that a row of class 1 is given more than one of class 0.
        auc_interval: Its 95 % interval when players are drawn again; not numbers where there are
            too few, or nothing differs.
        brier: Mean squared error of the probabilities.
        log_loss: Mean of minus the natural log of what the true class was given.
        tpr, tnr: Share of class 1 given more than a half, and of class 0 given less.
        g_mean: The root of their product.
        slope, intercept: Of the logistic regression of the classes on the logits: 1 and 0 for
            probabilities that can be taken at their word.
        curve: float64[bins, 3]: mean prediction, share of class 1, rows; in bins of equally many.
        roc: float64[points, 2]: false and true positive rates from (0, 0) to (1, 1).
    """

    auc: float
    auc_interval: tuple[float, float]
    brier: float
    log_loss: float
    tpr: float
    tnr: float
    g_mean: float
    slope: float
    intercept: float
    curve: NDArray[np.float64]
    roc: NDArray[np.float64]

    def ranking_nothing(self) -> PredictionScores:
        """The same scores for predictions that rank nothing: an AUC of a half, and no slope.

        A base rate is one number for each fold, lower where more of what was left out is of class
        1. Taken for a ranking over all folds, that is worse than guessing.
        """
        return replace(
            self,
            auc=0.5,
            auc_interval=(0.5, 0.5),
            slope=float("nan"),
            intercept=float("nan"),
            roc=np.array([[0.0, 0.0], [1.0, 1.0]]),
        )

    def to_json(self) -> dict[str, Any]:
        """The scores as plain values; None for what is not a number."""
        return {
            "auc": plain_number(self.auc),
            "auc_interval": [plain_number(each) for each in self.auc_interval],
            "brier": plain_number(self.brier),
            "log_loss": plain_number(self.log_loss),
            "tpr": plain_number(self.tpr),
            "tnr": plain_number(self.tnr),
            "g_mean": plain_number(self.g_mean),
            "calibration": {
                "slope": plain_number(self.slope),
                "intercept": plain_number(self.intercept),
            },
        }


@dataclass(frozen=True, kw_only=True)
class ScoreTable:
    """Scores of something else than single predictions, as a table and as plain values.

    Attributes:
        name: What it is called among plain values.
        title: What it is called in words.
        text: What its numbers are.
        heads: Of the columns.
        lines: The cells of each line.
        value: The same as plain values.
    """

    name: str
    title: str
    text: str
    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    value: Any


def judge(
    true: ArrayLike, given: ArrayLike, groups: ArrayLike, *, seed: int = 0
) -> PredictionScores:
    """Score predictions.

    Args:
        true: n classes, 0 or 1.
        given: n probabilities of class 1.
        groups: n labels: rows of one label, such as a player's, are drawn again together.
        seed: Of the bootstrap.

    Raises:
        SettingsError: There is only one class, or a probability is not between 0 and 1.
    """
    y = np.asarray(true, dtype=np.int64)
    p = np.asarray(given, dtype=np.float64)
    if len(np.unique(y)) < 2:
        raise SettingsError(
            "only one class is there, so nothing can be told apart", value=y[:1].tolist()
        )
    wrong = p[~((p >= 0) & (p <= 1))]
    if len(wrong):
        raise SettingsError("a probability lies between 0 and 1", value=float(wrong[0]))
    clipped = np.clip(p, EDGE, 1 - EDGE)
    tpr = float(np.mean(p[y == 1] > 0.5))
    tnr = float(np.mean(p[y == 0] <= 0.5))
    slope, intercept = line(np.log(clipped / (1 - clipped)), y)
    return PredictionScores(
        auc=auc(y, p),
        auc_interval=auc_interval(y, p, groups, seed=seed),
        brier=float(np.mean((p - y) ** 2)),
        log_loss=float(-np.mean(np.log(np.where(y == 1, clipped, 1 - clipped)))),
        tpr=tpr,
        tnr=tnr,
        g_mean=float(np.sqrt(tpr * tnr)),
        slope=slope,
        intercept=intercept,
        curve=calibration_curve(y, p),
        roc=roc_curve(y, p),
    )


def auc(y: NDArray[Any], p: NDArray[Any], weights: NDArray[Any] | None = None) -> float:
    """Area under the ROC curve; ties count half. Rows may have weights."""
    order = np.argsort(p, kind="stable")
    return _sorted_auc(y[order], _ties(p[order]), None if weights is None else weights[order])


def auc_interval(
    y: NDArray[Any], p: NDArray[Any], groups: ArrayLike, *, seed: int = 0
) -> tuple[float, float]:
    """The 95 % percentile interval of the AUC over draws of groups with replacement.

    Not numbers with fewer than `LEAST_GROUPS` groups, or where all draws are alike: too little to
    learn from how much others would differ.
    """
    low, high = _percentiles(_drawn_aucs(y, p, groups, seed))
    return (low, high) if low < high else (float("nan"), float("nan"))


def auc_gain(
    y: NDArray[Any], p: NDArray[Any], other: NDArray[Any], groups: ArrayLike, *, seed: int = 0
) -> tuple[float, float, float]:
    """The AUC that ``p`` has more than ``other``, and the 95 % interval of the difference.

    Both are judged on the same draws of groups, so the interval is narrower than those of the two.
    Its ends are not numbers with fewer than `LEAST_GROUPS` groups.
    """
    gains = _drawn_aucs(y, p, groups, seed) - _drawn_aucs(y, other, groups, seed)
    return auc(y, p) - auc(y, other), *_percentiles(gains)


def _drawn_aucs(
    y: NDArray[Any], p: NDArray[Any], groups: ArrayLike, seed: int
) -> NDArray[np.float64]:
    """The AUC in each draw of groups with replacement."""
    order = np.argsort(p, kind="stable")
    sorted_y, ties = y[order], _ties(p[order])
    _, labels = np.unique(np.asarray(groups), return_inverse=True)
    labels = labels[order]
    count = int(labels.max()) + 1
    rng = np.random.default_rng([seed, 3])
    found = np.full(BOOTSTRAPS, np.nan)
    if count < LEAST_GROUPS:
        return found
    for draw in range(BOOTSTRAPS):
        drawn = np.bincount(rng.integers(count, size=count), minlength=count)
        found[draw] = _sorted_auc(sorted_y, ties, drawn[labels])
    return found


def _percentiles(found: NDArray[np.float64]) -> tuple[float, float]:
    """The 95 % interval of what is a number."""
    known = found[np.isfinite(found)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)


def _ties(p: NDArray[Any]) -> NDArray[np.intp]:
    """For sorted values, where each group of equal ones begins."""
    return np.flatnonzero(np.concatenate([[True], np.diff(p) > 0]))


def _sorted_auc(y: NDArray[Any], ties: NDArray[np.intp], weights: NDArray[Any] | None) -> float:
    w = np.ones(len(y)) if weights is None else weights.astype(np.float64)
    positive = np.add.reduceat(w * (y == 1), ties)
    negative = np.add.reduceat(w * (y == 0), ties)
    pairs = positive.sum() * negative.sum()
    if pairs == 0:
        return float("nan")
    below = np.cumsum(negative) - negative
    return float(np.sum(positive * (below + 0.5 * negative)) / pairs)


def line(logits: NDArray[Any], y: NDArray[Any]) -> tuple[float, float]:
    """Slope and intercept of the logistic regression of classes on logits, by Newton's method.

    Where all predictions are equal, the slope is not a number.
    """
    if np.ptp(logits) < 1e-9:
        share = float(np.mean(y))
        return float("nan"), float(np.log(share / (1 - share)))
    X = np.column_stack([logits, np.ones(len(y))])
    beta = np.array([1.0, 0.0])
    lost = _lost(X @ beta, y)
    for _ in range(100):
        p = 1 / (1 + np.exp(-np.clip(X @ beta, -30, 30)))
        w = np.maximum(p * (1 - p), 1e-9)
        step = np.linalg.lstsq((X * w[:, None]).T @ X, X.T @ (y - p), rcond=None)[0]
        step = np.clip(step, -5, 5)
        # Where probabilities are far off, a whole step leaps over the goal, and back again.
        while (after := _lost(X @ (beta + step), y)) > lost + 1e-9 and np.abs(step).max() > 1e-10:
            step = step / 2
        beta, lost = beta + step, after
        if np.abs(step).max() < 1e-10:
            break
    return float(beta[0]), float(beta[1])


def _lost(logits: NDArray[Any], y: NDArray[Any]) -> float:
    """Minus the log probability of the classes."""
    return float(np.sum(np.logaddexp(0.0, logits) - y * logits))


def calibration_curve(y: NDArray[Any], p: NDArray[Any]) -> NDArray[np.float64]:
    """Mean prediction, share of class 1 and number of rows, in bins of about equally many."""
    parts = np.array_split(np.argsort(p, kind="stable"), min(BINS, len(y)))
    return np.array([[p[part].mean(), y[part].mean(), len(part)] for part in parts])


def roc_curve(y: NDArray[Any], p: NDArray[Any]) -> NDArray[np.float64]:
    """False and true positive rates at every threshold, from the highest down."""
    order = np.argsort(-p, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(p[order]) != 0), len(y) - 1)
    hits = np.cumsum(y[order] == 1)[ends] / np.sum(y == 1)
    alarms = np.cumsum(y[order] == 0)[ends] / np.sum(y == 0)
    return np.vstack([[0.0, 0.0], np.column_stack([alarms, hits])])


def plain_number(value: float) -> float | None:
    """A number with six digits for JSON; None for what is not a number."""
    return round(value, 6) if np.isfinite(value) else None
