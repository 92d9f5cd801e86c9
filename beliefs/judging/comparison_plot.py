"""The picture of a comparison: how far off each method is, and how long it took."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..telling.plotting import FAINT, INK, finished, matplotlib, new_figure, spaced, tidy
from .method_result import ROUNDING, MethodResult

#: One colour a method, in every picture: distinguishable with common colour blindness
#: (after Okabe and Ito, "Color Universal Design", 2008).
COLOURS = {
    "enumeration": "#7f7f7f",
    "card_by_card": "#0072b2",
    "type_counting": "#004c6d",
    "pgmpy": "#8c6bb1",
    "rejection": "#999933",
    "likelihood_weighting": "#e69f00",
    "metropolis": "#d55e00",
    "gibbs": "#56b4e9",
    "particles": "#009e73",
    "loopy_bp": "#cc79a7",
}
#: What stands at approximate methods that are off nowhere in what is drawn: elsewhere they may be.
NOT_OFF = "not off here"

#: Place (seconds, share), words and colour of a name beside a curve.
Label = tuple[float, float, str, str]


def plot(
    results: Sequence[MethodResult],
    more: Sequence[MethodResult],
    *,
    about: str,
    path: str | Path | None,
    axes: Any = None,
) -> Any:
    """Draw error against time, both logarithmic, with the exact methods in a strip below.

    Args:
        results: One result a method.
        more: Results of sampling methods with other numbers of samples.
        about: What was compared, in words.
        path: Where the picture goes; None for one to look at.
        axes: Axes for the approximate methods alone; None for a figure with all.

    Returns:
        The path, else the axes of the approximate methods.
    """
    exact = [result for result in results if result.exact and result.tv is not None]
    others = [result for result in results if not result.exact and result.tv is not None]
    strip = 0.32 * max(len(exact), 1) + 0.3
    figure = new_figure((9.5, 6.2), kept=path is not None) if axes is None else axes.figure
    if axes is None:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[6.0, strip])
    else:
        upper, lower = axes, None
    curves = [_curve(result, more) for result in others]
    shown = [*exact, *(point for curve in curves for point in curve)]
    seconds = [result.seconds for result in shown if result.seconds]
    if seconds:
        # Room on the right for the names.
        upper.set_xlim(min(seconds) / 2.0, max(seconds) * 8.0)
    labels = _draw_curves(upper, curves)
    if lower is None:
        upper.set_xlabel("time from the evidence to the answers", fontsize=9.5, color=INK)
        upper.xaxis.set_major_formatter(_duration)
        upper.tick_params(labelbottom=True)
    else:
        _draw_exact(lower, exact)
        figure.suptitle(
            "How far off, and how long it took",
            x=0.02, ha="left", fontsize=15, color=INK, weight="bold",
        )  # fmt: skip
    missing = [result.name for result in results if result.reason]
    words = textwrap.shorten(about, 90, placeholder=" ...")
    upper.set_title(
        f"Total variation distance from the exact joint of {words}",
        loc="left", fontsize=9.5, color=INK, parse_math=False,
    )  # fmt: skip
    if missing and lower is not None:
        unanswered = textwrap.fill("No answer: " + ", ".join(missing), 110)
        figure.supxlabel(unanswered, x=0.02, ha="left", fontsize=8.5, color=FAINT, parse_math=False)
    # Names are moved apart on the page, so the page must be laid out first.
    figure.draw_without_rendering()
    _label(upper, labels)
    return finished(upper, path)


def _curve(result: MethodResult, more: Sequence[MethodResult]) -> list[MethodResult]:
    points = [result, *(point for point in more if point.name == result.name)]
    return sorted(points, key=lambda point: point.samples or 0)


def _draw_curves(axes: Any, curves: Sequence[Sequence[MethodResult]]) -> list[Label]:
    points = [(p.seconds or 0.0, p.tv or 0.0) for curve in curves for p in curve]
    errors = [error for _, error in points if error > ROUNDING]
    low, high = _limits(errors)
    # No logarithm shows a zero: it has a place of its own, below all that is off.
    hit = len(errors) < len(points)
    nothing = low / (high / low) ** 0.12
    labels: list[Label] = []
    for curve in curves:
        name = curve[0].name
        colour = COLOURS.get(name, INK)
        seconds = [point.seconds or 0.0 for point in curve]
        tvs = [point.tv or 0.0 for point in curve]
        shares = [tv if tv > ROUNDING else nothing for tv in tvs]
        if len(curve) > 1:
            axes.plot(seconds, shares, color=colour, linewidth=1.8, alpha=0.85, zorder=3)
            sizes = [22.0 + 22.0 * place for place in range(len(curve))]
            axes.scatter(seconds, shares, s=sizes, color=colour, edgecolor="white", zorder=4)
        else:
            axes.scatter(
                seconds, shares, s=90, marker="D", color=colour, edgecolor="white", zorder=4
            )
        words = name.replace("_", " ")
        if curve[-1].samples:
            words += f"\n{spaced(curve[-1].samples)} samples"
        labels.append((seconds[-1], shares[-1], words, colour))
    axes.set_yscale("log")
    axes.set_xscale("log")
    axes.set_ylabel("probability misplaced", fontsize=9.5, color=INK)
    ticker: Any = matplotlib("ticker")
    every = ticker.LogLocator(subs=(1.0, 2.0, 5.0)).tick_values(low, high)
    ticks = [float(tick) for tick in every if low <= tick <= high]
    names = [_percent(tick) for tick in ticks]
    axes.set_ylim(low, high)
    if hit:
        axes.set_ylim(nothing**2 / low, high)
        axes.axhspan(nothing**2 / low, low, color="#f6f6f4", zorder=0)
        ticks, names = [nothing, *ticks], [NOT_OFF, *names]
    axes.set_yticks(ticks, names)
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    _guide(axes, points, low)
    tidy(axes)
    axes.tick_params(labelbottom=False)
    if not points:
        axes.text(
            0.5, 0.5, "no approximate method gave an answer",
            transform=axes.transAxes, ha="center", color=FAINT,
        )  # fmt: skip
    return labels


def _limits(errors: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis of errors: at least a decade, so that small differences look small."""
    low, high = min(errors, default=1e-3) * 0.8, max(errors, default=1e-2) * 1.3
    middle = (low * high) ** 0.5
    return min(low, middle / 10.0**0.5), max(high, middle * 10.0**0.5)


def _guide(axes: Any, points: Sequence[tuple[float, float]], least: float) -> None:
    """Lines along which four times the work halves the error, as independent samples do.

    They end at ``least``: below it stands what is not off, which no work halves.
    """
    low, high = axes.get_xlim()
    bottom, top = axes.get_ylim()
    constants = sorted(error * seconds**0.5 for seconds, error in points if error > ROUNDING)
    if not constants:
        return
    middle = constants[len(constants) // 2]
    for factor in (0.1, 1.0, 10.0):
        # Where the line enters the picture's part for what is off, and where it leaves it.
        until = min(high, (factor * middle / least) ** 2)
        if until <= low:
            continue
        ends = [factor * middle / bound**0.5 for bound in (low, until)]
        axes.plot([low, until], ends, color=FAINT, linewidth=0.8, linestyle=(0, (2, 4)), zorder=1)
    axes.set_xlim(low, high)
    axes.set_ylim(bottom, top)
    axes.text(
        0.99, 0.98, "dotted: four times the time, half the error",
        transform=axes.transAxes, ha="right", va="top", fontsize=8, color=FAINT,
    )  # fmt: skip


def _label(axes: Any, labels: Sequence[Label]) -> None:
    """Names beside the ends of the curves, moved apart where they would touch."""
    least = 30.0
    placed: list[tuple[float, float]] = []
    for seconds, share, words, colour in sorted(labels, key=lambda label: label[1]):
        x, y = axes.transData.transform((seconds, share))
        shift = 0.0
        while any(
            abs(y + shift - other) < least and abs(x - left) < 160.0 for left, other in placed
        ):
            shift += 3.0
        placed.append((x, y + shift))
        axes.annotate(
            words, (seconds, share), xytext=(10, shift * 72.0 / axes.figure.dpi - 4),
            textcoords="offset points", fontsize=8.5, color=colour, weight="bold",
            linespacing=1.1, annotation_clip=False, zorder=5, parse_math=False,
        )  # fmt: skip


def _draw_exact(axes: Any, exact: Sequence[MethodResult]) -> None:
    ranked = sorted(exact, key=lambda result: -(result.seconds or 0.0))
    for place, result in enumerate(ranked):
        colour = COLOURS.get(result.name, INK)
        axes.scatter([result.seconds], [place], s=60, marker="s", color=colour, zorder=3)
        axes.annotate(
            result.name.replace("_", " "), (result.seconds or 0.0, place), xytext=(9, 0),
            textcoords="offset points", va="center", fontsize=8.5, color=colour, weight="bold",
            annotation_clip=False, parse_math=False,
        )  # fmt: skip
    axes.set_ylim(-0.6, max(len(ranked), 1) - 0.4)
    axes.set_yticks([])
    axes.set_ylabel("exact", fontsize=9.5, color=INK)
    axes.set_xlabel("time from the evidence to the answers", fontsize=9.5, color=INK)
    axes.xaxis.set_major_formatter(_duration)
    axes.set_facecolor("#f6f6f4")
    tidy(axes)


def _percent(share: float) -> str:
    return f"{100.0 * share:g} %"


def _duration(seconds: float, _place: int) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.999 * size:
            return f"{seconds / size:g} {unit}"
    return f"{seconds:g} s"
