"""A recorded game of Cheat and who looks on: what the analysis is computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...data.errors import RecordError, SettingsError, nearest
from ...models.cheat import Record
from ...models.cheat.people.tallies import Counts, no_counts, tally
from ...models.cheat.record.record import LOOKER_ON
from ...models.cheat.record.schema import RANK_NAMES
from ...models.cheat.record.seen import SeenGame, seen_game
from ...models.game import SPECTATOR, States
from ...models.games import played_again
from ...models.play import Play, PlayRecord, View
from ...models.records.events import digest
from ..kit.records.contract import ManyGames


@dataclass(frozen=True, eq=False, kw_only=True)
class Recorded:
    """A game of a file, and whose views are taken.

    Attributes:
        record: The game.
        place: Its place in the file, from 1.
        games: How many games the file has.
        viewers: Numbers of the players whose views are taken; none for somebody who looks on.
        before: What everybody could count in earlier games of the match; int32[2, COUNTS].
        earlier: Those of them between the same two players, in their order, as far as the record
            says what the viewers saw; they have no earlier games of their own.
    """

    record: Record
    place: int
    games: int
    viewers: tuple[int, ...]
    before: Counts
    earlier: tuple[Recorded, ...] = ()

    @property
    def viewer_names(self) -> tuple[str, ...]:
        """Whose views are taken, by name."""
        return tuple(self.record.players[viewer] for viewer in self.viewers) or (LOOKER_ON,)

    @property
    def dealt(self) -> int:
        """How many cards each player was dealt."""
        return int(self.record.game.settings["hand"])

    @property
    def ranks(self) -> tuple[str, ...]:
        """Names of the ranks of the deck."""
        return RANK_NAMES[: int(self.record.game.settings["ranks"])]

    def name_of(self, player: int) -> str:
        """A player's name; that of a spectator."""
        return LOOKER_ON if player == SPECTATOR else self.record.players[player]

    def judge(self, claimant: int) -> int | None:
        """Who judges the claims of a player: the other one, or else who looks on.

        None where only the claimant's own view was asked for.
        """
        challenger = 1 - claimant
        if challenger in self.viewers:
            return challenger
        return None if self.viewers and self.record.knows(challenger) else SPECTATOR

    def moments(self) -> Iterator[tuple[States, Play]]:
        """The state before the first turn and after each, and a play that goes on from there."""
        for states in self.record.moments():
            yield states, Play(self.record.game, 0, states)

    def seen(self, view: View) -> SeenGame:
        """All that is known in a view, with the seconds that were recorded."""
        return seen_game(view, [turn.seconds for turn in self.record.turns])

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what the viewers saw, as 64 hexadecimal digits."""
        last = len(self.record.turns)
        seen = [asdict(self.record.seen_by(name, last)) for name in self.viewer_names]
        told: dict[str, object] = {
            "players": self.record.players,
            "before": self.before.tolist(),
            "seen": seen,
        }
        if self.earlier:
            told["earlier"] = [each.digest for each in self.earlier]
        return digest(told)


def records_of(value: object) -> tuple[Record, ...]:
    """The games of what was read: of a file of many, of one record, or of a play that was kept.

    Raises:
        RecordError: It is no record of Cheat; with the place.
    """
    if isinstance(value, ManyGames):
        return cast("tuple[Record, ...]", value.games)
    if isinstance(value, dict) and "actions" in cast("dict[object, object]", value):
        return (Record.from_play(played_again(PlayRecord.from_json(cast(object, value)))),)
    return (Record.from_json(cast(object, value)),)


def seen_in(records: Sequence[Record], number: int | None, observer: str | None) -> Recorded:
    """One game of a file, as an observer saw it.

    Args:
        records: All games of the file.
        number: The game's place in it, from 1; None for the first.
        observer: A player or ``"spectator"``; None for all whose knowledge is recorded, each for
            themselves.

    Raises:
        SettingsError: The file has no such game.
        RecordError: Nobody of this name plays, or the record does not say what they saw.
    """
    place = 1 if number is None else number
    if not records:
        raise RecordError("the file has no game")
    if not 1 <= place <= len(records):
        raise SettingsError(
            "the file has no such game",
            where="--game",
            value=place,
            hint=f"write 1 to {len(records)}",
        )
    record = records[place - 1]
    viewers = _viewers(record, observer)
    before, earlier = _before(records, record, [record.players[viewer] for viewer in viewers])
    return Recorded(
        record=record,
        place=place,
        games=len(records),
        viewers=viewers,
        before=before,
        earlier=earlier,
    )


def _viewers(record: Record, observer: str | None) -> tuple[int, ...]:
    if observer is None:
        return tuple(player for player in (0, 1) if record.knows(player))
    if observer not in (*record.players, LOOKER_ON):
        raise RecordError(
            "no player has this name",
            where="--observer",
            value=observer,
            hint=nearest(observer, record.viewers()),
        )
    viewer = record.viewer(observer)
    return () if viewer == SPECTATOR else (viewer,)


def _before(
    records: Sequence[Record], record: Record, viewers: Sequence[str]
) -> tuple[Counts, tuple[Recorded, ...]]:
    """What could be counted in the games of the match that came before, and those games.

    Args:
        records: All games of the file.
        record: The one that they came before.
        viewers: Names of those whose views are taken.
    """
    counts: dict[str, NDArray[Any]] = {}
    games: list[Recorded] = []
    earlier = [
        (place, each)
        for place, each in enumerate(records, start=1)
        if each.match == record.match and each.number < record.number
    ]
    for place, each in sorted(earlier, key=lambda found: found[1].number):
        seats = [each.viewer(name) for name in viewers if name in each.viewers()]
        if seats and set(each.players) == set(record.players):
            games.append(
                Recorded(
                    record=each,
                    place=place,
                    games=len(records),
                    viewers=tuple(sorted(seats)),
                    before=_counts(counts, each.players),
                )
            )
        last: States | None = None
        for states in each.moments():
            last = states
        if last is None:
            continue
        found = _counts(counts, each.players)
        tally(last[0], each.game.tables, found)
        counts |= dict(zip(each.players, found, strict=True))
    return _counts(counts, record.players), tuple(games)


def _counts(counts: Mapping[str, NDArray[Any]], players: Sequence[str]) -> Counts:
    """Counts of two players; int32[2, COUNTS]."""
    none = no_counts()
    return np.array([counts.get(name, none[0]) for name in players], dtype=np.int32)
