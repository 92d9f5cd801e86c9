"""Words before the lines that touches say, so that a page says to whom and when it speaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...kit.answers.values import BlankForm, Map, Section, Sheet, Statement, Touch, Touches


def addressed(parts: Iterable[Statement], before: str, only: str = "") -> tuple[Statement, ...]:
    """Statements whose touches say some words first, where their line begins with others."""
    return tuple(_addressed(part, before, only) for part in parts)


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


def _addressed(part: Statement, before: str, only: str) -> Statement:
    def line(said: str) -> str:
        return f"{before}{said}" if said.startswith(only) else said

    def touch(said: Touch) -> Touch:
        return replace(said, line=line(said.line))

    match part:
        case Touches():
            return replace(part, choices=tuple(map(touch, part.choices)))
        case BlankForm():
            return replace(part, line=line(part.line))
        case Sheet():
            rows = tuple(
                tuple(touch(each) if isinstance(each, Touch) else each for each in row)
                for row in part.rows
            )
            return replace(part, rows=rows)
        case Map():
            spots = tuple(
                replace(each, line=line(each.line)) if each.line else each for each in part.spots
            )
            return replace(part, spots=spots)
        case Section():
            return replace(part, parts=addressed(part.parts, before, only))
        case _:
            return part
