"""Walks that choose as bandits do: UCT and Smooth UCT from the deal.

Heinrich and Silver (2015), "Smooth UCT search in computer poker": each player has a tree of what
they know, all choose by the same selection, and each is credited with what they get. The average
policy is how often an action was taken.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.game import OVER
from ....models.kernels.kernel import kernel
from ...search.kernels.tree import ABSENT, Tree
from .known import begin, deal, take
from .memory import (
    DONE,
    ITERATIONS,
    NO_ROOM,
    STEPS,
    TOO_DEEP,
    Memory,
    Target,
    WalkNumbers,
    WalkRules,
)
from .outcome import play_out
from .statistics import action_at, arrive, has_room


@kernel(allocates=False)
def bandits(
    rules: WalkRules,
    tables: Any,
    tree: Tree,
    numbers: WalkNumbers,
    memory: Memory,
    target: Target,
    random: Any,
    wanted: int,
    most_nodes: int,
) -> int:
    """Play games from the deal until there were ``wanted`` of them: `DONE`, or what is wrong."""
    depth, actions = len(memory.nodes), len(memory.actions)
    while memory.counters[ITERATIONS] < wanted:
        if not has_room(tree, depth, actions, most_nodes):
            return NO_ROOM
        plies = _line(rules, tables, tree, numbers, memory, random, most_nodes)
        if plies < 0:
            return -plies
        for ply in range(plies):
            edge = np.uint64(memory.blocks[ply] + memory.choices[ply])
            won = memory.returns[memory.movers[ply]]
            tree.edge_visits[edge] += 1
            tree.values[edge] += (won - numbers.lowest) * numbers.scale
            tree.squares[edge] += 1.0
        memory.counters[STEPS] += plies
        memory.counters[ITERATIONS] += 1
    return DONE


@kernel(allocates=False, inline="late", inner=True)
def _line(
    rules: WalkRules,
    tables: Any,
    tree: Tree,
    numbers: WalkNumbers,
    memory: Memory,
    random: Any,
    most_nodes: int,
) -> int:
    """Play a line to its end; how many of its plies are in memory, or minus what is wrong."""
    deal(rules, tables, numbers, memory, random)
    begin(rules, tables, memory)
    ply = np.int64(0)
    inside = True
    while inside and memory.states[ply].player != OVER:
        if ply + 1 >= len(memory.nodes):
            return -TOO_DEEP
        inside = arrive(rules, tables, tree, numbers, memory, ply, most_nodes) == 1
        block, count = memory.blocks[ply], memory.counts[ply]
        if block == ABSENT:
            break
        node = np.uint64(memory.nodes[ply])
        tree.visits[node] += 1
        for i in range(count):
            edge = np.uint64(block + i)
            tree.available[edge] += 1
            taken = tree.edge_visits[edge]
            memory.visits[i] = taken
            memory.means[i] = tree.values[edge] / taken if taken > 0 else 0.0
            memory.available[i] = tree.available[edge]
            memory.bias[i] = 0.0
        choice = np.int64(
            rules.select(
                memory.visits,
                memory.means,
                memory.available,
                memory.bias,
                count,
                np.int64(tree.visits[node]),
                numbers.settings,
                random,
            )
        )
        memory.choices[ply] = choice
        action = action_at(tree, memory, ply, choice)
        take(rules, tables, memory, ply, memory.movers[ply], action, action, random)
        ply += 1
    answer = play_out(rules, tables, memory, ply, random)
    return ply if answer == DONE else -answer
