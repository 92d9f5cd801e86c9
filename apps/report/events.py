"""The events one by one: what happened, what it told, and what could have been asked instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .chart import told
from .markup import Html, element, join
from .words import bits, cards, sentence

if TYPE_CHECKING:
    from ..clue_analysis import Analysis, Moment, OwnTurn


def event_list(analysis: Analysis) -> Html:
    """All events; the viewer's own turns stand out."""
    if not analysis.events:
        return element("p", "Nothing has happened yet.")
    timeline = analysis.timeline
    most = max(abs(told(timeline, moment.event)) for moment in timeline[1:])
    rows = [_event(analysis, moment, most) for moment in timeline[1:]]
    head = element(
        "li",
        element("span", "event", class_="number"),
        element("span", class_="what"),
        element("span", "told", class_="told"),
        element("span", "left", class_="left"),
        class_="columns",
        aria_hidden="true",
    )
    return element("ol", head, *rows, class_="events")


def turning_point_list(analysis: Analysis, marked: list[int]) -> Html:
    """The events that stand as discs in the chart, in words."""
    rows = [
        element(
            "li",
            element("a", event, href=f"#event-{event}", class_="disc"),
            element("span", _words(analysis.timeline[event]), class_="what"),
            element("span", _signed(told(analysis.timeline, event)), class_="told"),
        )
        for event in marked
    ]
    return element("ol", *rows, class_="points") if rows else Html("")


def _event(analysis: Analysis, moment: Moment, most: float) -> Html:
    change = told(analysis.timeline, moment.event)
    own = analysis.is_player and getattr(moment.seen, "by", None) == analysis.viewer
    share = abs(change) / most if most > 0.0 else 0.0
    classes = " ".join(
        word for word, true in (("own", own), ("nothing", abs(change) < 0.005)) if true
    )
    return element(
        "li",
        element("span", moment.event, class_="number"),
        element(
            "span",
            _words(moment),
            _turn(moment.turn) if moment.turn is not None else "",
            class_="what",
        ),
        element(
            "span",
            element("i", style=f"width:{100 * share:.1f}%", class_="up" if change < 0 else None),
            element("b", bits(change)),
            title="bits told",
            class_="told",
        ),
        element("span", bits(moment.entropy_bits), title="bits left", class_="left"),
        id=f"event-{moment.event}",
        class_=classes or None,
    )


def _words(moment: Moment) -> Html:
    return sentence(moment.seen) if moment.seen is not None else Html("")


def _turn(turn: OwnTurn) -> Html:
    """What was asked beside what could have been asked, both valued before the answer."""
    made = turn.made
    if not turn.best:
        return element("span", f"Promised {bits(made.gain_bits)} bits.", class_="turn")
    best = turn.best[0]
    if made.cards == best.cards or made.gain_bits >= best.gain_bits - 1e-9:
        line = join([f"Promised {bits(made.gain_bits)} bits: none was better."])
    else:
        line = join(
            [
                f"Promised {bits(made.gain_bits)} bits; the best, ",
                cards(best.cards),
                f", {bits(best.gain_bits)}.",
            ]
        )
    return element("span", line, class_="turn")


def _signed(change: float) -> str:
    """What is left changes the other way round."""
    return f"{'+' if change < 0 else ''}{bits(-change)} bits"
