"""The look of pictures: ink, colours of curves, axes and legends; and where they go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...data.libraries import library

INK = "#222222"
FAINT = "#8a8a8a"
#: Colours of the curves, in order (after Okabe and Ito, 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def matplotlib(module: str) -> Any:
    """A module of matplotlib, such as ``figure``.

    Raises:
        SettingsError: matplotlib is not installed.
    """
    return library(f"matplotlib.{module}", "plots", where="picture")


def new_figure(size: tuple[float, float], *, kept: bool, laid_out: bool = True) -> Any:
    """An empty figure.

    Args:
        size: Its width and height in inches.
        kept: True for one that only a file will have; False for one of ``matplotlib.pyplot``, which
            a notebook shows below its cell and ``pyplot.show()`` in a window.
        laid_out: Whether matplotlib finds room for titles and labels.
    """
    layout = "constrained" if laid_out else None
    if kept:
        return matplotlib("figure").Figure(figsize=size, layout=layout)
    return matplotlib("pyplot").figure(figsize=size, layout=layout)


def finished(axes: Any, path: str | Path | None, *, dpi: int = 150) -> Any:
    """Write the figure that has these axes, if there is a path: the path, else the axes."""
    if path is None:
        return axes
    axes.figure.savefig(path, dpi=dpi)
    return Path(path)


def as_written(legend: Any) -> None:
    """Show the words of a legend as they are: what is between $ is no formula."""
    for words in legend.get_texts():
        words.set_parse_math(False)


def tidy(axes: Any) -> None:
    """Axes without a frame, with a faint grid."""
    axes.grid(True, which="major", color="#e4e4e0", linewidth=0.8, zorder=0)
    axes.set_axisbelow(True)
    axes.tick_params(colors=FAINT, labelsize=8.5, which="both", length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color("#c8c8c4")


def spaced(number: int) -> str:
    """A large number, as ``12 345``."""
    return f"{number:,}".replace(",", " ")
