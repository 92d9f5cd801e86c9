"""Expected information from a list of worlds: what a question tells is counted world by world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays.problem import Additive, Floats, Integers
from .base import GainQuestion, SparseAnswers

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
    keys = [(asked.sites.tobytes(), asked.delta.tobytes()) for asked, _ in questions]
    times = Counter(keys)
    known: dict[tuple[bytes, bytes], Integers] = {}

    def rows() -> Iterator[tuple[Integers, SparseAnswers]]:
        for key, (additive, answers) in zip(keys, questions, strict=True):
            index = known.get(key)
            if index is None:
                index = index_of(additive)
                # What nobody asks again is not kept: to fill new memory takes longer than to add.
                if times[key] > 1:
                    known[key] = index
            yield index, answers

    return gains_of_rows(weights, about, rows())


def gains_of_rows(
    weights: Floats, about: Integers, asked: Iterable[tuple[Integers, SparseAnswers]]
) -> Floats:
    """Bits that each question gives about a feature, shape (questions,).

    Args:
        weights: Weight of every world, shape (worlds,).
        about: The number of the feature's value in every world, shape (worlds,).
        asked: For each question the index of its feature in every world, and what can be answered.
    """
    # Whoever only declares and asks little loads no numba.
    from ...models.kernels.at_hand import NUMBA
    from ...models.kernels.kernel import in_memory
    from .listed_counting import count_pairs

    shares = weights / weights.sum()
    _, values = np.unique(about, return_inverse=True)
    value_count = int(values.max()) + 1
    uncertain = bits_of(total_by_place(values, shares))
    result: list[float] = []
    both = np.zeros((value_count, 0))
    asked_for = False
    for index, (project, outcomes, chances, count) in asked:
        size = value_count * count
        if size <= MOST_CELLS:
            if both.shape[1] != count:
                both = np.zeros((value_count, count))
            by_outcome, positive = np.zeros(count), np.empty(size)
            told = outcomes, chances, values, shares, both, by_outcome, positive
            if not (NUMBA is None or asked_for or in_memory(count_pairs)):
                count_pairs(index[:0], project, *told)  # so it will be compiled, and nobody waits
                asked_for = True
            if in_memory(count_pairs):
                possible = positive[: count_pairs(index, project, *told)]
                result.append(
                    max(0.0, uncertain + bits_of(by_outcome) - bits_of_positive(possible))
                )
                continue
        # A list of outcomes ends with -1, and nothing after that is likely.
        likely = np.where(outcomes >= 0, chances, 0.0)
        rows = project[index]
        following = np.maximum(outcomes, 0)[rows]
        mass = (likely[rows] * shares[:, None]).ravel()
        cells = ((values * count)[:, None] + following).ravel()
        if size <= MOST_CELLS:
            together = np.bincount(cells, weights=mass, minlength=size).astype(np.float64)
            by_outcome = together.reshape(value_count, count).sum(axis=0)
        else:
            by_outcome = total_by_place(following.ravel(), mass)
            together = total_by_place(np.unique(cells, return_inverse=True)[1], mass)
        result.append(max(0.0, uncertain + bits_of(by_outcome) - bits_of(together)))
    return np.array(result)


def total_by_place(places: Integers, shares: Floats) -> Floats:
    """The probability of each place, from the shares of the worlds or pairs that are there."""
    return np.bincount(places, weights=shares).astype(np.float64)


def bits_of(shares: Floats) -> float:
    """Entropy in bits, not yet kept from falling below 0 by rounding."""
    return bits_of_positive(shares[shares > 0.0])


def bits_of_positive(shares: Floats) -> float:
    """The same, where none is zero."""
    return float(-(shares * np.log2(shares)).sum())
