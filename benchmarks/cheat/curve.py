"""The pictures of the tables of Cheat: a better predictor, and more trust in one."""

# matplotlib comes without types for most of what is called here.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox


@dataclass(frozen=True)
class Point:
    """An oracle.

    Attributes:
        right: How often it is right.
        won: Win ratio and the ends of its interval, in per cent.
        cards: Card difference and half of its interval.
    """

    right: float
    won: tuple[float, float, float]
    cards: tuple[float, float]


def draw_curve(points: Sequence[Point], path: Path) -> None:
    """Win ratio and card difference against how often an oracle is right, as a PNG file."""
    figure = Figure(figsize=(8, 3), layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    rights = [point.right for point in points]
    won = [point.won[0] for point in points]
    low = [point.won[0] - point.won[1] for point in points]
    high = [point.won[2] - point.won[0] for point in points]
    left.errorbar(rights, won, yerr=[low, high], marker="o", capsize=3, color="#2a6f97")
    left.set_ylabel("win ratio, %")
    cards, half = zip(*(point.cards for point in points), strict=True)
    right.errorbar(rights, cards, yerr=half, marker="o", capsize=3, color="#2a6f97")
    right.set_ylabel("cards more than the other")
    for panel in (left, right):
        panel.set_xlabel("how often the oracle is right")
        panel.grid(alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


@dataclass(frozen=True)
class Tradeoff:
    """A policy, or one for each seed.

    Attributes:
        group: Which curve it is on.
        name: What it is called.
        won: What it wins from people, and half of its interval.
        exploitable: What a best response wins from it, and half of its interval; 0 for none.
    """

    group: str
    name: str
    won: tuple[float, float]
    exploitable: tuple[float, float]


#: Where a name may stand beside its point, the first that is free: right, up, in points, and what
#: of the name is there.
SIDES: tuple[tuple[int, int, Literal["left", "right"]], ...] = tuple(
    (right, up, "left" if right > 0 else "right")
    for far in (1, 2, 3, 4, 5)
    for up in (4, -9, -3, 4 + 7 * far, -9 - 7 * far)
    for right in (6, -6)
)


def draw_tradeoffs(
    found: Sequence[Tradeoff], path: Path, joined: Sequence[str], *, won_from: str = "people"
) -> None:
    """Exploitability against winnings, as a PNG file; policies of some groups are joined."""
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    panel = figure.subplots()
    groups = dict.fromkeys(each.group for each in found)
    labels: list[Annotation] = []
    for group in groups:
        points = [each for each in found if each.group == group]
        won, off = zip(*(each.won for each in points), strict=True)
        risked, half = zip(*(each.exploitable for each in points), strict=True)
        line = "-" if group in joined else ""
        drawn = panel.errorbar(
            won, risked, xerr=off, yerr=half, marker="o", ls=line, ms=4, capsize=2, label=group
        )
        names: dict[tuple[float, float], list[str]] = {}
        for each in points:
            place = round(each.won[0], 2), round(each.exploitable[0], 2)
            names.setdefault(place, []).append(each.name.replace("`", "").partition(", else")[0])
        for place, beside in names.items():
            labels.append(panel.annotate(", ".join(beside), place, (0, 0), fontsize=7,
                                         textcoords="offset points",
                                         color=drawn.lines[0].get_color()))  # fmt: skip
    panel.set_xlabel(f"won from {won_from}, a game")
    panel.set_ylabel("exploitability, a game")
    panel.margins(x=0.12, y=0.08)
    panel.grid(alpha=0.3)
    legend = panel.legend()
    figure.canvas.draw()
    _set_apart(panel, labels, [legend.get_window_extent()])
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def _set_apart(panel: Axes, labels: Sequence[Annotation], taken: list[Bbox]) -> None:
    """Put every name where it lies on no point and no other name, if there is such a place."""
    for label in labels:
        x, y = panel.transData.transform(label.xy)
        taken.append(Bbox.from_bounds(x - 3, y - 3, 6, 6))
    for label in labels:
        for right, up, side in SIDES:
            label.set_position((right, up))
            label.set_horizontalalignment(side)
            box = label.get_window_extent()
            if not box.count_overlaps(taken):
                break
        taken.append(label.get_window_extent())
