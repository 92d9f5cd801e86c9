"""The mine as kernels: what fits where, what is joined to the start, and how far the goals are.

Sides are numbered 0 to 3 from the north, clockwise, and stand for bits.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..kernels.cards import set_all
from ..kernels.kernel import kernel
from .state import (
    EXTENDS,
    FACE_DOWN,
    GOALS,
    GOLD,
    GOLD_PIECE,
    JOINED,
    MOST_CELLS,
    place_code,
)

#: More cards than any way takes.
FAR: Final = 1_000


@kernel(allocates=False, inline="late")
def next_on_way(state: Any, cell: int, side: int, tables: Any) -> int:
    """The cell beside another, if both cards open to each other there; else -1."""
    rules = tables.rules[0]
    other = rules.neighbours[cell, side]
    if other < 0 or rules.sides[state.board[cell]] >> side & 1 == 0:
        return -1
    return other if rules.sides[state.board[other]] >> (side ^ 2) & 1 == 1 else -1


@kernel
def flood(state: Any, tables: Any) -> None:
    """Write down which cards' ways are joined to the start.

    >>> import sleuth
    >>> from sleuth.games.saboteur import flood
    >>> game = sleuth.game("saboteur", players=3)
    >>> states = game.initial(1)
    >>> flood(states[0], game.tables)
    >>> int(states[0].reached.sum())  # the start alone
    1
    """
    rules = tables.rules[0]
    waiting = np.empty(MOST_CELLS, dtype=np.int32)
    set_all(state.reached, 0)
    state.reached[rules.start] = 1
    waiting[0] = rules.start
    count = 1
    while count > 0:
        count -= 1
        cell = waiting[count]
        for side in range(4):
            other = next_on_way(state, cell, side, tables)
            if other < 0 or state.reached[other] == 1 or rules.through[state.board[other]] == 0:
                continue
            state.reached[other] = 1
            waiting[count] = other
            count += 1


@kernel(allocates=False)
def around(state: Any, cell: int, tables: Any) -> int:
    """The demands of a cell's neighbours on a card: three groups of four bits, one for each side.

    Lowest: where a neighbour opens to it. Then: where a neighbour has a wall. Then: where a
    neighbour opens to it whose ways are joined to the start. A goal that lies face down asks
    nothing.
    """
    rules = tables.rules[0]
    found = 0
    for side in range(4):
        other = rules.neighbours[cell, side]
        if other < 0 or state.board[other] == 0 or state.board[other] == FACE_DOWN:
            continue
        if rules.sides[state.board[other]] >> (side ^ 2) & 1 == 0:
            found |= 16 << side
        else:
            found |= (1 | state.reached[other] << 8) << side
    return found


@kernel(allocates=False, inline="late")
def misfits(asked: int, sides: int) -> int:
    """The sides on which a card with these openings does not fit its neighbours, as bits."""
    return sides & asked >> 4 & 15 | asked & 15 & ~sides


@kernel(allocates=False, inline="late")
def fits(asked: int, sides: int, tables: Any) -> bool:
    """True if a card with these openings can be laid where its neighbours ask this of it."""
    placing = tables.rules[0].placing
    if misfits(asked, sides) != 0:
        return False
    if placing == JOINED:
        return sides & asked >> 8 > 0
    return sides & asked > 0 if placing == EXTENDS else asked > 0


@kernel(allocates=False)
def placements(state: Any, kinds: Any, count: int, tables: Any, actions: Any) -> int:
    """Write the actions of laying down path cards; how many there are.

    Args:
        state: The state.
        kinds: Kinds of path cards, each once, at the front of an array.
        count: How many.
        tables: The game's.
        actions: Where to write.
    """
    rules = tables.rules[0]
    found = 0
    for cell in range(rules.cells):
        asked = around(state, cell, tables) if state.board[cell] == 0 else 0
        if asked == 0:
            continue
        for place in range(count):
            for turned in range(2):
                piece = 1 + 2 * kinds[place] + turned
                sides = rules.sides[piece]
                is_same = turned == 1 and sides == rules.sides[piece - 1]
                if not is_same and fits(asked, sides, tables):
                    actions[found] = place_code(kinds[place], turned, cell)
                    found += 1
    return found


@kernel(allocates=False)
def goals_down(state: Any, tables: Any) -> int:
    """The goals that lie face down, as bits."""
    found = 0
    for goal in range(GOALS):
        if state.board[tables.rules[0].goals[goal]] == FACE_DOWN:
            found |= 1 << goal
    return found


@kernel(allocates=False)
def turned_to_fit(state: Any, goal: int, tables: Any) -> int:
    """A goal card that was reached, as it is laid: joined to a way that leads there, and such that
    it fits as many neighbours as it can."""
    rules = tables.rules[0]
    asked = around(state, rules.goals[goal], tables)
    upright = 1 + 2 * (GOLD_PIECE + state.goals[goal])
    best = -1
    found = upright
    for turned in range(2):
        sides = rules.sides[upright + turned]
        joined = 8 if sides & asked >> 8 > 0 else 0
        for side in range(4):
            joined += 1 - (misfits(asked, sides) >> side & 1)
        if joined > best:
            best = joined
            found = upright + turned
    return found


@kernel
def turn_up_goals(state: Any, tables: Any) -> bool:
    """RoundTurn up the goals to which a way leads now; whether the gold is among them.

    Where the state says only what somebody sees, a goal of which they know nothing stays face down.
    """
    rules = tables.rules[0]
    gold = False
    again = True
    while again:
        again = False
        flood(state, tables)
        for goal in range(GOALS):
            cell = rules.goals[goal]
            lies = state.board[cell] == FACE_DOWN and state.goals[goal] >= 0
            if lies and around(state, cell, tables) >> 8 > 0:
                state.board[cell] = turned_to_fit(state, goal, tables)
                gold = gold or state.goals[goal] == GOLD
                again = True
    return gold


@kernel(allocates=False, inline="late")
def cost(state: Any, cell: int, towards: int, tables: Any) -> int:
    """The number of cards a way takes on a cell that it leaves by a side; -1 where it cannot."""
    piece = state.board[cell]
    if piece == 0:
        return 1
    rules = tables.rules[0]
    if piece == FACE_DOWN or rules.through[piece] == 0:
        return -1
    return 0 if rules.sides[piece] >> towards & 1 == 1 else -1


@kernel
def distances(state: Any, goals: int, tables: Any, steps: Any) -> None:
    """For each cell, how many cards a way from there to a goal takes at least, that one included.

    Ways of the right shape are always thought to be had; cards that lie are used for nothing.

    Args:
        state: The state.
        goals: Which goals that lie face down, as bits.
        tables: The game's.
        steps: Where to write, for each cell; `FAR` where no way leads.
    """
    rules = tables.rules[0]
    # Cells to go on from, the nearest first: what costs no card goes before all others.
    waiting = np.empty(2 * MOST_CELLS, dtype=np.int32)
    first = last = MOST_CELLS
    set_all(steps, FAR)
    for goal in range(GOALS):
        cell = rules.goals[goal]
        if goals >> goal & 1 == 1 and state.board[cell] == FACE_DOWN:
            steps[cell] = 0
            waiting[last] = cell
            last += 1
    while first < last:
        cell = waiting[first]
        first += 1
        piece = state.board[cell]
        for side in range(4):
            other = rules.neighbours[cell, side]
            if other < 0 or steps[other] < FAR:
                continue
            # A card that lies there must open to this side, too.
            if piece != 0 and piece != FACE_DOWN and rules.sides[piece] >> side & 1 == 0:
                continue
            taken = cost(state, other, side ^ 2, tables)
            if taken >= 0:
                steps[other] = steps[cell] + taken
            if taken == 0:
                first -= 1
                waiting[first] = other
            elif taken == 1:
                waiting[last] = other
                last += 1


@kernel
def completion(state: Any, goals: int, tables: Any) -> int:
    """The fewest cards to reach one of these goals that lie face down; else `FAR`.

    Args:
        state: The state.
        goals: Which goals, as bits.
        tables: The game's.
    """
    steps = np.empty(MOST_CELLS, dtype=np.int32)
    distances(state, goals, tables, steps)
    return steps[tables.rules[0].start]


@kernel(allocates=False)
def leads_to(state: Any, cell: int, sides: int, steps: Any, tables: Any) -> int:
    """The number of cards missing to a goal behind a passage laid on an empty cell.

    Args:
        state: The state.
        cell: The cell.
        sides: The openings of the passage.
        steps: Of `distances`.
        tables: The game's.
    """
    rules = tables.rules[0]
    least = FAR
    for side in range(4):
        other = rules.neighbours[cell, side]
        if other < 0 or sides >> side & 1 == 0:
            continue
        piece = state.board[other]
        if piece == 0 or piece == FACE_DOWN or rules.sides[piece] >> (side ^ 2) & 1 == 1:
            least = min(least, steps[other])
    return least


@kernel(allocates=False)
def is_next(state: Any, cell: int, steps: Any, tables: Any) -> bool:
    """True if a shortest way to a goal goes on from the mine over an empty cell.

    Where no way is left it goes on nowhere: all that cannot be reached is as far as the rest.

    Args:
        state: The state.
        cell: The cell.
        steps: Of `distances`.
        tables: The game's.
    """
    missing = steps[tables.rules[0].start]
    if missing >= FAR or steps[cell] != missing:
        return False
    return around(state, cell, tables) >> 8 > 0
