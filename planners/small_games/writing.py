"""Writing a game out: all histories from all starts, into flat arrays, by a compiled writer.

Nobody waits for the compiler: as long as the writer is not compiled it is plain Python, and small
games are written before it would be worth while. A large one waits, and tells how far it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from ...data.errors import CostError, SettingsError, UnsupportedError
from ...data.progress import Tell
from ...models.game import Game, States, too_deep
from ...models.kernels.at_hand import NUMBA
from ...models.kernels.compiling import Wanted, compile_all, compile_now, plainly, stored
from ...models.kernels.hash_table import empty_slots, enter_all
from ...models.kernels.kernel import to_standard_error
from ...models.kernels.plain.twins import is_compiled
from ...models.kernels.randomness import generator
from ..sound.kernels.memory import memory_of
from .kernels.writing import (
    BROKEN,
    DICE,
    DONE,
    ENDS,
    HISTORIES,
    PAUSE,
    PLACES,
    PLY,
    SETS,
    TOO_DEEP,
    UNSURE,
    TreeArrays,
    TreeRules,
    WritingLine,
    empty_arrays,
    write,
)

#: Histories of a game that is written out.
MOST_HISTORIES: Final = 10_000_000
#: Bytes of memory that it may take: the game of so many histories may see much at each decision.
MOST_BYTES: Final = 3 * 2**30
#: Histories that plain Python writes sooner than the writer is compiled.
FEW: Final = 1_000
#: Histories that are written between two looks at the clock.
_CHUNK: Final = 100_000
#: Seconds after which it is told how far the work is, and between two words.
_PATIENCE: Final = 0.5


def written(game: Game, starts: Sequence[States], progress: Tell) -> tuple[TreeArrays, list[int]]:
    """A game written out from its starts, and the history that each start is.

    Args:
        game: The game.
        starts: States, each in an array of one.
        progress: Told twice a second how many histories are written.

    Raises:
        UnsupportedError: Dice are thrown.
        SettingsError: A kernel breaks its contract.
        CostError: There are too many histories, or they need too much memory.
    """
    writer = _Writer(game, progress)
    roots = [writer.add(states) for states in starts]
    return writer.arrays(), roots


class _Writer:
    """A tree that grows."""

    def __init__(self, game: Game, progress: Tell) -> None:
        self._game, self._progress = game, progress
        self._kernel = _WriterKernel(game)
        self._memory = memory_of(game)
        self._random = generator(0)
        self._tree = empty_arrays(game, 1024, 256, 1024 + game.max_actions, 1024)
        self._line = _empty_line(game, 256)
        self._told = time.perf_counter()

    def add(self, states: States) -> int:
        """Write all that can follow from a start; the number of its history."""
        self._memory.states[0] = states[0]
        counters = self._line.counters
        counters[PLY] = 0
        self._line.following[0] = -1
        while True:
            have = int(counters[HISTORIES])
            chunk = _CHUNK if self._kernel.compiled else max(FEW, have)
            answer = self._kernel(have)(
                self._game.tables,
                self._memory,
                self._line,
                self._tree,
                self._random,
                min(have + chunk, MOST_HISTORIES),
            )
            histories = int(counters[HISTORIES])
            self._tell(histories)
            if answer == DONE:
                return histories - 1
            if answer != PAUSE:
                self._make_room(answer)
            elif histories >= MOST_HISTORIES:
                raise CostError(
                    "this game has too many histories to write out",
                    where=f"game {self._game.name!r}",
                    value=MOST_HISTORIES,
                )

    def arrays(self) -> TreeArrays:
        """The arrays as far as they are written."""
        histories, sets, places, ends = self._used()
        return _resized(self._tree, histories, sets, places, ends)

    def _used(self) -> tuple[int, int, int, int]:
        counters = self._line.counters
        histories, sets, places, ends = counters[[HISTORIES, SETS, PLACES, ENDS]].tolist()
        return histories, sets, places, ends

    def _tell(self, histories: int) -> None:
        now = time.perf_counter()
        if now - self._told > _PATIENCE:
            self._told = now
            self._progress("writing the game out", histories, 0)

    def _make_room(self, answer: int) -> None:
        if answer in _BREACHES:
            raise self._refusal(answer)
        game, tree = self._game, self._tree
        histories, sets, places, ends = self._used()
        room = (
            _room(histories, len(tree.parents), 1),
            _room(sets, len(tree.keys), 1),
            _room(places, len(tree.actions), game.max_actions),
            _room(ends, len(tree.returns), 1),
        )
        needed = _bytes(game, *room)
        if needed > MOST_BYTES:
            raise CostError(
                "this game needs too much memory to be written out",
                where=f"game {game.name!r}, {histories:,} histories so far",
                value=needed,
            )
        self._tree = _resized(tree, *room)
        if room[1] != len(tree.keys):
            names = np.zeros(room[1], np.uint64)
            names[:sets] = self._line.names[:sets]
            slots = empty_slots(room[1])
            enter_all(slots, names, sets)
            self._line = self._line._replace(slots=slots, names=names)

    def _refusal(self, answer: int) -> SettingsError | UnsupportedError:
        game = self._game
        where = f"game {game.name!r}"
        if answer == DICE:
            return UnsupportedError(
                "dice are thrown in this game, and nothing says how they may fall", where=where
            )
        if answer == TOO_DEEP:
            return too_deep(game)
        if answer == BROKEN:
            return SettingsError(
                "somebody is to move who is no player, or has no legal action, or too many",
                where=where,
                hint=f"legal writes 1 to max_actions ({game.max_actions}) of them",
            )
        number = int(self._line.sets[int(self._line.counters[PLY])])
        begin, end = self._tree.begins[number : number + 2]
        return SettingsError(
            "a player cannot know their legal actions from what they saw",
            where=f"{where}, information set {number}",
            value=tuple(self._tree.actions[begin:end].tolist()),
        )


class _WriterKernel:
    """The writer with a game's kernels in it; plain Python until it is compiled."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._handed: list[Wanted] = [
            (getattr(game, name), game.signatures[name]) for name in TreeRules._fields
        ]
        self._entry: Callable[..., int] | None = None

    @property
    def compiled(self) -> bool:
        """True if it is not plain Python."""
        return self._entry is not None

    def __call__(self, have: int) -> Callable[..., int]:
        """The writer to call now, when so many histories are written."""
        if self._entry is not None:
            return self._entry
        rules = TreeRules(*(each for each, _ in self._handed))
        if not self._wanted:
            return lambda *arguments: write(rules, *arguments)
        small = have < FEW and not stored(self._wanted)
        if not small and compile_now(self._wanted, wait=True):
            return self._warm()

        def at_last(*arguments: Any) -> int:
            return self._warm()(*arguments[1:])

        call = plainly(write, [] if small else self._wanted, at_last)
        return lambda *arguments: call(rules, *arguments)

    def _warm(self) -> Callable[..., int]:
        from ...models.kernels.by_address import handle  # which needs numba

        compile_all(self._wanted, f"{self._game.name} to be written out", to_standard_error)
        function: Any = write
        entry = function.overloads[self._wanted[-1][1].args].entry_point
        rules = TreeRules(*(handle(each, signature) for each, signature in self._handed))
        self._entry = lambda *arguments: entry(rules, *arguments)
        return self._entry

    @cached_property
    def _wanted(self) -> list[Wanted]:
        if NUMBA is None or not is_compiled(write):
            return []
        from ...models.kernels.by_address import KernelType, linked  # which needs numba

        game, types, typeof = self._game, NUMBA.types, NUMBA.typeof
        kinds = [linked(*each) or KernelType(each[1]) for each in self._handed]
        signature = types.int64(
            types.NamedTuple(kinds, TreeRules),
            typeof(game.tables),
            typeof(memory_of(game)),
            typeof(_empty_line(game, 1)),
            typeof(empty_arrays(game, 1, 1, 1, 1)),
            types.Array(types.uint64, 1, "C"),
            types.int64,
        )
        return [*self._handed, (write, signature)]


def _empty_line(game: Game, sets: int) -> WritingLine:
    depth = game.max_depth + 1
    return WritingLine(
        counters=np.zeros(6, np.int64),
        sets=np.zeros(depth, np.int64),
        following=np.zeros(depth, np.int64),
        after=np.zeros((depth, game.max_actions), np.int64),
        last=np.zeros((depth, game.players), np.int64),
        slots=empty_slots(sets),
        names=np.zeros(sets, np.uint64),
    )


def _room(used: int, room: int, more: int) -> int:
    return max(2 * room, room + more) if used + more > room else room


def _bytes(game: Game, histories: int, sets: int, places: int, ends: int) -> int:
    """The memory of arrays for so many, while they are copied."""
    set_bytes = 36 + game.state.itemsize
    once = 12 * histories + set_bytes * sets + 4 * places + 8 * game.players * ends
    return once + once // 2


def _resized(tree: TreeArrays, histories: int, sets: int, places: int, ends: int) -> TreeArrays:
    """The same tree with room for so many."""
    lengths = {"parents": histories, "places": histories, "sets": histories, "returns": ends}
    lengths |= {"begins": sets + 1, "actions": places}
    found: dict[str, Any] = {}
    for name, array in zip(TreeArrays._fields, tree, strict=True):
        length = lengths.get(name, sets)
        if length == len(array):
            found[name] = array
            continue
        made = np.full((length, *array.shape[1:]), -1 if name == "firsts" else 0, array.dtype)
        kept = min(length, len(array))
        made[:kept] = array[:kept]
        found[name] = made
    return TreeArrays(**found)


#: What the writer answers when a kernel of the game breaks its contract.
_BREACHES: Final = frozenset((DICE, TOO_DEEP, BROKEN, UNSURE))
