"""What many questions tell about a feature, by labels that meet at one layer of a graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays.layout import Additive, Floats, Integers
from ..base import GainQuestion
from .arrays import PartialDeals
from .labels import Labels, boundary_costs, combined_gain, labels_at, read

#: What one step of a pass costs where many questions share it; products are not shared.
SHARED_PASS = 0.15


def combine(first: Additive, second: Additive) -> Additive:
    """The feature whose index is ``first index * second.size + second index``."""
    sites = np.union1d(first.sites, second.sites)
    delta = np.zeros((sites.shape[0], first.delta.shape[1]), dtype=np.int64)
    delta[np.searchsorted(sites, first.sites)] += first.delta * second.size
    delta[np.searchsorted(sites, second.sites)] += second.delta
    return Additive(sites, delta, first.size * second.size)


def best_boundary(graph: PartialDeals, features: Sequence[Additive]) -> tuple[int, float]:
    """The layer at which the labels of many features meet at the least cost, and the steps that it
    takes for one of them.
    """
    total = np.zeros(graph.order.shape[0] + 1)
    for feature in features:
        reading = read(graph, feature.sites, feature.delta, feature.size)
        total += boundary_costs(graph, reading, SHARED_PASS)
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
    known: dict[tuple[bool, bytes], Labels] = {}
    result = np.zeros(len(combined))
    layer_of = np.argsort(graph.order)
    abouts = int(about_project.max()) + 1
    for place, (feature, question) in enumerate(zip(combined, questions, strict=True)):
        before = layer_of[feature.sites] < boundary
        sides: list[Labels] = []
        for ahead, rows in ((True, before), (False, ~before)):
            key = ahead, feature.sites[rows].tobytes() + feature.delta[rows].tobytes()
            if key not in known:
                reading = read(graph, feature.sites, feature.delta, feature.size)
                known[key] = labels_at(boundary, ahead, graph, reading)
            sides.append(known[key])
        front, back = sides
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
