"""What a viewer of a recorded match of Cheat learns of the other player, and predicts by it."""

from __future__ import annotations

from dataclasses import dataclass

from ...beliefs.games.cheat.features import Challenge, features
from ...beliefs.predictors.adaptation import Acquaintance
from ...beliefs.predictors.predictor import Predictor
from ...models.cheat.record.seen import seen_game
from ...models.play import View
from .recorded import Recorded


@dataclass(frozen=True, kw_only=True)
class Learned:
    """How much truer or falser than predicted a player's claims turned out, in the end.

    Attributes:
        of: Whose claims they were.
        viewer: Who learned it.
        claims: How many of them were turned up, earlier games of the match included.
        log_odds: What is added to the log odds that they are true; below 0 for one who lies more.
        deviation: The standard deviation of what is still not known of it, in log odds.
    """

    of: int
    viewer: int
    claims: int
    log_odds: float
    deviation: float


class Acquainted:
    """What one player learns of the other, in earlier games of the match and then in this one.

    Only what they saw comes into it: their views, and claims from the moment they are turned up.

    Args:
        recorded: The game, with earlier ones.
        viewer: Who learns.
        predictor: Says how likely anybody's claim is; its ``spread`` how much players differ.
    """

    def __init__(self, recorded: Recorded, viewer: int, predictor: Predictor) -> None:
        self.viewer = viewer
        self._predictor = predictor
        self._known = Acquaintance(predictor.spread)
        self._recorded = recorded
        if predictor.spread == 0:
            return
        name = recorded.name_of(viewer)
        for earlier in recorded.earlier:
            if name in earlier.viewer_names:
                self._watch(earlier, earlier.record.players.index(name))

    def hear(self, view: View) -> tuple[float, float] | None:
        """P(the claim made last is true), if anybody had made it and for who did.

        None where nobody can call it. Ask once about each claim, in the order of the game.
        """
        return self._hear(self._recorded, view)

    def learned(self, view: View) -> Learned | None:
        """What is known of the other player by a later view of the game; None for nothing."""
        self._look(view)
        if not self._known.seen:
            return None
        return Learned(
            of=1 - self.viewer,
            viewer=self.viewer,
            claims=self._known.seen,
            log_odds=self._known.offset.mean,
            deviation=self._known.offset.variance**0.5,
        )

    def _watch(self, earlier: Recorded, seat: int) -> None:
        """Learn from an earlier game, in which they may have had the other seat."""
        last: View | None = None
        for turn, (_, play) in enumerate(earlier.moments()):
            last = play.view(seat)
            made = earlier.record.turns[turn - 1] if turn else None
            if made is not None and made.kind == "claim" and made.by != seat:
                self._hear(earlier, last)
        if last is not None:
            self._look(last)
        self._known.begin()

    def _hear(self, recorded: Recorded, view: View) -> tuple[float, float] | None:
        if view.over or view.viewer != view.player:
            return None
        self._look(view)
        state = view.states[0]
        place = int(state.turn) - 1
        seconds = recorded.record.turns[place].seconds
        told = features(Challenge(view, recorded.before, seconds))
        anybody = float(self._predictor(told)[0])
        return anybody, self._known.hear(place, anybody)

    def _look(self, view: View) -> None:
        """See what was turned up."""
        game = seen_game(view)
        self._known.turn_up(
            {
                place: turn.true
                for place, turn in enumerate(game.turns[: game.since])
                if turn.true is not None
            }
        )
