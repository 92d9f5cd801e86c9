"""External sampling: all actions of the player that improves, one of everybody else's.

Lanctot, Waugh, Zinkevich and Bowling (2009), "Monte Carlo sampling for regret minimization in
extensive games", section 3.2. The average policy of a player is taken where the others' walks
come by, as often as they do ("stochastically weighted averaging" there).
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....models.game import OVER
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import below, uniform
from ...search.kernels.tree import ABSENT, Tree
from .known import begin, take
from .memory import (
    BAD_POLICY,
    DONE,
    ITERATIONS,
    MOST_STEPS,
    NO_ROOM,
    STEPS,
    TOO_DEEP,
    TOO_WIDE,
    Memory,
    Target,
    WalkNumbers,
    WalkRules,
)
from .statistics import action_at, arrive, drawn, has_room, match_regrets

#: Lines for which there is room when a walk begins.
WALK_ROOM: Final = 32
# Kinds of a ply.
_ALL: Final = 0
_ONE: Final = 1


@kernel(allocates=False)
def external(
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
    """Make iterations until there are ``wanted`` of them: `DONE`, or what is wrong.

    In an iteration each player improves once, in turns, from a deal of their own.
    """
    players = memory.known.shape[1]
    depth, actions = len(memory.nodes), len(memory.actions)
    while memory.counters[ITERATIONS] < wanted:
        iteration = float(memory.counters[ITERATIONS] + 1)
        for player in range(players):
            # A walk comes to many information sets; what it finds no room for is played evenly.
            if not has_room(tree, WALK_ROOM * depth, actions, most_nodes):
                return NO_ROOM
            follows = player == numbers.hero and uniform(random) < numbers.share
            answer = _walk(
                rules, tables, tree, numbers, memory, random, player, iteration, follows, most_nodes
            )
            if answer != DONE:
                return answer
        memory.counters[ITERATIONS] += 1
    return DONE


@kernel(allocates=False, inline="late", inner=True)
def _walk(
    rules: WalkRules,
    tables: Any,
    tree: Tree,
    numbers: WalkNumbers,
    memory: Memory,
    random: Any,
    player: int,
    iteration: float,
    follows: bool,
    most_nodes: int,
) -> int:
    """One walk, in which a player improves."""
    for i in range(memory.words.shape[1]):
        memory.words[0, i] = 0
    rules.start(memory.states[0], tables, random)
    begin(rules, tables, memory)
    regret_weight = iteration**numbers.regret_power if numbers.regret_power != 0.0 else 1.0
    average_weight = iteration**numbers.average_power if numbers.average_power != 0.0 else 1.0
    ply = np.int64(0)
    steps = np.int64(0)
    value = 0.0
    while ply >= 0:
        # Down to the end of a game.
        while memory.states[ply].player != OVER:
            if ply + 1 >= len(memory.nodes):
                return TOO_DEEP
            steps += 1
            arrive(rules, tables, tree, numbers, memory, ply, most_nodes)
            mover, block, count = memory.movers[ply], memory.blocks[ply], memory.counts[ply]
            policy = memory.policies[ply]
            memory.kinds[ply] = _ONE
            if follows and mover != player:
                if block != ABSENT:
                    for i in range(count):
                        memory.actions[i] = tree.actions[np.uint64(block + i)]
                choice = np.int64(
                    rules.rival(memory.states[ply], memory.actions, count, tables, random)
                )
                if choice < 0 or choice >= count:
                    return BAD_POLICY
            elif block == ABSENT:
                choice = np.int64(below(random, count))
            else:
                match_regrets(tree, block, count, policy)
                if mover == player:
                    memory.kinds[ply] = _ALL
                    memory.values[ply] = 0.0
                    choice = np.int64(0)
                else:
                    for i in range(count):
                        tree.squares[np.uint64(block + i)] += average_weight * policy[i]
                    tree.visits[np.uint64(memory.nodes[ply])] += 1
                    choice = drawn(policy, count, random)
            memory.choices[ply] = choice
            action = action_at(tree, memory, ply, choice)
            take(rules, tables, memory, ply, mover, action, random)
            ply += 1
        if steps > MOST_STEPS:
            return TOO_WIDE
        rules.returns(memory.states[ply], tables, memory.returns)
        value = memory.returns[player]
        # Up to where something is left to be tried.
        ply -= 1
        while ply >= 0:
            if memory.kinds[ply] == _ALL:
                choice, count = memory.choices[ply], memory.counts[ply]
                memory.utilities[ply, choice] = value
                memory.values[ply] += memory.policies[ply, choice] * value
                choice += 1
                if choice < count:
                    memory.choices[ply] = choice
                    action = action_at(tree, memory, ply, choice)
                    take(rules, tables, memory, ply, player, action, random)
                    break
                value = memory.values[ply]
                block = memory.blocks[ply]
                for i in range(count):
                    regret = memory.utilities[ply, i] - value
                    tree.values[np.uint64(block + i)] += regret_weight * regret
            ply -= 1
        if ply >= 0:
            ply += 1
    memory.counters[STEPS] += steps
    return DONE
