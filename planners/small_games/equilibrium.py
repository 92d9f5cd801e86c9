"""Equilibria of small two-player zero-sum games, to compare the play of a search with.

Counterfactual regret minimisation in the variant CFR+ (Tammelin 2014, "Solving large imperfect
information games using CFR+"): regrets never fall below zero, players take turns, and the average
policy counts later iterations for more.

>>> from itertools import permutations
>>> from sleuth.models.small.kuhn_poker import kuhn_poker
>>> from sleuth.planners.small_games.exploitability import GameTree, exploitability
>>> tree = GameTree(kuhn_poker(), rows=list(permutations(range(3))))
>>> found = exploitability(tree, equilibrium(tree, iterations=200))
>>> found.exploitability < 0.002, round(found.values[0], 3)  # -1/18
(True, -0.056)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...data.errors import UnsupportedError
from ...data.progress import Tell, silent
from .exploitability import GameTree, Policy


def equilibrium(
    tree: GameTree, *, iterations: int, progress: Tell = silent
) -> dict[int, NDArray[np.float64]]:
    """A policy near an equilibrium; `exploitability` says how near.

    Args:
        tree: The game, written out.
        iterations: How often both players improve; the distance falls about as one over it.
        progress: Told after every iteration.

    Raises:
        UnsupportedError: If the game is not one of two players in which one wins what the other
            loses.
    """
    return improved(tree, iterations=iterations, progress=progress)


def improved(
    tree: GameTree,
    *,
    iterations: int,
    bound: tuple[int, float, Policy] | None = None,
    progress: Tell = silent,
) -> dict[int, NDArray[np.float64]]:
    """The policies that two players come to who improve in turns.

    Args:
        tree: The game, written out.
        iterations: How often both improve.
        bound: A player, and how often what policy of theirs takes the place of the one that
            improves, from the start to the end of a game; the other is not told when. None for
            players who are both free.
        progress: Told after every iteration.

    Raises:
        UnsupportedError: As `equilibrium`.
    """
    for history in tree.histories:
        if history.values is not None and (len(history.values) != 2 or history.values.sum() != 0):
            raise UnsupportedError(
                "only two-player zero-sum games have equilibria of this kind",
                where=f"game {tree.game.name!r}",
            )
    regrets = [np.zeros(len(known.actions)) for known in tree.information_sets]
    totals = [np.zeros(len(known.actions)) for known in tree.information_sets]
    current = tree.uniform_policy()
    rivals: list[list[tuple[float, Policy]]] = [[(1.0, current)], [(1.0, current)]]
    if bound is not None:
        player, share, fixed = bound
        each = ((share, fixed), (1.0 - share, current))
        rivals[1 - player] = [(part, policy) for part, policy in each if part > 0]
    for iteration in range(1, iterations + 1):
        for player in range(2):
            _improve(tree, player, iteration, regrets, totals, current, rivals[player])
        progress("improving both players", iteration, iterations)
    return tree.policy(
        lambda known: (
            totals[known.index] if totals[known.index].sum() > 0 else np.ones(len(known.actions))
        )
    )


def _improve(
    tree: GameTree,
    player: int,
    weight: float,
    regrets: list[NDArray[np.float64]],
    totals: list[NDArray[np.float64]],
    current: dict[int, NDArray[np.float64]],
    rivals: Sequence[tuple[float, Policy]],
) -> None:
    """Change one player's regrets and current policy, and add it to the total.

    ``rivals`` are the policies that the other may have, with their shares of all games.
    """
    own = tree.reach(current, 1 - player).tolist()
    for part, rival in rivals:
        policies = [rival, rival]
        policies[player] = current
        shares = [{index: each.tolist() for index, each in used.items()} for used in policies]
        others = (part * tree.reach(policies, player)).tolist()
        values: list[float] = []
        for number, history in enumerate(tree.histories):
            if history.values is not None:
                values.append(float(history.values[player]))
                continue
            index = history.information_set
            after = [values[each] for each in history.after]
            given = shares[history.player][index]
            value = sum(share * each for share, each in zip(given, after, strict=True))
            values.append(value)
            if history.player == player and others[number] > 0:
                regret = regrets[index]
                for place, each in enumerate(after):
                    regret[place] += others[number] * (each - value)
    # Own probability is the same in all histories of an information set, but for chance.
    seen: set[int] = set()
    chance = _chance(tree)
    for number, history in enumerate(tree.histories):
        index = history.information_set
        if history.player != player or index in seen:
            continue
        seen.add(index)
        totals[index] += weight * own[number] / chance[number] * current[index]
        regret = regrets[index]
        np.maximum(regret, 0.0, out=regret)
        total = float(regret.sum())
        current[index] = regret / total if total > 0 else np.full(len(regret), 1 / len(regret))


def _chance(tree: GameTree) -> NDArray[np.float64]:
    """How likely chance lets every history come about."""
    shares = np.zeros(len(tree.histories))
    for start, share in tree.starts:
        shares[start] = share
    for number in range(len(tree.histories) - 1, -1, -1):
        for after in tree.histories[number].after:
            shares[after] = shares[number]
    return shares
