"""A map in letters: places by their names, and the lines between them.

The surroundings of one place are drawn large enough to name every place in them; the whole map
names what matters and marks the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from .canvas import Canvas, Stroke
from .values import Map, Spot
from .values import Stroke as StrokeName

#: Columns beyond which a map would only grow.
WIDEST: Final = 160
NARROWEST: Final = 24
#: A letter is about twice as high as wide.
ASPECT: Final = 0.5
#: Columns for a unit of the map, so that the names of neighbours stand side by side.
CLOSE: Final = 0.1
#: Rows of a close view: the fewest, the most, and what else a screen has to hold.
FEWEST_ROWS: Final = 11
MOST_ROWS: Final = 30
OTHER_ROWS: Final = 9

STROKES: Final[Mapping[StrokeName, Stroke]] = {
    "dashed": Stroke(2, 5, 1, "~"),
    "double": Stroke(1, 0, 2, "="),
    "solid": Stroke(1, 0, 1, "-"),
    "dotted": Stroke(1, 1, 1, "."),
}
SPOT: Final = "o"
PIECE: Final = "bold reverse"
POSSIBLE: Final = "bold red"


def map_text(map: Map, width: int, height: int, *, ascii_only: bool = False) -> Iterator[Text]:
    """The map and what its signs mean, for a terminal of so many columns and rows."""
    columns = max(NARROWEST, min(width, WIDEST))
    yield drawn(map, columns, height).text(ascii_only=ascii_only)
    text = Text()
    for track in reversed(map.tracks):
        text.append(STROKES[track.stroke].sample(4, ascii_only=ascii_only), style=track.colour)
        letter = f"{track.letter} " if track.letter else ""
        text.append(f" {letter}{track.name}  ", style="dim")
    text.rstrip()
    yield text.append(f"\n{map.legend}", style="dim")


def drawn(map: Map, columns: int, height: int) -> Canvas:
    """The map without its legend.

    Args:
        map: The map.
        columns: Its width.
        height: Rows of the terminal, all of which a close view leaves some of.
    """
    if map.centre is None:
        return _Drawing(map, _Window.of_all(map, columns)).drawn()
    rows = max(FEWEST_ROWS, min(height - OTHER_ROWS, MOST_ROWS))
    return _Drawing(map, _Window.around(map, map.centre, columns, rows)).drawn()


class _Drawing:
    """A map on its way to letters."""

    def __init__(self, map: Map, window: _Window) -> None:
        self.map, self.window = map, window
        self.canvas = Canvas(window.columns, window.rows)
        self.where = [window.place(spot.x, spot.y) for spot in map.spots]

    def drawn(self) -> Canvas:
        map, canvas, where = self.map, self.canvas, self.where
        for first, second, kind in sorted(
            map.lines, key=lambda each: (map.mover in each[:2], each[2])
        ):
            own = map.mover in (first, second)
            track = map.tracks[kind]
            style = f"{'bold' if own else 'dim'} {track.colour}"
            canvas.line(where[first], where[second], STROKES[track.stroke], style)
        numbered = list(enumerate(map.spots))
        for place, spot in numbered:
            if spot.piece and not canvas.write(f"[{spot.piece}]", where[place], PIECE):
                canvas.put(spot.piece, where[place], PIECE)
        goals = [(place, spot) for place, spot in numbered if spot.goal and not spot.piece]
        for place, spot in goals:
            if self.window.holds(where[place]):
                self._name(spot, where[place])
        for place, spot in goals:
            if not self.window.holds(where[place]):
                self._point_to(spot, where[place])
        for place, spot in numbered:
            if spot.possible and not (spot.piece or spot.goal):
                self._name(spot, where[place])
        for place, spot in numbered:
            if spot.piece or spot.goal or spot.possible:
                continue
            if map.centre is None or not canvas.write(spot.name, where[place], "dim"):
                canvas.put(SPOT, where[place], "dim", apart=True)
        return canvas

    def _name(self, spot: Spot, place: tuple[float, float]) -> None:
        """The name of a place one can go to, or where they may be; as much as there is room."""
        style = f"bold {spot.colour}" if spot.goal else POSSIBLE
        name = f"{spot.goal}{spot.name}"
        texts = [name]
        if spot.possible and (spot.goal or self.map.centre is not None):
            texts.insert(0, f"{name}?")
        if not any(self.canvas.write(text, place, style) for text in texts):
            self.canvas.put("+", place, style)

    def _point_to(self, spot: Spot, goal: tuple[float, float]) -> None:
        """A goal outside of what is drawn is named where the way to it leaves the picture."""
        if self.map.mover is None:
            return
        canvas, window = self.canvas, self.window
        (x, y), (goal_x, goal_y) = start, _ = self.where[self.map.mover], goal
        inside = [
            (x + (goal_x - x) * part / 200, y + (goal_y - y) * part / 200) for part in range(201)
        ]
        at = next((place for place in reversed(inside) if window.holds(place)), start)
        arrow = _arrow(goal_x - x, goal_y - y)
        name = f"{spot.goal}{spot.name}"
        name = f"{arrow}{name}" if arrow == "←" else f"{name}{arrow}"
        across = min(max(at[0], len(name) // 2), window.columns - 1 - len(name) // 2)
        # At the nearest place that is free; a row is as high as two columns are wide.
        free = sorted(
            itertools.product(range(window.columns), range(window.rows)),
            key=lambda cell: (cell[0] - across) ** 2 + ((cell[1] - at[1]) / ASPECT) ** 2,
        )
        next((cell for cell in free if canvas.write(name, cell, f"bold {spot.colour}")), None)


@dataclass(frozen=True)
class _Window:
    """The part of a map that is drawn: its left and top in the map's units, and columns for one."""

    columns: int
    rows: int
    left: float
    top: float
    scale: float

    @staticmethod
    def of_all(map: Map, columns: int) -> _Window:
        (left, right), (top, bottom) = reach(map)
        scale = (columns - 4) / (right - left)
        rows = round((bottom - top) * scale * ASPECT) + 1
        return _Window(columns, rows, left - 1 / scale, top, scale)

    @staticmethod
    def around(map: Map, centre: int, columns: int, rows: int) -> _Window:
        """The surroundings of a place, within the map."""
        (left, right), (top, bottom) = reach(map)
        scale = max(CLOSE, (columns - 6) / (right - left))
        x, y = map.spots[centre].x, map.spots[centre].y
        wide, high = columns / scale, rows / scale / ASPECT
        margin = 3 / scale
        return _Window(
            columns,
            rows,
            min(max(x - wide / 2, left - margin), max(right + margin - wide, left - margin)),
            min(max(y - high / 2, top - margin), max(bottom + margin - high, top - margin)),
            scale,
        )

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Column and row of a point of the map."""
        return (x - self.left) * self.scale, (y - self.top) * self.scale * ASPECT

    def holds(self, place: tuple[float, float]) -> bool:
        """True if a place can be written at."""
        return 0 <= round(place[0]) < self.columns and 0 <= round(place[1]) < self.rows


def reach(map: Map) -> tuple[tuple[float, float], tuple[float, float]]:
    """The first and the last place of a map across, and down."""
    across, down = zip(*((spot.x, spot.y) for spot in map.spots), strict=True)
    return (min(across), max(across)), (min(down), max(down))


def _arrow(across: float, down: float) -> str:
    # Both are in letters, which are higher than wide.
    if abs(across) * ASPECT > abs(down):
        return "→" if across > 0 else "←"
    return "↓" if down > 0 else "↑"
