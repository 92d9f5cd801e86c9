"""The key of a compiled kernel changes with every value that the kernel can see."""

from __future__ import annotations

import dis
import functools
import os
import types
from collections import namedtuple
from collections.abc import Callable, Iterator
from enum import Enum, IntEnum
from typing import Any, NamedTuple, cast

import numba
import numpy as np
import pytest

from sleuth import kernel
from sleuth.models.kernels.disk.dependencies import Traced, Untraceable, _paths, text_of

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)

_numba: Any = numba


def keys(function: Any) -> list[str]:
    """Digests of a kernel and of all functions that it calls."""
    found, waiting, seen = list[str](), [function], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) not in seen:
            seen.add(id(each))
            traced = Traced()
            traced.function(getattr(each, "py_func", each))
            found.append(traced.digest().hex())
            waiting += traced.called
    return found


def defined(text: str, names: str = "", **given: Any) -> Any:
    """The function ``f`` that a text defines, with some values as its globals."""
    scope: dict[str, Any] = {"np": np, "numba": numba, "kernel": kernel, **given}
    exec(compile(text, "a_game.py", "exec"), scope)
    return scope["f"]


class Point(NamedTuple):
    table: Any
    number: int


def color(value: int) -> type[IntEnum]:
    return cast(Any, IntEnum("Color", {"RED": value, "BLUE": 9}))


def suit(value: Any) -> type[Enum]:
    return cast(Any, Enum("Suit", {"HEARTS": value}))


def table(value: int) -> Any:
    return np.array([value, 2, 3])


def module(**values: Any) -> types.ModuleType:
    made = types.ModuleType("constants")
    vars(made).update(values)
    return made


def njit(value: int) -> Any:
    return _numba.njit(defined("def f(x): return x + K", K=value))


def jitable(value: int) -> Any:
    return _numba.extending.register_jitable(defined("def f(x): return x + K", K=value))


def closure(value: int) -> Any:
    def inner(x: int) -> int:
        return x + value

    return kernel(inner)


def overloaded(value: int) -> Any:
    function = types.FunctionType((lambda x: x).__code__, {}, "function")

    @_numba.extending.overload(function)
    def implemented(x: Any) -> Any:
        return lambda x: x + value

    return function


def intrinsic(value: int) -> Any:
    def made(context: Any, x: Any) -> Any:
        return x(x), lambda *given: value

    return _numba.extending.intrinsic(made)


def fields(names: str) -> Any:
    return namedtuple("Fields", names.split())


READS_K = "def f(x): return x + K"

#: What a kernel says, and how its global ``K`` is made from a number.
KINDS: dict[str, tuple[str, Callable[[int], Any]]] = {
    "a number": (READS_K, int),
    "a number of another type": (READS_K, lambda value: float(value) if value > 1 else value),
    "a number of NumPy's": (READS_K, np.float32),
    "a text": (READS_K, str),
    "an array": ("def f(x): return K[x]", table),
    "a layout": ("def f(x): return K[x]", lambda value: np.arange(6)[:: 1 + (value > 1)][:3]),
    "a tuple": (READS_K, lambda value: (value, 3)),
    "a table in a tuple": ("def f(x): return K[0][x]", lambda value: (table(value), 3)),
    "a table in a named tuple": ("def f(x): return K.table[x]", lambda v: Point(table(v), 3)),
    "a table deep in tuples": (
        "def f(x): return K[0][0].table[x]",
        lambda v: ((Point(table(v), 3),),),
    ),
    "order of fields": (
        "def f(x): return K(x, 2).first",
        lambda value: fields("first second" if value > 1 else "second first"),
    ),
    "a member of an enum": ("def f(x): return K.RED + x", color),
    "a member by itself": ("def f(x): return K + x", lambda value: color(value)["RED"]),
    "an enum of tables": ("def f(x): return K.HEARTS", lambda value: suit((value, 2))),
    "a helper compiled by numba": ("def f(x): return K(x)", njit),
    "a helper that numba may compile": ("def f(x): return K(x)", jitable),
    "a helper in a tuple": ("def f(x): return K[0](x)", lambda value: (njit(value),)),
    "a helper of a helper": (
        "def f(x): return K(x)",
        lambda value: _numba.njit(defined("def f(x): return g(x)", g=njit(value))),
    ),
    "what stands for a function": ("def f(x): return K(x)", overloaded),
    "what writes the code": ("def f(x): return K(x)", intrinsic),
    "a value around a helper": ("def f(x): return K(x)", closure),
    "a default of a helper": (
        "def f(x): return K(x)",
        lambda value: kernel(defined("def f(x, y=K): return x + y", K=value)),
    ),
    "a default by name": (
        "def f(x): return K(x)",
        lambda value: kernel(defined("def f(x, *, y=K): return x + y", K=value)),
    ),
    "only in a comprehension": ("def f(x): return [K * i for i in range(x)][0]", int),
    "only in an inner function": ("def f(x):\n  def g(y): return K * y\n  return g(x)", int),
    "deep in inner functions": ("def f(x):\n  return (lambda y: [K * i for i in y])(x)", int),
    "an attribute of a module": ("def f(x): return K.X + x", lambda value: module(X=value)),
    "a table of a module": ("def f(x): return K.X[x]", lambda value: module(X=table(value))),
    "an attribute of a module in a module": (
        "def f(x): return K.inner.X + x",
        lambda value: module(inner=module(X=value)),
    ),
    "a helper of a module": ("def f(x): return K.help(x)", lambda v: module(help=njit(v))),
    "a type of numbers": ("def f(x): return K(x)", lambda v: np.int64 if v > 1 else np.int32),
    "a type of numba's": (
        "def f(x): return K(x)",
        lambda v: _numba.int64 if v > 1 else _numba.int8,
    ),
    "a type of records": (
        "def f(x): return np.zeros(x, K)",
        lambda value: np.dtype([("first" if value > 1 else "second", np.int32)]),
    ),
    "an index of records": ("def f(x): return K", lambda v: np.array([(v, 2)], dtype="i4, i4")[0]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_that_changes_changes_the_key_and_the_same_one_does_not(kind: str) -> None:
    text, made = KINDS[kind]
    first, same, other = (keys(defined(text, K=made(value))) for value in (1, 1, 2))
    assert first == same
    assert first != other


def test_the_code_of_a_helper_changes_the_key() -> None:
    texts = ("def f(x): return x + 1", "def f(x): return x + 2", "def f(x): return x - 1")
    found = [keys(defined("def f(x): return g(x)", g=_numba.njit(defined(each)))) for each in texts]
    assert len({tuple(each) for each in found}) == 3


def test_what_a_kernel_does_not_read_is_not_in_its_key() -> None:
    # `other` is an attribute here, and the global of that name something else.
    text = "def f(x): return x.other + K.X"
    first, same = (
        keys(defined(text, K=module(X=1, other=value, x=value), other={value: value}))
        for value in (1, 2)
    )
    assert first == same


class Table:
    """A class of somebody's own."""

    X = 1


@pytest.mark.parametrize(
    "value",
    [{1: 2}, [1, 2], {1}, Table, Table(), functools.partial(max, 1), np.array([{}]), module(X=1)],
    ids=lambda value: type(value).__name__,
)
def test_what_nobody_can_follow_has_no_key(value: Any) -> None:
    with pytest.raises(Untraceable, match="K"):
        keys(defined(READS_K, K=value))
    with pytest.raises(Untraceable, match="K"):
        keys(defined("def f(x): return g(x)", g=_numba.njit(defined(READS_K, K=(1, value)))))


def test_a_class_that_numba_compiles_has_no_key() -> None:
    compiled = _numba.experimental.jitclass([("x", _numba.int64)])(
        type("Counter", (), {"__init__": defined("def f(self): self.x = 1")})
    )
    with pytest.raises(Untraceable, match="Counter"):
        text_of(compiled.class_type.instance_type)
    with pytest.raises(Untraceable, match="K"):
        keys(defined("def f(x): return K()", K=compiled))


def test_a_method_that_somebody_gave_to_arrays_is_in_the_key_of_who_names_it() -> None:
    names = "def f(x): return x.sleuth_test_twice()"
    before, other = keys(defined(names)), keys(defined(READS_K, K=1))

    @_numba.extending.overload_method(_numba.types.Array, "sleuth_test_twice")
    def twice(array: Any) -> Any:
        return lambda array: 2 * array

    assert keys(defined(names)) != before
    assert keys(defined(READS_K, K=1)) == other


@pytest.mark.parametrize("count", [1, 2])
def test_a_type_says_what_its_classes_are(count: int) -> None:
    """numba names a named tuple by the types of its fields, and an enum by its name."""
    given = (1,) * count
    forth, back = (fields(names)(1, 2) for names in ("first second", "second first"))
    for one, other in ((forth, back), (color(1)["RED"], color(2)["RED"])):
        first, second = _numba.typeof(one), _numba.typeof(other)
        assert str(first) == str(second)
        assert text_of(first) != text_of(second)
        inside = [_numba.typeof((*given, each)) for each in (one, other)]
        assert text_of(inside[0]) != text_of(inside[1])


def test_a_function_as_an_argument_says_what_its_types_are() -> None:
    class Corner(NamedTuple):
        left: int
        top: int

    kind = _numba.typeof(Corner(1, 2))
    assert text_of(kind) in text_of(_numba.types.FunctionType(_numba.int64(kind)))


STEP = 1


@kernel
def stepped(x: int) -> int:
    return x + STEP


@kernel
def stepped_twice(x: int) -> int:
    return stepped(stepped(x))


def test_code_in_memory_with_an_earlier_value_keeps_who_calls_it_from_the_disk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller, signature = cast(Any, stepped_twice), _numba.int64(_numba.int64)
    cast(Any, stepped).compile(signature)
    path = caller._cache.path_of(signature, caller.targetctx)
    assert path is not None
    monkeypatch.setitem(globals(), "STEP", 2)
    assert caller._cache.path_of(signature, caller.targetctx) is None
    monkeypatch.undo()
    assert caller._cache.path_of(signature, caller.targetctx) == path


def loaded(code: types.CodeType) -> Iterator[str]:
    """The globals that a code reads, as Python itself takes the code apart."""
    for each in dis.get_instructions(code):
        if each.opname == "LOAD_GLOBAL":
            yield each.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from loaded(constant)


@pytest.mark.parametrize("function", [keys, Traced.function, Traced.value, text_of, os.walk])
def test_a_code_reads_the_globals_that_python_says_it_reads(function: Any) -> None:
    code = getattr(function, "__wrapped__", function).__code__
    assert {path[0] for path in _paths(code)} == set(loaded(code))


def test_attributes_are_read_in_their_order() -> None:
    text = "def f(x): return a.b.c(x) + a.d + [e.f for _ in x] + g().h"
    assert _paths(defined(text).__code__) == (("a", "b", "c"), ("a", "d"), ("e", "f"), ("g",))


def test_a_long_code_is_read_like_a_short_one() -> None:
    names = [f"name_{number}" for number in range(600)]
    text = "def f(x): return (" + ", ".join(f"{name}.part" for name in names) + ")"
    assert _paths(defined(text).__code__) == tuple((name, "part") for name in sorted(names))
