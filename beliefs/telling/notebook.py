"""A posterior as a notebook shows it: who has what, and the likeliest values of the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...data.markup import Html
from ...data.tables import Cell, html_note, html_shown, html_table
from ..language.variables import Deal

#: Most rows and columns of one table.
MOST_ROWS: Final = 30
MOST_COLUMNS: Final = 12
#: Most values of a choice or a walk.
MOST_VALUES: Final = 10


def deal_html(deal: Deal, table: Mapping[str, Mapping[str, float]]) -> list[Html]:
    """The holders of everything.

    Args:
        deal: The deal.
        table: As `Posterior.table` gives it.
    """
    distinct = all(copies == 1 for copies in deal.items.values())
    every = [*next(iter(table.values()))]
    rows: list[list[Cell]] = []
    for item, shares in [*table.items()][:MOST_ROWS]:
        cells: list[Cell] = [
            min(shares[holder], 1.0) if distinct else f"{shares[holder]:.2f}"
            for holder in every[:MOST_COLUMNS]
        ]
        rows.append([item, *cells])
    caption = deal.name if distinct else f"{deal.name}: expected number of copies"
    return [
        html_table(("", *every[:MOST_COLUMNS]), rows, caption=caption),
        *_more(len(table) - MOST_ROWS, "items"),
        *_more(len(every) - MOST_COLUMNS, "holders"),
    ]


def shares_html(name: str, ranked: Sequence[tuple[Any, float]]) -> list[Html]:
    """The likeliest values of a choice or a walk."""
    rows: list[tuple[Cell, ...]] = [
        (str(value), float(share)) for value, share in ranked[:MOST_VALUES]
    ]
    return [html_table(("", ""), rows, caption=name), *_more(len(ranked) - MOST_VALUES, "values")]


def shown(parts: Sequence[Html], note: str) -> Html:
    """All of it, with what made it below."""
    return html_shown(*parts, html_note(note))


def _more(left: int, what: str) -> list[Html]:
    return [html_note(f"and {left} more {what}")] if left > 0 else []
