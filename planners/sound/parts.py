"""Trees that are put together from parts: a game from several histories on, with choices before.

They are trees of a game with other starts, so that everything that asks a `GameTree` asks them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...models.game import OVER, Game, States
from ..small_games.exploitability import GameTree, InformationSet, Policy, TreeNode


class BuiltTree(GameTree):
    """A tree to which histories are added one by one.

    Args:
        game: Whose tree it is.
    """

    def __init__(self, game: Game) -> None:  # pyright: ignore[reportMissingSuperCall]
        self.game: Game = game
        self.information_sets: list[InformationSet] = []
        self.histories: list[TreeNode] = []
        self.starts: list[tuple[int, float]] = []
        self.start_states: list[States] = []

    def add(self, history: TreeNode) -> int:
        """Add a history behind all that can follow it; the number it has here."""
        self.histories.append(history)
        return len(self.histories) - 1


class GamePart(BuiltTree):
    """A game from several histories on: what can follow is copied out of a tree.

    Args:
        tree: Where it is copied from.

    Attributes:
        origins: For each information set its number in the tree it comes from; -1 for none.
    """

    def __init__(self, tree: GameTree) -> None:
        super().__init__(tree.game)
        self.origins: list[int] = []
        self._tree: Final = tree
        self._places: dict[tuple[int, bool], int] = {}

    def copy(
        self,
        number: int,
        *,
        scale: float = 1.0,
        taken: NDArray[np.float64] | None = None,
        apart: int | None = None,
    ) -> int:
        """Copy a history and all that can follow it; the number it has here.

        Args:
            number: Its number in the tree.
            scale: What all that is won in it is multiplied by.
            taken: What is taken from each player's winnings before; None for nothing.
            apart: A player who can tell it from what was copied otherwise; None for nobody.
        """
        history = self._tree.histories[number]
        if history.values is not None:
            values = history.values if taken is None else history.values - taken
            return self.add(TreeNode(OVER, -1, (), scale * values))
        after = tuple(
            self.copy(each, scale=scale, taken=taken, apart=apart) for each in history.after
        )
        known = history.information_set
        key = known, history.player == apart
        if key not in self._places:
            self._places[key] = self.decision(self._tree.information_sets[known], known)
        return self.add(TreeNode(history.player, self._places[key], after, None))

    def decision(self, known: InformationSet, origin: int = -1) -> int:
        """Add an information set; the number it has here."""
        self.information_sets.append(replace(known, index=len(self.information_sets)))
        self.origins.append(origin)
        return len(self.origins) - 1

    def taken(self, policy: Policy) -> dict[int, NDArray[np.float64]]:
        """A policy of the whole tree, for the information sets here."""
        return self.policy(lambda known: policy[self.origins[known.index]])
