"""One chunk of simulations: descend, expand, play out, back up. The search's only big kernel.

It knows no game and no option by name: a game's rules, the selection and the playout policy are
first-class functions, everything else is numbers. It sees only states that were filled in from a
belief, never the true one.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.game import OVER
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import below, uniform
from .backup import back_up, back_up_best
from .descent import descend, find_node
from .knowledge import MOST_ROWS, Knowledge, lacks_rows
from .line import (
    choose_world,
    conclude,
    first_known,
    follow,
    look_back,
    play,
    put_on_path,
    who_is_outside,
)
from .tree import ABSENT, Tree, find_edges, room
from .work import (
    ALL,
    BAD_POLICY,
    DONE,
    FEW_ROWS,
    NO_ROOM,
    RENEWED,
    ROOM,
    SIMULATIONS,
    TOO_DEEP,
    Numbers,
    Rules,
    Work,
    Worlds,
)


@kernel(allocates=False)
def simulate(
    rules: Rules,
    tables: Any,
    worlds: Worlds,
    tree: Tree,
    knowledge: Knowledge,
    numbers: Numbers,
    work: Work,
    random: Any,
    wanted: int,
    most_nodes: int,
) -> int:
    """Make simulations until there are ``wanted`` of them.

    Args:
        rules: The kernels of the game and of the options.
        tables: The game's.
        worlds, tree, knowledge, numbers, work: What it reads and writes.
        random: The generator.
        wanted: Simulations in all, counted in ``work.counters``.
        most_nodes: With so many nodes the tree grows no more, and simulations go on without.

    Returns:
        `DONE`; `NO_ROOM` or `FEW_ROWS` when the tree or what is known should grow first;
        `TOO_DEEP` when a game went on after ``len(work.played)`` actions; `BAD_POLICY` when a
        playout policy took an action that is not there.
    """
    state = worlds.state[0]
    work.counters[RENEWED] = ALL
    work.counters[ROOM] = 0
    while work.counters[SIMULATIONS] < wanted:
        lacking = _lacking(tree, knowledge, numbers, work, most_nodes)
        if lacking != DONE:
            return lacking
        world = choose_world(worlds, knowledge, numbers, work)
        root = world % numbers.roots if numbers.roots > 1 else np.int64(0)
        known = first_known(worlds, world, numbers)
        values = worlds.classes[np.uint64(world)]
        out = who_is_outside(numbers, random)
        ply = depth = 0
        while state.player != OVER and ply < numbers.horizon:
            if ply >= len(work.played):
                return TOO_DEEP
            mover = np.int64(state.player)
            look_back(state, known, values, worlds, knowledge, numbers, work)
            legal = _list_actions(rules, tables, state, ply, numbers, work)
            node = choice = row = np.int64(-1)
            if (out >> mover) & 1 == 0:
                node = find_node(
                    rules, tables, state, known, root, ply, depth, tree, numbers, work, most_nodes
                )
                choice = descend(
                    rules,
                    tables,
                    state,
                    legal,
                    node,
                    depth,
                    known,
                    tree,
                    knowledge,
                    numbers,
                    work,
                    random,
                )
                if choice < 0:
                    out |= numbers.leaving[np.uint64(mover)]
            if choice >= 0:
                row = follow(mover, known, values, choice, ply, knowledge, numbers, work)
            else:
                choice = _play_out(rules, tables, state, legal, numbers, work, random)
                if choice < 0:
                    return BAD_POLICY
                node = _expand(tree, node, legal, numbers, work)
            if node != ABSENT:
                put_on_path(work, depth, choice, mover, ply, node, row)
                depth += 1
            known = play(rules, tables, state, choice, ply, known, out, numbers, work, random)
            ply += 1
        conclude(state, known, values, worlds, knowledge, numbers, work)
        _evaluate(rules, tables, state, numbers, work)
        back_up(tree, numbers, work, root, depth, ply, values)
        if numbers.best != 0 and depth > 0:
            back_up_best(tree, numbers, work, knowledge, depth)
    return DONE


@kernel(allocates=False, inline="late", inner=True)
def _lacking(
    tree: Tree, knowledge: Knowledge, numbers: Numbers, work: Work, most_nodes: int
) -> int:
    """The thing that lacks room for one more simulation, as `simulate` answers; else `DONE`."""
    if work.counters[ROOM] == 0:
        surely = room(tree, len(work.played), len(work.actions), len(work.values), most_nodes)
        if surely <= 0:
            return NO_ROOM
        work.counters[ROOM] = surely
    few = numbers.follow_depth > 0 and lacks_rows(knowledge, numbers.follow_depth)
    if few and len(knowledge.keys) < MOST_ROWS:
        return FEW_ROWS
    work.counters[ROOM] -= 1
    return DONE


@kernel(allocates=False, inline="late", inner=True)
def _list_actions(
    rules: Rules, tables: Any, state: Any, ply: int, numbers: Numbers, work: Work
) -> int:
    """Write the legal actions to ``work.actions``, at the root those to choose from; how many."""
    if ply > 0:
        return np.int64(rules.legal(state, tables, work.actions))
    legal = len(numbers.root_actions)
    for i in range(legal):
        work.actions[i] = numbers.root_actions[i]
    return legal


@kernel(allocates=False, inline="late", inner=True)
def _play_out(
    rules: Rules, tables: Any, state: Any, legal: int, numbers: Numbers, work: Work, random: Any
) -> int:
    """Choose as the policy does, now and then at random; -1 for an action that is not there."""
    place = np.uint64(state.player)
    if numbers.epsilon[place] > 0.0 and uniform(random) < numbers.epsilon[place]:
        return np.int64(below(random, legal))
    choice = np.int64(rules.policy(state, work.actions, legal, tables, random))
    return choice if choice < legal else np.int64(-1)


@kernel(allocates=False, inline="late", inner=True)
def _expand(tree: Tree, node: int, legal: int, numbers: Numbers, work: Work) -> int:
    """Give a new node its edges, where what the policy does there counts: the node; else -1."""
    if node == ABSENT:
        return node
    counts = numbers.counts_from == 1 and tree.visits[np.uint64(node)] == 1
    if counts and find_edges(tree, node, work.actions, legal, work.edges, work.missing):
        for i in range(legal):
            tree.available[work.edges[i]] += 1
        return node
    work.line[0].left_at = node
    return np.int64(ABSENT)


@kernel(allocates=False, inline="late", inner=True)
def _evaluate(rules: Rules, tables: Any, state: Any, numbers: Numbers, work: Work) -> None:
    """Write to ``work.values`` what everybody got, or will get of a game that is broken off."""
    if state.player == OVER:
        rules.returns(state, tables, work.values)
        return
    for player in range(len(work.values)):
        # Nobody asks for the credit of those who are not searched, but who shares it.
        if numbers.searched[player] != 0 or numbers.for_himself == 0:
            work.values[player] = rules.evaluate(state, player, tables)
