"""Answers in a terminal, however wide it is and whatever letters it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from textwrap import wrap
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ..console import printable
from ..number_words import bits, percent
from .breaking import BreakableName
from .grid_text import TONES, grid_text
from .map_text import map_text
from .values import (
    AddressCode,
    Bars,
    BlankForm,
    Cell,
    Column,
    Command,
    Curve,
    CurveLine,
    Facts,
    Grid,
    Map,
    Paragraph,
    Refusal,
    Sheet,
    Statement,
    Tone,
    Touch,
    Touches,
    right,
)

#: From this width on bars are drawn, and facts begin where a wide terminal has them.
BROAD: Final = 40
WIDE: Final = 90
#: From this width on two blanks stand between columns that are to fit; letters they need at least.
ROOMY: Final = 80
LEAST: Final = 3
#: Heights of a curve, and most moments that are drawn of it.
BLOCKS: Final = "▁▂▃▄▅▆▇█"
MOMENTS: Final = 40
#: Letters of a whole bar.
BAR: Final = 16


def printed(*statements: Statement) -> RenderableType:
    """Statements as Rich prints them, one below the other.

    >>> from rich.console import Console
    >>> from sleuth.answers import Facts, printed
    >>> Console(width=40).print(printed(Facts((("bet", "one chip"), ("pass", "nothing")))))
      bet       one chip
      pass      nothing
    """
    return Group(*map(Printed, statements))


def as_text(*statements: Statement, width: int = 80) -> str:
    """Statements as text without colours, in so many columns.

    >>> from sleuth.answers import Bars, Paragraph, as_text
    >>> print(as_text(Bars("card", (("queen", 0.75), ("king", 0.25))), Paragraph("That is all.")))
    card
      queen 75 % ████████████
      king  25 % ████
    That is all.
    """
    page = StringIO()
    console = Console(file=page, width=width, highlight=False, markup=False, emoji=False)
    console.print(printed(*statements))
    return page.getvalue().rstrip("\n")


def put(console: Console, *statements: Statement) -> None:
    """Print statements; a command in one line, however wide the terminal is."""
    for each in statements:
        if isinstance(each, Command):
            console.print(words(f"  {each.text}"), soft_wrap=True)
        else:
            console.print(Printed(each))


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


def words(said: Cell, tone: Tone = "plain") -> Text:
    """Words without what could command a terminal."""
    if isinstance(said, Paragraph | Touch):
        said, tone = said.text, said.tone
    return Text("\n".join(map(printable, str(said).split("\n"))), TONES[tone])


def sentence(text: str) -> str:
    """A text with a capital and a full stop; a file that it begins with keeps its name."""
    if "." not in text.partition(" ")[0].rstrip(".,:;"):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _lines(
    statement: Statement, console: Console, options: ConsoleOptions
) -> Iterator[RenderableType]:
    width = options.max_width
    match statement:
        case Paragraph():
            yield from [Text()] * (statement.blank == "above")
            yield words(statement)
            yield from [Text()] * (statement.blank == "below")
        case Command():
            yield words(statement.text)
        case Refusal():
            yield words(sentence(statement.text))
        case Facts():
            column = statement.wide if width >= WIDE else statement.column
            yield words(beside(statement.rows, column, width))
        case Sheet():
            yield from _sheet(statement, width)
        case Bars():
            yield from _bars(statement, width)
        case Grid():
            yield from grid_text(statement, width, ascii_only=options.ascii_only)
        case Map():
            yield from map_text(statement, width, console.height, ascii_only=options.ascii_only)
        case Curve():
            yield words(statement.title, "strong")
            rows = [(f"  {each.name}", *_curve(each, statement)) for each in statement.lines]
            yield from _sheet(Sheet((Column(), Column(), right()), tuple(rows), gap=1), width)
        case Touches():
            # In a terminal a line is typed.
            said = "; ".join(f"{each.text} ({each.line})" for each in statement.choices)
            yield words(f"{statement.title}: {said}" if statement.title else said)
        case BlankForm():
            yield words("; ".join(blank.label for blank in statement.blanks), "soft")
        case AddressCode():
            yield words(f"{statement.title}: {statement.address}")
        case _:
            yield words(f"\n{printable(statement.title)}", "strong")
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


def _sheet(sheet: Sheet, width: int) -> Iterator[RenderableType]:
    shown = [
        place
        for place, column in enumerate(sheet.columns)
        if width >= (column.room or BROAD * bool(column.bar))
        and not (column.until and width >= column.until)
    ]
    headings = [printable(column.heading) for column in sheet.columns]
    gap = sheet.gap if width >= sheet.close else 1
    below = {
        column.under: place
        for place, column in enumerate(sheet.columns)
        if column.under is not None and place not in shown
    }
    for upper, lower in below.items():
        headings[upper] += f", and the {headings[lower]}"
    if sheet.fits:
        gap = 2 if width >= ROOMY else 1
        widest = max(cell_len(words(cell).plain) for cell, *_ in sheet.rows)
        room = max((width - widest - gap) // (len(headings) - 1) - gap, LEAST)
        headings = _cut(headings, sheet.columns, room)
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), show_header=any(headings))
    for place in shown:
        column = sheet.columns[place]
        table.add_column(
            words(headings[place], "soft"),
            justify=column.side,
            no_wrap=column.whole or bool(column.bar),
            overflow="fold" if column.joints else "ellipsis",
            min_width=column.least or None,
            style="red" if column.accent else "",
        )
    for row in sheet.rows:
        cells = {place: _cell(row[place], sheet.columns[place]) for place in shown}
        for upper, lower in below.items():
            if under := words(row[lower]):
                cells[upper] = Text("\n").join([words(row[upper]), under])
        table.add_row(*cells.values())
    yield table
    if notes := " ".join(note for place in shown if (note := sheet.columns[place].note)):
        yield words(notes, "soft")


def _cut(headings: Sequence[str], columns: Sequence[Column], length: int) -> list[str]:
    """Headings that are at most so long, where their column has no shorter name; still apart."""
    usual = [place for place, column in enumerate(columns) if place and not column.short]
    made = [
        next((name for name in (heading, *column.short) if len(name) <= length), heading)
        if column.short
        else heading
        for heading, column in zip(headings, columns, strict=True)
    ]
    for place, name in zip(usual, short_names([headings[e] for e in usual], length), strict=True):
        made[place] = name
    return made


def short_names(names: Sequence[str], length: int) -> list[str]:
    """Names cut to a length, still telling them apart: by their last letter, else by number."""
    if all(len(name) <= length for name in names):
        return list(names)
    for cut in (
        [name[:length] for name in names],
        [name if len(name) <= length else name[: length - 1] + name[-1] for name in names],
    ):
        if len(set(cut)) == len(names):
            return cut
    return [f"P{place}" for place in range(1, len(names) + 1)]


def _cell(cell: Cell, column: Column) -> RenderableType:
    if isinstance(cell, float | int):
        return Text("█" * round(column.bar * cell) or "▏", style="cyan")
    said = words(cell)
    return BreakableName(said.plain, str(said.style)) if column.joints else said


def _curve(line: CurveLine, curve: Curve) -> tuple[str, str]:
    """A line as blocks, moment by moment as far as there is room, and its value where one looks."""
    step = -(-len(line.values) // MOMENTS)
    most = curve.most or 1.0
    top = len(BLOCKS) - 1
    drawn = "".join(
        " " if value is None else BLOCKS[round(top * min(max(value / most, 0.0), 1.0))]
        for value in line.values[::step]
    )
    known = line.values[: None if curve.at is None else curve.at + 1]
    last = next((value for value in reversed(known) if value is not None), None)
    said = "" if last is None else bits(last) if curve.most else f"{percent(last)} %"
    return drawn, said


def _bars(bars: Bars, width: int) -> Iterator[RenderableType]:
    """Likely values as bars, and how much is open."""
    still = "" if bars.bits is None else f": {bits(bars.bits)} bits open"
    yield words(f"{bars.title}{still}", "strong")
    columns = (Column(), Column(side="right", whole=True), Column(bar=BAR))
    rows: Sequence[tuple[Cell, ...]] = [
        (f"  {value}", f"{percent(share)} %", share) for value, share in bars.rows
    ]
    yield from _sheet(Sheet(columns, tuple(rows), gap=1), width)
    if bars.more:
        rest = "" if bars.rest is None else f", {percent(bars.rest)} % in all"
        yield words(f"  and {bars.more} more{rest}")
