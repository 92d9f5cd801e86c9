"""Answers from weighted worlds: what all sampling engines hand back."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays.problem import Additive, Floats, Integers, Layout, Problem
from ..abilities import Drawn, Gaining
from ..base import Diagnostics, GainQuestion, Worlds, card_sites, feature_index, weighted_joint
from ..listed import listed_gains
from .convergence import effective_samples

#: Worlds that are drawn less often than this, on the whole, may well not be there.
MAY_BE_MISSED = 3.0
#: Of the weight, what is told if it may have been missed.
MATTERS = 0.1
#: So many worlds whose weights come within a factor of ten of the largest there can be are enough:
#: others like them would have been drawn too.
ENOUGH = 10
#: Shares nearer than this to 0 or 1 do not vary.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class WeightedWorlds(Gaining, Drawn):
    """Worlds with weights; every question is answered by the share of the weight.

    Attributes:
        problem: What was sampled.
        worlds: Slot of every physical card, shape (worlds, cards).
        weights: Share of every world, shape (worlds,); they sum to one.
        log_weight: Estimated log of the total weight of all deals; minus infinity when none is
            left, NaN where the engine has no estimate.
        diagnostics: How far to trust it.
        inflation: How many times as much a mean over the worlds varies as it would were they
            independent.
    """

    problem: Problem
    worlds: Worlds
    weights: Floats
    log_weight: float
    diagnostics: Diagnostics
    inflation: float = 1.0
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

    def effective_samples(self, numbers: Integers, sites: Integers) -> float | None:
        """Independent draws that these worlds are worth for what is known of some values.

        The variance of a share ``p`` is ``sum of w**2 (x - p)**2`` (the delta method for a ratio
        of means), that of independent draws ``p (1 - p)`` by how many they are.

        Args:
            numbers: Number of the value that each world has, shape (worlds,).
            sites: The sites that decide it.

        Returns:
            So many for the value that is known worst; None where all worlds have the same.
        """
        distinct, places = np.unique(numbers, return_inverse=True)
        found = _worth(places, self.weights, self.weights**2, distinct.shape[0])
        return None if found == math.inf else found / self.inflation

    def gains(
        self, about: Additive, about_project: Integers, questions: Sequence[GainQuestion]
    ) -> Floats:
        """Bits that each question gives about a feature in these worlds, shape (questions,)."""
        values = about_project[self.index_of(about)]
        return listed_gains(self.weights, self.index_of, values, questions)

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Worlds drawn again by their weights, with replacement, shape (count, cards)."""
        return self.worlds[rng.choice(self.weights.shape[0], size=count, p=self.weights)]


@dataclass(frozen=True, eq=False)
class ChainedWorlds(WeightedWorlds):
    """Worlds of several chains, one chain after the other.

    Attributes:
        chains: How many.
    """

    chains: int = 1

    def effective_samples(self, numbers: Integers, sites: Integers) -> float | None:
        """The same from how long the chains remember a value; see `convergence`."""
        fewest = math.inf
        for value in np.unique(numbers).tolist():
            has = (numbers == value).astype(np.float64).reshape(self.chains, -1, 1)
            worth = float(effective_samples(has)[0])
            fewest = min(fewest, math.inf if math.isnan(worth) else worth)
        return None if fewest == math.inf else fewest


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


def worth(layout: Layout, worlds: Worlds, weights: Floats) -> tuple[float, str]:
    """Independent draws that weighted worlds are worth for the worst place of a card, and which.

    A place that only few heavy worlds have is known no better than those few tell, however many
    others there are, so it is not enough to look at the weights (`kish`): the variance of a share
    ``p`` is ``sum of w**2 (x - p)**2``.

    Args:
        layout: Where they are worlds of.
        worlds: Slot of every card, shape (worlds, cards).
        weights: Share of every world, shape (worlds,).
    """
    squares = weights * weights
    whole = float(squares.sum())
    fewest, worst = 1.0 / whole, -1
    slots = layout.slot_count
    for card, column in enumerate(worlds.T):
        found = _worth(column, weights, squares, slots)
        if found < fewest:
            fewest, worst = found, card
    return fewest, "" if worst < 0 else card_name(layout, worst)


def card_name(layout: Layout, card: int) -> str:
    """The item that a card is and its variable, or the choice."""
    variable, item = layout.site_names[int(layout.card_sites[card])]
    return variable if item == variable else f"{item} of {variable}"


def _worth(numbers: Any, weights: Floats, squares: Floats, size: int) -> float:
    """Independent draws for the worst of some values; infinity where none of them varies."""
    share = np.bincount(numbers, weights=weights, minlength=size)
    square = np.bincount(numbers, weights=squares, minlength=size)
    spread = share * (1.0 - share)
    variance = square * (1.0 - 2.0 * share) + share * share * float(squares.sum())
    varies = (spread > ROUNDING) & (variance > 0.0)
    return float((spread[varies] / variance[varies]).min()) if varies.any() else math.inf


def never_drawn(better: float, beside: Callable[[], Floats], count: int) -> str | None:
    """The warning of worlds that were never drawn; None where they cannot matter.

    Args:
        better: Log of the most that evidence can weigh, beside its mean weight.
        beside: Asked for only where that is much: the log weight of every world beside the most.
        count: How many were drawn.
    """
    if better < math.log(MATTERS * count / MAY_BE_MISSED):
        return None
    if int((beside() >= -math.log(10.0)).sum()) >= ENOUGH:
        return None
    rare = max(int(count / MAY_BE_MISSED), 1)
    return (
        f"worlds that come up less than once in {rare:,} draws may be missing, and the evidence "
        f"could fit some about 1e{better / math.log(10.0):.0f} times as well as what was drawn: "
        "what was never drawn is not ruled out"
    )


def systematic(weights: Floats, rng: np.random.Generator) -> Integers:
    """Rows drawn in proportion to their weights, as evenly as possible (Kitagawa, 1996)."""
    count = weights.shape[0]
    points: Floats = (np.arange(count, dtype=np.float64) + rng.random()) / count
    rows: Integers = np.searchsorted(weights.cumsum(), points, side="right").astype(np.int64)
    return np.minimum(rows, np.flatnonzero(weights)[-1])
