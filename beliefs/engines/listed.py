"""Expected information from a list of worlds: what a question tells is counted world by world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays.problem import Additive, Floats, Integers
from .base import Answers, GainQuestion

#: Most numbers in one table of values and outcomes; with more, only those that occur are kept.
MOST_CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class Listed:
    """Every deal that a graph of partial deals holds.

    Attributes:
        lies: Where every copy lies, by option of any site; see `slots_of_copies`.
        chosen: Option of every site in every deal, shape (deals, sites).
        weights: Weight of every deal, shape (deals,); the largest is about one.
    """

    lies: Integers
    chosen: Integers
    weights: Floats

    def index_of(self, feature: Additive) -> Integers:
        """The index of a feature in every deal, shape (deals,)."""
        return option_index(feature, self.lies, self.chosen)

    def gains(
        self, about: Additive, about_project: Integers, questions: Sequence[GainQuestion]
    ) -> Floats:
        """Bits that each question gives about a feature, exactly, shape (questions,)."""
        values = about_project[self.index_of(about)]
        return listed_gains(self.weights, self.index_of, values, questions)


def option_index(feature: Additive, lies: Integers, chosen: Integers) -> Integers:
    """The index of a feature in deals given by the options of their sites; see `Listed`."""
    index = np.zeros(chosen.shape[0], dtype=np.int64)
    for row, site in enumerate(feature.sites):
        # Slot -1, of copies that are not there, adds nothing.
        adds = np.append(feature.delta[row], 0)
        index += adds[lies].sum(axis=1)[chosen[:, site]]
    return index


def listed_gains(
    weights: Floats,
    index_of: Callable[[Additive], Integers],
    about: Integers,
    questions: Sequence[GainQuestion],
) -> Floats:
    """Bits that each question gives about a feature, shape (questions,).

    The cost grows with the worlds, and not with the values that the features could have.

    Args:
        weights: Weight of every world, shape (worlds,).
        index_of: The index of a feature in every world, shape (worlds,).
        about: The number of the feature's value in every world, shape (worlds,).
        questions: What is asked; see `GainQuestion`.
    """
    known: dict[tuple[bytes, bytes], Integers] = {}

    def rows() -> Iterator[Answers]:
        for additive, answers in questions:
            key = additive.sites.tobytes(), additive.delta.tobytes()
            if key not in known:
                known[key] = index_of(additive)
            yield answers._replace(project=answers.project[known[key]])

    return gains_of_rows(weights, about, rows())


def gains_of_rows(weights: Floats, about: Integers, asked: Iterable[Answers]) -> Floats:
    """Bits that each question gives about a feature, shape (questions,).

    Args:
        weights: Weight of every world, shape (worlds,).
        about: The number of the feature's value in every world, shape (worlds,).
        asked: For each question what can be answered; its ``project`` is for every world.
    """
    shares = weights / weights.sum()
    _, values = np.unique(about, return_inverse=True)
    value_count = int(values.max()) + 1
    uncertain = bits_of(total_by_place(values, shares))
    result: list[float] = []
    for answers in asked:
        rows = answers.project
        # A list of outcomes ends with -1, and nothing after that is likely.
        likely = np.where(answers.outcomes >= 0, answers.chances, 0.0)
        following = np.maximum(answers.outcomes, 0)
        mass = (likely[rows] * shares[:, None]).ravel()
        cells = ((values * answers.outcome_count)[:, None] + following[rows]).ravel()
        size = value_count * answers.outcome_count
        if size <= MOST_CELLS:
            both: Floats = np.bincount(cells, weights=mass, minlength=size).astype(np.float64)
            by_outcome: Floats = both.reshape(value_count, answers.outcome_count).sum(axis=0)
        else:
            by_outcome = total_by_place(following[rows].ravel(), mass)
            both = total_by_place(np.unique(cells, return_inverse=True)[1], mass)
        result.append(max(0.0, uncertain + bits_of(by_outcome) - bits_of(both)))
    return np.array(result)


def total_by_place(places: Integers, shares: Floats) -> Floats:
    """How likely each place is, from the shares of the worlds or pairs that are there."""
    return np.bincount(places, weights=shares).astype(np.float64)


def bits_of(shares: Floats) -> float:
    """Entropy in bits, not yet kept from falling below 0 by rounding."""
    positive = shares[shares > 0.0]
    return float(-(positive * np.log2(positive)).sum())
