"""The course of the games of one sitting: what was done, step by step, and where that leads.

Steps are plain values of JSON, as they stand in the sitting's file. Taken again in their order they
lead to the same moment, whatever happened to the server meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from ....data.errors import RecordError
from ....models.play import PERSON, Play, SeenPlay, person_named
from ....planners.matches.briefing import Briefer
from ...kit.display import Sight
from ...play.saved import YOU
from ...play.seeds import told_seed
from .guessing import GuessScore
from .jobs import GameName
from .seating import Seating, TablePerson

# What is done.
RULES: Final = "rules"
BEGIN: Final = "begin"
READY: Final = "ready"
REFUSED: Final = "refused"
MOVE: Final = "move"
BACK: Final = "back"
GUESS: Final = "guess"
SCORE: Final = "score"
TRUTHS: Final = "truths"
ANOTHER: Final = "another"
ANEW: Final = "anew"
REPLAY: Final = "replay"
NAME: Final = "name"


#: The number of a game that was taken back.
GONE: Final = -1


@dataclass(frozen=True)
class PersonGuess:
    """A guess: what a person held to be likely at one moment.

    Attributes:
        game: The number of the game, from 0; ``GONE`` for a moment that was taken back.
        roles: The roles of the person.
        role: With whose eyes they saw it.
        at: How many actions came before.
        about: What it was about.
        shares: The places of the values that they named, and how likely they held each to be.
        score: How that compares with what could be known; None until it is worked out.
        truth: What was true; None as long as nobody knows.
    """

    game: int
    roles: tuple[int, ...]
    role: int
    at: int
    about: str
    shares: tuple[tuple[int, float], ...]
    score: GuessScore | None = None
    truth: str | None = None


@dataclass(frozen=True, eq=False)
class _HintedSeat:
    """The share of an agent's hints that are right, for who tells them."""

    hint_right: float | None


class GameCourse:
    """The games of a sitting, as far as they have come.

    Attributes:
        name: The game, with its settings.
        seating: Who plays; None while it is set up.
        play: The game that goes on, or is over; None while it is set up.
        number: How many games came before in this sitting.
        seconds: How long each action took, as far as anybody knows.
        guesses: What people guessed, in all games.
        judged: Whether what was true is known of the game that is over.
        replay: The secret part of the address where the game can be looked at; empty before.
        refused: Why the game could not begin.
        names: What people are called who have said so, by their roles.
        taken_back: Whether a move of this game was taken back.
        last_back: The roles of who took moves back last, and how many actions were left.
    """

    def __init__(self, source: str) -> None:
        self.name = GameName(source)
        self.seating: Seating | None = None
        self.play: Play | None = None
        self.number = 0
        self.seconds: tuple[float | None, ...] = ()
        self.guesses: tuple[PersonGuess, ...] = ()
        self.judged = False
        self.replay = ""
        self.refused = ""
        self.names: dict[tuple[int, ...], str] = {}
        self.taken_back = False
        self.last_back: tuple[tuple[int, ...], int] | None = None
        self._movers: list[int] = []
        self._rights: tuple[float | None, ...] | None = None

    # -- what there is

    @property
    def begun(self) -> bool:
        """True where a game goes on, or is over, whose agents are ready."""
        return self.play is not None and self._rights is not None

    @property
    def playing(self) -> Play:
        """The game that goes on, or is over."""
        assert self.play is not None
        return self.play

    @property
    def seats(self) -> Seating:
        """The seats: who plays it."""
        assert self.seating is not None
        return self.seating

    @property
    def over(self) -> bool:
        """True where there is a game that is over."""
        return self.begun and self.playing.over

    @property
    def at(self) -> int:
        """The number of actions that were made."""
        return len(self.playing.actions)

    @property
    def persons(self) -> tuple[TablePerson, ...]:
        """Everybody who plays."""
        return () if self.seating is None else self.seating.persons(self.name.game())

    @property
    def mover(self) -> TablePerson | None:
        """The person whose move it is; None where it is an agent's, or nobody's."""
        role = self.playing.player
        return next((each for each in self.persons if role in each.roles), None)

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that play, by their texts."""
        return tuple(dict.fromkeys(each for each in self.seats.agents if each != YOU))

    @property
    def players(self) -> tuple[str, ...]:
        """For every role the agent's text, or what stands for a person in records."""
        found = list(self.seats.agents)
        for person in self.persons:
            for role in person.roles:
                found[role] = person_named(self.called(person))
        return tuple(found)

    def called(self, person: TablePerson) -> str:
        """The name of a person in records."""
        return self.names.get(person.roles, PERSON)

    def guessed(self, person: TablePerson, about: str = "") -> bool:
        """Return whether a person has guessed now: something, or what is named."""
        return any(
            each.game == self.number
            and each.at == self.at
            and each.roles == person.roles
            and about in ("", each.about)
            for each in self.guesses
        )

    def sight(self, person: TablePerson) -> Sight:
        """All that a person may see now: with the eyes of the role that moves, or moved last."""
        role = self.playing.player
        return Sight.of(
            self.playing, role if role in person.roles else person.roles[0], person.roles
        )

    def briefed(self, role: int) -> SeenPlay:
        """All that an agent has seen and was told when it moves in a role."""
        assert self._rights is not None
        briefer = Briefer(self.playing.game, told_seed(self.playing.seed))
        briefer.noted(*self.seconds)
        return briefer.seen(self.playing, role, _HintedSeat(self._rights[role]), role)

    def before(self, person: TablePerson) -> int | None:
        """The number of actions before the last one of a person that can be taken back.

        None if they made none, or where several people have seen by now what was hidden.
        """
        if self.over and len(self.persons) > 1 and self.playing.game.hides:
            return None
        return next(
            (at for at in range(self.at - 1, -1, -1) if self._movers[at] in person.roles), None
        )

    def until(self, at: int) -> Play:
        """The game as it was after some of its actions."""
        play = self.playing
        found = Play.new(play.game, seed=play.seed)
        for action in play.actions[:at]:
            found.apply(action)
        return found

    @property
    def unscored(self) -> int | None:
        """The place of the first guess that was not compared yet."""
        return next((at for at, each in enumerate(self.guesses) if each.score is None), None)

    @property
    def unjudged(self) -> tuple[int, ...]:
        """The places of the guesses of a game that is over, of which what was true is wanted."""
        if self.judged or not self.over:
            return ()
        return tuple(at for at, each in enumerate(self.guesses) if each.game == self.number)

    # -- what is done

    def take(self, step: Mapping[str, Any]) -> None:
        """Take a step.

        Raises:
            RecordError: It is no step that can be taken now.
        """
        try:
            do = {
                RULES: self._rules,
                BEGIN: self._begin,
                READY: self._ready,
                REFUSED: self._refuse,
                MOVE: self._move,
                BACK: self._back,
                GUESS: self._guess,
                SCORE: self._score,
                TRUTHS: self._truths,
                ANOTHER: self._another,
                ANEW: self._anew,
                REPLAY: self._replay,
                NAME: self._name,
            }[step["do"]]
            do(step)
        except (KeyError, TypeError, ValueError, AssertionError, IndexError):
            raise RecordError("this cannot be done at this table", value=dict(step)) from None

    def _rules(self, step: Mapping[str, Any]) -> None:
        settings = cast("Mapping[str, str]", step["settings"])
        name = replace(self.name, settings=tuple(sorted(settings.items())))
        name.game()
        self.name = name

    def _begin(self, step: Mapping[str, Any]) -> None:
        game = self.name.game()
        self.seating = Seating.from_json(step["seating"], game)
        self._rights, self.refused = None, ""
        self._deal(self.seating.seed)

    def _ready(self, step: Mapping[str, Any]) -> None:
        self._rights = tuple(step["rights"])

    def _refuse(self, step: Mapping[str, Any]) -> None:
        self._anew(step)
        self.refused = str(step["why"])

    def _move(self, step: Mapping[str, Any]) -> None:
        play = self.playing
        mover = play.player
        play.apply(int(step["action"]))
        self._movers.append(mover)
        self.seconds = (*self.seconds, step.get("seconds"))

    def _back(self, step: Mapping[str, Any]) -> None:
        to = int(step["to"])
        self.play, self.seconds = self.until(to), self.seconds[:to]
        del self._movers[to:]
        self.last_back = (tuple(step["roles"]), to)
        self.judged, self.replay, self.taken_back = False, "", True
        # What was guessed of moments that are gone counts as far as it was compared.
        self.guesses = tuple(
            replace(each, game=GONE) if self._later(each, to) else each
            for each in self.guesses
            if each.score is not None or not self._later(each, to)
        )

    def _later(self, guess: PersonGuess, to: int) -> bool:
        return guess.game == self.number and guess.at > to

    def _guess(self, step: Mapping[str, Any]) -> None:
        shares = tuple((int(place), float(share)) for place, share in step["shares"])
        guess = PersonGuess(
            self.number, tuple(step["roles"]), step["role"], step["at"], step["about"], shares
        )
        self.guesses = (*self.guesses, guess)

    def _score(self, step: Mapping[str, Any]) -> None:
        rows = tuple((str(value), said, exact) for value, said, exact in step["rows"])
        found = GuessScore(step["bits"], step["exact"], rows, step["rest"])
        self._say(step["guess"], score=found)

    def _truths(self, step: Mapping[str, Any]) -> None:
        for at, truth in zip(self.unjudged, step["truths"], strict=True):
            self._say(at, truth=truth)
        self.judged = True

    def _another(self, step: Mapping[str, Any]) -> None:
        self.number += 1
        self._deal(int(step["seed"]))

    def _anew(self, step: Mapping[str, Any]) -> None:
        if self.over:
            self.number += 1
        self.seating = self.play = self._rights = None
        self.names.clear()

    def _replay(self, step: Mapping[str, Any]) -> None:
        self.replay = str(step["token"])

    def _name(self, step: Mapping[str, Any]) -> None:
        self.names[tuple(step["roles"])] = str(step["name"])

    # -- parts

    def _deal(self, seed: int) -> None:
        self.play = Play.new(self.name.game(), seed=seed)
        self._movers.clear()
        self.seconds, self.judged, self.replay, self.last_back = (), False, "", None
        self.taken_back = False

    def _say(self, at: int, **known: Any) -> None:
        guesses = list(self.guesses)
        guesses[at] = replace(guesses[at], **known)
        self.guesses = tuple(guesses)
