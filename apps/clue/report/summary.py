"""The report in one paragraph: what could be known, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....models.clue.cards import CASE_FILE
from ....models.clue.events import Accusation
from ...kit.number_words import bits, number, percent
from ...kit.pages.markup import Html, element, join, listed, name
from ..words import cards
from .chart import turning_points

if TYPE_CHECKING:
    from ..findings import ClueAnalysis

_SETTLED = 1e-9


def summary(analysis: ClueAnalysis) -> Html:
    """A paragraph in words."""
    parts = [_start(analysis)]
    if analysis.events:
        parts += [_end(analysis), _way(analysis), _turns(analysis)]
    return element("p", join([part for part in parts if part], " "), class_="summary")


def settled_at(analysis: ClueAnalysis) -> int | None:
    """The first moment at which the case file was certain, and stayed so."""
    settled = None
    for moment in analysis.timeline:
        if moment.entropy_bits > _SETTLED:
            settled = None
        elif settled is None:
            settled = moment.event
    return settled if analysis.exact else None


def viewer_in_words(analysis: ClueAnalysis) -> Html:
    """``plum``, ``a spectator`` or ``the reader of the notebook``."""
    if analysis.findings.seen.is_player:
        return name(analysis.viewer)
    return Html("a spectator" if analysis.viewer == "spectator" else "the notebook's reader")


def _start(analysis: ClueAnalysis) -> Html:
    opening, most = analysis.timeline[0].entropy_bits, analysis.findings.most_bits
    known: list[object] = []
    if analysis.findings.seen.own_hand:
        known.append(join([number(len(analysis.findings.seen.own_hand), "card"), " in hand"]))
    if analysis.findings.seen.face_up:
        known.append(join([number(len(analysis.findings.seen.face_up), "card"), " face up"]))
    told_by = join(["With ", listed(known), ", "]) if known else Html("")
    subject = viewer_in_words(analysis)
    if not known and not analysis.findings.seen.is_player:
        subject = Html(subject[:1].upper() + subject[1:])
    return join(
        [
            told_by,
            subject,
            " began ",
            element("b", bits(opening)),
            f" bits away from the case file (knowing nothing at all is {most:.2f}).",
        ]
    )


def _end(analysis: ClueAnalysis) -> Html:
    settled = settled_at(analysis)
    last = analysis.timeline[-1]
    likeliest, probability = analysis.findings.case_file[0]
    if settled is not None:
        event = analysis.timeline[settled].detail.seen
        if settled == 0:
            return join(["The case file was certain from the start: ", cards(likeliest), "."])
        revealed = isinstance(event, Accusation) and event.correct
        how = "An accusation, event " if revealed else "After event "
        verb = ", gave the case file away: " if revealed else " the case file was certain: "
        late = analysis.events - settled
        rest = f", {number(late, 'event')} before the end," if late > 1 and not revealed else ""
        return join([how, _link(settled), rest, verb, element("b", cards(likeliest)), "."])
    proven = [each.name for each in analysis.proven if each.value == CASE_FILE]
    if len(proven) == len(likeliest):
        return join(["In the end the case file was certain: ", element("b", cards(proven)), "."])
    possible = len(analysis.findings.case_file)
    if possible == 1:
        return join(["By this estimate nothing but ", cards(likeliest), " was left."])
    return join(
        [
            f"After {'the only' if analysis.events == 1 else 'the last'} event ",
            element("b", bits(last.entropy_bits)),
            f" bits were left: {number(possible, 'triple')} possible, the likeliest ",
            cards(likeliest),
            f" ({percent(probability)} %).",
        ]
    )


def _way(analysis: ClueAnalysis) -> Html:
    told = analysis.told
    most = sorted(turning_points(analysis), key=lambda event: -told(event))[:2]
    most = [event for event in most if told(event) > 0.0]
    if not most:
        return Html("")
    first = join(["Event ", _link(most[0]), f" told most, {bits(told(most[0]))} bits"])
    if len(most) == 1:
        return join([first, "."])
    return join([first, ", then event ", _link(most[1]), f" with {bits(told(most[1]))}."])


def _turns(analysis: ClueAnalysis) -> Html:
    pairs = zip(analysis.timeline, analysis.timeline[1:], strict=False)
    turns = [
        moment.detail.suggestion
        for before, moment in pairs
        if moment.detail.suggestion is not None and before.entropy_bits > _SETTLED
    ]
    if not turns:
        return Html("")
    made = sum(turn.made.worth for turn in turns) / len(turns)
    best = sum(turn.best[0].worth for turn in turns if turn.best) / len(turns)
    settled = any(moment.entropy_bits <= _SETTLED for moment in analysis.timeline)
    until = " while it was open" if settled else ""
    whose = name(analysis.viewer)
    if len(turns) == 1:
        told = f" was worth {bits(made)}; the best possible one {bits(best)}."
        return join(["The one suggestion of ", whose, told])
    said = f"s {number(len(turns), 'suggestion')}{until} were worth {bits(made)} on average; "
    said += f"the best possible ones {bits(best)}."
    return join([whose, "\N{RIGHT SINGLE QUOTATION MARK}", said])


def _link(event: int) -> Html:
    return element("a", event, href=f"#event-{event}")
