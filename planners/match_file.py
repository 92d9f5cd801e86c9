"""The file of a match: finished games, a line each, so that an interrupted match goes on.

The number of games is not in its first line: a match can be made longer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, cast

from ..data.errors import SettingsError
from .growing_file import GrowingFile
from .match_games import PlayedGame

_WORDS: Final = {
    "game": "game",
    "game_version": "version of the game",
    "settings": "settings of the game",
    "agents": "agents",
    "swap": "swapping of seats",
    "series": "games of a series",
    "seed": "seed",
    "version": "version of sleuth",
    "match": "form of the file",
}
_PLURAL: Final = ("agents", "games of a series", "settings of the game")


class MatchFile(GrowingFile):
    """The finished games of one match.

    Args:
        path: The file; made with the first game, if it is not there.
        header: What the games depend on, as plain values.

    Attributes:
        games: Those that were in the file, by number.

    Raises:
        SettingsError: The file is of another match, or of something else.
        RecordError: A line in the middle cannot be read.
    """

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.games: dict[int, PlayedGame] = {}
        super().__init__(path, header)

    def add(self, game: PlayedGame) -> None:
        """Writes a game that has just ended."""
        self.write(asdict(game))

    def check(self, found: object, header: Mapping[str, Any]) -> None:
        """Refuses the file of another match."""
        if not isinstance(found, dict) or "match" not in found:
            raise SettingsError(
                "this file is there already, and is not of a match",
                where="--out",
                value=str(self.path),
                hint="name another",
            )
        there = cast(dict[str, Any], found)
        for name, word in _WORDS.items():
            if there.get(name) != header.get(name):
                differ = "differ" if word in _PLURAL else "differs"
                raise SettingsError(
                    f"this file is of another match: the {word} {differ}",
                    where="--out",
                    value=str(self.path),
                    hint=f"it has {there.get(name)!r}, not {header.get(name)!r}; name another file",
                )

    def take(self, value: Any) -> None:
        """Keeps a game; the first, where two have its number."""
        game = _game(value)
        self.games.setdefault(game.number, game)

    def refusal(self) -> tuple[str, str]:
        """Of a line that is no game."""
        return "this is no game of a match", "delete the line, and its game is played again"


def _game(value: Any) -> PlayedGame:
    numbers = {name: tuple(map(int, value[name])) for name in ("seats", "actions")}
    game = PlayedGame(
        number=int(value["number"]),
        seed=int(value["seed"]),
        returns=tuple(map(float, value["returns"])),
        seconds=float(value["seconds"]),
        **numbers,
    )
    if game.number < 0 or len(game.returns) != len(set(game.seats)):
        raise ValueError
    return game
