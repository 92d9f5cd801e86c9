"""Statistics of a number of games: intervals of win rates, and a test that can stop early."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ...data.errors import SettingsError

FIRST: Final = "first"
SECOND: Final = "second"
EQUAL: Final = "equal"


@dataclass(frozen=True, kw_only=True)
class Stop:
    """The early end of a match of two agents: Wald's sequential test, on both sides.

    With p the share of the first agent among decided rounds (a round is a game, or a pair with
    seats swapped), it runs two sequential probability ratio tests, p = 1/2 against 1/2 + delta,
    and p = 1/2 against 1/2 - delta (Wald 1945, "Sequential tests of statistical hypotheses"),
    until both have ended: one agent is better, or neither is by that much (Sobel and Wald 1949,
    "A sequential decision procedure for choosing one of three hypotheses").

    Attributes:
        delta: The advantage that matters, above 0 and below 1/2.
        alpha: Probability of calling equal agents different, at most about.
        beta: Probability of missing an advantage of delta, at most about.

    >>> from sleuth.matches import Stop
    >>> stop = Stop(delta=0.2)
    >>> stop.verdict([1] * 40)
    ('first', 11)
    >>> running = stop.begin()
    >>> running.add(1) is None  # it says nothing yet
    True
    """

    delta: float = 0.1
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("delta", "alpha", "beta"):
            value = getattr(self, name)
            if not 0.0 < value < 0.5:
                raise SettingsError(f"{name} must be above 0 and below 0.5", value=value)

    def verdict(self, rounds: Iterable[int]) -> tuple[str | None, int]:
        """The test's verdict on rounds in their order.

        Args:
            rounds: 1 for a round of the first agent, -1 for one of the second, 0 for neither's.

        Returns:
            ``"first"``, ``"second"`` or ``"equal"``; None as long as it says nothing. And how
            many rounds that took.
        """
        running = self.begin()
        count = 0
        for one in rounds:
            count += 1
            found = running.add(one)
            if found is not None:
                return found, count
        return None, count

    def begin(self) -> Running:
        """The test before its first round."""
        return Running(self)


class Running:
    """A sequential test that is told one round after the other."""

    def __init__(self, stop: Stop) -> None:
        error = stop.alpha / 2  # each side has half of it
        self.upper = math.log((1 - stop.beta) / error)
        self.lower = math.log(stop.beta / (1 - error))
        self.won = math.log(1 + 2 * stop.delta)
        self.lost = math.log(1 - 2 * stop.delta)
        # Log likelihood ratio against p = 1/2, and what was accepted, for the first and the second.
        self.ratio = [0.0, 0.0]
        self.better: list[bool | None] = [None, None]

    def add(self, one: int) -> str | None:
        """One more round, as in `Stop.verdict`; what the test says now."""
        for side, sign in enumerate((1, -1)):
            if one == 0 or self.better[side] is not None:
                continue
            self.ratio[side] += self.won if one == sign else self.lost
            if self.ratio[side] >= self.upper:
                self.better[side] = True
            elif self.ratio[side] <= self.lower:
                self.better[side] = False
        if None in self.better:
            return None
        return FIRST if self.better[0] else SECOND if self.better[1] else EQUAL
