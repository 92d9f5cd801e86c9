"""Clue without a board as a search imagines it: one turn of its player, and what comes of it.

The player that searches suggests something, is shown what they are shown, and accuses or passes.
They accuse the case file that looks likeliest after that answer, and win if it is the true one.
What passing is worth after each answer stands in tables, which are told before the search; so
nothing is played out. The game has the states and actions of the game, and tables of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...game import OVER, Game
from ...kernels.kernel import kernel
from ...kernels.randomness import below
from .. import game as rules
from ..codes import CardCodes
from ..game import ACCUSING, SHOWING, card_of, in_case_file

#: Stages of a game that is over. An accusation was made, and said to be right or not.
SAID: Final = 4
#: That accusation was made of which the tables say how likely it is right.
WEIGHED: Final = 5
#: The player has passed.
PASSED: Final = 6
#: The player has shown a card.
SHOWN: Final = 7
#: Rows of suggestions that are looked at; the first row is what is known before any.
ROWS: Final = 65


class OneTurnTable(NamedTuple):
    """The settings, and what is known at the root.

    Attributes:
        players, turns, dealt, walk: As in `game.ClueTables`.
        begun: int64[2], turns before the root, and the player who searches.
        rows: int64[triples], the row of a suggestion; 0 for those that are not looked at.
        likeliest: int64[`ROWS`, answers], the case file that looks likeliest after the answer.
        accusing: float64[`ROWS`, answers], how likely it looked to be right where it was chosen.
        passing: float64[`ROWS`, answers], how likely the player wins who passes then.
        showing: float64[cards], how likely they win who have shown a card.
        codes: The numbers of the edition.

    Answers are those of `answers_of`.
    """

    players: int
    turns: int
    dealt: int
    walk: Any
    begun: NDArray[np.int64]
    rows: NDArray[np.int64]
    likeliest: NDArray[np.int64]
    accusing: NDArray[np.float64]
    passing: NDArray[np.float64]
    showing: NDArray[np.float64]
    codes: CardCodes


def answers_of(players: int) -> int:
    """The number of answers: who refutes, by which of the three cards; at last that nobody does."""
    return 3 * (players - 1) + 1


@kernel(allocates=False)
def answered(state: Any, tables: Any) -> int:
    """The number of an answer: what `refuter` says after a card was shown."""
    return state.refuter if state.refuter >= 0 else 3 * (tables.players - 1)


@kernel(allocates=False)
def at_root(state: Any, tables: Any) -> bool:
    """True if nothing was suggested since the search began."""
    return state.turn == tables.begun[0]


@kernel(allocates=False)
def row_of(state: Any, tables: Any) -> int:
    """The row of what was suggested since the search began."""
    return 0 if at_root(state, tables) else tables.rows[state.suggestion]


@kernel(allocates=False)
def answer_of(state: Any, tables: Any) -> int:
    """The answer to it; 0 where no row says more."""
    return 0 if row_of(state, tables) == 0 else answered(state, tables)


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    """To accuse what looks likeliest, or to pass; else by the rules."""
    if state.stage != ACCUSING:
        return rules.legal(state, tables, actions)
    row, answer = row_of(state, tables), answer_of(state, tables)
    actions[0] = tables.codes.accuse + tables.likeliest[row, answer]
    actions[1] = tables.codes.passing
    return 2


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    """By the rules, until the player who searches has accused, passed, or shown a card."""
    if state.stage == ACCUSING:
        likeliest = tables.likeliest[0, 0]
        if action == tables.codes.passing:
            state.stage = PASSED
        elif at_root(state, tables) and action - tables.codes.accuse == likeliest:
            state.stage = WEIGHED
        else:
            state.stage = SAID
            if action - tables.codes.accuse == in_case_file(state, tables):
                state.winner = state.player
        state.player = OVER
        return
    if state.stage == SHOWING:
        if at_root(state, tables):
            state.stage = SHOWN
            state.refuter = action - tables.codes.show
            state.player = OVER
            return
        asked = (state.refuter - state.suggester - 1 + tables.players) % tables.players
        for place in range(3):
            if card_of(state.suggestion, place, tables.codes) == action - tables.codes.show:
                state.refuter = 3 * asked + place
    rules.apply(state, action, tables, random)


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    """The probability that the player who searches wins; the others share the rest."""
    row, answer = row_of(state, tables), answer_of(state, tables)
    worth = 0.0
    if state.stage == SAID:
        worth = 1.0 if state.winner >= 0 else 0.0
    elif state.stage == WEIGHED:
        worth = tables.accusing[0, 0]
    elif state.stage == PASSED:
        worth = tables.passing[row, answer]
    elif state.stage == SHOWN:
        worth = tables.showing[state.refuter]
    for player in range(tables.players):
        values[player] = (1.0 - worth) / (tables.players - 1)
    values[tables.begun[1]] = worth


@kernel(allocates=False)
def policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """Accuse where that looks better than to pass; else anything."""
    if state.stage == ACCUSING and count == 2:
        row, answer = row_of(state, tables), answer_of(state, tables)
        return 0 if tables.accusing[row, answer] > tables.passing[row, answer] else 1
    return below(random, count)


def one_turn(game: Game) -> Game:
    """The game as one turn; nothing is known at its root yet."""
    known: rules.ClueTables = game.tables
    answers = answers_of(known.players)
    tables = OneTurnTable(
        known.players,
        known.turns,
        known.dealt,
        known.walk,
        begun=np.zeros(2, np.int64),
        rows=np.zeros(known.codes.triples, np.int64),
        likeliest=np.zeros((ROWS, answers), np.int64),
        accusing=np.zeros((ROWS, answers)),
        passing=np.zeros((ROWS, answers)),
        showing=np.zeros(known.codes.cards),
        codes=known.codes,
    )
    return replace(game, tables=tables, legal=legal, apply=apply, returns=returns, policy=policy)
