"""Backing up: a game that is over, or broken off, is credited to the edges that led there."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.kernels.kernel import kernel
from .gains import UNKNOWN, gain_on
from .handing_up import bring
from .knowledge import Knowledge, action_key, row_of
from .tree import ABSENT, Tree
from .work import HISTORY, PLIES, REGRETS, Numbers, Work


@kernel(allocates=False)
def no_evaluation(state: Any, player: int, tables: Any) -> float:
    """In place of an evaluation, where none is given."""
    return 0.0


@kernel(allocates=False, inline="late", inner=True)
def back_up(
    tree: Tree, numbers: Numbers, work: Work, root: int, depth: int, plies: int, values: Any
) -> None:
    """Credit every edge of the path with what its player got out of the game."""
    players = len(work.values)
    work.counters[PLIES] += plies
    if numbers.for_himself != 0:
        for player in range(players):
            work.mapped[player] = (work.values[player] - numbers.lowest) * numbers.scale
    elif numbers.discount == 1.0:
        _map(numbers, work, 1.0)
    for i in range(depth):
        step = np.uint64(i)
        if numbers.discount != 1.0:
            _map(numbers, work, numbers.discount ** float(plies - work.path_plies[step]))
        edge = work.path_edges[step]
        got = work.mapped[work.path_players[step]]
        tree.edge_visits[edge] += 1
        tree.values[edge] += got
        tree.squares[edge] += got * got
    if numbers.bias == REGRETS:
        _weigh(tree, numbers, work, depth, plies)
    if depth > 0 and len(work.root_visits) > 0:
        place = work.path_edges[0] - np.uint64(tree.blocks[np.uint64(root)])
        if place < np.uint64(len(work.root_visits)):
            if numbers.discount != 1.0:
                _map(numbers, work, numbers.discount ** float(plies))
            for variable in range(len(values)):
                work.root_visits[place, values[variable]] += 1.0
                work.root_values[place, values[variable]] += work.mapped[work.path_players[0]]
    if numbers.bias == HISTORY:
        if numbers.discount != 1.0:
            _map(numbers, work, 1.0)
        action_space = len(numbers.telling)
        for ply in range(plies):
            row = work.played[ply]
            work.history[row, 0] += 1.0
            work.history[row, 1] += work.mapped[row // action_space]


@kernel(allocates=False, inline="late", inner=True)
def _weigh(tree: Tree, numbers: Numbers, work: Work, depth: int, plies: int) -> None:
    """Credit every edge of the path over the chance that it was taken with.

    Only regret matching asks for this, so other selections do not ask about it at every edge.
    """
    for i in range(depth):
        step = np.uint64(i)
        if numbers.discount != 1.0:
            _map(numbers, work, numbers.discount ** float(plies - work.path_plies[step]))
        got = work.mapped[work.path_players[step]]
        tree.weighted[work.path_edges[step]] += (got - 0.5) / work.path_chances[step]


@kernel(allocates=False, inline="late", inner=True)
def back_up_best(
    tree: Tree, numbers: Numbers, work: Work, knowledge: Knowledge, depth: int
) -> None:
    """Let every node of the path bring to the edge before it what its best action brings.

    Args:
        tree, numbers, work, knowledge: See `simulate`; the path is that of the one player.
        depth: Edges on the path.
    """
    last = np.int64(work.line[0].left_at)
    deepest = work.path_edges[np.uint64(depth - 1)]
    got = work.mapped[work.path_players[np.uint64(depth - 1)]]
    tree.best[deepest] += got
    if last != ABSENT:
        tree.held[last] += got
    for i in range(depth - 1, 0, -1):
        node, row = work.path_nodes[i], work.path_rows[i]
        best = _best_edge(tree, node, numbers, knowledge, row)
        brings = tree.visits[node] * (tree.best[best] / tree.edge_visits[best])
        tree.best[work.path_edges[i - 1]] += brings - tree.held[node]
        tree.held[node] = brings
        if row != ABSENT:
            action = np.int64(tree.actions[best])
            bring(knowledge, row, action, numbers.variables, numbers.gain_discount)


@kernel(allocates=False, inline="late", inner=True)
def _best_edge(tree: Tree, node: int, numbers: Numbers, knowledge: Knowledge, row: int) -> int:
    """The edge of a node that brings most, with what is learned from it on.

    Only those count that were taken at least half as often as the one that was taken most often:
    the largest of many averages would else be one that was lucky (Coulom 2006, "Efficient
    selectivity and backup operators in Monte-Carlo tree search").

    Args:
        tree, node, numbers, knowledge: See `simulate`.
        row: What is known at the node, as a row of knowledge or -1.
    """
    most = np.int64(0)
    block = np.int64(tree.blocks[node])
    while block != ABSENT:
        for edge in range(block, block + tree.block_count[block]):
            most = max(most, np.int64(tree.edge_visits[edge]))
        block = np.int64(tree.block_next[block])
    best = np.int64(tree.blocks[node])
    highest = -np.inf
    block = best
    while block != ABSENT:
        for edge in range(block, block + tree.block_count[block]):
            visits = np.int64(tree.edge_visits[edge])
            if visits == 0 or 2 * visits < most:
                continue
            score = tree.best[edge] / visits
            if row != ABSENT:
                taken = row_of(knowledge, action_key(knowledge.keys[row], tree.actions[edge]))
                if taken != ABSENT:
                    bits = gain_on(knowledge, taken, numbers.variables)
                    if bits != UNKNOWN:
                        score += numbers.gain_weight * bits
            if score > highest:
                highest = score
                best = np.int64(edge)
        block = np.int64(tree.block_next[block])
    return best


@kernel(allocates=False, inline="late", inner=True)
def _map(numbers: Numbers, work: Work, factor: float) -> None:
    """Write every player's credit, from returns times ``factor``."""
    players = len(work.values)
    for player in range(players):
        work.mapped[player] = 0.0
    for other in range(players):
        part = (factor * work.values[other] - numbers.lowest) * numbers.scale
        for player in range(players):
            work.mapped[player] += numbers.credits[player, other] * part
