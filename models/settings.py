"""The parts of states and settings of games: the fields of records, and kernels of rules."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

import numpy as np

#: The kernels that every game has, by their names in `Game` and in a module of rules.
RULES: Final = ("start", "legal", "apply", "observe", "returns", "mask", "fill")


def numbers(*names: str, shape: tuple[int, ...] = ()) -> list[tuple[Any, ...]]:
    """Fields of a record that hold whole numbers, all of one shape: what a state is made of.

    >>> import numpy as np
    >>> from sleuth.kit import numbers
    >>> np.dtype([*numbers("player", "winner"), *numbers("dice", shape=(4,))]).names
    ('player', 'winner', 'dice')
    """
    return [(name, np.int32, shape) for name in names]


def digits(number: int, *bases: int) -> list[int]:
    """The digits of a number, the last first, each in its own base: the parts of an observation.

    >>> from sleuth.kit import digits
    >>> digits(2 + 10 * (4 + 5 * 7), 10, 5, 8)
    [2, 4, 7]
    """
    found: list[int] = []
    for base in bases:
        number, digit = divmod(number, base)
        found.append(digit)
    return found


def one_record(fields: Any) -> Any:
    """A record of these fields, all zero, in an array of one: as kernels are handed tables."""
    return np.zeros(1, dtype=np.dtype((np.record, fields))).view(np.recarray)


def rules_of(module: ModuleType) -> dict[str, Any]:
    """The kernels of a module of rules, by the names that a `Game` has for them."""
    return {name: getattr(module, name) for name in RULES}
