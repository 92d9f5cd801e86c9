"""A recorded game of Cheat and who looks on: what the analysis is computed from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import cast

from ...beliefs.games.cheat.judges import AcquaintedTruth
from ...beliefs.games.cheat.play import CheatBelief, may_call
from ...beliefs.predictors.predictor import Predictor
from ...data.errors import RecordError, SettingsError, nearest
from ...models.cheat import CheatRecord
from ...models.cheat.people.person import counted
from ...models.cheat.people.tallies import Counts
from ...models.cheat.record.record import LOOKER_ON
from ...models.cheat.record.schema import RANK_NAMES
from ...models.cheat.record.seen import seen_game
from ...models.game import SPECTATOR
from ...models.play import Play, PlayRecord, View
from ...models.recorded import played_again
from ...models.records.events import digest
from ...models.records.replay import Observed
from ..kit.records.contract import ManyGames


@dataclass(frozen=True, eq=False, kw_only=True)
class MatchGame:
    """A game of a file, and whose views are taken.

    Attributes:
        record: The game.
        place: Its place in the file, from 1.
        games: How many games the file has.
        viewers: Numbers of the players whose views are taken; none for somebody who looks on.
        earlier: The games of the match that came before, in their order, as the same people saw
            them, as far as the record says it.
    """

    record: CheatRecord
    place: int
    games: int
    viewers: tuple[int, ...]
    earlier: tuple[MatchGame, ...] = ()

    @property
    def viewer_names(self) -> tuple[str, ...]:
        """Whose views are taken, by name."""
        return tuple(self.record.players[viewer] for viewer in self.viewers) or (LOOKER_ON,)

    @property
    def ranks(self) -> tuple[str, ...]:
        """Names of the ranks of the deck."""
        return RANK_NAMES[: int(self.record.game.settings["ranks"])]

    def name_of(self, player: int) -> str:
        """A player's name; that of a spectator."""
        return LOOKER_ON if player == SPECTATOR else self.record.players[player]

    def judge(self, claimant: int) -> int | None:
        """The judge of a player's claims: the other player, or else a spectator.

        None where only the claimant's own view was asked for.
        """
        challenger = 1 - claimant
        if challenger in self.viewers:
            return challenger
        return None if self.viewers and self.record.knows(challenger) else SPECTATOR

    def observed(self, viewer: int) -> Iterator[Observed]:
        """The moments as somebody saw them who has seen the earlier games of the match, too."""
        return self.record.observed(viewer, self._ends(viewer))

    def belief(self, viewer: int, predictor: Predictor | None) -> CheatBelief:
        """The belief of somebody who has got to know the other player in the earlier games.

        Args:
            viewer: Who looks on.
            predictor: Says how likely a claim is to be true; None for counting alone. Of claims
                that a spectator cannot call, it says nothing.
        """
        if predictor is None or viewer == SPECTATOR:
            return CheatBelief()
        truth, name = AcquaintedTruth(predictor), self.record.players[viewer]
        for game in self.earlier if predictor.spread else ():
            if name in game.viewer_names:
                for each in game.observed(game.record.players.index(name)):
                    if may_call(each.view):
                        truth(each.view, each.seen)
        return CheatBelief(truth)

    @cached_property
    def before(self) -> Counts:
        """The counts everybody could make in earlier games of the match; int32[2, COUNTS]."""
        return counted(self._ends(0), 0)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what the viewers saw, as 64 hexadecimal digits."""
        earlier = [digest(each._told) for each in self.earlier if each.viewers]
        return digest({**self._told, "earlier": earlier} if earlier else self._told)

    @cached_property
    def _told(self) -> dict[str, object]:
        """The game as its viewers saw it."""
        seconds = [turn.seconds for turn in self.record.turns]
        views = map(self._end.view, self.viewers or (SPECTATOR,))
        seen = [asdict(seen_game(view, seconds)) for view in views]
        return {"players": self.record.players, "before": self.before.tolist(), "seen": seen}

    @cached_property
    def _end(self) -> Play:
        return self.record.play_at(len(self.record.turns))

    def _ends(self, viewer: int) -> tuple[View, ...]:
        """The ends of the earlier games, as a player saw them; nothing for a spectator."""
        if viewer == SPECTATOR:
            return ()
        name = self.record.players[viewer]
        return tuple(game._end.view(game.record.players.index(name)) for game in self.earlier)


def records_of(value: object) -> tuple[CheatRecord, ...]:
    """The games of what was read: of a file of many, of one record, or of a play that was kept.

    Raises:
        RecordError: It is no record of Cheat; with the place.
    """
    if isinstance(value, ManyGames):
        return cast("tuple[CheatRecord, ...]", value.games)
    if isinstance(value, dict) and "actions" in cast("dict[object, object]", value):
        return (CheatRecord.from_play(played_again(PlayRecord.from_json(cast(object, value)))),)
    return (CheatRecord.from_json(cast(object, value)),)


def seen_in(records: Sequence[CheatRecord], number: int | None, observer: str | None) -> MatchGame:
    """One game of a file, as an observer saw it.

    Args:
        records: All games of the file.
        number: The game's place in it, from 1; None for the first.
        observer: A player or ``"spectator"``; None for all whose knowledge is recorded, each for
            themselves.

    Raises:
        SettingsError: The file has no such game.
        RecordError: Nobody of this name plays, or the record does not say what they saw.

    >>> from sleuth.games.cheat import mini_cheat, seen_in, simulate
    >>> records = simulate(2, seed=1, games=2, game=mini_cheat())
    >>> seen_in(records, number=2, observer="spectator").viewer_names
    ('spectator',)
    """
    place = 1 if number is None else number
    if not records:
        raise RecordError("the file has no game")
    if not 1 <= place <= len(records):
        raise SettingsError(
            "the file has no such game",
            where="game",
            value=place,
            hint=f"write 1 to {len(records)}",
        )
    record = records[place - 1]
    viewers = _viewers(record, observer)
    names = [record.players[viewer] for viewer in viewers]
    return MatchGame(
        record=record,
        place=place,
        games=len(records),
        viewers=viewers,
        earlier=_earlier(records, record, names),
    )


def _viewers(record: CheatRecord, observer: str | None) -> tuple[int, ...]:
    if observer is None:
        return tuple(player for player in (0, 1) if record.knows(player))
    if observer not in (*record.players, LOOKER_ON):
        raise RecordError(
            "no player has this name",
            where="observer",
            value=observer,
            hint=nearest(observer, record.viewers()),
        )
    viewer = record.viewer(observer)
    return () if viewer == SPECTATOR else (viewer,)


def _earlier(
    records: Sequence[CheatRecord], record: CheatRecord, viewers: Sequence[str]
) -> tuple[MatchGame, ...]:
    """The games of the match that came before, as the viewers of these names saw them."""
    games: tuple[MatchGame, ...] = ()
    for place, each in sorted(enumerate(records, start=1), key=lambda found: found[1].number):
        if (each.match, {*each.players}) == (record.match, {*record.players}) and (
            each.number < record.number
        ):
            seats = sorted(each.viewer(name) for name in viewers if name in each.viewers())
            made = MatchGame(
                record=each, place=place, games=len(records), viewers=tuple(seats), earlier=games
            )
            games = (*games, made)
    return games
