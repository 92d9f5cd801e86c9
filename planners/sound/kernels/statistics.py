"""The statistics of information sets: where they stand, and the policy that they give."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.kernels.hash_table import slot_of
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import uniform
from ...search.kernels.tree import ABSENT, EDGES, NODES, Tree, add_block, find_or_add
from .known import own_key
from .memory import Memory, WalkNumbers, WalkRules


@kernel(allocates=False, inline="late", inner=True)
def has_room(tree: Tree, depth: int, actions: int, most_nodes: int) -> bool:
    """True if a line of so many decisions surely finds room, or the tree may grow no more."""
    nodes, edges = tree.used[NODES], tree.used[EDGES]
    if nodes >= most_nodes:
        return True
    # Near the limit a line makes no more nodes than are left of it.
    wanted = min(nodes + depth, most_nodes)
    return wanted <= len(tree.keys) and edges + depth * actions <= len(tree.actions)


@kernel(allocates=False, inline="late", inner=True)
def arrive(
    rules: WalkRules,
    tables: Any,
    tree: Tree,
    numbers: WalkNumbers,
    memory: Memory,
    ply: int,
    most_nodes: int,
) -> int:
    """Find the information set of the player to move, or make it.

    Writes its number to ``memory.nodes``, its first edge to ``memory.blocks`` (both `ABSENT` where
    there was no room), and the number of legal actions to ``memory.counts``; without room
    the actions stand in ``memory.actions``.

    Returns:
        1 where it was there already, else 0.
    """
    state = memory.states[ply]
    mover = np.int64(state.player)
    memory.movers[ply] = mover
    key = own_key(rules, tables, numbers, memory, ply, mover)
    node = find_or_add(tree, key, mover, ABSENT, most_nodes)
    if node != ABSENT:
        block = np.int64(tree.blocks[np.uint64(node)])
        if block != ABSENT:
            memory.nodes[ply] = node
            memory.blocks[ply] = block
            memory.counts[ply] = np.int64(tree.block_count[np.uint64(block)])
            return 1
    count = np.int64(rules.legal(state, tables, memory.actions))
    memory.counts[ply] = count
    if node != ABSENT and not add_block(tree, node, memory.actions, count):
        node = np.int64(ABSENT)
    memory.nodes[ply] = node
    memory.blocks[ply] = np.int64(tree.blocks[np.uint64(node)]) if node != ABSENT else ABSENT
    return 0


@kernel(allocates=False, inline="late", inner=True)
def weight_of(iteration: float, power: float) -> float:
    """The weight of an iteration: its number to a power, mostly one that costs nothing."""
    if power == 0.0:
        return 1.0
    return iteration if power == 1.0 else iteration**power


@kernel(allocates=False, inline="late", inner=True)
def match_regrets(tree: Tree, block: int, count: int, policy: Any) -> None:
    """Actions in proportion to their regrets above zero; all alike where there are none.

    Hart and Mas-Colell (2000); Zinkevich et al. (2007), equation 8.
    """
    total = 0.0
    for i in range(count):
        regret = tree.values[np.uint64(block + i)]
        positive = regret if regret > 0.0 else 0.0
        policy[i] = positive
        total += positive
    if total > 0.0:
        scale = 1.0 / total
        for i in range(count):
            policy[i] *= scale
    else:
        even = 1.0 / count
        for i in range(count):
            policy[i] = even


@kernel(allocates=False, inline="late", inner=True)
def drawn(policy: Any, count: int, random: Any) -> int:
    """The place of an action, drawn from a policy; never one of probability 0."""
    wanted = uniform(random)
    last = np.int64(0)
    for i in range(count):
        if policy[i] > 0.0:
            last = np.int64(i)
            wanted -= policy[i]
            if wanted < 0.0:
                return last
    return last


@kernel(allocates=False, inline="late", inner=True)
def action_at(tree: Tree, memory: Memory, ply: int, choice: int) -> int:
    """The code of an action of the information set of a ply."""
    block = memory.blocks[ply]
    if block == ABSENT:
        return np.int64(memory.actions[choice])
    return np.int64(tree.actions[np.uint64(block + choice)])


@kernel(allocates=False, inline="late", inner=True)
def rivals_choice(
    rules: WalkRules, tables: Any, tree: Tree, memory: Memory, ply: int, random: Any
) -> int:
    """The place of the action that a rival takes at a ply; -1 where there is no such place."""
    block, count = memory.blocks[ply], memory.counts[ply]
    if block != ABSENT:
        for i in range(count):
            memory.actions[i] = tree.actions[np.uint64(block + i)]
    choice = np.int64(rules.rival(memory.states[ply], memory.actions, count, tables, random))
    return choice if choice < count else np.int64(-1)


@kernel(allocates=False, inline="late", inner=True)
def place_of(tree: Tree, memory: Memory, ply: int, action: int) -> int:
    """The place of an action among those of the information set of a ply; -1 if it is not there."""
    for i in range(memory.counts[ply]):
        if action_at(tree, memory, ply, i) == action:
            return np.int64(i)
    return np.int64(-1)


@kernel(allocates=False)
def add_averages(tree: Tree, keys: Any, begins: Any, counts: Any, totals: Any) -> None:
    """Add the sums of the policies of information sets, as far as they are in memory.

    Args:
        tree: The statistics.
        keys: uint64[N], the information sets.
        begins, counts: int64[N], where their actions stand in ``totals``, and how many they are.
        totals: float64[], what is written to.
    """
    for i in range(len(keys)):
        node = tree.slots[slot_of(tree.slots, tree.keys, keys[i])]
        if node == ABSENT:
            continue
        block = np.int64(tree.blocks[np.uint64(node)])
        if block == ABSENT or tree.block_count[np.uint64(block)] != counts[i]:
            continue
        for k in range(counts[i]):
            totals[begins[i] + k] += tree.squares[np.uint64(block + k)]
