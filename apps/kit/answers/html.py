"""Answers as HTML: parts of a page, with the marks and the style that reports have."""

from __future__ import annotations

from typing import Final

from ..number_words import bits, percent
from ..pages.document import section, terms
from ..pages.lists import bar, track
from ..pages.markup import Html, element, join
from .drawings import CURVES, code_drawing, curve_drawing, grid_drawing, map_drawing
from .legends import map_legend, plan_legend
from .plan_drawing import plan_drawing
from .values import (
    AddressCode,
    Bars,
    BlankForm,
    Cell,
    Column,
    Command,
    Curve,
    Facts,
    FormField,
    Grid,
    Map,
    Paragraph,
    Refusal,
    Section,
    Sheet,
    Statement,
    Tone,
    Touch,
    Touches,
)

#: The class of a paragraph.
CLASSES: Final[dict[Tone, str | None]] = {
    "plain": None, "strong": "summary", "soft": "lead", "new": "summary", "aside": None
}  # fmt: skip


def shown(*statements: Statement) -> Html:
    """Statements one below the other.

    >>> from sleuth.answers import Paragraph, shown
    >>> print(shown(Paragraph("Two dice < four.")))
    <p>Two dice &lt; four.</p>
    """
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
        case Grid(areas=()):
            return _figure(grid_drawing(statement), _lead(statement.legend))
        case Grid():
            return _figure(plan_drawing(statement), plan_legend(statement))
        case Map(signs=(), sought=""):
            return _figure(map_drawing(statement), _lead(statement.legend))
        case Map():
            return _figure(map_drawing(statement), map_legend(statement))
        case Curve():
            return _curve(statement)
        case Section():
            return section(statement.title, statement.lead, *map(_shown, statement.parts))
        case Touches():
            return _touches(statement)
        case BlankForm():
            return _form(statement)
        case AddressCode():
            address = statement.address
            link = element("p", statement.title, ": ", element("a", address, href=address))
            return element("div", link, code_drawing(statement), class_="address")


def _figure(drawing: Html, legend: Html) -> Html:
    return element("div", drawing, legend, class_="scroll")


def _lead(legend: str) -> Html:
    return element("p", lines(legend), class_="lead") if legend else Html("")


def _curve(curve: Curve) -> Html:
    """The drawing, and which line is whose."""
    named = (
        element("li", element("i", class_=f"curve-{place % CURVES}"), each.name)
        for place, each in enumerate(curve.lines)
    )
    title = element("p", curve.title, class_="wanted")
    key = element("ul", *named, class_="key") if len(curve.lines) > 1 else Html("")
    return element("div", title, curve_drawing(curve), key, class_="curve")


def _table(sheet: Sheet) -> Html:
    shown = [place for place, column in enumerate(sheet.columns) if not column.until]
    columns = [sheet.columns[place] for place in shown]
    heads = [element("th", _head(each, sheet), class_=_side(each)) for each in columns]
    headed = any(column.heading for column in columns)
    head = element("thead", element("tr", *heads)) if headed else Html("")
    rows = (
        element("tr", *(_cell(row[place], sheet.columns[place]) for place in shown))
        for row in sheet.rows
    )
    kind = "turns fits" if sheet.fits else "turns"
    table = element("table", head, element("tbody", *rows), class_=kind)
    notes = " ".join(column.note for column in columns if column.note)
    note = element("p", notes, class_="lead") if notes else Html("")
    return join([element("div", table, class_="scroll"), note])


def _head(column: Column, sheet: Sheet) -> Html | str:
    return element("span", column.heading, class_="head") if sheet.fits else column.heading


def _cell(cell: Cell, column: Column) -> Html:
    if isinstance(cell, Paragraph):
        return element("td", lines(cell.text), class_=_side(column))
    if isinstance(cell, Touch) and not cell.line:
        kinds = " ".join(filter(None, (_side(column), _shade(cell))))
        return element("td", lines(cell.text), class_=kinds or None, title=cell.label or None)
    if isinstance(cell, Touch):
        return element("td", touch(cell), class_=_side(column))
    if isinstance(cell, str) and column.link:
        return element("td", element("a", cell, href=f"#{column.link}{cell}"))
    if isinstance(cell, str):
        return element("td", lines(cell), class_=_side(column))
    return element("td", track(cell), class_="track")


def _side(column: Column) -> str | None:
    return "number" if column.side == "right" else "card" if column.whole else None


def _bars(bars: Bars) -> Html:
    rows = [bar(value, f"{percent(share)} %", share) for value, share in bars.rows]
    still = "" if bars.bits is None else element("small", f" {bits(bars.bits)} bits")
    more = element("p", f"and {bars.more} more", class_="out") if bars.more else Html("")
    return element(
        "div", element("h3", bars.title, still), element("ul", *rows), more, class_="bars"
    )


#: Steps of the shade of what can be touched; a page without inline style has a class for each.
SHADES: Final = 20


def touch(touch: Touch) -> Html:
    """A button that says a line when it is touched; a page's script listens to ``data-line``."""
    note = element("small", touch.note) if touch.note else Html("")
    shade = _shade(touch)
    kinds = ["touch", *([touch.tone] if touch.tone != "plain" else []), *([shade] if shade else [])]
    words = element("span", lines(touch.text))
    named = {
        "class_": " ".join(kinds),
        "aria_label": touch.label or None,
        "aria_keyshortcuts": touch.key or None,
    }
    if touch.line.startswith("/") and touch.enabled:
        own = "bookmark" if "#" in touch.line else None
        return element("a", words, note, href=touch.line, rel=own, **named)
    return element(
        "button",
        words,
        note,
        type="button",
        data_line=touch.line,
        aria_pressed=None if touch.pressed is None else str(touch.pressed).lower(),
        disabled=not touch.enabled,
        **named,
    )


def _shade(touch: Touch) -> str | None:
    return None if touch.shade is None else f"shade-{round(SHADES * touch.shade)}"


def _touches(touches: Touches) -> Html:
    title = element("p", touches.title, class_="wanted") if touches.title else Html("")
    buttons = element("div", *map(touch, touches.choices), class_=f"touches {touches.shape}")
    label = touches.label or touches.title
    group = {"role": "group", "aria_label": label} if label else {}
    return element("div", title, buttons, **group)


def _form(form: BlankForm) -> Html:
    button = element("button", form.button, type="submit", class_="touch strong")
    return element("form", *map(_blank, form.blanks), button, data_line=form.line, class_="blanks")


def _blank(blank: FormField) -> Html:
    if blank.input == "choice":
        choices = (
            element("option", words, value=each, selected=each == blank.value)
            for each, words in zip(blank.choices, blank.called or blank.choices, strict=True)
        )
        written = element("select", *choices, name=blank.name)
    else:
        written = element(
            "input",
            name=blank.name,
            value=blank.value,
            type=blank.input,
            min=blank.least,
            max=blank.most,
            step=blank.step,
            autocomplete="off",
            autocapitalize="off",
            maxlength=int(blank.most or 1000) if blank.input == "text" else None,
        )
        if blank.input == "range":
            written = element("span", written, element("output", blank.value), class_="slider")
    return element("label", element("span", blank.label), written)
