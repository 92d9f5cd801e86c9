"""Small tables: for a terminal, and for a notebook as HTML without scripts.

>>> print("\\n".join(aligned([["action", "visits"], ["bet", "12"], ["check", "7"]])))
action  visits
bet         12
check        7
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from .words import percent

#: A text as it stands, or a probability, which is written in percent on a ground as dark.
Cell = str | float

#: The reports' colours; text keeps the notebook's, light or dark.
_STYLE: Final = (
    ".sleuth table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.3em 0}"
    ".sleuth caption{text-align:left;font-weight:600;padding:.2em 0}"
    ".sleuth th{font-weight:400;opacity:.7}"
    ".sleuth td,.sleuth th{padding:.15em .7em .15em 0;text-align:right;border:0}"
    ".sleuth td{border-top:1px solid rgb(128 120 100/30%)}"
    ".sleuth td.share{padding:.15em .5em;background:rgb(186 66 46/calc(var(--p)*60%))}"
    ".sleuth td:first-child,.sleuth th:first-child{text-align:left}"
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


def html_table(heads: Sequence[str], rows: Iterable[Sequence[Cell]], *, caption: str = "") -> str:
    """A table as HTML; everything in it is text, whatever it looks like."""
    top = f"<caption>{escape(caption)}</caption>" if caption else ""
    cells = "".join(f"<th>{escape(head)}</th>" for head in heads)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    head = f"<thead><tr>{cells}</tr></thead>" if any(heads) else ""
    return f"<table>{top}{head}<tbody>{body}</tbody></table>"


def html_note(text: str) -> str:
    """A line of text below a table."""
    return f"<p>{escape(text)}</p>"


def html_shown(*parts: str) -> str:
    """The page a notebook shows: tables and notes in the style of the reports."""
    return f'<div class="sleuth"><style>{_STYLE}</style>{"".join(parts)}</div>'


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return f"<td>{escape(cell)}</td>"
    return f'<td class="share" style="--p:{cell:.2f}">{escape(percent(cell))} %</td>'
