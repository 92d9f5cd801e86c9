"""A person made of lines, and what he was told."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console

from sleuth import Play
from sleuth.answers import Statement
from sleuth.apps.kit.advising.session import Advising
from sleuth.apps.kit.console import printable
from sleuth.apps.kit.conversation import converse
from sleuth.apps.kit.terminal import Terminal
from sleuth.apps.play.saved import YOU
from sleuth.apps.play.session import Session
from sleuth.kit import display


class Script(Terminal):
    """A terminal at which somebody has typed everything already."""

    def __init__(self, lines: Iterable[str], width: int = 80) -> None:
        self.said = io.StringIO()
        self.console = Console(
            file=self.said,
            width=width,
            height=25,
            highlight=False,
            markup=False,
            emoji=False,
        )
        self.alive = False
        self.lines = list(lines)

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str | None:
        line = self.lines.pop(0) if self.lines else None
        self.console.print(printable(f"{prompt}> {line or ''}".rstrip()))
        return line

    @property
    def text(self) -> str:
        return self.said.getvalue()


def run(session: Session | Advising) -> None:
    """Let the terminal that is told answer what a session asks."""
    assert isinstance(session.hearer, Script)
    converse(session.steps(), session.hearer)


def drawn(what: Statement, width: int = 80) -> str:
    script = Script([], width)
    script.say(what)
    return script.text


def told(play: Play, person: Iterable[int], lines: Iterable[str], **options: Any) -> str:
    """What a person is told who types these lines; all others are random."""
    mine = set(person)
    script = Script(lines, options.pop("width", 80))
    seats = tuple(YOU if role in mine else "random" for role in range(play.game.players))
    run(Session(play, display(play.game), seats, script, **options))
    return script.text
