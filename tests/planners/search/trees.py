"""Random trees as games, and what is best in them, found the plain way."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sleuth import Game
from sleuth.games.small import payoff, tree_game
from sleuth.models.small.tree_game import Payoff, TreeTurn

Kinds = Mapping[int, str]
"""player -> "max", "min" or "chance" """


def random_tree(
    rng: np.random.Generator,
    *,
    depth: int,
    players: int = 2,
    widest: int = 4,
    values: int = 7,
    ends_early: float = 0.15,
) -> TreeTurn:
    """A tree in which anybody may move at any time, and anything may be won."""

    def grow(left: int) -> TreeTurn | Payoff:
        if left == 0 or (left < depth and rng.random() < ends_early):
            return payoff(*rng.integers(-values, values + 1, size=players).astype(float).tolist())
        count = int(rng.integers(1, widest + 1))
        return TreeTurn(int(rng.integers(players)), tuple(grow(left - 1) for _ in range(count)))

    while True:
        root = grow(depth)
        assert isinstance(root, TreeTurn)
        if len(set(ends(root))) > 1:
            return TreeTurn(0, root.after)


def ends(node: TreeTurn | Payoff) -> list[tuple[tuple[float, ...], ...]]:
    """The payoffs of all ends."""
    if isinstance(node, Payoff):
        return [node.values]
    return [value for after in node.after for value in ends(after)]


def random_game(
    seed: int, *, depth: int, players: int = 2, widest: int = 4
) -> tuple[TreeTurn, Game]:
    root = random_tree(np.random.default_rng(seed), depth=depth, players=players, widest=widest)
    return root, tree_game(root)


def best_value(
    node: TreeTurn | Payoff, player: int, kinds: Kinds, *, depth: int = 10**9, middle: float = 0.0
) -> float:
    """What the player gets when everybody does what his kind does, by looking at everything."""
    if isinstance(node, Payoff):
        return node.values[0][player]
    if depth == 0:
        return middle
    values = [
        best_value(after, player, kinds, depth=depth - 1, middle=middle) for after in node.after
    ]
    kind = kinds[node.player]
    if kind == "max":
        return max(values)
    return min(values) if kind == "min" else sum(values) / len(values)


def size(node: TreeTurn | Payoff) -> int:
    """Nodes of a tree, ends and all."""
    return 1 + (sum(size(after) for after in node.after) if isinstance(node, TreeTurn) else 0)
