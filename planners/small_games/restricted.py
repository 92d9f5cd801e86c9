"""Near an equilibrium, and taking what can be taken: restricted Nash responses.

A best response to how somebody plays wins most from them, and may lose more to others. Johanson,
Zinkevich and Bowling (2007), "Computing Robust Counter-Strategies", let the other player keep to a
model in a share p of all games, and be free in the rest, where they play as well as anybody could
against this. What a player does best then is the restricted response: an equilibrium for p = 0, a
best response to the model for p = 1. In between no policy wins more from the model and is as hard
to exploit.

>>> from sleuth.equilibria import GameTree, tradeoffs
>>> from sleuth.games.small import kuhn_poker
>>> tree = GameTree(kuhn_poker())
>>> safe, greedy = tradeoffs(tree, tree.uniform_policy(), shares=(0.0, 1.0), iterations=200)
>>> safe.exploitability < 0.005, greedy.exploitability > 0.1
(True, True)
>>> safe.won < 0.2, round(greedy.won, 2)
(True, 0.46)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...data.checks import number_within
from ...data.progress import Tell, silent
from .equilibrium import improved
from .exploitability import GameTree, Policy, exploitability


@dataclass(frozen=True, kw_only=True)
class Tradeoff:
    """A restricted response's gain from the model, and its own exploitability.

    Attributes:
        share: In what share of the games the other was taken to keep to the model; p in the paper.
        policy: What it does.
        winnings: What it wins from the model in each seat, in the game's own units.
        exploitability: What a best response wins from it, on average over both seats.
    """

    share: float
    policy: Policy = field(repr=False)
    winnings: tuple[float, float]
    exploitability: float

    @property
    def won(self) -> float:
        """Its winnings from the model, on average over both seats."""
        return sum(self.winnings) / 2


def restricted_response(
    tree: GameTree, model: Policy, *, share: float, iterations: int, progress: Tell = silent
) -> dict[int, NDArray[np.float64]]:
    """The restricted response to a model in each seat, by CFR+.

    Args:
        tree: The game, written out: two players, one of them wins what the other loses.
        model: How the other is taken to play, in both seats.
        share: In what share of the games they do; in the rest they are free. 0 to 1.
        iterations: As of `equilibrium`, for each seat.
        progress: Told after every iteration.

    Raises:
        SettingsError: The share is not in [0, 1].
        UnsupportedError: As `equilibrium`.

    >>> from sleuth.equilibria import GameTree, restricted_response
    >>> tree = GameTree("kuhn_poker")
    >>> model = tree.uniform_policy()
    >>> policy = restricted_response(tree, model, share=1.0, iterations=50)
    >>> round(float(tree.values([policy, model])[0]), 2)
    0.5
    """
    number_within(share, "share", most=1.0, where="restricted_response")
    found: dict[int, NDArray[np.float64]] = {}
    for player in range(2):
        bound = 1 - player, share, model
        policy = improved(tree, iterations=iterations, bound=bound, progress=progress)
        found |= {
            known.index: policy[known.index]
            for known in tree.information_sets
            if known.player == player
        }
    return found


def winnings(tree: GameTree, policy: Policy, model: Policy) -> tuple[float, float]:
    """A policy's winnings from another one in each seat."""
    first, second = tree.values([policy, model]), tree.values([model, policy])
    return float(first[0]), float(second[1])


def tradeoffs(
    tree: GameTree,
    model: Policy,
    *,
    shares: Sequence[float],
    iterations: int,
    progress: Tell = silent,
) -> tuple[Tradeoff, ...]:
    """The curve of exploitability against winnings: a restricted response for each share.

    >>> from sleuth.equilibria import GameTree, tradeoffs
    >>> tree = GameTree("kuhn_poker")
    >>> model = tree.uniform_policy()
    >>> curve = tradeoffs(tree, model, shares=[0.0, 1.0], iterations=50)
    >>> [(round(each.won, 2), round(each.exploitability, 2)) for each in curve]
    [(0.14, 0.0), (0.46, 0.33)]
    """
    found: list[Tradeoff] = []
    for share in shares:
        policy = restricted_response(
            tree, model, share=share, iterations=iterations, progress=progress
        )
        found.append(
            Tradeoff(
                share=share,
                policy=policy,
                winnings=winnings(tree, policy, model),
                exploitability=exploitability(tree, policy).exploitability,
            )
        )
    return tuple(found)


def mean_policy(
    tree: GameTree, policies: Sequence[Policy], shares: Sequence[float] | None = None
) -> dict[int, NDArray[np.float64]]:
    """The policy of somebody who keeps to one of several, each in a share of the games.

    By which of them they come to an information set more often, that counts for more there (Kuhn
    1953, "Extensive games and the problem of information"): against any policy of the other of two
    players this one wins what those win on average.

    Args:
        tree: The game, written out.
        policies: The policies.
        shares: In what share of the games each is kept to; None for all the same.
    """
    totals = {known.index: np.zeros(len(known.actions)) for known in tree.information_sets}
    places = {history.information_set: at for at, history in enumerate(tree.histories)}
    for policy, share in zip(policies, shares or [1.0] * len(policies), strict=True):
        reach = [tree.reach(policy, 1 - player) for player in range(2)]
        for known in tree.information_sets:
            often = share * reach[known.player][places[known.index]]
            totals[known.index] += often * policy[known.index]
    return tree.policy(
        lambda known: (
            totals[known.index] if totals[known.index].any() else np.ones(len(known.actions))
        )
    )
