"""The events one by one: what happened, what it told, and what could have been asked instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kit.analysis.event_list import event_list
from ...kit.number_words import bits
from ...kit.pages.markup import Html, element, join
from ..words import cards, sentence
from .chart import turning_points

if TYPE_CHECKING:
    from ..findings import ClueAnalysis, ClueMoment, OwnSuggestion


def events(analysis: ClueAnalysis) -> Html:
    """All events; the viewer's own turns stand out."""

    def words(moment: ClueMoment) -> Html:
        made = moment.detail.suggestion
        return join([_words(moment), "" if made is None else _turn(made)])

    return event_list(analysis, words)


def turning_point_list(analysis: ClueAnalysis) -> Html:
    """The events that stand as discs in the chart, in words."""
    rows = [
        element(
            "li",
            element("a", event, href=f"#event-{event}", class_="disc"),
            element("span", _words(analysis.timeline[event]), class_="what"),
            element("span", _signed(analysis.told(event)), class_="told"),
        )
        for event in turning_points(analysis)
    ]
    return element("ol", *rows, class_="points") if rows else Html("")


def _words(moment: ClueMoment) -> Html:
    return sentence(moment.detail.seen) if moment.detail.seen is not None else Html("")


def _turn(turn: OwnSuggestion) -> Html:
    """The suggestion beside what could have been asked, both valued before the answer."""
    made = turn.made
    said = f"Promised {made.says}: worth {bits(made.worth)}"
    if not turn.best:
        return element("span", f"{said}.", class_="turn")
    best = turn.best[0]
    if made.ties(best):
        others = sum(each.ties(made) for each in turn.best) > 1
        line = join([f"{said}; {'others were worth the same' if others else 'none was better'}."])
    else:
        line = join(
            [f"{said}; the best, ", cards(best.cards), f", {bits(best.worth)} ({best.says})."]
        )
    return element("span", line, class_="turn")


def _signed(change: float) -> str:
    """The change, with the sign of what is left turned round."""
    return f"{'+' if change < 0 else ''}{bits(-change)} bits"
