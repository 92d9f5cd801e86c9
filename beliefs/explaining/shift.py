"""The shift of a condition's log odds by one observation."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Movements below this are rounding.
NOTHING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Shift:
    """The shift of a condition's log odds by one observation, in bits.

    Log odds are log2(P(it holds) / P(it does not)): 0 for even chances, infinite for certainty.

    Attributes:
        observation: The event where the evidence has one, else its id, as in `Posterior.explain`.
        because: What the evidence says, in words; empty where it says nothing.
        before, after: Log odds before and after it, of all that was seen up to then.
        without: Log odds when it alone is left out and everything else is kept; None where that
            cannot be computed.
        end: Log odds of everything.
    """

    observation: str | int
    because: str
    before: float
    after: float
    without: float | None
    end: float

    @property
    def in_order(self) -> float:
        """The shift of the log odds when it was seen.

        Infinite where it made the condition certain, or impossible; 0 where that was so before.
        """
        return moved(self.before, self.after)

    @property
    def left_out(self) -> float | None:
        """The fall of the log odds without it.

        Infinite where only it keeps the condition certain; 0 where others suffice for what it
        says.
        """
        return None if self.without is None else moved(self.without, self.end)

    @property
    def words(self) -> str:
        """The observation for people."""
        if isinstance(self.observation, str):
            return self.observation
        event = f"event {self.observation}"
        # Some declarations say the number in every sentence.
        said = self.because.replace(f"{event}: ", "")
        return f"{event}: {said}" if said else event


def moved(before: float, after: float) -> float:
    """The way from one log odds to another; none between two certainties."""
    return 0.0 if before == after else after - before


def probability(log_odds: float) -> float:
    """The probability with these log odds in bits."""
    if log_odds >= 0.0:
        return 1.0 / (1.0 + 2.0 ** -min(log_odds, 1100.0)) if log_odds < math.inf else 1.0
    return 1.0 - probability(-log_odds) if log_odds > -60.0 else 2.0 ** max(log_odds, -1e4)
