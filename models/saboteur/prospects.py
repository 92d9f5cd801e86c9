"""What decides a round of Saboteur, as numbers, and how likely the miners win: an evaluation."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..kernels.kernel import kernel
from .mine import FAR, around, begins, completion, distances, leads_to, misfits
from .state import (
    BREAKS,
    FACE_DOWN,
    GOALS,
    GOLD,
    MAP,
    MOST_CELLS,
    MOST_HAND,
    NO_CARD,
    PASSAGES,
    PATHS,
    REPAIRS,
    ROCKFALL,
    SABOTEUR,
)

#: A way that lacks more cards is as bad.
MOST_MISSING: Final = 12
#: Numbers that `prospects` writes.
PROSPECTS: Final = 32


@kernel
def prospects(state: Any, tables: Any, found: Any) -> None:
    rules = tables.rules[0]
    gold = 0
    down = 0
    for goal in range(GOALS):
        if state.goals[goal] == GOLD:
            gold = 1 << goal
        if state.board[rules.goals[goal]] == FACE_DOWN:
            down |= 1 << goal
    steps = np.empty(MOST_CELLS, dtype=np.int32)
    distances(state, gold, tables, steps)
    missing = steps[rules.start]
    d = float(min(missing, MOST_MISSING))
    nearest = float(min(completion(state, down, tables), MOST_MISSING))
    for i in range(PROSPECTS):
        found[i] = 0.0
    miners = 0.0
    free_miners = 0.0
    sabs = 0.0
    free_sabs = 0.0
    steps_of = 0.0
    ends = 0.0
    know = 0.0
    claims = 0.0
    lies = 0.0
    for player in range(rules.players):
        sab = state.roles[player] == SABOTEUR
        free = state.broken[player] == 0
        tools = 0
        for tool in range(3):
            tools += state.broken[player] >> tool & 1
        looked = state.looked[player] & down
        knows = looked & gold > 0 or looked | gold == down
        if sab:
            sabs += 1
            free_sabs += free
            found[20] += max(0, tools - 1)
        else:
            miners += 1
            free_miners += free
            know += knows
            found[21] += max(0, tools - 1)
        for goal in range(GOALS):
            if state.claims[player, goal] > 0 and down >> goal & 1 == 1:
                true = (state.claims[player, goal] == 1) == (gold >> goal & 1 == 1)
                if state.claims[player, goal] == 1:
                    claims += 1.0 if true else -1.0
                else:
                    lies += 1.0 if true else -1.0
        base = 10 if sab else 3
        for slot in range(MOST_HAND):
            kind = state.hands[player, slot]
            if kind == NO_CARD:
                break
            if kind < PASSAGES:
                found[base] += free
            elif kind < PATHS:
                found[base + 1] += free
            elif kind < REPAIRS:
                found[base + 2] += 1
            elif kind < ROCKFALL:
                found[base + 3] += 1
            elif kind < MAP:
                found[base + 4] += 1
            else:
                found[base + 5] += 1.0 - knows
    # Where the shortest way goes on, and who can lay the next card.
    cells = 0.0
    able = 0.0
    for cell in range(rules.cells):
        if state.board[cell] != 0 or steps[cell] != missing or missing >= FAR:
            continue
        asked = around(state, cell, tables)
        begin = begins(asked, tables)
        if asked >> 8 == 0:
            continue
        cells += 1
        for player in range(rules.players):
            if state.broken[player] != 0:
                continue
            sab = state.roles[player] == SABOTEUR
            for slot in range(MOST_HAND):
                kind = state.hands[player, slot]
                if kind == NO_CARD or kind >= PATHS:
                    break
                if slot > 0 and state.hands[player, slot - 1] == kind:
                    continue
                if sab == (kind < PASSAGES):
                    continue
                for turned in range(2):
                    sides = rules.sides[1 + 2 * kind + turned]
                    if misfits(asked, sides) != 0 or sides & begin == 0:
                        continue
                    if sab:
                        ends += 1
                        break
                    if leads_to(state, cell, sides, steps, tables) < missing:
                        able += 1
                        break
    left = float(rules.turns - state.turn)
    pace = left / rules.players
    found[0] = 1.0
    found[1] = d
    found[2] = d * d * 0.1
    found[9] = nearest
    found[16] = free_miners / miners
    found[17] = free_sabs / sabs if sabs > 0 else 0.0
    found[18] = know / miners
    found[19] = cells
    found[22] = min(able, 6.0)
    found[23] = min(ends, 6.0)
    found[24] = pace
    found[25] = d / (1.0 + pace * free_miners)
    found[26] = d / (1.0 + pace * miners)
    found[27] = claims
    found[28] = lies
    found[29] = (d - nearest) * know / miners
    found[30] = 1.0 if d == 1 else 0.0
    found[31] = 1.0 if missing >= MOST_MISSING else 0.0
