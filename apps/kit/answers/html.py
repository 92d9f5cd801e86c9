"""Answers as HTML: parts of a page, with the marks and the style that reports have."""

from __future__ import annotations

from typing import Final

from ..number_words import bits, percent
from ..pages.document import section, terms
from ..pages.lists import bar
from ..pages.markup import Html, element, join
from .drawings import grid_drawing, map_drawing
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
    Section,
    Sheet,
    Statement,
    Tone,
)

#: The class of a paragraph.
CLASSES: Final[dict[Tone, str | None]] = {
    "plain": None, "strong": "summary", "soft": "lead", "new": "summary", "aside": None
}  # fmt: skip


def shown(*statements: Statement) -> Html:
    """Statements one below the other."""
    return join(map(_shown, statements))


def lines(text: str) -> Html:
    """Words, of which each line stays one."""
    return join(text.split("\n"), Html("<br>"))


def _shown(statement: Statement) -> Html:
    match statement:
        case Paragraph():
            return element("p", lines(statement.text), class_=CLASSES[statement.tone])
        case Command():
            return element("p", element("code", statement.text))
        case Refusal():
            return element("p", statement.text, class_="refusal", role="alert")
        case Facts():
            return terms(statement.rows)
        case Sheet():
            return _table(statement)
        case Bars():
            return _bars(statement)
        case Grid():
            return _figure(grid_drawing(statement), statement.legend)
        case Map():
            return _figure(map_drawing(statement), statement.legend)
        case Section():
            return section(statement.title, statement.lead, *map(_shown, statement.parts))


def _figure(drawing: Html, legend: str) -> Html:
    note = element("p", lines(legend), class_="lead") if legend else Html("")
    return element("div", drawing, note, class_="scroll")


def _table(sheet: Sheet) -> Html:
    shown = [place for place, column in enumerate(sheet.columns) if not column.until]
    columns = [sheet.columns[place] for place in shown]
    heads = [element("th", each.heading, class_=_side(each)) for each in columns]
    headed = any(column.heading for column in columns)
    head = element("thead", element("tr", *heads)) if headed else Html("")
    rows = (
        element("tr", *(_cell(row[place], sheet.columns[place]) for place in shown))
        for row in sheet.rows
    )
    table = element("table", head, element("tbody", *rows), class_="turns")
    notes = " ".join(column.note for column in columns if column.note)
    note = element("p", notes, class_="lead") if notes else Html("")
    return join([element("div", table, class_="scroll"), note])


def _cell(cell: Cell, column: Column) -> Html:
    if isinstance(cell, Paragraph):
        return element("td", lines(cell.text), class_=_side(column))
    if isinstance(cell, str) and column.link:
        return element("td", element("a", cell, href=f"#{column.link}{cell}"))
    if isinstance(cell, str):
        return element("td", lines(cell), class_=_side(column))
    return element("td", element("i", style=f"width:{100 * cell:.1f}%"), class_="track")


def _side(column: Column) -> str | None:
    return "number" if column.side == "right" else "card" if column.whole else None


def _bars(bars: Bars) -> Html:
    rows = [bar(value, f"{percent(share)} %", share) for value, share in bars.rows]
    still = "" if bars.bits is None else element("small", f" {bits(bars.bits)} bits")
    more = element("p", f"and {bars.more} more", class_="out") if bars.more else Html("")
    return element("div", element("h3", bars.title, still), element("ul", *rows), more)
