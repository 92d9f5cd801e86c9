"""Abilities of some solutions besides those that every `Solution` has.

They are plain base classes: to ask for one of them takes 0.04 microseconds, for an abstract one
0.3, and for a protocol ten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays.problem import Additive, Factor, Floats, Integers, Problem
from .base import GainQuestion, Solution, Worlds
from .listed import Listed


class Extending:
    """A solution from which that of a problem with a few factors more can be made."""

    def extended(self, problem: Problem, factors: Sequence[Factor]) -> Solution | None:
        """The solution after more factors; None where it is better computed anew, or nothing is
        left.

        Args:
            problem: The problem with these factors.
            factors: What it has more than the problem of this solution.
        """
        raise NotImplementedError


class Gaining:
    """A solution that values many questions in one go."""

    def gains(
        self, about: Additive, about_project: Integers, questions: Sequence[GainQuestion]
    ) -> Floats:
        """Bits that each question gives about a feature, shape (questions,).

        Args:
            about: The feature.
            about_project: Its value for each of its indices.
            questions: What is asked.
        """
        raise NotImplementedError


class Joining:
    """A solution that finds the joints of many features in one go."""

    def joints(self, features: Sequence[Additive]) -> Iterator[Floats]:
        """Probability of every index of each feature; see `Solution.joint`."""
        raise NotImplementedError


class Listing:
    """A solution that can list every deal that is left."""

    def listed(self, most: int) -> Listed | None:
        """Every deal; None where there are more than ``most``."""
        raise NotImplementedError


class Tallying:
    """A solution that counts conditions of which no table together can be made."""

    def counts(self, conditions: Sequence[tuple[Additive, Integers]]) -> Floats | None:
        """Probability that so many of some conditions hold, shape (conditions + 1,); None
        where it cannot say.

        Args:
            conditions: The feature of each, and for each of its indices 1 where it holds, else 0.
        """
        raise NotImplementedError


class Peaking:
    """A solution that finds its likeliest world without a list of all."""

    def likeliest(self) -> tuple[Worlds, float] | None:
        """Slots of all cards in the likeliest world, shape (cards,), and its probability; None
        where a list has to be looked through.
        """
        raise NotImplementedError


class Holding:
    """A solution that holds every world, so that those that are drawn are named by numbers."""

    @property
    def worlds(self) -> Worlds:
        """Every world, shape (worlds, cards)."""
        raise NotImplementedError

    def draw_rows(self, count: int, rng: np.random.Generator) -> Integers:
        """Numbers of worlds, each drawn with its probability, shape (count,)."""
        raise NotImplementedError


class Drawn:
    """A solution made of worlds that were drawn, so that its answers are off by chance."""

    def index_of(self, feature: Additive) -> Integers:
        """The index of a feature in every world, shape (worlds,)."""
        raise NotImplementedError

    def effective_samples(self, numbers: Integers, sites: Integers) -> float | None:
        """Independent draws that the worlds are worth for what is known of some values.

        Args:
            numbers: Number of the value that each world has, shape (worlds,).
            sites: The sites that decide it.

        Returns:
            So many for the value that is known worst; None where all worlds have the same.
        """
        raise NotImplementedError


class Weighing:
    """A solution that knows the evidence by itself: its weights are not the scaled tables'."""

    @property
    def log_evidence(self) -> float:
        """Natural log of the probability (or weight) of all evidence."""
        raise NotImplementedError
