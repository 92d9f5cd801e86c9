"""The board of Scotland Yard in letters: stations by their numbers, and the lines between them.

The surroundings of one station are drawn large enough to name every station in them; the whole
board names what matters and marks the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ....models.scotland_yard.board import StationMap
from ...kit.answers.canvas import Canvas, Stroke
from ...scotland_yard.words import LETTERS as TICKET_LETTERS

#: Columns beyond which the board would only grow.
WIDEST: Final = 160
NARROWEST: Final = 24
#: A letter is about twice as high as wide.
ASPECT: Final = 0.5
#: Columns for a pixel of the board, so that the numbers of neighbours stand side by side.
CLOSE: Final = 0.1
#: Rows of a close view: the fewest, the most, and what else a screen has to hold.
FEWEST_ROWS: Final = 11
MOST_ROWS: Final = 30
OTHER_ROWS: Final = 9

#: What is thin is drawn last, so that it is seen.
STROKES: Final = {
    "ferry": Stroke(2, 5, 1, "~"),
    "underground": Stroke(1, 0, 2, "="),
    "bus": Stroke(1, 0, 1, "-"),
    "taxi": Stroke(1, 1, 1, "."),
}
COLOURS: Final = {
    "ferry": "cyan",
    "underground": "magenta",
    "bus": "green",
    "taxi": "yellow",
}
#: The letter before a station that one can go to.
BLACK: Final = "black"
LETTERS: Final = {ticket: letter for letter, ticket in TICKET_LETTERS.items()}
STATION: Final = "o"
PIECE: Final = "bold reverse"
POSSIBLE: Final = "bold red"


@dataclass(frozen=True)
class YardMap:
    """A picture of the board for any terminal.

    Attributes:
        board: The board.
        pieces: What stands at a station: station -> a letter.
        possible: Stations where Mr. X may be.
        goals: Where the one who moves can go: station -> tickets.
        mover: The station from where they go; None if nobody moves.
        centre: The station whose surroundings are drawn; None for the whole board.
    """

    board: StationMap
    pieces: Mapping[int, str]
    possible: Collection[int]
    goals: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    mover: int | None = None
    centre: int | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The picture, and what its signs mean."""
        columns = max(NARROWEST, min(options.max_width, WIDEST))
        yield self.drawn(columns, console.height).text(ascii_only=options.ascii_only)
        yield self._legend(ascii_only=options.ascii_only)

    def drawn(self, columns: int, height: int) -> Canvas:
        """The picture without its legend.

        Args:
            columns: Its width.
            height: Rows of the terminal, all of which a close view leaves some of.
        """
        if self.centre is None:
            return self._draw(_Window.of_all(self.board, columns))
        rows = max(FEWEST_ROWS, min(height - OTHER_ROWS, MOST_ROWS))
        return self._draw(_Window.around(self.board, self.centre, columns, rows))

    def _draw(self, window: _Window) -> Canvas:
        canvas = Canvas(window.columns, window.rows)
        board = self.board
        where = {
            station: window.place(x, y) for station, (x, y) in enumerate(board.places, start=1)
        }
        order = list(STROKES)
        for first, second, way in sorted(
            board.connections, key=lambda each: (self.mover in each[:2], order.index(each[2]))
        ):
            own = self.mover in (first, second)
            style = f"bold {COLOURS[way]}" if own else f"dim {COLOURS[way]}"
            canvas.line(where[first], where[second], STROKES[way], style)
        for station, letter in self.pieces.items():
            if not canvas.write(f"[{letter}]", where[station], PIECE):
                canvas.put(letter, where[station], PIECE)
        for station in sorted(self.goals):
            if station not in self.pieces and window.holds(where[station]):
                self._name(canvas, station, where[station])
        for station in self.goals:
            if station not in self.pieces and not window.holds(where[station]):
                self._point_to(canvas, window, station, where)
        for station in sorted(self.possible):
            if station not in self.pieces and station not in self.goals:
                self._name(canvas, station, where[station])
        for station, place in where.items():
            if station in self.pieces or station in self.goals or station in self.possible:
                continue
            if self.centre is None or not canvas.write(str(station), place, "dim"):
                canvas.put(STATION, place, "dim", apart=True)
        return canvas

    def _name(self, canvas: Canvas, station: int, place: tuple[float, float]) -> None:
        """The number of a station one can go to, or where they may be; as much as there is room."""
        tickets = self.goals.get(station, ())
        ways = _letters(tickets)
        style = f"bold {_colour(tickets)}" if tickets else POSSIBLE
        may = "?" if station in self.possible else ""
        close = self.centre is not None
        texts = [f"{ways}{station}{may}", f"{ways}{station}"] if tickets else []
        if not tickets:
            texts = [f"{station}?"] if close else []
            texts.append(str(station))
        if not any(canvas.write(text, place, style) for text in texts):
            canvas.put("+", place, style)

    def _point_to(
        self,
        canvas: Canvas,
        window: _Window,
        station: int,
        where: Mapping[int, tuple[float, float]],
    ) -> None:
        """A goal outside of what is drawn is named where the way to it leaves the picture."""
        if self.mover is None:
            return
        tickets = self.goals[station]
        (x, y), (goal_x, goal_y) = where[self.mover], where[station]
        inside = [
            (x + (goal_x - x) * part / 200, y + (goal_y - y) * part / 200) for part in range(201)
        ]
        at = next((place for place in reversed(inside) if window.holds(place)), where[self.mover])
        name = f"{_letters(tickets)}{station}"
        arrow = _arrow(goal_x - x, goal_y - y)
        name = f"{arrow}{name}" if arrow == "←" else f"{name}{arrow}"
        style = f"bold {_colour(tickets)}"
        across = min(max(at[0], len(name) // 2), window.columns - 1 - len(name) // 2)
        # At the nearest place that is free; a row is as high as two columns are wide.
        free = sorted(
            itertools.product(range(window.columns), range(window.rows)),
            key=lambda cell: (cell[0] - across) ** 2 + ((cell[1] - at[1]) / ASPECT) ** 2,
        )
        next((cell for cell in free if canvas.write(name, cell, style)), None)

    def _legend(self, *, ascii_only: bool) -> Text:
        text = Text()
        for way in reversed(STROKES):
            sample = STROKES[way].sample(4, ascii_only=ascii_only)
            text.append(sample, style=COLOURS[way])
            letter = f"{LETTERS[way]} " if way in LETTERS and self.goals else ""
            text.append(f" {letter}{way}  ", style="dim")
        text.rstrip()
        said = ["[1] detective", "[X] Mr. X"]
        if self.goals:
            said.insert(0, "t46 you can go there")
        if any(BLACK in tickets for tickets in self.goals.values()):
            said.insert(1, "x46 by black fare only")
        close = self.centre is not None
        said.append("46? Mr. X may be there" if close else "46 or + Mr. X may be there")
        if not close:
            said.append(f"{STATION} a station")
        text.append("\n" + "; ".join(said), style="dim")
        return text


@dataclass(frozen=True)
class _Window:
    """Which part of the board is drawn: its left and top in pixels, and columns for a pixel."""

    columns: int
    rows: int
    left: float
    top: float
    scale: float

    @staticmethod
    def of_all(board: StationMap, columns: int) -> _Window:
        (left, right), (top, bottom) = _reach(board)
        scale = (columns - 4) / (right - left)
        rows = round((bottom - top) * scale * ASPECT) + 1
        return _Window(columns, rows, left - 1 / scale, top, scale)

    @staticmethod
    def around(board: StationMap, station: int, columns: int, rows: int) -> _Window:
        """The surroundings of a station, within the board."""
        (left, right), (top, bottom) = _reach(board)
        scale = max(CLOSE, (columns - 6) / (right - left))
        x, y = board.places[station - 1]
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
        """Column and row of a point of the board."""
        return (x - self.left) * self.scale, (y - self.top) * self.scale * ASPECT

    def holds(self, place: tuple[float, float]) -> bool:
        """Whether a place can be written at."""
        return 0 <= round(place[0]) < self.columns and 0 <= round(place[1]) < self.rows


def _reach(board: StationMap) -> tuple[tuple[int, int], tuple[int, int]]:
    across, down = zip(*board.places, strict=True)
    return (min(across), max(across)), (min(down), max(down))


def _letters(tickets: Collection[str]) -> str:
    return "".join(letter for ticket, letter in LETTERS.items() if ticket in tickets)


def _colour(tickets: Collection[str]) -> str:
    return next((COLOURS[way] for way in COLOURS if way in tickets), COLOURS["ferry"])


def _arrow(across: float, down: float) -> str:
    # Both are in letters, which are higher than wide.
    if abs(across) * ASPECT > abs(down):
        return "→" if across > 0 else "←"
    return "↓" if down > 0 else "↑"
