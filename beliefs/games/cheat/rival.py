"""People as they are predicted, as a rival whom a sound search answers.

`imagined.predicted_policy` draws what people do next. Here stands how likely they do it, for exact
answers and to weigh what they have done so far.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....models.cheat.people.tallies import COUNTS
from ....models.cheat.rules import apply, can_call, legal
from ....models.cheat.state import ACTIONS, CALL
from ....models.game import Game
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import Generator, generator
from ...predictors.predictor import probability
from ..contract import Histories
from .features import COUNT, feature_row
from .imagined import OFFSET, SEARCHER, OpponentTables

#: Nobody searches: what is predicted is predicted of both players.
NOBODY: Final = -1


def predict_both(game: Game) -> None:
    """Tell an imagined game that it is asked about any two people who do not know each other."""
    tables: OpponentTables = game.tables
    tables.numbers[:] = 0.0
    tables.numbers[SEARCHER] = NOBODY
    tables.before[:] = 0


@kernel
def predicted_shares(state: Any, actions: Any, count: int, tables: Any, shares: Any) -> None:
    """Write how likely an opponent takes each action, see `imagined.predicted_policy`.

    Args:
        state: The state; what the player to move cannot know is not read.
        actions: int32; the legal codes stand in front.
        count: How many there are.
        tables: Of an imagined game.
        shares: float64, written for the first ``count``.
    """
    calls, first = 0.0, 0
    if actions[0] == CALL and can_call(state):
        first = 1
        calls = 1.0
        if count > 1:
            row = np.empty(COUNT)
            counts = np.empty((2, COUNTS), dtype=np.int32)
            feature_row(state, tables.before, np.nan, tables, counts, row)
            called = probability(row, tables.calls)
            odds = called / (1.0 - called) * math.exp(tables.numbers[OFFSET])
            calls = odds / (1.0 + odds)
        shares[0] = calls
    total = 0.0
    for place in range(first, count):
        total += tables.rules[0].frequencies[actions[place]]
    for place in range(first, count):
        shares[place] = (1.0 - calls) * tables.rules[0].frequencies[actions[place]] / total


def rival_likelihoods(game: Game, histories: Histories, viewer: int) -> NDArray[np.float64]:
    """The likelihoods of all that a predicted opponent did in games that a viewer may have seen.

    Args:
        game: An imagined game that was told of the root, see `imagined.begin`.
        histories: The games.
        viewer: The player whose opponent is predicted.

    Returns:
        The product of the shares of their actions, for each game.
    """
    found = np.ones(len(histories.starts))
    states = histories.starts.copy()
    follow(states, histories.actions, histories.listed, viewer, game.tables, generator(0), found)
    return found


@kernel
def follow(
    states: Any,
    actions: Any,
    listed: Any,
    viewer: int,
    tables: Any,
    random: Generator,
    found: Any,
) -> None:
    """Play games again, and multiply what is there by the shares of an opponent's actions.

    Args:
        states: The starts; written to.
        actions, listed: int64[n, plies], see `contract.Histories`.
        viewer: The player whose opponent is predicted.
        tables: Of an imagined game.
        random: A generator, of which nothing is drawn.
        found: float64[n], written.
    """
    codes = np.zeros(ACTIONS, dtype=np.int32)
    shares = np.zeros(ACTIONS)
    for place in range(len(states)):
        state = states[place]
        for ply in range(actions.shape[1]):
            if state.player != viewer:
                count = legal(state, tables, codes)
                predicted_shares(state, codes, count, tables, shares)
                for each in range(count):
                    if codes[each] == listed[place, ply]:
                        found[place] *= shares[each]
            apply(state, actions[place, ply], tables, random)
