"""A decision that is drawn from a mixed policy, as values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...models.game import Game
from ...models.play import SeenPlay, View
from ..search.decision import ActionReport, Decision
from ..search.kernels.tree import EDGES, add_roots, empty_tree
from ..viewing.tree_walk import TreeWalk


def drawn_decision(
    game: Game,
    view: View,
    seen: SeenPlay,
    shares: NDArray[np.float64],
    *,
    visits: NDArray[np.int64],
    values: NDArray[np.float64],
    seed: int,
    simulations: int,
    seconds: float = 0.0,
    nodes: int = 0,
    full: bool = False,
    interrupted: bool = False,
) -> Decision:
    """The decision of a player who plays a mixed policy.

    What is drawn depends on the seed and on how much was seen, and on nobody else's draws. The
    action that was drawn stands first, then the likeliest.

    Args:
        game: The game.
        view: The state as the player to move sees it.
        seen: What they have seen so far.
        shares: The policy, for the legal actions in their order.
        visits: How often each was tried; all 0 where that is not counted.
        values: What each brought, in the game's own units; NaN where that is not known.
        seed: The draw depends on it and on how much was seen.
        simulations, seconds, nodes, full, interrupted: As in `Decision`.
    """
    actions: list[int] = view.legal().tolist()
    rng = np.random.default_rng((seed, len(seen.events)))
    drawn = int(rng.choice(len(actions), p=shares))
    reports = [
        ActionReport(
            action=action,
            name=game.action_name(action),
            visits=int(visits[place]),
            value=float(values[place]),
            interval=(np.nan, np.nan),
            gain=None,
            score=float(values[place]),
            votes=0,
            values_by_class={},
        )
        for place, action in enumerate(actions)
    ]
    order = sorted(range(len(actions)), key=lambda place: (place != drawn, -shares[place]))
    return Decision(
        action=actions[drawn],
        name=reports[drawn].name,
        actions=tuple(reports[place] for place in order),
        simulations=simulations,
        seconds=seconds,
        nodes=nodes,
        full=full,
        interrupted=interrupted,
        seed=seed,
        rivals=(),
        untried=int((visits == 0).sum()) if visits.any() else 0,
        policy=dict(zip(actions, shares.tolist(), strict=True)),
        tree=_root_alone(game, view.viewer, actions, visits, values),
    )


def _root_alone(
    game: Game,
    player: int,
    actions: list[int],
    visits: NDArray[np.int64],
    values: NDArray[np.float64],
) -> TreeWalk:
    """The decision as a tree of one node, since what follows is kept by information sets."""
    count = len(actions)
    tree = empty_tree(1, count)
    add_roots(tree, 1, player)
    tree.blocks[0], tree.block_count[0] = 0, count
    tree.actions[:count] = actions
    tree.used[EDGES] = count
    tree.visits[0] = visits.sum()
    tree.edge_visits[:count] = tree.available[:count] = visits
    spread = game.highest - game.lowest
    tree.values[:count] = np.nan_to_num((values - game.lowest) / spread) * visits
    return TreeWalk(game, tree)


def redrawn(
    found: Decision,
    game: Game,
    view: View,
    seen: SeenPlay,
    shares: NDArray[np.float64],
    *,
    seed: int,
) -> Decision:
    """The same decision, drawn from another policy, for the legal actions in their order."""
    reports = [found[action] for action in view.legal().tolist()]
    made = drawn_decision(
        game,
        view,
        seen,
        shares,
        visits=np.array([each.visits for each in reports], np.int64),
        values=np.array([each.value for each in reports]),
        seed=seed,
        simulations=found.simulations,
        seconds=found.seconds,
        nodes=found.nodes,
        full=found.full,
        interrupted=found.interrupted,
    )
    return replace(made, caveat=found.caveat)


def without_rare(
    found: Decision, game: Game, view: View, seen: SeenPlay, least: float, *, seed: int
) -> Decision:
    """The same decision, drawn anew from its policy without what that does more rarely.

    Ganzfried, Sandholm and Waugh (2012), "Strategy purification and thresholding: effective
    non-equilibrium approaches for playing large games". The likeliest action always remains.

    Args:
        found: A decision with a policy.
        game: The game.
        view: The state as the player to move sees it.
        seen: What they have seen so far.
        least: The least probability of what remains, from 0 to 1.
        seed: The draw depends on it and on how much was seen.
    """
    policy = found.policy or {}
    shares = np.array([policy[action] for action in view.legal().tolist()])
    shares[shares < min(least, shares.max())] = 0.0
    return redrawn(found, game, view, seen, shares / shares.sum(), seed=seed)
