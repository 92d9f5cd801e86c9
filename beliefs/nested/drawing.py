"""A Kripke model as a picture: worlds on a circle, and an arrow for each step of each player."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np

from ...data.errors import CostError
from ..telling.plotting import COLOURS, FAINT, INK, as_written, finished, matplotlib, new_figure
from .kripke import KripkeModel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: More worlds would be a tangle.
MOST_DRAWN: Final = 24


@overload
def draw_model(
    model: KripkeModel,
    path: str | Path,
    *,
    actual: int | None = None,
    name: Callable[[Any], str] = str,
    title: str = "What each player believes",
    ax: Axes | None = None,
) -> Path: ...
@overload
def draw_model(
    model: KripkeModel,
    path: None = None,
    *,
    actual: int | None = None,
    name: Callable[[Any], str] = str,
    title: str = "What each player believes",
    ax: Axes | None = None,
) -> Axes: ...
def draw_model(
    model: KripkeModel,
    path: str | Path | None = None,
    *,
    actual: int | None = None,
    name: Callable[[Any], str] = str,
    title: str = "What each player believes",
    ax: Axes | None = None,
) -> Path | Axes:
    """Draw what each player believes in each world.

    A world that a player believes in that world itself has a dot of the player's colour; two worlds
    that lead to each other share one line without heads.

    Args:
        model: At most 24 worlds and six players.
        path: Where the picture goes; its ending says of which kind it is. None for one to look at,
            which a notebook shows below its cell.
        actual: The number of the world that is the true one, drawn bold.
        name: What is written in a world.
        title: Written above.
        ax: Axes to draw on; None for a figure of its own.

    Returns:
        The path, else the axes.

    Raises:
        CostError: There are too many worlds or players to tell apart.

    >>> from pathlib import Path
    >>> import numpy as np
    >>> from sleuth.nested import KripkeModel, draw_model
    >>> model = KripkeModel(("rain", "sun"), ("ann",), np.full((1, 2, 2), 0.5))
    >>> draw_model(model, Path("weather.svg"), actual=0).exists()
    True
    """
    count = len(model.worlds)
    if count > MOST_DRAWN or len(model.players) > len(COLOURS):
        raise CostError(
            f"a picture has at most {MOST_DRAWN} worlds and {len(COLOURS)} players, "
            f"not {count} and {len(model.players)}",
            hint="evaluate formulas instead",
        )
    lines: Any = matplotlib("lines")
    axes: Any = ax
    if axes is None:
        axes = new_figure((7.2, 7.6), kept=path is not None).subplots()
    places = [
        (math.sin(2 * math.pi * place / count), math.cos(2 * math.pi * place / count))
        for place in range(count)
    ]
    for player, colour in zip(range(len(model.players)), COLOURS, strict=False):
        bend = 0.08 + 0.09 * player
        relation = model.believed[player]
        steps: list[list[int]] = np.argwhere(relation).tolist()
        for start, end in steps:
            if start == end:
                x, y = places[start]
                axes.plot(
                    [x * 1.17 + 0.05 * (player - (len(model.players) - 1) / 2)], [y * 1.17],
                    "o", color=colour, markersize=6, zorder=3,
                )  # fmt: skip
            elif not (relation[end, start] and end < start):
                both = bool(relation[end, start])
                axes.annotate(
                    "", places[end], places[start],
                    arrowprops={
                        "arrowstyle": "-" if both else "-|>", "color": colour, "linewidth": 1.3,
                        "connectionstyle": f"arc3,rad={bend}", "shrinkA": 22, "shrinkB": 22,
                    },
                )  # fmt: skip
    for place, (x, y) in enumerate(places):
        true = place == actual
        axes.annotate(
            name(model.worlds[place]), (x, y), ha="center", va="center", fontsize=9, color=INK,
            weight="bold" if true else "normal", zorder=4, parse_math=False,
            bbox={
                "boxstyle": "round,pad=0.35", "facecolor": "white",
                "edgecolor": INK if true else FAINT, "linewidth": 1.8 if true else 0.8,
            },
        )  # fmt: skip
    legend = axes.legend(
        handles=[
            lines.Line2D([], [], color=colour, marker="o", label=player)
            for player, colour in zip(model.players, COLOURS, strict=False)
        ],
        loc="lower center", ncols=len(model.players), frameon=False, bbox_to_anchor=(0.5, -0.02),
    )  # fmt: skip
    as_written(legend)
    axes.set_xlim(-1.45, 1.45)
    axes.set_ylim(-1.45, 1.35)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(title, loc="left", fontsize=14, color=INK, weight="bold", parse_math=False)
    return finished(axes, path, dpi=140)
