"""Probabilities, information and counts as a person writes them, in text of one width."""

from __future__ import annotations

from typing import Final

#: What is this near to certain is certain: the rest is rounding.
ROUNDING: Final = 1e-13


def percent(probability: float) -> str:
    """A probability in percent, without its sign; what is open never reads as 0 or 100."""
    if 0.0 < probability < 0.01:
        return "<1"
    if 0.99 < probability < 1.0 - ROUNDING:
        return ">99"
    return f"{100.0 * probability:.0f}"


def bits(value: float, *, sign: bool = False) -> str:
    """Information in bits, with a true minus sign and without a minus zero."""
    text = f"{value:+.2f}" if sign else f"{value:.2f}"
    if float(text) == 0.0:
        return "0.00"
    return text.replace("-", "\N{MINUS SIGN}")


def counted(count: int, noun: str) -> str:
    """A count with its noun: ``1 game``, ``2 games``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
