"""An agent that plays by a policy of a small game, such as an equilibrium or a restricted response.

>>> from sleuth import Play
>>> from sleuth.agents import PolicyAgent
>>> from sleuth.equilibria import GameTree
>>> from sleuth.games.small import kuhn_poker
>>> game = kuhn_poker()
>>> tree = GameTree(game)
>>> agent = PolicyAgent([(tree, tree.policy(lambda known: [0, 1]))], name="always bets")
>>> play = Play.new(game, seed=1)
>>> game.action_name(agent.decide(play.view(0), play.seen_by(0)))
'bet'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Final

import numpy as np

from ...data.errors import SettingsError, UnsupportedError
from ...models.play import SeenPlay, View
from ...models.records.play_start import check_seed
from .exploitability import GameTree, Policy

#: What a player has seen, and how they see the game now.
_Known = tuple[str, bytes]


class PolicyAgent:
    """Takes actions as often as a policy says, from what the player has seen and nothing else.

    What it does depends on its seed and on how much it has seen, so a decision can be made again.

    Args:
        policies: Games written out, with what is done in each. There are several where a game can
            start in ways that everybody sees, as with the card that is turned up in Cheat.
        seed: Of its choices.
        name: What it is called in results.

    Raises:
        SettingsError: There are no policies, or they are of different games.
        UnsupportedError: A player remembers more than they were shown, so that two information
            sets look alike.

    >>> import sleuth
    >>> from sleuth.agents import PolicyAgent
    >>> from sleuth.equilibria import GameTree, equilibrium
    >>> tree = GameTree("kuhn_poker")
    >>> player = PolicyAgent([(tree, equilibrium(tree, iterations=100))], seed=1)
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> player.again(seed=2).decide(play.view(0), play.seen_by(0)) in play.legal()
    True
    """

    def __init__(
        self, policies: Sequence[tuple[GameTree, Policy]], *, seed: int = 0, name: str = "policy"
    ) -> None:
        games = {(tree.game.name, str(tree.game.settings)) for tree, _ in policies}
        if len(games) != 1:
            raise SettingsError("policies must be of one game", value=sorted(games))
        self.name: Final = name
        self._policies: Final = tuple(policies)
        self._seed = check_seed(seed)
        for tree, policy in policies:
            for known in tree.information_sets:
                if known.index in policy:
                    tree.check_shares(known, policy[known.index])
        self._places: Final = _places([tree for tree, _ in policies])

    def again(self, seed: int) -> PolicyAgent:
        """The same agent with another seed; cheap, for a match."""
        other = copy(self)
        other._seed = check_seed(seed)
        return other

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The code of a legal action.

        Raises:
            SettingsError: No game that was written out leads here.
        """
        shares = self.probabilities(view, seen)
        rng = np.random.default_rng((self._seed, len(seen.events)))
        return int(rng.choice([*shares], p=[*shares.values()]))

    def probabilities(self, view: View, seen: SeenPlay) -> Mapping[int, float]:
        """By the codes of legal actions how likely each is.

        Raises:
            SettingsError: No game that was written out leads here.

        >>> import sleuth
        >>> from sleuth.agents import PolicyAgent
        >>> from sleuth.equilibria import GameTree
        >>> tree, play = GameTree("kuhn_poker"), sleuth.Play.new("kuhn_poker", seed=1)
        >>> player = PolicyAgent([(tree, tree.uniform_policy())])
        >>> player.probabilities(play.view(0), play.seen_by(0))
        {0: 0.5, 1: 0.5}
        """
        place = self._places.get((seen.digest, view.states.tobytes()))
        if place is None:
            raise SettingsError(
                "no game that was written out leads to what this player has seen",
                where=f"agent {self.name!r}",
                value=[each.event.to_json() for each in seen.events],
                hint="write the game out for every start that everybody sees",
            )
        which, index = place
        tree, policy = self._policies[which]
        shares = np.asarray(policy[index], dtype=float)
        actions = tree.information_sets[index].actions
        return dict(zip(actions, (shares / shares.sum()).tolist(), strict=True))


def _places(trees: Sequence[GameTree]) -> dict[_Known, tuple[int, int]]:
    """The tree and the number of each information set, by what its player has seen."""
    found: dict[_Known, tuple[int, int]] = {}
    for which, tree in enumerate(trees):
        for known in tree.information_sets:
            seen = tree.play_to(known).seen_by(known.player)
            key = seen.digest, known.masked.tobytes()
            if key in found:
                raise UnsupportedError(
                    "two information sets look alike",
                    where=f"game {tree.game.name!r}, information set {known.index}",
                )
            found[key] = which, known.index
    return found
