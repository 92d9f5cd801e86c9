"""The entropy of the case file over time: a step line, its largest steps marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from .frame import Frame, ticks
from .markup import Html, element, join
from .words import bits

if TYPE_CHECKING:
    from ..clue_analysis import Analysis, Moment

#: Entropy of the case file when nothing is known: 6 suspects, 6 weapons, 9 rooms.
MOST_BITS: Final = math.log2(6 * 6 * 9)
MOST_MARKED: Final = 5
LEAST_MARKED: Final = 0.25
_BADGE: Final = 9.5


def told(timeline: Sequence[Moment], event: int) -> float:
    """Drop of the entropy by an event, in bits; negative if it rose."""
    return timeline[event - 1].entropy_bits - timeline[event].entropy_bits


def turning_points(timeline: Sequence[Moment]) -> list[int]:
    """The events that moved the entropy most, in order of time."""
    ranked = sorted(range(1, len(timeline)), key=lambda event: -abs(told(timeline, event)))
    kept = [event for event in ranked[:MOST_MARKED] if abs(told(timeline, event)) >= LEAST_MARKED]
    return sorted(kept)


def entropy_chart(analysis: Analysis, *, width: float, height: float, class_: str) -> Html:
    """The picture, as one SVG element; every event has a hover title and links to the list."""
    timeline = analysis.timeline
    frame = Frame(width, height, analysis.events, MOST_BITS)
    marked = turning_points(timeline)
    return element(
        "svg",
        element("title", "Entropy of the case file after every event, in bits"),
        _grid(frame),
        _line(frame, [moment.entropy_bits for moment in timeline]),
        _own_turns(frame, analysis),
        _badges(frame, timeline, marked),
        _hover(frame, timeline),
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        class_=f"chart {class_}",
    )


def _grid(frame: Frame) -> Html:
    parts: list[Html] = []
    end = frame.width - frame.right
    for level in (0, 2, 4, 6, 8):
        y = frame.y(level)
        parts.append(
            element(
                "line", x1=frame.left, x2=end, y1=y, y2=y, class_="base" if not level else "grid"
            )
        )
        parts.append(element("text", level, x=frame.left - 7, y=y + 4, text_anchor="end"))
    for event in ticks(frame.events, 24.0 / frame.step):
        y = frame.height - frame.bottom + 26
        parts.append(element("text", event, x=frame.x(event), y=y, text_anchor="middle"))
    y = frame.y(MOST_BITS)
    parts.append(element("line", x1=frame.left, x2=end, y1=y, y2=y, class_="most"))
    note = f"nothing known: {MOST_BITS:.2f}"
    parts.append(element("text", note, x=end, y=y - 4, text_anchor="end", class_="note"))
    return join(parts)


def _line(frame: Frame, entropies: Sequence[float]) -> Html:
    path = f"M{frame.left:.1f} {frame.y(entropies[0]):.1f}"
    for event, entropy in enumerate(entropies[1:], start=1):
        path += f"H{frame.x(event):.1f}V{frame.y(entropy):.1f}"
    end = frame.width - frame.right
    path += f"H{end:.1f}"
    floor = frame.y(0.0)
    area = f"{path}V{floor:.1f}H{frame.left:.1f}Z"
    return join([element("path", d=area, class_="area"), element("path", d=path, class_="step")])


def _own_turns(frame: Frame, analysis: Analysis) -> Html:
    """A small triangle below the axis wherever the viewer suggested or accused."""
    if not analysis.is_player:
        return Html("")
    parts: list[Html] = []
    y = frame.y(0.0) + 3
    for moment in analysis.timeline:
        if getattr(moment.seen, "by", None) == analysis.viewer:
            x = frame.x(moment.event)
            path = f"M{x:.1f} {y:.1f}l4.5 7.5h-9z"
            parts.append(element("path", d=path, class_="own"))
    return join(parts)


def _badges(frame: Frame, timeline: Sequence[Moment], marked: Sequence[int]) -> Html:
    """A numbered disc at each of the marked steps, moved aside where two would touch."""
    placed: list[tuple[float, float]] = []
    parts: list[Html] = []
    for event in marked:
        before, after = timeline[event - 1].entropy_bits, timeline[event].entropy_bits
        x, y = _free_place(frame, event, (frame.y(before) + frame.y(after)) / 2, placed)
        placed.append((x, y))
        parts.append(
            element(
                "a",
                element("circle", cx=x, cy=y, r=_BADGE),
                element("text", event, x=x, y=y + 3.6, text_anchor="middle"),
                href=f"#event-{event}",
                class_="badge",
            )
        )
    return join(parts)


def _free_place(
    frame: Frame, event: int, middle: float, placed: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    reach = 2 * _BADGE + 2
    x = min(frame.x(event) + _BADGE + 4, frame.width - _BADGE - 1)
    top, bottom = frame.top + _BADGE, frame.y(0.0) - _BADGE - 2
    for shift in (0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5):
        y = min(max(middle + shift * reach / 2, top), bottom)
        if all(math.hypot(x - other, y - height) >= reach for other, height in placed):
            return x, y
    return x, min(max(middle, top), bottom)


def _hover(frame: Frame, timeline: Sequence[Moment]) -> Html:
    parts: list[Html] = []
    height = frame.height - frame.top - frame.bottom
    for moment in timeline:
        left = frame.x(moment.event) - frame.step / 2
        title = f"{moment.text}: {bits(moment.entropy_bits)} bits left"
        if moment.event:
            change = bits(told(timeline, moment.event))
            title = f"event {moment.event}, {moment.text}: told {change}, "
            title += f"{bits(moment.entropy_bits)} bits left"
        parts.append(
            element(
                "rect",
                element("title", title),
                x=left,
                y=frame.top,
                width=frame.step,
                height=height,
                class_="hover",
            )
        )
    return element("g", *parts)
