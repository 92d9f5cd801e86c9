"""Lists in reports: bars, and the events with what each told and what was left."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from ..number_words import bits
from ..records.timeline import Known, Timeline
from .markup import Html, element

_Moment = TypeVar("_Moment", bound=Known)
_NOTHING = 1e-9


def bar(label: object, value: str, share: float) -> Html:
    """An entry of a list of bars.

    Args:
        label: What it is about.
        value: How much, in words.
        share: How much of the whole width the bar takes, 0 to 1.
    """
    return element(
        "li",
        element("span", label, class_="label"),
        element("span", element("i", style=f"width:{100 * share:.1f}%"), class_="track"),
        element("span", value, class_="value"),
    )


def panel(title: str, rows: Sequence[tuple[object, object]], most: int) -> Html:
    """A list with a heading: what each entry is about, and its value; at most so many of them."""
    shown = [
        element("li", element("span", what), element("span", value, class_="value"))
        for what, value in rows[:most]
    ]
    more = len(rows) - len(shown)
    rest = element("p", f"and {more} more", class_="out") if more > 0 else Html("")
    return element("div", element("h3", title), element("ul", *shown), rest)


def event_list(
    analysis: Timeline[_Moment],
    words: Callable[[_Moment], object],
    own: Collection[int],
    prefix: str = "",
) -> Html:
    """All events, each with how much it told and how much was left.

    Args:
        analysis: The game.
        words: What happened.
        own: Events that stand out as the viewer's own.
        prefix: What stands before their ids.
    """
    if not analysis.events:
        return element("p", "Nothing has happened yet.")
    later = analysis.timeline[1:]
    most = max(abs(analysis.told(moment.event)) for moment in later)
    head = element(
        "li",
        element("span", "event", class_="number"),
        element("span", class_="what"),
        element("span", "told", class_="told"),
        element("span", "left", class_="left"),
        class_="columns",
        aria_hidden="true",
    )
    rows: list[Html] = []
    for moment in later:
        change = analysis.told(moment.event)
        share = abs(change) / most if most > _NOTHING else 0.0
        marks = (("own", moment.event in own), ("nothing", abs(change) < 0.005))
        width = element("i", style=f"width:{100 * share:.1f}%", class_="up" if change < 0 else None)
        rows.append(
            element(
                "li",
                element("span", moment.event, class_="number"),
                element("span", words(moment), class_="what"),
                element(
                    "span", width, element("b", bits(change)), title="bits told", class_="told"
                ),
                element("span", bits(moment.entropy_bits), title="bits left", class_="left"),
                id=f"{prefix}event-{moment.event}",
                class_=" ".join(word for word, true in marks if true) or None,
            )
        )
    return element("ol", head, *rows, class_="events")
