"""Sessions and who speaks with them: a terminal, a program that speaks JSON, anything else.

A session asks by a generator (see `prompting`). `converse` lets a person type what it asks for;
`Machine` takes a line and gives back values, for a page or a bot; `speak` does so in JSON, line by
line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, TypeVar, cast

from ...data.errors import RecordError, SleuthError
from ...models.records.reading import parse_json
from .answers.schema import to_json
from .answers.values import Paragraph, Prompt, Refusal, Reply, Statement
from .prompting import Hearer, Steps, refusal
from .terminal import Terminal, forgive, read_line

_End = TypeVar("_End")
#: The fields of a line that is an object of JSON.
LINE: Final = "line"
MOVE: Final = "move"
FORMS: Final = 'write a line, {"line": "..."}, or {"move": CODE} for a legal move'


def converse(steps: Steps[_End], terminal: Terminal) -> _End:
    """Let a person at a terminal answer what a session asks, until it ends; how it ends.

    Raises:
        KeyboardInterrupt: Ctrl-C; the session was told first.
    """
    try:
        prompt = next(steps)
        while True:
            try:
                line = terminal.ask(prompt.text, prompt.words)
            except BaseException as error:
                prompt = steps.throw(error)
            else:
                prompt = steps.send(line)
    except StopIteration as end:
        return end.value


class ConversationLog:
    """A hearer that keeps what it is told."""

    alive = False

    def __init__(self) -> None:
        self.said: list[Statement] = []

    def say(self, *said: Statement | str) -> None:
        """Keep it, but for blank lines, which set things apart in a terminal."""
        kept = (Paragraph(each) if isinstance(each, str) else each for each in said)
        self.said += [each for each in kept if not isinstance(each, Paragraph) or each.text]

    @contextmanager
    def waiting(self, what: str) -> Generator[None]:
        """Nobody waits."""
        yield

    def taken(self) -> list[Statement]:
        """Everything that was said since the last call."""
        said, self.said = self.said, []
        return said


class Machine:
    """A session as a machine: a line goes in, and what is said to it comes out.

    Args:
        make: Begins the session, for who is told.

    >>> from sleuth.answers import Machine, Option, Prompt
    >>> from sleuth.errors import RecordError
    >>> def session(hearer):
    ...     line = yield Prompt("higher or lower?", moves=(Option(0, "higher"), Option(1, "lower")))
    ...     hearer.say(f"You said {line}.")
    ...     yield Prompt("and now?")
    >>> machine = Machine(session)
    >>> machine.start().prompt.text
    'higher or lower?'
    >>> machine.choose(1).said[0].text
    'You said lower.'
    >>> machine.refuse(RecordError("this is no line", value=3)).error.text
    'this is no line (got 3)'
    >>> machine.take("higher").prompt is None  # the session is over
    True
    >>> machine.leave()
    """

    def __init__(self, make: Callable[[Hearer], Steps[object]]) -> None:
        self._heard = ConversationLog()
        self._steps = make(self._heard)
        self._prompt: Prompt | None = None

    def start(self) -> Reply:
        """The reply before the first line."""
        return self._reply(lambda: next(self._steps))

    def take(self, line: str | None) -> Reply:
        """The reply to a line; None is the end of all lines, and the session is left."""
        return self._reply(lambda: self._steps.send(line))

    def choose(self, code: int) -> Reply:
        """The reply to a move that is chosen by its code."""
        moves = () if self._prompt is None else self._prompt.moves
        name = next((move.name for move in moves if move.code == code), None)
        if name is None:
            error = RecordError("no legal move has this code", value=code, hint="see 'moves'")
            return self.refuse(error)
        return self.take(name)

    def refuse(self, error: SleuthError) -> Reply:
        """A reply to what is no line: the question stands."""
        return Reply((), refusal(error), self._prompt)

    def leave(self) -> None:
        """End the session without a word more; what has to be kept is."""
        self._steps.close()

    def _reply(self, step: Callable[[], Prompt]) -> Reply:
        try:
            self._prompt = step()
        except StopIteration:
            self._prompt = None
        said = self._heard.taken()
        errors = [each for each in said if isinstance(each, Refusal)]
        if len(errors) == 1:
            said.remove(errors[0])
        return Reply(tuple(said), errors[0] if len(errors) == 1 else None, self._prompt)


def speak(make: Callable[[Hearer], Steps[object]]) -> None:
    """Speak JSON with a program, on standard input and output: an object for each line.

    Args:
        make: Begins the session, for who is told.
    """
    forgive()
    machine = Machine(make)
    try:
        reply = machine.start()
        _write(reply)
        while reply.prompt is not None:
            reply = _answer(machine)
            _write(reply)
    finally:
        machine.leave()


def _write(reply: Reply) -> None:
    print(json.dumps(to_json(reply), allow_nan=False), flush=True)


def _answer(machine: Machine) -> Reply:
    try:
        typed = read_line(rest=True)
        if typed is None or not typed.lstrip().startswith("{"):
            return machine.take(typed)
        said = _meant(typed)
    except SleuthError as error:
        return machine.refuse(error)
    return machine.choose(said) if isinstance(said, int) else machine.take(said)


def _meant(typed: str) -> str | int:
    """The line or the code of a move in an object.

    Raises:
        RecordError: The object is none of these.
    """
    found = cast("dict[str, object]", parse_json(typed.encode()))
    value = next(iter(found.values()), None)
    if len(found) == 1 and (
        (LINE in found and isinstance(value, str) and "\n" not in value)
        or (MOVE in found and type(value) is int)
    ):
        return value
    raise RecordError("this is no line", value=typed, hint=FORMS)
