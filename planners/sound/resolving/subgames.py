"""Subgames: all that may be at a moment as far as everybody can see, and all that may follow.

A subgame has every history of its information sets or none, for all players at once; so it can be
solved by itself, if one knows how likely each history is at its root, and what the opponent can get
there by what they know (Burch, Johanson and Bowling 2014, "Solving imperfect information games
using decomposition").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....data.errors import SettingsError, UnsupportedError
from ....models.game import OVER, SPECTATOR
from ...small_games.exploitability import BuiltTree, GameTree, Policy
from ...small_games.written_tree import InformationSet, TreeNode
from .walk import Knowledge, Progress, begin

Begins = Callable[[Any], bool]
"""the state as a spectator sees it -> whether a subgame begins there"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Subgame:
    """A subgame: the histories at its root, and how likely each is there.

    Attributes:
        tree: A game written out, or as much of it as the subgame needs.
        roots: The numbers of the histories at the root, shape (n,). All have one public state.
        chance: How likely chance makes each of them, shape (n,).
        ranges: How likely each player does what leads to each of them, float64[players, n].
        known: The number of what each player knows at each, int64[players, n]: equal numbers where
            they cannot tell histories apart.
    """

    tree: GameTree
    roots: NDArray[np.int64]
    chance: NDArray[np.float64]
    ranges: NDArray[np.float64]
    known: NDArray[np.int64]

    def likelihood(self, *players: int) -> NDArray[np.float64]:
        """The probability of each history of the root by chance and some players; shape (n,)."""
        return self.chance * self.ranges[list(players)].prod(axis=0)


class SubgameRoot:
    """Collects the histories at the root of a subgame."""

    def __init__(self, players: int) -> None:
        self._roots: list[int] = []
        self._chance: list[float] = []
        self._ranges: list[tuple[float, ...]] = []
        self._known: list[list[int]] = []
        self._numbers: list[dict[Knowledge, int]] = [{} for _ in range(players)]

    def add(self, number: int, progress: Progress, chance: float, own: Sequence[float]) -> None:
        """Add a history: its number, how likely chance makes it, and how likely each player."""
        self._roots.append(number)
        self._chance.append(chance)
        self._ranges.append(tuple(own))
        self._known.append(
            [
                numbers.setdefault(progress.knowledge(player), len(numbers))
                for player, numbers in enumerate(self._numbers)
            ]
        )

    def subgame(self, tree: GameTree) -> Subgame:
        """The subgame below them."""
        return Subgame(
            tree=tree,
            roots=np.array(self._roots, dtype=np.int64),
            chance=np.array(self._chance),
            ranges=np.array(self._ranges).T,
            known=np.array(self._known, dtype=np.int64).T,
        )


def subgames(tree: GameTree, policy: Policy, *, begins: Begins) -> tuple[Subgame, ...]:
    """The subgames into which a game falls from moments on that everybody sees.

    Args:
        tree: The game, written out.
        policy: What all players do before, which makes their ranges.
        begins: Whether a subgame begins, from the state as a spectator sees it. Asked from the
            start on; where it is true first, there is a root.

    Raises:
        SettingsError: The policy is not for this tree, or no subgame begins anywhere.
        UnsupportedError: A player does not know what everybody is said to see, so that their
            information sets reach out of a subgame.

    >>> from sleuth.equilibria import GameTree, subgames
    >>> tree = GameTree("leduc_poker")
    >>> found = subgames(tree, tree.uniform_policy(), begins=lambda seen: seen.stage == 1)
    >>> len(found), sum(len(each.roots) for each in found)  # five ways to bet, three cards
    (15, 120)
    """
    chosen = tree.checked(policy)
    found: dict[Knowledge, tuple[int, SubgameRoot]] = {}
    owners = np.full(len(tree.histories), -1)

    def visit(number: int, progress: Progress, chance: float, own: tuple[float, ...]) -> None:
        history = tree.histories[number]
        if history.player == OVER:
            return
        if begins(progress.masked(SPECTATOR)[0]):
            new = len(found), SubgameRoot(len(own))
            owners[number], root = found.setdefault(progress.known_by(SPECTATOR), new)
            root.add(number, progress, chance, own)
            return
        mover = history.player
        known = tree.information_sets[history.information_set]
        shares = chosen[mover][known.index].tolist()
        for action, share, after in zip(known.actions, shares, history.after, strict=True):
            reached = tuple(each * (share if p == mover else 1.0) for p, each in enumerate(own))
            visit(after, progress.after(action), chance, reached)

    everybody = (1.0,) * tree.game.players
    for (number, share), states in zip(tree.starts, tree.start_states, strict=True):
        visit(number, begin(tree.game, states), share, everybody)
    if not found:
        raise SettingsError("no subgame begins anywhere", where=f"game {tree.game.name!r}")
    _check_closed(tree, owners)
    return tuple(root.subgame(tree) for _, root in found.values())


def _check_closed(tree: GameTree, owners: NDArray[np.int64]) -> None:
    """Refuse information sets of which some histories lie in a subgame and some do not."""
    owner_of: dict[int, int] = {}
    for number in range(len(tree.histories) - 1, -1, -1):
        history = tree.histories[number]
        owner = int(owners[number])
        if history.player == OVER:
            continue
        if owner_of.setdefault(history.information_set, owner) != owner:
            raise UnsupportedError(
                "a player does not know what everybody sees: an information set has histories in a "
                "subgame, and others",
                where=f"game {tree.game.name!r}, information set {history.information_set}",
            )
        if owner >= 0:
            owners[list(history.after)] = owner


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
