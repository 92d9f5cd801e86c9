"""The moments of a record: as far as they are there, and what a worker has to add to each.

A `Reel` is asked for a moment with somebody's eyes. Moments are counted from 0, before the first
event; of the record of a play each move is one, also where nobody else notices it.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from ....data.errors import RecordError
from ....models.game import OVER, SPECTATOR
from ....models.games import entry_of
from ....models.parcel import ViewParcel
from ....models.play import Play, SeenPlay, View, viewer_name
from ....models.recorded import played_again
from ....models.records.events import canonical_json
from ....models.records.play_start import state_from_json
from ...kit.answers.values import Statements
from ...kit.display import Display, Sight, display
from ...kit.records.recorded_game import RecordedGame
from ..parcels import SightParcel
from ..sitting import Job
from .sources import RecordSource, many
from .texts import EVERYBODY, SEES_NOTHING
from .working import NamedGame, chances, held_true, knowledge, scenes, true_chances

#: Most moments of a record that is replayed.
MOST_MOMENTS: Final = 5_000
SCENE: Final = "scene"
CHANCE: Final = "chance"
TRUTH: Final = "truth"


@dataclass(frozen=True)
class ReelPlace:
    """The place of what a worker adds to a moment.

    Attributes:
        what: What they can know, how likely each side is to win, or how likely they hold the truth.
        eyes: The place of the eyes.
        at: The moment.
    """

    what: str
    eyes: int
    at: int


class Reel(ABC):
    """A record, moment by moment.

    Attributes:
        title: What is replayed.
        eyes: Whose eyes it can be seen with.
        usual: The place of those that it is seen with first.
        lines: More that is said of it.
        games: How many games there are where it comes from.
        plays_on: Whether games can be played on from its moments.
        in_order: Whether a worker says of all moments in their order.
    """

    title: str
    eyes: tuple[str, ...]
    usual: int = 0
    lines: tuple[str, ...] = ()
    games: int = 1
    plays_on: bool = False
    in_order: bool = False

    @property
    @abstractmethod
    def length(self) -> int:
        """The number of the last moment."""

    @property
    def whole(self) -> bool:
        """True if nothing comes after the last moment."""
        return True

    def sides(self, sides: Sequence[str]) -> tuple[str, ...]:
        """The names of the game's sides."""
        return tuple(sides)

    @abstractmethod
    def table(self, eyes: int, at: int) -> Statements:
        """The game as it stands; empty where a worker says all."""

    @abstractmethod
    def event(self, eyes: int, at: int) -> str:
        """The last event, in words; empty where that is not known yet."""

    @abstractmethod
    def places(self, what: str, eyes: int, at: int) -> Sequence[ReelPlace]:
        """The places of what is wanted for a moment; of several eyes where all see together."""

    @abstractmethod
    def job(self, place: ReelPlace) -> Job:
        """The work for it: the answer is a `Scene` or several from there on, or chances."""


class PlayReel(Reel):
    """The record of a play of any game, which may go on.

    Args:
        play: The play, at its last move.
        title: What it is called; empty for the game's name.

    Raises:
        RecordError: It is too long.
    """

    plays_on = True

    def __init__(self, play: Play, title: str = "") -> None:
        if len(play.actions) > MOST_MOMENTS:
            raise RecordError(
                f"at most {MOST_MOMENTS:,} moves are replayed", value=len(play.actions)
            )
        self.play = Play(play.game, play.seed, state_from_json(play.record().start, play.game))
        game = play.game
        found = entry_of(game)
        source = game.name if found is None else found.source or found.name
        settings = json.dumps(dict(game.settings), sort_keys=True)
        self.named = NamedGame(source, settings, game.version)
        self._display: Display = display(game)
        self.title = title or self._display.title
        self.eyes = (EVERYBODY, *game.roles, viewer_name(game.roles, SPECTATOR))
        self._viewers = (*range(game.players), SPECTATOR)
        self._states = [self.play.truth()]
        self._seen: dict[int, list[int]] = {viewer: [0] for viewer in self._viewers}
        for action in play.actions:
            self.extend(action)

    def extend(self, action: int) -> None:
        """Go on by an action.

        Raises:
            SettingsError: It is not legal.
        """
        self.play.apply(action)
        self._states.append(self.play.truth())
        for viewer, counts in self._seen.items():
            counts.append(len(self.play.seen_by(viewer).events))

    @property
    def length(self) -> int:
        return len(self.play.actions)

    @property
    def whole(self) -> bool:
        return self.play.over

    def sides(self, sides: Sequence[str]) -> tuple[str, ...]:
        game = self.play.game
        found: list[str] = []
        for place in range(len(sides)):
            roles = tuple(role for role, side in enumerate(game.side_of) if side == place)
            found.append(self._display.names(roles))
        return tuple(found)

    def table(self, eyes: int, at: int) -> Statements:
        if eyes:
            return self._display.standing(self._sight(self._viewers[eyes - 1], at))
        return self._display.laid_open(self._open(at))

    def event(self, eyes: int, at: int) -> str:
        if not at:
            return ""
        viewer = self._viewers[eyes - 1] if eyes else int(self._states[at - 1][0].player)
        counts = self._seen[viewer]
        if counts[at] == counts[at - 1]:
            return SEES_NOTHING
        return self._display.sentence(self._sight(viewer, at), counts[at] - 1)

    def places(self, what: str, eyes: int, at: int) -> Sequence[ReelPlace]:
        if what == TRUTH and eyes:
            return []
        if what in (SCENE, TRUTH) and not eyes:
            return [ReelPlace(what, place, at) for place in range(1, len(self._viewers))]
        return [ReelPlace(what, eyes, at)]

    def job(self, place: ReelPlace) -> Job:
        viewer = self._viewers[place.eyes - 1] if place.eyes else SPECTATOR
        if place.what == TRUTH:
            record = canonical_json(self.play.record().to_json())
            return Job(held_true, (self.named, record, place.at, viewer))
        if place.what == SCENE:
            return Job(knowledge, (self.named, self._parcel(viewer, place.at)))
        if place.eyes or not self.whole:
            return Job(chances, (self.named, self._parcel(viewer, place.at)))
        public = ViewParcel.of(*self._known(SPECTATOR, place.at))
        return Job(true_chances, (self.named, public, self._states[place.at].tobytes()))

    def parcel(self, role: int) -> ViewParcel:
        """A player's knowledge at the last move."""
        return ViewParcel.of(self.play.view(role), self.play.seen_by(role))

    # -- parts

    def _known(self, viewer: int, at: int) -> tuple[View, SeenPlay]:
        """A viewer's knowledge at a moment, made of what they know and when they saw it."""
        game, seen = self.play.game, self.play.seen_by(viewer)
        masked = game.masked(self._states[at], viewer)
        view = ViewParcel(viewer, masked.tobytes(), (), ()).view(game)
        return view, replace(seen, events=seen.events[: self._seen[viewer][at]])

    def _parcel(self, viewer: int, at: int) -> SightParcel:
        return SightParcel.of(self._sight(viewer, at))

    def _sight(self, viewer: int, at: int) -> Sight:
        return Sight(*self._known(viewer, at), *self._known(SPECTATOR, at), ())

    def _open(self, at: int) -> Sight:
        """The whole state, with the eyes of who is to move."""
        states = self._states[at]
        mover = int(states[0].player)
        viewer = 0 if mover == OVER else mover
        sight = self._sight(viewer, at)
        packed = ViewParcel(viewer, states.tobytes(), (), ())
        return Sight(
            packed.view(self.play.game), sight.seen, sight.public_view, sight.public_seen, ()
        )


class WrittenReel(Reel):
    """A record in a notation of its game's own, which may say only what some have seen.

    Args:
        source: The record.
        value: What stands there.

    Raises:
        RecordError: It breaks the rules of its game, or is too long.
        SettingsError: It has no such game.
    """

    in_order = True

    def __init__(self, source: RecordSource, value: object) -> None:
        self._source = source
        analysis = cast("RecordedGame[Any, Any]", source.analysis(value))
        transcript = analysis.transcript(value, source.asked())
        self.eyes = tuple(dict.fromkeys(analysis.eyes(value, source.asked())))
        self.title, self._length = transcript.title, transcript.events
        self.lines, self.games = tuple(transcript.heading), many(value)
        self.usual = self.eyes.index(transcript.viewer) if transcript.viewer in self.eyes else 0
        if self._length > MOST_MOMENTS:
            raise RecordError(f"at most {MOST_MOMENTS:,} events are replayed", value=self._length)

    @property
    def length(self) -> int:
        return self._length

    def table(self, eyes: int, at: int) -> Statements:
        return ()

    def event(self, eyes: int, at: int) -> str:
        return ""

    def places(self, what: str, eyes: int, at: int) -> Sequence[ReelPlace]:
        return [ReelPlace(SCENE, eyes, at)] if what != TRUTH else []

    def job(self, place: ReelPlace) -> Job:
        return Job(scenes, (self._source, self.eyes[place.eyes], place.at))


def reel_of(source: RecordSource) -> Reel:
    """The reel of a record.

    Raises:
        RecordError: It is no record, or breaks the rules of its game.
        SettingsError: There is no such game, or no game of this number.
    """
    value = source.value()
    record = source.play(value)
    if record is None:
        return WrittenReel(source, value)
    return PlayReel(played_again(record))
