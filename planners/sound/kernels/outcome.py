"""Outcome sampling: one line from the deal to an end, from which one player improves.

Lanctot et al. (2009), section 3.1, with baselines for less variance (Schmid et al. 2019,
"Variance reduction in Monte Carlo counterfactual regret minimization (VR-MCCFR) for extensive form
games using baselines", equations 9 to 11). Some lines can be led through what a player has seen
(Lisy, Lanctot and Bowling 2015, "Online Monte Carlo counterfactual regret minimization for search
in imperfect information games", section 4: information-set targeting): how likely a line was to be
drawn, one way or the other, weighs it back.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.game import OVER
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import below, uniform
from ...search.kernels.tree import ABSENT, Tree
from .known import take
from .leading import begin_line, on_the_way, plies_of, share_led, stay_led, trembling, uneven
from .memory import (
    BAD_POLICY,
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


@kernel(allocates=False)
def outcome(
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

    In an iteration each player improves once, in turns, from a line of their own.
    """
    players = memory.known.shape[1]
    depth, actions = len(memory.nodes), len(memory.actions)
    while memory.counters[ITERATIONS] < wanted:
        if not has_room(tree, players * depth, actions, most_nodes):
            return NO_ROOM
        iteration = float(memory.counters[ITERATIONS] + 1)
        for player in range(players):
            follows = player == numbers.hero and uniform(random) < numbers.share
            plies = _line(
                rules,
                tables,
                tree,
                numbers,
                memory,
                target,
                random,
                player,
                follows,
                most_nodes,
            )
            if plies < 0:
                return -plies
            # How likely a led line was to come so far is known at its end, and before it only on
            # average, if there are more ways on from some moments than from others.
            guessed = share_led(numbers, target, follows) > 0.0 and uneven(target)
            _improve(tree, numbers, memory, target, player, follows, plies, iteration, guessed)
        memory.counters[ITERATIONS] += 1
    return DONE


@kernel(allocates=False, inline="late", inner=True)
def _line(
    rules: WalkRules,
    tables: Any,
    tree: Tree,
    numbers: WalkNumbers,
    memory: Memory,
    target: Target,
    random: Any,
    player: int,
    follows: bool,
    most_nodes: int,
) -> int:
    """Play a line to its end; how many of its plies are in memory, or minus what is wrong.

    ``memory.sampled`` holds the probability that a line comes to a ply, led or not, divided by
    that of its chance. ``memory.values`` holds at the last ply what the player gets.
    """
    players = memory.known.shape[1]
    share = share_led(numbers, target, follows)
    line = begin_line(rules, tables, numbers, memory, target, random, follows, share)
    forced = plies_of(target, line) if line >= 0 else np.int64(0)
    some = share > 0.0
    # How likely the line is by itself, were no line led.
    free = 1.0
    for each in range(players):
        memory.reach[0, each] = 1.0
    memory.sampled[0] = (1.0 - share) + share * memory.guided[0] if some else 1.0
    ply = np.int64(0)
    inside = True
    while inside and memory.states[ply].player != OVER:
        if ply + 1 >= len(memory.nodes):
            return -TOO_DEEP
        inside = arrive(rules, tables, tree, numbers, memory, ply, most_nodes) == 1
        mover, block, count = memory.movers[ply], memory.blocks[ply], memory.counts[ply]
        policy = memory.policies[ply]
        if block == ABSENT:
            break
        match_regrets(tree, block, count, policy)
        tree.visits[np.uint64(memory.nodes[ply])] += 1
        explores = numbers.exploration if mover == player else 0.0
        if ply < forced:
            choice = place_of(tree, memory, ply, target.listed[line, ply])
            if choice < 0:
                break  # a line that this game cannot be led along
        elif follows and mover != player:
            choice = rivals_choice(rules, tables, tree, memory, ply, random)
            if choice < 0:
                return -BAD_POLICY
        elif explores > 0.0 and uniform(random) < explores:
            choice = np.int64(below(random, count))
        else:
            choice = drawn(policy, count, random)
        memory.choices[ply] = choice
        chance = policy[choice]
        if follows and mover != player:
            likely = 1.0  # as the rival draws it, whose policy nobody asks for
            chance = 1.0
        else:
            likely = explores / count + (1.0 - explores) * chance
            if some:
                chance = trembling(numbers, target, memory, ply, chance, count)
        action = action_at(tree, memory, ply, choice)
        told = action
        if ply < forced:
            action = target.actions[line, ply]
            told = target.told[line, ply]
            inside = True
        take(rules, tables, memory, ply, mover, action, told, random)
        for each in range(players):
            memory.reach[ply + 1, each] = memory.reach[ply, each]
        memory.reach[ply + 1, mover] *= chance
        free *= likely
        memory.sampled[ply + 1] = free
        if some:
            stay_led(target, memory, ply, likely)
            memory.sampled[ply + 1] = (1.0 - share) * free + share * memory.guided[ply + 1]
        ply += 1
    memory.counters[STEPS] += ply
    answer = play_out(rules, tables, memory, ply, random)
    if answer != DONE:
        return -answer
    memory.values[ply] = memory.returns[player]
    return ply


@kernel(allocates=False, inline="late", inner=True)
def play_out(rules: WalkRules, tables: Any, memory: Memory, ply: int, random: Any) -> int:
    """Play from a ply to the end as playouts do, and write what everybody gets."""
    last = len(memory.nodes) - 1
    if memory.states[ply].player != OVER:
        for i in range(memory.words.shape[1]):
            memory.words[last, i] = memory.words[ply, i]
        state = memory.states[last]
        left = last - ply
        while state.player != OVER:
            if left <= 0:
                return TOO_DEEP
            left -= 1
            count = np.int64(rules.legal(state, tables, memory.actions))
            choice = np.int64(rules.tail(state, memory.actions, count, tables, random))
            if choice < 0 or choice >= count:
                return BAD_POLICY
            rules.apply(state, np.int64(memory.actions[choice]), tables, random)
        rules.returns(state, tables, memory.returns)
        return DONE
    rules.returns(memory.states[ply], tables, memory.returns)
    return DONE


@kernel(allocates=False, inline="late", inner=True)
def _improve(
    tree: Tree,
    numbers: WalkNumbers,
    memory: Memory,
    target: Target,
    player: int,
    follows: bool,
    plies: int,
    iteration: float,
    guessed: bool,
) -> None:
    """Add what a line has shown to the regrets of a player, and to the averages of the others."""
    regret_weight = weight_of(iteration, numbers.regret_power)
    average_weight = weight_of(iteration, numbers.average_power)
    players = memory.known.shape[1]
    value = memory.values[plies]
    for back in range(plies):
        ply = plies - 1 - back
        mover, block = memory.movers[ply], memory.blocks[ply]
        count, choice = memory.counts[ply], memory.choices[ply]
        policy = memory.policies[ply]
        if follows and mover != player:
            continue
        taken = np.uint64(block + choice)
        sampled = memory.sampled[ply]
        drawn_here = memory.sampled[ply + 1] / sampled
        own = mover == player
        # A baseline is right on average only where it is known how likely the action was drawn.
        baselines = numbers.step > 0.0 and not (guessed and on_the_way(target, memory, ply))
        sign = 1.0 if own else (-1.0 if numbers.zero_sum != 0 else 0.0)
        known = sign * tree.best[taken] if baselines else 0.0
        met = known + (value - known) / drawn_here
        mean = policy[choice] * met
        if baselines and sign != 0.0:
            for i in range(count):
                if i != choice:
                    mean += policy[i] * sign * tree.best[np.uint64(block + i)]
            tree.best[taken] += numbers.step * sign * (value - known)
        if own:
            weight = regret_weight / sampled
            for each in range(players):
                if each != player:
                    weight *= memory.reach[ply, each]
            for i in range(count):
                reached = met if i == choice else 0.0
                if baselines and i != choice:
                    reached = tree.best[np.uint64(block + i)]
                tree.values[np.uint64(block + i)] += weight * (reached - mean)
        else:
            weight = average_weight * memory.reach[ply, mover] / sampled
            for i in range(count):
                tree.squares[np.uint64(block + i)] += weight * policy[i]
        tree.edge_visits[taken] += 1
        value = mean
