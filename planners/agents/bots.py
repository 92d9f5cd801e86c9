"""Bots: agents that are programs in any language, asked in lines of JSON.

A bot is told what its seat knows and nothing else: the numbers of its `View`, the events of its
`SeenPlay` that are new to it, and the actions that are legal by its view. `PROTOCOL` says which
form the lines have; a page of the documentation has all of them, and their schema.
"""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, cast, runtime_checkable

from ...data.checks import number_within
from ...data.errors import ProgramError, SettingsError, join_hints
from ...data.programs import Program, found_program
from ...data.version import version
from ...models.game import Game
from ...models.play import SeenPlay, View, goes_on, start_as_seen
from ...models.records.play_start import state_to_json
from ...models.view import known_numbers
from .agent import Maker, seed_of

#: The version of the form of the lines; it changes when a bot written for it would no longer work.
PROTOCOL: Final = 1
#: Longest time for a decision, in seconds.
MOST_SECONDS: Final = 86_400.0
#: Bits of a seed that a bot is given: all languages have whole numbers of so many.
_BITS: Final = 53
#: Legal actions that an error names.
_LISTED: Final = 20


@runtime_checkable
class Ending(Protocol):
    """An agent that is told how a game ends, and when no more are played."""

    def ended(self, view: View, seen: SeenPlay, won: float) -> None:
        """A game is over.

        Args:
            view: What their role sees at the end.
            seen: All that it has seen.
            won: What it has won, in the game's own units.
        """
        ...

    def close(self) -> None:
        """Nothing more is asked."""
        ...


class LostGame(ProgramError):
    """A fault of a program that loses it the game, and does not end the match."""


@dataclass(frozen=True, kw_only=True)
class BotSettings:
    """Options of a bot.

    Attributes:
        command: The program and its arguments, as in a shell; may stand first without its name.
        seconds: How long it may take for a decision.
        start: How long it may take to start.
        keep: Whether one program plays several games of a worker, one after the other: that saves
            its start, but it may remember a deal that it sees again from another seat.
        shows: Whether what it says on standard error is shown; else errors quote the end of it.
        faults: Whether a fault ends the match, or loses the game for it.
    """

    command: str = ""
    seconds: float = 10.0
    start: float = 10.0
    keep: bool = False
    shows: bool = False
    faults: Literal["end", "lose"] = "end"


def bots(game: Game, settings: BotSettings, text: str) -> Maker:
    """Makes bots of a command.

    Raises:
        SettingsError: There is no such program, or a number is out of range.
    """
    if not settings.command:
        raise SettingsError(
            "a bot needs the command that starts it",
            where=f"agent {text!r}",
            hint="write bot:COMMAND, such as 'bot:python3 mybot.py'",
        )
    for name in ("seconds", "start"):
        number_within(getattr(settings, name), name, most=MOST_SECONDS, where=f"agent {text!r}")
        if not getattr(settings, name):
            raise SettingsError(
                "a bot needs more than no time",
                where=f"agent {text!r}, option {name!r}",
                hint=f"write {name}=10",
            )
    words = tuple(found_program(settings.command))
    idle: list[Program] = []
    return lambda seed: BotAgent(
        game=game, settings=settings, words=words, seed=seed, name=text, idle=idle
    )


def words_of_command(text: str) -> tuple[str, ...]:
    """The words of a command, which may name files; none where it cannot be read."""
    try:
        return tuple(shlex.split(text))
    except ValueError:
        return ()


@dataclass(kw_only=True, eq=False)
class BotAgent:
    """A program that plays one seat.

    It is started for the first decision. A moment that does not go on from the last one is that of
    another game, of which it is told from its beginning.

    Attributes:
        game: The game.
        settings: Its options.
        words: Of its command.
        seed: Where the seeds come from that it is given.
        name: Its name in results.
        idle: Programs that wait for another game, where they are kept.
    """

    game: Game
    settings: BotSettings
    words: tuple[str, ...]
    seed: int
    name: str
    idle: list[Program] = field(default_factory=list[Program])
    _program: Program | None = None
    _told: SeenPlay | None = None
    _games: int = 0
    _asked: int = 0

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The action that the program answers.

        Raises:
            ProgramError: It does not answer as was agreed; a `LostGame` where that is what it does.
        """
        try:
            return self._decided(view, seen)
        except ProgramError as error:
            if self.settings.faults == "end":
                raise
            raise LostGame(error.message, where=error.where, hint=error.hint) from error

    def _decided(self, view: View, seen: SeenPlay) -> int:
        self._begin(seen)
        self._asked += 1
        legal = view.legal().tolist()
        question = {
            "type": "move",
            "id": self._asked,
            **self._known(view, seen),
            "legal": legal,
            "names": [self.game.action_name(code) for code in legal],
        }
        answer = self._answer(question, self.settings.seconds)
        if answer.get("id") != self._asked:
            raise self._refused("the answer has not the id of what was asked", answer)
        action = answer.get("action")
        if type(action) is not int:
            raise self._refused("an action is a whole number", answer)
        if action not in legal and self.game.listed_code(view.states, action) not in legal:
            listed = ", ".join(map(str, legal[:_LISTED])) + (", ..." if legal[_LISTED:] else "")
            raise self._refused("this action is not legal", answer, f"legal are {listed}")
        return action

    def ended(self, view: View, seen: SeenPlay, won: float) -> None:
        """Tells the program how the game ended for it; one that was never asked is not started."""
        if self._program is not None:
            self._begin(seen)
            self._program.tell(_line({"type": "over", **self._known(view, seen), "return": won}))
        self._told = None
        self._games += 1

    def close(self) -> None:
        """Ends the program, or keeps it for another agent."""
        program, self._program, self._told = self._program, None, None
        if program is None:
            return
        if self.settings.keep and program.runs:
            self.idle.append(program)
        else:
            program.close()

    def _begin(self, seen: SeenPlay) -> None:
        """Have a program that was told of this game."""
        if self._program is None:
            self._program = self._started(seen)
            self._told = None
        if self._told is None or not goes_on(self._told, seen):
            self._program.tell(
                _line(
                    {
                        "type": "game",
                        "role": seen.roles[seen.viewer],
                        "player": seen.viewer,
                        "seed": seed_of(self.seed, self._games) >> (64 - _BITS),
                        "start": known_numbers(state_to_json(start_as_seen(self.game, seen))),
                    }
                )
            )
            self._told = None

    def _started(self, seen: SeenPlay) -> Program:
        while self.idle:
            program = self.idle.pop()
            if program.runs:
                return program
        game, role = self.game, seen.roles[seen.viewer]
        try:
            self._program = Program(self.words, shows=self.settings.shows)
        except ProgramError as error:
            error.reword(where=f"agent {self.name!r}, as {role}")
            raise
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "sleuth": version(),
            "game": game.name,
            "version": game.version,
            "settings": dict(game.settings),
            "roles": list(game.roles),
            "teams": list(game.teams),
            "actions": game.action_space,
            "lowest": game.lowest,
            "highest": game.highest,
            "observation": _space(game),
            "seconds": self.settings.seconds,
        }
        self._told = seen  # for what an error says of the place
        answer = self._answer(hello, self.settings.start)
        if answer.get("protocol") != PROTOCOL:
            hint = f'answer {{"protocol": {PROTOCOL}}}'
            raise self._refused("the program does not speak this protocol", answer, hint)
        return self._program

    def _known(self, view: View, seen: SeenPlay) -> dict[str, Any]:
        """All that is new to the program; it is told of it now."""
        first = 0 if self._told is None else len(self._told.events)
        self._told = seen
        told = seen.told
        return {
            "state": known_numbers(state_to_json(view.states)),
            "observation": [_plain(number) for number in self.game.observation(view).tolist()],
            "events": [known_numbers(one.event.to_json()) for one in seen.events[first:]],
            **({"seconds": list(told.seconds)} if told.seconds else {}),
            **({} if told.hint is None else {"hint": told.hint}),
        }

    def _answer(self, question: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        assert self._program is not None
        try:
            text = self._program.ask(_line(question), seconds)
        except ProgramError as error:
            self._program = None
            error.reword(where=self._where)
            raise
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            hint = "one line of JSON is needed; what it says besides belongs on standard error"
            raise self._refused("the answer is no JSON", text.rstrip("\n"), hint) from None
        if not isinstance(answer, dict):
            raise self._refused("the answer is no JSON object", text.rstrip("\n"))
        return cast("dict[str, Any]", answer)

    def _refused(self, message: str, answer: object, hint: str = "") -> ProgramError:
        assert self._program is not None
        self._program.close()
        hint = join_hints(hint, self._program.last_words)
        self._program = None
        return ProgramError(message, where=self._where, value=answer, hint=hint)

    @property
    def _where(self) -> str:
        seen = self._told
        return f"agent {self.name!r}" + ("" if seen is None else f", as {seen.roles[seen.viewer]}")


def _space(game: Game) -> dict[str, Any]:
    """The names and bounds of the numbers of an observation; None for no bound."""
    space = game.observation_space
    return {
        "names": list(space.names),
        "low": [_plain(number) for number in space.low.tolist()],
        "high": [_plain(number) for number in space.high.tolist()],
    }


def _plain(number: float) -> float | int | None:
    """A number as JSON has it: whole ones without a point, and no infinite ones."""
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() else number


def _line(message: Mapping[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":"))
