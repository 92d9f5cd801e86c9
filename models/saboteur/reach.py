"""The reach of a mine to a program that counts cells, as kernels.

A public program of N. Logan and N. Felim (2016 to 2020) judges a mine by the cells where its ways
can go on: by columns for what a player wants, and by rows where it knows something of the goals.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..game import HIDDEN
from ..kernels.kernel import kernel
from .mine import flood
from .state import DIG, DISCARD, GOALS, GOLD, MOST_CELLS, PATHS

# What is known of the goals, as the program tells it apart.
NOTHING: Final = 0
TOP_STONE: Final = 1
TOP_GOLD: Final = 2
ELSE: Final = 3
#: Of so many cells miners take the average.
CELLS: Final = 5
#: Differences as small as this are none.
CLOSE: Final = 1e-6


@kernel(allocates=False)
def scenario_of(state: Any) -> int:
    """The scenario that is known of the goals. A goal is also known when the others are."""
    gold = -1
    stones = 0
    for goal in range(GOALS):
        if state.goals[goal] == GOLD:
            gold = goal
        elif state.goals[goal] != HIDDEN:
            stones |= 1 << goal
    if gold < 0 and stones == 0:
        return NOTHING
    if stones & 1 == 1 or gold > 0:
        return TOP_STONE
    if gold == 0 or stones == 6:
        return TOP_GOLD
    return ELSE


@kernel(allocates=False)
def worth_of_cell(cell: int, saboteur: bool, scenario: int, tables: Any) -> float:
    """The worth of a cell where a way can go on."""
    rules = tables.rules[0]
    across = cell % rules.width - rules.start % rules.width
    down = min(4, max(0, cell // rules.width - rules.goals[0] // rules.width))
    near = 0.1 * ((9 - across) if saboteur else (1 + across))
    if scenario == TOP_STONE:
        return near * (max(1 - 0.5 * down, 0.0) if saboteur else min(0.5 * down, 1.0))
    if scenario == TOP_GOLD:
        return near * (down * down / 16 if saboteur else 1 - 0.25 * down)
    if scenario == ELSE:
        return near * ((down - 4) * (down - 4) / 16 if saboteur else 0.25 * down)
    return near


@kernel
def reach(state: Any, saboteur: bool, scenario: int, tables: Any, found: Any) -> None:
    """Write the most and the average that cells are worth where ways can go on.

    The average is that of all, to a miner of the best `CELLS`.
    """
    rules = tables.rules[0]
    flood(state, tables)
    worths = np.full(MOST_CELLS, -np.inf)
    count = 0
    for cell in range(rules.cells):
        if state.board[cell] != 0 and not is_goal(cell, tables):
            continue
        for side in range(4):
            other = rules.neighbours[cell, side]
            if other < 0 or state.reached[other] == 0:
                continue
            if rules.sides[state.board[other]] >> (side ^ 2) & 1 == 1:
                worths[count] = worth_of_cell(cell, saboteur, scenario, tables)
                count += 1
                break
    worths[:count].sort()
    first = 0 if saboteur else max(0, count - CELLS)
    found[0] = worths[count - 1] if count > 0 else -np.inf
    found[1] = worths[first:count].mean() if count > 0 else 0.0


@kernel(allocates=False)
def is_goal(cell: int, tables: Any) -> bool:
    """True if a cell is that of a goal."""
    goals = tables.rules[0].goals
    return cell == goals[0] or cell == goals[1] or cell == goals[2]


@kernel
def changes(state: Any, actions: Any, count: int, saboteur: bool, tables: Any, found: Any) -> None:
    """Write how each path card or rock-fall changes the most, or else the average.

    Args:
        state: What a player knows; its ways are followed anew.
        actions: Path cards and rock-falls.
        count: How many.
        saboteur: Whether the player is one.
        tables: The game's.
        found: Where to write.
    """
    scenario = scenario_of(state)
    before = np.empty(2)
    after = np.empty(2)
    reach(state, saboteur, scenario, tables, before)
    for place in range(count):
        action = actions[place]
        cell = action // (2 * PATHS) if action < DISCARD else action - DIG
        piece = state.board[cell]
        state.board[cell] = 1 + action % (2 * PATHS) if action < DISCARD else 0
        reach(state, saboteur, scenario, tables, after)
        state.board[cell] = piece
        found[place] = after[0] - before[0]
        if after[0] == before[0] or abs(found[place]) < CLOSE:
            found[place] = after[1] - before[1]
    flood(state, tables)
