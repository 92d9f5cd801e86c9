"""A game given as a tree of moves and payoffs: for examples, and to check searches against.

>>> from sleuth.games.small import payoff, tree_game, turn
>>> game = tree_game(turn(0, payoff(1, -1), turn(1, payoff(0, 0), payoff(2, -2))))
>>> game.max_depth, game.max_actions
(2, 2)

Something may be hidden too: which of several worlds it is. It decides on payoffs only, so that
everybody knows the tree; who knows the world, and how likely each one is, is given with the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...data.errors import SettingsError
from ..game import HIDDEN, OVER, Game, nothing_hidden, nothing_to_fill
from ..kernels.kernel import kernel
from ..kernels.randomness import uniform
from ..state_fields import StateField

STATE = np.dtype([("player", np.int32), ("node", np.int32), ("world", np.int32)])


@dataclass(frozen=True)
class TreeTurn:
    """A decision: action number i leads to ``after[i]``."""

    player: int
    after: tuple[TreeTurn | Payoff, ...]


@dataclass(frozen=True)
class Payoff:
    """The end of a game: what each player wins, [world][player]; one row when it is always so."""

    values: tuple[tuple[float, ...], ...]


def turn(player: int, *after: TreeTurn | Payoff) -> TreeTurn:
    """A player's decision between so many actions, and what comes after each.

    >>> from sleuth.games.small import payoff, tree_game, turn
    >>> tree_game(turn(0, payoff(1, -1), payoff(0, 0), payoff(2, -2))).max_actions
    3
    """
    return TreeTurn(player, after)


def payoff(*values: float) -> Payoff:
    """The end of the game, with what each player wins.

    >>> from sleuth.games.small import payoff
    >>> payoff(1, -1).values
    ((1, -1),)
    """
    return Payoff((values,))


def by_world(*values: Sequence[float]) -> Payoff:
    """The end of the game, with what each player wins in each world.

    >>> from sleuth.games.small import by_world
    >>> by_world((1, -1), (-1, 1)).values
    ((1, -1), (-1, 1))
    """
    return Payoff(tuple(tuple(row) for row in values))


class TreeTables(NamedTuple):
    """N nodes, numbered from the root, 0; E edges; W worlds; P players.

    Attributes:
        movers: int32[N], who decides; ``OVER`` at an end.
        first: int32[N], the node's first place in ``after``.
        sizes: int32[N], how many actions it has.
        after: int32[E], the node that an action leads to.
        values: float64[N, W, P], payoffs at an end.
        worlds: float64[W], the probability of each world or one before it.
        knows: int32[P], 1 for players who know the world.
    """

    movers: NDArray[np.int32]
    first: NDArray[np.int32]
    sizes: NDArray[np.int32]
    after: NDArray[np.int32]
    values: NDArray[np.float64]
    worlds: NDArray[np.float64]
    knows: NDArray[np.int32]


@kernel(allocates=False)
def start(state: Any, tables: Any, random: Any) -> None:
    """Draw the world."""
    drawn = uniform(random)
    world = 0
    while world + 1 < len(tables.worlds) and drawn >= tables.worlds[world]:
        world += 1
    state.world = world
    state.player = tables.movers[0]


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    """All that the node has."""
    count = np.int64(tables.sizes[state.node])  # answers are 64 bits wide
    for action in range(count):
        actions[action] = action
    return count  # pyright: ignore[reportReturnType]


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    """Go to the next node."""
    state.node = tables.after[tables.first[state.node] + action]
    state.player = tables.movers[state.node]


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    """The values at the end."""
    for player in range(len(tables.knows)):
        values[player] = tables.values[state.node, state.world, player]


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    """Hide the world from who does not know it."""
    if viewer < 0 or tables.knows[viewer] == 0:
        state.world = HIDDEN


@kernel(allocates=False)
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    """One column: the world's number."""
    state.world = world[0]


def tree_game(
    root: TreeTurn,
    *,
    worlds: Sequence[float] = (1.0,),
    knows: Sequence[bool] | None = None,
    name: str = "tree_game",
) -> Game:
    """The game of a tree.

    Args:
        root: The first decision.
        worlds: How likely each world is; they are scaled to add up to 1.
        knows: For each player whether they know the world; None: nobody does.
        name: What the game is called.

    Raises:
        SettingsError: If payoffs do not fit players or worlds, or probabilities make no sense.

    >>> from sleuth.games.small import by_world, payoff, tree_game, turn
    >>> bet = turn(1, payoff(1, -1), by_world((2, -2), (-2, 2)))
    >>> bluff = tree_game(turn(0, payoff(0, 0), bet), worlds=(0.5, 0.5), knows=(True, False))
    >>> bluff.max_depth, bluff.hides
    (2, True)
    """
    shares = np.array(worlds, dtype=float)
    if shares.ndim != 1 or not len(shares) or (shares < 0).any() or not shares.sum() > 0:
        raise SettingsError("worlds must have probabilities", value=worlds, where=f"game {name!r}")
    nodes, depth = _listed(root)
    ends = [node for node in nodes if isinstance(node, Payoff)]
    players = len(ends[0].values[0])
    for end in ends:
        if len(end.values) not in (1, len(shares)) or {len(row) for row in end.values} != {players}:
            raise SettingsError(
                "a payoff must have a number for each player, in one row or one for each world",
                where=f"game {name!r}",
                value=end.values,
            )
    known = tuple(knows) if knows is not None else (False,) * players
    turns = [node for node in nodes if isinstance(node, TreeTurn)]
    movers = {node.player for node in turns}
    if len(known) != players or not movers <= set(range(players)):
        raise SettingsError(
            f"payoffs are for {players} players, but others are named",
            where=f"game {name!r}",
            value=(sorted(movers), known),
        )
    tables = _tables(nodes, shares / shares.sum(), known)
    found = np.array([value for end in ends for row in end.values for value in row])
    hides = len(shares) > 1 and not all(known)
    return Game(
        name=name,
        version=1,
        roles=tuple(f"player {number}" for number in range(players)),
        state=STATE,
        tables=tables,
        action_space=max(len(node.after) for node in turns),
        max_actions=max(len(node.after) for node in turns),
        max_depth=depth,
        lowest=float(found.min()),
        highest=float(found.max()),
        start=start,
        legal=legal,
        apply=apply,
        returns=returns,
        mask=mask if hides else nothing_hidden,
        fill=fill if hides else nothing_to_fill,
        fields={
            "node": StateField("the place in the tree, 0 the root", 0, len(nodes) - 1),
            "world": StateField("the world that is so", 0, len(shares) - 1),
        },
        sum_of_returns=_sum(ends),
    )


def _sum(ends: Sequence[Payoff]) -> float | None:
    """The sum of the payoffs at every end; None where that differs."""
    sums = {round(sum(row), 12) for end in ends for row in end.values}
    return sums.pop() if len(sums) == 1 else None


def _listed(root: TreeTurn) -> tuple[list[TreeTurn | Payoff], int]:
    """All nodes, a parent before its children and siblings side by side; the most actions."""
    nodes: list[TreeTurn | Payoff] = [root]
    depths = [0]
    place = 0
    while place < len(nodes):
        node = nodes[place]
        if isinstance(node, TreeTurn):
            if not node.after:
                raise SettingsError("a decision must have an action", where="tree game", value=node)
            nodes.extend(node.after)
            depths.extend([depths[place] + 1] * len(node.after))
        place += 1
    return nodes, max(depths)


def _tables(
    nodes: Sequence[TreeTurn | Payoff], shares: NDArray[np.float64], known: Sequence[bool]
) -> TreeTables:
    count = np.array(
        [len(node.after) if isinstance(node, TreeTurn) else 0 for node in nodes], np.int32
    )
    # Nodes are listed as they are come by, so all but the root are somebody's next child.
    values = np.zeros((len(nodes), len(shares), len(known)))
    for number, node in enumerate(nodes):
        if isinstance(node, Payoff):
            values[number] = node.values
    return TreeTables(
        movers=np.array(
            [node.player if isinstance(node, TreeTurn) else OVER for node in nodes], np.int32
        ),
        first=np.cumsum(count, dtype=np.int32) - count,
        sizes=count,
        after=np.arange(1, len(nodes), dtype=np.int32),
        values=values,
        worlds=np.cumsum(shares),
        knows=np.array(known, np.int32),
    )
