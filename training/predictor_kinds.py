"""The kinds of predictors that can be trained, and how a fitted one becomes arrays."""

# scikit-learn and scipy come without types.
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..beliefs.predictors.predictor import (
    BOOSTED,
    CHOSEN,
    FOREST,
    LINEAR,
    PredictorTables,
    forest_nodes,
)
from ..data.errors import SettingsError, UnsupportedError, nearest
from .conditional_logit import FittedLogit
from .estimator import BalancedClassifier
from .rows import Subject

#: What the paper and the issue of comparing it ask for; the first is the default.
MODELS: Final = ("forest", "logistic", "boosting", "svm", "network", "tree")
#: Those that can be written to a file and evaluated without scikit-learn.
STORED: Final = ("forest", "logistic", "boosting", "tree")
#: A conditional logit, which is written, too: which row of a turn it is, where one is chosen.
CHOICE: Final = "choice"
TREES: Final = 200
DEPTH: Final = 12


def classifier(model: str, *, seed: int = 0, jobs: int | None = None) -> BalancedClassifier:
    """A classifier of a kind, not fitted yet.

    Args:
        model: One of ``MODELS``.
        seed: Of all its chance.
        jobs: Threads of a forest; None for one.

    Raises:
        SettingsError: There is no such kind.
    """
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    if model == "forest":
        made: Any = RandomForestClassifier(
            TREES, max_depth=DEPTH, min_samples_leaf=5, n_jobs=jobs, random_state=seed
        )
    elif model == "logistic":
        made = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))
    elif model == "boosting":
        made = GradientBoostingClassifier(
            n_estimators=120, max_depth=3, learning_rate=0.08, subsample=0.7, random_state=seed
        )
    elif model == "svm":
        made = make_pipeline(StandardScaler(), SVC(C=1.0, gamma="scale"))
    elif model == "network":
        made = make_pipeline(
            StandardScaler(),
            MLPClassifier((32,), alpha=1e-2, max_iter=200, early_stopping=True, random_state=seed),
        )
    elif model == "tree":
        made = DecisionTreeClassifier(max_depth=6, min_samples_leaf=20, random_state=seed)
    else:
        raise SettingsError("no such model", value=model, hint=nearest(model, MODELS))
    return BalancedClassifier(made, random_state=seed)


def kinds_for(subject: Subject) -> tuple[str, ...]:
    """The kinds that can be trained for what is learned; the first is the usual one."""
    return (CHOICE, *MODELS) if subject.choices else MODELS


def tables_of(model: str, fitted: BalancedClassifier | FittedLogit) -> tuple[str, PredictorTables]:
    """A fitted classifier as the kind and the arrays of a predictor.

    Raises:
        UnsupportedError: Its kind is only for comparing.
    """
    nodes, roots = forest_nodes(())
    if isinstance(fitted, FittedLogit):
        weights = np.array(fitted.weights)
        numbers = np.array([CHOSEN, 1.0, 0.0, 0.0])
        return "choice", PredictorTables(nodes, roots, np.zeros(len(weights)), numbers, weights)
    count = len(fitted.typical_)
    weights = np.zeros(count)
    inner: Any = fitted.estimator_
    offset = 0.0
    if model in ("forest", "tree"):
        kind, number = "forest", FOREST
        trees = inner.estimators_ if model == "forest" else [inner]
        nodes, roots = forest_nodes([each.tree_ for each in trees])
    elif model == "boosting":
        kind, number = "boosted", BOOSTED
        trees = [each.tree_ for each in inner.estimators_[:, 0]]
        nodes, roots = forest_nodes(trees, scale=inner.learning_rate)
        row = np.zeros((1, count), dtype=np.float32)
        added = sum(tree.predict(row)[0, 0] for tree in trees) * inner.learning_rate
        offset = float(inner.decision_function(row)[0] - added)
    elif model == "logistic":
        kind, number = "linear", LINEAR
        scaler, linear = inner[0], inner[-1]
        weights = linear.coef_[0] / scaler.scale_
        offset = float(linear.intercept_[0] - np.dot(weights, scaler.mean_))
    else:
        raise UnsupportedError(
            "a predictor of this kind cannot be written to a file",
            value=model,
            hint=f"these can: {', '.join(STORED)}",
        )
    numbers = np.array([number, fitted.slope_, fitted.intercept_, offset], dtype=np.float64)
    return kind, PredictorTables(
        nodes, roots, np.asarray(fitted.typical_, dtype=np.float64), numbers,
        np.asarray(weights, dtype=np.float64),
    )  # fmt: skip
