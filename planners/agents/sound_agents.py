"""Agents that play a mixed policy of the whole game, which they learned from the deal on."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np

from ...data.disk.contents import named_files
from ...data.errors import SettingsError
from ...models.game import Game
from ...models.play import SeenPlay, View
from ...models.records.play_start import check_seed
from ..search.decision import Decision
from ..sound.deciding import drawn_decision
from ..sound.whole_game import WholeGameSearch
from .agent import Maker, chosen


@dataclass(frozen=True, kw_only=True)
class KeptSettings:
    """Options of the agent that plays what was learned before.

    Attributes:
        file: The file that `WholeGameSearch.save` or ``sleuth solve --out`` wrote.
    """

    file: str | None = None


class KeptAgent:
    """Plays the average policy of a search of the whole game, without searching any more.

    What it does depends on its seed and on how much it has seen, so a decision can be made again.
    Where the search never came by, all actions are equally likely.

    Args:
        search: The search.
        seed: Of what is drawn from the policy.
        name: What it is called in results.

    >>> import sleuth
    >>> from sleuth.agents import KeptAgent
    >>> from sleuth.equilibria import WholeGameSearch
    >>> search = WholeGameSearch("kuhn_poker", seed=1).run(sleuth.Budget(simulations=10_000))
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> player = KeptAgent(search, seed=1)
    >>> decision = player.decision(play.view(0), play.seen_by(0))
    >>> player.decide(play.view(0), play.seen_by(0)) == decision.action
    True
    >>> decision.policy[0] > 0.6, player.again(seed=2).name
    (True, 'policy')
    """

    def __init__(self, search: WholeGameSearch, *, seed: int = 0, name: str = "policy") -> None:
        self.search = search
        self.seed = check_seed(seed)
        self.name = name

    def again(self, seed: int) -> KeptAgent:
        """The same agent with another seed; cheap, for a match."""
        other = copy(self)
        other.seed = check_seed(seed)
        return other

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The code of a legal action."""
        return chosen(view, lambda: self.decision(view, seen), filters=False)

    def decision(self, view: View, seen: SeenPlay) -> Decision:
        """The policy here, and what is drawn from it."""
        shares = self.search.probabilities(view, seen)
        return drawn_decision(
            self.search.game,
            view,
            seen,
            shares,
            visits=np.zeros(len(shares), np.int64),
            values=np.full(len(shares), np.nan),
            seed=self.seed,
            simulations=self.search.simulations,
            nodes=self.search.nodes,
        )


def kept(game: Game, settings: KeptSettings, text: str) -> Maker:
    """The maker of agents that play what stands in a file.

    Raises:
        SettingsError: There is no file, or it is of another game.
    """
    if settings.file is None:
        raise SettingsError(
            "this agent plays what stands in a file",
            hint="write policy:FILE.npz, which 'sleuth solve --out FILE.npz' makes",
        )
    if not named_files(settings.file):
        raise SettingsError("there is no such file", where="file", value=settings.file)
    agent = KeptAgent(WholeGameSearch.load(settings.file, game=game), name=text)
    return agent.again
