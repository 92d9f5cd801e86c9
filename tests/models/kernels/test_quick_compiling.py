"""numba has less to do, and compiles the same."""

from __future__ import annotations

import gc
import operator
import os
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.compiler import Flags
from numba.core.lowering import Lower

from sleuth.models.kernels.quick_compiling import COLLECT_AFTER, quickly

compiles = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)


def test_flags_are_equal_by_what_they_say_not_by_how_it_was_set() -> None:
    with quickly():
        usual: Any = Flags()
        said: Any = Flags()
        other: Any = Flags()
        assert usual == said
        said.nrt = usual.nrt  # now set, to what it was anyway
        assert usual == said
        assert hash(usual) == hash(said)
        other.nrt = not usual.nrt
        assert usual != other
        assert said != other
        assert usual != "flags"


def changed() -> tuple[Any, ...]:
    return gc.get_threshold(), Flags.__eq__, Flags.__hash__, Lower.create_cfunc_wrapper


@pytest.fixture
def usual_garbage() -> Iterator[None]:
    """Garbage is looked for as Python does, and not as the suite does."""
    suite = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*suite)


@pytest.mark.usefixtures("usual_garbage")
def test_all_is_as_before_when_the_last_block_ends() -> None:
    before = changed()
    with quickly():
        with quickly():
            assert gc.get_threshold() >= COLLECT_AFTER
        assert gc.get_threshold() >= COLLECT_AFTER, "the outer block goes on"
        assert not any(map(operator.eq, changed(), before))
    assert changed() == before
    with pytest.raises(KeyError), quickly():
        raise KeyError
    assert changed() == before


@compiles
def test_kernels_and_callbacks_of_somebody_s_own_keep_their_entry_for_c() -> None:
    def doubled(x: float) -> float:
        return 2.0 * x

    # Not a kernel: one that is loaded from the cache does not list its functions.
    compiled: Any = numba.njit(doubled)
    with quickly():
        assert compiled(3.0) == 6.0
    (found,) = compiled.overloads.values()
    names = [each.name for each in found.library.get_defined_functions()]
    assert any(name.startswith("cfunc.") for name in names)

    def next_one(x: Any) -> Any:
        return np.sqrt(x) + 1.0

    made: Any = numba.cfunc("float64(float64)")(next_one)
    assert made.ctypes(4.0) == 3.0
