"""The prospects of a round of Saboteur in numbers: rows of `prospects.csv`, as a kernel."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..kernels.kernel import kernel
from .mine import around, completion, distances, fits, goals_down, is_next, leads_to
from .state import (
    GOALS,
    GOLD,
    MOST_CELLS,
    MOST_HAND,
    NO_CARD,
    PASSAGES,
    PATHS,
    REPAIRS,
    ROCKFALL,
    SABOTEUR,
)

# Rows of the table, by their numbers.
ALWAYS: Final = 0
MISSING: Final = 1
MISSING_SQUARED: Final = 2
TO_NEAREST: Final = 3
ROUNDS_LEFT: Final = 4
FOR_EACH_TURN: Final = 5
CUT_OFF: Final = 6
LAST_CARD: Final = 7
CAN_GO_ON: Final = 8
CAN_BLOCK: Final = 9
MINERS_PASSAGES: Final = 10
MINERS_REPAIRS: Final = 11
SABOTEURS_ENDS: Final = 12
SABOTEURS_ROCKFALLS: Final = 13
KNOW: Final = 14
KNOW_DETOUR: Final = 15
SAID_GOLD: Final = 16
SAID_STONE: Final = 17
MINERS_TOOLS: Final = 18
SABOTEURS_TOOLS: Final = 19
FREE_SABOTEURS: Final = 20
PROSPECTS: Final = 21

#: A way that lacks more cards is as bad.
MOST_MISSING: Final = 12
#: More who can go on, or block, make no difference.
MOST_ABLE: Final = 6


@kernel
def prospects(state: Any, tables: Any, found: Any) -> None:
    """Write what decides the round, of a state in which all is known.

    Args:
        state: The state.
        tables: The game's.
        found: Where to write, a number for each row of the table.
    """
    rules = tables.rules[0]
    found[:] = 0.0
    gold = 0
    for goal in range(GOALS):
        if state.goals[goal] == GOLD:
            gold = 1 << goal
    down = goals_down(state, tables)
    miners = 0
    for player in range(rules.players):
        if state.roles[player] != SABOTEUR:
            miners += 1
        of_player(state, player, gold, down, tables, found)
    found[FREE_SABOTEURS] /= max(1, rules.players - miners)
    found[KNOW] /= miners
    steps = np.empty(MOST_CELLS, dtype=np.int32)
    distances(state, gold, tables, steps)
    of_next_cards(state, steps, tables, found)
    missing = min(steps[rules.start], MOST_MISSING)
    rounds_left = (rules.turns - state.turn) / rules.players
    found[ALWAYS] = 1.0
    found[MISSING] = missing
    found[MISSING_SQUARED] = 0.1 * missing * missing
    found[TO_NEAREST] = min(completion(state, down, tables), MOST_MISSING)
    found[ROUNDS_LEFT] = rounds_left
    found[FOR_EACH_TURN] = missing / (1.0 + rounds_left * miners)
    found[CUT_OFF] = 1.0 if missing == MOST_MISSING else 0.0
    found[LAST_CARD] = 1.0 if missing == 1 else 0.0
    found[KNOW_DETOUR] = (missing - found[TO_NEAREST]) * found[KNOW]


@kernel(allocates=False)
def of_player(state: Any, player: int, gold: int, down: int, tables: Any, found: Any) -> None:
    """Add a player's cards and tools, and what they know and said of the goals that lie face down.

    Who cannot lay path cards now has none.
    """
    saboteur = state.roles[player] == SABOTEUR
    free = 1 if state.broken[player] == 0 else 0
    tools = 0
    for tool in range(3):
        tools += state.broken[player] >> tool & 1
    found[SABOTEURS_TOOLS if saboteur else MINERS_TOOLS] += max(0, tools - 1)
    looked = state.looked[player] & down
    if saboteur:
        found[FREE_SABOTEURS] += free
    elif looked & gold > 0 or looked | gold == down:
        found[KNOW] += 1
    for goal in range(GOALS):
        said = state.claims[player, goal]
        if said > 0 and down >> goal & 1 == 1:
            true = (said == 1) == (gold >> goal & 1 == 1)
            found[SAID_GOLD if said == 1 else SAID_STONE] += 1.0 if true else -1.0
    for slot in range(MOST_HAND):
        kind = state.hands[player, slot]
        if kind == NO_CARD:
            break
        if saboteur:
            if PASSAGES <= kind < PATHS:
                found[SABOTEURS_ENDS] += free
            elif kind == ROCKFALL:
                found[SABOTEURS_ROCKFALLS] += 1
        elif kind < PASSAGES:
            found[MINERS_PASSAGES] += free
        elif REPAIRS <= kind < ROCKFALL:
            found[MINERS_REPAIRS] += 1


@kernel(allocates=False)
def of_next_cards(state: Any, steps: Any, tables: Any, found: Any) -> None:
    """Count the cards that go on with the shortest way at once, and those that end it."""
    rules = tables.rules[0]
    missing = steps[rules.start]
    for cell in range(rules.cells):
        if state.board[cell] != 0 or not is_next(state, cell, steps, tables):
            continue
        asked = around(state, cell, tables)
        for player in range(rules.players):
            if state.broken[player] != 0:
                continue
            saboteur = state.roles[player] == SABOTEUR
            last = NO_CARD
            for slot in range(MOST_HAND):
                kind = state.hands[player, slot]
                if kind == NO_CARD or kind >= PATHS:
                    break
                if kind == last or saboteur == (kind < PASSAGES):
                    continue
                last = kind
                for turned in range(2):
                    sides = rules.sides[1 + 2 * kind + turned]
                    if fits(asked, sides, tables) and (
                        saboteur or leads_to(state, cell, sides, steps, tables) < missing
                    ):
                        found[CAN_BLOCK if saboteur else CAN_GO_ON] += 1
                        break
    found[CAN_GO_ON] = min(found[CAN_GO_ON], MOST_ABLE)
    found[CAN_BLOCK] = min(found[CAN_BLOCK], MOST_ABLE)
