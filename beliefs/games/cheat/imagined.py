"""Cheat as a search imagines it that plays against a person: what they do is predicted.

In the paper's search every claim is public, so the player who is lied to sees it, and a lie is
worth nothing. Here nobody sees through cards. Whether the opponent calls is drawn by a predictor of
calls, from what they can see of the claim; whether the searching player would call in a playout is
decided by the predictor of truth, from what they can see. What else they do goes by people's
frequencies.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....models.cheat.people.person import counted
from ....models.cheat.people.tallies import CALLED, CLAIMED, COUNTS, no_counts, tally
from ....models.cheat.rules import apply, can_call, returns
from ....models.cheat.state import CALL, NOBODY
from ....models.game import OVER, Game
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import uniform
from ....models.play import SeenPlay, View
from ...predictors.predictor import Predictor, probability
from ...predictors.predictor import PredictorTables as PredictorTables
from .features import COUNT, feature_row

# Places in `OpponentTables.numbers`.
#: Who searches.
SEARCHER: Final = 0
#: What is added to the log odds of a call by the opponent.
OFFSET: Final = 1
#: The turn of the root.
ROOT: Final = 2

# Ours, not the paper's; none of the three was tuned beyond a few hundred games.
#: The searching player calls in playouts where a claim is true with less than this.
CALLS_BELOW: Final = 0.4
#: After how many turns from the root the game is broken off: playouts to its end are sixty turns of
#: mostly noise.
HORIZON: Final = 12
#: There a win has log odds of so many times log((other + 3) / (own + 3)), in cards in hand. People
#: among themselves have 0.7; who searches makes more of it.
SLOPE: Final = 1.4

#: How often a claim is called by anybody, and by how many claims an opponent gets to be known.
CALL_RATE: Final = 0.15
STRENGTH: Final = 10.0


class OpponentTables(NamedTuple):
    """The tables that kernels need of the game and of who plays it.

    Attributes:
        rules: As in the game's own tables.
        truth, calls: Predictors: whether a claim is true, whether it will be called.
        before: int32[2, COUNTS], what was counted in earlier games of the match.
        numbers: float64[3]; see `SEARCHER`, `OFFSET` and `ROOT`.
    """

    rules: Any
    truth: PredictorTables
    calls: PredictorTables
    before: NDArray[np.int32]
    numbers: NDArray[np.float64]


def predicted_game(game: Game, truth: Predictor, calls: Predictor) -> Game:
    """The game, imagined with predictors of both players.

    Args:
        game: Cheat.
        truth: Whether claims are true.
        calls: Whether claims will be called.
    """
    tables = OpponentTables(game.tables.rules, truth.tables, calls.tables, no_counts(), np.zeros(3))
    return replace(game, tables=tables, policy=predicted_policy, apply=apply_near, returns=worth)


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
    """The surplus of somebody's calls over anybody's, in log odds.

    Args:
        calls: How often they called.
        claims: How many claims they could call.
    """
    rate = (calls + STRENGTH * CALL_RATE) / (claims + STRENGTH)
    return math.log(rate / (1 - rate)) - math.log(CALL_RATE / (1 - CALL_RATE))


@kernel
def predicted_policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """A player's action by what is predicted of them, in a playout or as the opponent."""
    first = 0
    if actions[0] == CALL and can_call(state):
        if count == 1 or call_predicted(state, tables, random):
            return 0
        first = 1
    frequencies = tables.rules[0].frequencies
    total = 0.0
    for place in range(first, count):
        total += frequencies[actions[place]]
    drawn = uniform(random) * total
    for place in range(first, count):
        drawn -= frequencies[actions[place]]
        if drawn < 0.0:
            return place
    return count - 1


@kernel
def call_predicted(state: Any, tables: Any, random: Any) -> bool:
    """True if the last claim is called by the player to move, from what they can see of it."""
    row = np.empty(COUNT)
    counts = np.empty((2, COUNTS), dtype=np.int32)
    feature_row(state, tables.before, np.nan, tables, counts, row)
    if state.player == tables.numbers[SEARCHER]:
        return probability(row, tables.truth) < CALLS_BELOW
    called = probability(row, tables.calls)
    odds = called / (1.0 - called) * math.exp(tables.numbers[OFFSET])
    return uniform(random) * (1.0 + odds) < odds


@kernel(allocates=False)
def apply_near(state: Any, action: int, tables: Any, random: Any) -> None:
    """The rules, but that the game is broken off so many turns from the root."""
    apply(state, action, tables, random)
    if state.turn - tables.numbers[ROOT] >= HORIZON:
        state.player = OVER


@kernel(allocates=False)
def worth(state: Any, tables: Any, values: Any) -> None:
    """The winnings; or, where the game was broken off, the worth of the hands."""
    if state.winner != NOBODY:
        returns(state, tables, values)
        return
    ratio = math.log((state.sizes[1] + 3.0) / (state.sizes[0] + 3.0))
    values[0] = math.tanh(0.5 * SLOPE * ratio)
    values[1] = -values[0]
