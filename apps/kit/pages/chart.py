"""Parts of pictures of something over the events of a game.

A game puts a picture together from these, and adds what only it can show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ..number_words import percent
from .frame import Frame, ticks
from .markup import Html, drawing, element, join

#: Shade of what is barely possible: it must stand out from what is ruled out.
_LEAST_SHADE: Final = 0.08
#: Height of a strip, and of what parts groups of them.
_ROW: Final = 15.0
_GAP: Final = 9.0

#: A strip: its label, what it is called in hover titles, and its probability after every event.
Strip = tuple[str, str, Sequence[float]]


def picture(frame: Frame, title: str, class_: str, *parts: Html) -> Html:
    """A whole picture, as one SVG element."""
    return drawing(title, f"0 0 {frame.width:g} {frame.height:g}", class_, *parts)


def levels(
    frame: Frame, values: Iterable[float], words: Callable[[float], str] = "{:g}".format
) -> Html:
    """Lines across the picture, each with its value at the left."""
    parts: list[Html] = []
    end = frame.width - frame.right
    for value in values:
        y = frame.y(value)
        kind = "grid" if value else "base"
        parts.append(element("line", x1=frame.left, x2=end, y1=y, y2=y, class_=kind))
        parts.append(element("text", words(value), x=frame.left - 7, y=y + 4, text_anchor="end"))
    return join(parts)


def event_numbers(frame: Frame, y: float, room: float = 24.0) -> Html:
    """Numbers of events, as many as have room."""
    return join(
        element("text", event, x=frame.x(event), y=y, text_anchor="middle")
        for event in ticks(frame.events, room / frame.step)
    )


def step_line(frame: Frame, values: Sequence[float]) -> Html:
    """A value after every event, as a step line with what is below it."""
    path = f"M{frame.left:.1f} {frame.y(values[0]):.1f}"
    for event, value in enumerate(values[1:], start=1):
        path += f"H{frame.x(event):.1f}V{frame.y(value):.1f}"
    path += f"H{frame.width - frame.right:.1f}"
    area = f"{path}V{frame.y(0.0):.1f}H{frame.left:.1f}Z"
    return join([element("path", d=area, class_="area"), element("path", d=path, class_="step")])


def own_marks(frame: Frame, events: Iterable[int]) -> Html:
    """A small triangle below the axis at each of the viewer's own events."""
    y = frame.y(0.0) + 3
    return join(
        element("path", d=f"M{frame.x(event):.1f} {y:.1f}l4.5 7.5h-9z", class_="own")
        for event in events
    )


def hovers(frame: Frame, titles: Iterable[str], links: str | None = None) -> Html:
    """The words on every event under the pointer; ``links`` begins the ids they lead to."""
    parts: list[Html] = []
    for event, title in enumerate(titles):
        rect = element(
            "rect",
            element("title", title),
            x=frame.x(event) - frame.step / 2,
            y=frame.top,
            width=frame.step,
            height=frame.height - frame.top - frame.bottom,
            class_="hover",
        )
        linked = links is not None and event
        parts.append(element("a", rect, href=f"#{links}{event}") if linked else rect)
    return element("g", *parts)


def strips(
    groups: Sequence[tuple[str, Sequence[Strip]]],
    events: int,
    *,
    width: float,
    label: float,
    title: str,
    class_: str,
    most: float = 1.0,
) -> Html:
    """One strip for each value of something, one field for each event; the darker, the likelier.

    Args:
        groups: What stands above some strips, and they; without a heading if it is empty.
        events: How many there were.
        width: Of the picture.
        label: How much of it labels take.
        title: Of the picture.
        class_: Of the picture.
        most: The probability of the darkest field.
    """
    rows = sum(len(each) + bool(heading) for heading, each in groups)
    height = rows * _ROW + (len(groups) - 1) * _GAP + 24
    frame = Frame(width, height, events, left=label, right=4.0)
    y = 2.0
    parts: list[Html] = []
    for heading, each in groups:
        if heading:
            parts.append(element("text", heading, x=0, y=y + _ROW - 4.5, class_="group"))
            y += _ROW
        for strip in each:
            parts.append(_strip(frame, strip, y, most))
            y += _ROW
        y += _GAP
    parts.append(event_numbers(frame, height - 6))
    return picture(frame, title, f"strips {class_}", *parts)


def _strip(frame: Frame, strip: Strip, y: float, most: float) -> Html:
    """Equal neighbours are one field, so long games stay small files."""
    label, called, shares = strip
    fields: list[Html] = []
    start = 0
    for event in range(1, len(shares) + 1):
        if event < len(shares) and percent(shares[event], 1) == percent(shares[start], 1):
            continue
        span = f"event {start}" if event - 1 == start else f"events {start} to {event - 1}"
        if shares[start] > 0.0:
            left = frame.x(start) - frame.step / 2
            shade = _LEAST_SHADE + (1.0 - _LEAST_SHADE) * shares[start] / most
            fields.append(
                element(
                    "rect",
                    element("title", f"{called}, after {span}: {percent(shares[start], 1)} %"),
                    x=left,
                    y=y,
                    width=frame.x(event - 1) + frame.step / 2 - left,
                    height=_ROW - 1.5,
                    fill_opacity=f"{shade:.3f}",
                )
            )
        start = event
    room = int((frame.left - 9.0) / 6.2)
    text = label if len(label) <= room else label[: max(1, room - 1)] + "…"
    shown = element("text", text, x=frame.left - 7, y=y + _ROW - 4.5, text_anchor="end")
    return join([shown, element("g", *fields)])
