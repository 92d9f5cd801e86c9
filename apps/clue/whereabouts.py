"""Places of the pawns at moments of a game that is played on the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ...beliefs.games.clue.play import seen_game
from ...models.clue.board.squares import square_written
from ...models.clue.board.walking import TURNING
from ...models.clue.cards import ROOMS, SUSPECTS
from ...models.clue.events import NO_SUGGESTION, Accusation, Move, Suggestion
from ...models.clue.seen import SeenClue
from ...models.play import PlayRecord
from ...models.recorded import played_again
from ...planners.clue.treasure_hunt.ways import Place


@dataclass(frozen=True)
class Standing:
    """The pawns' places when a viewer may walk.

    Attributes:
        event: How many events they have seen.
        place: Where they stand: a room, a square by row and column, or the number of either.
        last: The room that they must not enter next besides that; None for none.
        pawns: Where everybody stands of whom it is known: name -> place.
        dice: How many dice they roll.
    """

    event: int
    place: Place
    last: str | None
    pawns: Mapping[str, Place]
    dice: int = 1


def told(game: SeenClue, dice: int = 1) -> Iterator[Standing]:
    """The standings that follow from the moves and suggestions of a record.

    A record without moves says nothing of walks: suggestions alone are made at any table.
    """
    moves = [seen.event.to for seen in game.events if isinstance(seen.event, Move)]
    if not {*moves} - {NO_SUGGESTION}:
        return
    yield from followed(game, dice)


def followed(game: SeenClue, dice: int = 1) -> Iterator[Standing]:
    """The standings after the events of a game on the board, as far as they are known.

    There are none where the edition has another board than the classic one.
    """
    if game.edition.board is None:
        return
    pawns: dict[str, Place] = {}
    last: str | None = None
    # Else a suggestion says nothing of where a pawn stands.
    walks = game.rules.room == "own"
    for number, seen in enumerate(game.events, start=1):
        event = seen.event
        if isinstance(event, Move) and event.to == NO_SUGGESTION:
            # Others walked to where nobody said; the viewer says it by another move.
            if event.by != game.viewer:
                pawns.pop(event.by, None)
        elif isinstance(event, Move) or (isinstance(event, Suggestion) and walks):
            to = str(event.to if isinstance(event, Move) else event.room)
            place = _place(to)
            pawns.pop(event.by, None)
            if place is not None:
                pawns[event.by] = place
            if event.by == game.viewer and to in ROOMS:
                last = to
        elif isinstance(event, Accusation) and not event.correct and event.by != game.viewer:
            pawns.pop(event.by, None)
        if game.viewer in pawns:
            yield Standing(number, pawns[game.viewer], last, dict(pawns), dice)


def played(record: PlayRecord, viewer: int) -> Iterator[Standing]:
    """The standings at the turns of a player, as they saw them, before they rolled."""
    again = played_again(replace(record, actions=()))
    game, settings = again.game, again.game.settings
    for action in (*record.actions, None):
        view = again.view(viewer)
        state = view.states[0]
        if again.player == viewer and int(state.stage) == TURNING:
            at = state.place.tolist()
            entered = int(state.last[viewer])
            closed = None if settings["again"] or entered < 0 else ROOMS[entered]
            names = (*game.roles, *SUSPECTS[game.players :])
            yield Standing(
                len(seen_game(view, again.seen_by(viewer)).events),
                at[viewer],
                closed,
                dict(zip(names, at, strict=True)),
                int(settings["dice"]),
            )
        if action is not None:
            again.apply(action)


def _place(text: str) -> Place | None:
    """A room, or a square by row and column; None for other words."""
    return text if text in ROOMS else square_written(text)
