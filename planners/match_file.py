"""The file of a match: finished games, a line each, so that an interrupted match goes on.

JSON Lines. The first line says what the games depend on; every other one is a game. The number of
games is not in it: a match can be made longer. A last line that was cut off is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, cast

from ..data.errors import RecordError, SettingsError
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


class MatchFile:
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
        self.path = path
        self.games: dict[int, PlayedGame] = {}
        self._head = (json.dumps(header, sort_keys=True) + "\n").encode()
        self._whole = 0
        if path.exists():
            self._read(json.loads(self._head))
        self._stream: Any = None

    def add(self, game: PlayedGame) -> None:
        """Writes a game that has just ended."""
        if self._stream is None:
            self._stream = self.path.open("r+b" if self.path.exists() else "w+b")
            self._stream.truncate(self._whole)
            self._stream.seek(self._whole)
            if self._whole == 0:
                self._stream.write(self._head)
        self._stream.write((json.dumps(asdict(game)) + "\n").encode())
        # What is in the system's hands outlives this process.
        self._stream.flush()

    def close(self) -> None:
        """Ends the writing."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _read(self, header: dict[str, Any]) -> None:
        content = self.path.read_bytes()
        if self._head.startswith(content):
            return  # nothing, or a first line that was cut off
        lines = content.split(b"\n")
        self._check_header(lines[0], header)
        self._whole = len(lines[0]) + 1
        # What follows the last line's end was cut off while it was written.
        for place, line in enumerate(lines[1:-1], start=2):
            try:
                game = _game(json.loads(line))
            except (ValueError, TypeError, KeyError):
                if place == len(lines) - 1:
                    return
                raise RecordError(
                    "this is no game of a match",
                    where=f"{self.path}, line {place}",
                    hint="delete the line, and its game is played again",
                ) from None
            self.games.setdefault(game.number, game)
            self._whole += len(line) + 1

    def _check_header(self, line: bytes, header: dict[str, Any]) -> None:
        try:
            found: Any = json.loads(line)
        except ValueError:
            found = None
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
                raise SettingsError(
                    f"this file is of another match: the {word} differs",
                    where="--out",
                    value=str(self.path),
                    hint=f"it has {there.get(name)!r}, not {header.get(name)!r}; name another file",
                )


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
