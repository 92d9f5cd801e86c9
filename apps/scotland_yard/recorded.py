"""A recorded game of Scotland Yard as one viewer saw it: what the analysis is computed from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from ...beliefs.scotland_yard_play import Hunt, Moment, PublicEvent, public_events
from ...data.errors import ContradictionError, RecordError, nearest
from ...models.events import digest
from ...models.game import SPECTATOR, Game
from ...models.games import game as game_by_name
from ...models.play import Play
from ...models.play_record import PlayRecord, state_from_json
from ...models.reading import parse_json, read_bytes
from ...models.scotland_yard.tables import HIDER

#: Whose views there are. The hider alone knows where he is; all others see the same.
VIEWERS: Final = ("hider", "seekers", "spectator")


@dataclass(frozen=True, eq=False, kw_only=True)
class Hunted:
    """A game as a viewer saw it.

    Attributes:
        game: The game with its settings.
        viewer: One of `VIEWERS`.
        start: The numbers of the state before the first move, as a spectator saw it.
        events: Who moved, and what everybody saw of it.
        truth: Where Mr. X was before the first move and after every one, for himself; else empty.
        name, source: Free text of the record, if it has any.
        likelihood: How likely his moves are taken to be: a name that the belief knows.
    """

    game: Game
    viewer: str
    start: tuple[int, ...]
    events: tuple[PublicEvent, ...]
    truth: tuple[int, ...] = ()
    name: str | None = None
    source: str | None = None
    likelihood: str = "steps"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what the viewer saw, as 64 hexadecimal digits."""
        return digest(
            {
                "game": self.game.name,
                "settings": dict(self.game.settings),
                "viewer": self.viewer,
                "start": self.start,
                "events": self.events,
                "truth": self.truth,
            }
        )

    def moments(self) -> Iterator[Moment]:
        """What everybody knew before the first move and after every one.

        Raises:
            ContradictionError: The record cannot have happened.
        """
        hunt = Hunt(self.game.tables)
        for count in range(len(self.events) + 1):
            try:
                yield hunt.moment(self.start, self.events[:count])
            except ContradictionError as error:
                raise ContradictionError(
                    f"this cannot have happened: after move {count} Mr. X could be nowhere",
                    evidence=error.evidence,
                ) from None


def load(path: Path, observer: str | None) -> Hunted:
    """The game in a file, as an observer saw it.

    Args:
        path: A record of Scotland Yard, or a play record of it.
        observer: One of `VIEWERS`, or a single detective; None for the one who knows most of
            what the record holds.

    Raises:
        RecordError: It is no such record, or the observer is nobody of it; with the place.
    """
    try:
        return read(parse_json(read_bytes(path)), observer)
    except RecordError as error:
        if str(path) in str(error):
            raise
        raise RecordError(str(error), where=str(path)) from None


def read(value: object, observer: str | None) -> Hunted:
    """The game in a record that was read from JSON; see `load`."""
    record = PlayRecord.from_json(value)
    game = game_by_name(record.game, **dict(record.settings))
    return seen_by(record.replay(game), asked_viewer(observer, game))


def asked_viewer(observer: str | None, game: Game) -> str:
    """The viewer that an observer's name means.

    Raises:
        RecordError: Nobody has this name.
    """
    if observer is None:
        return VIEWERS[HIDER]
    plain = observer.strip().lower().replace("_", " ").replace("-", " ")
    if plain in VIEWERS:
        return plain
    if plain in game.roles:
        return "seekers"
    raise RecordError(
        "nobody of this name looks on",
        where="--observer",
        value=observer,
        hint=nearest(observer, VIEWERS),
    )


def seen_by(play: Play, viewer: str) -> Hunted:
    """A game that was played again, as one viewer saw it."""
    seen = play.seen_by(SPECTATOR)
    return Hunted(
        game=play.game,
        viewer=viewer,
        start=seen.start,
        events=public_events(seen),
        truth=tuple(_stations(play)) if viewer == VIEWERS[HIDER] else (),
    )


def _stations(play: Play) -> Iterator[int]:
    """Where the hider was before the first move and after every one."""
    start = state_from_json(play.record().start, play.game)
    again = Play.new(play.game, seed=play.seed, start=start)
    yield int(again.truth()[0].stations[HIDER])
    for action in play.actions:
        again.apply(action)
        yield int(again.truth()[0].stations[HIDER])
