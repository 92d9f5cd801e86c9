"""Answers that take longer than a touch, worked out in a process of its own."""

from __future__ import annotations

import json

from ....data.errors import ContradictionError, SleuthError
from ...kit.advising.contract import NEWS
from ...kit.advising.known import adviser_of
from ...kit.answers.values import Paragraph, Refusal, Statements, Touch, Touches
from ..texts import CLOSE, CONTRADICTED


def opened(game: str, command: str, rest: str, settings: str, entries: str) -> Statements:
    """The answer to a question that somebody opened and may close; see `answered`."""
    close = Touches("", (Touch(CLOSE, "close", "soft", key="Escape"),))
    try:
        return (*answered(game, command, rest, settings, entries), close)
    except SleuthError as error:
        return (Refusal(str(error), hint=error.hint), close)


def answered(game: str, command: str, rest: str, settings: str, entries: str) -> Statements:
    """The answer to a command.

    Args:
        game: The game's name.
        command, rest: What is asked.
        settings, entries: What was set up and what happened, as JSON.

    Raises:
        SleuthError: It cannot be asked.
    """
    adviser, told, happened = adviser_of(game), json.loads(settings), json.loads(entries)
    try:
        if command == NEWS:
            return tuple(adviser.news(told, happened, ()))
        return tuple(adviser.answer(command, rest, told, happened))
    except ContradictionError:
        return (Paragraph(CONTRADICTED, "soft"),)
