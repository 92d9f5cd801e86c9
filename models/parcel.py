"""One viewer's knowledge as plain values, which can be sent to another process."""

from __future__ import annotations

from dataclasses import dataclass

from .briefing import Briefing
from .game import Game
from .play import MoveEvent, SeenPlay
from .records.events import witness
from .view import PLAYS, View, viewer_name


@dataclass(frozen=True)
class ViewParcel:
    """A view and what was seen, packed for another process that has the same game.

    Equal for games that differ only in what the viewer could not see. What was told of earlier
    games of a match is not packed.

    Attributes:
        viewer: A player's number, or ``SPECTATOR``.
        state: The bytes of the masked state.
        start: The numbers of the state before the first move, as the viewer saw it.
        moves: The mover, the observation and the action of every move that was seen.
        seconds, hint: What the viewer was told beside it, see `Briefing`.
    """

    viewer: int
    state: bytes
    start: tuple[int, ...]
    moves: tuple[tuple[int, int, int | None], ...]
    seconds: tuple[float | None, ...] = ()
    hint: bool | None = None

    @staticmethod
    def of(view: View, seen: SeenPlay) -> ViewParcel:
        """The parcel of one viewer at one moment."""
        moves = (
            (each.event.mover, each.event.observation, each.event.action) for each in seen.events
        )
        return ViewParcel(
            view.viewer, view.data, seen.start, tuple(moves), seen.told.seconds, seen.told.hint
        )

    def view(self, game: Game) -> View:
        """The state as the viewer knows it."""
        return View(game, self.viewer, game.states_of(self.state), PLAYS)

    def seen(self, game: Game) -> SeenPlay:
        """All that the viewer has seen."""
        name = viewer_name(game.roles, self.viewer)
        return SeenPlay(
            game=game.name,
            settings=game.settings,
            roles=game.roles,
            viewer=self.viewer,
            start=self.start,
            events=tuple(
                witness(number, name, MoveEvent(*move))
                for number, move in enumerate(self.moves, start=1)
            ),
            told=Briefing(seconds=self.seconds, hint=self.hint),
        )
