"""Clue as a search imagines it: a race of people who ask well.

The player that playouts are about knows the case file sooner than one who asks at random. In this
game nobody weighs whether to accuse: after each suggestion its player knows the case file with a
chance that says how soon people know it who ask well, and then accuses rightly; else they pass. It
has the states and actions of the game, with a board or without one, and tables of its own, which
are told what is known at the root.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...game import Game
from ...kernels.kernel import kernel
from ...kernels.randomness import below, uniform
from ...play import View
from .. import game as rules
from ..board import walking
from ..codes import CardCodes
from ..game import ACCUSING, in_case_file

#: In place of `ACCUSING`: whose turn it is knows the case file.
KNOWING: Final = 3
#: Rounds that are told apart.
ROUNDS: Final = 8
#: How often people who ask well know the case file after a round, if they did not before it; for
#: rounds that are rarely reached. All these numbers are those of benchmarks/clue/race.py.
LATE: Final = 0.5
#: The same after the next rounds, by the bits that are open (at least so many).
BY_BITS: Final = (
    (0.0, (0.66,)),
    (1.0, (0.64,)),
    (1.5, (0.49, 0.66)),
    (2.0, (0.24, 0.47)),
    (2.5, (0.17, 0.27, 0.31)),
    (3.0, (0.13, 0.29, 0.43)),
    (4.0, (0.03, 0.11, 0.19, 0.29)),
    (5.0, (0.03, 0.09, 0.23, 0.33)),
    (6.0, (0.0, 0.05, 0.16, 0.29, 0.47)),
)
#: Who has less than this open knows the case file.
CERTAIN: Final = 1e-6


class RaceTable(NamedTuple):
    """The settings, and what is known at the root.

    Attributes:
        players, turns, dealt, walk: As in `game.ClueTables`.
        begun: int64[1], turns before the root.
        knows: float64[players, `ROUNDS`], how likely each player is to know the case file after
            each of their next suggestions, if they did not before it.
        codes: The numbers of the edition.
    """

    players: int
    turns: int
    dealt: int
    walk: Any
    begun: NDArray[np.int64]
    knows: NDArray[np.float64]
    codes: CardCodes


@kernel(allocates=False)
def said(state: Any, tables: Any, actions: Any) -> int:
    """The forced action: a player who knows accuses, another passes."""
    actions[0] = tables.codes.passing
    if state.stage == KNOWING:
        actions[0] = tables.codes.accuse + in_case_file(state, tables)
    return 1


@kernel(allocates=False)
def learn(state: Any, tables: Any, random: Any) -> None:
    """Says whether the suggester knows after their suggestion."""
    if state.player < 0 or state.stage != ACCUSING or state.suggestion < 0:
        return
    # A suggestion that nobody could refute, their own hand neither, says it all.
    told = state.refuter < 0 and not rules.holds_any(
        state, state.player, state.suggestion, tables.codes
    )
    later = (state.turn - tables.begun[0] - 1) // tables.players
    chance = tables.knows[state.player, min(max(later, 0), ROUNDS - 1)]
    if told or uniform(random) < chance:
        state.stage = KNOWING


@kernel(allocates=False)
def at_the_root(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """To pass or to be right: where there is a choice whether to accuse, which is at the root."""
    wanted = tables.codes.passing
    if below(random, 2) == 0:
        wanted = tables.codes.accuse + in_case_file(state, tables)
    for place in range(count):
        if actions[place] == wanted:
            return place
    return count - 1


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    """The legal actions: a player who knows accuses, another passes; else by the rules."""
    if state.stage in (KNOWING, ACCUSING):
        return said(state, tables, actions)
    return rules.legal(state, tables, actions)


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    """By the rules; and says whether the suggester knows after their suggestion."""
    rules.apply(state, action, tables, random)
    learn(state, tables, random)


@kernel(allocates=False)
def policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """By the rules; where there is a choice whether to accuse, pass or be right."""
    if count == 1:
        return 0
    if state.stage == ACCUSING:
        return at_the_root(state, actions, count, tables, random)
    return rules.policy(state, actions, count, tables, random)


# The same on the board.


@kernel
def walking_legal(state: Any, tables: Any, actions: Any) -> int:
    """As `legal`."""
    if state.stage in (KNOWING, ACCUSING):
        return said(state, tables, actions)
    return walking.legal(state, tables, actions)


@kernel(allocates=False)
def walking_apply(state: Any, action: int, tables: Any, random: Any) -> None:
    """As `apply`."""
    walking.apply(state, action, tables, random)
    learn(state, tables, random)


@kernel(allocates=False)
def walking_policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """As `policy`."""
    if count == 1:
        return 0
    if state.stage == ACCUSING:
        return at_the_root(state, actions, count, tables, random)
    return walking.policy(state, actions, count, tables, random)


def race(game: Game) -> Game:
    """The game as a race; nothing is known at its root yet."""
    known: rules.ClueTables = game.tables
    knows = np.zeros((known.players, ROUNDS))
    begun = np.zeros(1, np.int64)
    tables = RaceTable(
        known.players, known.turns, known.dealt, known.walk, begun, knows, known.codes
    )
    if game.state is walking.BOARD_STATE:
        return replace(
            game, tables=tables, legal=walking_legal, apply=walking_apply, policy=walking_policy
        )
    return replace(game, tables=tables, legal=legal, apply=apply, policy=policy)


def begin(game: Game, view: View, bits: NDArray[np.float64]) -> None:
    """Tell a race what is known at the root.

    Args:
        game: The race.
        view: What the player to move sees.
        bits: float64[W, players], how many are open of the case file to each player in each of
            some equally likely worlds.
    """
    tables = game.tables
    tables.begun[0] = view.states[0].turn
    tables.knows[: tables.players] = hazard(bits)


def hazard(bits: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability that players know the case file after each of their next suggestions.

    Args:
        bits: float64[W, players], how many are open to each player in some equally likely worlds.

    Returns:
        float64[players, `ROUNDS`], each for those who did not know it before.
    """
    return np.array([_chances(column) for column in bits.T])


def _chances(bits: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability after each round that a player knows who did not before it."""
    ignorant = np.cumprod([1.0 - _row(float(open_bits)) for open_bits in bits], axis=1).mean(axis=0)
    before = np.concatenate(([1.0], ignorant[:-1]))
    # Where somebody knows in every world before a round, it does not matter what it says.
    return np.where(before > 0.0, 1.0 - ignorant / np.maximum(before, 1e-300), 1.0)


def _row(open_bits: float) -> NDArray[np.float64]:
    if open_bits < CERTAIN:
        return np.ones(ROUNDS)
    chances = [row for low, row in BY_BITS if open_bits >= low][-1]
    filled = np.full(ROUNDS, max(LATE, chances[-1]))
    filled[: len(chances)] = chances
    return filled
