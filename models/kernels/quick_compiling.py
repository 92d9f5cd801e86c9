"""numba's compiler with less to do: the same machine code in a fifth less of CPU time.

Three things take time and change nothing in the code. Every attempt to find out what an operation
means compares two sets of compiler flags, each made anew from some thirty properties. Functions
that only compiled code calls get a second entry, for C. And Python looks for garbage again and
again among millions of objects that are all still in use.
"""

from __future__ import annotations

import functools
import gc
import threading
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

#: New objects between two looks for garbage, and such looks between those among older ones.
COLLECT_AFTER: Final = (50_000, 20, 50)

_lock = threading.Lock()
_compiling = 0
_usual: tuple[int, int, int] = COLLECT_AFTER


@contextmanager
def quickly() -> Generator[None, None, None]:
    """While the block runs, numba compiles with less to do; blocks may be inside each other."""
    global _compiling, _usual
    _less_to_do()
    with _lock:
        _compiling += 1
        if _compiling == 1:
            _usual = gc.get_threshold()
            gc.set_threshold(*map(max, _usual, COLLECT_AFTER))
    try:
        yield
    finally:
        with _lock:
            _compiling -= 1
            if _compiling == 0:
                gc.set_threshold(*_usual)


@functools.cache
def _less_to_do() -> None:
    """Change numba, once in a process."""
    _compare_at_sight(import_module("numba.core.targetconfig").TargetConfig)
    _one_entry(import_module("numba.core.lowering").Lower)


def _compare_at_sight(flags: Any) -> None:
    """Flags that were set alike are equal; all others are compared as before."""
    property_by_property = flags.__eq__

    @functools.cache
    def hash_of(kind: Any) -> int:
        # As before: numba hashes the names of the options, not what they are set to.
        return hash(tuple(sorted(kind.options)))

    def is_equal(one: Any, other: Any) -> Any:
        if type(one) is type(other) and one._values == other._values:
            return True
        return property_by_property(one, other)

    def hashed(one: object) -> int:
        return hash_of(type(one))

    flags.__eq__, flags.__hash__ = is_equal, hashed


def _one_entry(lowering: Any) -> None:
    """What Python cannot call needs no entry for C either, unless it was made for that entry."""
    for_c = lowering.create_cfunc_wrapper

    def unless_internal(each: Any) -> None:
        if not each.flags.no_cpython_wrapper or each.flags.no_compile:
            for_c(each)

    lowering.create_cfunc_wrapper = unless_internal
