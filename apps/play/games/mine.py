"""The mine of Saboteur in letters: cards as lines between cells, in three rows each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ....models.game import HIDDEN
from ....models.saboteur import cell_name
from ....models.saboteur.state import FACE_DOWN, GOALS, GOLD
from ....models.saboteur.words import piece_of

#: What stands in the middle of a passage, by its openings as bits.
CORNERS: Final = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"
#: The same for terminals without lines.
PLAIN: Final = str.maketrans({**dict.fromkeys(CORNERS, "+"), "·": ".", "─": "-", "│": "|"})
DEAD_END: Final = "x"
#: What the signs of the picture mean.
LEGEND: Final = "S start, [?] goal face down, $ gold, s stone\nx dead end, · free cell"
#: Columns of a card, in a wide terminal and in a narrow one.
WIDE: Final = 5
NARROW: Final = 3
#: Columns for the numbers of rows.
MARGIN: Final = 3


@dataclass(frozen=True)
class MinePicture:
    """A picture of the mine for any terminal, cut to where cards lie and one cell around.

    Attributes:
        rules: The game's settings, see `models.saboteur.state`.
        state: A masked state.
        last: Cells to be marked.
    """

    rules: Any
    state: Any
    last: Collection[int] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The picture, and what its signs mean."""
        yield self.text(options.max_width, ascii_only=options.ascii_only)
        yield Text(LEGEND.translate(PLAIN) if options.ascii_only else LEGEND, style="dim")

    def text(self, width: int, *, ascii_only: bool = False) -> Text:
        """The picture, at most so many letters wide."""
        rows, columns = self._window()
        size = WIDE if MARGIN + WIDE * len(columns) <= width else NARROW
        text = Text(no_wrap=True, overflow="crop")
        for row in rows:
            for line in range(3):
                margin = f"{row + 1:>{MARGIN - 1}} " if line == 1 else " " * MARGIN
                drawn = Text().append(margin, "dim")
                for column in columns:
                    cell = row * int(self.rules.width) + column
                    part = self._card(cell, size)[line]
                    style = self._style(cell)
                    drawn.append(part.translate(PLAIN) if ascii_only else part, style)
                drawn.rstrip()
                # Between rows without ways from one to the other no lines are needed.
                if drawn.plain:
                    text.append_text(drawn).append("\n")
        names = (cell_name(column, int(self.rules.width))[0] for column in columns)
        text.append(" " * MARGIN + "".join(name.center(size) for name in names).rstrip(), "dim")
        return text

    def _window(self) -> tuple[range, range]:
        """The rows and columns that are drawn."""
        width, cells = int(self.rules.width), int(self.rules.cells)
        laid = [divmod(cell, width) for cell in range(cells) if self.state.board[cell]]
        return tuple(  # pyright: ignore[reportReturnType]
            range(max(0, min(places) - 1), min(most, max(places) + 2))
            for places, most in zip(zip(*laid, strict=True), (cells // width, width), strict=True)
        )

    def _card(self, cell: int, size: int) -> tuple[str, str, str]:
        """The three rows of a cell."""
        laid, beside = int(self.state.board[cell]), size // 2
        blank = " " * size
        goal = next((each for each in range(GOALS) if self.rules.goals[each] == cell), None)
        if laid == 0:
            return blank, "·".center(size), blank
        if laid == FACE_DOWN:
            return blank, f"[{self._goal(goal)}]".center(size), blank
        card, openings = piece_of(laid)
        middle = CORNERS[openings] if card.through else DEAD_END
        if goal is not None:
            middle = self._goal(goal)
        elif cell == self.rules.start:
            middle = "S"
        north, east, south, west = (openings >> bit & 1 for bit in range(4))
        left, right = ("─" if opens else " " for opens in (west, east))
        up, down = (("│" if opens else " ").center(size) for opens in (north, south))
        return up, left * beside + middle + right * beside, down

    def _goal(self, goal: int | None) -> str:
        """The sign of a goal, as far as the viewer knows it."""
        card = HIDDEN if goal is None else int(self.state.goals[goal])
        return "?" if card == HIDDEN else "$" if card == GOLD else "s"

    def _style(self, cell: int) -> str:
        laid = int(self.state.board[cell])
        if cell in self.last:
            return "bold green"
        if laid == FACE_DOWN:
            return "bold"
        return "" if self.state.reached[cell] else "dim"
