"""Records for plain Python: the same fields, several times as fast as NumPy's own."""

from __future__ import annotations

import functools
import operator
from typing import Any, cast

import numpy as np


@functools.cache
def quick_records(state: np.dtype[Any]) -> np.dtype[Any]:
    """A type of records with the same fields, for plain Python: several times as fast.

    NumPy's own records look each field up in Python. These do, say and hold the same.

    Args:
        state: The fields.
    """
    names = frozenset(state.names or ())
    write = np.void.__setitem__

    def set_field(record: Any, name: str, value: Any) -> None:
        if name in names:
            write(record, name, value)
        else:
            np.record.__setattr__(record, name, value)  # which says that there is none

    own: dict[str, Any] = {
        "__getattribute__": object.__getattribute__,
        "__getitem__": np.void.__getitem__,
        "__setattr__": set_field,
    }
    for name in names:
        kind: np.dtype[Any] = cast(Any, state.fields)[name][0]
        if hasattr(np.record, name) or kind.base.names is not None:
            return np.dtype((np.record, state))
        own[name] = property(operator.itemgetter(name))
    # Errors name the class, and are looked through for that of NumPy's.
    return np.dtype((cast(Any, type("record", (np.record,), own)), state))
