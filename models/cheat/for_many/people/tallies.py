"""Counts that everybody at the table can make of everybody: claims, lies that were seen, calls."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....kernels.kernel import kernel
from ..rules import is_true
from ..state import MOST_PLAYERS, NOBODY, claimant_of, count_of

#: Columns of counts, a row for each player: their claims, and the cards of these; their claims that
#: everybody has seen, and the lies among them; their claims that were called and false, or true;
#: how often they were asked about a claim, how often they called it, and were right.
CLAIMED: Final = 0
CARDS: Final = 1
SHOWN: Final = 2
SHOWN_LIES: Final = 3
CAUGHT: Final = 4
CLEARED: Final = 5
ASKED: Final = 6
CALLED: Final = 7
RIGHT: Final = 8
COUNTS: Final = 9

#: What is left of having been caught, a claim later.
FADING: Final = 0.95

Counts = NDArray[np.int32]
"""int32[MOST_PLAYERS, COUNTS]"""


def no_many_counts() -> Counts:
    """Nothing counted yet.

    >>> from sleuth.games.cheat import no_many_counts
    >>> no_many_counts().shape
    (6, 9)
    """
    return np.zeros((MOST_PLAYERS, COUNTS), dtype=np.int32)


@kernel(allocates=False)
def tally(state: Any, tables: Any, counts: Any) -> None:
    """Add what everybody has seen of a game so far to ``counts``."""
    players = tables.rules[0].players
    for turn in range(state.turn):
        logged = state.log[turn]
        by = claimant_of(logged)
        counts[by, CLAIMED] += 1
        counts[by, CARDS] += count_of(logged)
        caller = state.callers[turn]
        if state.shown[turn] == 1:
            counts[by, SHOWN] += 1
            if not is_true(state.cards[turn], logged):
                counts[by, SHOWN_LIES] += 1
        last = by
        if caller != NOBODY:
            last = (caller + 1) % players
            counts[caller, CALLED] += 1
            if is_true(state.cards[turn], logged):
                counts[by, CLEARED] += 1
            else:
                counts[by, CAUGHT] += 1
                counts[caller, RIGHT] += 1
        elif turn == state.turn - 1 and state.claimant != NOBODY:
            last = state.player
        asked = (by + 1) % players
        while asked != last:
            counts[asked, ASKED] += 1
            asked = (asked + 1) % players


@kernel(allocates=False)
def tally_all(state: Any, tables: Any, before: Any, counts: Any) -> None:
    """Write into ``counts`` what everybody has seen of a match so far.

    Args:
        state: The game.
        tables: The game's.
        before: int32[MOST_PLAYERS, COUNTS], of earlier games of the match.
        counts: int32[MOST_PLAYERS, COUNTS], written.
    """
    for player in range(before.shape[0]):
        for column in range(COUNTS):
            counts[player, column] = before[player, column]
    tally(state, tables, counts)


@kernel(allocates=False)
def lately(state: Any, player: int) -> float:
    """The freshness of the last time that a player was caught in this game: from 1 down to 0."""
    for turn in range(state.turn - 1, -1, -1):
        logged = state.log[turn]
        caught = state.callers[turn] != NOBODY and claimant_of(logged) == player
        if caught and not is_true(state.cards[turn], logged):
            return FADING ** (state.turn - 1 - turn)
    return 0.0


@kernel(allocates=False, inline="late")
def smoothed(count: int, of: int) -> float:
    """The estimated frequency of something, from its count a among n: (a + 1) / (n + 2)."""
    return (count + 1.0) / (of + 2.0)
