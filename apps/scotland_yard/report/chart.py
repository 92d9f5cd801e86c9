"""Entropy of Mr. X's station over time, with the moments at which they were seen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ....models.scotland_yard.state import HIDER, STATIONS
from ...kit.number_words import bits, percent
from ...kit.pages.chart import hovers, levels, picture, step_line
from ...kit.pages.frame import Frame
from ...kit.pages.markup import Html, element, join

if TYPE_CHECKING:
    from ..transcript import HuntAnalysis, HuntMoment

#: Entropy when Mr. X can be anywhere, each station equally likely.
MOST_BITS: Final = math.log2(STATIONS)
#: Surprise above this is drawn at the top.
TOP: Final = 10.0
#: What the number of a move takes below the axis.
ROOM: Final = 17.0


def entropy_chart(analysis: HuntAnalysis, *, width: float, height: float, class_: str) -> Html:
    """The picture, as one SVG element; moments have hover titles."""
    surprises = [moment.detail.surprise for moment in analysis.findings.hider_moves]
    known = [value for value in surprises if value is not None]
    top = max(8.0, *(min(value, TOP) for value in known)) if known else 8.0
    frame = Frame(width, height, analysis.events, top, top=26.0, bottom=26.0)
    return picture(
        frame,
        "Entropy of Mr. X's station after every move, in bits",
        f"chart {class_}",
        levels(frame, range(0, int(frame.most) + 1, 2)),
        _reveals(frame, analysis),
        step_line(frame, analysis.entropies),
        _surprises(frame, analysis),
        hovers(frame, map(_title, analysis.timeline)),
    )


def _reveals(frame: Frame, analysis: HuntAnalysis) -> Html:
    """A line where Mr. X was seen, with the number of the move and the station."""
    parts: list[Html] = []
    floor = frame.height - frame.bottom
    for moment in analysis.timeline:
        if moment.detail.shown is None:
            continue
        x = frame.x(moment.event)
        parts.append(element("line", x1=x, x2=x, y1=frame.top - 6, y2=floor, class_="reveal"))
        anchor = "end" if x > frame.width - 30 else "middle"
        parts.append(
            element(
                "text",
                moment.detail.shown,
                x=x,
                y=frame.top - 11,
                text_anchor=anchor,
                class_="seen",
            )
        )
    taken: list[float] = []
    # Moves at which Mr. X was seen come first, so that their numbers have room.
    for moment in sorted(
        analysis.findings.hider_moves, key=lambda moment: moment.detail.shown is None
    ):
        x = frame.x(moment.event)
        if any(abs(x - other) < ROOM for other in taken):
            continue
        taken.append(x)
        parts.append(
            element(
                "text",
                moment.detail.turn,
                x=x,
                y=frame.height - 8,
                text_anchor="middle",
                class_="seen" if moment.detail.shown else None,
            )
        )
    return join(parts)


def _surprises(frame: Frame, analysis: HuntAnalysis) -> Html:
    """A dot for each move of Mr. X: how surprising the station was."""
    dots: list[Html] = []
    for moment in analysis.findings.hider_moves:
        value = moment.detail.surprise
        if value is not None:
            y = frame.y(value)
            dots.append(element("circle", cx=frame.x(moment.event), cy=y, r=3.4, class_="truth"))
    return join(dots)


def _title(moment: HuntMoment) -> str:
    title = f"{moment.text}: {bits(moment.entropy_bits)} bits, {moment.detail.possible} stations"
    if moment.detail.truth is not None and moment.detail.by in (HIDER, None):
        share = percent(moment.detail.truth_probability or 0.0)
        title += f"; Mr. X was at {moment.detail.truth}, which had {share} %"
    return title
