"""Pictures of an analysed game: how much is open after every event, and how each value fared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..pages.chart import Strip, event_numbers, hovers, levels, own_marks, picture, step_line
from ..pages.chart import strips as strips_of
from ..pages.frame import Frame
from ..pages.markup import Html

if TYPE_CHECKING:
    from .moments import AnyAnalysis

#: Most strips of one hidden thing, and of all together.
MOST_STRIPS: Final = 12
MOST_ROWS: Final = 60


def entropy_chart(
    analysis: AnyAnalysis, *, width: float, height: float, class_: str, prefix: str = ""
) -> Html:
    """A step line of the entropy; every event has a hover title and leads to the list.

    Args:
        analysis: What is drawn.
        width, height: The size of the picture.
        class_: Its class in the style sheet.
        prefix: What stands before the names of events that it leads to.
    """
    frame = Frame(width, height, analysis.events, max(1.0, *analysis.entropies))
    step = next(size for size in (0.25, 0.5, 1, 2, 5, 10, 20, 50, 1000) if frame.most / size <= 6)
    return picture(
        frame,
        "Entropy of what is hidden after every event, in bits",
        f"chart {class_}",
        levels(frame, [count * step for count in range(int(frame.most / step) + 1)]),
        event_numbers(frame, frame.height - frame.bottom + 26),
        step_line(frame, analysis.entropies),
        own_marks(frame, [moment.event for moment, _ in analysis.turns]),
        hovers(frame, analysis.titles("open"), f"{prefix}event-"),
    )


def strips(analysis: AnyAnalysis, *, width: float, class_: str) -> Html:
    """One strip for each value of each hidden thing; the darker, the likelier it is."""
    groups = _groups(analysis)
    if not groups:
        return Html("")
    longest = max(len(value) for _, values in groups for value in values)
    return strips_of(
        [
            (name if len(groups) > 1 else "", [_strip(analysis, name, value) for value in values])
            for name, values in groups
        ],
        analysis.events,
        width=width,
        label=min(0.34 * width, 16.0 + 6.6 * longest),
        title="Probability of every value of what is hidden, after every event",
        class_=class_,
        most=likeliest(analysis),
    )


def likeliest(analysis: AnyAnalysis) -> float:
    """The highest probability that any value of anything hidden ever had; 1 where there is none."""
    shares = [each.drawn[0][1] for m in analysis.timeline for each in m.unknowns if each.drawn]
    return max(shares, default=1.0)


def comes_or_goes(analysis: AnyAnalysis) -> bool:
    """True if something is hidden at some moments only."""
    return len({frozenset(each.name for each in m.unknowns) for m in analysis.timeline}) > 1


def _strip(analysis: AnyAnalysis, name: str, value: str) -> Strip:
    known = [{each.name: dict(each.drawn) for each in m.unknowns} for m in analysis.timeline]
    return value, f"{name}, {value}", [each.get(name, {}).get(value, 0.0) for each in known]


def _groups(analysis: AnyAnalysis) -> list[tuple[str, list[str]]]:
    """Hidden things with the values that were ever likely, the most likely ones first."""
    best: dict[str, dict[str, float]] = {}
    for moment in analysis.timeline:
        for each in moment.unknowns:
            known = best.setdefault(each.name, {})
            for value, share in each.drawn:
                known[value] = max(known.get(value, 0.0), share)
    groups: list[tuple[str, list[str]]] = []
    left = MOST_ROWS
    for name, values in best.items():
        ranked = sorted(values, key=lambda value: -values[value])[: min(MOST_STRIPS, left)]
        if ranked:
            groups.append((name, ranked))
            left -= len(ranked)
    return groups


def hidden_left_out(analysis: AnyAnalysis) -> int:
    """The number of hidden things that have no strip because there are too many."""
    names = {each.name for moment in analysis.timeline for each in moment.unknowns}
    return len(names) - len(_groups(analysis))
