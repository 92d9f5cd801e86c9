"""Small tables: for a terminal, and for a notebook as HTML without scripts.

>>> from sleuth.data.tables import aligned
>>> print("\\n".join(aligned([["action", "visits"], ["bet", "12"], ["check", "7"]])))
action  visits
bet         12
check        7
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from .markup import Html, element
from .words import percent

#: A text as it stands, or a probability, which is written in percent on a ground as dark.
Cell = str | float

#: What is set at the right side of its column.
NUMBER: Final = re.compile(r"[-+−±∞\d.,% ]*(to [-+−∞\d.,% ]+)?|nan|\?")

#: The reports' colours; text keeps the notebook's, light or dark.
_STYLE: Final = (
    ".sleuth table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.3em 0}"
    ".sleuth caption{text-align:left;font-weight:600;padding:.2em 0;white-space:nowrap}"
    ".sleuth th{font-weight:400;opacity:.7}"
    ".sleuth td,.sleuth th{padding:.15em .7em .15em 0;text-align:right;border:0}"
    ".sleuth td{border-top:1px solid rgb(128 120 100/30%)}"
    ".sleuth td.share{padding:.15em .5em;background:rgb(186 66 46/calc(var(--p)*60%))}"
    ".sleuth td:first-child,.sleuth th:first-child,.sleuth .words{text-align:left}"
    ".sleuth p{margin:.2em 0;opacity:.7}"
)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table: the first column to the left, the others to the right.

    Args:
        rows: The headings and what stands below them, equally long.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def html_table(heads: Sequence[str], rows: Iterable[Sequence[Cell]], *, caption: str = "") -> Html:
    """A table as HTML; everything in it is text, whatever it looks like."""
    lines = [*rows]
    # The first column is at the left, whatever it holds.
    sides = [
        "words" if column and not all(_is_number(line[column]) for line in lines) else None
        for column in range(len(heads))
    ]
    top = element("caption", caption) if caption else Html("")
    head = element(
        "tr", *(element("th", head, class_=side) for head, side in zip(heads, sides, strict=True))
    )
    body = element("tbody", *(element("tr", *map(_cell, line, sides)) for line in lines))
    return element("table", top, element("thead", head) if any(heads) else Html(""), body)


def html_note(text: str) -> Html:
    """A line of text below a table."""
    return element("p", text)


def html_shown(*parts: Html) -> Html:
    """Tables and notes for a notebook, in the style of the reports."""
    return element("div", element("style", Html(_STYLE)), *parts, class_="sleuth")


def _is_number(cell: Cell) -> bool:
    """True for a share, and for a text that is a number, an interval or nothing."""
    return not isinstance(cell, str) or NUMBER.fullmatch(cell) is not None


def _cell(cell: Cell, side: str | None) -> Html:
    if isinstance(cell, str):
        return element("td", cell, class_=side)
    return element("td", f"{percent(cell)} %", class_="share", style=f"--p:{cell:.2f}")
