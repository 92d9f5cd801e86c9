"""The use of an action of Saboteur to somebody who thinks about taking it, as a kernel.

A use is a row of the table `card_weights.csv`.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..kernels.kernel import kernel
from .mine import around, completion, distances, flood, is_next, leads_to
from .state import (
    BREAK,
    DIG,
    DISCARD,
    FACE_DOWN,
    GOALS,
    LOOK,
    MAP,
    MOST_CELLS,
    PASSAGES,
    PATHS,
    REPAIR,
    REPAIRS,
    ROCKFALL,
    SAY,
    target_of,
)

# Rows of the table of what cards are worth, by their numbers.
LAY_TO_GOAL: Final = 0
LAY_NEARER: Final = 1
LAY_SIDEWAYS: Final = 2
LAY_AWAY: Final = 3
LAY_END_ON_WAY: Final = 4
LAY_END: Final = 5
DIG_CLEARS: Final = 6
DIG_CUTS: Final = 7
DIG_ELSE: Final = 8
BLOCK: Final = 9
FREE_SELF: Final = 10
FREE_OTHER: Final = 11
MAP_NEW: Final = 12
MAP_KNOWN: Final = 13
DISCARDS: Final = 14


@kernel
def uses_of(
    state: Any, actions: Any, count: int, targets: int, tables: Any, uses: Any, players: Any
) -> None:
    """Write what each action is: a row of `card_weights.csv`, and the player it is about.

    Args:
        state: What the player to move knows.
        actions: Legal actions, no words.
        count: How many.
        targets: The goals where they expect the gold, as bits.
        tables: The game's.
        uses: Where to write rows.
        players: Where to write players; -1 for none.
    """
    rules = tables.rules[0]
    steps = np.empty(MOST_CELLS, dtype=np.int32)
    distances(state, targets, tables, steps)
    missing = steps[rules.start]
    for place in range(count):
        action = actions[place]
        players[place] = -1
        if action < DISCARD:
            uses[place] = use_of_path(state, action, missing, steps, tables)
        elif action < BREAK:
            uses[place] = DISCARDS + kind_of_use(action - DISCARD)
        elif action < DIG:
            players[place] = target_of(action)
            freeing = FREE_SELF if players[place] == state.player else FREE_OTHER
            uses[place] = BLOCK if action < REPAIR else freeing
        elif action < LOOK:
            hole = action - DIG
            piece = state.board[hole]
            state.board[hole] = 0
            now = completion(state, targets, tables)
            state.board[hole] = piece
            cuts = rules.through[piece] == 1 and state.reached[hole] == 1 and now > missing
            uses[place] = DIG_CUTS if cuts else DIG_CLEARS if now < missing else DIG_ELSE
        else:
            known = state.looked[state.player] >> (action - LOOK) & 1 == 1
            uses[place] = MAP_KNOWN if known else MAP_NEW


@kernel(allocates=False)
def use_of_path(state: Any, action: int, missing: int, steps: Any, tables: Any) -> int:
    """The use of laying a path card."""
    rules = tables.rules[0]
    cell = action // (2 * PATHS)
    piece = 1 + action % (2 * PATHS)
    if rules.through[piece] == 0:
        return LAY_END_ON_WAY if is_next(state, cell, steps, tables) else LAY_END
    behind = leads_to(state, cell, rules.sides[piece], steps, tables)
    if around(state, cell, tables) >> 8 & rules.sides[piece] == 0:
        return LAY_SIDEWAYS
    if behind == 0:
        return LAY_TO_GOAL
    return LAY_NEARER if behind < missing else LAY_AWAY if behind > missing else LAY_SIDEWAYS


@kernel
def goals_shown(state: Any, actions: Any, count: int, tables: Any, goals: Any) -> None:
    """Write the goals that lie face down and that each action shows, as bits.

    A map shows one, a path card those that it joins to the start. What may be turned up behind
    one of these is left out.

    Args:
        state: What the player to move knows; what is joined is written down anew.
        actions: Legal actions.
        count: How many.
        tables: The game's.
        goals: Where to write.
    """
    cells = tables.rules[0].goals
    for place in range(count):
        action = actions[place]
        goals[place] = 1 << (action - LOOK) if LOOK <= action and action < SAY else 0
        if action < DISCARD:
            cell = action // (2 * PATHS)
            state.board[cell] = 1 + action % (2 * PATHS)
            flood(state, tables)
            for goal in range(GOALS):
                if state.board[cells[goal]] != FACE_DOWN:
                    continue
                goals[place] |= (around(state, cells[goal], tables) >> 8 > 0) << goal
            state.board[cell] = 0
    flood(state, tables)


@kernel(allocates=False)
def kind_of_use(kind: int) -> int:
    """The kind of a card: 0 passage, 1 dead end, 2 broken tool, 3 repair, 4 rock-fall, 5 map."""
    found = 0
    for first in (PASSAGES, PATHS, REPAIRS, ROCKFALL, MAP):
        if kind >= first:
            found += 1
    return found
