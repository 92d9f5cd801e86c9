"""Calls a game's kernels and looks at everything they touched: for `check_game`.

Whatever a kernel is handed, plain Python is handed it first: compiled code that uses a number it
cannot see as an index would read anything, or end the interpreter.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ...data.errors import SleuthError
from ...models.game import Game, States
from ...models.kernels.plain.plain_call import as_plain
from ...models.kernels.plain.quick_records import quick_records
from ...models.kernels.plain.twins import is_compiled, throughout
from ...models.kernels.randomness import Generator, generator
from .guarded_memory import GuardedMemory
from .hidden_reads import hidden_fields, hidden_reads
from .misspelt import misspelt

#: States that fit in the guards before and after every array that a kernel is handed.
GUARDS: Final = 4

#: So often is a world filled into a state by plain Python before compiled code does it.
PLAIN_FILLS: Final = 8

#: What each kernel is handed, in order, and what it may write to.
ARGUMENTS: Final[dict[str, tuple[str, ...]]] = {
    "start": ("state", "tables", "random"),
    "legal": ("state", "tables", "actions"),
    "apply": ("state", "action", "tables", "random"),
    "observe": ("state", "action", "mover", "viewer", "tables"),
    "returns": ("state", "tables", "values"),
    "mask": ("state", "viewer", "tables"),
    "fill": ("state", "world", "tables", "random"),
    "policy": ("state", "actions", "count", "tables", "random"),
    "key": ("state", "viewer", "tables"),
}
WRITES: Final[dict[str, frozenset[str]]] = {
    "start": frozenset({"state"}),
    "legal": frozenset({"actions"}),
    "apply": frozenset({"state"}),
    "observe": frozenset(),
    "returns": frozenset({"values"}),
    "mask": frozenset({"state"}),
    "fill": frozenset({"state"}),
    "policy": frozenset(),
    "key": frozenset(),
}
#: The numbers in the arrays that kernels are handed.
KINDS: Final[dict[str, Any]] = {
    "actions": np.int32,
    "values": np.float64,
    "world": np.int16,
    "random": np.uint64,
}
#: The array in which a kernel writes its answer; others change a state, or return it.
ANSWERS: Final = {"legal": "actions", "returns": "values"}
NOTHING: Final = np.zeros(0)
#: Kernels that see masked states: the check that a fault in them belongs to, and what to write.
SEES_LESS: Final[dict[str, tuple[str, str]]] = {
    "legal": (
        "own moves",
        "legal is asked with what the player to move sees, too: let it read only what mask leaves",
    ),
    "returns": (
        "own outcome",
        "returns is asked with what each player sees, too: let mask show at the end what decides,"
        " or let returns pass over what is HIDDEN",
    ),
    "mask": (
        "mask",
        "mask is called on masked states, too: see whether a field is HIDDEN before you use it",
    ),
    "fill": ("fill", "fill is handed a masked state: write what is HIDDEN before you read it"),
}


class ConformanceError(SleuthError):
    """A game does not keep the contract.

    Attributes:
        check: The name of the check that found it; see
            :data:`~sleuth.planners.checking.conformance.CHECKS`.
        kernel: The kernel that is at fault, by its name in the contract; empty where the check
            says it, or nobody knows.
        fields: The fields of the state that it is about, as far as they are known.
    """

    def __init__(
        self,
        check: str,
        message: str,
        *,
        where: str,
        hint: str = "",
        kernel: str = "",
        fields: tuple[str, ...] = (),
        **value: object,
    ) -> None:
        self.check, self.kernel, self.fields = check, kernel, fields
        super().__init__(f"[{check}] {message}", where=where, hint=hint, **value)


@dataclass(frozen=True)
class GuardedCall:
    """The answer of a kernel, and what it left behind.

    Attributes:
        result: What it returned.
        states: The state after the call, in an array of one.
        written: The array of actions or values that it wrote to; empty for other kernels.
    """

    result: Any
    states: States
    written: NDArray[Any]

    def bytes(self, name: str) -> bytes:
        """The parts of it that count, for comparisons."""
        written = self.written[: int(self.result)] if name == "legal" else self.written
        return repr(_number(self.result)).encode() + self.states.tobytes() + written.tobytes()


class GuardedKernels:
    """The kernels of a game, called with guard cells around all that they are handed.

    Attributes:
        thorough: Whether every call is made once more, to find what a kernel keeps between calls.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.thorough = True
        readers = [_reader(part) for part in _parts_of_tables(game.tables)]
        self._tables = [(read, read()) for read in readers]
        self._record = np.dtype((np.record, game.state))
        self._quick = quick_records(game.state)
        self._plain = {name: throughout(getattr(game, name)) for name in ARGUMENTS}
        self._plain_tables = as_plain(game.tables)
        self._tried: set[int] = set()
        self._fills: Counter[int] = Counter()

    def call(
        self,
        name: str,
        states: States,
        *,
        where: str,
        seed: int | tuple[int, ...] = 0,
        sees: str = "",
        **given: Any,
    ) -> GuardedCall:
        """One call on a copy of a state: as plain Python, unless it was tried before, and compiled.

        Args:
            name: The kernel.
            states: The state it is handed, in an array of one.
            where: Play and move, for the error.
            seed: Of the generator that it is handed.
            sees: Whose view of a state it is handed, for the error; empty for no view.
            given: ``action``, ``mover``, ``viewer``, ``world``, ``actions``, ``count``.

        Raises:
            ConformanceError: It did what a kernel must not do.
        """
        try:
            return self._called(name, states, where, seed, sees, given)
        except ConformanceError as error:
            error.kernel = name
            raise

    def _called(
        self,
        name: str,
        states: States,
        where: str,
        seed: int | tuple[int, ...],
        sees: str,
        given: dict[str, Any],
    ) -> GuardedCall:
        seeds = seed if isinstance(seed, tuple) else (seed,)
        function, python = getattr(self.game, name), self._plain[name]
        other = None
        memory = self._memory(name, states, seeds, given)
        asked = hash((name, memory.content, _numbers(given)))
        if python is not function and asked not in self._tried:
            other = self._once(python, name, states, where, memory, sees, given)
            self._tried.add(asked)
        called = self._once(function, name, states, where, memory, sees, given)
        if self.thorough:
            again = self._once(function, name, states, where, memory, sees, given)
            if again.bytes(name) != called.bytes(name):
                raise ConformanceError(
                    "memory",
                    f"{name!r} answers the same question differently the second time",
                    where=where,
                    hint="a kernel keeps nothing between calls: all it knows is in its arguments",
                )
        if other is not None and other.bytes(name) != called.bytes(name):
            raise ConformanceError(
                "compiled",
                f"{name!r} gives other results compiled than as plain Python",
                where=where,
                hint="look for whole numbers that overflow, unsigned numbers, and division of"
                " negative numbers",
            )
        return called

    def filled(
        self,
        states: States,
        world: NDArray[np.int16],
        random: Generator,
        *,
        where: str,
        tried: bool = False,
    ) -> States:
        """A masked state filled with a world, without guards: for many draws.

        By plain Python, until this world was filled into this state so often that chance, too,
        can hardly lead anywhere new.

        Args:
            states: The state, in an array of one.
            world: What is hidden.
            random: Chance.
            where: Play and move, for the error.
            tried: Whether enough states like this one were filled by plain Python.

        Raises:
            ConformanceError: ``fill`` failed.
        """
        copy, row = states.copy(), world.copy()
        asked = hash((copy.tobytes(), row.tobytes()))
        tried = tried or self._fills[asked] >= PLAIN_FILLS
        function = self.game.fill if tried else self._plain["fill"]
        kind, tables = self._quick, self._plain_tables
        if is_compiled(function):
            kind, tables = self._record, self.game.tables
        try:
            with np.errstate(all="ignore"):
                function(np.asarray(copy).view(kind)[0], row, tables, random)
        except Exception as error:
            arguments = (world.copy(), self.game.tables, random)
            raise self._failed("fill", states, arguments, error, where, "") from error
        self._fills[asked] += 1
        return copy

    def reads(self, name: str, states: States, masked: States, **given: Any) -> str:
        """The fields a kernel reads that are hidden in a masked state, for a hint; may be empty.

        Args:
            name: The kernel.
            states: The state it is handed.
            masked: The same state, masked; may be the same.
            given: As for :meth:`call`.
        """
        handed: dict[str, Any] = {
            "tables": self.game.tables,
            "random": generator(0),
            "actions": np.zeros(self.game.max_actions, dtype=np.int32),
            "values": np.zeros(self.game.players),
            **given,
        }
        names, _ = hidden_reads(
            self.game,
            self._plain[name],
            tuple(handed[word] for word in ARGUMENTS[name][1:]),
            states=states,
            masked=masked,
        )
        return f"{name} reads {', '.join(map(repr, names))}, which mask hides" if names else ""

    def _failed(
        self,
        name: str,
        states: States,
        arguments: tuple[Any, ...],
        error: Exception,
        where: str,
        sees: str,
    ) -> ConformanceError:
        """The words for an error that a kernel raised."""
        said = "".join(traceback.format_exception_only(error)).strip()
        found = misspelt(self.game, name, error)
        if found is not None:
            return ConformanceError("kernels", found.message, where=where, hint=found.hint)
        hidden = hidden_fields(self.game, states)
        if hidden:
            check, hint = SEES_LESS.get(name, ("bounds", "see whether a field is HIDDEN first"))
            names, raised = hidden_reads(
                self.game, self._plain[name], arguments, states=states, masked=states
            )
            whom = f" from {sees}" if sees else ""
            what = ""
            if type(raised) is not type(error):
                what = f"fails on a view, in which {', '.join(map(repr, hidden))} may be HIDDEN"
            elif names:
                what = f"uses {names[-1]!r}, which is hidden{whom}, as if it were known"
            if what:
                return ConformanceError(check, f"{name!r} {what}: {said}", where=where, hint=hint)
        if isinstance(error, IndexError):
            return ConformanceError(
                "bounds",
                f"{name!r} uses an index that is out of bounds: {error}",
                where=where,
                hint="keep it from 0 to one less than the size: compiled code notices nothing and"
                " reads or writes beyond",
            )
        return ConformanceError("kernels", f"{name!r} fails: {said}", where=where)

    def _memory(
        self, name: str, states: States, seeds: tuple[int, ...], given: dict[str, Any]
    ) -> GuardedMemory:
        """All arrays that a call is handed, and the state."""
        game, words = self.game, ARGUMENTS[name]
        parts = {"state": states[:1].tobytes()}
        if "actions" in words:
            actions = given.get("actions")
            parts["actions"] = bytes(4 * game.max_actions) if actions is None else _bytes(actions)
        if "values" in words:
            parts["values"] = np.full(game.players, np.nan).tobytes()
        if "world" in words:
            parts["world"] = _bytes(given["world"])
        if "random" in words:
            parts["random"] = generator(*seeds).tobytes()
        return GuardedMemory.of(parts, GUARDS * game.state.itemsize)

    def _once(
        self,
        function: Callable[..., Any],
        name: str,
        states: States,
        where: str,
        memory: GuardedMemory,
        sees: str,
        given: dict[str, Any],
    ) -> GuardedCall:
        block = memory.block.copy()
        quick = not is_compiled(function)
        record = memory.part(block, "state", self._quick if quick else self._record)
        tables = self._plain_tables if quick else self.game.tables
        handed: dict[str, Any] = {**given, "tables": tables}
        for word in memory.places:
            if word != "state":
                handed[word] = memory.part(block, word, KINDS[word])
        arguments = tuple(handed[word] for word in ARGUMENTS[name][1:])
        try:
            with np.errstate(all="ignore"):
                result = function(record[0], *arguments)
        except Exception as error:
            raise self._failed(name, states, arguments, error, where, sees) from error
        after = block.tobytes()
        overrun = memory.overrun(after)
        if overrun is not None:
            raise ConformanceError(
                "bounds",
                f"{name!r} writes beyond the ends of {overrun!r}",
                where=where,
                hint="'actions' has max_actions cells, 'values' one for each player"
                if overrun in ("actions", "values")
                else "",
            )
        for word in memory.places:
            if word not in WRITES[name] and word != "random" and memory.changed(after, word):
                raise ConformanceError(
                    "purity",
                    f"{name!r} changes {word!r}",
                    where=where,
                    hint="only start, apply, mask and fill change a state",
                )
        if not self._tables_are_kept():
            raise ConformanceError(
                "tables",
                f"{name!r} writes to the tables",
                where=where,
                hint="what changes during a game belongs into the state",
            )
        written = handed[ANSWERS[name]] if name in ANSWERS else NOTHING
        left = memory.part(block, "state", self._record).view(np.recarray)
        return GuardedCall(result, left.copy(), written)

    def _tables_are_kept(self) -> bool:
        return all(read() == content for read, content in self._tables)


def _parts_of_tables(tables: Any) -> Iterator[Any]:
    """Everything in a game's tables that is no tuple."""
    if isinstance(tables, tuple):
        for part in cast(tuple[Any, ...], tables):
            yield from _parts_of_tables(part)
    else:
        yield tables


def _reader(part: Any) -> Callable[[], object]:
    """Says what is in a part of the tables, to see whether it stays so."""
    return part.tobytes if isinstance(part, np.ndarray) else partial(repr, part)


def _numbers(given: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments of a call that are no arrays."""
    return tuple(item for item in given.items() if item[0] not in KINDS)


def _bytes(array: NDArray[Any]) -> bytes:
    return np.ascontiguousarray(array).tobytes()


def _number(value: Any) -> Any:
    number = getattr(value, "item", None)
    return value if number is None else number()
