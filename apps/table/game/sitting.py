"""Games as a kind of sitting: lines are taken, agents move, and everything is kept."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, cast

from ....data.errors import SettingsError, SleuthError
from ....models.games import called
from ....models.parcel import ViewParcel
from ....models.play import Play
from ...play.saved import MOST_SECONDS, written
from ...play.seeds import agent_seed
from ..kept import SittingLog
from ..known import known_entry
from ..lobby import Lobby
from ..sitting import Download, Job, Line, Panel
from . import course as steps
from . import jobs, kept_games, pages, setting_up, texts
from .choosing import BETWEEN
from .course import GameCourse
from .eyes import SeatEyes
from .game_page import GamePage
from .guess_forms import said_shares
from .guessing import dealt_values, subjects
from .seating import TablePerson

#: Why something cannot be done.
MEANWHILE: Final = "the game has gone on meanwhile"
NOT_YOURS: Final = "it is not your move"


class GameKind:
    """Games that people play; see `SittingKind`."""

    def made(self, blanks: Mapping[str, str]) -> tuple[Mapping[str, Any], int]:
        """The game, and seats for the most devices that may play it."""
        found = known_entry(blanks.get("game", ""))
        made = {"game": found.source or found.name, "name": found.name}
        return made, setting_up.MOST_DEVICES

    def opened(self, file: SittingLog, lobby: Lobby | None) -> GameSitting:
        """The games of a file, as far as they have come."""
        return GameSitting(file, lobby)

    def name(self, made: Mapping[str, Any]) -> str:
        """The words for it in a list."""
        return texts.NAME.format(called(str(made["name"])))


class GameSitting:
    """Games that people play, one after the other; see `Sitting`.

    Args:
        file: What was done; it is closed with the sitting.
        lobby: Where games are looked at when they are over.
    """

    kind: ClassVar[str] = "game"

    def __init__(self, file: SittingLog, lobby: Lobby | None) -> None:
        self.file = file
        self._lobby = lobby
        self.course = GameCourse(str(file.made["game"]))
        for step in file.steps:
            self.course.take(step)
        self._keep_game()
        self._eyes = [SeatEyes() for _ in file.tokens]
        self._failed: str = ""
        self._since: tuple[int, int, float] | None = None
        self._due: tuple[object, Job | None] | None = None

    @property
    def title(self) -> str:
        """The name of the game."""
        return self.course.name.display().title

    @property
    def seats(self) -> Sequence[str]:
        """The devices."""
        return [f"device {number + 1}" for number in range(len(self.file.tokens))]

    # -- what is shown

    def panels(self, seat: int) -> Sequence[Panel]:
        """Everything that a device sees now, but for what takes long."""
        if not self.course.begun:
            return self._before(seat)
        page = self._page(seat)
        found = pages.panels(page)
        if self._lobby is not None and page.person is not None:
            found.append(kept_games.panel(self.course, page.person, self._lobby.folder))
        return found

    def jobs(self, seat: int) -> Sequence[Job]:
        """The jobs for what a device should see besides: what can be known, and advice."""
        if not self.course.begun or self.course.over:
            return ()
        return pages.jobs(self._page(seat))

    def _before(self, seat: int) -> Sequence[Panel]:
        if self.course.play is not None:
            return [pages.waiting(texts.PREPARES)]
        if seat:
            return [pages.waiting(texts.HOST_SETS_UP)]
        return setting_up.panels(self.course)

    def eyes(self, seat: int) -> SeatEyes:
        """The state of a device's page that may be lost."""
        return self._eyes[seat]

    def _page(self, seat: int) -> GamePage:
        return GamePage(
            self.course,
            seat,
            self._eyes[seat],
            tuple(self.file.tokens),
            () if self._lobby is None else self._lobby.addresses,
            self._failed,
        )

    def _look(self) -> None:
        """Note when it became somebody's move: how long they take is kept with it.

        After a server was gone nobody knows.
        """
        if self._since is None or self._now != self._since[:2]:
            self._since = (*self._now, time.monotonic())

    @property
    def _now(self) -> tuple[int, int]:
        return self.course.number, self.course.at

    # -- what is said

    def known(self, touch: str) -> bool:
        """True if the line of this touch was taken already."""
        return self.file.known(touch)

    def take(self, seat: int, line: Line) -> str:
        """Take what a device says."""
        if self.known(line.touch):
            return ""
        word, _, rest = line.text.partition(" ")
        if not self.course.begun:
            return self._set_up(seat, word, line)
        found = {
            "move": self._move,
            "say": self._say,
            "back": self._back,
            "guess": self._guess,
            "another": self._another,
            "anew": self._anew,
            "replay": self._replay,
            "name": self._name,
            "keep": self._keep,
        }.get(word)
        if found is not None:
            return found(seat, rest, line) or ""
        if word == "advice":
            agent = line.blanks.get("agent", "").strip()
            rest = (
                f"{rest} {setting_up.asked_agent(agent, self.course.playing.game) if agent else ''}"
            )
        if word == "again":
            self._failed = ""
        elif not self._eyes[seat].take(word, rest, self._now, self._roles(seat)):
            raise SettingsError("this table does not know this", value=line.text)
        return ""

    def download(self, seat: int, name: str) -> Download:
        """The record of a game that is over; a saved game where nobody else plays."""
        course = self.course
        if not course.begun:
            raise SettingsError("there is no game yet", value=name)
        play = course.playing
        if name == "record.json" and course.over:
            content = json.dumps(play.record().to_json()) + "\n"
        elif name == "saved.json" and (course.over or pages.alone(course, seat)):
            content = written(play, course.seats.agents, course.seconds)
        else:
            raise SettingsError("there is no such file while others play", value=name)
        called = f"{play.game.name}-{course.number + 1}-{name}"
        return Download(called, "application/json", content.encode())

    # -- what goes on by itself

    def due(self) -> Job | None:
        """The work that has to be done before it goes on."""
        state = (len(self.file.steps), self._failed)
        if self._due is None or self._due[0] != state:
            self._due = (state, self.what_is_due())
        return self._due[1]

    def what_is_due(self) -> Job | None:
        """The same, worked out anew."""
        course = self.course
        if course.play is None or self._failed:
            return None
        if not course.begun:
            return Job(jobs.ready, (course.name, course.agents))
        if (at := course.unscored) is not None:
            guess = course.guesses[at]
            play = course.until(guess.at)
            parcel = ViewParcel.of(play.view(guess.role), play.seen_by(guess.role))
            return Job(jobs.scored, (course.name, parcel, guess.about, guess.shares))
        if course.over:
            if not (wanted := course.unjudged):
                return None
            asked = tuple(
                (each.role, each.at, each.about) for each in map(course.guesses.__getitem__, wanted)
            )
            record = json.dumps(course.playing.record().to_json())
            return Job(jobs.truths, (course.name, record, asked))
        if course.mover is not None:
            return None
        play = course.playing
        role = play.player
        parcel = ViewParcel.of(play.view(role), course.briefed(role))
        seed = agent_seed(play.seed, role)
        return Job(jobs.decided, (course.name, course.seats.agents[role], seed, parcel))

    def done(self, job: Job, answer: Any) -> None:
        """Take the answer of what was due."""
        if job.make is jobs.ready:
            rights = dict(zip(job.arguments[1], cast("Sequence[Any]", answer), strict=True))
            every = [rights.get(agent) for agent in self.course.seats.agents]
            self._do({"do": steps.READY, "rights": every})
        elif job.make is jobs.scored:
            at = self.course.unscored
            self._do(
                {
                    "do": steps.SCORE,
                    "guess": at,
                    "bits": answer.bits,
                    "exact": answer.exact,
                    "rows": [list(row) for row in answer.rows],
                    "rest": answer.rest,
                }
            )
        elif job.make is jobs.truths:
            self._do({"do": steps.TRUTHS, "truths": list(answer)})
        else:
            action, seconds = answer
            try:
                self._act(int(action), None if seconds is None else min(seconds, MOST_SECONDS), "")
            except SleuthError as error:
                self._failed = str(error)

    def failed(self, job: Job, error: Exception) -> None:
        """Take it that what was due cannot be done."""
        if job.make is jobs.ready:
            self._do({"do": steps.REFUSED, "why": str(error)})
        elif job.make is jobs.truths:
            self._do({"do": steps.TRUTHS, "truths": [None] * len(self.course.unjudged)})
        else:
            self._failed = str(error)

    def later(self) -> float | None:
        """Nothing goes on by the clock."""
        return None

    def tick(self) -> None:
        """Nothing goes on by the clock."""

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()

    # -- lines

    def _set_up(self, seat: int, word: str, line: Line) -> str:
        if seat or self.course.play is not None:
            raise SettingsError(texts.HOST_SETS_UP)
        if word == "rules":
            settings = setting_up.asked_settings(self.course.name.source, line.blanks)
            self._do({"do": steps.RULES, "settings": settings}, line.touch)
        elif word == "begin":
            seating = setting_up.asked_seating(self.course.name, line.blanks)
            Play.new(self.course.name.game(), seed=seating.seed)
            self._do({"do": steps.BEGIN, "seating": seating.to_json()}, line.touch)
        else:
            raise SettingsError("this table does not know this", value=line.text)
        return ""

    def _move(self, seat: int, rest: str, line: Line) -> None:
        """``move CODE AT``"""
        code, at = _numbers(rest, 2)
        self._mover(seat, at)
        self._act(code, self._took, line.touch)

    def _say(self, seat: int, rest: str, line: Line) -> None:
        """``say AT``, with a move in words."""
        (at,) = _numbers(rest, 1)
        person = self._mover(seat, at)
        sight = self.course.sight(person)
        written = line.blanks.get("move", "").replace(BETWEEN, " ")
        meant = self.course.name.display().understood(written, sight.view)
        if meant.action is None:
            raise SettingsError(meant.problem)
        self._act(meant.action, self._took, line.touch)

    def _act(self, action: int, seconds: float | None, touch: str) -> None:
        """Carry out a move, which is checked first."""
        play = self.course.playing
        tried = play.supposing(play.truth())
        tried.apply(action)
        took = None if seconds is None else round(seconds, 2)
        self._do({"do": steps.MOVE, "action": action, "seconds": took}, touch)
        self._keep_game()

    @property
    def _took(self) -> float | None:
        if self._since is None or self._since[:2] != self._now:
            return None
        return min(time.monotonic() - self._since[2], MOST_SECONDS)

    def _back(self, seat: int, rest: str, line: Line) -> None:
        """``back AT``"""
        (at,) = _numbers(rest, 1)
        person = self._person(seat)
        if at != self.course.at:
            raise SettingsError(MEANWHILE)
        to = self.course.before(person)
        if not self.course.seats.back or to is None:
            raise SettingsError("no move can be taken back here")
        self._do({"do": steps.BACK, "roles": list(person.roles), "to": to}, line.touch)
        self._failed = ""

    def _guess(self, seat: int, rest: str, line: Line) -> None:
        """``guess AT PLACE``, with how likely everything is."""
        at, place = _numbers(rest, 2)
        person = self._person(seat)
        course = self.course
        if not course.seats.guess or course.over:
            raise SettingsError("nothing is guessed now")
        if at != course.at:
            raise SettingsError(MEANWHILE)
        view, seen = course.sight(person).view, course.sight(person).seen
        found = list(subjects(course.name.display(), view).items())
        if place >= len(found):
            raise SettingsError(MEANWHILE)
        about, feature = found[place]
        if course.guessed(person, about):
            raise SettingsError("you have guessed this already")
        display = course.name.display()
        values = dealt_values(display, view, seen, about)
        shares = said_shares(values, line.blanks, display, feature)
        step = {"do": steps.GUESS, "roles": list(person.roles), "role": view.viewer, "at": at}
        self._do({**step, "about": about, "shares": shares}, line.touch)

    def _another(self, seat: int, rest: str, line: Line) -> None:
        self._ended()
        self._do({"do": steps.ANOTHER, "seed": secrets.randbelow(2**63)}, line.touch)

    def _anew(self, seat: int, rest: str, line: Line) -> None:
        self._ended()
        if seat:
            raise SettingsError("only the host sets up a game")
        self._do({"do": steps.ANEW}, line.touch)

    def _replay(self, seat: int, rest: str, line: Line) -> str:
        self._ended()
        if not self.course.replay:
            if self._lobby is None:
                raise SettingsError("there is no other page here")
            record = json.dumps(self.course.playing.record().to_json())
            game = self.course.name.source
            file = f"{self.course.playing.game.name}-{self.course.number + 1}.json"
            made = self._lobby.make("replay", {"game": game, "record": record, "file": file})
            # Without its touch: who says it again is led there again.
            self._do({"do": steps.REPLAY, "token": made.tokens[0]})
        return f"/s/{self.course.replay}"

    def _name(self, seat: int, rest: str, line: Line) -> None:
        person = self._person(seat)
        name = kept_games.named(self.course, person, line.blanks.get("name", ""))
        step = {"do": steps.NAME, "roles": list(person.roles), "name": name}
        self._do(step, line.touch)
        self._keep_game()

    def _keep(self, seat: int, rest: str, line: Line) -> None:
        """``keep yes`` or ``keep no``; the answer is kept with the games, not at this table."""
        person = self._person(seat)
        if self._lobby is None:
            raise SettingsError("no games are kept here")
        kept_games.answered(self.course, person, rest, self._lobby.folder)
        self._keep_game()

    # -- parts

    def _keep_game(self) -> None:
        """Keep a game that is over, with everything else that people played."""
        if self._lobby is not None and self.course.begun:
            kept_games.keep_game(self.course, self._lobby.folder, self.file.tokens[0])

    def _do(self, step: Mapping[str, Any], touch: str = "") -> None:
        """Keep what is done, and then do it."""
        self.file.keep(step, touch)
        self.course.take(step)
        if self.course.begun and self.course.mover is not None:
            self._look()

    def _ended(self) -> None:
        if not self.course.over or self.course.unscored is not None or self.course.unjudged:
            raise SettingsError("the game is not over yet")

    def _person(self, seat: int) -> TablePerson:
        """The person who looks at a device."""
        person = self._page(seat).person
        if person is None:
            raise SettingsError("nobody who plays looks at this device now")
        return person

    def _roles(self, seat: int) -> tuple[int, ...]:
        person = self._page(seat).person
        return () if person is None else person.roles

    def _mover(self, seat: int, at: int) -> TablePerson:
        """The person at a device whose move it is."""
        if at != self.course.at:
            raise SettingsError(MEANWHILE)
        person = self._person(seat)
        if self.course.playing.player not in person.roles:
            raise SettingsError(NOT_YOURS)
        return person


def _numbers(text: str, count: int) -> list[int]:
    """Whole numbers of a line.

    Raises:
        SettingsError: They are none, or others.
    """
    words = text.split()
    if len(words) != count or not all(
        word.isascii() and word.isdigit() and len(word) <= 9 for word in words
    ):
        raise SettingsError("this table does not know this", value=text)
    return [int(word) for word in words]
