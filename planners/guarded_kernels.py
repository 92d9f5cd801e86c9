"""Calls a game's kernels and looks at everything they touched: for `check_game`."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SleuthError
from ..models.game import Game, States
from ..models.kernel import plain
from ..models.randomness import generator

#: Cells before and after every array that a kernel is handed.
GUARDS: Final = 4
UNTOUCHED: Final = 0x5A

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


class ConformanceError(SleuthError):
    """A game does not keep the contract.

    Attributes:
        check: The name of the check that found it; see :data:`~sleuth.planners.conformance.CHECKS`.
    """

    def __init__(
        self, check: str, message: str, *, where: str, hint: str = "", **value: object
    ) -> None:
        self.check = check
        super().__init__(f"[{check}] {message}", where=where, hint=hint, **value)


@dataclass(frozen=True)
class Called:
    """What a kernel answered and left behind.

    Attributes:
        result: What it returned.
        states: The state after the call, in an array of one.
        written: The array of actions or values that it wrote to; empty for other kernels.
    """

    result: Any
    states: States
    written: NDArray[Any]

    def bytes(self, name: str) -> bytes:
        """What counts of it, for comparisons."""
        written = self.written[: int(self.result)] if name == "legal" else self.written
        return repr(_number(self.result)).encode() + self.states.tobytes() + written.tobytes()


class GuardedKernels:
    """The kernels of a game, called with guard cells around all that they are handed.

    Attributes:
        thorough: Whether every call is made three times: again, to find what a kernel keeps
            between calls, and as plain Python.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.thorough = True
        self.tables = tables_bytes(game.tables)

    def call(self, name: str, states: States, *, where: str, seed: int = 0, **given: Any) -> Called:
        """One call on a copy of a state.

        Args:
            name: The kernel.
            states: The state it is handed, in an array of one.
            where: Play and move, for the error.
            seed: Of the generator that it is handed.
            given: ``action``, ``mover``, ``viewer``, ``world``, ``actions``, ``count``.

        Raises:
            ConformanceError: It did what a kernel must not do.
        """
        function = getattr(self.game, name)
        called = self._once(function, name, states, where, seed, given)
        if not self.thorough:
            return called
        again = self._once(function, name, states, where, seed, given)
        if again.bytes(name) != called.bytes(name):
            raise ConformanceError(
                "memory",
                f"{name!r} answers the same question differently the second time",
                where=where,
                hint="a kernel keeps nothing between calls: all it knows is in its arguments",
            )
        python = plain(function)
        if python is not function:
            with np.errstate(all="ignore"):
                other = self._once(python, name, states, where, seed, given)
            if other.bytes(name) != called.bytes(name):
                raise ConformanceError(
                    "compiled",
                    f"{name!r} gives other results compiled than as plain Python",
                    where=where,
                    hint="look for whole numbers that overflow, unsigned numbers, and division of"
                    " negative numbers",
                )
        return called

    def _once(
        self,
        function: Callable[..., Any],
        name: str,
        states: States,
        where: str,
        seed: int,
        given: dict[str, Any],
    ) -> Called:
        game = self.game
        arrays = {
            "state": np.frombuffer(states[:1].tobytes(), dtype=np.uint8),
            "actions": _bytes(given.get("actions", np.zeros(game.max_actions, dtype=np.int32))),
            "values": _bytes(np.full(game.players, np.nan)),
            "world": _bytes(given.get("world", np.zeros(0, dtype=np.int16))),
            "random": _bytes(generator(seed)),
        }
        kinds: dict[str, Any] = {
            "actions": np.int32,
            "values": np.float64,
            "world": np.int16,
            "random": np.uint64,
        }
        buffers = {word: _guarded(content, game) for word, content in arrays.items()}
        handed: dict[str, Any] = {
            word: _inside(buffers[word], len(arrays[word]), game).view(kind)
            for word, kind in kinds.items()
        }
        inside = _inside(buffers["state"], len(arrays["state"]), game)
        copies = inside.view(np.dtype((np.record, game.state))).view(np.recarray)
        handed |= {"state": copies[0], "tables": game.tables}
        handed |= {word: value for word, value in given.items() if word not in arrays}
        try:
            result = function(*(handed[word] for word in ARGUMENTS[name]))
        except Exception as error:
            raise _failed(name, error, where) from error
        for word, buffer in buffers.items():
            content = _inside(buffer, len(arrays[word]), game)
            edge = GUARDS * game.state.itemsize
            if (buffer[:edge] != UNTOUCHED).any() or (buffer[-edge:] != UNTOUCHED).any():
                raise ConformanceError(
                    "bounds",
                    f"{name!r} writes beyond the ends of {word!r}",
                    where=where,
                    hint="'actions' has max_actions cells, 'values' one for each player"
                    if word in ("actions", "values")
                    else "",
                )
            if (
                word not in WRITES[name]
                and word != "random"
                and content.tobytes() != arrays[word].tobytes()
            ):
                raise ConformanceError(
                    "purity",
                    f"{name!r} changes {word!r}",
                    where=where,
                    hint="only start, apply, mask and fill change a state",
                )
        if tables_bytes(game.tables) != self.tables:
            raise ConformanceError(
                "tables",
                f"{name!r} writes to the tables",
                where=where,
                hint="what changes during a game belongs into the state",
            )
        written = handed["actions"] if name == "legal" else handed["values"]
        return Called(
            result, copies.copy(), written if name in ("legal", "returns") else written[:0]
        )


def tables_bytes(tables: Any) -> bytes:
    """The contents of a game's tables, to see whether they change."""
    if isinstance(tables, np.ndarray):
        return cast(NDArray[Any], tables).tobytes()
    if isinstance(tables, tuple):
        return b"|".join(tables_bytes(part) for part in cast(tuple[Any, ...], tables))
    return repr(tables).encode()


def _failed(name: str, error: Exception, where: str) -> ConformanceError:
    if isinstance(error, IndexError):
        return ConformanceError(
            "bounds",
            f"{name!r} uses an index that is out of bounds: {error}",
            where=where,
            hint="compiled code would not notice it",
        )
    lines = traceback.format_exception_only(error)
    return ConformanceError("kernels", f"{name!r} fails: {''.join(lines).strip()}", where=where)


def _bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    return np.frombuffer(np.ascontiguousarray(array).tobytes(), dtype=np.uint8)


def _guarded(content: NDArray[np.uint8], game: Game) -> NDArray[np.uint8]:
    edge = GUARDS * game.state.itemsize
    buffer = np.full(len(content) + 2 * edge, UNTOUCHED, dtype=np.uint8)
    buffer[edge : edge + len(content)] = content
    return buffer


def _inside(buffer: NDArray[np.uint8], size: int, game: Game) -> NDArray[np.uint8]:
    edge = GUARDS * game.state.itemsize
    return buffer[edge : edge + size]


def _number(value: Any) -> Any:
    number = getattr(value, "item", None)
    return value if number is None else number()
