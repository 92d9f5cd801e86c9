"""The board of Scotland Yard in letters: a point for every station, pieces and possible stations.

The map is drawn with what a terminal has: numbers where they fit, else marks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ...models.scotland_yard import board

WIDEST: Final = 132
#: A letter is about twice as high as wide.
ASPECT: Final = 0.5
LEGEND: Final = (
    "[1] a detective, [X] Mr. X; a number is where he may be, + where none fits; · a station"
)


def street_map(pieces: Mapping[int, str], possible: Collection[int], width: int) -> RenderableType:
    """The board, at most ``width`` columns wide.

    Args:
        pieces: What stands at a station: station -> a letter.
        possible: Stations to name.
        width: Columns of the terminal.
    """
    places = board().places
    columns = max(24, min(width, WIDEST)) - 4
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places), max(y for _, y in places)
    rows = round(columns * ASPECT * (bottom - top) / (right - left))
    where = {
        station: (
            round((x - left) / (right - left) * columns),
            round((y - top) / (bottom - top) * rows),
        )
        for station, (x, y) in enumerate(places, start=1)
    }
    canvas = [[" "] * (columns + 4) for _ in range(rows + 1)]
    styles = [[""] * (columns + 4) for _ in range(rows + 1)]
    taken: set[tuple[int, int]] = set()

    def write(station: int, words: str, style: str) -> bool:
        """Write words so that they cover the station's place; whether there was room."""
        x, y = where[station]
        for start in range(x, x - len(words), -1):
            cells = [(column, y) for column in range(start, start + len(words))]
            around = [(start - 1, y), (start + len(words), y)] if words.isdigit() else []
            if start < 0 or start + len(words) > columns + 4:
                continue
            if taken.isdisjoint([*cells, *around]):
                for (column, row), letter in zip(cells, words, strict=True):
                    canvas[row][column], styles[row][column] = letter, style
                taken.update(cells)
                return True
        return False

    for station, letter in pieces.items():
        # A piece is what has to be seen: it may cover others.
        if not write(station, f"[{letter}]", "bold reverse"):
            x, y = where[station]
            canvas[y][x], styles[y][x] = letter, "bold reverse"
            taken.add((x, y))
    for station in sorted(possible):
        if station not in pieces and not write(station, str(station), "bold red"):
            write(station, "+", "bold red")
    for station, (x, y) in where.items():
        if (x, y) not in taken and station not in possible:
            canvas[y][x], styles[y][x] = "·", "dim"
    text = Text(no_wrap=True, overflow="crop")
    for line, row in zip(canvas, styles, strict=True):
        used = len("".join(line).rstrip())
        for letter, style in zip(line[:used], row[:used], strict=True):
            text.append(letter, style=style or None)
        text.append("\n")
    return Group(text, Text(LEGEND, style="dim"))
