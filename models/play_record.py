"""The record of a play: game, settings, seed, start and actions, as a small JSON file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from ..data.checks import is_number
from ..data.errors import RecordError, SettingsError
from .events import canonical_json, digest
from .game import Game, States
from .reading import parse_json, read_bytes, refuse_slips, refused

if TYPE_CHECKING:
    from .play import Play

FIELDS: Final = ("game", "version", "settings", "seed", "start", "actions")
MOST_SEEDS: Final = 2**64


@dataclass(frozen=True)
class PlayRecord:
    """One game, whole or so far, as it can be played again.

    It holds the hidden truth: hand it to nobody who plays.

    Attributes:
        game: The game's name.
        version: The version of the game's rules it was played by.
        settings: The game's settings.
        seed: Where its chance came from.
        start: The fields of the state before the first move.
        actions: Codes of the actions in order.
    """

    game: str
    version: int
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    seed: int = 0
    start: Mapping[str, Any] = field(default_factory=dict[str, Any])
    actions: tuple[int, ...] = ()

    def replay(self, game: Game) -> Play:
        """The game, played again to its last action.

        Args:
            game: The same game: of this name, version and settings.

        Raises:
            RecordError: It is another game, or the record breaks its rules; with the place.
        """
        from .play import replay

        return replay(self, game)

    def check_game(self, game: Game) -> None:
        """Refuse a game of another name, version or settings.

        Raises:
            RecordError: It is another game.
        """
        for name, mine, other in (
            ("game", self.game, game.name),
            ("version", self.version, game.version),
            ("settings", dict(self.settings), dict(game.settings)),
        ):
            if canonical_json(mine) != canonical_json(other):
                raise RecordError(
                    "the record is of another game",
                    where=f"field {name!r}",
                    value=mine,
                    hint=f"this game has {other!r}",
                )

    @property
    def digest(self) -> str:
        """SHA-256 of the record in canonical JSON, as 64 hexadecimal digits."""
        return digest(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """The record as plain values."""
        return {
            "game": self.game,
            "version": self.version,
            "settings": dict(self.settings),
            "seed": self.seed,
            "start": dict(self.start),
            "actions": list(self.actions),
        }

    @staticmethod
    def from_json(value: object) -> PlayRecord:
        """The record that :meth:`to_json` wrote.

        Raises:
            RecordError: A field is missing, unknown or of another type; with its place.
        """
        if not isinstance(value, dict):
            raise refused("a record is a JSON object", value=value)
        fields = cast(dict[object, object], value)
        refuse_slips(fields, known=FIELDS, where="record")
        for name in FIELDS:
            if name not in fields:
                raise RecordError("a field is missing", where="record", value=name)
        game, settings, start = fields["game"], fields["settings"], fields["start"]
        if not isinstance(game, str) or not game:
            raise refused("the name of a game is needed", where="field 'game'", value=game)
        for name, mapping in (("settings", settings), ("start", start)):
            if not isinstance(mapping, dict):
                raise refused("a JSON object is needed", where=f"field {name!r}", value=mapping)
        listed = fields["actions"]
        if not isinstance(listed, list):
            raise refused(
                "a list of whole numbers is needed", where="field 'actions'", value=listed
            )
        actions = tuple(
            _whole(action, f"field 'actions', item {place}")
            for place, action in enumerate(cast(list[object], listed), start=1)
        )
        seed = _whole(fields["seed"], "field 'seed'")
        if seed >= MOST_SEEDS:
            raise refused("a seed is less than 2**64", where="field 'seed'", value=seed)
        return PlayRecord(
            game=game,
            version=_whole(fields["version"], "field 'version'"),
            settings=cast(dict[str, Any], settings),
            seed=seed,
            start=cast(dict[str, Any], start),
            actions=actions,
        )

    def save(self, path: str | Path) -> None:
        """Write the record as JSON, on one line."""
        Path(path).write_text(json.dumps(self.to_json()) + "\n", encoding="utf-8")

    @staticmethod
    def load(path: str | Path | Traversable) -> PlayRecord:
        """The record in a file.

        Raises:
            RecordError: It cannot be read, is not JSON, or is no record; with the place.
        """
        return PlayRecord.from_json(parse_json(read_bytes(path)))


def state_to_json(states: States) -> dict[str, Any]:
    """The fields of one state as whole numbers and lists of them."""
    return {name: np.asarray(states[name][0]).tolist() for name in states.dtype.names or ()}


def state_from_json(fields: Mapping[str, Any], game: Game) -> States:
    """The state that :func:`state_to_json` wrote.

    Raises:
        RecordError: A field is missing, unknown, of another shape, or no whole number that fits.
    """
    names = game.state.names or ()
    for name in (*fields, *names):
        if name not in names or name not in fields:
            raise RecordError(
                "unknown field" if name not in names else "the field is missing",
                where="start",
                value=name,
                hint=f"a state of {game.name} has {', '.join(names)}",
            )
    states = game.states(1)
    for name in names:
        kind = game.state[name]
        limits = np.iinfo(kind.base)
        _check_numbers(fields[name], kind.shape, limits.min, limits.max, f"start, field {name!r}")
        states[name][0] = fields[name]
    if not 0 <= states[0].player < game.players:
        raise RecordError(
            "a game starts with a player's move",
            where="start, field 'player'",
            value=int(states[0].player),
        )
    return states


def _check_numbers(
    value: object, shape: tuple[int, ...], lowest: int, highest: int, where: str
) -> None:
    given = value
    if shape:
        listed = cast(list[object], value) if isinstance(value, list) else []
        if len(listed) != shape[0]:
            raise RecordError(f"a list of {shape[0]} is needed", where=where, value=given)
        for place, item in enumerate(listed, start=1):
            _check_numbers(item, shape[1:], lowest, highest, f"{where}, item {place}")
    elif type(value) is not int or not lowest <= value <= highest:
        raise RecordError(
            f"a whole number from {lowest} to {highest} is needed", where=where, value=value
        )


def check_seed(seed: int) -> int:
    """The seed of a play, if it can be one.

    Raises:
        SettingsError: It is no whole number from 0 to 2**64 - 1.
    """
    whole = is_number(seed) and math.isfinite(seed) and int(seed) == seed
    if not whole or not 0 <= seed < MOST_SEEDS:
        raise SettingsError(
            "a seed is a whole number from 0 to 2**64 - 1", value=seed, hint="write seed=0"
        )
    return int(seed)


def _whole(value: object, where: str) -> int:
    if type(value) is not int or value < 0:
        raise refused("a whole number, 0 or more, is needed", where=where, value=value)
    return value
