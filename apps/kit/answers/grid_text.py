"""A board of cells in letters: a letter a cell, or lines for the ways between cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from .values import Grid, Tile, Tone

#: What stands in the middle of a way, by its sides as bits.
CORNERS: Final = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"
#: The same for terminals without lines.
PLAIN: Final = str.maketrans({**dict.fromkeys(CORNERS, "+"), "·": ".", "─": "-", "│": "|"})
SIDES: Final = "nesw"
DEAD_END: Final = "x"
#: Columns of a cell with ways, in a wide terminal and in a narrow one.
WIDE: Final = 5
NARROW: Final = 3
#: Columns for the names of rows.
MARGIN: Final = 3
#: How each tone looks in a terminal.
TONES: Final[dict[Tone, str]] = {
    "plain": "", "strong": "bold", "soft": "dim", "new": "bold green", "aside": "cyan"
}  # fmt: skip


def grid_text(grid: Grid, width: int, *, ascii_only: bool = False) -> Iterator[Text]:
    """The board and what its marks mean, for a terminal of so many columns."""
    tiles = [[each if isinstance(each, Tile) else Tile(each) for each in row] for row in grid.rows]
    has_ways = any(tile.ways for row in tiles for tile in row)
    size = grid.across
    if has_ways:
        size = WIDE if MARGIN + WIDE * len(grid.columns) <= width else NARROW
    text = Text(no_wrap=True, overflow="crop")
    for name, row in zip(grid.names, tiles, strict=True):
        for line in range(3) if has_ways else (1,):
            named = name.ljust(MARGIN) if grid.across > 1 else f"{name:>{MARGIN - 1}} "
            drawn = Text().append(named if line == 1 else " " * MARGIN, "dim")
            for tile in row:
                part = _parts(tile, size)[line]
                drawn.append(part.translate(PLAIN) if ascii_only else part, TONES[tile.tone])
            if size > 1:
                drawn.rstrip()
            # Between rows without ways from one to the other no lines are needed.
            if drawn.plain:
                text.append_text(drawn).append("\n")
    names = "".join(name.center(size) for name in grid.columns)
    yield text.append(" " * MARGIN + names.rstrip(), "dim")
    if grid.legend:
        yield Text(grid.legend.translate(PLAIN) if ascii_only else grid.legend, style="dim")


def _parts(tile: Tile, size: int) -> tuple[str, str, str]:
    """The three rows of a cell."""
    if not tile.ways:
        return " " * size, tile.mark.center(size), " " * size
    north, east, south, west = (side in tile.ways for side in SIDES)
    middle = CORNERS[north | east << 1 | south << 2 | west << 3]
    middle = tile.mark or (DEAD_END if tile.blocked else middle)
    left, right = ("─" if opens else " " for opens in (west, east))
    up, down = (("│" if opens else " ").center(size) for opens in (north, south))
    return up, left * (size // 2) + middle + right * (size // 2), down
