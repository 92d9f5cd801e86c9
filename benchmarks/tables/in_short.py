"""The sentences in front of a page of results: their numbers are those of the page's own tables.

The sentences stand in `in_short.md`, a section for each page under its name and a line for each
sentence. Their holes are

=========================  ================================================================
``{page[TABLE][ROW][COLUMN]}``  a cell of a table
``{said[WORDS]}``               the first number after some words of the page's text
=========================  ================================================================

A table is named by the beginning of the heading above it, a row by as many of its first cells as
tell it from the rows above, with a comma between them. A cell stands as the page has it, with
``.first`` as far as a bracket, "±" or a stroke, and with ``.inside`` what is in the bracket.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from .conclusions import Hole, conclusions

SENTENCES = Path(__file__).with_name("in_short.md")
WIDTH = 120
#: The sentences as they stand on a page: the items of a list.
IN_SHORT = re.compile(r"In short[^\n]*:\n\n((?:\d+\. [^\n]*\n(?: +[^\n]*\n)*)+)\n?")
#: The text of a cell where nothing was measured.
_NOTHING = ("", "-")


class TableCell(str):
    """A cell of a table, as the page writes it."""

    __slots__ = ()

    @property
    def first(self) -> str:
        """The text before a bracket, "±" or a stroke."""
        return re.split(r" [(\[±/]", self)[0]

    @property
    def inside(self) -> str:
        """The text in a bracket."""
        return re.split(r"[(\[]", self)[1].rstrip(")]")


def in_front(page: str, name: str) -> str:
    """The page with its sentences right after the title, in place of those that it may have.

    Args:
        page: The page.
        name: The name of its section.

    A sentence about a cell or words that the page does not have is left out: the page is one of
    fewer measurements then.
    """
    page = without(page)
    found = _tables(page)

    def table(name: str) -> Hole:
        rows = [row for heading, rows in found if heading.startswith(name) for row in rows]
        return Hole(lambda row: Hole(lambda column: _cell(rows, row, column)))

    def number(words: str) -> str:
        after = re.search(rf"{re.escape(words)}\D*?(-?\d+(?:,\d{{3}})*(?:\.\d+)?)", page)
        if after is None:
            raise LookupError(words)
        return after[1]

    said: list[str] = []
    for sentence in conclusions(SENTENCES)[name].splitlines():
        try:
            said.append(sentence.format(page=Hole(table), said=Hole(number)))
        except LookupError:
            continue
    title, _, rest = page.partition("\n\n")
    items = [
        textwrap.fill(
            sentence,
            WIDTH,
            initial_indent=f"{place}. ",
            subsequent_indent=" " * len(f"{place}. "),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for place, sentence in enumerate(said, 1)
    ]
    return "\n\n".join([title, "In short:", "\n".join(items), rest]) if items else page


def without(page: str) -> str:
    """The page without its sentences."""
    return IN_SHORT.sub("", page, count=1)


def _tables(page: str) -> list[tuple[str, list[dict[str, TableCell]]]]:
    """The rows of each table, with the last heading above it."""
    found: list[tuple[str, list[dict[str, TableCell]]]] = []
    heading, columns = "", list[TableCell]()
    for line in page.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            columns = []
        elif not columns:
            columns = _cells(line)
            found.append((heading, []))
        elif set(line) - set("|-: "):
            found[-1][1].append(dict(zip(columns, _cells(line), strict=True)))
    return found


def _cells(line: str) -> list[TableCell]:
    return [TableCell(cell.strip()) for cell in line.strip()[1:-1].split("|")]


def _cell(rows: list[dict[str, TableCell]], name: str, column: str) -> TableCell:
    """A cell of the first row that begins so; LookupError if there is none, or nothing in it."""
    for row in rows:
        here = f"{', '.join(row.values())}, ".startswith(f"{name}, ")
        if here and row.get(column, "") not in _NOTHING:
            return row[column]
    raise LookupError(name)
