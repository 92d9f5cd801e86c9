"""Screening questions on samples before the best are valued exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .engines.base import feature_index
from .features import Feature
from .questions import Question

if TYPE_CHECKING:
    from .posterior import Posterior


def screen(
    posterior: Posterior,
    questions: Sequence[Question],
    about: Feature,
    *,
    samples: int,
    seed: int,
    keep: int,
) -> list[int]:
    """Places of the ``keep`` questions with the largest estimated gain, best first.

    The estimate is the plug-in gain on sampled worlds, where every outcome enters with its
    probability, so that only the drawing of worlds is random.
    """
    if len(questions) <= keep:
        return list(range(len(questions)))
    layout = posterior.problem.layout
    worlds = posterior.solution.draw(samples, np.random.default_rng(seed))
    base = about.base.additive(layout)
    values = about.project[feature_index(posterior.problem, base, worlds)]
    _, values = np.unique(values, return_inverse=True)
    columns: dict[Feature, np.ndarray] = {}
    gains = np.zeros(len(questions))
    for place, question in enumerate(questions):
        feature = question.feature.base
        index = columns.get(feature)
        if index is None:
            index = feature_index(posterior.problem, feature.additive(layout), worlds)
            columns[feature] = index
        rows = question.feature.project[index]
        distinct, rows = np.unique(rows, return_inverse=True)
        counts = np.bincount(values * distinct.shape[0] + rows)
        counts = np.pad(counts, (0, -counts.shape[0] % distinct.shape[0]))
        joint = counts.reshape(-1, distinct.shape[0]) @ question.table[distinct]
        joint = joint / joint.sum()
        gains[place] = _entropy(joint.sum(axis=0)) - _entropy(joint) + _entropy(joint.sum(axis=1))
    return [int(place) for place in np.argsort(-gains, kind="stable")[:keep]]


def _entropy(shares: np.ndarray) -> float:
    positive = shares[shares > 0.0]
    return float(-(positive * np.log2(positive)).sum())
