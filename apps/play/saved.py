"""Games that a person plays, kept in files from which they go on.

A file is a play record (`PlayRecord` of `models/play.py`) and two fields more. ``played_by`` is for
every role the agent's text, or ``"you"``. ``seconds`` is how long each action took, null where
nobody knows, and is left out where nobody knows any. It holds the hidden truth, as every record
does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, cast

from ...data.disk.writing import write_new, write_whole
from ...data.errors import RecordError
from ...models.game import Game
from ...models.play import FIELDS, PERSON, PLAYED_BY, SECONDS, Play, PlayRecord, person_of
from ...models.recorded import played_again
from ...models.records.reading import parse_json, read_bytes, refuse_slips, refused

YOU: Final = PERSON
#: Longest time of an action, as in records of Cheat.
MOST_SECONDS: Final = 1e6


@dataclass(frozen=True, eq=False)
class Saved:
    """A game read from a file.

    Attributes:
        game: The game.
        play: The game so far.
        seats: For every role the agent's text, or ``YOU``; None if the file does not say.
        seconds: How long each action took, None where nobody knows; nothing if the file says none.
    """

    game: Game
    play: Play
    seats: tuple[str, ...] | None
    seconds: tuple[float | None, ...] = ()


def save(
    path: Path, play: Play, seats: tuple[str, ...], seconds: tuple[float | None, ...] = ()
) -> None:
    """Writes a game whole or not at all.

    Args:
        path: The file.
        play: The game so far.
        seats: For every role the agent's text, or ``YOU``.
        seconds: How long each action took, None where nobody knows; nothing if nobody knows any.

    Raises:
        SettingsError: The file cannot be written.
    """
    write_whole(path, written(play, seats, seconds), where="--save")


def save_new(play: Play, seats: tuple[str, ...], seconds: tuple[float | None, ...] = ()) -> Path:
    """Writes a game to a file of the current folder that was not there; the same as `save`.

    Returns:
        The file.

    Raises:
        SettingsError: The file cannot be written.
    """
    names = (Path(f"{play.game.name}-{number}.json") for number in count(1))
    return write_new(names, written(play, seats, seconds), where="save", alone=True)


def written(play: Play, seats: Sequence[str], seconds: Sequence[float | None]) -> str:
    """The text of a file; see `save`."""
    content = play.record().to_json() | {PLAYED_BY: dict(zip(play.game.roles, seats, strict=True))}
    if any(took is not None for took in seconds):
        content[SECONDS] = list(seconds)
    return json.dumps(content) + "\n"


def load(path: Path) -> Saved:
    """The game in a file, played again to its last action.

    Raises:
        RecordError: It is no such file, was damaged, or is of another version; with its place.
    """
    try:
        return _load(path)
    except RecordError as error:
        if str(path) in str(error):
            raise
        raise RecordError(str(error), where=str(path)) from None


def _load(path: Path) -> Saved:
    value = parse_json(read_bytes(path))
    record = PlayRecord.from_json(value)
    fields = cast("Mapping[str, object]", value)
    refuse_slips(fields, known=(*FIELDS, PLAYED_BY, SECONDS), where="record")
    play = played_again(record)
    seats = _seats(fields.get(PLAYED_BY), play.game)
    seconds = _seconds(fields.get(SECONDS), len(record.actions))
    return Saved(play.game, play, seats, seconds)


def _seconds(value: object, actions: int) -> tuple[float | None, ...]:
    if value is None:
        return ()
    listed = cast("list[object]", value) if isinstance(value, list) else []
    if len(listed) != actions or any(took is not None and not _is_time(took) for took in listed):
        raise refused(
            "for each action its seconds are needed, or null",
            where=f"field {SECONDS!r}",
            value=cast(object, value),
            hint="leave the field out, and nobody knows them",
        )
    return tuple(cast("list[float | None]", listed))


def _is_time(value: object) -> bool:
    return type(value) in (int, float) and 0.0 <= cast("float", value) <= MOST_SECONDS


def _seats(value: object, game: Game) -> tuple[str, ...] | None:
    if value is None:
        return None
    where = f"field {PLAYED_BY!r}"
    named: Mapping[str, object] = {}
    if isinstance(value, dict):
        named = cast("Mapping[str, object]", value)
    if set(named) != set(game.roles):
        raise refused(
            "who plays each role is needed",
            where=where,
            value=cast(object, value),
            hint=f"the roles are {', '.join(game.roles)}",
        )
    texts: list[str] = []
    for role in game.roles:
        text = named[role]
        if not isinstance(text, str) or not text:
            raise refused("an agent, or 'you', is needed", where=f"{where}, {role!r}", value=text)
        texts.append(text if person_of(text) is None else YOU)
    if YOU not in texts:
        raise RecordError("no role of this game is played by a person", where=where)
    return tuple(texts)
