"""The picture of reliability: what was predicted against what happened, and how often each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..telling.plotting import COLOURS, FAINT, INK, as_written, finished, new_figure, spaced, tidy
from .reliability_statistics import Bin


class ReliabilityCurve(Protocol):
    """The parts of a `Reliability` that are drawn."""

    @property
    def bins(self) -> Sequence[Bin]: ...
    @property
    def cells(self) -> int: ...
    @property
    def games(self) -> int: ...
    @property
    def refuted(self) -> int: ...
    @property
    def expected_error(self) -> float: ...
    @property
    def p_value(self) -> float | None: ...
    @property
    def slope(self) -> float | None: ...
    @property
    def slope_error(self) -> float | None: ...


def plot(curves: Mapping[str, ReliabilityCurve], path: str | Path | None, axes: Any = None) -> Any:
    """Draw reliability curves above the numbers of cells.

    Args:
        curves: The curves by their names.
        path: The file to write; None for a picture to look at.
        axes: Axes for the curves alone; None for a figure with the numbers of cells.

    Returns:
        The path, else the axes of the curves.
    """
    if axes is not None:
        _draw_all(axes, None, curves)
        axes.set_xlabel("predicted probability", fontsize=9.5, color=INK)
        return finished(axes, path)
    figure = new_figure((7.2, 7.6), kept=path is not None)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[5.2, 1.0])
    figure.suptitle(
        "When it says 30 %, does it happen 30 % of the time?",
        x=0.02, ha="left", fontsize=14, color=INK, weight="bold",
    )  # fmt: skip
    _draw_all(upper, lower, curves)
    cells = max((curve.cells for curve in curves.values()), default=0)
    games = max((curve.games for curve in curves.values()), default=0)
    each = " each" if len(curves) > 1 else ""
    upper.set_title(
        f"{spaced(cells)} predicted probabilities in {spaced(games)} games{each}; "
        "bars are 95 % intervals",
        loc="left", fontsize=9.5, color=INK,
    )  # fmt: skip
    lower.set_yscale("log")
    lower.set_ylabel("cells", fontsize=9.5, color=INK)
    lower.set_xlabel("predicted probability", fontsize=9.5, color=INK)
    tidy(lower)
    return finished(upper, path)


def _draw_all(upper: Any, lower: Any, curves: Mapping[str, ReliabilityCurve]) -> None:
    upper.plot([0.0, 1.0], [0.0, 1.0], color=FAINT, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1)
    upper.annotate(
        "as often as it says", (0.985, 0.985), xytext=(-4, -3), textcoords="offset points",
        rotation=45, rotation_mode="anchor", transform_rotates_text=True, ha="right", va="top",
        fontsize=8, color=FAINT,
    )  # fmt: skip
    count = len(curves)
    for place, ((name, curve), colour) in enumerate(zip(curves.items(), COLOURS, strict=False)):
        # Side by side, so that no curve hides another's interval.
        # Axes of somebody's own may be narrow.
        words = _legend(name, curve, ", " if lower is not None else ",\n")
        _draw(upper, words, curve, colour, 0.006 * (place - 0.5 * (count - 1)))
        if lower is not None:
            _count(lower, curve, colour, place, count)
    upper.set_ylabel("happened", fontsize=9.5, color=INK)
    upper.set_xlim(-0.02, 1.02)
    upper.set_ylim(-0.02, 1.02)
    upper.yaxis.set_major_formatter(_percent)
    as_written(
        upper.legend(
            loc="upper left", frameon=False, fontsize=9, labelspacing=0.9, handlelength=1.4
        )
    )
    upper.xaxis.set_major_formatter(_percent)
    tidy(upper)


def _draw(axes: Any, words: str, curve: ReliabilityCurve, colour: str, shift: float) -> None:
    x = [entry.predicted + shift for entry in curve.bins]
    y = [entry.happened for entry in curve.bins]
    below = [max(entry.happened - entry.lower, 0.0) for entry in curve.bins]
    above = [max(entry.upper - entry.happened, 0.0) for entry in curve.bins]
    axes.errorbar(
        x, y, yerr=[below, above], color=colour, linewidth=1.6, elinewidth=1.1, capsize=2.5,
        marker="o", markersize=5.5, markeredgecolor="white", zorder=3, label=words,
    )  # fmt: skip


def _legend(name: str, curve: ReliabilityCurve, between: str) -> str:
    words = [f"off by {100.0 * curve.expected_error:.2g} %"]
    if curve.refuted:
        words.append(f"{spaced(curve.refuted)} certainties refuted")
    elif curve.p_value is not None:
        chance = "p < 0.0001" if curve.p_value < 1e-4 else f"p = {curve.p_value:.2g}"
        words.append(
            ("deviates" if curve.p_value < 0.01 else "no deviation found") + f" ({chance})"
        )
    if curve.slope is not None and curve.slope_error is not None:
        words.append(f"slope {curve.slope:.2f} ± {curve.slope_error:.2f}")
    return (f"{name}\n" if name else "") + between.join(words)


def _count(axes: Any, curve: ReliabilityCurve, colour: str, place: int, count: int) -> None:
    for entry in curve.bins:
        width = (entry.high - entry.low) * 0.86 / count
        left = entry.low + (entry.high - entry.low) * 0.07 + place * width
        axes.bar(left, entry.count, width=width, align="edge", color=colour, alpha=0.75, zorder=2)


def _percent(share: float, _place: int) -> str:
    return f"{100.0 * share:.0f} %"
