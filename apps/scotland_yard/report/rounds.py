"""A game in lines: each move of Mr. X alone, the detectives' moves after it together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....models.scotland_yard.state import HIDER
from ..words import HIDER_NAME

if TYPE_CHECKING:
    from ..transcript import HuntAnalysis, HuntMoment


def rounds(analysis: HuntAnalysis) -> list[list[HuntMoment]]:
    """The moments of every line; the first is the start."""
    lines: list[list[HuntMoment]] = []
    for moment in analysis.timeline:
        seeker = moment.detail.by is not None and moment.detail.by != HIDER
        if seeker and lines[-1][-1].detail.by not in (None, HIDER):
            lines[-1].append(moment)
        else:
            lines.append([moment])
    return lines


def in_words(moments: list[HuntMoment]) -> str:
    """The events of a line in words, without a full stop."""
    if len(moments) == 1:
        return moments[0].text
    steps = [
        f"{moment.detail.by} to {moment.detail.seekers[(moment.detail.by or 1) - 1]}"
        for moment in moments
    ]
    said = f"seekers: {', '.join(steps)}"
    last = moments[-1]
    if last.detail.shown is None:
        return said
    caught = last.detail.shown == last.detail.seekers[(last.detail.by or 1) - 1]
    return (
        f"{said}, and finds {HIDER_NAME}"
        if caught
        else f"{said}; {HIDER_NAME} was at {last.detail.shown}"
    )
