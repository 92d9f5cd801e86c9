"""A recorded game of Clue as one viewer saw it, from either of its two forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from ...beliefs.games.clue.play import seen_game
from ...data.errors import RecordError, meant
from ...models.clue.edition import ClueEdition
from ...models.clue.record.reader import edition_fields
from ...models.clue.record.record import ClueRecord
from ...models.clue.seen import SPECTATOR, SeenClue
from ...models.game import SPECTATOR as LOOKING_ON
from ...models.play import PLAYED_BY, PlayRecord, person_of
from ...models.recorded import played_again
from .whereabouts import Standing, played, told

#: Clue without a board; people write no records with this name.
TABLE: Final = "clue_table"
#: What only the record of a play has.
ACTIONS: Final = "actions"


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """The game as a viewer saw it, and what stands beside it.

    Attributes:
        game: What the viewer saw.
        name, source: Free text of the record, if it has any.
        standings: Where the pawns stood when the viewer could walk, of a game on the board.
        walks: Whether players suggest the room that they walked to; else any.
    """

    game: SeenClue
    standings: tuple[Standing, ...] = ()
    walks: bool = True
    name: str | None = None
    source: str | None = None


def recorded(value: object, observer: str | None, edition: ClueEdition | None = None) -> Recorded:
    """A game that was read from JSON, as an observer saw it.

    Args:
        value: A record of Clue, or the record of a play of Clue, which may not be over.
        observer: A player or ``"spectator"``; None for who wrote the record, or played the game
            as the only person, else the spectator.
        edition: The cards of a record that does not say which edition it is of; None for the one
            that its cards are of.

    Raises:
        RecordError: It is no such record, or does not say what the observer saw.
    """
    if isinstance(value, dict):
        fields = cast("Mapping[str, object]", value)
        if fields.get("game") == TABLE or ACTIONS in fields:
            return _played(fields, observer)
    record = ClueRecord.from_json(of_edition(cast("object", value), edition))
    if observer is not None and observer not in record.players:
        _refuse_unknown(observer, record.viewers())
    game = record.seen_by(observer)
    return Recorded(
        game=game,
        standings=tuple(told(game)),
        walks=game.rules.room == "own",
        name=record.name,
        source=record.source,
    )


def of_edition(value: object, edition: ClueEdition | None) -> object:
    """A record with the cards of an edition, if it does not say itself of which edition it is."""
    if edition is None or not isinstance(value, dict):
        return value
    fields = cast("dict[str, object]", value)
    if {"edition", "cards"} & fields.keys():
        return fields
    return {**fields, **(edition_fields(edition) or {"edition": edition.name})}


def _played(fields: Mapping[str, object], observer: str | None) -> Recorded:
    """The game as an observer of a play saw it: their view of it and nothing else is read."""
    record = PlayRecord.from_json(fields)
    play = played_again(record)
    players = play.game.roles
    viewer = _person(fields, players) if observer is None else observer
    _refuse_unknown(viewer, (*players, SPECTATOR))
    number = LOOKING_ON if viewer == SPECTATOR else players.index(viewer)
    game = seen_game(play.view(number), play.seen_by(number))
    walks = fields.get("game") != TABLE
    standings = tuple(played(record, number)) if walks and number != LOOKING_ON else ()
    return Recorded(game=game, standings=standings, walks=walks)


def _person(fields: Mapping[str, object], players: Sequence[str]) -> str:
    """The role that the only person played; the spectator if there is none, or there are more."""
    by_role = fields.get(PLAYED_BY)
    named: Mapping[str, object] = {}
    if isinstance(by_role, dict):
        named = cast("Mapping[str, object]", by_role)
    persons = [player for player in players if person_of(named.get(player))]
    return persons[0] if len(persons) == 1 else SPECTATOR


def _refuse_unknown(observer: str, available: Sequence[str]) -> None:
    if observer in available:
        return
    hint = f"available: {', '.join(available)}"
    raise RecordError(
        "no player has this name",
        where="observer",
        value=observer,
        hint=f"{meant(observer, available)} {hint}".lstrip(),
    )
