"""Equilibria of small two-player zero-sum games, to compare the play of a search with.

Counterfactual regret minimisation in the variant CFR+ (Tammelin 2014, "Solving large imperfect
information games using CFR+"): regrets never fall below zero, players take turns, and the average
policy counts later iterations for more.

>>> from sleuth.equilibria import GameTree, equilibrium, exploitability
>>> from sleuth.games.small import kuhn_poker
>>> tree = GameTree(kuhn_poker())
>>> found = exploitability(tree, equilibrium(tree, iterations=200))
>>> found.exploitability < 0.002, round(found.values[0], 3)  # -1/18
(True, -0.056)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...data.errors import UnsupportedError
from ...data.progress import Tell, silent
from .exploitability import GameTree, Policy

Floats = NDArray[np.float64]


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

    >>> import sleuth
    >>> from sleuth.equilibria import GameTree, equilibrium
    >>> tree = GameTree("kuhn_poker")
    >>> sleuth.exploitability(tree, equilibrium(tree, iterations=100)).exploitability < 0.01
    True
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
    flat = _Flat(tree)
    regrets, totals = np.zeros(flat.size), np.zeros(flat.size)
    current = flat.shared(regrets)
    rivals: list[list[tuple[float, Floats]]] = [[(1.0, current)], [(1.0, current)]]
    if bound is not None:
        player, share, given = bound
        fixed = tree.checked(given)[player]
        model = np.concatenate([fixed[known.index] for known in tree.information_sets])
        each = ((share, model), (1.0 - share, current))
        rivals[1 - player] = [(part, policy) for part, policy in each if part > 0]
    for iteration in range(1, iterations + 1):
        for player in range(2):
            mine = flat.movers == player
            totals += np.where(mine, iteration * flat.own(current, player) * current, 0.0)
            for part, rival in rivals[player]:
                regrets += part * flat.regrets(np.where(mine, current, rival), player)
            np.maximum(regrets, 0.0, out=regrets)
            current[mine] = flat.shared(regrets)[mine]
        progress("improving both players", iteration, iterations)
    found = np.split(flat.shared(totals), flat.begins[1:])
    return tree.policy(lambda known: found[known.index])


class _Flat:
    """A tree in arrays: for every history an edge for each action, and a place in a policy for it.

    Attributes:
        begins: The first place of each information set.
        movers: For each place, whose it is.
    """

    def __init__(self, tree: GameTree) -> None:
        counts = np.array([len(known.actions) for known in tree.information_sets])
        self.begins = np.cumsum(counts) - counts
        self.size = int(counts.sum())
        self.movers = np.repeat([known.player for known in tree.information_sets], counts)
        self._sets = np.repeat(np.arange(len(counts)), counts)
        self._counts = counts
        depths = np.zeros(len(tree.histories), dtype=np.int64)
        edges: list[tuple[int, int, int, int]] = []
        self._first = np.zeros(len(counts), dtype=np.int64)
        self._ends = np.zeros(len(tree.histories))
        for number in range(len(tree.histories) - 1, -1, -1):
            history = tree.histories[number]
            if history.values is not None:
                self._ends[number] = history.values[0]
                continue
            self._first[history.information_set] = number
            begin = int(self.begins[history.information_set])
            for place, after in enumerate(history.after, start=begin):
                depths[after] = depths[number] + 1
                edges.append((int(depths[number]), number, after, place))
        table = np.array(sorted(edges)).reshape(-1, 4)
        cuts = np.flatnonzero(np.diff(table[:, 0])) + 1
        #: From the start: histories, those they lead to, and places, all of one depth.
        self._levels = [tuple(level[:, 1:].T.copy()) for level in np.split(table, cuts)]
        self._chance = np.zeros(len(tree.histories))
        for start, share in tree.starts:
            self._chance[start] = share
        self._chance = self._reach(np.ones(self.size))

    def shared(self, weights: Floats) -> Floats:
        """A policy in proportion to weights, or with equal shares where all of them are 0."""
        total = np.add.reduceat(weights, self.begins)
        even = np.repeat(1.0 / self._counts, self._counts)
        known = np.repeat(total > 0, self._counts)
        return np.where(known, weights / np.where(known, total[self._sets], 1.0), even)

    def own(self, policy: Floats, player: int) -> Floats:
        """For each place how far its player does what leads there, which is the same in all
        histories of an information set."""
        reach = self._reach(np.where(self.movers == player, policy, 1.0)) / self._chance
        return reach[self._first][self._sets]

    def regrets(self, policy: Floats, player: int) -> Floats:
        """The surplus each action of a player would have won, as far as the others let it."""
        others = self._reach(np.where(self.movers == player, 1.0, policy))
        values = self._ends if player == 0 else -self._ends
        values = values.copy()
        found = np.zeros(self.size)
        for before, after, places in reversed(self._levels):
            values += np.bincount(before, policy[places] * values[after], len(values))
            gained = others[before] * (values[after] - values[before])
            found += np.bincount(places, gained, self.size)
        return np.where(self.movers == player, found, 0.0)

    def _reach(self, policy: Floats) -> Floats:
        reach = self._chance.copy()
        for before, after, places in self._levels:
            reach[after] = reach[before] * policy[places]
        return reach
