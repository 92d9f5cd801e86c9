"""The page on what people played: how many games, of whom, and what more would bring."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from string import capwords
from typing import Any, ClassVar, Final

from ....data.errors import SettingsError, SleuthError
from ....training.learning_curve import LearningPart, learning_parts
from ...kit.answers.values import (
    Command,
    Paragraph,
    Statement,
    Statements,
    Touch,
    Touches,
    right,
    sheet,
)
from ...kit.number_words import counted
from ..kept import LastTouches, SittingLog
from ..lobby import Lobby
from ..sitting import Download, Job, Line, Panel, Sitting
from . import texts
from .gaining import gain, subject_of, taught, too_few
from .keeping import FOLDER, KeptGame, delete, forget, kept_games, packed, people

#: A game, and the files of its kept games.
_Key = tuple[str, tuple[str, ...]]
#: What lines and files are called that are about everything.
ALL: Final = "all"


class PeopleKind:
    """The page on what people played; a lobby needs one."""

    def made(self, blanks: Mapping[str, str]) -> tuple[Mapping[str, Any], int]:
        """Nothing is asked."""
        return {}, 1

    def opened(self, file: SittingLog, lobby: Lobby) -> PlayedGames:
        """The page."""
        return PlayedGames(file, lobby)

    def name(self, made: Mapping[str, Any]) -> str:
        """Its name."""
        return texts.PLAYED


class PlayedGames(Sitting):
    """Games of people, kept; see `Sitting`."""

    kind: ClassVar[str] = "people"
    title = texts.PLAYED

    def __init__(self, file: SittingLog, lobby: Lobby) -> None:
        self._file, self._folder = file, lobby.folder
        self._touches = LastTouches()
        #: What is to be deleted if that is meant: a line.
        self._asked = ""
        #: Games of which it is worked out what more would bring.
        self._curves: set[str] = set()
        #: Of games and their files the pieces that are there, the answers, and what is worked on.
        self._parts: dict[_Key, dict[LearningPart, tuple[float, ...]]] = {}
        self._gained: dict[_Key, Statements] = {}
        self._out: tuple[_Key, LearningPart | None] | None = None

    @property
    def seats(self) -> Sequence[str]:
        return ("the host",)

    def panels(self, seat: int) -> Sequence[Panel]:
        games = kept_games(self._folder)
        return [
            Panel("games", (*self._by_game(games),), ""),
            Panel("people", (*self._by_person(games),), texts.BY_PERSON),
            Panel("sure", (*self._sure(),), "", "touch"),
            *self._gains(games),
        ]

    def known(self, touch: str) -> bool:
        return self._touches.led(touch) is not None

    def take(self, seat: int, line: Line) -> str:
        word, _, what = line.text.partition(" ")
        match word:
            case "delete" | "forget":
                self._asked = line.text
            case "leave":
                self._asked = ""
            case "sure":
                # What is deleted is what stood there when it was asked.
                if what == self._asked and what:
                    self._delete(*what.partition(" ")[::2])
                self._asked = ""
            case "gain" if what in _by_game(kept_games(self._folder)):
                self._curves.add(what)
            case _:
                raise SettingsError("this page does not know this", value=line.text)
        return self._touches.keep(line.touch)

    def download(self, seat: int, name: str) -> Download:
        whole = kept_games(self._folder)
        known = {"played": whole}
        known |= {f"game-{_word(game)}": kept for game, kept in _by_game(whole).items()}
        known |= {
            f"person-{_word(person)}": kept_games(self._folder, person=person)
            for person in people(self._folder)
        }
        if name not in known:
            raise SettingsError("there is no such file", value=name)
        return Download(f"{name}.zip", "application/zip", packed(known[name]))

    def due(self) -> Job | None:
        """The next piece of what was asked: people who play do not wait for the whole."""
        by_game = _by_game(kept_games(self._folder))
        for game in sorted(self._curves & by_game.keys()):
            key = game, _files(by_game[game])
            if too_few(len(by_game[game])) or key in self._gained:
                continue
            parts = self._parts.setdefault(key, {})
            wanted = next((each for each in learning_parts() if each not in parts), None)
            self._out = key, wanted
            if wanted is None:
                return Job(gain, (*key, tuple(parts.items())))
            return Job(taught, (*key, wanted))
        return None

    def done(self, job: Job, answer: Any) -> None:
        assert self._out is not None
        key, part = self._out
        if part is None:
            self._gained[key] = tuple(answer)
        else:
            self._parts[key][part] = answer

    def failed(self, job: Job, error: Exception) -> None:
        assert self._out is not None
        # What was kept may all be alike, or leave nothing to be predicted.
        self._gained[self._out[0]] = (Paragraph(str(error), "soft"),)

    def close(self) -> None:
        self._file.close()

    # -- parts

    def _address(self, name: str) -> str:
        return f"/s/{self._file.tokens[0]}/get/{name}"

    def _by_game(self, games: Sequence[KeptGame]) -> Iterator[Statement]:
        yield Paragraph(texts.LEAD)
        if not games:
            yield Paragraph(texts.NOTHING, "soft")
            return
        rows = [
            (
                _title(game),
                str(len(kept)),
                str(len({person for each in kept for person in each.people})),
                Touch(
                    texts.SAVE,
                    self._address(f"game-{_word(game)}"),
                    label=texts.SAVE_OF.format(_title(game)),
                ),
                Touch(
                    texts.DELETE,
                    f"delete {game}",
                    "aside",
                    label=texts.DELETE_OF.format(_title(game)),
                ),
            )
            for game, kept in _by_game(games).items()
        ]
        yield sheet(texts.GAME, right(texts.GAMES), right(texts.PEOPLE), "", "", rows=rows)
        yield Touches(
            "",
            (
                Touch(texts.SAVE_ALL, self._address("played")),
                Touch(texts.DELETE_ALL, f"delete {ALL}", "aside"),
            ),
            "row",
        )
        for game in _by_game(games):
            if _learns(game):
                folder = self._folder / FOLDER / game
                yield Command(texts.TRAIN.format(game=game.replace("_", "-"), folder=folder))

    def _by_person(self, games: Sequence[KeptGame]) -> Iterator[Statement]:
        counts = Counter(person for each in games for person in each.people)
        rows = [
            (
                person,
                texts.YES if agrees else texts.NO,
                str(counts[person]),
                Touch(
                    texts.SAVE,
                    self._address(f"person-{_word(person)}"),
                    label=texts.SAVE_OF.format(person),
                ),
                Touch(
                    texts.FORGET, f"forget {person}", "aside", label=texts.FORGET_OF.format(person)
                ),
            )
            for person, agrees in people(self._folder).items()
        ]
        if rows:
            heads = (texts.PERSON, texts.AGREED, right(texts.GAMES), "", "")
            yield sheet(*heads, rows=rows)

    def _sure(self) -> Iterator[Statement]:
        """The question before anything is deleted."""
        if not self._asked:
            return
        word, _, what = self._asked.partition(" ")
        count = counted(len(self._meant(word, what)), "game")
        if word == "forget":
            text = texts.SURE_OF_PERSON.format(what=what, games=count)
        else:
            named = texts.EVERYTHING if what == ALL else _title(what)
            text = texts.SURE.format(what=named, games=count)
        yield Touches(
            "",
            (Touch(text, f"sure {self._asked}", "new"), Touch(texts.LEAVE, "leave", "strong")),
            "list",
        )

    def _meant(self, word: str, what: str) -> list[KeptGame]:
        if word == "forget":
            return kept_games(self._folder, person=what)
        return kept_games(self._folder, game="" if what == ALL else what)

    def _delete(self, word: str, what: str) -> None:
        if word == "forget":
            forget(self._folder, what)
        else:
            delete(self._folder, self._meant(word, what))

    def _gains(self, games: Sequence[KeptGame]) -> Iterator[Panel]:
        """Of each game what more would bring, or why nobody can say."""
        for game, kept in _by_game(games).items():
            key = game, _files(kept)
            said: Statements
            if not _learns(game):
                said = (Paragraph(texts.NO_ROWS, "soft"),)
            elif few := too_few(len(kept)):
                said = (Paragraph(few, "soft"),)
            elif key in self._gained:
                said = self._gained[key]
            elif game in self._curves:
                done, every = len(self._parts.get(key, ())), len(learning_parts())
                said = (Paragraph(texts.WORKED_OUT.format(done, every), "soft"),)
            else:
                said = (Touches("", (Touch(texts.ASK_GAIN, f"gain {game}"),)),)
            title = texts.GAIN.format(_title(game))
            yield Panel(f"gain-{_word(game)}", tuple(said), title, "side")


def _by_game(games: Sequence[KeptGame]) -> dict[str, list[KeptGame]]:
    found: dict[str, list[KeptGame]] = {}
    for each in games:
        found.setdefault(each.game, []).append(each)
    return found


def _files(kept: Sequence[KeptGame]) -> tuple[str, ...]:
    return tuple(str(each.path) for each in kept)


def _learns(game: str) -> bool:
    """True if something can be learned of a game that is still known."""
    try:
        return subject_of(game) is not None
    except SleuthError:
        return False


def _word(name: str) -> str:
    """A name in letters that an address has."""
    plain = name.replace("_", "-")
    if plain.isascii() and plain.replace("-", "").isalnum() and plain == plain.lower():
        return plain
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def _title(game: str) -> str:
    return capwords(game.replace("_", " "))
