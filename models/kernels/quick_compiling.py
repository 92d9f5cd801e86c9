"""numba's compiler with less to do: the same machine code in about a fifth less of CPU time.

Three things take time and change nothing in the code. Every attempt to find out what an operation
means compares two sets of compiler flags, each made anew from some thirty properties. Functions
that only compiled code calls get a second entry, for C. And Python looks for garbage again and
again among millions of objects that are all still in use. Once nothing compiles any more, all
three are as they were. A numba that is built otherwise is left alone.
"""

from __future__ import annotations

import functools
import gc
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final

#: New objects between two looks for garbage, and such looks between those among older ones.
COLLECT_AFTER: Final = (50_000, 20, 50)

_lock = threading.Lock()
_compiling = 0
_undo: list[Callable[[], None]] = []


@contextmanager
def quickly() -> Generator[None, None, None]:
    """While the block runs, numba compiles with less to do; blocks may be inside each other."""
    global _compiling
    with _lock:
        _compiling += 1
        if _compiling == 1:
            _less_to_do()
    try:
        yield
    finally:
        with _lock:
            _compiling -= 1
            while _compiling == 0 and _undo:
                _undo.pop()()


def _less_to_do() -> None:
    usual = gc.get_threshold()
    gc.set_threshold(*map(max, usual, COLLECT_AFTER))
    _undo.append(lambda: gc.set_threshold(*usual))
    with suppress(ImportError, AttributeError):
        _compare_at_sight(import_module("numba.core.targetconfig").TargetConfig)
    with suppress(ImportError, AttributeError):
        _one_entry(import_module("numba.core.lowering").Lower)


def _replace(owner: Any, **methods: Any) -> None:
    """Other methods for a class, until nothing compiles any more."""
    for name, method in methods.items():
        _undo.append(functools.partial(setattr, owner, name, getattr(owner, name)))
        setattr(owner, name, method)


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

    _replace(flags, __eq__=is_equal, __hash__=hashed)


def _one_entry(lowering: Any) -> None:
    """Omits the entry for C of what Python cannot call, unless it was made for that entry."""
    for_c = lowering.create_cfunc_wrapper

    def unless_internal(each: Any) -> None:
        if not each.flags.no_cpython_wrapper or each.flags.no_compile:
            for_c(each)

    _replace(lowering, create_cfunc_wrapper=unless_internal)
