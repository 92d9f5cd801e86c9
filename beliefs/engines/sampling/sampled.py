"""Answers from weighted worlds: what all sampling engines hand back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays.problem import Additive, Floats, Integers, Problem
from ..abilities import Gaining
from ..base import Diagnostics, GainQuestion, Worlds, card_sites, feature_index, weighted_joint
from ..listed import listed_gains


@dataclass(frozen=True, eq=False)
class WeightedWorlds(Gaining):
    """Worlds with weights; every question is answered by the share of the weight.

    Attributes:
        problem: What was sampled.
        worlds: Slot of every physical card, shape (worlds, cards).
        weights: Share of every world, shape (worlds,); they sum to one.
        log_weight: Estimated log of the total weight of all deals; minus infinity when none is
            left, NaN where the engine has no estimate.
        diagnostics: How far to trust it.
    """

    problem: Problem
    worlds: Worlds
    weights: Floats
    log_weight: float
    diagnostics: Diagnostics
    exact: bool = False

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        layout = self.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        for card, site in enumerate(card_sites(self.problem)):
            result[site] += np.bincount(
                self.worlds[:, card], weights=self.weights, minlength=layout.slot_count
            )
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,)."""
        return weighted_joint(self.index_of(feature), self.weights, feature.size)

    def index_of(self, feature: Additive) -> Integers:
        """The index of a feature in every world, shape (worlds,)."""
        return feature_index(self.problem, feature, self.worlds)

    def gains(
        self, about: Additive, about_project: Integers, questions: Sequence[GainQuestion]
    ) -> Floats:
        """Bits that each question gives about a feature in these worlds, shape (questions,)."""
        values = about_project[self.index_of(about)]
        return listed_gains(self.weights, self.index_of, values, questions)

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Worlds drawn again by their weights, with replacement, shape (count, cards)."""
        return self.worlds[rng.choice(self.weights.shape[0], size=count, p=self.weights)]


def nothing_left(problem: Problem) -> WeightedWorlds:
    """The answer to evidence that contradicts itself."""
    worlds = np.zeros((0, int(problem.layout.copies.sum())), dtype=np.int8)
    return WeightedWorlds(problem, worlds, np.zeros(0), -math.inf, Diagnostics())


def shares(log_weights: Floats) -> tuple[Floats, float]:
    """Weights that sum to one, and the log of the mean of the unscaled ones.

    All zero weights give no shares and minus infinity.
    """
    largest = float(log_weights.max(initial=-math.inf))
    if largest == -math.inf:
        return np.zeros_like(log_weights), -math.inf
    scaled: Floats = np.exp(log_weights - largest)
    total = float(scaled.sum())
    return scaled / total, largest + math.log(total / log_weights.shape[0])


def kish(weights: Floats) -> float:
    """Equal weights that these shares are worth, 1 / sum of squares (Kish, 1965)."""
    return 1.0 / float((weights * weights).sum())


def systematic(weights: Floats, rng: np.random.Generator) -> Integers:
    """Rows drawn in proportion to their weights, as evenly as possible (Kitagawa, 1996)."""
    count = weights.shape[0]
    points: Floats = (np.arange(count, dtype=np.float64) + rng.random()) / count
    rows: Integers = np.searchsorted(weights.cumsum(), points, side="right").astype(np.int64)
    return np.minimum(rows, np.flatnonzero(weights)[-1])
