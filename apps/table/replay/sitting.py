"""A replay, or a game of agents that is watched, as a sitting."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from ....data.errors import RecordError, SettingsError
from ....models.games import called, entry
from ....models.play import Play
from ....models.records.events import canonical_json
from ....planners.matches.winning import WinningChances
from ...kit.answers.values import Refusal
from ...play.seeds import agent_seed
from ..kept import LastTouches, SittingLog
from ..lobby import Lobby
from ..sitting import Download, Job, Line, Panel
from .panels import ReplayMoment, panels
from .reels import CHANCE, SCENE, TRUTH, PlayReel, Reel, ReelPlace, reel_of
from .sources import MOST_SEEDS, RecordSource, WatchedGame, example
from .texts import REPLAYED, WATCHED
from .working import HeldTrue, Scene, move

#: Moves a second.
SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
USUAL_SPEED: Final = 2
#: Moves that agents are ahead of who watches.
AHEAD: Final = 12
#: Most moments that are drawn in memory, and most for which games are played on.
MOST_SCENES: Final = 400
MOST_CHANCES: Final = 300
#: Steps after which only the last of them are remembered.
MOST_STEPS: Final = 20_000


class ReplayKind:
    """The questions before a replay, and what opens it; see `SittingKind`."""

    def made(self, blanks: Mapping[str, str]) -> tuple[Mapping[str, Any], int]:
        """A replay of a record, or a game of agents.

        Args:
            blanks: ``example`` (its name), or ``record`` (its text, with ``file``, its name, and
                ``number``, which of several games); else ``game`` with ``settings``, ``agents``
                and ``seed``.

        Raises:
            RecordError: It is no record in any form that is analysed.
            SettingsError: There is no such example, game, setting, agent or seed.
        """
        name, text = blanks.get("example", ""), blanks.get("record", "")
        if name or text.strip():
            number = _number(blanks.get("number", ""), 1)
            source = example(name) if name else _source(text, blanks.get("file", ""), number)
            if number > 1:
                source = RecordSource(source.name, source.packed, source.ending, number)
            reel_of(source)
            return {"record": source.to_json()}, 1
        watched = WatchedGame.of(
            blanks.get("game", ""),
            blanks.get("settings", ""),
            blanks.get("agents", ""),
            _number(blanks.get("seed", ""), secrets.randbelow(MOST_SEEDS)),
        )
        return {"watched": watched.to_json()}, 1

    def opened(self, file: SittingLog, lobby: Lobby) -> Replay:
        """The replay of a file, where it stood."""
        return Replay(file, lobby)

    def name(self, made: Mapping[str, Any]) -> str:
        """The record's name, or the game's."""
        if "record" in made:
            return REPLAYED.format(made["record"]["name"].removesuffix(".json"))
        return WATCHED.format(_readable(made["watched"]["game"]))


class Replay:
    """A record, or a game of agents as it goes on, moment by moment; see `Sitting`.

    All of its pages look at the same moment, as a class does at a projector.
    """

    kind: ClassVar[str] = "replay"
    seats: Sequence[str] = ("who watches",)

    def __init__(self, file: SittingLog, lobby: Lobby) -> None:
        self._file, self._lobby = file, lobby
        self._watched: WatchedGame | None = None
        self._source: RecordSource | None = None
        self._play: PlayReel | None = None
        made = file.made
        if "record" in made:
            self._source = RecordSource(**made["record"])
            self._reel: Reel = reel_of(self._source)
        else:
            self._watched = _watched(made["watched"])
            play = Play.new(
                entry(self._watched.game).game(**self._watched.settings), seed=self._watched.seed
            )
            self._reel = self._play = PlayReel(play)
        self.title = self._reel.title
        self._eyes, self._at, self._speed = self._reel.usual, 0, USUAL_SPEED
        self._runs = False
        self._trouble = ""
        self._scenes: OrderedDict[ReelPlace, Scene] = OrderedDict()
        self._told: dict[ReelPlace, Scene] = {}
        self._chances: dict[ReelPlace, WinningChances | None] = {}
        self._truths: dict[ReelPlace, HeldTrue | None] = {}
        self._out: tuple[Job, ReelPlace | None] | None = None
        #: Touches that led to other replays, and those that the file has no room for.
        self._led, self._later_touches = LastTouches(), LastTouches()
        for step in file.steps:
            self._again(step)
        # Whoever comes to watch need not ask for it.
        self._runs = self._watched is not None and not file.steps

    # -- what is shown

    def panels(self, seat: int) -> Sequence[Panel]:
        return panels(self._moment())

    def jobs(self, seat: int) -> Sequence[Job]:
        return ()

    # -- what is said

    def known(self, touch: str) -> bool:
        return self._file.known(touch) or self._later_touches.led(touch) is not None

    def take(self, seat: int, line: Line) -> str:
        if (led := self._led.led(line.touch)) is not None:
            return led
        word, _, rest = line.text.partition(" ")
        if word == "watch" and self._reel.plays_on:
            return self._led.keep(line.touch, self._made({**line.blanks, "game": self._game}))
        if word == "number" and self._source is not None:
            of = {"record": self._source.text, "file": self._source.name}
            made = self._made({**of, "number": line.blanks.get("number", "")})
            return self._led.keep(line.touch, made)
        at, eyes, speed, runs = self._at, self._eyes, self._speed, self._runs
        match word:
            case "first":
                at, runs = 0, False
            case "back":
                at, runs = at - 1, False
            case "next":
                at, runs = at + 1, False
            case "last":
                at, runs = self._reel.length, False
            case "at":
                at, eyes, runs = *self._place(rest.removeprefix("#")), False
            case "go":
                at, runs = _number(line.blanks.get("to", ""), at), False
            case "eyes":
                eyes = _number(rest, eyes)
            case "slower" | "faster":
                speed += 1 if word == "faster" else -1
            case "run":
                runs = not runs
                at = 0 if runs and self._reel.whole and at == self._reel.length else at
            case _:
                raise SettingsError("a replay does not know this", value=line.text)
        step = {
            "at": min(max(at, 0), self._reel.length),
            "eyes": min(max(eyes, 0), len(self._reel.eyes) - 1),
            "speed": min(max(speed, 0), len(SPEEDS) - 1),
        }
        if len(self._file.steps) < MOST_STEPS:
            self._file.keep(step, line.touch)
        else:
            self._later_touches.keep(line.touch)
        self._again(step)
        self._runs = runs
        return ""

    def download(self, seat: int, name: str) -> Download:
        if name != "record":
            raise SettingsError("there is no such file", value=name)
        if self._source is not None:
            ending = self._source.ending or ".json"
            kind = "text/csv" if ending == ".csv" else "application/json"
            return Download(f"record{ending}", kind, self._source.text.encode())
        assert self._play is not None
        text = canonical_json(self._play.play.record().to_json())
        return Download("record.json", "application/json", f"{text}\n".encode())

    # -- what goes on

    def due(self) -> Job | None:
        if self._out is None:
            self._out = self._wanted()
        return None if self._out is None else self._out[0]

    def done(self, job: Job, answer: Any) -> None:
        place = self._let_go()
        if place is None:
            self._moved(int(answer))
        elif place.what == CHANCE:
            self._chances[place] = answer
        elif place.what == TRUTH:
            self._truths[place] = answer
        elif isinstance(answer, Scene):
            self._keep(place, answer)
        else:
            for number, scene in enumerate(answer):
                self._keep(ReelPlace(place.what, place.eyes, place.at + number), scene)
            if not answer:
                self._keep(place, Scene(None, ()))

    def failed(self, job: Job, error: Exception) -> None:
        place = self._let_go()
        if place is None:
            self._trouble = str(error)
        elif place.what == CHANCE:
            self._chances[place] = None
        elif place.what == TRUTH:
            self._truths[place] = None
        else:
            self._keep(place, Scene(None, (Refusal(str(error)),)))

    def later(self) -> float | None:
        return 1.0 / SPEEDS[self._speed] if self._runs else None

    def tick(self) -> None:
        if not self._runs:
            return  # It was stopped while the last second passed.
        if self._at < self._reel.length:
            # A moment that is not known yet is waited for, so that none is passed over.
            if all(place in self._scenes for place in self._places(SCENE, self._at)):
                self._at += 1
        elif self._reel.whole or self._trouble:
            self._runs = False

    def close(self) -> None:
        self._file.close()

    # -- parts

    @property
    def _game(self) -> str:
        if self._watched is not None:
            return self._watched.game
        return self._reel.named.source if isinstance(self._reel, PlayReel) else ""

    def _made(self, blanks: Mapping[str, str]) -> str:
        """Another replay; its address."""
        return f"/s/{self._lobby.make('replay', blanks).tokens[0]}"

    def _place(self, text: str) -> tuple[int, int]:
        """The moment and the eyes that a link leads to."""
        at, _, eyes = text.partition("-")
        return _number(at, self._at), _number(eyes, self._eyes)

    def _again(self, step: Mapping[str, Any]) -> None:
        """Do again what was kept."""
        if "move" in step:
            assert self._play is not None
            self._play.extend(int(step["move"]))
        else:
            self._at = min(int(step["at"]), self._reel.length)
            self._eyes, self._speed = int(step["eyes"]), int(step["speed"])

    def _moved(self, action: int) -> None:
        assert self._play is not None
        tried = self._play.play.supposing(self._play.play.truth())
        tried.apply(action)
        # First on the disk: a file that lacks a move could not be read again.
        self._file.keep({"move": action})
        self._play.extend(action)
        if self._play.whole:
            # Until now nobody might know the truth.
            for place in [each for each in self._chances if not each.eyes]:
                del self._chances[place]

    def _let_go(self) -> ReelPlace | None:
        assert self._out is not None
        (_, place), self._out = self._out, None
        return place

    def _keep(self, place: ReelPlace, scene: Scene) -> None:
        self._scenes[place] = scene
        self._scenes.move_to_end(place)
        # Pictures are large; what curves and lists need of them is not.
        self._told[place] = Scene(scene.bits, (), scene.text, scene.own)
        if not self._reel.plays_on:
            self._chances[ReelPlace(CHANCE, place.eyes, place.at)] = scene.chances
        while len(self._scenes) > MOST_SCENES:
            self._scenes.popitem(last=False)

    def _places(self, what: str, at: int) -> Sequence[ReelPlace]:
        return self._reel.places(what, self._eyes, at)

    def _wanted(self) -> tuple[Job, ReelPlace | None] | None:
        """The next work: what is looked at, then what is to come, then all else."""
        reel, at = self._reel, self._at
        place = next((each for each in self._places(SCENE, at) if each not in self._scenes), None)
        if place is not None:
            return self._from(place)
        if (job := self._move()) is not None:
            return job, None
        place = self._missing_chance([at])
        if place is None and not (self._runs and self._speed > USUAL_SPEED):
            # It takes longest, so a replay that runs fast does not wait for it.
            truths = self._places(TRUTH, at)
            place = next((each for each in truths if each not in self._truths), None)
        if place is None and at < reel.length:
            later = self._places(SCENE, at + 1)
            place = next((each for each in later if each not in self._scenes), None)
        if place is None:
            near = sorted(range(reel.length + 1), key=lambda each: abs(each - at))
            step = -(-(reel.length + 1) // MOST_CHANCES)
            place = self._missing_chance([each for each in near if each % step == 0])
        if place is None:
            every = (each for m in range(reel.length + 1) for each in self._places(SCENE, m))
            place = next((each for each in every if each not in self._told), None)
        return None if place is None else self._from(place)

    def _from(self, place: ReelPlace) -> tuple[Job, ReelPlace]:
        """The work for a moment; where a worker goes through all in order, from where it is."""
        if self._reel.in_order and place not in self._told:
            first = next(
                at
                for at in range(place.at + 1)
                if ReelPlace(place.what, place.eyes, at) not in self._told
            )
            place = ReelPlace(place.what, place.eyes, first)
        return self._reel.job(place), place

    def _missing_chance(self, moments: Sequence[int]) -> ReelPlace | None:
        if not self._reel.plays_on:
            return None
        every = (each for at in moments for each in self._places(CHANCE, at))
        return next((each for each in every if each not in self._chances), None)

    def _move(self) -> Job | None:
        """The move of an agent, if one is due."""
        reel, watched = self._play, self._watched
        if reel is None or watched is None or reel.whole or self._trouble:
            return None
        if reel.length - self._at >= AHEAD:
            return None
        role = reel.play.player
        seed = agent_seed(reel.play.seed, role)
        return Job(move, (reel.named, watched.agents[role], seed, reel.parcel(role)))

    def _moment(self) -> ReplayMoment:
        return ReplayMoment(
            reel=self._reel,
            at=self._at,
            eyes=self._eyes,
            runs=self._runs,
            speed=SPEEDS[self._speed],
            link=f"/s/{self._file.tokens[0]}",
            watched=self._watched,
            source=self._source,
            trouble=self._trouble,
            scenes=self._scenes,
            told=self._told,
            chances=self._chances,
            truths=self._truths,
        )


def _source(text: str, name: str, number: int) -> RecordSource:
    return RecordSource.of(text, name.strip() or "a record", number)


def _number(text: str, usual: int) -> int:
    """A whole number that somebody wrote; the usual one where they wrote none.

    Raises:
        SettingsError: It is no number.
    """
    word = text.strip()
    if not word:
        return usual
    if not (word.isascii() and word.isdigit() and len(word) < 12):
        raise SettingsError("a whole number is needed", value=text)
    return int(word)


def _watched(made: Mapping[str, Any]) -> WatchedGame:
    try:
        return WatchedGame(made["game"], made["settings"], tuple(made["agents"]), made["seed"])
    except (KeyError, TypeError):
        raise RecordError("this does not say what is watched", value=dict(made)) from None


def _readable(source: str) -> str:
    return called(source.rpartition(":")[2] if ".py:" in source else source)
