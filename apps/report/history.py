"""How each card's probability of being in the case file went up and down, as strips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...models.clue.cards import CATEGORIES
from .frame import Frame, ticks
from .markup import Html, element, join
from .words import percent

if TYPE_CHECKING:
    from ..clue_analysis import Analysis

_ROW: Final = 15.0
_GAP: Final = 9.0
_LABEL: Final = 92.0
#: Shade of what is barely possible: it must stand out from what is ruled out.
_LEAST_SHADE: Final = 0.08


def case_file_strips(analysis: Analysis, *, width: float, class_: str) -> Html:
    """One strip a card, one field an event; the darker, the likelier in the case file."""
    groups = list(CATEGORIES.values())
    rows = sum(len(cards) for cards in groups)
    height = rows * _ROW + (len(groups) - 1) * _GAP + 24
    frame = Frame(width, height, analysis.events, left=_LABEL, right=4.0)
    y = 2.0
    parts: list[Html] = []
    for cards in groups:
        for card in cards:
            parts.append(_strip(analysis, frame, card, y))
            y += _ROW
        y += _GAP
    for event in ticks(analysis.events, 24.0 / frame.step):
        parts.append(element("text", event, x=frame.x(event), y=height - 6, text_anchor="middle"))
    return element(
        "svg",
        element("title", "Probability of every card being in the case file, after every event"),
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        class_=f"strips {class_}",
    )


def _strip(analysis: Analysis, frame: Frame, card: str, y: float) -> Html:
    """Equal neighbours are one field, so long games stay small files."""
    moments = analysis.timeline
    shares = [moment.case_file[card] for moment in moments]
    half = frame.step / 2
    fields: list[Html] = []
    start = 0
    for event in range(1, len(shares) + 1):
        if event < len(shares) and percent(shares[event], 1) == percent(shares[start], 1):
            continue
        left, right = frame.x(start) - half, frame.x(event - 1) + half
        span = f"event {start}" if event - 1 == start else f"events {start} to {event - 1}"
        shade = shares[start]
        if shade > 0.0:
            fields.append(
                element(
                    "rect",
                    element("title", f"{card}, after {span}: {percent(shade, 1)} %"),
                    x=left,
                    y=y,
                    width=right - left,
                    height=_ROW - 1.5,
                    fill_opacity=f"{_LEAST_SHADE + (1.0 - _LEAST_SHADE) * shade:.3f}",
                )
            )
        start = event
    label = element("text", card, x=frame.left - 7, y=y + _ROW - 4.5, text_anchor="end")
    return join([label, element("g", *fields)])
