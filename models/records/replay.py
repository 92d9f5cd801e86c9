"""A record played again, moment by moment, as one viewer saw it.

A record of a play says all; one that somebody wrote down is completed first, with any world that
agrees with it (`CompletedPlay`). What its viewer saw does not depend on that world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..game import Game, States
from ..play import Play, SeenPlay
from ..view import View


class PlayScript(Protocol):
    """Whatever a game can be played again from: the record of a play is one."""

    @property
    def actions(self) -> Sequence[int]:
        """Codes of the actions in order."""
        ...

    def begin(self, game: Game) -> Play:
        """The game before its first action."""
        ...

    def chance(self, number: int) -> Callable[[Any], None] | None:
        """The decision of chance with an action, numbered from 1; None for what the seed gives."""
        ...

    def replay(self, game: Game) -> Play:
        """The game after its last action."""
        ...


@dataclass(frozen=True, eq=False)
class CompletedPlay:
    """A play that a written record may be of: what nobody wrote down is drawn.

    Attributes:
        game: The game.
        start: The state before the first action, in an array of one.
        actions: Codes of the actions in order.
        numbers: For each action the number of the event that says it, counted from 1.
        decided: What chance decided with an action, by the action's number.
    """

    game: Game
    start: States
    actions: tuple[int, ...]
    numbers: tuple[int, ...]
    decided: Mapping[int, Callable[[Any], None]] = field(
        default_factory=dict[int, Callable[[Any], None]]
    )

    def begin(self, game: Game) -> Play:
        """The game before its first action."""
        return Play(game, 0, self.start)

    def chance(self, number: int) -> Callable[[Any], None] | None:
        """The decision of chance with an action, numbered from 1."""
        return self.decided.get(number)

    def replay(self, game: Game) -> Play:
        """The game after its last action."""
        play = self.begin(game)
        for number, action in enumerate(self.actions, start=1):
            play.apply(action, chance=self.chance(number))
        return play


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


def observed(record: PlayScript, game: Game, viewer: int) -> Iterator[Observed]:
    """The moments of a record, one for each event that a viewer saw.

    Moves of which the viewer notices nothing make no moment.

    Raises:
        RecordError: The record is of another game, or breaks its rules; with the place.
    """
    record.replay(game)  # the whole record is checked before its first moment is shown
    play = record.begin(game)
    yield Observed(play.view(viewer), play.seen_by(viewer))
    for number, action in enumerate(record.actions, start=1):
        mover, own = play.player, play.player == viewer
        before = (play.view(viewer), play.seen_by(viewer))
        play.apply(action, chance=record.chance(number))
        seen = play.seen_by(viewer)
        if len(seen.events) == len(before[1].events):
            continue
        yield Observed(
            play.view(viewer), seen, mover, action if own else None, before if own else None, number
        )
