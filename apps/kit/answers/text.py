"""Answers in a terminal, however wide it is and whatever letters it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from .. import plain_text
from ..console import printable
from ..number_words import bits, percent
from .grid_text import TONES, grid_text
from .map_text import map_text
from .values import (
    Bars,
    Cell,
    Column,
    Command,
    Facts,
    Grid,
    Map,
    Paragraph,
    Refusal,
    Sheet,
    Statement,
    Tone,
)

#: From this width on bars are drawn, and facts begin where a wide terminal has them.
BROAD: Final = 40
WIDE: Final = 90
#: Letters of a whole bar.
BAR: Final = 16


def printed(*statements: Statement) -> RenderableType:
    """Statements as Rich prints them, one below the other."""
    return Group(*map(Printed, statements))


@dataclass(frozen=True)
class Printed:
    """A statement as Rich prints it.

    Attributes:
        statement: The statement.
    """

    statement: Statement

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """In the width that there is."""
        yield from _lines(self.statement, console, options)


def words(text: str, tone: Tone = "plain") -> Text:
    """Words without what could command a terminal."""
    return Text("\n".join(map(printable, text.split("\n"))), TONES[tone])


def sentence(text: str) -> str:
    """A text with a capital and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _lines(
    statement: Statement, console: Console, options: ConsoleOptions
) -> Iterator[RenderableType]:
    width = options.max_width
    match statement:
        case Paragraph():
            yield words(statement.text, statement.tone)
        case Command():
            yield words(statement.text)
        case Refusal():
            yield words(sentence(statement.text))
        case Facts():
            column = statement.wide if width >= WIDE else statement.column
            yield words(beside(statement.rows, column, width))
        case Sheet():
            yield _sheet(statement, width)
        case Bars():
            yield from _bars(statement, width)
        case Grid():
            yield from grid_text(statement, width, ascii_only=options.ascii_only)
        case Map():
            yield from map_text(statement, width, console.height, ascii_only=options.ascii_only)
        case _:
            yield plain_text.title(printable(statement.title))
            if statement.lead:
                yield words(statement.lead, "soft")
            yield printed(*statement.parts)


def beside(explained: Iterable[tuple[str, str]], column: int, width: int) -> str:
    """Words, and what they mean: beside them, or below where there is no room.

    Args:
        explained: Words and what they mean.
        column: Where the explanations begin.
        width: Columns there are.
    """
    said: list[str] = []
    for what, says in explained:
        lines = wrap(says, max(width - column, column))
        first = f"  {what}"
        if len(first) >= column:
            lines, first = [first, *lines], ""
        said.append(first.ljust(column if first else 0) + f"\n{' ' * column}".join(lines))
    return "\n".join(said)


def _sheet(sheet: Sheet, width: int) -> RenderableType:
    shown = [each for each in range(len(sheet.columns)) if width >= BROAD or not _bar(sheet, each)]
    headed = any(column.heading for column in sheet.columns)
    table = plain_text.table(header=headed, gap=sheet.gap)
    for place in shown:
        column = sheet.columns[place]
        heading = Text(printable(column.heading), style="dim")
        table.add_column(heading, justify=column.side, no_wrap=column.whole or bool(column.bar))
    for row in sheet.rows:
        table.add_row(*(_cell(row[place], sheet.columns[place]) for place in shown))
    return table


def _bar(sheet: Sheet, place: int) -> bool:
    return bool(sheet.columns[place].bar)


def _cell(cell: Cell, column: Column) -> Text:
    if isinstance(cell, Paragraph):
        return words(cell.text, cell.tone)
    if isinstance(cell, str):
        return words(cell)
    return Text("█" * round(column.bar * cell) or "▏", style="cyan")


def _bars(bars: Bars, width: int) -> Iterator[RenderableType]:
    """Likely values as bars, and how much is open."""
    still = "" if bars.bits is None else f": {bits(bars.bits)} bits open"
    yield words(f"{bars.title}{still}", "strong")
    columns = (Column(), Column(side="right", whole=True), Column(bar=BAR))
    rows: Sequence[tuple[Cell, ...]] = [
        (f"  {value}", f"{percent(share)} %", share) for value, share in bars.rows
    ]
    yield _sheet(Sheet(columns, tuple(rows), gap=1), width)
    if bars.more:
        rest = "" if bars.rest is None else f", {percent(bars.rest)} % in all"
        yield words(f"  and {bars.more} more{rest}")
