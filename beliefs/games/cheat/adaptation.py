"""A player gets to be known during a match: how much truer or falser than others their claims are.

A predictor that was trained on others speaks of an unknown player as of anybody. Players differ:
each has an offset on the log odds of their claims, normal in the population, with a spread that
training finds. Every claim of theirs that is turned up says something about it, and moves what is
predicted next.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ....data.checks import is_number
from ....data.errors import EvidenceError

EDGE: Final = 1e-6
STEPS: Final = 30


@dataclass(frozen=True, slots=True)
class Offset:
    """The belief about a player's offset: about normal.

    Attributes:
        mean: In log odds; 0 for somebody unknown.
        variance: At first the square of the population's spread.

    >>> from sleuth.games.cheat import Offset
    >>> unknown = Offset.unknown(spread=0.8)
    >>> liar = unknown.after(0.7, true=False).after(0.7, true=False)
    >>> round(liar.mean, 2), round(liar.applied(0.7), 2), round(liar.relative_to(unknown, 0.7), 2)
    (-0.69, 0.54, 0.56)
    """

    mean: float
    variance: float

    @staticmethod
    def unknown(spread: float) -> Offset:
        """A player of whom nothing is known.

        Args:
            spread: The standard deviation of offsets in the population, in log odds.

        Raises:
            EvidenceError: It is no number of at least 0.
        """
        if not is_number(spread) or not 0 <= spread < math.inf:
            raise EvidenceError("a spread is a number of at least 0", value=spread)
        return Offset(0.0, float(spread) ** 2)

    def after(self, predicted: float, true: bool) -> Offset:
        """The belief after one of their claims was turned up.

        The posterior is taken to be normal about its mode (Laplace's method), claim by claim.

        Args:
            predicted: The probability that the predictor gave to a true claim, for anybody.
            true: Whether the claim was true.
        """
        if self.variance == 0:
            return self
        given = _logit(predicted)
        offset = self.mean
        share = _logistic(given + offset)
        for _ in range(STEPS):
            slope = float(true) - share - (offset - self.mean) / self.variance
            step = slope / (share * (1 - share) + 1 / self.variance)
            # The target is concave, and a step of at most one cannot leap over its top for ever.
            offset += max(-1.0, min(1.0, step))
            share = _logistic(given + offset)
            if abs(step) < 1e-12:
                break
        return Offset(offset, 1 / (share * (1 - share) + 1 / self.variance))

    def applied(self, predicted: float) -> float:
        """The probability for this player, where the predictor gives ``predicted`` to anybody.

        Averaged over what is not known of the offset, by MacKay's approximation (1992, "The
        evidence framework applied to classification networks", equation 14). For somebody
        unknown that would draw every probability towards a half, and the predictor has been
        calibrated on people unknown to it; so the population's part of it is left out by
        `relative_to`.
        """
        return _logistic(
            (_logit(predicted) + self.mean) / math.sqrt(1 + math.pi * self.variance / 8)
        )

    def relative_to(self, unknown: Offset, predicted: float) -> float:
        """The same, so that for ``unknown`` itself it is ``predicted``."""
        wider = math.sqrt(1 + math.pi * unknown.variance / 8)
        # In log odds throughout: a probability this far out would be cut off.
        narrower = math.sqrt(1 + math.pi * self.variance / 8)
        return _logistic((_logit(predicted) * wider + self.mean) / narrower)


class Acquaintance:
    """One player's knowledge of another in a match, from the claims that are turned up.

    A claim is heard, and lies face down; what it was counts from the moment it is turned up, and
    nobody learns anything of a pile that is left over when a game ends.

    Args:
        spread: Of offsets in the population, in log odds; with 0 nothing is ever learned.

    Attributes:
        offset: What is known by now.
        seen: How many claims that were turned up it is known from.

    Raises:
        EvidenceError: The spread is no number of at least 0.

    >>> from sleuth.games.cheat import Acquaintance
    >>> other = Acquaintance(spread=0.8)
    >>> other.begin()
    >>> [other.hear(claim, 0.7) for claim in (1, 2)]
    [0.7, 0.7]
    >>> other.turn_up({1: False, 2: False})  # they lied twice
    >>> other.seen, round(other.hear(3, 0.7), 2)
    (2, 0.56)
    """

    def __init__(self, spread: float) -> None:
        self.unknown: Final = Offset.unknown(spread)
        self.offset = self.unknown
        self.seen = 0
        self._hidden: dict[int, float] = {}

    def begin(self) -> None:
        """A game begins: what was left over of the one before is never seen."""
        self._hidden.clear()

    def hear(self, claim: int, predicted: float) -> float:
        """The probability that a claim of theirs is true, by all that is known of them by now.

        Args:
            claim: A number of its own, by which it is turned up later.
            predicted: The probability that the predictor gives to a true claim, for anybody.
        """
        self._hidden[claim] = predicted
        # What is said of somebody unknown is what the predictor says, to the last digit.
        return self.offset.relative_to(self.unknown, predicted) if self.seen else predicted

    def turn_up(self, claims: Mapping[int, bool]) -> None:
        """Claims are turned up.

        Args:
            claims: For each of them whether it was true, in the order in which they were made.
                Those that were never heard, or were turned up before, say nothing.
        """
        for claim, true in claims.items():
            predicted = self._hidden.pop(claim, None)
            if predicted is not None and self.unknown.variance > 0:
                self.offset = self.offset.after(predicted, true)
                self.seen += 1


def _logit(share: float) -> float:
    if not 0 <= share <= 1:
        raise EvidenceError("a probability lies between 0 and 1", value=share)
    share = min(max(share, EDGE), 1 - EDGE)
    return math.log(share / (1 - share))


def _logistic(value: float) -> float:
    if value < 0:
        power = math.exp(value)
        return power / (1 + power)
    return 1 / (1 + math.exp(-value))
