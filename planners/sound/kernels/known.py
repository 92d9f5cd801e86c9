"""The knowledge of players on a line, as 64-bit keys: the names of their information sets.

A player knows what they saw before the first action, then of every action that they noticed who
moved and what it looked like, what they did themselves, and what they see now.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....models.game import HIDDEN, OVER, SPECTATOR
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import mix
from .memory import Memory, WalkNumbers, WalkRules

_LOW: Final = np.uint64(0xFFFFFFFF)
_ROOT: Final = np.uint64(0x50A1D_5EED)
#: Movers are kept apart by this in what was seen of an action.
_MOVERS: Final = 0x1_0000_0001


@kernel(allocates=False, inline="late")
def sight_key(words: Any, salt: Any) -> np.uint64:
    """The key of the numbers that a player sees.

    Products of 32 by 32 bits fit into 64; each word is disguised first, so that small numbers
    reach all bits.
    """
    key = np.uint64(0)
    for i in range(len(words)):
        word = np.uint64(np.int64(words[i])) & _LOW
        key ^= (word ^ salt[0, i]) * salt[1, i]
    return key


@kernel(allocates=False, inline="late")
def start_key(sight: np.uint64) -> np.uint64:
    """The key of a player that has seen nothing but the start."""
    return mix(_ROOT ^ sight, 0)


@kernel(allocates=False, inline="late")
def noticed(known: np.uint64, mover: int, observation: int) -> np.uint64:
    """The key of a player that has seen one action more."""
    return mix(known, observation + (mover + 1) * _MOVERS)


@kernel(allocates=False, inline="late")
def set_key(known: np.uint64, sight: np.uint64, mover: int) -> np.uint64:
    """The key of an information set: what its player has seen, and what they see now."""
    return mix(known ^ sight, mover)


@kernel(allocates=False, inline="late", inner=True)
def sight(rules: WalkRules, tables: Any, memory: Memory, ply: int, viewer: int) -> np.uint64:
    """The key of what a player sees of a state of the line."""
    for i in range(len(memory.scratch_words)):
        memory.scratch_words[i] = memory.words[ply, i]
    rules.mask(memory.scratch[0], viewer, tables)
    return sight_key(memory.scratch_words, memory.salt)


@kernel(allocates=False, inline="late", inner=True)
def deal(rules: WalkRules, tables: Any, numbers: WalkNumbers, memory: Memory, random: Any) -> None:
    """Begin a line with a deal, one that looks to everybody as it is wanted, if that is wanted."""
    for _ in range(max(numbers.tries, 1)):
        for i in range(memory.words.shape[1]):
            memory.words[0, i] = 0
        rules.start(memory.states[0], tables, random)
        if numbers.tries == 0:
            return
        if sight(rules, tables, memory, 0, SPECTATOR) == numbers.public:
            return


@kernel(allocates=False, inline="late", inner=True)
def begin(rules: WalkRules, tables: Any, memory: Memory) -> None:
    """Let everybody see the first state of a line."""
    for viewer in range(memory.known.shape[1]):
        seen = sight(rules, tables, memory, 0, viewer)
        memory.sights[viewer] = seen
        memory.known[0, viewer] = start_key(seen)


@kernel(allocates=False, inline="late", inner=True)
def own_key(
    rules: WalkRules, tables: Any, numbers: WalkNumbers, memory: Memory, ply: int, mover: int
) -> np.uint64:
    """The key of the information set of the player to move."""
    if numbers.by_key != 0:
        key = rules.key(memory.states[ply], mover, tables)
        known = mix(np.uint64(0), key) ^ np.uint64(mover)
        # What a game tells apart need not say which actions there are.
        count = rules.legal(memory.states[ply], tables, memory.actions)
        for i in range(count):
            known = mix(known, memory.actions[i])
        return known
    # The start was looked at when it was dealt.
    seen = memory.sights[mover] if ply == 0 else sight(rules, tables, memory, ply, mover)
    return set_key(memory.known[ply, mover], seen, mover)


@kernel(allocates=False, inline="late", inner=True)
def take(
    rules: WalkRules,
    tables: Any,
    memory: Memory,
    ply: int,
    mover: int,
    action: int,
    told: int,
    random: Any,
) -> None:
    """Carry out an action in a copy of the state, which stands one ply below it.

    Args:
        rules, tables, memory: See `external`.
        ply: Where the state stands.
        mover: The player to move.
        action: The code that is carried out.
        told: The code by which the mover remembers it. A led line carries out the cards of a lie,
            and its player remembers that they told one.
        random: A generator.
    """
    below = ply + 1
    for i in range(memory.words.shape[1]):
        memory.words[below, i] = memory.words[ply, i]
    state = memory.states[below]
    rules.apply(state, action, tables, random)
    if state.player == OVER:
        # Nobody decides there any more; what they know is no key of anything.
        for viewer in range(memory.known.shape[1]):
            memory.known[below, viewer] = np.uint64(0)
        return
    for viewer in range(memory.known.shape[1]):
        seen = rules.observe(state, action, mover, viewer, tables)
        known = memory.known[ply, viewer]
        if seen != HIDDEN or viewer == mover:
            known = noticed(known, mover, seen)
            if viewer == mover:
                known = mix(known, told)
        memory.known[below, viewer] = known


@kernel(allocates=False)
def replay_keys(
    rules: WalkRules,
    tables: Any,
    numbers: WalkNumbers,
    memory: Memory,
    starts: Any,
    actions: Any,
    lengths: Any,
    random: Any,
    keys: Any,
) -> None:
    """Write the keys of the information sets that lines lead to: uint64[N].

    Args:
        rules, tables, numbers, memory, random: See `external`.
        starts: A record array [N], the states that lines start from.
        actions: int32[N, D], what is done; ``lengths`` says how much of it.
        lengths: int64[N].
        keys: What is written.
    """
    for line in range(len(starts)):
        memory.states[0] = starts[line]
        begin(rules, tables, memory)
        for ply in range(lengths[line]):
            mover = np.int64(memory.states[ply].player)
            action = np.int64(actions[line, ply])
            take(rules, tables, memory, ply, mover, action, action, random)
        last = lengths[line]
        mover = np.int64(memory.states[last].player)
        keys[line] = own_key(rules, tables, numbers, memory, last, mover)


@kernel(allocates=False)
def key_of_moment(start: Any, events: Any, now: Any, salt: Any, mover: int, known: Any) -> int:
    """Write the keys of what a player came to know, and of their information set at the end.

    Args:
        start: int32[W], the numbers that they saw at the start.
        events: int64[E, 3], of what they noticed the mover, the observation, and their own action
            or ``HIDDEN``.
        now: int32[W], the numbers that they see now.
        salt: See `Memory`.
        mover: The player to move.
        known: uint64[E + 2], what is written.

    Returns:
        How many keys they are.
    """
    known[0] = start_key(sight_key(start, salt))
    for i in range(len(events)):
        key = noticed(known[i], events[i, 0], events[i, 1])
        if events[i, 2] != HIDDEN:
            key = mix(key, events[i, 2])
        known[i + 1] = key
    known[len(events) + 1] = set_key(known[len(events)], sight_key(now, salt), mover)
    return len(events) + 2


@kernel(allocates=False)
def key_of_now(now: Any, salt: Any, mover: int, known: Any) -> None:
    """Write the keys of a game that begins with what a player sees now.

    Args:
        now, salt, mover: See `key_of_moment`.
        known: uint64[2], what is written.
    """
    sight = sight_key(now, salt)
    known[0] = start_key(sight)
    known[1] = set_key(known[0], sight, mover)
