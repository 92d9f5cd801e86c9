"""Plain twins of kernels: the same code as Python, with all that it calls.

A twin is the kernel's code object with globals in which kernels are replaced by their twins.
Nothing else has to change, but for NumPy's logarithms and their like: of a single number NumPy
takes them in its own way, and compiled code as the C library does. Twins ask the C library, too.
"""

from __future__ import annotations

import builtins
import functools
import math
import types
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

#: NumPy's functions that may differ from the C library's in the last bit.
INEXACT: Final = (
    *("exp", "exp2", "expm1", "log", "log10", "log1p", "log2"),
    *("sin", "cos", "tan", "sinh", "cosh", "tanh", "cbrt"),
)


def throughout(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function a kernel was made from, in which kernels that it calls are plain too.

    The function itself, if nothing in it is compiled.
    """
    return _Plain().of(function)


def replaced(
    function: Callable[..., Any], instead: Mapping[Callable[..., Any], Callable[..., Any]]
) -> Callable[..., Any]:
    """A kernel as plain Python, in which other functions stand for some of those that it calls.

    Args:
        function: The kernel.
        instead: Kernels, and what is called instead of each.
    """
    return _Plain(instead).of(function)


@functools.cache
def twin(function: Any) -> Callable[..., Any]:
    """The same, made once in a process: of a kernel that stays as it is."""
    return _TWINS.of(function)


def _as_compiled(name: str) -> Callable[[Any], Any]:
    """NumPy's function of that name, which takes single numbers from the C library."""
    whole, single = getattr(np, name), getattr(math, name)

    def of(number: Any, *out: Any) -> Any:
        if out or getattr(number, "dtype", None) == np.float32:
            return whole(number, *out)
        if isinstance(number, np.ndarray):
            numbers = cast(NDArray[Any], number)
            return np.array([of(each) for each in numbers.flat]).reshape(numbers.shape)
        try:
            return np.float64(single(number))
        except (ValueError, OverflowError):  # infinities and what is no number
            return whole(number)

    return of


def _numpy() -> types.ModuleType:
    """NumPy, for twins."""
    module = types.ModuleType("numpy")
    vars(module).update(vars(np))
    for name in INEXACT:
        if hasattr(np, name) and hasattr(math, name):
            setattr(module, name, _as_compiled(name))
    return module


def called_by(function: Callable[..., Any]) -> Iterator[types.FunctionType]:
    """The Python functions of a kernel and of all kernels and functions that it names.

    The kernel's own comes first.
    """
    found: set[int] = set()
    waiting: list[Any] = [function]
    while waiting:
        each = _python(waiting.pop(0))
        if not isinstance(each, types.FunctionType) or id(each.__code__) in found:
            continue
        found.add(id(each.__code__))
        yield each
        waiting += [value for _, value in _named(each) if callable(value)]
        for module in [value for _, value in _named(each) if isinstance(value, types.ModuleType)]:
            for name in _names(each.__code__):
                if is_compiled(getattr(module, name, None)):
                    waiting.append(getattr(module, name))


def is_compiled(value: object) -> bool:
    """True if it is a kernel that numba compiles."""
    return hasattr(value, "py_func")


def _python(function: Any) -> Any:
    return getattr(function, "py_func", function)


def _names(code: types.CodeType) -> set[str]:
    """All names that a function uses, those of its inner functions too."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _names(constant)
    return found


def _named(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The globals and the enclosing variables that a function names, with what they are."""
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if cell != types.CellType():
            yield name, cell.cell_contents


#: Libraries that kernels use, and that have none.
_WITHOUT_KERNELS: Final = ("math", "numba", "numpy")


class _PlainModule:
    """A module whose kernels are plain Python."""

    def __init__(self, module: types.ModuleType, plain: _Plain) -> None:
        self._module = module
        self._plain = plain

    def __getattr__(self, name: str) -> Any:
        return self._plain.of(getattr(self._module, name))


class _Plain:
    """Makes plain functions, each once."""

    def __init__(self, instead: Mapping[Any, Any] = MappingProxyType({})) -> None:
        self._made: dict[int, Any] = {id(_python(each)): instead[each] for each in instead}
        self._instead = frozenset(self._made)
        self._holding: dict[str, bool] = dict.fromkeys(_WITHOUT_KERNELS, False)

    def of(self, value: Any) -> Any:
        """The value itself, or what stands for it in plain Python."""
        if value is np:
            return _NUMPY
        if isinstance(value, types.ModuleType):
            return _PlainModule(value, self) if self._holds_kernels(value) else value
        if not is_compiled(value) and not isinstance(value, types.FunctionType):
            return value
        function = _python(value)
        if not isinstance(function, types.FunctionType):
            return function
        if id(function) not in self._made:
            self._made[id(function)] = function
            if self._calls_compiled(function):
                self._copy(function)
        return self._made[id(function)]

    def _calls_compiled(self, function: types.FunctionType) -> bool:
        for _, value in _named(function):
            if is_compiled(value):
                return True
            if value is np and not _names(function.__code__).isdisjoint(INEXACT):
                return True
            if isinstance(value, types.ModuleType) and (
                self._holds_kernels(value) or self._gives_kernels(value, function)
            ):
                return True
            if isinstance(value, types.FunctionType) and self.of(value) is not value:
                return True
        return False

    def _holds_kernels(self, module: types.ModuleType) -> bool:
        """True if a kernel stands in a module, or in a part of it."""
        if module.__name__ not in self._holding:
            self._holding[module.__name__] = False
            inside = list(vars(module).values())
            parts = [each for each in inside if isinstance(each, types.ModuleType)]
            self._holding[module.__name__] = any(map(self._is_kernel, inside)) or any(
                self._holds_kernels(part)
                for part in parts
                if part.__name__.startswith(module.__name__ + ".")
            )
        return self._holding[module.__name__]

    def _gives_kernels(self, module: types.ModuleType, function: types.FunctionType) -> bool:
        """True if a function takes a kernel from a module that makes it when it is asked for."""
        name = module.__name__
        if name.partition(".")[0] not in _WITHOUT_KERNELS:
            taken = (getattr(module, each, None) for each in _names(function.__code__))
            self._holding[name] = any(map(self._is_kernel, taken))
        return self._holding[name]

    def _is_kernel(self, value: object) -> bool:
        return is_compiled(value) or id(_python(value)) in self._instead

    def _copy(self, function: types.FunctionType) -> None:
        cells = tuple(types.CellType() for _ in function.__closure__ or ())
        scope: dict[str, Any] = {**function.__globals__}
        scope.setdefault("__builtins__", builtins)
        copy = types.FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, cells or None
        )
        copy.__kwdefaults__ = function.__kwdefaults__
        self._made[id(function)] = copy  # before what it calls: it may call itself
        for name in _names(function.__code__):
            if name in scope:
                scope[name] = self.of(scope[name])
        for cell, before in zip(cells, function.__closure__ or (), strict=True):
            if before != types.CellType():
                cell.cell_contents = self.of(before.cell_contents)


_NUMPY: Final = _numpy()
_TWINS: Final = _Plain()
