"""Entropy of Mr. X's station over time, with the moments at which he was seen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ...models.scotland_yard.tables import HIDER, STATIONS
from ..report.frame import Frame
from ..report.markup import Html, element, join
from ..report.words import bits, percent

if TYPE_CHECKING:
    from .analysis import Analysis, Moment

#: Entropy when he can be anywhere, each station equally likely.
MOST_BITS: Final = math.log2(STATIONS)
#: Surprise above this is drawn at the top.
TOP: Final = 10.0
#: What the number of a move takes below the axis.
ROOM: Final = 17.0


def entropy_chart(analysis: Analysis, *, width: float, height: float, class_: str) -> Html:
    """The picture, as one SVG element; moments have hover titles."""
    surprises = [surprise(moment) for moment in analysis.hider_moves]
    known = [value for value in surprises if value is not None]
    top = max(8.0, *(min(value, TOP) for value in known)) if known else 8.0
    frame = Frame(width, height, analysis.events, top, top=26.0, bottom=26.0)
    return element(
        "svg",
        element("title", "Entropy of Mr. X's station after every move, in bits"),
        _grid(frame),
        _reveals(frame, analysis),
        _line(frame, analysis),
        _surprises(frame, analysis),
        _hover(frame, analysis),
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        class_=f"chart {class_}",
    )


def surprise(moment: Moment) -> float | None:
    """-log2 of what his station had; None where it is not known."""
    share = moment.truth_probability
    if share is None:
        return None
    return -math.log2(share) if share > 0.0 else math.inf


def _grid(frame: Frame) -> Html:
    parts: list[Html] = []
    end = frame.width - frame.right
    for level in range(0, int(frame.most) + 1, 2):
        y = frame.y(level)
        kind = "grid" if level else "base"
        parts.append(element("line", x1=frame.left, x2=end, y1=y, y2=y, class_=kind))
        parts.append(element("text", level, x=frame.left - 7, y=y + 4, text_anchor="end"))
    return join(parts)


def _reveals(frame: Frame, analysis: Analysis) -> Html:
    """A line where he was seen, with the number of his move and the station."""
    parts: list[Html] = []
    floor = frame.height - frame.bottom
    for moment in analysis.timeline:
        if moment.shown is None:
            continue
        x = frame.x(moment.event)
        parts.append(element("line", x1=x, x2=x, y1=frame.top - 6, y2=floor, class_="reveal"))
        anchor = "end" if x > frame.width - 30 else "middle"
        parts.append(
            element("text", moment.shown, x=x, y=frame.top - 11, text_anchor=anchor, class_="seen")
        )
    taken: list[float] = []
    # Moves at which he was seen come first, so that their numbers have room.
    for moment in sorted(analysis.hider_moves, key=lambda moment: moment.shown is None):
        x = frame.x(moment.event)
        if any(abs(x - other) < ROOM for other in taken):
            continue
        taken.append(x)
        parts.append(
            element(
                "text",
                moment.turn,
                x=x,
                y=frame.height - 8,
                text_anchor="middle",
                class_="seen" if moment.shown else None,
            )
        )
    return join(parts)


def _line(frame: Frame, analysis: Analysis) -> Html:
    timeline = analysis.timeline
    path = f"M{frame.left:.1f} {frame.y(timeline[0].entropy_bits):.1f}"
    for moment in timeline[1:]:
        path += f"H{frame.x(moment.event):.1f}V{frame.y(moment.entropy_bits):.1f}"
    path += f"H{frame.width - frame.right:.1f}"
    floor = frame.y(0.0)
    area = f"{path}V{floor:.1f}H{frame.left:.1f}Z"
    return join([element("path", d=area, class_="area"), element("path", d=path, class_="step")])


def _surprises(frame: Frame, analysis: Analysis) -> Html:
    """A dot for each of his moves: how surprising his station was."""
    dots: list[Html] = []
    for moment in analysis.hider_moves:
        value = surprise(moment)
        if value is not None:
            y = frame.y(value)
            dots.append(element("circle", cx=frame.x(moment.event), cy=y, r=3.4, class_="truth"))
    return join(dots)


def _hover(frame: Frame, analysis: Analysis) -> Html:
    parts: list[Html] = []
    for moment in analysis.timeline:
        title = f"{moment.text}: {bits(moment.entropy_bits)} bits, {moment.possible} stations"
        if moment.truth is not None and moment.by in (HIDER, None):
            share = percent(moment.truth_probability or 0.0)
            title += f"; he was at {moment.truth}, which had {share} %"
        parts.append(
            element(
                "rect",
                element("title", title),
                x=frame.x(moment.event) - frame.step / 2,
                y=frame.top,
                width=frame.step,
                height=frame.height - frame.top - frame.bottom,
                class_="hover",
            )
        )
    return element("g", *parts)
