"""Joints of many features, and what many questions tell, by labels that meet at one layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from ...arrays.layout import Additive, Bools, Floats, Integers
from ..base import GainQuestion
from .arrays import PartialDeals
from .labels import Labels, boundary_costs, combined_gain, labels_at, met, read

#: What one step of a pass costs where many questions share it, products are not shared; and where
#: the joints of features share less of it.
SHARED_PASS = 0.15
JOINT_PASS = 2.0


#: So many pairs of a feature asked about and a question's are kept combined: a posterior after
#: another is asked the same questions.
COMBINED: Final = 2_048


def combine(first: Additive, second: Additive) -> Additive:
    """The feature whose index is ``first index * second.size + second index``."""
    sites = np.union1d(first.sites, second.sites)
    delta = np.zeros((sites.shape[0], first.delta.shape[1]), dtype=np.int64)
    delta[np.searchsorted(sites, first.sites)] += first.delta * second.size
    delta[np.searchsorted(sites, second.sites)] += second.delta
    return Additive(sites, delta, first.size * second.size)


combined_before = lru_cache(maxsize=COMBINED)(combine)
"""What `combine` says, of features that come again."""


def best_boundary(
    graph: PartialDeals, features: Sequence[Additive], pass_weight: float = SHARED_PASS
) -> tuple[int, float]:
    """The layer at which the labels of many features meet at the least cost, and the steps that it
    takes for one of them.

    Args:
        features: Some of them: those on which the layer is chosen.
        pass_weight: What one step of a pass costs, see `boundary_costs`.
    """
    total = np.zeros(graph.order.shape[0] + 1)
    for feature in features:
        reading = read(graph, feature.sites, feature.delta, feature.size)
        total += boundary_costs(graph, reading, pass_weight)
    boundary = int(np.argmin(total))
    return boundary, float(total[boundary]) / len(features)


def labelled_gains(
    graph: PartialDeals,
    boundary: int,
    combined: Sequence[Additive],
    about_project: Integers,
    questions: Sequence[GainQuestion],
) -> Floats:
    """Bits that each question gives about a feature, shape (questions,).

    Args:
        boundary: The layer at which labels meet.
        combined: The feature asked about with each question's; see `combine`.
        about_project: Value of the feature asked about for each of its indices.
    """
    sides = Sides(graph, boundary)
    result = np.zeros(len(combined))
    abouts = int(about_project.max()) + 1
    for place, (feature, question) in enumerate(zip(combined, questions, strict=True)):
        front, back = sides.of(feature)
        result[place] = combined_gain(
            front.sums,
            back.sums,
            front.weights.T @ back.weights,
            question.feature.size,
            question.answers,
            about_project,
            abouts,
        )
    return result


def labelled_joints(
    graph: PartialDeals, boundary: int, features: Iterable[Additive]
) -> Iterator[Floats]:
    """Probability of every index of each feature.

    Args:
        boundary: The layer at which labels meet.
    """
    sides = Sides(graph, boundary)
    for feature in features:
        yield met(*sides.of(feature), feature.size)


class Sides:
    """The labels of many features on both sides of a layer; those that are alike are found once.

    Args:
        boundary: The layer.
    """

    def __init__(self, graph: PartialDeals, boundary: int) -> None:
        self._graph, self._boundary = graph, boundary
        self._layer_of = np.argsort(graph.order)
        self._known: dict[tuple[bool, bytes], Labels] = {}

    def of(self, feature: Additive) -> tuple[Labels, Labels]:
        """The reach of the layers before the boundary, and the addition of those from it on."""
        before = self._layer_of[feature.sites] < self._boundary
        return self._side(feature, True, before), self._side(feature, False, ~before)

    def _side(self, feature: Additive, ahead: bool, rows: Bools) -> Labels:
        key = ahead, feature.sites[rows].tobytes() + feature.delta[rows].tobytes()
        found = self._known.get(key)
        if found is None:
            reading = read(self._graph, feature.sites, feature.delta, feature.size)
            found = self._known[key] = labels_at(self._boundary, ahead, self._graph, reading)
        return found
