"""External sampling: all actions of the player that improves, one of everybody else's.

Lanctot, Waugh, Zinkevich and Bowling (2009), "Monte Carlo sampling for regret minimization in
extensive games", section 3.2. The average policy of a player is taken where the others' walks
come by, as often as they do ("stochastically weighted averaging" there).

Some walks can be led through what a player has seen (see `leading`): from the deal to the decision
at hand one line, and all actions from there on. How likely a walk was to come to a decision, led or
not, weighs it back.
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
from .known import take
from .leading import begin_line, on_the_way, plies_of, share_led, stay_led, trembling
from .memory import (
    BAD_POLICY,
    DONE,
    ITERATIONS,
    NO_ROOM,
    STEPS,
    TOO_DEEP,
    TOO_WIDE,
    Memory,
    Target,
    WalkNumbers,
    WalkRules,
)
from .statistics import (
    action_at,
    arrive,
    drawn,
    has_room,
    match_regrets,
    place_of,
    rivals_choice,
    weight_of,
)

#: Lines for which there is room when a walk begins.
WALK_ROOM: Final = 32
#: Walks that are averaged to say what an action brings.
RECENT: Final = 1_024
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
                rules,
                tables,
                tree,
                numbers,
                memory,
                target,
                random,
                player,
                iteration,
                follows,
                most_nodes,
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
    target: Target,
    random: Any,
    player: int,
    iteration: float,
    follows: bool,
    most_nodes: int,
) -> int:
    """One walk, in which a player improves."""
    share = share_led(numbers, target, follows)
    line = begin_line(rules, tables, numbers, memory, target, random, follows, share)
    forced = plies_of(target, line) if line >= 0 else np.int64(0)
    some = share > 0.0
    if some:
        memory.reach[0, 0] = memory.sampled[0] = 1.0
    regret_weight = weight_of(iteration, numbers.regret_power)
    average_weight = weight_of(iteration, numbers.average_power)
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
            likely = 1.0
            if follows and mover != player:
                choice = rivals_choice(rules, tables, tree, memory, ply, random)
                if choice < 0:
                    return BAD_POLICY
            elif block == ABSENT:
                choice = np.int64(below(random, count))
            else:
                match_regrets(tree, block, count, policy)
                if mover == player and ply < forced:
                    choice = np.int64(-1)
                elif mover == player:
                    memory.kinds[ply] = _ALL
                    memory.values[ply] = 0.0
                    choice = np.int64(0)
                else:
                    weight = average_weight
                    if some:
                        weight *= _weight(memory, ply, share)
                    for i in range(count):
                        tree.squares[np.uint64(block + i)] += weight * policy[i]
                    tree.visits[np.uint64(memory.nodes[ply])] += 1
                    choice = drawn(policy, count, random)
            action, told = np.int64(-1), np.int64(-1)
            if ply < forced:
                choice = place_of(tree, memory, ply, target.listed[line, ply])
                if choice < 0:
                    return DONE  # a line that this game cannot be led along
                action = target.actions[line, ply]
                told = target.told[line, ply]
            else:
                action = action_at(tree, memory, ply, choice)
                told = action
            memory.choices[ply] = choice
            take(rules, tables, memory, ply, mover, action, told, random)
            if some:
                if mover != player and not follows:
                    likely = policy[choice] if block != ABSENT else 1.0 / count
                stay_led(target, memory, ply, likely)
                memory.sampled[ply + 1] = memory.sampled[ply] * likely
                if mover != player and not follows:
                    likely = trembling(numbers, target, memory, ply, likely, count)
                memory.reach[ply + 1, 0] = memory.reach[ply, 0] * likely
            ply += 1
        if steps > numbers.most_steps:
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
                    take(rules, tables, memory, ply, player, action, action, random)
                    if some:
                        stay_led(target, memory, ply, 1.0)
                        memory.sampled[ply + 1] = memory.sampled[ply]
                        memory.reach[ply + 1, 0] = memory.reach[ply, 0]
                    break
                value = memory.values[ply]
                block = memory.blocks[ply]
                weight = regret_weight
                if some:
                    weight *= _regret_weight(target, memory, ply, share)
                for i in range(count):
                    regret = memory.utilities[ply, i] - value
                    edge = np.uint64(block + i)
                    tree.values[edge] += weight * regret
                    # What is said of an action: its average, later that of about the last thousand.
                    tries = tree.edge_visits[edge] + 1
                    tree.edge_visits[edge] = tries
                    tree.best[edge] += (memory.utilities[ply, i] - tree.best[edge]) / min(
                        tries, RECENT
                    )
            ply -= 1
        if ply >= 0:
            ply += 1
    memory.counters[STEPS] += steps
    return DONE


@kernel(allocates=False, inline="late", inner=True)
def _weight(memory: Memory, ply: int, share: float) -> float:
    """The weight of what a walk does at a ply: the others' share over how likely it came there.

    A rival draws what they do by a policy that nobody asks for; it counts as 1 on both sides.
    """
    sampled = (1.0 - share) * memory.sampled[ply] + share * memory.guided[ply]
    return memory.reach[ply, 0] / sampled if sampled > 0.0 else 0.0


@kernel(allocates=False, inline="late", inner=True)
def _regret_weight(target: Target, memory: Memory, ply: int, share: float) -> float:
    """The same of regrets: on the way to the decision at hand no led walk tries all actions."""
    if on_the_way(target, memory, ply):
        sampled = (1.0 - share) * memory.sampled[ply]
        return memory.reach[ply, 0] / sampled if sampled > 0.0 else 0.0
    return _weight(memory, ply, share)
