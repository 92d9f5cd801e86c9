"""Boards with areas as drawings of a page: rooms with their names, doors, halls and pawns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..pages.markup import Html, drawing, element
from .drawings import to_touch
from .values import Area, Grid, Tile

#: Side of a cell, and the margin for names of rows and columns.
SIDE: Final = 24
MARGIN: Final = 22
#: How large a pawn is, how far pawns of an area stand apart, and how wide a letter of a name is.
DISC: Final = 10
APART: Final = 22
LETTER: Final = 10
#: Lines of a name, and where an area's pawns stand below them.
LINE: Final = 18
#: What stands before the end of a passage.
PASSAGE: Final = "\N{RIGHTWARDS ARROW OVER LEFTWARDS ARROW}"
#: Sides of a cell: the neighbour, and the line between them from the cell's corner.
SIDES: Final = {
    "n": ((-1, 0), (0, 0), f"h{SIDE}"),
    "e": ((0, 1), (SIDE, 0), f"v{SIDE}"),
    "s": ((1, 0), (0, SIDE), f"h{SIDE}"),
    "w": ((0, -1), (0, 0), f"v{SIDE}"),
}


def plan_drawing(grid: Grid) -> Html:
    """A board whose areas are drawn as one place each, with the pawns in them."""
    tiles = {
        (down, across): each if isinstance(each, Tile) else Tile(each)
        for down, row in enumerate(grid.rows)
        for across, each in enumerate(row)
    }
    inside = {cell for area in grid.areas for cell in area.cells}
    halls = {
        cell: tile for cell, tile in tiles.items() if cell not in inside and tile.ground != "wall"
    }
    parts = [element("path", d="".join(map(_cell, halls)), class_="hall")]
    for place, name in enumerate(grid.columns):
        x = MARGIN + (place + 0.5) * SIDE
        parts.append(element("text", name.strip(), x=x, y=MARGIN - 6, class_="edge"))
    for place, name in enumerate(grid.names):
        y = MARGIN + (place + 0.5) * SIDE + 5
        parts.append(element("text", name.strip(), x=MARGIN / 2, y=y, class_="edge"))
    parts += [_area(area, [tiles[cell] for cell in area.cells]) for area in grid.areas]
    for (down, across), tile in halls.items():
        x, y = _corner(down, across)
        shown = pawn(tile, x + SIDE / 2, y + SIDE / 2) if tile.colour else Html("")
        if tile.line:
            name = f"{grid.columns[across].strip()}{grid.names[down].strip()} {tile.title}".strip()
            ground = element("path", d=_cell((down, across)), class_="ground")
            shown = to_touch(tile.line, name, ground, shown)
        parts.append(shown)
    width, height = (MARGIN + SIDE * len(names) + 2 for names in (grid.columns, grid.names))
    return drawing(grid.title, f"0 0 {width} {height}", "plan", *parts, role="group")


def pawn(tile: Tile, x: float, y: float) -> Html:
    """A disc with a letter, and its name for those who point at it or do not see it."""
    return element(
        "g",
        element("title", tile.title),
        element("circle", cx=x, cy=y, r=DISC, fill=tile.colour),
        element("text", tile.mark, x=x, y=y + 5),
        class_="pawn",
        role="img",
        aria_label=tile.title,
    )


def _area(area: Area, tiles: Sequence[Tile]) -> Html:
    """An area with its walls and doors, its name, and the pawns that are in it."""
    cells = {*area.cells}
    doors = {(down, across, side) for down, across, side in area.doors}
    walls, gaps = "", ""
    for down, across in area.cells:
        x, y = _corner(down, across)
        for side, ((below, beside), (right, under), line) in SIDES.items():
            if (down, across, side) in doors:
                gaps += f"M{x + right} {y + under}{line}"
            elif (down + below, across + beside) not in cells:
                walls += f"M{x + right} {y + under}{line}"
    rows, columns = zip(*area.cells, strict=True)
    left, right = min(columns), max(columns) + 1
    x = MARGIN + (left + right) / 2 * SIDE
    words = _lines(area.name, (right - left) * SIDE)
    pawns = [tile for tile in tiles if tile.colour]
    lines = len(words) + bool(area.passage)
    y = MARGIN + (min(rows) + max(rows) + 1) / 2 * SIDE - (lines * LINE + 2 * DISC) / 2 + LINE - 2
    parts = [
        element("path", d="".join(map(_cell, area.cells)), class_="ground area"),
        element("path", d=walls, class_="walls"),
        element("path", d=gaps, class_="door"),
    ]
    for place, line in enumerate(words):
        parts.append(element("text", line, x=x, y=y + place * LINE, class_="named"))
    if area.passage:
        leads = f"{PASSAGE} {area.passage}"
        parts.append(element("text", leads, x=x, y=y + len(words) * LINE, class_="passage"))
    apart = min(APART, (right - left) * SIDE / max(len(pawns), 1))
    for place, tile in enumerate(pawns):
        beside = (place - (len(pawns) - 1) / 2) * apart
        parts.append(pawn(tile, x + beside, y + (lines - 1) * LINE + DISC + 8))
    if not area.line:
        return element("g", *parts)
    within = ", ".join(tile.title for tile in pawns)
    return to_touch(area.line, f"{area.name}: {within}" if within else area.name, *parts)


def _lines(name: str, room: float) -> list[str]:
    """A name in as many lines as it needs."""
    return [name] if len(name) * LETTER <= room else name.split()


def _corner(down: int, across: int) -> tuple[int, int]:
    return MARGIN + across * SIDE, MARGIN + down * SIDE


def _cell(cell: tuple[int, int]) -> str:
    x, y = _corner(*cell)
    return f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z"
