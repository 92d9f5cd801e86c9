"""The line of a simulation: how it begins, what is written down of it, and who notices what."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.game import HIDDEN, OVER
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import mix, uniform
from .handing_up import arrive, leave, take
from .knowledge import HANDED, Knowledge, action_key, keep_moves, lacks_rows
from .tree import ABSENT
from .work import (
    ALL,
    KEY,
    NEXT_WORLD,
    NONE,
    OBSERVER,
    RENEWED,
    SIMULATIONS,
    Numbers,
    Rules,
    Work,
    Worlds,
)


@kernel(allocates=False, inline="late", inner=True)
def choose_world(worlds: Worlds, knowledge: Knowledge, numbers: Numbers, work: Work) -> int:
    """Begin a line in the next of the states; its number."""
    world = np.int64(work.counters[NEXT_WORLD])
    work.counters[NEXT_WORLD] = world + 1 if world + 1 < len(worlds.states) else 0
    work.counters[SIMULATIONS] += 1
    worlds.state[0] = worlds.states[np.uint64(world)]
    if _all_remember(numbers):
        for i in range(len(work.keys)):
            work.keys[i] = worlds.keys[np.uint64(world), i]
    line = work.line[0]
    line.left_at = ABSENT
    if numbers.follow_depth > 0:
        # The row of what the observer knows is the first one at the root. Without room for more
        # nothing is followed: counting some of what comes would make gains look larger.
        line.here = ABSENT if lacks_rows(knowledge, numbers.follow_depth) else 0
        line.taken = ABSENT
        line.choices = 0
        line.watched = 0
        line.leaves_off = 0
        line.first_taken = ABSENT
        line.first_choice = ALL
        knowledge.used[HANDED] = ABSENT
    return world


@kernel(allocates=False, inline="late", inner=True)
def first_known(worlds: Worlds, world: int, numbers: Numbers) -> np.uint64:
    """The key of what the observer knows at the root of a line."""
    place = world if numbers.information != OBSERVER else np.int64(0)
    return worlds.keys[np.uint64(place), np.uint64(numbers.observer)]


@kernel(allocates=False, inline="late", inner=True)
def who_is_outside(numbers: Numbers, random: Any) -> int:
    """Those who are not searched in this simulation, by their bits."""
    outside = np.int64(numbers.never_in)
    if numbers.seldom_in != 0:
        for player in range(len(numbers.searched)):
            seldom = (numbers.seldom_in >> player) & 1 != 0
            if seldom and uniform(random) >= numbers.searched[player]:
                outside |= np.int64(1) << player
    return outside


@kernel(allocates=False, inline="late", inner=True)
def look_back(
    state: Any,
    known: np.uint64,
    values: Any,
    worlds: Worlds,
    knowledge: Knowledge,
    numbers: Numbers,
    work: Work,
) -> None:
    """Count what came of the action that is followed, once a learner decides again.

    Args:
        state: The state.
        known: What the observer knows, as a key.
        values: What hidden variables are in this state.
        worlds, knowledge, numbers, work: See `simulate`.
    """
    if numbers.follow_depth == 0:
        return
    line = work.line[0]
    if line.taken != ABSENT and _learns(numbers, np.int64(state.player)):
        line.here = _come_to_know(state, known, values, worlds, knowledge, numbers, work)
        line.leaves_off = line.here != ABSENT and line.choices < numbers.follow_depth
        line.taken = ABSENT


@kernel(allocates=False, inline="late", inner=True)
def _learns(numbers: Numbers, mover: int) -> bool:
    return (numbers.learners >> mover) & 1 != 0


@kernel(allocates=False, inline="late", inner=True)
def _come_to_know(
    state: Any,
    known: np.uint64,
    values: Any,
    worlds: Worlds,
    knowledge: Knowledge,
    numbers: Numbers,
    work: Work,
) -> int:
    """Count what came of an action that is followed; the row of what the observer knows now."""
    line = work.line[0]
    here = arrive(knowledge, line.taken, known, values, numbers.gain_discount)
    if numbers.asks != 0:
        place = keep_moves(knowledge, here, work.watched, line.watched)
        if place != ABSENT:
            worlds.known[place] = state
    return here


@kernel(allocates=False, inline="late", inner=True)
def follow(
    mover: int,
    known: np.uint64,
    values: Any,
    choice: int,
    ply: int,
    knowledge: Knowledge,
    numbers: Numbers,
    work: Work,
) -> int:
    """Count an action of a learner, of whom all is followed so far.

    Args:
        mover: The player.
        known: What the observer knows, as a key.
        values: What hidden variables are in this state.
        choice: The index of the action.
        ply: How many actions came before.
        knowledge, numbers, work: See `simulate`.

    Returns:
        The row of what the observer knows; -1 where this is not followed.
    """
    if numbers.follow_depth == 0 or not _learns(numbers, mover):
        return np.int64(ABSENT)
    line = work.line[0]
    here = np.int64(line.here)
    if here == ABSENT or line.choices >= numbers.follow_depth:
        return np.int64(ABSENT)
    action = work.actions[choice]
    row = take(knowledge, here, action_key(known, action), values, numbers.telling[action])
    if ply == 0:
        line.first_choice = choice
        line.first_taken = row
        if row != ABSENT and not np.isnan(numbers.root_gain[choice]):
            knowledge.exact[row] = numbers.root_gain[choice]
    line.taken = row
    line.choices += 1
    line.watched = 0
    line.leaves_off = 0
    return here


@kernel(allocates=False, inline="late", inner=True)
def put_on_path(
    work: Work, depth: int, choice: int, mover: int, ply: int, node: int, row: int
) -> None:
    """Write down which edge of a node is taken where, by whom, and what is known there as a row."""
    step = np.uint64(depth)
    work.path_edges[step] = work.edges[np.uint64(choice)]
    work.path_players[step] = np.uint64(mover)
    work.path_plies[step] = ply
    work.path_nodes[step] = node
    work.path_rows[step] = row


@kernel(allocates=False, inline="late", inner=True)
def play(
    rules: Rules,
    tables: Any,
    state: Any,
    choice: int,
    ply: int,
    known: np.uint64,
    out: int,
    numbers: Numbers,
    work: Work,
    random: Any,
) -> np.uint64:
    """Take an action, and let everybody notice of it what they do.

    Args:
        rules, tables, numbers, work, random: See `simulate`.
        state: The state, which changes.
        choice: The index of the action.
        ply: How many actions came before.
        known: What the observer knows, as a key.
        out: A bit for each player who has left the tree.

    Returns:
        What the observer knows then.
    """
    players = len(work.values)
    mover, action = np.int64(state.player), np.int64(work.actions[np.uint64(choice)])
    work.played[np.uint64(ply)] = mover * len(numbers.telling) + action
    rules.apply(state, action, tables, random)
    watches = numbers.follow_depth > 0 and work.line[0].taken != ABSENT
    if state.player == OVER and not watches:
        return known  # nobody will ask what was seen
    observer = numbers.observer
    inside = out != (np.int64(1) << players) - 1
    if inside and _all_remember(numbers):
        for viewer in range(players):
            seen = rules.observe(state, action, mover, viewer, tables)
            _remember(work, viewer, seen)
            if viewer == observer and watches:
                _watch(work, mover, seen, action, observer)
        return work.keys[observer]
    if watches or (inside and numbers.information == OBSERVER):
        seen = rules.observe(state, action, mover, observer, tables)
        if watches:
            _watch(work, mover, seen, action, observer)
        if seen != HIDDEN:
            return mix(known, seen)
    return known


@kernel(allocates=False, inline="late", inner=True)
def _all_remember(numbers: Numbers) -> bool:
    """True if it counts what every player has seen, and not only the observer."""
    if numbers.information == KEY:
        return numbers.follow_depth > 0
    return numbers.information != OBSERVER


@kernel(allocates=False, inline="late", inner=True)
def _remember(work: Work, viewer: int, seen: int) -> None:
    """Add what a player sees to what they know, and to what all know together."""
    if seen != HIDDEN:
        everyone = len(work.values)
        work.keys[viewer] = mix(work.keys[viewer], seen)
        work.keys[everyone] = mix(work.keys[everyone], seen)


@kernel(allocates=False, inline="late", inner=True)
def _watch(work: Work, mover: int, seen: int, action: int, observer: int) -> None:
    """Write down what the observer saw.

    As a play does: a move of which they noticed nothing leaves no trace, but for their own.
    """
    if seen == HIDDEN and mover != observer:
        return
    line = work.line[0]
    work.watched[line.watched, 0] = mover
    work.watched[line.watched, 1] = seen
    work.watched[line.watched, 2] = action if mover == observer else HIDDEN
    line.watched += 1


@kernel(allocates=False, inline="late", inner=True)
def conclude(
    state: Any,
    known: np.uint64,
    values: Any,
    worlds: Worlds,
    knowledge: Knowledge,
    numbers: Numbers,
    work: Work,
) -> None:
    """Count what came of the last action that is followed, and note what changed at the root.

    That is the gain of the line's own action, or of several: two ways can lead to the same
    knowledge, and then another action's row may have changed. See `look_back`.
    """
    if numbers.follow_depth == 0:
        work.counters[RENEWED] = ALL
        return
    line = work.line[0]
    if line.taken != ABSENT:
        _come_to_know(state, known, values, worlds, knowledge, numbers, work)
    elif line.leaves_off != 0:
        leave(knowledge, line.here, numbers.gain_discount)
    handed = knowledge.used[HANDED]
    own = line.first_taken != ABSENT and (handed in (ABSENT, line.first_taken))
    changed = line.first_choice if own else np.int64(ALL)
    if work.counters[RENEWED] == NONE:
        work.counters[RENEWED] = changed
    elif work.counters[RENEWED] != changed:
        work.counters[RENEWED] = ALL
