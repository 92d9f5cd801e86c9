"""A recorded game of Scotland Yard as one viewer saw it: what the analysis is computed from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, cast

from ...beliefs.games.scotland_yard.hiding import PublicEvent
from ...beliefs.games.scotland_yard.play import ScotlandYardBelief
from ...beliefs.posterior import Posterior
from ...data.errors import RecordError, nearest
from ...models.game import Game, States
from ...models.play import PlayRecord
from ...models.records.reading import parse_json, read_bytes
from ...models.scotland_yard.events import HIDER_NAME as HIDER_ROLE
from ...models.scotland_yard.events import HiderMove, seeker_name
from ...models.scotland_yard.record.record import Record
from ...models.scotland_yard.record.replay import game_of, start_states
from ...models.scotland_yard.record.seen import SPECTATOR, SeenGame
from ..kit.records.opening import named

#: All detectives: they see the same.
SEEKERS: Final = "seekers"
#: What says how likely each possible station is, if nothing else is asked for: the belief's usual.
LIKELIHOOD: Final = ScotlandYardBelief().likelihood


@dataclass(frozen=True, eq=False, kw_only=True)
class Hunted:
    """A game as a viewer saw it. Mr. X knows where they are; all others see the same.

    Attributes:
        viewer: ``"hider"``, ``"seekers"``, one of the detectives, or ``"spectator"``.
        seen: What everybody saw.
        truth: Where Mr. X was before the first move and after every one, if that is the viewer;
            else empty.
        digest: SHA-256 of what the viewer saw, as 64 hexadecimal digits.
        name, source: Free text of the record, if it has any.
        likelihood: How likely the moves of Mr. X are taken to be: a name that the belief knows.
    """

    viewer: str
    seen: SeenGame
    truth: tuple[int, ...]
    digest: str
    name: str | None = None
    source: str | None = None
    likelihood: str = LIKELIHOOD

    @cached_property
    def game(self) -> Game:
        """The game with its settings."""
        return game_of(self.seen.settings)

    @property
    def events(self) -> tuple[PublicEvent, ...]:
        """Who made each move, and what everybody saw of it."""
        return self.seen.observations

    @cached_property
    def belief(self) -> ScotlandYardBelief:
        """What says where Mr. X is."""
        return ScotlandYardBelief(self.likelihood)

    def moments(self) -> Iterator[tuple[States, Posterior]]:
        """What everybody knew before the first move and after every one: state and posterior.

        Raises:
            SettingsError: There is no such likelihood.
        """
        hunt = self.belief.hunt(self.game.tables)
        start = start_states(self.game, self.seen.seekers, None)
        for count in range(len(self.events) + 1):
            yield (
                hunt.states(start, self.events[:count]),
                self.belief.posterior(self.seen.until(count)),
            )


def load(path: str | Path, observer: str | None, likelihood: str = LIKELIHOOD) -> Hunted:
    """The game in a file, as an observer saw it.

    Args:
        path: A record of Scotland Yard, or a play record of it such as `sleuth play` keeps.
        observer: A viewer; None for Mr. X where their stations are known, else the spectator.
        likelihood: How likely the moves of Mr. X are taken to be.

    Raises:
        RecordError: It is no such record, or the observer is nobody of it; with the place.
    """
    with named(Path(path)):
        return seen_by(read(parse_json(read_bytes(path))), observer, likelihood)


def read(value: object) -> Record:
    """The record of a game, in either of the two forms, that was read from JSON."""
    if isinstance(value, dict) and "actions" in cast("dict[object, object]", value):
        return Record.from_play(PlayRecord.from_json(cast(object, value)))
    return Record.from_json(cast(object, value))


def seen_by(record: Record, observer: str | None, likelihood: str = LIKELIHOOD) -> Hunted:
    """A recorded game as an observer saw it; see `load`."""
    viewer = _viewer(observer, record)
    own = record.seen_by(seeker_name(1) if viewer == SEEKERS else viewer)
    truth: list[int] = []
    if own.is_hider:
        assert own.hider is not None, "Mr. X knows the start"
        truth.append(own.hider)
        for each in own.events:
            moved = isinstance(each.event, HiderMove) and each.event.to is not None
            truth.append(cast(int, each.event.to) if moved else truth[-1])
    return Hunted(
        viewer=viewer,
        seen=record.seen_by(SPECTATOR),
        truth=tuple(truth),
        digest=own.digest,
        name=record.name,
        source=record.source,
        likelihood=likelihood,
    )


def _viewer(observer: str | None, record: Record) -> str:
    if observer is None:
        return HIDER_ROLE if record.kind == "full" else SPECTATOR
    known = (*record.viewers(), SEEKERS)
    plain = observer.strip().lower().replace("_", " ").replace("-", " ")
    if plain in known:
        return plain
    if plain == HIDER_ROLE:
        return record.seen_by(plain).viewer  # which says why it cannot be
    raise RecordError(
        "no viewer has this name",
        where="--observer",
        value=observer,
        hint=nearest(observer, known),
    )
