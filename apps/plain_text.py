"""What reports in a terminal are made of: headings, and tables without lines."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text


def title(words: str) -> Text:
    """The heading of a part."""
    return Text(f"\n{words}", style="bold")


def table(*, header: bool = True, gap: int = 2) -> Table:
    """A table without lines; ``gap`` blanks follow every column."""
    return Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), show_header=header)
