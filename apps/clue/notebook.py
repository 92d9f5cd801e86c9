"""The notebook of Clue as a shaded table: a row for each card, a column for each holder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..kit.answers.values import Cell, Column, Paragraph, Sheet, Touch
from ..kit.number_words import percent

#: From this share on, and up to this one, nothing is open.
SURE = 1.0 - 1e-9
NEVER = 1e-9


def notebook(
    marginals: Mapping[str, Mapping[str, float]], categories: Mapping[str, Sequence[str]]
) -> Sheet:
    """The chance that each holder has each card, the likelier the darker.

    Args:
        marginals: Card -> holder -> probability; a holder that is not there has none.
        categories: The cards by category.
    """
    holders = list(dict.fromkeys(holder for shares in marginals.values() for holder in shares))
    rows: list[tuple[Cell, ...]] = []
    for kind, cards in categories.items():
        rows.append((Paragraph(kind, "strong"), *[""] * len(holders)))
        rows += [
            (card, *(_cell(card, holder, marginals[card].get(holder, 0.0)) for holder in holders))
            for card in cards
        ]
    columns = [Column(holder, "right", whole=True) for holder in holders]
    return Sheet((Column(whole=True), *columns), tuple(rows), gap=1, fits=True)


def _cell(card: str, holder: str, share: float) -> Touch:
    """A share in percent; a sign where it is certain."""
    said = "✓" if share >= SURE else "·" if share <= NEVER else percent(share)
    return Touch(said, "", label=f"{holder}, {card}: {percent(share)} %", shade=share)
