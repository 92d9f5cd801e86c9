"""Names of the board's squares: ``h8`` is column h, row 8, from the top left.

The same in a play, beside a real table, in records and in reports.
"""

from __future__ import annotations

import re
from typing import Final

from .board import Square

COLUMNS: Final = "abcdefghijklmnopqrstuvwx"
_NAME: Final = re.compile(f"([{COLUMNS}])([1-9][0-9]?)", re.IGNORECASE | re.ASCII)
_NUMBERS: Final = re.compile("([0-9]{1,2}) ([0-9]{1,2})", re.ASCII)


def square_name(square: Square) -> str:
    """The name of a square, such as ``"h8"``."""
    row, column = square
    return f"{COLUMNS[column]}{row + 1}"


def square_of(name: str) -> Square | None:
    """The square that is called so, row and column counted from 0; None for other words."""
    found = _NAME.fullmatch(name)
    return None if found is None else (int(found[2]) - 1, COLUMNS.index(found[1].lower()))


def written(square: Square) -> str:
    """A square as it stands in records: row and column, counted from 0."""
    row, column = square
    return f"{row} {column}"


def square_written(text: str) -> Square | None:
    """The square that stands in a record so; None for other words."""
    found = _NUMBERS.fullmatch(text)
    return None if found is None else (int(found[1]), int(found[2]))


def place_said(to: str) -> str:
    """The end of a move, from a record: a square by its name, and other words as they are."""
    square = square_written(to)
    return to if square is None or square[1] >= len(COLUMNS) else square_name(square)
