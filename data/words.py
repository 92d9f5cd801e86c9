"""Probabilities and information as a person writes them."""

from __future__ import annotations

import math

from .checks import CERTAIN


def percent(probability: float, digits: int = 0) -> str:
    """A probability in percent, without its sign; what is open never reads as 0 or 100.

    Args:
        probability: What is nearer to 0 or 1 than ``CERTAIN`` is certain: the rest is rounding.
        digits: After the point.
    """
    least = 10.0**-digits
    shown = 100.0 * probability
    if probability < CERTAIN:
        shown = 0.0
    elif probability > 1.0 - CERTAIN:
        shown = 100.0
    elif shown < least:
        return f"<{least:g}"
    elif shown > 100.0 - least:
        return f">{100.0 - least:g}"
    return f"{shown:.{digits}f}"


def bits(value: float, *, sign: bool = False) -> str:
    """Information in bits, with a true minus sign and without a minus zero."""
    if math.isinf(value):
        minus, plus = "\N{MINUS SIGN}", "+" if sign else ""
        return (minus if value < 0.0 else plus) + "\N{INFINITY}"
    text = f"{value:+.2f}" if sign else f"{value:.2f}"
    if float(text) == 0.0:
        return "0.00"
    return text.replace("-", "\N{MINUS SIGN}")
