"""Equilibria of small two-player zero-sum games, to compare the play of a search with.

Counterfactual regret minimisation in three variants, in which players take turns: CFR+ (Tammelin
2014, "Solving large imperfect information games using CFR+"), where regrets never fall below zero
and the average policy counts later iterations for more; and discounted CFR (Brown and Sandholm
2019, "Solving imperfect-information games via discounted regret minimization"), where regrets of
long ago count less, and linear CFR among it.

>>> from sleuth.equilibria import GameTree, equilibrium, exploitability
>>> from sleuth.games.small import kuhn_poker
>>> tree = GameTree(kuhn_poker())
>>> found = exploitability(tree, equilibrium(tree, iterations=200))
>>> found.exploitability < 0.002, round(found.values[0], 3)  # -1/18
(True, -0.056)
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...data.errors import SettingsError, UnsupportedError
from ...data.progress import Tell, silent
from ...models.kernels.compiling import waiting
from .exploitability import GameTree, Policy
from .kernels.improving import add_average, add_regrets, discount, match_regrets

Floats = NDArray[np.float64]


class Discounting(NamedTuple):
    """The weights of iterations.

    Attributes:
        above: Regrets above zero are multiplied by t**above / (t**above + 1) after iteration t;
            None for nothing. (alpha in the paper)
        below: Those below zero likewise; None for leaving none. (beta)
        average: Iteration t counts t**average in the average policy. (gamma)
    """

    above: float | None
    below: float | None
    average: float


#: The variants, by their names.
METHODS: Final = {
    "cfr+": Discounting(None, None, 1.0),
    "discounted": Discounting(1.5, 0.0, 2.0),
    "linear": Discounting(1.0, 1.0, 1.0),
}
#: Histories, over all iterations, beyond which it waits for the compiler.
_MANY: Final = 50_000


def equilibrium(
    tree: GameTree, *, iterations: int, method: str = "cfr+", progress: Tell = silent
) -> dict[int, NDArray[np.float64]]:
    """A policy near an equilibrium; `exploitability` says how near.

    Args:
        tree: The game, written out.
        iterations: How often both players improve; the distance falls about as one over it.
        method: ``"cfr+"``; ``"discounted"`` for discounted CFR (alpha 3/2, beta 0, gamma 2);
            ``"linear"`` for linear CFR.
        progress: Told after every iteration.

    Raises:
        SettingsError: There is no such method.
        UnsupportedError: If the game is not one of two players in which one wins what the other
            loses.

    >>> import sleuth
    >>> from sleuth.equilibria import GameTree, equilibrium
    >>> tree = GameTree("kuhn_poker")
    >>> sleuth.exploitability(tree, equilibrium(tree, iterations=100)).exploitability < 0.01
    True
    >>> near = equilibrium(tree, iterations=100, method="discounted")
    >>> sleuth.exploitability(tree, near).exploitability < 0.002
    True
    """
    return improved(tree, iterations=iterations, method=method, progress=progress)


def improved(
    tree: GameTree,
    *,
    iterations: int,
    bound: tuple[int, float, Policy] | None = None,
    method: str = "cfr+",
    progress: Tell = silent,
) -> dict[int, NDArray[np.float64]]:
    """The policies that two players come to who improve in turns.

    Args:
        tree: The game, written out.
        iterations: How often both improve.
        bound: A player, and how often what policy of theirs takes the place of the one that
            improves, from the start to the end of a game; the other is not told when. None for
            players who are both free.
        method: As of `equilibrium`.
        progress: Told after every iteration.

    Raises:
        SettingsError, UnsupportedError: As `equilibrium`.
    """
    if method not in METHODS:
        raise SettingsError(
            "there is no such method", value=method, hint=f"one of {', '.join(METHODS)}"
        )
    weights = METHODS[method]
    arrays = tree.arrays
    if arrays.returns.shape[1] != 2 or arrays.returns.sum(axis=1).any():
        raise UnsupportedError(
            "only two-player zero-sum games have equilibria of this kind",
            where=f"game {tree.game.name!r}",
        )
    size, owners = len(arrays.actions), np.repeat(arrays.movers, tree.counts)
    ends = np.zeros(len(arrays.parents))
    over = arrays.sets < 0
    ends[over] = arrays.returns[-1 - arrays.sets[over], 0]
    chance = np.zeros(len(ends))
    for start, share in tree.starts:
        chance[start] = share
    reach, values, gains, far = np.zeros(len(ends)), np.zeros(len(ends)), *np.zeros((2, size))
    regrets, totals, current, average = np.zeros((4, size))
    orders = [tree.order(player).sets for player in range(2)]
    rivals: list[list[tuple[float, Floats]]] = [[(1.0, current)], [(1.0, current)]]
    if bound is not None:
        player, share, given = bound
        each = ((share, tree.checked(given).of(player)), (1.0 - share, current))
        rivals[1 - player] = [(part, policy) for part, policy in each if part > 0]
    with waiting() if iterations * len(ends) > _MANY else nullcontext():
        for own in orders:
            match_regrets(own, arrays.begins, regrets, current)
        for iteration in range(1, iterations + 1):
            above, below = (
                _kept(iteration, weights.above, 1.0),
                _kept(iteration, weights.below, 0.0),
            )
            for player, own in enumerate(orders):
                counts = float(iteration) ** weights.average
                add_average(own, arrays.begins, arrays.before, current, counts, far, totals)
                for part, rival in rivals[player]:
                    policy = current
                    if rival is not current:
                        policy = np.where(owners == player, current, rival)
                    add_regrets(
                        arrays.parents,
                        arrays.places,
                        ends,
                        owners,
                        chance,
                        player,
                        policy,
                        part,
                        reach,
                        values,
                        gains,
                        regrets,
                    )
                discount(owners, player, above, below, regrets)
                match_regrets(own, arrays.begins, regrets, current)
            progress("improving both players", iteration, iterations)
        for own in orders:
            match_regrets(own, arrays.begins, totals, average)
    return tree.of_shares(average)


def _kept(iteration: int, power: float | None, otherwise: float) -> float:
    """The share of regrets that is left after an iteration (Brown and Sandholm 2019, section 3)."""
    if power is None:
        return otherwise
    grown = float(iteration) ** power
    return grown / (grown + 1.0)
