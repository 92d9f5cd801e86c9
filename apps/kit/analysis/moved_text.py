"""Which observations moved the belief, in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from .. import plain_text
from ..console import printable
from ..number_words import bits, percent

if TYPE_CHECKING:
    from .moved import Moved


def moved_text(moved: Sequence[Moved]) -> RenderableType:
    """The observations that moved the likeliest value of each hidden thing most."""
    parts: list[RenderableType] = [
        Text(
            "Bits by which the log odds moved when it was seen, and how far they would fall back "
            "without it; ∞ is certainty.",
            style="dim",
        )
    ]
    for each in moved:
        way = f", {percent(each.prior)} % at first, {percent(each.probability)} % in the end"
        parts.append(Text(f"{printable(each.name)}: {printable(each.value)}{way}", style="bold"))
        table = plain_text.table(("in order", "right"), ("left out", "right"), ("", "left"))
        for by in each.by:
            left_out = "–" if by.left_out is None else bits(by.left_out, sign=True)
            cells = (bits(by.in_order, sign=True), left_out, printable(by.text))
            table.add_row(*map(Text, cells))
        parts.append(table)
    return Group(*parts)
