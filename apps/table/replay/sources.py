"""The records that are replayed, in whatever form they come, and games that agents are to play."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any, Final, cast

from ....data.disk.writing import scratch
from ....data.errors import RecordError, SettingsError, nearest
from ....data.files import examples
from ....models.games import GameEntry, entries, names
from ....models.play import PlayRecord, kept_record
from ....models.records.reading import parse_json
from ....planners.agents import without_programs
from ...kit.matches.asked import asked_agents, asked_game
from ...kit.records.contract import AnalysisRequest, GameAnalysis, ManyGames
from ...kit.records.opening import analysis_of, read_value
from ..known import known_entry

#: Most bytes of a record.
MOST_BYTES: Final = 2**20
#: Endings of files that say of themselves what stands there.
ENDINGS: Final = (".jsonl", ".csv")
#: The field that only the record of a play has.
ACTIONS: Final = "actions"
#: Who plays where nobody is named.
AGENT: Final = "mcts"
MOST_SEEDS: Final = 2**32


@dataclass(frozen=True)
class RecordSource:
    """A record as it was handed in.

    Attributes:
        name: What it is called.
        packed: Its text, compressed.
        ending: The ending of its file's name; empty where it was pasted.
        number: Which of several games, from 1.
    """

    name: str
    packed: str
    ending: str = ""
    number: int = 1

    @staticmethod
    def of(text: str, name: str, number: int = 1) -> RecordSource:
        """The source of a text.

        Raises:
            RecordError: It is too long.
        """
        content = text.encode("utf-8", "replace")
        if len(content) > MOST_BYTES:
            raise RecordError(f"a record has at most {MOST_BYTES:,} bytes", value=len(content))
        ending = next((each for each in ENDINGS if name.lower().endswith(each)), "")
        packed = base64.b64encode(zlib.compress(content, 9)).decode("ascii")
        return RecordSource(name, packed, ending, number)

    def to_json(self) -> dict[str, Any]:
        """The source as plain values."""
        return {
            "name": self.name,
            "packed": self.packed,
            "ending": self.ending,
            "number": self.number,
        }

    @property
    def text(self) -> str:
        """The text.

        Raises:
            RecordError: It was damaged.
        """
        try:
            unpacking = zlib.decompressobj()
            content = unpacking.decompress(base64.b64decode(self.packed), MOST_BYTES)
        except (binascii.Error, zlib.error):
            raise RecordError("this record was damaged", where=self.name) from None
        return content.decode("utf-8", "replace")

    def value(self) -> object:
        """The content, as JSON or `ManyGames`.

        Raises:
            RecordError: It is no record in any form.
            SettingsError: It names a file of a game, which was not named to the server.
        """
        if not self.ending:
            try:
                return _of_known_game(parse_json(self.text.encode()))
            except RecordError as error:
                if "\n" not in self.text.strip():
                    raise RecordError(str(error), where=self.name) from None
        with scratch() as folder:
            path = folder / f"record{self.ending or '.json'}"
            path.write_text(self.text, "utf-8")
            try:
                return _of_known_game(read_value(path))
            except RecordError as error:
                # Where it was written meanwhile is nobody's concern.
                said = str(error).replace(str(path), self.name).replace(path.name, self.name)
                raise RecordError(said) from None

    def asked(self, observer: str | None = None) -> AnalysisRequest:
        """The options with which it is analysed."""
        own = {"game": str(self.number)} if self.number > 1 else {}
        return AnalysisRequest(
            observer=observer, agent=None, rules=self._rules(), brief=True, own=own
        )

    def analysis(self, value: object) -> GameAnalysis:
        """The analyser of it.

        Raises:
            RecordError: It is of a game that there is not.
        """
        return analysis_of(value, self._rules())

    def play(self, value: object) -> PlayRecord | None:
        """The record of a play; None for one in a notation of its game's own."""
        if isinstance(value, dict) and ACTIONS in cast("dict[str, object]", value):
            return kept_record(cast("object", value))
        return None

    def _rules(self) -> str | None:
        """The place of the rules of a game that was opened from a file."""
        if self.ending:
            return None
        try:
            value: object = json.loads(self.text)
        except ValueError:
            return None
        name = cast("dict[str, object]", value).get("game") if isinstance(value, dict) else None
        if name in names():
            return None
        return next((each.source for each in entries() if each.name == name and each.source), None)


def _of_known_game(value: object) -> object:
    """A record as it was read; it must not make the server run a file."""
    if isinstance(value, dict):
        name = cast("dict[str, object]", value).get("game")
        if isinstance(name, str) and ":" in name:
            known_entry(name)
    return cast("object", value)


def example(name: str) -> RecordSource:
    """A record that comes with sleuth.

    Raises:
        SettingsError: None has this name.
    """
    known: Mapping[str, Traversable] = examples()
    if name not in known:
        raise SettingsError("no such example", value=name, hint=nearest(name, known))
    file = known[name]
    return RecordSource.of(file.read_text("utf-8"), file.name)


def example_names() -> tuple[str, ...]:
    """The names of the records that come with sleuth."""
    return tuple(examples())


def many(value: object) -> int:
    """The number of games in what was read."""
    return len(value.games) if isinstance(value, ManyGames) else 1


@dataclass(frozen=True)
class WatchedGame:
    """A game that agents are to play.

    Attributes:
        game: Its name, or where it is.
        settings: Its settings.
        agents: Who plays each role.
        seed: Where all chance comes from.
    """

    game: str
    settings: Mapping[str, Any]
    agents: tuple[str, ...]
    seed: int

    @staticmethod
    def of(game: str, settings: str, agents: str, seed: int) -> WatchedGame:
        """A game as somebody asked for it.

        Args:
            game: Its name.
            settings: Such as ``players=4``; empty for the usual ones.
            agents: As ``sleuth match`` takes them; empty for the usual one in every role.
            seed: Where all chance comes from.

        Raises:
            SettingsError: There is no such game, setting, role or agent.
        """
        found = known_entry(game)
        written = ",".join(settings.split())
        made = asked_game(f"{found.source or found.name}:{written}" if written else _word(found))
        seated = asked_agents(agents.split() or [AGENT] * made.players, made)
        texts = tuple(without_programs(each).text for each in seated)
        return WatchedGame(_word(found), dict(made.settings), texts, seed % MOST_SEEDS)

    def to_json(self) -> dict[str, Any]:
        """The game as plain values."""
        return {
            "game": self.game,
            "settings": dict(self.settings),
            "agents": list(self.agents),
            "seed": self.seed,
        }


def _word(found: GameEntry) -> str:
    return found.source or found.name
