"""Pictures of the case file over time: its entropy with the largest steps marked, and its cards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ....models.clue.edition import ClueEdition
from ....models.clue.editions import CLASSIC
from ...kit.pages.chart import event_numbers, hovers, levels, own_marks, picture, step_line, strips
from ...kit.pages.frame import Frame
from ...kit.pages.markup import Html, element, join

if TYPE_CHECKING:
    from ..findings import ClueAnalysis

MOST_MARKED: Final = 5
LEAST_MARKED: Final = 0.25
_BADGE: Final = 9.5
#: Width of the names of the classic edition, of a letter of others, and of the widest.
LABEL: Final = 92.0
LETTER: Final = 7.0
MOST_LABEL: Final = 130.0


def turning_points(analysis: ClueAnalysis) -> list[int]:
    """The events that moved the entropy most, in order of time."""
    told = {event: abs(analysis.told(event)) for event in range(1, analysis.events + 1)}
    ranked = sorted(told, key=lambda event: -told[event])
    return sorted(event for event in ranked[:MOST_MARKED] if told[event] >= LEAST_MARKED)


def entropy_chart(analysis: ClueAnalysis, *, width: float, height: float, class_: str) -> Html:
    """The picture, as one SVG element; discs lead to the list of events."""
    most = analysis.findings.most_bits
    frame = Frame(width, height, analysis.events, most)
    return picture(
        frame,
        "Entropy of the case file after every event, in bits",
        f"chart {class_}",
        levels(frame, range(0, math.floor(most) + 1, 2)),
        event_numbers(frame, frame.height - frame.bottom + 26),
        _most(frame, most),
        step_line(frame, analysis.entropies),
        own_marks(frame, analysis.own_events),
        _badges(frame, analysis.entropies, turning_points(analysis)),
        hovers(frame, analysis.titles("left")),
    )


def case_file_strips(analysis: ClueAnalysis, *, width: float, class_: str) -> Html:
    """One strip a card, one field an event; the darker, the likelier in the case file."""
    files = [moment.detail.case_file for moment in analysis.timeline]
    return strips(
        [
            ("", [(card, card, [shares[card] for shares in files]) for card in cards])
            for cards in analysis.findings.edition.categories.values()
        ],
        analysis.events,
        width=width,
        label=_room(analysis.findings.edition),
        title="Probability of every card being in the case file, after every event",
        class_=class_,
    )


def _room(edition: ClueEdition) -> float:
    """The width for names of cards; they fit in that of the classic edition."""
    longest = max(map(len, edition.cards))
    return LABEL if edition == CLASSIC else min(max(LABEL, 9.0 + LETTER * longest), MOST_LABEL)


def _most(frame: Frame, most: float) -> Html:
    """The level at which nothing is known."""
    y, end = frame.y(most), frame.width - frame.right
    note = f"nothing known: {most:.2f}"
    return join(
        [
            element("line", x1=frame.left, x2=end, y1=y, y2=y, class_="most"),
            element("text", note, x=end, y=y - 4, text_anchor="end", class_="note"),
        ]
    )


def _badges(frame: Frame, entropies: Sequence[float], marked: Sequence[int]) -> Html:
    """A numbered disc at each of the marked steps, moved aside where two would touch."""
    placed: list[tuple[float, float]] = []
    parts: list[Html] = []
    for event in marked:
        before, after = entropies[event - 1], entropies[event]
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
