"""A finished tree as something to walk through: nodes, their edges, and what came after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from ...data.errors import SettingsError
from ...models.game import Game
from ..search.kernels.tree import ABSENT, NODES, Tree, totals
from .starts import Starts

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def edges_of(tree: Tree, node: int) -> Iterator[int]:
    """The edges of a node, in the order in which they were made."""
    block = int(tree.blocks[node])
    while block != ABSENT:
        yield from range(block, block + int(tree.block_count[block]))
        block = int(tree.block_next[block])


@dataclass(frozen=True)
class Edge:
    """An action at a node.

    Attributes:
        walk: The tree.
        index: Its number.
        player: Who takes it.
    """

    walk: TreeWalk
    index: int
    player: int

    @property
    def action(self) -> int:
        """The action's code."""
        return int(self.walk.tree.actions[self.index])

    @property
    def name(self) -> str:
        """The game's name for it."""
        return self.walk.game.action_name(self.action)

    @property
    def visits(self) -> int:
        """Simulations that took it."""
        return int(self.walk.tree.edge_visits[self.index])

    @property
    def available(self) -> int:
        """Simulations that could have taken it."""
        return int(self.walk.tree.available[self.index])

    @property
    def value(self) -> float:
        """Average return for the player who moves, in the game's own units; NaN if not taken."""
        if not self.visits:
            return float("nan")
        game = self.walk.game
        mean = float(totals(self.walk.tree)[self.index]) / self.visits
        return game.lowest + (game.highest - game.lowest) * mean

    @property
    def children(self) -> list[Node]:
        """Nodes that were first reached by it, the most visited first."""
        return self.walk.children(self.index)


@dataclass(frozen=True)
class Node:
    """A node: something that somebody may know, and what can be done then."""

    walk: TreeWalk
    index: int

    @property
    def player(self) -> int:
        """The player who moves."""
        return int(self.walk.tree.players[self.index])

    @property
    def visits(self) -> int:
        """Simulations that passed."""
        return int(self.walk.tree.visits[self.index])

    @property
    def edges(self) -> list[Edge]:
        """Its actions, the most visited first; none at a leaf."""
        found = [
            Edge(self.walk, index, self.player) for index in edges_of(self.walk.tree, self.index)
        ]
        return sorted(found, key=lambda edge: -edge.visits)


class TreeWalk:
    """One tree of a search, to be walked through from its root.

    Args:
        game: Its game.
        tree: Its arrays; they must not change meanwhile.
        starts: Where it began, for lines of play; None where nobody knows.
    """

    def __init__(self, game: Game, tree: Tree, starts: Starts | None = None) -> None:
        self.game = game
        self.tree = tree
        self.starts = starts

    @cached_property
    def _by_parent(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Nodes in the order of the edges they were first reached by, and those edges."""
        parents = self.tree.parents[: int(self.tree.used[NODES])]
        order = np.argsort(parents, kind="stable")
        return order, parents[order]

    @property
    def root(self) -> Node:
        """The start of the search; in one tree for several ways, where it began in the first."""
        return Node(self, 0)

    def node(self, index: int) -> Node:
        """The node of that number."""
        return Node(self, index)

    def children(self, edge: int) -> list[Node]:
        """Nodes first reached by an edge, the most visited first."""
        order, parents = self._by_parent
        first, last = np.searchsorted(parents, [edge, edge + 1])
        nodes = [Node(self, int(index)) for index in order[first:last]]
        return sorted(nodes, key=lambda node: -node.visits)

    def summary(self, *, depth: int = 2, width: int = 4) -> str:
        """The most visited part of the tree, indented, one line for each action."""
        lines: list[str] = []

        def add(node: Node, indent: int) -> None:
            for edge in node.edges[:width]:
                if not edge.visits:
                    continue
                role = self.game.roles[node.player]
                lines.append(
                    f"{'  ' * indent}{role}: {edge.name}  {edge.visits} visits, "
                    f"value {edge.value:.3f}"
                )
                if indent + 1 < depth:
                    for child in edge.children[:width]:
                        add(child, indent + 1)

        add(self.root, 0)
        return "\n".join(lines)

    @overload
    def draw(self, path: Path | str, *, depth: int = 3, width: int = 4, most: int = 30) -> Path: ...
    @overload
    def draw(
        self, path: None = None, *, depth: int = 3, width: int = 4, most: int = 30
    ) -> Axes: ...
    def draw(
        self, path: Path | str | None = None, *, depth: int = 3, width: int = 4, most: int = 30
    ) -> Path | Axes:
        """A picture of the most visited part; see `draw_tree`.

        Args:
            path: Where it goes; the ending says which kind. None for one to look at, which a
                notebook shows below its cell.
            depth, width, most: As for `draw_tree`.

        Returns:
            The path, else the axes.

        Raises:
            SettingsError: A number is less than 1, or nothing can draw files of that ending.
        """
        from .drawing import drawn_tree

        axes = drawn_tree(self, depth, width, most, kept=path is not None)
        if path is None:
            return axes
        figure = axes.figure
        kind, kinds = Path(path).suffix[1:], figure.canvas.get_supported_filetypes()
        if kind not in kinds:
            raise SettingsError(
                "no picture can be written with that ending",
                value=str(path),
                where="drawing a tree",
                hint="end it in .png, .svg or .pdf",
            )
        figure.savefig(path, dpi=120)
        return Path(path)
