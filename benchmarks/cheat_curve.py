"""The picture of the tables of Cheat: what a better predictor is worth."""

# matplotlib comes without types for most of what is called here.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


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
