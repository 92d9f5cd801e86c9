"""A person plays: says what happened, asks for a move, answers questions, keeps the game."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from ...data.errors import SettingsError
from ...models.play import Play
from ...planners.agents import Agent, adviser, parse_agent
from ...planners.matches.briefing import Briefer
from ...planners.matches.match_games import prepare
from ..kit.answers.text import sentence
from ..kit.answers.values import Command, Facts, Option, Paragraph, Prompt, Refusal
from ..kit.display import Display, Sight
from ..kit.leaving import held_back, unheard
from ..kit.prompting import Everywhere, Hearer, Left, Steps, TypedLine, ask, ask_yes, leave
from ..kit.writing import refuse_unwritable
from .hints import called, hint
from .recording import Recording
from .saved import MOST_SECONDS, YOU, save, save_new
from .seeds import agent_seed, hint_seed, told_seed
from .verdict import verdict

#: What is said to who wants a move back.
NOT_BACK: Final = "You cannot take a move back, because you have already seen what followed."
#: What is said to who wants to play something else.
ELSE: Final = (
    "To play another, 'quit' and write 'sleuth play' with other options; 'sleuth play --help' "
    "lists them."
)

COMMANDS: Final = {
    "moves": "your legal moves",
    "look": "the game as it stands",
    "log": "what has happened so far",
    "belief": "how likely each possibility is for what is hidden from you",
    "hint": "what an agent would do; 'hint NAME[:key=value,...]' names the agent",
    "save": "save the game; 'save FILE' names the file",
    "setup": "what is played, by whom, and where it is saved",
    "back": "why a move cannot be taken back",
    "quit": "save the game and leave (so do Ctrl-D and Ctrl-C)",
    "help": "this",
}
#: Where the explanations of commands begin.
HELP_COLUMN: Final = 11


@dataclass(eq=False)
class Session:
    """One game with a person in it.

    Attributes:
        play: The game; only this class holds it.
        display: What shows it.
        seats: For every role the agent's text, or ``YOU``.
        hearer: Who is told: the person.
        path: Where the game is kept; None for a file that is named when one is needed.
        recording: Where it is added when it is over, to train with; None for nowhere.
        seconds: How long the actions took that were made already; None where nobody knows, and
            nothing if nobody knows any.
        saves: Whether it is kept after every move, in a file of a new name if it has none.
    """

    play: Play
    display: Display
    seats: tuple[str, ...]
    hearer: Hearer
    path: Path | None = None
    recording: Recording | None = None
    seconds: tuple[float | None, ...] = ()
    saves: bool = False
    _agents: dict[int, Agent] = field(default_factory=dict[int, Agent])
    _advisers: dict[str, Callable[[int], Agent]] = field(
        default_factory=dict[str, Callable[[int], Agent]]
    )
    _told: int = 0
    _warned: bool = False

    @cached_property
    def _briefer(self) -> Briefer:
        """Tells agents what they know beside what they see: a clock, and a hint if they want."""
        briefer = Briefer(self.play.game, told_seed(self.play.seed))
        briefer.noted(*(self.seconds or (None,) * len(self.play.actions)))
        return briefer

    @property
    def _seconds(self) -> tuple[float | None, ...]:
        """The seconds each action took; of the last nobody may know, where Ctrl-C came after it."""
        actions = len(self.play.actions)
        return (*self._briefer.seconds, *(None,) * actions)[:actions]

    @property
    def person(self) -> tuple[int, ...]:
        """The roles that the person plays."""
        return tuple(role for role, seat in enumerate(self.seats) if seat == YOU)

    def steps(self) -> Steps[None]:
        """Play to the end, and ask for each move of the person.

        Raises:
            KeyboardInterrupt: Ctrl-C; the game has been kept, as it is after any other error.
            SettingsError: An agent cannot play this game, or the game cannot be kept.
        """
        self._prepare()
        self._welcome()
        try:
            if self.recording is not None:
                yield from self.recording.begin(self.hearer)
            while not self.play.over:
                role = self.play.player
                if self.seats[role] == YOU:
                    yield from self._turn(role, told=self._tell(role))
                else:
                    self._let(role)
        except Left:
            self._leave()
        except BaseException:
            # Whatever ended it, what was played is not lost.
            self._leave()
            raise
        else:
            self._end()

    # -- the course of a game

    def _prepare(self) -> None:
        """Make the agents, and compile what they need."""
        texts = [text for text in dict.fromkeys(self.seats) if text != YOU]
        prepared = prepare(self.play.game, [parse_agent(text, self.play.game) for text in texts])
        makers = dict(zip(texts, prepared.makers, strict=True))
        for role, text in enumerate(self.seats):
            if text != YOU:
                self._agents[role] = makers[text](agent_seed(self.play.seed, role))

    def _welcome(self) -> None:
        self.hearer.say(Paragraph(self.display.title, "strong"))
        self.hearer.say(f"{self._who_plays} 'help' explains.")

    @property
    def _who_plays(self) -> str:
        """The roles of the person and of each agent, in sentences."""
        others: dict[str, list[int]] = {}
        for role, text in enumerate(self.seats):
            if text != YOU:
                others.setdefault(text, []).append(role)
        said = f"You play {self.display.names(self.person)}."
        for text, roles in others.items():
            said += f" {text} plays {self.display.names(tuple(roles))}."
        return said

    @property
    def _set_up(self) -> str:
        """The setting up of the game, and how to play another."""
        kept = "when you leave" if self.path is None else f"in {self.path}, after every move"
        return (
            f"{self._played}\nThe game is saved {kept}.\n"
            f"A game that has begun stays as it is. {ELSE}"
        )

    @property
    def _was_set_up(self) -> str:
        """The setting up of a game that is over, and how to play another."""
        saved = "was not saved" if self.path is None else f"is saved in {self.path}"
        return f"{self._played}\nThe game is over, and {saved}.\n{ELSE}"

    @property
    def _played(self) -> str:
        """The game with its settings, and who plays."""
        settings = ", ".join(f"{name}={value}" for name, value in self.play.game.settings.items())
        return f"{self.display.title}{f': {settings}' if settings else ''}.\n{self._who_plays}"

    def _let(self, role: int) -> None:
        """An agent makes its move."""
        agent, view = self._agents[role], self.play.view(role)
        seen = self._briefer.seen(self.play, role, agent, role)
        with self.hearer.waiting(f"{self.display.names((role,))} thinks"):
            action = int(agent.decide(view, seen))
        self.play.apply(action)
        self._briefer.acted(view, seen, agent, action)

    def _turn(self, role: int, *, told: bool) -> Steps[None]:
        """Ask until the person makes a move.

        Args:
            role: Whose move it is.
            told: Whether to show the game as it stands.
        """
        sight = self._sight(role)
        names = self.display.move_names(sight.view)
        commands = {**COMMANDS, **{name: says for name, (says, _) in self.display.extras.items()}}
        situation = self.display.situation(sight) if told else ()
        for shown in (situation, self.display.at_a_move(sight)):
            if shown:
                self.hearer.say("", *shown)
        takes = {"hint", "save", *self.display.extras}
        begun = time.monotonic()

        def take(line: TypedLine) -> int | None:
            if line.word in commands and (not line.rest or line.word in takes):
                self._command(line.word, line.rest, sight)
                return None
            if not line.text:
                return None
            meant = self.display.understood(line.text, sight.view)
            if meant.action is None:
                self.hearer.say(Refusal(meant.problem, line.text))
            return meant.action

        words = (*commands, *(word for name in names.values() for word in name.split()))
        action = yield from ask(
            self.hearer,
            Prompt(
                self.display.prompt(sight),
                words,
                tuple(Option(code, name) for code, name in names.items()),
                sight.view.to_json(),
                sight.seen.to_json(),
            ),
            take,
            Everywhere[int](
                help=lambda: self._help(commands),
                back=lambda: self.hearer.say(NOT_BACK),
                setup=lambda rest: self.hearer.say(self._set_up),
                quit=self._keep_and_leave,
            ),
        )
        # Lines of a pipe were not thought about here.
        took = round(time.monotonic() - begun, 2) if self.hearer.alive else None
        self._briefer.noted(None if took is None else min(took, MOST_SECONDS))
        self.play.apply(action)
        self._keep()

    def _command(self, command: str, rest: str, sight: Sight) -> None:
        say = self.hearer.say
        if command == "moves":
            say(*self.display.moves(sight))
        elif command == "look":
            say(*self.display.situation(sight))
            if shown := self.display.at_a_move(sight):
                say("", *shown)
        elif command == "log":
            say("\n".join(self._happened(sight, 0)) or "Nothing has happened yet.")
        elif command == "belief":
            with self.hearer.waiting("working it out"):
                known = self.display.belief(sight)
            say(*known)
        elif command == "hint":
            self._hint(rest, sight)
        elif command == "save":
            self._save(Path(rest).expanduser() if rest else None)
        else:
            _, show = self.display.extras[command]
            say(*show(sight, rest))

    def _end(self) -> None:
        """The game is over: say who has won, and save it if that was asked for."""
        role = self.person[0]
        self._tell(role)
        sight = self._sight(role)
        if said := self.display.ending(sight):
            self.hearer.say(said)
        self.hearer.say(Paragraph(verdict(self.display, self.play, self.person), "strong"))
        if self.recording is not None:
            self.recording.add(self.play, self.seats, self._seconds, self.hearer)
        if self.path is not None:
            self._save(self.path, over=True)

    def another(self, seed: int) -> Steps[Session | None]:
        """The same game dealt anew, if the person wants it; None if not, or if nobody is asked.

        Args:
            seed: Where its chance comes from.
        """
        if not self.play.over or not self.hearer.alive:
            return None
        try:
            wanted = yield from ask_yes(
                self.hearer,
                "Another game? yes or no",
                lambda: self.hearer.say(
                    "'yes' deals a new game with the same settings and roles; 'no' leaves."
                ),
                self._was_set_up,
                back="The game is over, so there is nothing to go back to.",
            )
        except Left:
            return None
        if not wanted:
            return None
        return replace(
            self,
            play=Play.new(self.play.game, seed=seed),
            path=None,
            seconds=(),
            saves=self.saves or self.path is not None,
            _agents={},
            _advisers={},
            _told=0,
            _warned=False,
        )

    def _leave(self) -> None:
        """The game is not over: keep it, and say how to go on, if there is anybody to read it."""
        if not self.play.actions and self.path is None:
            with unheard():
                self.hearer.say("No move has been made yet, so nothing is saved.")
            return
        try:
            with held_back():
                self._write(self.path)
        except SettingsError as error:
            with unheard():
                self.hearer.say(f"The game is lost: {error}")
            return
        with unheard():
            self._saved()

    def _keep_and_leave(self) -> None:
        self._keep_or_ask()
        leave()

    def _keep_or_ask(self) -> None:
        """Before the person leaves: where the game cannot be saved, they may name another file.

        Raises:
            SettingsError: It cannot be saved, and they have not been told so before.
        """
        if self._warned or not self.hearer.alive or not self.play.actions:
            return
        try:
            if self.path is None:
                self.path = save_new(self.play, self.seats, self._seconds)
            else:
                save(self.path, self.play, self.seats, self._seconds)
        except SettingsError as error:
            self._warned = True
            raise SettingsError(
                f"{error}; write 'save FILE' to save the game elsewhere, or 'quit' again to leave "
                "without saving"
            ) from None

    # -- parts

    def _sight(self, role: int) -> Sight:
        return Sight.of(self.play, role, self.person)

    def _tell(self, role: int) -> bool:
        """Say what has happened since the last time; true where others than the person did it."""
        sight = self._sight(role)
        for said in self._happened(sight, self._told):
            self.hearer.say(said)
        new = sight.seen.events[self._told :]
        begins = not self._told
        self._told = len(sight.seen.events)
        return (
            begins
            or len(self.person) == 1
            or any(seen.event.mover not in self.person for seen in new)
        )

    def _happened(self, sight: Sight, first: int) -> list[str]:
        return [sentence(said) for said in self.display.happened(sight, first)]

    def _help(self, commands: dict[str, str]) -> None:
        self.hearer.say(self.display.rules)
        if self.display.writing:
            self.hearer.say(self.display.writing)
        self.hearer.say(Facts((*commands.items(),), HELP_COLUMN, HELP_COLUMN))

    def _hint(self, text: str, sight: Sight) -> None:
        """Say what an agent would do that knows what the person knows."""
        game = self.play.game
        named = parse_agent(text, game) if text else adviser(game)
        with self.hearer.waiting(f"{called(named, text)} thinks"):
            if named.text not in self._advisers:
                self._advisers[named.text] = named.prepare(game)
            agent = self._advisers[named.text](hint_seed(self.play.seed, sight.view.viewer))
            said = hint(agent, called(named, text), sight, self.display)
        self.hearer.say(said)

    def _keep(self) -> None:
        """Write the game to its file, if it has one: a crash costs nothing."""
        if self.path is not None or self.saves:
            try:
                with held_back():
                    self._write(self.path)
            except SettingsError as error:
                self.hearer.say(f"This move is not saved: {error}")

    def _save(self, path: Path | None, *, over: bool = False) -> None:
        with held_back():
            self._write(path)
        if over:
            self.hearer.say(f"The game is saved in {self.path}")
        else:
            self._saved()

    def _write(self, path: Path | None) -> None:
        """Write the game to a file: to its own where none is named, else to a new one."""
        path = path or self.path
        if path is None:
            path = save_new(self.play, self.seats, self._seconds)
        else:
            if path != self.path:
                refuse_taken(path, where="save")
            save(path, self.play, self.seats, self._seconds)
        self.path = path

    def _saved(self) -> None:
        """Say where the game is, and how to go on with it."""
        self.hearer.say(f"The game is saved in {self.path}. To continue it, type")
        recorded = [] if self.recording is None else self.recording.options
        again = ["sleuth", "play", "--resume", str(self.path), *recorded]
        self.hearer.say(Command(shlex.join(again)))


def refuse_taken(path: Path, *, where: str) -> None:
    """Refuse a file that is there already, or cannot be written.

    Raises:
        SettingsError: The file is refused.
    """
    refuse_unwritable(path, where=where)
    if path.exists():
        raise SettingsError(
            "this file is there already",
            where=where,
            value=str(path),
            hint="name another, or go on with it by --resume",
        )
