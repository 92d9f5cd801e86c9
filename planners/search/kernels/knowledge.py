"""The knowledge that a searching player may gain: rows in a tree of the player's own decisions.

A row stands for something that the player may know when they decide (a *known* row), or for an
action that they take there (a *taken* row). The rows form a tree of the player's own decisions,
whatever the nodes of the search stand for: a taken row leads to a known row for everything that
the player may see until they decide again or the game ends. `gains` says how much an action tells,
and `handing_up` adds gains up along a line of play.

Nothing here has a game's own type: states are kept in `Worlds`. So what only has to do with
knowledge is compiled once for all games.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....models.game import HIDDEN
from ....models.kernels.hash_table import ABSENT as ABSENT
from ....models.kernels.hash_table import empty_slots, enter_all, slot_of
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import mix

#: Classes of hidden variables that are counted in a row; what has more is not counted.
MOST_CLASSES: Final = 64
#: Most rows of one tree: with 64 classes about 150 megabytes.
MOST_ROWS: Final = 1 << 19
#: Most known rows of one tree that can be asked about exactly.
MOST_ASKED: Final = 1 << 13
#: Moves that lead to a known row, on average, for which there is room.
MOVES: Final = 16

# Places in `Knowledge.used`.
ROWS: Final = 0
ASKABLE: Final = 1
WATCHED: Final = 2
#: 1 where the best is backed up: known rows hand up what their best action tells, see `bring`.
BEST: Final = 3
#: The taken row at the root to which bits were handed up last, `ABSENT` for none, or `SEVERAL`.
HANDED: Final = 4
SEVERAL: Final = -2


class Knowledge(NamedTuple):
    """H rows with C classes of hidden variables, found by a 64-bit key.

    Attributes:
        slots: int32[S], a row's number or -1.
        keys: uint64[H].
        parents: int32[H], the row before. The first row is what the player knows at the root, and
            has -1.
        counts: int32[H, C], states in each class; C is 0 where nothing is counted.
        totals: int64[H], states in all.
        seen: int64[H], classes with any.
        logs: float64[H], sum of c log2 c over the counts c.
        after: float64[H], for a taken row: total entropy (bits times states) of what it led to.
        exact: float64[H], from the posterior: the entropy of a known row, the gain of a taken one;
            NaN where it was not asked.
        covered: int64[H], for a taken row: states that led to rows with an exact entropy.
        told: float64[H], for a taken row: the total of these entropies.
        gains: float64[H], for a taken row: the gain as it is known today, else `usual_gain`.
        sums: float64[H], for a taken row: total of the gains from it on, over its states.
        held: float64[H], for a known row: the bits times states that it has brought to the row
            before, where the best is backed up; else empty.
        best: int32[H], for a known row: the taken row of which it has brought them, or -1; or
            empty.
        depths: int32[H], how many decisions came before.
        telling: uint8[H], for a taken row: 1 if what the action tells counts, else 0; for a known
            row: 1 if the gains of all actions that tell something there are exact.
        askable: int32[H], for a known row that can be asked about: its place in ``row_of``, or -1.
        row_of: int32[E], the known rows that can be asked about.
        first_move, move_count: int64[E], int64[E], where in ``moves`` stands what the player saw
            since the row before.
        moves: int64[M, 3], mover, observation and action.
        usual: float64[D + 1, 2], for every depth how many gains were known where a state passed,
            and their sum; where the best is backed up, those of best actions.
        used: int64[5], how many rows, states and moves there are, whether the best is backed up,
            and the row at the root that has changed (see `HANDED`).
    """

    slots: NDArray[np.int32]
    keys: NDArray[np.uint64]
    parents: NDArray[np.int32]
    counts: NDArray[np.int32]
    totals: NDArray[np.int64]
    seen: NDArray[np.int64]
    logs: NDArray[np.float64]
    after: NDArray[np.float64]
    exact: NDArray[np.float64]
    covered: NDArray[np.int64]
    told: NDArray[np.float64]
    gains: NDArray[np.float64]
    sums: NDArray[np.float64]
    held: NDArray[np.float64]
    best: NDArray[np.int32]
    depths: NDArray[np.int32]
    telling: NDArray[np.uint8]
    askable: NDArray[np.int32]
    row_of: NDArray[np.int32]
    first_move: NDArray[np.int64]
    move_count: NDArray[np.int64]
    moves: NDArray[np.int64]
    usual: NDArray[np.float64]
    used: NDArray[np.int64]


#: The arrays with an entry for every row.
_OF_ROWS: Final = (
    "keys",
    "parents",
    "counts",
    "totals",
    "seen",
    "logs",
    "after",
    "exact",
    "covered",
    "told",
    "gains",
    "sums",
    "held",
    "best",
    "depths",
    "telling",
    "askable",
)


def no_knowledge(
    rows: int, classes: int, asked: int, depth: int = 1, *, best: bool = False
) -> Knowledge:
    """Room for so many rows.

    Args:
        rows: How many.
        classes: How many classes are counted in each.
        asked: How many of them can be asked about.
        depth: How many decisions are followed.
        best: Whether the best is backed up.
    """
    return Knowledge(
        slots=empty_slots(rows),
        keys=np.zeros(rows, np.uint64),
        parents=np.full(rows, ABSENT, np.int32),
        counts=np.zeros((rows, classes), np.int32),
        totals=np.zeros(rows, np.int64),
        seen=np.zeros(rows, np.int64),
        logs=np.zeros(rows, np.float64),
        after=np.zeros(rows, np.float64),
        exact=np.full(rows, np.nan),
        covered=np.zeros(rows, np.int64),
        told=np.zeros(rows, np.float64),
        gains=np.zeros(rows, np.float64),
        sums=np.zeros(rows, np.float64),
        held=np.zeros(rows if best else 0, np.float64),
        best=np.full(rows if best else 0, ABSENT, np.int32),
        depths=np.zeros(rows, np.int32),
        telling=np.zeros(rows, np.uint8),
        askable=np.full(rows, ABSENT, np.int32),
        row_of=np.zeros(asked, np.int32),
        first_move=np.zeros(asked, np.int64),
        move_count=np.zeros(asked, np.int64),
        moves=np.zeros((MOVES * asked, 3), np.int64),
        usual=np.zeros((depth + 1, 2)),
        used=np.array([0, 0, 0, int(best), ABSENT], np.int64),
    )


def more_knowledge(knowledge: Knowledge) -> Knowledge:
    """The same rows with room for twice as many."""
    rows, classes = knowledge.counts.shape
    best = bool(knowledge.used[BEST])
    larger = no_knowledge(min(MOST_ROWS, 2 * rows), classes, 0, best=best)
    for name in _OF_ROWS:
        old = getattr(knowledge, name)
        getattr(larger, name)[: len(old)] = old
    enter_all(larger.slots, larger.keys, int(knowledge.used[ROWS]))
    kept = ("row_of", "first_move", "move_count", "moves", "usual", "used")
    return larger._replace(**{name: getattr(knowledge, name) for name in kept})


@kernel(allocates=False, inline="late", inner=True)
def lacks_rows(knowledge: Knowledge, depth: int) -> bool:
    """True if following ``depth`` decisions may need more rows than there is room for."""
    return knowledge.used[ROWS] + 2 * depth > len(knowledge.keys)


@kernel(allocates=False, inline="late")
def action_key(key: np.uint64, action: int) -> np.uint64:
    """The key of the taken row of an action, where the player knows what ``key`` stands for.

    Told apart from the keys of what they see afterwards, which are ``mix(key, observation)``.
    """
    return mix(mix(key, HIDDEN), action)


@kernel(allocates=False, inline="late")
def row_of(knowledge: Knowledge, key: np.uint64) -> int:
    """The row of a key; -1 if there is none."""
    return np.int64(knowledge.slots[slot_of(knowledge.slots, knowledge.keys, key)])


@kernel(allocates=False, inline="late")
def row_made(knowledge: Knowledge, key: np.uint64, parent: int, depth: int) -> int:
    """The row of a key, made if there is room for it; else -1.

    Args:
        knowledge: The rows.
        key: The key.
        parent: The row before, -1 at the root.
        depth: How many decisions came before.
    """
    slot = slot_of(knowledge.slots, knowledge.keys, key)
    if knowledge.slots[slot] != ABSENT:
        return np.int64(knowledge.slots[slot])
    row = knowledge.used[ROWS]
    if row >= len(knowledge.keys):
        return np.int64(ABSENT)
    knowledge.used[ROWS] = row + 1
    knowledge.slots[slot] = row
    knowledge.keys[row] = key
    knowledge.parents[row] = parent
    knowledge.depths[row] = depth
    return row


@kernel(allocates=False, inline="late", inner=True)
def keep_moves(knowledge: Knowledge, row: int, moves: Any, count: int) -> int:
    """Keep for a new known row how the player came to know it, if there is room.

    Args:
        knowledge: The rows.
        row: The known row, or -1.
        moves: int64[D, 3], what they saw since the row before.
        count: How many moves that were.

    Returns:
        The row's place among those that can be asked about; -1 where nothing was kept.
    """
    if row == ABSENT or knowledge.totals[row] != 1:
        return np.int64(ABSENT)
    place = knowledge.used[ASKABLE]
    first = knowledge.used[WATCHED]
    if place >= len(knowledge.row_of) or first + count > len(knowledge.moves):
        return np.int64(ABSENT)
    knowledge.used[ASKABLE] = place + 1
    knowledge.used[WATCHED] = first + count
    knowledge.askable[row] = place
    knowledge.row_of[place] = row
    knowledge.first_move[place] = first
    knowledge.move_count[place] = count
    for i in range(count):
        for column in range(3):
            knowledge.moves[first + i, column] = moves[i, column]
    return place
