"""Saboteur's offers to those who plan in it: sensible playouts, and an evaluation."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..advice import Advice, Playouts
from ..game import any_action
from ..kernels.kernel import kernel
from ..kernels.randomness import Generator, uniform
from .imagined import as_it_is, goals_alone
from .mine import FAR, distances, is_next, leads_to
from .pay import saboteurs_in_play
from .prospects import PROSPECTS, prospects
from .state import (
    BREAK,
    DIG,
    DISCARD,
    EQUAL,
    FACE_DOWN,
    GOALS,
    GOLD,
    LOOK,
    MOST_CELLS,
    PASSAGES,
    PATHS,
    REPAIR,
    SABOTEUR,
    SAY,
    SAY_GOLD,
    SAY_NOTHING,
    SIDES,
    target_of,
)

#: How often players of playouts take any action.
EPSILON: Final = 0.1
#: How a search goes about it: one action, and what it leads to evaluated; all actions in the same
#: few worlds, in which they are easier to compare.
SEARCH: Final = {
    "horizon": 1,
    "alone": True,
    "worlds": 16,
    "exploration": 0.05,
    "widening": False,
}
#: What is usual beside that for a search that looks for what can be learned at the next turn: the
#: cards until then, and a word after a map. Where a bit counts, actions are worth less alike.
LEARNING_ON: Final = {"imagined": "goals", "exploration": 0.3}
#: Nuggets on a gold card, on average.
NUGGETS: Final = 11 / 7


def advice(players: int) -> Advice:
    """The game's advice, with so many players."""
    return Advice(
        playouts={
            "sensible": Playouts(policy=sensible, epsilon=(EPSILON,) * players),
            "random": Playouts(policy=any_action, epsilon=(0.0,) * players),
        },
        imagined={"rules": as_it_is, "goals": goals_alone},
        evaluations={"prospects": expected},
        usual={"search": SEARCH, "learning_on": {**LEARNING_ON, "horizon": players + 2}},
    )


@kernel(allocates=False)
def hopeful_goals(state: Any, player: int, tables: Any) -> int:
    """The goals that hold the gold as far as a player has seen, as bits."""
    found = 0
    for goal in range(GOALS):
        if state.board[tables.rules[0].goals[goal]] != FACE_DOWN:
            continue
        looked = state.looked[player] >> goal & 1 == 1
        if looked and state.goals[goal] == GOLD:
            return 1 << goal
        if not looked:
            found |= 1 << goal
    return found


@kernel
def sensible(state: Any, actions: Any, count: int, tables: Any, random: Generator) -> int:
    """Miners build towards the goals that may hold the gold, free and tell the truth; saboteurs
    hinder and lie. Both know who is who, as in a playout all is known."""
    if count == 1:
        return 0
    steps = np.empty(MOST_CELLS, dtype=np.int32)
    distances(state, hopeful_goals(state, state.player, tables), tables, steps)
    best = -np.inf
    choice = 0
    for place in range(count):
        score = worth(state, actions[place], steps, tables) + uniform(random)
        if score > best:
            best = score
            choice = place
    return choice


@kernel(allocates=False)
def worth(state: Any, action: int, steps: Any, tables: Any) -> int:
    """The worth of an action to the player to move, by rules of thumb."""
    rules = tables.rules[0]
    saboteur = state.roles[state.player] == SABOTEUR
    if action < DISCARD:
        return worth_of_path(state, action, steps, saboteur, tables)
    if action < BREAK:
        passage = action - DISCARD < PASSAGES
        dead_end = not passage and action - DISCARD < PATHS
        return 1 if (passage and saboteur) or (dead_end and not saboteur) else 0
    if action < DIG:
        target = target_of(action)
        friend = (state.roles[target] == SABOTEUR) == saboteur
        if action < REPAIR:
            return -5 if friend else 3
        return 5 if target == state.player else 2 if friend else -5
    if action < LOOK:
        hole = action - DIG
        if rules.through[state.board[hole]] == 0:
            return -1 if saboteur else 2
        if state.reached[hole] == 0:
            return 0
        return 3 if saboteur else -4
    if action < SAY:
        return -2 if state.looked[state.player] >> (action - LOOK) & 1 == 1 else 2
    if action == SAY_NOTHING:
        return 0
    true = (action == SAY_GOLD) == (state.goals[state.saying - 1] == GOLD)
    return 1 if true != saboteur else -5


@kernel(allocates=False)
def worth_of_path(state: Any, action: int, steps: Any, saboteur: bool, tables: Any) -> int:
    """The worth of laying a path card to a player: by how much nearer the goals are behind it."""
    rules = tables.rules[0]
    cell = action // (2 * PATHS)
    piece = 1 + action % (2 * PATHS)
    missing = steps[rules.start]
    if rules.through[piece] == 0:
        blocks = is_next(state, cell, steps, tables)
        if saboteur:
            return 4 if blocks else 1
        return -6 if blocks else -3
    behind = leads_to(state, cell, rules.sides[piece], steps, tables)
    nearer = missing - behind if missing < FAR else 0
    if saboteur:
        return -4 * nearer if nearer > 0 else 1
    return 4 * nearer if nearer > 0 else -2


@kernel
def expected(state: Any, player: int, tables: Any) -> float:
    """About what a player will get: by what decides a round, weighed as in the game's tables."""
    found = np.empty(PROSPECTS)
    prospects(state, tables, found)
    total = 0.0
    for place in range(PROSPECTS):
        total += tables.weights[place] * found[place]
    chance = 1.0 / (1.0 + np.exp(-total))
    rules = tables.rules[0]
    own = chance if state.roles[player] != SABOTEUR else 1.0 - chance
    if rules.pay == SIDES:
        return state.won[player] + 2.0 * own - 1.0
    if rules.pay == EQUAL:
        return state.won[player] + own
    saboteurs = saboteurs_in_play(state, tables)
    if state.roles[player] == SABOTEUR:
        return state.won[player] + own * rules.saboteur_gold[saboteurs]
    cards = min(rules.players, 9)
    return state.won[player] + own * cards * NUGGETS / (rules.players - saboteurs)
