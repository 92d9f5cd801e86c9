"""The pay of a round of Saboteur: for the sides alike, or the gold of the rules."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.kernel import kernel
from ..kernels.randomness import below
from .state import EQUAL, MINERS_WIN, SABOTEUR, SIDES


@kernel(allocates=False)
def saboteurs_in_play(state: Any, tables: Any) -> int:
    """The number of players who are saboteurs."""
    count = 0
    for player in range(tables.rules[0].players):
        count += state.roles[player]
    return count


@kernel
def pay(state: Any, finisher: int, tables: Any, random: Any) -> None:
    """Everybody gets what the round that is over pays them.

    Args:
        state: With the winner of the round.
        finisher: Who played its last card.
        tables: The game's.
        random: For the gold cards.
    """
    rules = tables.rules[0]
    if rules.pay != SIDES and rules.pay != EQUAL and state.winner == MINERS_WIN:
        share_gold(state, finisher, tables, random)
        return
    each = rules.saboteur_gold[saboteurs_in_play(state, tables)]
    for player in range(rules.players):
        won = (state.roles[player] == SABOTEUR) != (state.winner == MINERS_WIN)
        if rules.pay == SIDES:
            state.won[player] += 1 if won else -1
        elif won:
            state.won[player] += 1 if rules.pay == EQUAL else each


@kernel
def share_gold(state: Any, finisher: int, tables: Any, random: Any) -> None:
    """As many gold cards as players, the best for who finished, and on counter-clockwise."""
    players = tables.rules[0].players
    drawn = np.zeros(3, dtype=np.int32)
    for _ in range(min(players, 9)):
        place = below(random, state.gold_left[0] + state.gold_left[1] + state.gold_left[2])
        kind = 0
        while place >= state.gold_left[kind]:
            place -= state.gold_left[kind]
            kind += 1
        state.gold_left[kind] -= 1
        drawn[kind] += 1
    player = finisher
    for kind in range(2, -1, -1):
        for _ in range(drawn[kind]):
            while state.roles[player] == SABOTEUR:
                player = (player + players - 1) % players
            state.won[player] += kind + 1
            player = (player + players - 1) % players
