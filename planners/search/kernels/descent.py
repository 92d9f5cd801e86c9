"""Descending: where a node is found in the tree, and which action is tried there."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.game import HIDDEN
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import mix
from .gains import UNKNOWN, gain_on, ranked
from .knowledge import Knowledge, action_key, row_of
from .selection import some_new, uct_in_place
from .tree import ABSENT, NODES, Tree, find_edges, find_or_add, usual_block
from .work import (
    ALL,
    EVERYTHING,
    HISTORY,
    KEY,
    NONE,
    OBSERVER,
    PLAYERS,
    PRIOR,
    REGRETS,
    RENEWED,
    Numbers,
    Rules,
    Work,
)


@kernel(allocates=False, inline="late", inner=True)
def find_node(
    rules: Rules,
    tables: Any,
    state: Any,
    known: np.uint64,
    root: int,
    ply: int,
    depth: int,
    tree: Tree,
    numbers: Numbers,
    work: Work,
    most_nodes: int,
) -> int:
    """The node that a line has come to, made if there is room for it, else -1.

    Args:
        rules, tables, tree, numbers, work, most_nodes: See `simulate`.
        state: The state.
        known: What the observer knows, as a key.
        root: The line's root.
        ply, depth: Actions so far, and edges on the path.
    """
    # It is not there yet in the first simulation of a single root.
    if ply == 0 and tree.used[NODES] > 0:
        return root
    mover = np.int64(state.player)
    own = np.uint64(0)
    if numbers.information == KEY:
        own = rules.key(state, mover, tables)
    key = _node_key(numbers, work, known, own, mover, ply == 0)
    parent = np.int64(work.path_edges[np.uint64(depth - 1)]) if depth > 0 else np.int64(ABSENT)
    return find_or_add(tree, key, mover, parent, most_nodes)


@kernel(allocates=False, inline="late", inner=True)
def descend(
    rules: Rules,
    tables: Any,
    state: Any,
    legal: int,
    node: int,
    depth: int,
    known: np.uint64,
    tree: Tree,
    knowledge: Knowledge,
    numbers: Numbers,
    work: Work,
    random: Any,
) -> int:
    """Choose among the edges of a node; the action's index, or -1 where the tree is left there.

    Args:
        rules, tables, tree, knowledge, numbers, work, random: See `simulate`.
        state: The state.
        legal: How many of ``work.actions`` there are to choose from.
        node: The node, or -1 where there was no room for it.
        depth: How many edges stand on the path before.
        known: What the observer knows, as a key.
    """
    if node == ABSENT:
        return np.int64(-1)
    visits = np.int64(tree.visits[np.uint64(node)]) + 1
    tree.visits[np.uint64(node)] = visits
    # A leaf gets edges when it is next met, or later; a root has them at once.
    if node >= numbers.roots and (visits == 1 or visits < numbers.counts_from):
        return np.int64(-1)
    # A selection in place asks for no prior.
    if numbers.bias == PRIOR and numbers.in_place == 0:
        rules.prior(state, work.actions, np.int64(legal), tables, work.bias)
    return _choose(rules.select, tree, node, depth, legal, numbers, work, knowledge, known, random)


@kernel(allocates=False, inline="late", inner=True)
def _node_key(
    numbers: Numbers, work: Work, known: np.uint64, own: np.uint64, mover: int, first: bool
) -> np.uint64:
    """The key of the node where a player moves, by what nodes stand for.

    What is known says who moves, but two players can know the same. The root (``first``) is a node
    of its own: there may be fewer actions to choose from.

    Args:
        numbers, work: See `simulate`.
        known: What the observer knows, as a key.
        own: The game's own key, where nodes stand for that.
        mover: The player.
        first: Whether it is the root.
    """
    if numbers.information == OBSERVER:
        key = known
    elif numbers.information == PLAYERS:
        key = work.keys[mover]
    elif numbers.information == EVERYTHING:
        key = work.keys[len(work.values)]
    else:
        key = mix(np.uint64(0), own)
    return mix(key, HIDDEN) if first else key ^ np.uint64(mover)


@kernel(allocates=False, inline="late", inner=True)
def _add_gains(
    tree: Tree,
    node: int,
    legal: int,
    numbers: Numbers,
    work: Work,
    knowledge: Knowledge,
    key: np.uint64,
) -> None:
    """Add to every mean what the information from an action on is worth.

    An action that too few states have taken is not held to tell less than the others: it counts
    as the best of them, until it is known. At the root only what has changed is looked up, since
    one simulation changes what one action there tells; who backs up the best, or has several
    roots, looks everything up.
    """
    kept = node == 0 and numbers.roots == 1 and numbers.best == 0
    best = 0.0
    renewed = work.counters[RENEWED]
    for i in range(legal):
        if kept and renewed != ALL and renewed != i:
            bits = work.root_gains[i]
            work.gains[i] = bits
            best = max(best, bits)
            continue
        action = work.actions[i]
        bits = UNKNOWN if numbers.telling[action] != 0 and numbers.follow_depth > 0 else 0.0
        if node < numbers.roots and not np.isnan(numbers.root_gain[i]):
            bits = numbers.root_gain[i]
        found = row_of(knowledge, action_key(key, action))
        if found != ABSENT:
            bits = gain_on(knowledge, found, numbers.variables)
        work.gains[i] = bits
        if kept:
            work.root_gains[i] = bits
        best = max(best, bits)
    if kept:
        work.counters[RENEWED] = NONE
    for i in range(legal):
        bits = work.gains[i]
        worth = numbers.gain_weight * (best if bits == UNKNOWN else bits)
        work.means[i] += worth
        if numbers.bias == REGRETS:
            work.bias[i] += worth


@kernel(allocates=False, inline="late", inner=True)
def _choose(
    select: Any,
    tree: Tree,
    node: int,
    depth: int,
    legal: int,
    numbers: Numbers,
    work: Work,
    knowledge: Knowledge,
    key: np.uint64,
    random: Any,
) -> int:
    """The legal action to take at a node, as an index; -1 when there is no room.

    What a prior says of them stands in ``work.bias``.
    """
    player = tree.players[node]
    learns = numbers.gain_weight != 0.0 and (numbers.learners >> player) & 1 != 0
    opens = learns and numbers.open_factor > 0.0 and node >= numbers.roots
    opens = opens and ranked(knowledge, key)
    if numbers.in_place != 0 and not opens:
        block = usual_block(tree, node, work.actions, legal)
        # Where some actions were never taken they come first, whatever the others tell.
        if block != ABSENT and (not learns or some_new(tree, block, legal)):
            choice = uct_in_place(tree, node, block, legal, numbers.settings, random)
            work.edges[np.uint64(choice)] = np.uint64(block + choice)
            return choice
    if not find_edges(tree, node, work.actions, legal, work.edges, work.missing):
        return -1
    for i in range(legal):
        edge = work.edges[i]
        tree.available[edge] += 1
        visits = tree.edge_visits[edge]
        work.visits[i] = visits
        total = tree.best[edge] if numbers.best != 0 else tree.values[edge]
        work.means[i] = total / visits if visits > 0 else 0.0
        work.available[i] = tree.available[edge]
        if numbers.bias == HISTORY:
            row = player * len(numbers.telling) + work.actions[i]
            taken = work.history[row, 0]
            work.bias[i] = work.history[row, 1] / taken if taken > 0.0 else 0.0
    if numbers.bias == REGRETS:
        for i in range(legal):
            edge = work.edges[i]
            # The action could have been taken once more than it could before: it can be now.
            work.bias[i] = 0.5 + tree.weighted[edge] / max(1, tree.available[edge] - 1)
    if learns:
        _add_gains(tree, node, legal, numbers, work, knowledge, key)
    if opens:
        choice = _select_open(select, tree, node, legal, numbers, work, random)
    else:
        choice = _select_all(select, tree, node, legal, numbers, work, random)
    if numbers.bias == REGRETS:
        work.path_chances[depth] = work.bias[choice]
    return choice


@kernel(allocates=False, inline="late", inner=True)
def _select_all(
    select: Any, tree: Tree, node: int, legal: int, numbers: Numbers, work: Work, random: Any
) -> int:
    """The action to take at a node where all are open."""
    return select(
        work.visits,
        work.means,
        work.available,
        work.bias,
        legal,
        np.int64(tree.visits[node]),
        numbers.settings,
        random,
    )


@kernel(allocates=False, inline="late", inner=True)
def _select_open(
    select: Any, tree: Tree, node: int, legal: int, numbers: Numbers, work: Work, random: Any
) -> int:
    """The action to take at a node below the root whose gains are all known.

    Of hundreds of questions few are worth a try: the actions are opened little by little, as at a
    root that is widened, those first that tell most.
    """
    passed = np.int64(tree.visits[node])
    tried = 0
    first = np.int64(-1)
    for i in range(legal):
        if work.visits[i] > 0.0:
            tried += 1
        elif first < 0 or work.gains[i] > work.gains[first]:
            first = np.int64(i)
    if first >= 0 and tried < numbers.open_factor * (passed + 1.0) ** numbers.open_power:
        work.bias[first] = 1.0  # no chance plays a part in it
        return first
    tried = 0
    for i in range(legal):
        if work.visits[i] > 0.0:
            work.missing[tried] = i
            work.visits[tried] = work.visits[i]
            work.means[tried] = work.means[i]
            work.available[tried] = work.available[i]
            work.bias[tried] = work.bias[i]
            tried += 1
    chosen = select(
        work.visits,
        work.means,
        work.available,
        work.bias,
        tried,
        passed,
        numbers.settings,
        random,
    )
    work.bias[work.missing[chosen]] = work.bias[chosen]
    return np.int64(work.missing[chosen])
