"""A record played again, moment by moment, as one viewer saw it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..game import Game
from ..play import Play, PlayRecord, SeenPlay
from ..view import View
from .play_start import state_from_json


@dataclass(frozen=True)
class Observed:
    """One moment of a record, with all that one viewer may know of it.

    Attributes:
        view, seen: What the viewer knows.
        mover: Who made the last move; None before the first.
        action: The code of that move where the viewer made it.
        before: (view, seen) before that move, where the viewer made it.
        number: How many moves were made by then, noticed or not.
    """

    view: View
    seen: SeenPlay
    mover: int | None = None
    action: int | None = None
    before: tuple[View, SeenPlay] | None = None
    number: int = 0


def observed(record: PlayRecord, game: Game, viewer: int) -> Iterator[Observed]:
    """The moments of a record, one for each event that a viewer saw.

    Moves of which the viewer notices nothing make no moment.

    Raises:
        RecordError: The record is of another game, or breaks its rules; with the place.
    """
    record.replay(game)  # the whole record is checked before its first moment is shown
    play = Play(game, record.seed, state_from_json(record.start, game))
    yield Observed(play.view(viewer), play.seen_by(viewer))
    for number, action in enumerate(record.actions, start=1):
        mover, own = play.player, play.player == viewer
        before = (play.view(viewer), play.seen_by(viewer))
        play.apply(action)
        seen = play.seen_by(viewer)
        if len(seen.events) == len(before[1].events):
            continue
        yield Observed(
            play.view(viewer), seen, mover, action if own else None, before if own else None, number
        )
