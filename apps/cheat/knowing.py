"""What one viewer of a recorded game of Cheat knows, followed from turn to turn."""

from __future__ import annotations

from typing import Any

from ...beliefs.cheat import CheatBelief
from ...beliefs.cheat_play import CheatPlayBelief
from ...beliefs.posterior import Posterior
from ...beliefs.predictor import Predictor
from ...models.cheat.record import Turn
from ...models.cheat.seen import SeenGame
from ...models.game import SPECTATOR
from ...models.play import View
from .acquainted import Acquainted
from .recorded import Recorded


class Knowing:
    """What one viewer knows, followed from turn to turn."""

    def __init__(self, recorded: Recorded, viewer: int, predictor: Predictor | None) -> None:
        self.recorded = recorded
        self.viewer = viewer
        self.predictor = predictor
        # Of claims that he cannot call himself, a predictor says nothing to anybody.
        self.acquainted = (
            None
            if predictor is None or viewer == SPECTATOR
            else Acquainted(recorded, viewer, predictor)
        )
        self._belief = CheatPlayBelief()
        # By the place of a claim: what was predicted of it, beside what counting said then.
        self._spoken: dict[int, tuple[float, float]] = {}

    def held(self, view: View, claim: Turn) -> float:
        """P(who makes a claim has the cards for it), by counting, before he makes it."""
        game = self.recorded.seen(view)
        counted = self._belief.posterior((game, self.recorded.dealt, ()))
        belief = self.believing(game, counted)
        return belief.holds_at_least(counted, claim.by, claim.rank, claim.count)

    def hear(self, view: View) -> tuple[Posterior, float, tuple[float, float] | None]:
        """Counting after a claim; what it says of the claim, and what the predictor does.

        The predictor says how likely anybody's claim would be true, and how likely that of this
        player is, by what was turned up of him before; None where it is not asked.
        """
        game = self.recorded.seen(view)
        counted = self._belief.posterior((game, self.recorded.dealt, ()))
        place = len(game.turns) - 1
        counting = self.truth(game, counted)
        said = None if self.acquainted is None else self.acquainted.hear(view)
        if said is not None:
            # Nothing is counted twice: it stands where that of anybody would.
            self._spoken[place] = (said[1], counting)
        return counted, counting, said

    def truth(self, game: SeenGame, posterior: Posterior) -> float:
        """P(the claim made last is true)."""
        belief = self.believing(game, posterior)
        claim = belief.pile[-1]
        if claim.turn.true is not None:
            return float(claim.turn.true)
        return posterior.probability(belief.is_true(claim))

    def posterior(self, view: View) -> Posterior:
        """All that is known, what was predicted of claims that lie face down included."""
        game = self.recorded.seen(view)
        spoken = tuple((place, said) for place, said in self._spoken.items() if place >= game.since)
        return self._belief.posterior((game, self.recorded.dealt, spoken))

    def believing(self, game: SeenGame, posterior: Posterior) -> CheatBelief:
        """The declaration that a posterior was computed from, to ask it."""
        deal: Any = posterior.model.variables[0]
        return CheatBelief(game, dealt=self.recorded.dealt, cards=lambda _: deal)
