"""The events of an analysis in its report: what happened, what each told, what was left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..number_words import bits
from ..pages.markup import Html, element
from .moments import Detail, Findings, Moment, TimelineAnalysis

_NOTHING: Final = 1e-9


def event_list(
    analysis: TimelineAnalysis[Detail, Findings],
    words: Callable[[Moment[Detail]], object],
    prefix: str = "",
) -> Html:
    """All events, each with how much it told and how much was left; the viewer's own stand out.

    Args:
        analysis: The game.
        words: What happened.
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
        marks = (("own", moment.own), ("nothing", abs(change) < 0.005))
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
