"""Events of a game of Clue as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ..models.clue.cards import CASE_FILE
from ..models.clue.events import (
    Accusation,
    ClueEvent,
    Has,
    Move,
    NotHas,
    OneOf,
    Suggestion,
)


def listed(words: Sequence[str], last: str = "and") -> str:
    """The words as one reads them: ``"plum, rope and hall"``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def holder_in_words(holder: str) -> str:
    """A player's name as it is, and "the case file"."""
    return f"the {holder}" if holder == CASE_FILE else holder


def describe(event: ClueEvent) -> str:
    """What happened, in one sentence without a full stop."""
    match event:
        case Suggestion():
            return f"{event.by} suggests {listed(event.cards)}: {_answer(event)}"
        case Accusation(seen=None):
            verdict = "rightly" if event.correct else "wrongly"
            return f"{event.by} accuses {listed(event.cards)}, {verdict}"
        case Accusation():
            verdict = "rightly" if event.correct else "wrongly"
            return (
                f"{event.by} accuses {listed(event.cards)}, {verdict}, "
                f"and sees {listed(event.seen or ())}"
            )
        case Move():
            return f"{event.by} moves to {event.to}"
        case Has():
            return f"{holder_in_words(event.player)} has {event.card}"
        case NotHas():
            return f"{holder_in_words(event.player)} does not have {event.card}"
        case OneOf():
            return f"{holder_in_words(event.player)} has at least one of {listed(event.cards)}"


def _answer(event: Suggestion) -> str:
    passed = f"{listed(event.passed)} {'passes' if len(event.passed) == 1 else 'pass'}"
    if not event.refuter_recorded:
        rest = "what came of it was not recorded"
        return f"{passed}, {rest}" if event.passed else rest
    if event.refuter is None:
        return "nobody can refute"
    shown = f"{event.refuter} shows {event.shown or 'a card'}"
    return f"{passed}, {shown}" if event.passed else shown
