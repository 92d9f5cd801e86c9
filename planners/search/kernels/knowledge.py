"""The knowledge a searching player may gain, and how much it tells about something hidden.

A row stands for something that the player may know when they decide (a *known* row), or for an
action that they take there (a *taken* row). The rows form a tree of the player's own decisions,
whatever the nodes of the search stand for: a taken row leads to a known row for everything that
the player may see until they decide again or the game ends.

The gain of an action is the entropy before it less the average entropy of what it leads to, in
bits. There are two estimators:

* **Sampled.** The states that a search passes are drawn from a belief, so the values that a hidden
  variable takes among those that come by are a histogram of what is known there. Entropies of
  counts are too small by about (K - 1) / 2n nats with n counts in K classes; that is added
  (Miller 1955; Madow). With less than five states a class nothing is said yet.
* **Exact.** A posterior says the entropy of a known row, or the gain of a taken one. Where most
  states that took an action led to rows with an exact entropy, the gain is exact but for their
  shares.

Gains add up along a line of play (the chain rule of entropy), so they are handed up: every taken
row keeps the sum of the gains from it on, over the states that took it. When the gain of a row
changes, the sums above it change at once, so they always say what today's gains say. A gain that is
not known yet stands as what decisions of the same depth tell on average, so that an action is not
preferred because more is known of what follows it.
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
#: States a class, on average, before a sampled gain is used.
ENOUGH: Final = 5
#: Most rows of one tree: with 64 classes about 150 megabytes.
MOST_ROWS: Final = 1 << 19
#: Most known rows of one tree that can be asked about exactly.
MOST_ASKED: Final = 1 << 13
#: Moves that lead to a known row, on average, for which there is room.
MOVES: Final = 16
#: Part of an action's states that must have led to rows with an exact entropy.
COVERED: Final = 0.9
#: In place of a gain while too little is known.
UNKNOWN: Final = -np.inf

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
        askable: int32[H], for a known row: its place in ``states``, or -1.
        states: A record array [E]: for known rows that can be asked about, a state in which the
            player knows just this.
        row_of: int32[E], the row of each of them.
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
    states: Any
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
    rows: int, classes: int, states: Any, depth: int = 1, *, best: bool = False
) -> Knowledge:
    """Room for so many rows.

    Args:
        rows: How many.
        classes: How many classes are counted in each.
        depth: How many decisions are followed.
        states: Room for the states of rows that can be asked about.
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
        states=states,
        row_of=np.zeros(len(states), np.int32),
        first_move=np.zeros(len(states), np.int64),
        move_count=np.zeros(len(states), np.int64),
        moves=np.zeros((MOVES * len(states), 3), np.int64),
        usual=np.zeros((depth + 1, 2)),
        used=np.array([0, 0, 0, int(best), ABSENT], np.int64),
    )


def more_knowledge(knowledge: Knowledge) -> Knowledge:
    """The same rows with room for twice as many."""
    rows, classes = knowledge.counts.shape
    best = bool(knowledge.used[BEST])
    larger = no_knowledge(min(MOST_ROWS, 2 * rows), classes, knowledge.states, best=best)
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


@kernel(allocates=False, inline="late")
def total_entropy(knowledge: Knowledge, row: int, variables: int) -> float:
    """Entropy of a row's counts in bits, corrected, times the number of its states.

    Args:
        knowledge: The rows.
        row: The row.
        variables: In how many classes each state is counted: those of several variables, whose
            entropies are added up.
    """
    total = knowledge.totals[row]
    if total == 0:
        return 0.0
    plain = variables * (total * np.log2(total)) - knowledge.logs[row]
    return plain + (knowledge.seen[row] - variables) / (2.0 * np.log(2.0))


@kernel(allocates=False, inline="late")
def count(knowledge: Knowledge, row: int, values: Any) -> None:
    """Add a state whose hidden variables have the values of these numbers, one for each."""
    knowledge.totals[row] += 1
    if knowledge.counts.shape[1] == 0:
        return
    for variable in range(len(values)):
        value = values[variable]
        old = knowledge.counts[row, value]
        knowledge.counts[row, value] = old + 1
        knowledge.logs[row] += (old + 1) * np.log2(old + 1)
        if old == 0:
            knowledge.seen[row] += 1
        else:
            knowledge.logs[row] -= old * np.log2(old)


@kernel(allocates=False, inline="late")
def ranked(knowledge: Knowledge, key: np.uint64) -> bool:
    """True if the gains of all actions are known exactly, where the player knows this."""
    row = row_of(knowledge, key)
    return row != ABSENT and knowledge.telling[row] != 0


@kernel(allocates=False, inline="late")
def take(knowledge: Knowledge, known: int, key: np.uint64, values: Any, telling: int) -> int:
    """Count a state in which the player takes an action; its taken row, -1 without room.

    Args:
        knowledge: The rows.
        known: The known row where they take it.
        key: See `action_key`.
        values: See `count`.
        telling: 1 if what the action tells counts, else 0.
    """
    row = row_made(knowledge, key, known, knowledge.depths[known])
    if row != ABSENT:
        knowledge.telling[row] = telling
        count(knowledge, row, values)
    return row


@kernel(allocates=False, inline="late")
def arrive(knowledge: Knowledge, taken: int, key: np.uint64, values: Any, discount: float) -> int:
    """Count a state at what the player knows after an action; that known row, -1 without room.

    Args:
        knowledge: The rows.
        taken: The action's row.
        key: Of what the player knows now.
        values: See `count`.
        discount: Factor on what is learned one decision later.
    """
    row = row_made(knowledge, key, taken, knowledge.depths[taken] + 1)
    if row == ABSENT:
        return row
    variables = len(values)
    sampled = knowledge.counts.shape[1] > 0
    before = total_entropy(knowledge, row, variables) if sampled else 0.0
    count(knowledge, row, values)
    if sampled:
        knowledge.after[taken] += total_entropy(knowledge, row, variables) - before
    if not np.isnan(knowledge.exact[row]):
        knowledge.covered[taken] += 1
        knowledge.told[taken] += knowledge.exact[row]
    bits = gain(knowledge, taken, variables)
    depth = np.int64(knowledge.depths[taken])
    if bits == UNKNOWN:
        bits = usual_gain(knowledge, depth)
    elif knowledge.used[BEST] == 0:
        knowledge.usual[depth, 0] += 1.0
        knowledge.usual[depth, 1] += bits
    # The states before this one change by what the gain has changed, and this one brings all of it.
    add = knowledge.totals[taken] * bits - (knowledge.totals[taken] - 1) * knowledge.gains[taken]
    knowledge.gains[taken] = bits
    hand_up(knowledge, taken, add, discount)
    return row


@kernel(allocates=False, inline="late")
def usual_gain(knowledge: Knowledge, depth: int) -> float:
    """The mean gain of a decision after so many others, as far as it is known.

    Until it is, the decision before it is taken to tell as much; 0 where nothing is known at all.
    """
    for before in range(depth + 1):
        known = knowledge.usual[depth - before, 0]
        if known > 0.0:
            return knowledge.usual[depth - before, 1] / known
    return 0.0


@kernel(allocates=False, inline="late", inner=True)
def leave(knowledge: Knowledge, known: int, discount: float) -> None:
    """Count a state in which the player decides at a known row, but nobody follows what they do.

    Args:
        knowledge: The rows.
        known: The known row.
        discount: See `arrive`.
    """
    bits = discount * usual_gain(knowledge, np.int64(knowledge.depths[known]))
    if knowledge.used[BEST] != 0:
        knowledge.held[known] += bits
    hand_up(knowledge, np.int64(knowledge.parents[known]), bits, discount)


@kernel(allocates=False, inline="late")
def hand_up(knowledge: Knowledge, taken: int, bits: float, discount: float) -> None:
    """Add bits to the sum of a taken row and, discounted, to those of all before it.

    Where the best is backed up, it is handed up from the best actions alone: one that was only
    tried says nothing of what will be learned.
    """
    row = np.int64(taken)
    while row != ABSENT:
        knowledge.sums[row] += bits
        known = np.int64(knowledge.parents[row])
        if knowledge.used[BEST] != 0:
            if knowledge.best[known] != row:
                return
            brings = discount * mean_sum(knowledge, row) * knowledge.totals[known]
            bits = brings - knowledge.held[known]
            knowledge.held[known] = brings
        else:
            bits *= discount
        before = np.int64(knowledge.parents[known])
        if before == ABSENT:
            handed = knowledge.used[HANDED]
            knowledge.used[HANDED] = row if handed in (ABSENT, row) else SEVERAL
        row = before


@kernel(allocates=False, inline="late", inner=True)
def mean_sum(knowledge: Knowledge, row: int) -> float:
    """Bits from a taken row on, for each state that took it; its own gain where it is not known is
    the usual one. No more than what is open before it, where the posterior says how much that is.
    """
    total = knowledge.totals[row]
    if total == 0:
        return knowledge.gains[row]
    bits = knowledge.sums[row] / total
    there = knowledge.exact[np.int64(knowledge.parents[row])]
    if bits > there:
        return max(knowledge.gains[row], there)
    return bits


@kernel(allocates=False, inline="late", inner=True)
def bring(knowledge: Knowledge, known: int, action: int, variables: int, discount: float) -> None:
    """Hand up from a known row what its best action tells, for all states that came to it.

    Args:
        knowledge: The rows, where the best is backed up.
        known: The known row, which is not the first.
        action: The best action there.
        variables: See `total_entropy`.
        discount: See `arrive`.
    """
    row = row_of(knowledge, action_key(knowledge.keys[known], action))
    if row == ABSENT or knowledge.totals[row] == 0:
        return
    brings = discount * mean_sum(knowledge, row) * knowledge.totals[known]
    knowledge.sums[np.int64(knowledge.parents[known])] += brings - knowledge.held[known]
    knowledge.held[known] = brings
    knowledge.best[known] = row
    bits = gain(knowledge, row, variables)
    if bits != UNKNOWN:
        knowledge.usual[np.int64(knowledge.depths[row]), 0] += 1.0
        knowledge.usual[np.int64(knowledge.depths[row]), 1] += bits


@kernel(allocates=False, inline="late")
def says_exactly(knowledge: Knowledge, row: int) -> bool:
    """True if the gain of a taken row comes from the posterior."""
    if not np.isnan(knowledge.exact[row]):
        return True
    covered = knowledge.covered[row]
    if covered == 0 or covered < COVERED * knowledge.totals[row]:
        return False
    return not np.isnan(knowledge.exact[np.int64(knowledge.parents[row])])


@kernel(allocates=False, inline="late")
def gain(knowledge: Knowledge, row: int, variables: int) -> float:
    """Bits that an action tells, ``row`` being its taken row; `UNKNOWN` while too little is known.

    Args:
        knowledge: The rows.
        row: The taken row.
        variables: See `total_entropy`.
    """
    if knowledge.telling[row] == 0:
        return 0.0
    if not np.isnan(knowledge.exact[row]):
        return knowledge.exact[row]
    total = knowledge.totals[row]
    if says_exactly(knowledge, row):
        # What moves unseen can be less certain afterwards: exact gains may be negative.
        before = knowledge.exact[np.int64(knowledge.parents[row])]
        return before - knowledge.told[row] / knowledge.covered[row]
    if knowledge.counts.shape[1] == 0 or total == 0:
        return UNKNOWN
    if total * variables < ENOUGH * knowledge.seen[row]:
        return UNKNOWN
    return max(0.0, (total_entropy(knowledge, row, variables) - knowledge.after[row]) / total)


@kernel(allocates=False, inline="late")
def gain_on(knowledge: Knowledge, row: int, variables: int) -> float:
    """Bits from an action on: its own gain and what follows; `UNKNOWN` while its own is.

    No more than what is open before it, where the posterior says how much that is.
    """
    bits = gain(knowledge, row, variables)
    if bits == UNKNOWN or knowledge.totals[row] == 0:
        return bits
    following = bits - knowledge.gains[row] + knowledge.sums[row] / knowledge.totals[row]
    there = knowledge.exact[np.int64(knowledge.parents[row])]
    if following > there:
        return max(bits, there)
    return following


@kernel(allocates=False)
def settle(knowledge: Knowledge, row: int, variables: int, discount: float) -> None:
    """Take up again the gain of a taken row, after something exact was learned about it.

    Args:
        knowledge: The rows.
        row: The taken row.
        variables: See `total_entropy`.
        discount: See `arrive`.
    """
    bits = gain(knowledge, row, variables)
    if bits == UNKNOWN:
        return
    add = knowledge.totals[row] * (bits - knowledge.gains[row])
    knowledge.gains[row] = bits
    hand_up(knowledge, row, add, discount)


@kernel(allocates=False)
def enter_gains(
    knowledge: Knowledge, known: int, actions: Any, bits: Any, variables: int, discount: float
) -> bool:
    """Enter what the posterior says that actions tell at a known row.

    Args:
        knowledge: The rows.
        known: The known row.
        actions: int64[n], the actions.
        bits: float64[n], what each tells.
        variables: See `total_entropy`.
        discount: See `arrive`.

    Returns:
        Whether there was room for all of them.
    """
    for i in range(len(actions)):
        key = action_key(knowledge.keys[known], actions[i])
        row = row_made(knowledge, key, known, knowledge.depths[known])
        if row == ABSENT:
            return False
        knowledge.telling[row] = 1
        knowledge.exact[row] = bits[i]
        settle(knowledge, row, variables, discount)
    return True


@kernel(allocates=False, inline="late", inner=True)
def keep_state(knowledge: Knowledge, row: int, state: Any, moves: Any, count: int) -> None:
    """Keep for a new known row how the player came to know it, if there is room.

    Args:
        knowledge: The rows.
        row: The known row, or -1.
        state: A state in which they know it.
        moves: int64[D, 3], what they saw since the row before.
        count: How many moves that were.
    """
    if row == ABSENT or knowledge.totals[row] != 1:
        return
    place = knowledge.used[ASKABLE]
    first = knowledge.used[WATCHED]
    if place >= len(knowledge.states) or first + count > len(knowledge.moves):
        return
    knowledge.used[ASKABLE] = place + 1
    knowledge.used[WATCHED] = first + count
    knowledge.askable[row] = place
    knowledge.states[place] = state
    knowledge.row_of[place] = row
    knowledge.first_move[place] = first
    knowledge.move_count[place] = count
    for i in range(count):
        for column in range(3):
            knowledge.moves[first + i, column] = moves[i, column]
