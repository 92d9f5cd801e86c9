"""What one viewer of a recorded game of Cheat knows, followed from turn to turn."""

from __future__ import annotations

from ...beliefs.games.cheat.declaration import CheatDeclaration
from ...beliefs.games.cheat.play import CheatBelief, Known, declared
from ...beliefs.posterior import Posterior
from ...beliefs.predictors.predictor import Predictor
from ...models.cheat.record.seen import SeenGame
from ...models.cheat.record.turn import Turn
from ...models.game import SPECTATOR
from ...models.play import SeenPlay, View
from .acquainted import Acquainted
from .recorded import Recorded


class Knowing(CheatBelief):
    """What one viewer knows, followed from turn to turn: the belief of the game as it is played.

    Args:
        recorded: The game.
        viewer: Who looks on.
        predictor: Says how likely a claim is to be true; None for counting alone.
    """

    def __init__(self, recorded: Recorded, viewer: int, predictor: Predictor | None) -> None:
        super().__init__()
        self.recorded = recorded
        self.viewer = viewer
        self.predictor = predictor
        # Of claims that they cannot call themselves, a predictor says nothing to anybody.
        self.acquainted = (
            None
            if predictor is None or viewer == SPECTATOR
            else Acquainted(recorded, viewer, predictor)
        )
        # By the place of a claim: what was predicted of it, beside what counting said then.
        self._heard: dict[int, tuple[float, float]] = {}

    def known(self, view: View, seen: SeenPlay | None = None) -> Known:
        """The game as it is recorded, and what was predicted of claims that lie face down."""
        game = self.recorded.seen(view)
        heard = tuple((place, said) for place, said in self._heard.items() if place >= game.since)
        return game, self.recorded.dealt, heard

    def now(self, view: View) -> Posterior:
        """All that is known, what was predicted of claims that lie face down included."""
        return self.posterior(self.known(view))

    def held(self, view: View, claim: Turn) -> float:
        """P(who makes a claim has the cards for it), by counting, before they make it."""
        game, counted = self._counted(view)
        belief = self.believing(game, counted)
        return belief.holds_at_least(counted, claim.by, claim.rank, claim.count)

    def hear(self, view: View) -> tuple[Posterior, float, tuple[float, float] | None]:
        """Counting after a claim; what it says of the claim, and what the predictor does.

        The predictor says how likely anybody's claim would be true, and how likely that of this
        player is, by what was turned up of them before; None where it is not asked.
        """
        game, counted = self._counted(view)
        counting = self.chance(game, counted)
        said = None if self.acquainted is None else self.acquainted.hear(view)
        if said is not None:
            # Nothing is counted twice: it stands where that of anybody would.
            self._heard[len(game.turns) - 1] = (said[1], counting)
        return counted, counting, said

    def chance(self, game: SeenGame, posterior: Posterior) -> float:
        """P(the claim made last is true)."""
        belief = self.believing(game, posterior)
        claim = belief.pile[-1]
        if claim.turn.true is not None:
            return float(claim.turn.true)
        return posterior.probability(belief.is_true(claim))

    def believing(self, game: SeenGame, posterior: Posterior) -> CheatDeclaration:
        """The declaration that a posterior was computed from, to ask it."""
        return declared(game, self.recorded.dealt, posterior)

    def _counted(self, view: View) -> tuple[SeenGame, Posterior]:
        game = self.recorded.seen(view)
        return game, self.posterior((game, self.recorded.dealt, ()))
