"""Counts of a match of Cheat that everybody can make: somebody's lies, lies caught and calls."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...kernels.kernel import kernel
from ..rules import is_true
from ..state import TAKE, is_claim, mover_of, public_of

#: Columns of counts, a row for each player: their actions, claims, takes and calls; how often their
#: claims were called and found false; their claims that were turned up, and the lies among them;
#: their calls that were right.
ACTED: Final = 0
CLAIMED: Final = 1
TOOK: Final = 2
CALLED: Final = 3
CAUGHT: Final = 4
SHOWN: Final = 5
SHOWN_LIES: Final = 6
RIGHT: Final = 7
COUNTS: Final = 8

#: What is left of having been caught, a turn later.
FADING: Final = 0.95

Counts = NDArray[np.int32]
"""int32[2, COUNTS]"""


def no_counts() -> Counts:
    """Nothing counted yet.

    >>> from sleuth.games.cheat import no_counts
    >>> no_counts().shape
    (2, 8)
    """
    return np.zeros((2, COUNTS), dtype=np.int32)


@kernel(allocates=False)
def tally(state: Any, tables: Any, counts: Any) -> None:
    """Add what everybody has seen of a game so far to ``counts``."""
    for turn in range(state.turn):
        logged = state.log[turn]
        by = mover_of(logged)
        counts[by, ACTED] += 1
        if is_claim(logged):
            counts[by, CLAIMED] += 1
            if turn < state.since:
                counts[by, SHOWN] += 1
                if not is_true(state.cards[turn], logged, tables):
                    counts[by, SHOWN_LIES] += 1
        elif public_of(logged) == TAKE:
            counts[by, TOOK] += 1
        else:
            counts[by, CALLED] += 1
            if not is_true(state.cards[turn - 1], state.log[turn - 1], tables):
                counts[by, RIGHT] += 1
                counts[1 - by, CAUGHT] += 1


@kernel(allocates=False)
def lately(state: Any, player: int, tables: Any) -> float:
    """The freshness of the last time that a player was caught in this game: from 1 down to 0."""
    for turn in range(state.turn - 1, 0, -1):
        logged = state.log[turn]
        called = not is_claim(logged) and public_of(logged) != TAKE and mover_of(logged) != player
        if called and not is_true(state.cards[turn - 1], state.log[turn - 1], tables):
            return FADING ** (state.turn - turn - 1)
    return 0.0


@kernel(allocates=False)
def tally_all(state: Any, tables: Any, before: Any, counts: Any) -> None:
    """Write into ``counts`` what everybody has seen of a match so far.

    Args:
        state: The game.
        tables: The game's.
        before: int32[2, COUNTS], of earlier games of the match.
        counts: int32[2, COUNTS], written.
    """
    for player in range(2):
        for column in range(COUNTS):
            counts[player, column] = before[player, column]
    tally(state, tables, counts)


@kernel(allocates=False, inline="late")
def smoothed(count: int, of: int) -> float:
    """The estimated frequency of something, from its count a among n: (a + 1) / (n + 2)."""
    return (count + 1.0) / (of + 2.0)
