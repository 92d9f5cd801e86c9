"""The meaning and the bounds of a state's fields, and the numbers that a learner gets of a view.

A learner of another library wants an array of a fixed size, with bounds and names. A game that says
what its fields mean and which numbers they hold (``Game(..., fields={...})``) has one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError, nearest

#: The first number of every observation.
VIEWER: Final = "viewer"


@dataclass(frozen=True)
class StateField:
    """The meaning of one field of a state, and the numbers that it holds.

    Attributes:
        meaning: A few words, with the meaning of the numbers where they are codes.
        lowest: The least number that a true state has there; in each place, if it is an array.
        highest: The greatest.

    Raises:
        SettingsError: The meaning is empty, or ``lowest`` is greater than ``highest``.

    >>> import sleuth
    >>> sleuth.game("kuhn_poker").fields["cards"]
    StateField(meaning='the card of each player: 0 jack, 1 queen, 2 king', lowest=0, highest=2)
    """

    meaning: str
    lowest: int
    highest: int

    def __post_init__(self) -> None:
        if not self.meaning:
            raise SettingsError("a field needs a meaning", hint="a few words will do")
        if not self.lowest <= self.highest:
            raise SettingsError(
                "lowest must not be greater than highest",
                where=f"field {self.meaning!r}",
                value=(self.lowest, self.highest),
            )


@dataclass(frozen=True, eq=False)
class ObservationSpace:
    """The names and bounds of the numbers in an observation: the viewer, then the state's fields.

    Attributes:
        names: A name for each number, such as ``"cards[1]"``.
        low: The least value of each; float32, shape (n,). It is one less than the least that the
            field can hold, and stands for what the viewer cannot see. -inf without bounds.
        high: The greatest value of each; float32, shape (n,).

    >>> import sleuth
    >>> space = sleuth.game("kuhn_poker").observation_space
    >>> space.names
    ('viewer', 'player', 'cards[0]', 'cards[1]', 'bets[0]', 'bets[1]', 'moves')
    >>> space.low.tolist(), space.high.tolist()
    ([-1.0, -2.0, -1.0, -1.0, -1.0, -1.0, -1.0], [1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0])
    >>> view = sleuth.Play.new("kuhn_poker", seed=1).view(0)
    >>> space.size, space.numbers(view.states, view.viewer, sleuth.HIDDEN).tolist()
    (7, [0.0, 0.0, 0.0, -1.0, 1.0, 1.0, 0.0])
    """

    names: tuple[str, ...]
    low: NDArray[np.float32]
    high: NDArray[np.float32]

    @cached_property
    def size(self) -> int:
        """The number of numbers in an observation."""
        return len(self.names)

    def numbers(self, states: Any, viewer: int, hidden: int) -> NDArray[np.float32]:
        """The observation of a masked state; float32, shape (n,).

        Args:
            states: The state, in an array of one.
            viewer: Whose view it is.
            hidden: The number that stands in it for what the viewer cannot see.
        """
        numbers, found = np.empty(self.size, np.float32), flat_numbers(states)
        numbers[0], numbers[1:] = viewer, found
        np.copyto(numbers[1:], self.low[1:], where=(found == hidden) & self._bounded)
        return numbers

    @cached_property
    def _bounded(self) -> NDArray[np.bool_]:
        """True for every number of the state that has bounds."""
        return np.isfinite(self.low[1:])


def flat_numbers(states: Any) -> NDArray[Any]:
    """The numbers of one state, field by field, in one array; not to be written to."""
    kind = states.dtype
    base = _only_kind(kind)
    if base is not None:
        return np.frombuffer(states, base)
    return np.concatenate([states[name].ravel() for name in kind.names])


def write_flat_numbers(states: Any, numbers: Sequence[int]) -> None:
    """Write the numbers of one state, in the order of `flat_numbers`."""
    begin = 0
    for name in states.dtype.names:
        places = states[name].reshape(-1)
        places[:] = numbers[begin : begin + places.size]
        begin += places.size


def words_of(states: Any) -> NDArray[np.int32]:
    """int32[n, W], the memory of n states as whole numbers, which kernels copy and compare."""
    return np.ascontiguousarray(states).view(np.int32).reshape(len(states), -1)


@lru_cache
def _only_kind(kind: np.dtype[Any]) -> np.dtype[Any] | None:
    """The type of all numbers of a record, if they are of one and lie side by side."""
    bases = {kind[name].base for name in kind.names or ()}
    size = sum(kind[name].itemsize for name in kind.names or ())
    return bases.pop() if len(bases) == 1 and size == kind.itemsize else None


def observation_space(
    state: np.dtype[Any], fields: Mapping[str, StateField], players: int
) -> ObservationSpace:
    """The space of a game's observations.

    Args:
        state: The record of its state.
        fields: The fields whose bounds are known.
        players: How many players there are; the viewer may be a spectator, -1.
    """
    names, low, high = [VIEWER], [-1.0], [players - 1.0]
    meanings = {"player": StateField("whose move it is", -1, players - 1), **fields}
    for name in state.names or ():
        places = list(product(*map(range, state[name].shape)))
        known = meanings.get(name)
        names += [f"{name}[{','.join(map(str, place))}]" if place else name for place in places]
        low += [-np.inf if known is None else known.lowest - 1.0] * len(places)
        high += [np.inf if known is None else float(known.highest)] * len(places)
    return ObservationSpace(tuple(names), np.array(low, np.float32), np.array(high, np.float32))


def check_fields(fields: Mapping[str, StateField], names: Sequence[str], where: str) -> None:
    """Refuse meanings of fields that a state does not have.

    Raises:
        SettingsError: A name is no field's, or a value is no `StateField`.
    """
    for name, each in fields.items():
        if name not in names:
            raise SettingsError(
                "the state has no such field", where=where, value=name, hint=nearest(name, names)
            )
        if not isinstance(each, StateField):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise SettingsError(
                "a StateField is needed",
                where=f"{where}, field {name!r}",
                value=each,
                hint="write StateField('what it means', lowest, highest)",
            )
