"""Drawing with letters: lines of fine dots, and words above them.

A letter is two dots wide and four high (Braille patterns), so a dot is about as wide as high. A
terminal without them gets a letter of ASCII for each kind of line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rich.text import Text

#: Dots in a letter.
ACROSS: Final = 2
DOWN: Final = 4
_BLANK: Final = 0x2800
#: The bit of each dot of a Braille pattern, by row and column.
_BITS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
#: What stands for letters that not every terminal has.
_PLAIN: Final = str.maketrans("←→↑↓", "<>^v")


@dataclass(frozen=True)
class Stroke:
    """The drawing of a kind of line.

    Attributes:
        on, off: Dots that are drawn and left out, in turn.
        wide: Dots across.
        ascii: The letter for terminals without dots.
    """

    on: int
    off: int
    wide: int
    ascii: str

    def sample(self, length: int, *, ascii_only: bool) -> str:
        """A piece of it that is so many letters long."""
        canvas = Canvas(length, 1)
        canvas.line((0.0, 0.375), (length - 0.5, 0.375), self)
        return canvas.text(ascii_only=ascii_only).plain.rstrip("\n")


class Canvas:
    """Letters in rows, drawn upon in the order of the calls; what is outside is left out.

    Places are in letters, as (across, down), and may lie between them.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self._dots: dict[tuple[int, int], int] = {}
        self._strokes: dict[tuple[int, int], tuple[Stroke, str]] = {}
        self._words: dict[tuple[int, int], tuple[str, str]] = {}
        self._gaps: set[tuple[int, int]] = set()

    def line(
        self, start: tuple[float, float], end: tuple[float, float], stroke: Stroke, style: str = ""
    ) -> None:
        """Draw a straight line; its style is that of the last line through a letter."""
        (x, y), (right, bottom) = (
            (round(across * ACROSS), round(down * DOWN)) for across, down in (start, end)
        )
        if self._is_outside((x, right), (y, bottom), stroke.wide):
            return
        steps = max(abs(right - x), abs(bottom - y), 1)
        steep = abs(bottom - y) > abs(right - x)
        for step in range(steps + 1):
            if step % (stroke.on + stroke.off) >= stroke.on:
                continue
            across, down = (
                round(x + (right - x) * step / steps),
                round(y + (bottom - y) * step / steps),
            )
            for beside in range(stroke.wide):
                self._dot(*((across + beside, down) if steep else (across, down + beside)), stroke)
                cell = (across // ACROSS, down // DOWN)
                self._strokes[cell] = (stroke, style)

    def _is_outside(self, across: tuple[int, int], down: tuple[int, int], wide: int) -> bool:
        """True if all dots of a line lie to one side of the canvas: most do in a close view."""
        return any(
            max(dots) + wide <= 0 or min(dots) >= letters * size
            for dots, letters, size in (
                (across, self.columns, ACROSS),
                (down, self.rows, DOWN),
            )
        )

    def _dot(self, across: int, down: int, stroke: Stroke) -> None:
        cell = (across // ACROSS, down // DOWN)
        bit = _BITS[down % DOWN][across % ACROSS]
        self._dots[cell] = self._dots.get(cell, 0) | bit
        self._strokes.setdefault(cell, (stroke, ""))

    def write(self, words: str, place: tuple[float, float], style: str = "") -> bool:
        """Write words so that they cover a place, beside other words; whether there was room."""
        column, row = round(place[0]), round(place[1])
        if not 0 <= row < self.rows or len(words) > self.columns:
            return False
        middle = column - (len(words) - 1) // 2
        shifts = sorted(range(-len(words) + 1, len(words)), key=abs)
        for shift in shifts:
            first = middle + shift
            cells = [(at, row) for at in range(first, first + len(words))]
            around = [(first - 1, row), (first + len(words), row)]
            if not first <= column < first + len(words):
                continue
            if first < 0 or first + len(words) > self.columns:
                continue
            if any(cell in self._words for cell in (*cells, *around)):
                continue
            self._words.update(
                (cell, (letter, style)) for cell, letter in zip(cells, words, strict=True)
            )
            self._gaps.update(around)
            return True
        return False

    def put(
        self, letter: str, place: tuple[float, float], style: str = "", *, apart: bool = False
    ) -> bool:
        """Write one letter where nothing is written; whether it was free.

        Args:
            letter: The letter.
            place: Where.
            style: Its style.
            apart: Whether it may touch no other word.
        """
        column, row = cell = round(place[0]), round(place[1])
        beside = ((column - 1, row), (column + 1, row)) if apart else ()
        if any(each in self._words for each in (cell, *beside)):
            return False
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return False
        self._words[cell] = (letter, style)
        return True

    def text(self, *, ascii_only: bool) -> Text:
        """The picture, without blanks at the ends of rows."""
        text = Text(no_wrap=True, overflow="crop")
        for row in range(self.rows):
            letters = list(self._row(row, ascii_only=ascii_only))
            while letters and letters[-1][0] == " ":
                letters.pop()
            for letter, style in letters:
                text.append(letter, style=style or None)
            text.append("\n")
        return text

    def _row(self, row: int, *, ascii_only: bool) -> Iterator[tuple[str, str]]:
        for column in range(self.columns):
            cell = (column, row)
            if cell in self._words:
                letter, style = self._words[cell]
                yield letter.translate(_PLAIN) if ascii_only else letter, style
            elif cell in self._gaps or cell not in self._dots:
                yield " ", ""
            else:
                stroke, style = self._strokes[cell]
                yield stroke.ascii if ascii_only else chr(_BLANK + self._dots[cell]), style
