"""Which observations moved the belief, as a section of a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..number_words import bits, percent
from ..pages.document import section
from ..pages.markup import Html, element

if TYPE_CHECKING:
    from .moved import Moved


def moved_section(moved: Sequence[Moved]) -> Html:
    """The observations that moved the likeliest value of each hidden thing most."""
    heads = ("in order", "left out", "observation")
    tables: list[Html] = []
    for each in moved:
        way = f" {percent(each.prior)} % at first, {percent(each.probability)} % in the end"
        rows = [
            element(
                "tr",
                _number(by.in_order),
                _number(by.left_out),
                element("td", by.text),
            )
            for by in each.by
        ]
        head = element("h3", f"{each.name}: {each.value}", element("small", way))
        cells = (
            element("th", name, class_="number" if name != heads[-1] else None) for name in heads
        )
        table = element(
            "table",
            element("thead", element("tr", *cells)),
            element("tbody", *rows),
            class_="turns",
        )
        tables.append(element("div", head, element("div", table, class_="scroll")))
    return section(
        "What moved the belief most",
        "Bits by which an observation moved the log odds of what is likeliest in the end: when it "
        "was seen, and how far they would fall back without it alone. ∞ is certainty.",
        *tables,
    )


def _number(value: float | None) -> Html:
    return element("td", "–" if value is None else bits(value, sign=True), class_="number")
