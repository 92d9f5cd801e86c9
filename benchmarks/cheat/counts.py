"""What happened in games of Cheat that agents played: lies, calls, takes, cards, per agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sleuth import Game
from sleuth.kit import generator
from sleuth.models.cheat.record.seen import cards_of
from sleuth.models.cheat.state import CALL, CLAIM, TAKE, rank_of


@dataclass(frozen=True)
class Counts:
    """Of one game, for one agent of two.

    Attributes:
        won: 1 for a win, 0 for a loss, one half for a draw.
        rounds: Actions of both.
        cards: How many more cards they held than the other, on average after every action.
        actions, claims, lies, takes, calls, caught: Theirs; caught: calls of theirs that were
        right. laid: Cards of their claims.
    """

    won: float
    rounds: int
    cards: float
    actions: int
    claims: int
    lies: int
    takes: int
    calls: int
    caught: int
    laid: int


def counts_of(
    game: Game, seed: int, actions: Sequence[int], returns: Sequence[float], seats: Sequence[int]
) -> tuple[Counts, Counts]:
    """The counts of both agents in a game that is played again.

    Args:
        game: Cheat.
        seed, actions: Of the game, as in `PlayedGame`.
        returns: By agent.
        seats: The agent in each role.
    """
    states: Any = game.initial(seed)
    state = states[0]
    numbers = np.zeros((2, 6), dtype=np.int64)
    apart: list[int] = []
    for move, action in enumerate(actions, start=1):
        role = int(state.player)
        mine = numbers[seats[role]]
        mine[0] += 1
        if action >= CLAIM:
            mine[1] += 1
            mine[2] += (action - CLAIM) // 4 % 2
            mine[5] += (action - CLAIM) % 4 + 1
        elif action == TAKE:
            mine[3] += 1
        elif action == CALL:
            last = int(state.turn) - 1
            rank = rank_of(int(state.log[last]))
            true = all(card == rank for card in cards_of(int(state.cards[last])))
            mine[4] += 1 if true else 1 + (1 << 20)
        game.apply(state, action, game.tables, generator(seed, move))
        apart.append(int(state.sizes[seats.index(0)] - state.sizes[seats.index(1)]))
    mean = float(np.mean(apart))
    made: list[Counts] = []
    for agent in range(2):
        acted, claims, lies, takes, calls, laid = numbers[agent].tolist()
        won = 0.5 + 0.5 * float(np.sign(returns[agent] - returns[1 - agent]))
        made.append(
            Counts(won, len(actions), mean if agent == 0 else -mean, acted, claims, lies, takes,
                   calls & ((1 << 20) - 1), calls >> 20, laid)
        )  # fmt: skip
    return made[0], made[1]
