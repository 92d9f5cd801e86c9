"""The search tree as a structure of arrays, and the kernels that read and extend it.

A node stands for what somebody knew: it is found by a 64-bit key, the hash of what they saw. Its
edges are the actions that were legal in some state that led there. All nodes stand in one
open-addressing table that is filled to at most 70 %; the edges of a node stand side by side in a
block, and when a later state has other legal actions, another block is chained to it.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....models.kernels.hash_table import ABSENT as ABSENT
from ....models.kernels.hash_table import empty_slots, enter_all, slot_of
from ....models.kernels.kernel import kernel

#: In place of an edge's number that is not there; edges are counted without a sign, since an index
#: that may be negative costs more than the access itself.
NO_EDGE: Final = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
# Places in `Tree.used`.
NODES: Final = 0
EDGES: Final = 1
#: 1 when a node or block was wanted and there was no room.
FULL: Final = 2


class Tree(NamedTuple):
    """All nodes and edges. N nodes and E edges at most; S slots, a power of two.

    Attributes:
        slots: int32[S], a node's number or `ABSENT`.
        keys: uint64[N], what is known at the node; of several roots their numbers.
        players: int32[N], who moves there.
        parents: int32[N], the edge by which it was first reached; `ABSENT` at the root.
        visits: int32[N], simulations that passed.
        blocks: int32[N], a node's first block, `ABSENT` before its second visit. A block is
            named by the number of its first edge.
        block_count: int32[E], at a block's first edge how many edges it has, else 0.
        block_next: int32[E], at a block's first edge the node's next block, or `ABSENT`.
        actions: int32[E], the action's code.
        edge_visits: int32[E], simulations that took the action.
        available: int32[E], simulations that could have taken it.
        values: float64[E], sum of the mover's credits, each in [0, 1].
        squares: float64[E], sum of their squares.
        best: float64[E], where the best is backed up: what stands in place of ``values``, in which
            a node that was passed n times counts n times what its best action brings; else empty.
        held: float64[N], what a node has brought to ``best`` of the edge before it; else empty.
        weighted: float64[E], where regrets are matched: sum of the mover's credits less a half,
            each over the chance that the action was taken with; else empty.
        used: int64[3], how many nodes and edges there are, and whether room ran out.
    """

    slots: NDArray[np.int32]
    keys: NDArray[np.uint64]
    players: NDArray[np.int32]
    parents: NDArray[np.int32]
    visits: NDArray[np.int32]
    blocks: NDArray[np.int32]
    block_count: NDArray[np.int32]
    block_next: NDArray[np.int32]
    actions: NDArray[np.int32]
    edge_visits: NDArray[np.int32]
    available: NDArray[np.int32]
    values: NDArray[np.float64]
    squares: NDArray[np.float64]
    best: NDArray[np.float64]
    held: NDArray[np.float64]
    weighted: NDArray[np.float64]
    used: NDArray[np.int64]


def empty_tree(nodes: int, edges: int, *, best: bool = False, weighted: bool = False) -> Tree:
    """A tree with room for so many nodes and edges.

    Args:
        nodes, edges: How many.
        best: Whether the best is backed up.
        weighted: Whether regrets are matched.
    """
    return Tree(
        slots=empty_slots(nodes),
        keys=np.zeros(nodes, np.uint64),
        players=np.zeros(nodes, np.int32),
        parents=np.full(nodes, ABSENT, np.int32),
        visits=np.zeros(nodes, np.int32),
        blocks=np.full(nodes, ABSENT, np.int32),
        block_count=np.zeros(edges, np.int32),
        block_next=np.full(edges, ABSENT, np.int32),
        actions=np.zeros(edges, np.int32),
        edge_visits=np.zeros(edges, np.int32),
        available=np.zeros(edges, np.int32),
        values=np.zeros(edges, np.float64),
        squares=np.zeros(edges, np.float64),
        best=np.zeros(edges if best else 0, np.float64),
        held=np.zeros(nodes if best else 0, np.float64),
        weighted=np.zeros(edges if weighted else 0, np.float64),
        used=np.zeros(3, np.int64),
    )


def grown(tree: Tree, nodes: int, edges: int) -> Tree:
    """The same tree with room for so many nodes and edges; nothing in it changes."""
    larger = empty_tree(nodes, edges, best=len(tree.best) > 0, weighted=len(tree.weighted) > 0)
    for name in Tree._fields:
        if name not in ("slots", "used"):
            old = getattr(tree, name)
            getattr(larger, name)[: len(old)] = old
    larger.used[:] = tree.used
    larger.used[FULL] = 0
    enter_all(larger.slots, larger.keys, int(larger.used[NODES]))
    return larger


def totals(tree: Tree) -> NDArray[np.float64]:
    """float64[E], the sum of what is backed up to every edge: averages, or the best."""
    return tree.best if len(tree.best) else tree.values


def add_roots(tree: Tree, count: int, player: int) -> None:
    """Give an empty tree so many roots, where that player moves: its first nodes."""
    tree.keys[:count] = np.arange(count, dtype=np.uint64)
    tree.players[:count] = player
    tree.used[NODES] = count
    enter_all(tree.slots, tree.keys, count)


@kernel(allocates=False, inline="late", inner=True)
def room(tree: Tree, depth: int, actions: int, players: int, most: int) -> int:
    """For how many simulations there surely is room, in a tree of at most ``most`` nodes."""
    # Each makes at most ``depth`` blocks and a node for each player; the first makes the root, too.
    sure = (len(tree.actions) - tree.used[EDGES]) // (depth * actions)
    if most > len(tree.keys):
        sure = min(sure, (len(tree.keys) - tree.used[NODES]) // (players + 1))
    return sure


@kernel(allocates=False, inline="late", inner=True)
def find_or_add(tree: Tree, key: np.uint64, player: int, parent: int, most: int) -> int:
    """The node of a key, made if there is room for it, else `ABSENT`. A new one has no visits."""
    slot = slot_of(tree.slots, tree.keys, key)
    if tree.slots[slot] != ABSENT:
        return np.int64(tree.slots[slot])
    node = tree.used[NODES]
    if node >= min(most, len(tree.keys)):
        tree.used[FULL] = 1
        return np.int64(ABSENT)
    tree.used[NODES] = node + 1
    tree.slots[slot] = node
    tree.keys[node] = key
    tree.players[node] = player
    tree.parents[node] = parent
    return node


@kernel(allocates=False, inline="late", inner=True)
def add_block(tree: Tree, node: int, actions: Any, count: int) -> bool:
    """Chain a block with edges for the first ``count`` actions to a node, if there is room."""
    block = tree.used[EDGES]
    if block + count > len(tree.actions):
        tree.used[FULL] = 1
        return False
    tree.used[EDGES] = block + count
    tree.block_count[block] = count
    tree.block_next[block] = ABSENT
    for i in range(count):
        tree.actions[block + i] = actions[i]
    if tree.blocks[node] == ABSENT:
        tree.blocks[node] = block
    else:
        last = tree.blocks[node]
        while tree.block_next[last] != ABSENT:
            last = tree.block_next[last]
        tree.block_next[last] = block
    return True


@kernel(allocates=False, inline="late", inner=True)
def _find_edge(tree: Tree, node: int, action: int) -> int:
    block = np.int64(tree.blocks[node])
    while block != ABSENT:
        for edge in range(block, block + tree.block_count[block]):
            if tree.actions[edge] == action:
                return edge
        block = np.int64(tree.block_next[block])
    return np.int64(ABSENT)


@kernel(allocates=False, inline="late", inner=True)
def usual_block(tree: Tree, node: int, actions: Any, count: int) -> int:
    """The node's first block if its edges are just these actions in this order, else `ABSENT`."""
    block = np.int64(tree.blocks[np.uint64(node)])
    if block == ABSENT or tree.block_count[np.uint64(block)] != count:
        return np.int64(ABSENT)
    for i in range(count):
        if tree.actions[np.uint64(block + i)] != actions[np.uint64(i)]:
            return np.int64(ABSENT)
    return block


@kernel(allocates=False, inline="late", inner=True)
def find_edges(tree: Tree, node: int, actions: Any, count: int, edges: Any, missing: Any) -> bool:
    """Write the edge of each legal action to ``edges``, making those that are not there yet.

    Returns:
        False when there is no room for them.
    """
    if tree.blocks[node] == ABSENT and not add_block(tree, node, actions, count):
        return False
    # Mostly the same actions are legal in the same order as when the node was made.
    start = np.int64(tree.blocks[node])
    length = np.int64(tree.block_count[start])
    place = np.int64(0)
    lacking = np.int64(0)
    for i in range(count):
        while place < length and tree.actions[start + place] < actions[i]:
            place += 1
        if place < length and tree.actions[start + place] == actions[i]:
            edges[i] = np.uint64(start + place)
            place += 1
        else:
            edge = _find_edge(tree, node, actions[i])
            edges[i] = NO_EDGE if edge == ABSENT else np.uint64(edge)
            if edge == ABSENT:
                missing[lacking] = actions[i]
                lacking += 1
    if lacking == 0:
        return True
    first = tree.used[EDGES]
    if not add_block(tree, node, missing, lacking):
        return False
    for i in range(count):
        if edges[i] == NO_EDGE:
            edges[i] = np.uint64(first)
            first += 1
    return True
