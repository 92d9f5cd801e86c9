"""Fields of a state a kernel reads that somebody cannot see: for the words of a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...models.game import HIDDEN, Game, States

Note = Callable[[], None]


def hidden_fields(game: Game, masked: States) -> list[str]:
    """The fields of a masked state in which anything is hidden."""
    return [
        name
        for name in game.state.names or ()
        if np.any(np.asarray(masked[name][0]) == HIDDEN)  # pyright: ignore[reportUnknownArgumentType]
    ]


def different_fields(one: States, other: States) -> tuple[str, ...]:
    """The fields in which two states differ."""
    return tuple(name for name in one.dtype.names or () if np.any(one[name][0] != other[name][0]))


def hidden_reads(
    game: Game,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    *,
    states: States,
    masked: States,
) -> tuple[list[str], BaseException | None]:
    """Call a kernel as plain Python and note what it reads of a state that is masked.

    Args:
        game: Its game.
        function: The kernel, plain throughout.
        arguments: What it is handed after the state; it may write to them.
        states: The state it is handed, in an array of one; a copy is.
        masked: The same state, with HIDDEN in all that must not be read; may be ``states``.

    Returns:
        Names of the hidden fields that it read, in the order in which it last did, and the error
        by which it ended, if any.
    """
    names: dict[str, None] = {}

    def note(name: str) -> None:
        names.pop(name, None)
        names[name] = None

    state = _WatchedState(states.copy()[0], masked.copy()[0], note)
    error: BaseException | None = None
    try:
        with np.errstate(all="ignore"):
            function(state, *arguments)
    except Exception as raised:
        error = raised
    return list(names), error


class _WatchedState:
    """A record that notes which hidden fields are read. What is written is hidden no more."""

    def __init__(self, state: Any, masked: Any, note: Callable[[str], None]) -> None:
        vars(self).update(_state=state, _masked=masked, _note=note)

    def __getattr__(self, name: str) -> Any:
        value, seen = getattr(self._state, name), getattr(self._masked, name)
        if isinstance(value, np.ndarray):
            return _WatchedArray(value, seen, lambda: self._note(name))
        if np.any(seen == HIDDEN):
            self._note(name)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._state, name, np.asarray(value))
        setattr(self._masked, name, np.asarray(value))

    def __getitem__(self, name: str) -> Any:
        return self.__getattr__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self.__setattr__(name, value)


class _WatchedArray:
    """An array of a record, likewise."""

    def __init__(self, values: Any, masked: Any, note: Note) -> None:
        vars(self).update(_values=values, _masked=masked, _note=note)

    def _look(self) -> Any:
        if np.any(self._masked == HIDDEN):
            self._note()
        return self._values

    def __getitem__(self, place: Any) -> Any:
        value, seen = self._values[place], self._masked[place]
        if isinstance(value, np.ndarray):
            return _WatchedArray(value, seen, self._note)
        if seen == HIDDEN:
            self._note()
        return value

    def __setitem__(self, place: Any, value: Any) -> None:
        self._values[place] = value
        self._masked[place] = value

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))

    def __array__(self, *wanted: Any, **options: Any) -> Any:
        return np.array(self._look(), *wanted)

    def __getattr__(self, name: str) -> Any:
        if name in ("shape", "size", "ndim", "dtype"):
            return getattr(self._values, name)
        return getattr(self._look(), name)
