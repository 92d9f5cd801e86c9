"""The writer of a game's tree: all that can follow from a start, into flat arrays.

It goes down and up again on one line of states, and can be stopped and called again anywhere.
Information sets are told apart by the keys of `sound.kernels.known`, by what their player did
last, and by all that they see now.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....models.game import OVER, Game
from ....models.kernels.hash_table import ABSENT, slot_of
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import mix
from ...sound.kernels.known import begin, set_key, sight, take
from ...sound.kernels.memory import Memory

# What the writer answers.
#: All that can follow from the start is written.
DONE: Final = 0
#: As many histories as were wanted are written.
PAUSE: Final = 1
#: The arrays should grow first.
NO_ROOM: Final = 2
#: Dice were thrown.
DICE: Final = 3
#: A game went on after ``max_depth`` actions.
TOO_DEEP: Final = 4
#: There are no legal actions, or too many, or nobody is to move.
BROKEN: Final = 5
#: Two histories that a player cannot tell apart have other legal actions.
UNSURE: Final = 6

# Places in `WritingLine.counters`.
PLY: Final = 0
HISTORIES: Final = 1
SETS: Final = 2
PLACES: Final = 3
ENDS: Final = 4
#: The information set that an answer is about.
ABOUT: Final = 5

_NOT_ENTERED: Final = -1
_NONE: Final = -1


class TreeRules(NamedTuple):
    """The kernels of `Game` that the writer calls."""

    legal: Any
    apply: Any
    observe: Any
    returns: Any
    mask: Any


class TreeArrays(NamedTuple):
    """A game written out. H histories, S information sets, A actions of all of these, E ends.

    A history stands behind all that can follow it. The place of an action is its number among the
    actions of all information sets, one set after the other.

    Attributes:
        parents: int32[H], the history before; -1 at a start.
        places: int32[H], the place of the action that led there; -1 at a start.
        sets: int32[H], the information set; below 0 at an end, the first of which is -1.
        returns: float64[E, P], what everybody wins at an end.
        keys: uint64[S], the names of information sets, see `sound.kernels.known`.
        movers: int32[S], who decides.
        begins: int64[S + 1], the first place of each set; the last number is A.
        before: int32[S], the place of what the mover did last; -1 before their first action.
        firsts: int32[S], the history in which each was first come by.
        sights: int32[S, W], the state as the mover sees it.
        actions: int32[A], codes.
    """

    parents: NDArray[np.int32]
    places: NDArray[np.int32]
    sets: NDArray[np.int32]
    returns: NDArray[np.float64]
    keys: NDArray[np.uint64]
    movers: NDArray[np.int32]
    begins: NDArray[np.int64]
    before: NDArray[np.int32]
    firsts: NDArray[np.int32]
    sights: NDArray[np.int32]
    actions: NDArray[np.int32]


class WritingLine(NamedTuple):
    """The line that the writer is on. D is the most actions of a game, P the players.

    Attributes:
        counters: int64[6].
        sets: int64[D + 1], the information sets on it.
        following: int64[D + 1], the action of each that comes next; -1 where it has not looked.
        after: int64[D + 1, M], the histories that the actions before led to.
        last: int64[D + 1, P], the place of what each player did last.
        slots: int32[], a table of the information sets, whose keys are these:
        names: uint64[S], keys in which what their player did last has a part.
    """

    counters: NDArray[np.int64]
    sets: NDArray[np.int64]
    following: NDArray[np.int64]
    after: NDArray[np.int64]
    last: NDArray[np.int64]
    slots: NDArray[np.int32]
    names: NDArray[np.uint64]


def empty_arrays(game: Game, histories: int, sets: int, places: int, ends: int) -> TreeArrays:
    """Arrays with room for so many."""
    return TreeArrays(
        parents=np.full(histories, _NONE, np.int32),
        places=np.full(histories, _NONE, np.int32),
        sets=np.zeros(histories, np.int32),
        returns=np.zeros((ends, game.players)),
        keys=np.zeros(sets, np.uint64),
        movers=np.zeros(sets, np.int32),
        begins=np.zeros(sets + 1, np.int64),
        before=np.zeros(sets, np.int32),
        firsts=np.full(sets, _NONE, np.int32),
        sights=np.zeros((sets, game.state.itemsize // 4), np.int32),
        actions=np.zeros(places, np.int32),
    )


@kernel(allocates=False, inline="late", inner=True)
def _set_of(
    tree: TreeArrays, line: WritingLine, memory: Memory, key: np.uint64, mover: int, last: int
) -> int:
    """The number of what the mover knows; how many there are where it is new.

    Args:
        tree, line, memory: See `write`; what they see stands in ``memory.scratch_words``.
        key: The set's key.
        mover: The player.
        last: The place of what they did last.
    """
    name = mix(key, last)
    while True:
        slot = slot_of(line.slots, line.names, name)
        number = np.int64(line.slots[slot])
        if number == ABSENT:
            number = line.counters[SETS]
            line.slots[slot] = number
            line.names[number] = name
            return number
        same = tree.movers[number] == mover and tree.before[number] == last
        for i in range(len(memory.scratch_words)):
            if tree.sights[number, i] != memory.scratch_words[i]:
                same = False
        if same:
            return number
        name = mix(name, 1)  # another one has it


@kernel(allocates=False, inline="late", inner=True)
def _enter(
    rules: TreeRules, tables: Any, memory: Memory, line: WritingLine, tree: TreeArrays, ply: int
) -> int:
    """Look for the information set of a decision that was just come to."""
    mover = np.int64(memory.states[ply].player)
    if mover < 0 or mover >= memory.known.shape[1]:
        return BROKEN
    count = rules.legal(memory.states[ply], tables, memory.actions)
    if count < 1 or count > len(memory.actions):
        return BROKEN
    key = set_key(memory.known[ply, mover], sight(rules, tables, memory, ply, mover), mover)
    last = line.last[ply, mover]
    number = _set_of(tree, line, memory, key, mover, last)
    line.sets[ply] = number
    line.following[ply] = 0
    line.counters[ABOUT] = number
    if number < line.counters[SETS]:
        place = tree.begins[number]
        if tree.begins[number + 1] - place != count:
            return UNSURE
        for i in range(count):
            if tree.actions[place + i] != memory.actions[i]:
                return UNSURE
        return DONE
    place = line.counters[PLACES]
    tree.keys[number] = key
    tree.movers[number] = mover
    tree.before[number] = last
    tree.begins[number] = place
    tree.begins[number + 1] = place + count
    for i in range(count):
        tree.actions[place + i] = memory.actions[i]
    for i in range(len(memory.scratch_words)):
        tree.sights[number, i] = memory.scratch_words[i]
    line.counters[SETS] = number + 1
    line.counters[PLACES] = place + count
    return DONE


@kernel(allocates=False)
def write(
    rules: TreeRules,
    tables: Any,
    memory: Memory,
    line: WritingLine,
    tree: TreeArrays,
    random: Any,
    wanted: int,
) -> int:
    """Write on until so many histories are there, or all that can follow from a start.

    Args:
        rules, tables: The game's.
        memory: Its first state is the start; `line` stands at ply 0 then, not entered.
        line: Where the writer is.
        tree: What it writes.
        random: A generator from which nothing may be drawn.
        wanted: How many histories.
    """
    unthrown = random[0]
    counters = line.counters
    while True:
        ply = counters[PLY]
        number = counters[HISTORIES]
        if number >= wanted:
            return PAUSE
        if (
            number >= len(tree.parents)
            or counters[ENDS] >= len(tree.returns)
            or counters[SETS] >= len(tree.keys)
            or counters[PLACES] + len(memory.actions) > len(tree.actions)
        ):
            return NO_ROOM
        if line.following[ply] == _NOT_ENTERED:
            if ply == 0:
                begin(rules, tables, memory)
                for player in range(line.last.shape[1]):
                    line.last[0, player] = _NONE
            if np.int64(memory.states[ply].player) != OVER:
                answer = _enter(rules, tables, memory, line, tree, ply)
                if answer != DONE:
                    return answer
                continue
            end = counters[ENDS]
            rules.returns(memory.states[ply], tables, tree.returns[end])
            tree.sets[number] = -1 - end
            counters[ENDS] = end + 1
        else:
            known = line.sets[ply]
            choice = line.following[ply]
            place = tree.begins[known] + choice
            if place < tree.begins[known + 1]:
                if ply + 2 > len(memory.states):
                    return TOO_DEEP
                mover = np.int64(memory.states[ply].player)
                action = np.int64(tree.actions[place])
                take(rules, tables, memory, ply, mover, action, action, random)
                if random[0] != unthrown:
                    return DICE
                for player in range(line.last.shape[1]):
                    line.last[ply + 1, player] = line.last[ply, player]
                line.last[ply + 1, mover] = place
                line.following[ply + 1] = _NOT_ENTERED
                counters[PLY] = ply + 1
                continue
            tree.sets[number] = known
            if tree.firsts[known] == _NONE:
                tree.firsts[known] = number
            for i in range(choice):
                tree.parents[line.after[ply, i]] = number
        counters[HISTORIES] = number + 1
        tree.parents[number] = _NONE
        tree.places[number] = _NONE
        if ply == 0:
            return DONE
        before = ply - 1
        choice = line.following[before]
        tree.places[number] = tree.begins[line.sets[before]] + choice
        line.after[before, choice] = number
        line.following[before] = choice + 1
        counters[PLY] = before
