"""The picture of influence: the way of the log odds, and what each observation is still worth."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ...data.words import bits, percent
from ..telling.plotting import FAINT, INK, finished, new_figure, tidy
from .shift import NOTHING, Shift, probability

#: Towards the condition, and away from it (after Okabe and Ito, 2008).
FOR: Final = "#0072b2"
AGAINST: Final = "#d55e00"
#: Room for certainty beyond the finite log odds, in bits.
BEYOND: Final = 1.5
#: Part of the axis that a word beside a bar takes.
WORD: Final = 0.13


def plot(
    rows: Sequence[Shift], count: int, title: str, path: str | Path | None, axes: Any = None
) -> Any:
    """Draw the log odds after every observation, and how far they fall back without it.

    Args:
        rows: What is drawn, in the order seen.
        count: How many observations there are.
        title: What they moved, from where to where.
        path: Where the picture goes; None for one to look at.
        axes: Axes for the way of the log odds alone; None for a figure with both.

    Returns:
        The path, else the axes of the log odds.
    """
    if axes is not None:
        _draw_way(axes, rows, title)
        return finished(axes, path)
    figure = new_figure((9.0, 1.9 + 0.34 * max(len(rows), 2)), kept=path is not None)
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=[2.6, 1.0])
    for place, row in enumerate(rows):
        _left_out(right, place, row)
    _draw_way(left, rows, title)
    _trim(right)
    right.set_xlabel("left out alone", fontsize=9.5, color=INK)
    if not any(math.isfinite(row.left_out or 0.0) and row.left_out for row in rows):
        right.set_xticks([])
        right.set_xlim(0.0, 1.0)
    figure.suptitle(
        "What moved the belief, and how far", x=0.02, ha="left", fontsize=14, color=INK,
        weight="bold",
    )  # fmt: skip
    if count > len(rows):
        figure.supxlabel(
            f"{count - len(rows)} observations that moved it less are not drawn",
            x=0.02, ha="left", fontsize=8.5, color=FAINT,
        )  # fmt: skip
    return finished(left, path)


def _draw_way(left: Any, rows: Sequence[Shift], title: str) -> None:
    """The log odds after every observation."""
    values = [each for row in rows for each in (row.before, row.after)]
    low, high = _reach(values)
    for place, row in enumerate(rows):
        before, after = (max(min(each, high), low) for each in (row.before, row.after))
        _draw(left, place, before, after)
        _words(left, place, row, sorted((before, after)), (low, high))
    _trim(left)
    left.set_xlim(low - 0.05 * (high - low), high + 0.05 * (high - low))
    left.set_ylim(len(rows) - 0.4, -0.6)
    labels = [textwrap.shorten(row.words, 44, placeholder=" ...") for row in rows]
    # Words of the caller are shown as they are: what is between $ is no formula.
    left.set_yticks(range(len(rows)), labels, color=INK, parse_math=False)
    _ticks(left, values, low, high)
    left.set_xlabel("log odds in bits, in the order seen", fontsize=9.5, color=INK)
    left.set_title(title, loc="left", fontsize=9.5, color=INK, parse_math=False)


def _trim(axes: Any) -> None:
    """Nothing but the line at even odds and a grid."""
    axes.axvline(0.0, color=FAINT, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    tidy(axes)
    axes.grid(False, axis="y")


def _reach(values: list[float]) -> tuple[float, float]:
    """Ends of the axis: certainty lies beyond all that is open."""
    finite = [value for value in values if math.isfinite(value)] + [0.0]
    low, high = min(finite), max(finite)
    low -= BEYOND if -math.inf in values else 0.0
    high += BEYOND if math.inf in values else 0.0
    return (low, high) if high - low > 0.2 else (low - 1.0, high + 1.0)


def _draw(axes: Any, place: int, before: float, after: float) -> None:
    colour = FOR if after >= before else AGAINST
    axes.plot([before, before], [place - 0.9, place], color=FAINT, linewidth=0.8, zorder=2)
    axes.barh(place, after - before, left=before, height=0.56, color=colour, zorder=3)
    axes.plot([after, after], [place - 0.28, place + 0.28], color=INK, linewidth=1.2, zorder=4)


def _words(
    axes: Any, place: int, row: Shift, bar: Sequence[float], ends: tuple[float, float]
) -> None:
    """Writes the observation's shift of the log odds where no label is hidden.

    It stands on the side of its bar where there is more room, or in a bar that leaves none.
    """
    if abs(row.in_order) <= NOTHING:
        return
    certain = "certain" if row.after > 0.0 else "impossible"
    words = bits(row.in_order, sign=True) if math.isfinite(row.in_order) else certain
    colour = FOR if row.in_order > 0.0 else AGAINST
    before, behind = bar[0] - ends[0], ends[1] - bar[1]
    if max(before, behind) < WORD * (ends[1] - ends[0]):
        at, side, gap, colour = (bar[0] + bar[1]) / 2.0, "center", 0, "white"
    elif behind >= before:
        at, side, gap = bar[1], "left", 5
    else:
        at, side, gap = bar[0], "right", -5
    axes.annotate(
        words, (at, place), xytext=(gap, 0), textcoords="offset points", ha=side, va="center",
        fontsize=8, color=colour, annotation_clip=False, zorder=5,
    )  # fmt: skip


def _left_out(axes: Any, place: int, row: Shift) -> None:
    value = row.left_out
    if value is None or abs(value) <= NOTHING:
        words = "?" if value is None else "0"
        axes.text(0.0, place, f" {words}", va="center", fontsize=8, color=FAINT)
        return
    colour = FOR if value > 0.0 else AGAINST
    if math.isinf(value):
        axes.text(0.0, place, " open without it", va="center", fontsize=8, color=colour)
        return
    axes.barh(place, value, height=0.34, color=colour, alpha=0.75, zorder=3)


def _ticks(axes: Any, values: list[float], low: float, high: float) -> None:
    """Log odds where they are open, and the certainties beyond."""
    first = low + (BEYOND if -math.inf in values else 0.0)
    last = high - (BEYOND if math.inf in values else 0.0)
    ticks = {tick: _tick(tick) for tick in axes.get_xticks().tolist() if first <= tick <= last}
    ticks |= {low: "impossible"} if -math.inf in values else {}
    ticks |= {high: "certain"} if math.inf in values else {}
    axes.set_xticks([*ticks], [*ticks.values()])


def _tick(log_odds: float) -> str:
    """Log odds, and the probability that they are."""
    number = f"{log_odds:g}".replace("-", "\N{MINUS SIGN}")
    return f"{number}\n{percent(probability(log_odds))} %"
