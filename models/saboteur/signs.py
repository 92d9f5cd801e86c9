"""Public signs of an action of Saboteur, and what they say about its player, as kernels.

A sign is a row of the table `action_likelihoods.csv`, whether it counts double, and another player
whom it is about. `docs/saboteur/agents.md` says what signs are for.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ..game import HIDDEN, SPECTATOR
from ..kernels.kernel import kernel
from .advice import hopeful_goals
from .mine import completion, distances, goals_down, is_next, leads_to
from .rules import ENDS_SEEN, GOALS_SEEN, SEEN, act_openly
from .state import (
    BREAK,
    DIG,
    DISCARD,
    GOALS,
    LOOK,
    MOST_CELLS,
    PATHS,
    REPAIR,
    target_of,
)

# Rows of the table, by their numbers.
NEARER: Final = 0
SIDEWAYS: Final = 1
AWAY: Final = 2
DEAD_END_ON_WAY: Final = 3
DEAD_END: Final = 4
CLEARED: Final = 5
CUT: Final = 6
NOTHING: Final = 7
BLOCKED: Final = 8
FREED: Final = 9
FREED_ANYBODY: Final = 10
LEFT_WAITING: Final = 11
AGREED: Final = 13
CONTRADICTED: Final = 14
SAID_TRUE: Final = 15
SAID_FALSE: Final = 16
DISCARDED: Final = 18
ROWS: Final = 20

#: Most signs of one action: somebody is freed and all others are left waiting.
MOST_SIGNS: Final = 12
#: Numbers that `witness` writes beside them.
FACTS: Final = 2 * GOALS + 3
#: So few cards from the gold it is close.
CLOSE: Final = 2


class Parts(NamedTuple):
    """An observation: the action as it was seen, the goals known, and what a round's end showed."""

    code: int
    goals: int
    ended: int


def parts_of(observation: int) -> Parts:
    """The parts of an observation."""
    rest, code = divmod(observation, SEEN)
    return Parts(code, rest % GOALS_SEEN, rest // GOALS_SEEN % ENDS_SEEN)


@kernel
def follow(state: Any, mover: int, code: int, goals: int, tables: Any) -> None:
    """Carry out what a viewer saw of an action, on what they know of the state before.

    Hands and what is discarded are not kept up.

    Args:
        state: What the viewer knows; changed.
        mover: Who acted.
        code: The action, as far as it was seen.
        goals: The goals that the viewer knows now, as in an observation.
        tables: The game's.
    """
    for goal in range(GOALS):
        if goals >> 2 * goal & 3 > 0:
            state.goals[goal] = (goals >> 2 * goal & 3) - 1
    state.player = mover
    if code < DISCARD or code >= BREAK:
        act_openly(state, code, tables)


@kernel
def witness(
    before: Any,
    after: Any,
    mover: int,
    code: int,
    goals: int,
    viewer: int,
    tables: Any,
    signs: Any,
    facts: Any,
) -> int:
    """Follow an event, and write its signs; how many there are.

    Args:
        before: What the viewer knew before it.
        after: The same; changed to what they know then.
        mover, code, goals: As of `follow`.
        viewer: Who saw it.
        tables: The game's.
        signs: As of `signs_of`.
        facts: Where to write which card each goal is to the viewer, which it is to everybody, how
            many cards are missing to the nearest goal that may hold the gold; and to the nearest
            one that lies face down, before and after it.
    """
    follow(after, mover, code, goals, tables)
    down = goals_down(after, tables)
    for goal in range(GOALS):
        facts[goal] = after.goals[goal]
        facts[GOALS + goal] = HIDDEN if down >> goal & 1 == 1 else after.goals[goal]
    hopeful = down if viewer == SPECTATOR else hopeful_goals(after, viewer, tables)
    facts[2 * GOALS] = completion(after, hopeful, tables)
    facts[2 * GOALS + 1] = completion(before, goals_down(before, tables), tables)
    facts[2 * GOALS + 2] = completion(after, down, tables)
    return signs_of(before, after, mover, code, tables, signs)


@kernel
def signs_of(before: Any, after: Any, mover: int, code: int, tables: Any, signs: Any) -> int:
    """Write what an action says about its player, but for words; how many signs there are.

    Args:
        before: What everybody knew before it.
        after: And what they know then.
        mover: Who acted.
        code: The action, as everybody saw it.
        tables: The game's.
        signs: Where to write; for each its row, 1 where it counts double, and another player.
    """
    if code < DISCARD or DIG <= code < LOOK:
        row = sign_in_mine(before, after, code, tables)
        return note(signs, 0, row, -1) if row >= 0 else 0
    if code < BREAK:
        return note(signs, 0, DISCARDED, -1) if before.broken[mover] == 0 else 0
    if code >= LOOK:
        return 0
    target = target_of(code)
    if code < REPAIR:
        return note(signs, 0, BLOCKED, target)
    if target == mover:
        return 0
    count = note(signs, note(signs, 0, FREED, target), FREED_ANYBODY, -1)
    for player in range(tables.rules[0].players):
        if player != mover and player != target and before.broken[player] > 0:
            count = note(signs, count, LEFT_WAITING, player)
    return count


@kernel(allocates=False)
def note(signs: Any, count: int, row: int, other: int) -> int:
    """Write one sign after others, its row `ROWS` more if it counts double; how many then."""
    signs[count, 0] = row % ROWS
    signs[count, 1] = row // ROWS
    signs[count, 2] = other
    return count + 1


@kernel
def sign_in_mine(before: Any, after: Any, code: int, tables: Any) -> int:
    """The row of a path card or a rock-fall, `ROWS` more if it counts double; -1 for none."""
    rules = tables.rules[0]
    live = goals_down(before, tables)
    still = goals_down(after, tables)
    steps = np.empty(MOST_CELLS, dtype=np.int32)
    distances(before, live, tables, steps)
    missing = steps[rules.start]
    now = completion(after, still, tables)
    if code >= DIG:
        hole = code - DIG
        dead_end = rules.through[before.board[hole]] == 0
        distances(after, still, tables, steps)
        if now < missing or (dead_end and is_next(after, hole, steps, tables)):
            return CLEARED
        return CUT if now > missing else -1
    cell = code // (2 * PATHS)
    piece = 1 + code % (2 * PATHS)
    if rules.through[piece] == 0:
        ends = now > missing or is_next(before, cell, steps, tables)
        return DEAD_END_ON_WAY if ends else DEAD_END
    if still != live or now < missing:
        claimed = 0
        for goal in range(GOALS):
            for player in range(rules.players):
                claimed |= (after.claims[player, goal] == 1) << goal
        close = completion(after, claimed & still, tables) <= CLOSE
        return NEARER + ROWS if still != live or close else NEARER
    behind = leads_to(before, cell, rules.sides[piece], steps, tables)
    return AWAY if now > missing or behind > missing else SIDEWAYS
