"""The agents of Cheat for many: one that counts cards, and options of those that search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...beliefs.games.cheat.for_many.honesty import HONEST
from ...beliefs.games.cheat.for_many.play import ManyCheatBelief, last_is_true
from ...data.checks import number_within
from ...models.cheat.for_many import SeenManyCheat, claim_of, seen_many_cheat
from ...models.cheat.for_many.state import CALL, PASS
from ...models.game import Game
from ...models.play import SeenPlay, View
from ..agents import Kind, Maker, SearchSettings, searchers

#: A player whose last cards are called while others may still do so runs half of the risk.
LAST_CARDS: Final = 0.5


@dataclass(frozen=True, kw_only=True)
class CountingSettings:
    """Options of the agent that counts cards.

    Attributes:
        predictor: What predicts whether claims are true, a file or ``usual``; None for counting and
            ``honest``.
        honest: How often it thinks others to be honest where they can be.
        calls: It calls a claim that is less likely true than this; None for one in the number of
            players. For a pile that one of the others takes is worth as much less to a player than
            one of their own, as it falls on one of so many.
        lies: How often it lays down a card more than it can be honest with.
    """

    predictor: str | None = None
    honest: float = HONEST
    calls: float | None = None
    lies: float = 0.0

    def __post_init__(self) -> None:
        number_within(self.honest, "honest", least=0.0, most=1.0)
        number_within(self.lies, "lies", least=0.0, most=1.0)
        if self.calls is not None:
            number_within(self.calls, "calls", least=0.0, most=1.0)


@dataclass(eq=False)
class CountingAgent:
    """One player, who calls what is unlikely by counting, and is honest where they can be.

    Attributes:
        game: The game.
        settings: Its options.
        belief: What it knows.
        seed: Chooses among claims that are as good.
        name: What the agent is called in results.
    """

    game: Game
    settings: CountingSettings
    belief: ManyCheatBelief
    seed: int = 0
    name: str = "counting"

    def decide(self, view: View, seen: SeenPlay) -> int:
        """A call of what is unlikely to be true, or the claim that is best."""
        game = seen_many_cheat(view)
        rng = np.random.default_rng((self.seed, len(seen.events)))
        if game.asked:
            return CALL if self._calls(view, seen, game) else PASS
        return self._claim(view, game, rng)

    def _calls(self, view: View, seen: SeenPlay, game: SeenManyCheat) -> bool:
        """True if the last claim is to be called."""
        claim = game.claims[-1]
        if game.hand is not None and claim.count > game.copies - self._elsewhere(game):
            return True
        least = self.settings.calls
        least = 1 / game.players if least is None else least
        if game.sizes[claim.by] == 0:
            # Who lets the last cards stand has lost, so the last who is asked has nothing to lose.
            if (game.player + 1) % game.players == claim.by:
                return True
            least = max(least, LAST_CARDS)
        posterior = self.belief.infer(view, seen)
        return posterior.probability(last_is_true(view)) < least

    def _elsewhere(self, game: SeenManyCheat) -> int:
        """The cards of the claimed rank that the player holds or has laid down themselves."""
        rank = game.claims[-1].rank
        own = [claim for claim in game.pile_claims if claim.by == game.viewer]
        return (game.hand or ())[rank] + sum((claim.cards or ()).count(rank) for claim in own)

    def _claim(self, view: View, game: SeenManyCheat, rng: np.random.Generator) -> int:
        """All cards of the rank of which there are most; else one that is a lie."""
        legal = view.legal()
        shapes = np.array([claim_of(int(action)) for action in legal])
        _, counts, true = shapes.T
        most = true.max()
        lies = bool(rng.random() < self.settings.lies)
        wanted = (true == most) & (counts == max(1, most + lies))
        if most == 0 or not wanted.any():
            wanted = (true == most) & (counts == max(1, most))
        return int(rng.choice(legal[wanted]))


def _counting(game: Game, settings: CountingSettings, text: str) -> Maker:
    def make(seed: int) -> CountingAgent:
        belief = ManyCheatBelief(predictor=settings.predictor, honest=settings.honest)
        return CountingAgent(game, settings, belief, seed, text)

    make(0)  # a predictor that cannot be read is found here
    return make


@dataclass(frozen=True, kw_only=True)
class ManyCheatSettings(SearchSettings):
    """Options of the agents that search, in Cheat for many.

    Attributes:
        predictor: What predicts whether claims are true, a file or ``usual``; None for counting and
            ``honest``.
        honest: How often others are thought to be honest where they can be.
    """

    predictor: str | None = None
    honest: float | None = None

    def __post_init__(self) -> None:
        if self.honest is not None:
            number_within(self.honest, "honest", least=0.0, most=1.0)

    def of_belief(self) -> Mapping[str, Any]:
        """The facts the belief is told."""
        return {"predictor": self.predictor, "honest": self.honest}


#: The agents that this game alone has, and those of any game with its options.
AGENTS: Final = {
    "counting": Kind(
        "calls what is unlikely by counting, and is honest where it can be",
        CountingSettings(),
        _counting,
    ),
    **searchers(ManyCheatSettings),
}
