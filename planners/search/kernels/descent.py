"""Plies in the tree: where a node is found, which action is tried there, and who notices what."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.game import HIDDEN
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import mix, uniform
from .knowledge import (
    HANDED,
    UNKNOWN,
    Knowledge,
    action_key,
    arrive,
    gain_on,
    keep_state,
    ranked,
    row_of,
    take,
)
from .selection import some_new, uct_in_place
from .tree import ABSENT, Tree, find_edges, usual_block
from .work import (
    ALL,
    EVERYTHING,
    HISTORY,
    NEXT_WORLD,
    NONE,
    OBSERVER,
    PLAYERS,
    RENEWED,
    SIMULATIONS,
    Numbers,
    Work,
    Worlds,
)


@kernel(allocates=False, inline="late", inner=True)
def _add_gains(
    tree: Tree,
    node: int,
    legal: int,
    numbers: Numbers,
    work: Work,
    knowledge: Knowledge,
    key: np.uint64,
    variables: int,
    kept: bool,
) -> None:
    """Add to every mean what the information from an action on is worth.

    An action that too few states have taken is not held to tell less than the others: it counts
    as the best of them, until it is known. With ``kept`` only what has changed is looked up, since
    one simulation changes what one action at the root tells.
    """
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
            bits = gain_on(knowledge, found, variables)
        work.gains[i] = bits
        if kept:
            work.root_gains[i] = bits
        best = max(best, bits)
    if kept:
        work.counters[RENEWED] = NONE
    for i in range(legal):
        bits = work.gains[i]
        work.means[i] += numbers.gain_weight * (best if bits == UNKNOWN else bits)


@kernel(allocates=False, inline="late", inner=True)
def choose(
    select: Any,
    tree: Tree,
    node: int,
    legal: int,
    action_space: int,
    numbers: Numbers,
    work: Work,
    knowledge: Knowledge,
    key: np.uint64,
    variables: int,
    kept: bool,
    random: Any,
) -> int:
    """The legal action to take at a node, as an index; -1 when there is no room.

    What a prior says of them stands in ``work.bias``. See `_add_gains` for ``kept``.
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
            row = player * action_space + work.actions[i]
            taken = work.history[row, 0]
            work.bias[i] = work.history[row, 1] / taken if taken > 0.0 else 0.0
    if learns:
        _add_gains(tree, node, legal, numbers, work, knowledge, key, variables, kept)
        if opens:
            return _select_open(select, tree, node, legal, numbers, work, random)
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
    return np.int64(work.missing[chosen])


@kernel(allocates=False, inline="late", inner=True)
def watch(work: Work, count: int, mover: int, seen: int, action: int, observer: int) -> int:
    """Write down what the observer saw; how many moves that makes.

    As a play does: a move of which they noticed nothing leaves no trace, but for their own.
    """
    if seen == HIDDEN and mover != observer:
        return count
    work.watched[count, 0] = mover
    work.watched[count, 1] = seen
    work.watched[count, 2] = action if mover == observer else HIDDEN
    return count + 1


@kernel(allocates=False, inline="late", inner=True)
def next_world(worlds: Worlds, work: Work) -> np.uint64:
    """Begin a simulation in the next of the states; its number."""
    world = work.counters[NEXT_WORLD]
    work.counters[NEXT_WORLD] = world + 1 if world + 1 < len(worlds.states) else 0
    work.counters[SIMULATIONS] += 1
    worlds.state[0] = worlds.states[np.uint64(world)]
    return np.uint64(world)


@kernel(allocates=False, inline="late", inner=True)
def seldom_outside(numbers: Numbers, seldom: int, random: Any) -> int:
    """Those of some players, by their bits, who are not searched in this simulation."""
    outside = np.int64(0)
    for player in range(len(numbers.searched)):
        if (seldom >> player) & 1 != 0 and uniform(random) >= numbers.searched[player]:
            outside |= np.int64(1) << player
    return outside


@kernel(allocates=False, inline="late", inner=True)
def node_key(
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
def put_on_path(
    work: Work, depth: int, choice: int, player: np.uint64, ply: int, node: int
) -> None:
    """Write down which edge is taken where, and by whom."""
    step = np.uint64(depth)
    work.path_edges[step] = work.edges[np.uint64(choice)]
    work.path_players[step] = player
    work.path_plies[step] = ply
    work.path_nodes[step] = node
    work.path_rows[step] = ABSENT


@kernel(allocates=False, inline="late", inner=True)
def follow(
    knowledge: Knowledge,
    numbers: Numbers,
    work: Work,
    here: int,
    known: np.uint64,
    choice: int,
    values: Any,
    first: bool,
) -> int:
    """Count an action of a learner; the row of what was known and taken, -1 without room.

    Args:
        knowledge, numbers, work: See `simulate`.
        here: The row of what the observer knows.
        known: Its key.
        choice: The index of the action.
        values: What hidden variables are in this state.
        first: Whether this is the root.
    """
    action = work.actions[choice]
    row = take(knowledge, here, action_key(known, action), values, numbers.telling[action])
    if row != ABSENT and first and not np.isnan(numbers.root_gain[choice]):
        knowledge.exact[row] = numbers.root_gain[choice]
    return row


@kernel(allocates=False, inline="late", inner=True)
def come_to_know(
    knowledge: Knowledge,
    numbers: Numbers,
    work: Work,
    followed: int,
    known: np.uint64,
    values: Any,
    state: Any,
    watched: int,
) -> int:
    """Count what came of an action of a learner; the row of what the observer knows now."""
    here = arrive(knowledge, followed, known, values, numbers.gain_discount)
    if numbers.asks != 0:
        keep_state(knowledge, here, state, work.watched, watched)
    return here


@kernel(allocates=False, inline="late", inner=True)
def remember(work: Work, viewer: int, seen: int) -> None:
    """Add what a player sees to what they know, and to what all know together."""
    if seen != HIDDEN:
        everyone = len(work.values)
        work.keys[viewer] = mix(work.keys[viewer], seen)
        work.keys[everyone] = mix(work.keys[everyone], seen)


@kernel(allocates=False, inline="late", inner=True)
def note_change(knowledge: Knowledge, work: Work, row: int, choice: int) -> None:
    """Note which gain at the root a simulation has changed: that of its own action, or several.

    Two ways can lead to the same knowledge: then another action's row may have changed.

    Args:
        knowledge, work: See `simulate`.
        row: That of the action taken at the root, -1 for none.
        choice: Its index.
    """
    handed = knowledge.used[HANDED]
    changed = choice if row != ABSENT and (handed in (ABSENT, row)) else np.int64(ALL)
    if work.counters[RENEWED] == NONE:
        work.counters[RENEWED] = changed
    elif work.counters[RENEWED] != changed:
        work.counters[RENEWED] = ALL
