"""Confidence intervals that several floors share."""

from __future__ import annotations

import math
from typing import Final

#: Standard deviations on either side of the mean within which 95 % of a normal distribution lies.
NINETY_FIVE: Final = 1.959963984540054
#: Stands in tables for what cannot be told.
DASH: Final = "–"


def wilson(wins: float, trials: float) -> tuple[float, float]:
    """95 % confidence interval of a rate (Wilson 1927, JASA 22, 209-212).

    It stays inside [0, 1] and is of use for few trials and for rates near 0 and 1. Wins may be
    points, of which a game that is shared gives a part: then it is rather too wide. Trials may be a
    part of those that there were, where they depend on each other; SciPy counts whole ones.

    Returns:
        Lower and upper end; (0, 1) without trials.
    """
    if trials == 0:
        return 0.0, 1.0
    rate, share = wins / trials, NINETY_FIVE**2 / trials
    middle = (rate + share / 2) / (1 + share)
    half = NINETY_FIVE / (1 + share) * math.sqrt(rate * (1 - rate) / trials + share / (4 * trials))
    low = 0.0 if wins == 0 else max(0.0, middle - half)
    high = 1.0 if wins == trials else min(1.0, middle + half)
    return low, high


def plus_minus(mean: float, half: float) -> str:
    """A mean with its sign, and half of its interval; a dash where nothing tells how wide it is."""
    return f"{mean:+.3f} ± {DASH if math.isnan(half) else f'{half:.3f}'}"


def from_to(low: float, high: float) -> str:
    """An interval in words; a dash where nothing tells how wide it is."""
    return f"{low:.3f} to {high:.3f}" if low < high else DASH
