"""Cheat as a search imagines it that plays against a person: what he does is predicted.

In the paper's search every claim is public, so whoever is lied to sees it, and a lie is worth
nothing. Here nobody sees through cards. Whether the opponent calls is drawn by a predictor of calls,
from what he can see of the claim; whether the searching player would call in a playout is decided
by the predictor of truth, from what he can see. What else they do goes by people's frequencies.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..models.cheat.history import CALLED, CLAIMED, COUNTS, no_counts, tally
from ..models.cheat.people import counted
from ..models.cheat.rules import can_call
from ..models.cheat.tables import CALL
from ..models.game import Game
from ..models.kernel import kernel
from ..models.play import SeenPlay, View
from ..models.randomness import uniform
from .cheat_features import COUNT, feature_row
from .predictor import Predictor, probability
from .predictor import Tables as PredictorTables

#: Places in `OpponentTables.numbers`: who searches; what is added to the log odds of a call by the
#: opponent; below which P(true) a player of a playout calls who searches.
SEARCHER: Final = 0
OFFSET: Final = 1
CALLS_BELOW: Final = 2
#: The turn of the root, and for how many turns from there predictors are asked.
ROOT: Final = 3
NEAR: Final = 4

#: How often a claim is called by anybody, and by how many claims an opponent gets to be known.
CALL_RATE: Final = 0.15
STRENGTH: Final = 10.0


class OpponentTables(NamedTuple):
    """What kernels need to know of the game and of who plays it.

    Attributes:
        rules: As in the game's own tables.
        truth, calls: Predictors: whether a claim is true, whether it will be called.
        before: int32[2, COUNTS], what was counted in earlier games of the match.
        numbers: float64[3]; see `SEARCHER`.
        frequencies: float64[2, 18], how often the opponent takes an action, and the searcher.
    """

    rules: Any
    truth: PredictorTables
    calls: PredictorTables
    before: NDArray[np.int32]
    numbers: NDArray[np.float64]
    frequencies: NDArray[np.float64]


def predicted_game(game: Game, truth: Predictor, calls: Predictor) -> Game:
    """The game, imagined with predictors of both players.

    Args:
        game: Cheat.
        truth: Whether claims are true.
        calls: Whether claims will be called.
    """
    rules = game.tables.rules
    frequencies = np.tile(rules[0].frequencies, (2, 1)).astype(np.float64)
    frequencies[:, CALL] = 0.0
    tables = OpponentTables(
        rules,
        truth.tables,
        calls.tables,
        no_counts(),
        np.array([0.0, 0.0, 0.4, 0.0, 12.0]),
        np.ascontiguousarray(frequencies),
    )
    return replace(game, tables=tables, policy=predicted_policy)


def begin(game: Game, view: View, seen: SeenPlay) -> None:
    """Tell an imagined game what is known at the root of a search."""
    tables: OpponentTables = game.tables
    before = counted(seen.told.earlier, view.viewer)
    tables.before[:] = before
    counts = before.copy()
    tally(view.states[0], view.game.tables, counts)
    tables.numbers[SEARCHER] = view.viewer
    tables.numbers[ROOT] = int(view.states[0].turn)
    tables.numbers[OFFSET] = calls_offset(
        int(counts[1 - view.viewer, CALLED]), int(counts[view.viewer, CLAIMED])
    )


def calls_offset(calls: int, claims: int) -> float:
    """How much more often somebody calls than anybody, in log odds.

    Args:
        calls: How often he called.
        claims: How many claims he could call.
    """
    rate = (calls + STRENGTH * CALL_RATE) / (claims + STRENGTH)
    return math.log(rate / (1 - rate)) - math.log(CALL_RATE / (1 - CALL_RATE))


@kernel
def predicted_policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """What a player does by what is predicted of him, in a playout or as the opponent."""
    mine = 1 if state.player == tables.numbers[SEARCHER] else 0
    first = 0
    if actions[0] == CALL and can_call(state):
        if state.turn - tables.numbers[ROOT] < tables.numbers[NEAR]:
            calls = call_predicted(state, mine, tables, random)
        else:
            calls = call_guessed(state, mine, tables, random)
        if calls or count == 1:
            return 0
        first = 1
    total = 0.0
    for place in range(first, count):
        total += tables.frequencies[mine, actions[place]]
    drawn = uniform(random) * total
    for place in range(first, count):
        drawn -= tables.frequencies[mine, actions[place]]
        if drawn < 0.0:
            return place
    return count - 1


@kernel
def call_predicted(state: Any, mine: int, tables: Any, random: Any) -> bool:
    """Whether the last claim is called, by the predictors."""
    row = np.empty(COUNT)
    counts = np.empty((2, COUNTS), dtype=np.int32)
    feature_row(state, tables.before, np.nan, tables, counts, row)
    if mine == 1:
        return probability(row, tables.truth) < tables.numbers[CALLS_BELOW]
    called = probability(row, tables.calls)
    odds = called / (1.0 - called) * math.exp(tables.numbers[OFFSET])
    return uniform(random) * (1.0 + odds) < odds


@kernel(allocates=False)
def call_guessed(state: Any, mine: int, tables: Any, random: Any) -> bool:
    """The same far from the root, where little depends on it: as often as people do."""
    if state.sizes[1 - state.player] == 0:
        return True
    rate = CALL_RATE
    if mine == 0:
        odds = rate / (1.0 - rate) * math.exp(tables.numbers[OFFSET])
        rate = odds / (1.0 + odds)
    return uniform(random) < rate
