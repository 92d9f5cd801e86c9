"""One chunk of simulations: descend, expand, play out, back up. The search's only big kernel.

It knows no game and no option by name: a game's rules, the selection and the playout policy are
first-class functions, everything else is numbers. It sees only states that were filled in from a
belief, never the true one. A game's kernels are called here alone: handed on to a smaller kernel,
numba would try what it compiled for another game.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....models.game import HIDDEN, OVER
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import below, mix, uniform
from .backup import back_up, back_up_best
from .descent import (
    choose,
    come_to_know,
    follow,
    next_world,
    node_key,
    note_change,
    put_on_path,
    remember,
    seldom_outside,
    watch,
)
from .knowledge import HANDED, MOST_ROWS, Knowledge, lacks_rows, leave
from .tree import ABSENT, NODES, Tree, find_edges, find_or_add, room
from .work import ALL, KEY, OBSERVER, PLIES, PRIOR, RENEWED, SIMULATIONS, Numbers, Work, Worlds

# What `simulate` answers.
DONE: Final = 0
NO_ROOM: Final = 1
TOO_DEEP: Final = 2
FEW_ROWS: Final = 3
BAD_POLICY: Final = 4


@kernel(allocates=False)
def simulate(
    legal_actions: Any,
    apply: Any,
    observe: Any,
    own_returns: Any,
    evaluate: Any,
    policy: Any,
    own_key: Any,
    prior: Any,
    select: Any,
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

    The first nine arguments are the game's kernels ``legal``, ``apply``, ``observe``,
    ``returns``, an evaluation, ``policy`` and ``key``, a prior (see `selection.no_prior`) and a
    selection (see `selection.uct`).

    Args:
        wanted: Simulations in all, counted in ``work.counters``.
        most_nodes: With so many nodes the tree grows no more, and simulations go on without.

    Returns:
        `DONE`; `NO_ROOM` or `FEW_ROWS` when the tree or what is known should grow first;
        `TOO_DEEP` when a game went on after ``len(work.played)`` actions; `BAD_POLICY` when a
        playout policy took an action that is not there.
    """
    players = len(work.values)
    observer = numbers.observer
    variables = worlds.classes.shape[1]
    action_space = len(work.history) // players
    everybody = numbers.information != OBSERVER and (
        numbers.information != KEY or numbers.follow_depth > 0
    )
    # A bit for each player who is not in the tree: those who are not searched never are.
    all_out = (np.int64(1) << players) - 1
    never_in = np.int64(0)
    seldom_in = np.int64(0)
    for i in range(players):
        if numbers.searched[i] <= 0.0:
            never_in |= np.int64(1) << i
        elif numbers.searched[i] < 1.0:
            seldom_in |= np.int64(1) << i
    # Who backs up the best, or has several roots, looks everything up.
    keeps = numbers.best == 0 and numbers.roots == 1
    work.counters[RENEWED] = ALL
    state = worlds.state[0]
    surely = np.int64(0)
    while work.counters[SIMULATIONS] < wanted:
        if surely == 0:
            surely = room(tree, len(work.played), len(work.actions), players, most_nodes)
            if surely <= 0:
                return NO_ROOM
        following = numbers.follow_depth > 0
        if following and lacks_rows(knowledge, numbers.follow_depth):
            if len(knowledge.keys) < MOST_ROWS:
                return FEW_ROWS
            following = False  # counting some of what comes would make gains look larger
        surely -= 1
        world = next_world(worlds, work)
        if numbers.information != OBSERVER:
            known = worlds.keys[world, observer]
        else:
            known = worlds.keys[0, observer]
        if everybody:
            for i in range(players + 1):
                work.keys[i] = worlds.keys[world, i]
        values = worlds.classes[world]
        knowledge.used[HANDED] = ABSENT
        first_row = np.int64(ABSENT)
        first_choice = np.int64(ALL)
        depth = 0
        ply = 0
        decisions = 0
        watched = 0
        leaves_off = False  # whether the observer decides where nobody follows what they do
        # The rows of what the observer knows, which is the first one at the root, and does.
        here = np.int64(0) if following else np.int64(ABSENT)
        followed = np.int64(ABSENT)
        last = np.int64(ABSENT)  # the node at which the tree was left
        out = never_in
        if seldom_in != 0:
            out |= seldom_outside(numbers, seldom_in, random)
        root = np.int64(world % np.uint64(numbers.roots)) if numbers.roots > 1 else np.int64(0)
        while state.player != OVER and ply < numbers.horizon:
            if ply >= len(work.played):
                return TOO_DEEP
            mover = np.int64(state.player)
            place = np.uint64(mover)
            learns = (numbers.learners >> mover) & 1 != 0
            if followed != ABSENT and learns:
                here = come_to_know(
                    knowledge, numbers, work, followed, known, values, state, watched
                )
                leaves_off = here != ABSENT and decisions < numbers.follow_depth
                followed = np.int64(ABSENT)
            if ply == 0:
                legal = len(numbers.root_actions)
                for i in range(legal):
                    work.actions[i] = numbers.root_actions[i]
            else:
                legal = legal_actions(state, tables, work.actions)
            choice = np.int64(-1)
            new = np.int64(ABSENT)
            if (out >> mover) & 1 == 0:
                # Descend: find the node, and choose among its edges.
                node = root  # it is not there yet in the first simulation of a single root
                if ply > 0 or tree.used[NODES] == 0:
                    own = np.uint64(0)
                    if numbers.information == KEY:
                        own = own_key(state, mover, tables)
                    key = node_key(numbers, work, known, own, mover, ply == 0)
                    parent = np.int64(work.path_edges[depth - 1]) if depth > 0 else np.int64(ABSENT)
                    node = find_or_add(tree, key, mover, parent, most_nodes)
                if node != ABSENT and tree.visits[np.uint64(node)] == 0 and depth > 0:
                    # Expand: a leaf gets edges when it is next met.
                    tree.visits[np.uint64(node)] = 1
                    last = node
                    new = node if numbers.counts_first != 0 else new
                elif node != ABSENT:
                    tree.visits[np.uint64(node)] += 1
                    # A selection in place asks for no prior.
                    if numbers.bias == PRIOR and numbers.in_place == 0:
                        prior(state, work.actions, np.int64(legal), tables, work.bias)
                    choice = choose(
                        select,
                        tree,
                        node,
                        legal,
                        action_space,
                        numbers,
                        work,
                        knowledge,
                        known,
                        variables,
                        keeps and ply == 0,
                        random,
                    )
                    if choice < 0:
                        last = node
                    else:
                        put_on_path(work, depth, choice, place, ply, node)
                        if (
                            following
                            and learns
                            and decisions < numbers.follow_depth
                            and here != ABSENT
                        ):
                            work.path_rows[np.uint64(depth)] = here
                            decisions += 1
                            leaves_off = False
                            watched = 0
                            followed = follow(
                                knowledge, numbers, work, here, known, choice, values, ply == 0
                            )
                            if ply == 0:
                                first_row = followed
                        depth += 1
                if choice < 0:
                    out |= all_out if numbers.each_leaves == 0 else np.int64(1) << mover
            if choice < 0:
                # Play out: as the policy does, now and then at random.
                if numbers.epsilon[place] > 0.0 and uniform(random) < numbers.epsilon[place]:
                    choice = np.int64(below(random, legal))
                else:
                    choice = np.int64(policy(state, work.actions, legal, tables, random))
                    if choice < 0 or choice >= legal:
                        return BAD_POLICY
                if new != ABSENT and find_edges(
                    tree, new, work.actions, legal, work.edges, work.missing
                ):
                    for i in range(legal):
                        tree.available[work.edges[i]] += 1
                    put_on_path(work, depth, choice, place, ply, new)
                    last = np.int64(ABSENT)
                    depth += 1
            if ply == 0:
                first_choice = choice
            action = np.int64(work.actions[np.uint64(choice)])
            work.played[np.uint64(ply)] = mover * action_space + action
            ply += 1
            apply(state, action, tables, random)
            if state.player == OVER and followed == ABSENT:
                break  # nobody will ask what was seen
            watches = followed != ABSENT
            inside = out != all_out
            if inside and everybody:
                for viewer in range(players):
                    seen = observe(state, action, mover, viewer, tables)
                    remember(work, viewer, seen)
                    if viewer == observer and watches:
                        watched = watch(work, watched, mover, seen, action, observer)
                known = work.keys[observer]
            elif watches or (inside and numbers.information == OBSERVER):
                seen = observe(state, action, mover, observer, tables)
                if seen != HIDDEN:
                    known = mix(known, seen)
                if watches:
                    watched = watch(work, watched, mover, seen, action, observer)
        if followed != ABSENT:
            come_to_know(knowledge, numbers, work, followed, known, values, state, watched)
        elif leaves_off:
            leave(knowledge, here, numbers.gain_discount)
        note_change(knowledge, work, first_row, first_choice)
        # Back up: what everybody got, to all edges of the path.
        work.counters[PLIES] += ply
        if state.player == OVER:
            own_returns(state, tables, work.values)
        else:
            for player in range(players):
                # Nobody asks for the credit of those who are not searched, but who shares it.
                if numbers.searched[player] != 0 or numbers.for_himself == 0:
                    work.values[player] = evaluate(state, player, tables)
        back_up(tree, numbers, work, root, depth, ply, values)
        if numbers.best != 0 and depth > 0:
            back_up_best(tree, numbers, work, knowledge, depth, last, variables)
    return DONE
