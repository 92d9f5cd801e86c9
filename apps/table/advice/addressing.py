"""Words before the lines that touches say, so that a page says to whom and when it speaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...kit.answers.values import BlankForm, Map, Section, Sheet, Statement, Touch, Touches


def addressed(parts: Iterable[Statement], before: str) -> tuple[Statement, ...]:
    """Statements whose touches say some words first."""
    return tuple(_addressed(part, before) for part in parts)


def touches_of(parts: Iterable[Statement]) -> Iterator[Touch]:
    """Everything that can be touched now, but for what is drawn and what is filled in."""
    for part in parts:
        match part:
            case Touches():
                yield from (each for each in part.choices if each.enabled)
            case Sheet():
                cells = (cell for row in part.rows for cell in row)
                yield from (each for each in cells if isinstance(each, Touch) and each.enabled)
            case Section():
                yield from touches_of(part.parts)
            case _:
                pass


def _addressed(part: Statement, before: str) -> Statement:
    match part:
        case Touches():
            return replace(part, choices=tuple(_touch(each, before) for each in part.choices))
        case BlankForm():
            return replace(part, line=f"{before}{part.line}")
        case Sheet():
            rows = tuple(
                tuple(_touch(each, before) if isinstance(each, Touch) else each for each in row)
                for row in part.rows
            )
            return replace(part, rows=rows)
        case Map():
            spots = tuple(
                replace(each, line=f"{before}{each.line}") if each.line else each
                for each in part.spots
            )
            return replace(part, spots=spots)
        case Section():
            return replace(part, parts=addressed(part.parts, before))
        case _:
            return part


def _touch(touch: Touch, before: str) -> Touch:
    return replace(touch, line=f"{before}{touch.line}")
