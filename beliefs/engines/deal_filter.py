"""Exact inference in a long game of a small deck: what the holders may have now is followed.

See `arrays.contents`: the past is forgotten move by move, so that the hundredth is no dearer than
the first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ...data.errors import CostError, UnsupportedError
from ..arrays.contents import MOST_STATES, Contents
from ..arrays.layout import number_type
from ..arrays.problem import Additive, Floats, Integers, Problem, has_walked
from .abilities import Gaining, Listing, Weighing
from .base import (
    EXACT,
    Cost,
    Diagnostics,
    EngineOptions,
    GainQuestion,
    Unsupported,
    Worlds,
    slots_of_copies,
    weighted_joint,
)
from .enumeration import ENGINE as ENUMERATION
from .enumeration import Enumeration
from .listed import Listed, listed_gains

#: What enumeration says of more deals than it lists.
TOO_MANY: Final = 1e30


@dataclass(frozen=True, eq=False)
class FollowedDeal(Gaining, Listing, Weighing):
    """The answers of the states that are left.

    Attributes:
        contents: The states.
        exact: True.
        diagnostics: Those of exact engines.
    """

    contents: Contents
    exact: bool = True
    diagnostics: Diagnostics = EXACT

    @cached_property
    def weights(self) -> Floats:
        """Probability of every state, shape (states,)."""
        weights = self.contents.weights
        return weights / weights.sum()

    @property
    def log_weight(self) -> float:
        """Log of the total weight of all deals; minus infinity when none is left."""
        return self.log_evidence

    @property
    def log_evidence(self) -> float:
        """Natural log of the probability (or weight) of all evidence."""
        return self.contents.log_evidence

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        held = self.contents.held
        flat = self.weights @ held.reshape(held.shape[0], -1)
        return flat.reshape(held.shape[1:])

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,)."""
        return weighted_joint(self.contents.index_of(feature), self.weights, feature.size)

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, shape (count, cards); any copies of an item lie in any of its places."""
        layout = self.contents.layout
        cumulative: Floats = np.cumsum(self.weights)
        drawn = np.searchsorted(cumulative / cumulative[-1], rng.random(count), side="right")
        rows = self._worlds[drawn]
        first = 0
        for copies in layout.copies.tolist():
            if copies > 1:
                here = rows[:, first : first + copies]
                rows[:, first : first + copies] = rng.permuted(here, axis=1)
            first += copies
        return rows

    @cached_property
    def _worlds(self) -> Worlds:
        """The slot of every card in every state, the copies of an item in ascending order."""
        layout, held = self.contents.layout, self.contents.held
        _, _, slots = held.nonzero()
        slots = slots.astype(number_type(layout.slot_count))
        return np.repeat(slots, held[held > 0]).reshape(held.shape[0], -1)

    def listed(self, most: int) -> Listed | None:
        """Every state as a deal; None where there are more than ``most``."""
        held = self.contents.held
        if held.shape[0] > most:
            return None
        places: list[Integers] = []
        chosen = np.zeros(held.shape[:2], dtype=np.int64)
        first = 0
        for site in range(held.shape[1]):
            options, number = np.unique(held[:, site], axis=0, return_inverse=True)
            places.append(options.astype(np.int64))
            chosen[:, site] = number.ravel() + first
            first += options.shape[0]
        lies = slots_of_copies(np.concatenate(places))
        return Listed(lies, chosen, self.contents.weights)

    def gains(
        self, about: Additive, about_project: Integers, questions: Sequence[GainQuestion]
    ) -> Floats:
        """Bits that each question gives about a feature, exactly, shape (questions,)."""
        values = about_project[self.contents.index_of(about)]
        return listed_gains(self.weights, self.contents.index_of, values, questions)


@dataclass(frozen=True)
class DealFilter:
    """Follow what the holders of deals may have together, move by move."""

    name: str = "deal_filter"
    exact: bool = True
    summary: str = "a hand that changes: a long game of a small deck, in which cards come and go"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        if problem.contents is not None:
            held = problem.contents.held
            return Cost(operations=float(held.size), bytes=float(held.nbytes))
        if not problem.layout.holders or has_walked(problem.layout):
            return Unsupported("it follows what the holders of a Deal have, beside choices")
        cost = ENUMERATION.cost(problem)
        if isinstance(cost, Cost) and cost.operations >= TOO_MANY:
            reason = f"it begins with at most {MOST_STATES:,} states of what the holders have"
            return Cost(operations=cost.operations, reason=reason)
        return cost

    def solve(self, problem: Problem, options: EngineOptions) -> FollowedDeal:
        if problem.contents is not None:
            return FollowedDeal(problem.contents)
        contents = states_of(problem, MOST_STATES)
        if contents is None:
            raise UnsupportedError(
                f"deal_filter follows at most {MOST_STATES:,} states of what the holders have "
                "together, and there are more",
                hint="observe more first, or take method='auto' or 'card_by_card'",
            )
        return FollowedDeal(contents)


def states_of(problem: Problem, most: int) -> Contents | None:
    """The contents of the holders in every deal, on the layout of the problem.

    Args:
        problem: With all of its evidence.
        most: So many deals are listed; None where there are more.
    """
    try:
        listed = Enumeration(most=most).solve(problem, EngineOptions())
    except CostError:
        return None
    layout = problem.layout
    placed = np.zeros((listed.lies.shape[0], layout.slot_count), dtype=np.int16)
    for copy in listed.lies.T:
        there = np.flatnonzero(copy >= 0)
        np.add.at(placed, (there, copy[there]), 1)
    log_weights = np.log(listed.weights)
    if log_weights.shape[0]:
        log_weights += listed.log_weight - problem.log_norm - math.log(float(listed.weights.sum()))
    return Contents(layout, placed[listed.chosen], log_weights)


ENGINE = DealFilter()
