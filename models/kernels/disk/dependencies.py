"""Dependencies of a kernel's machine code: every value that it can see, however far away.

numba freezes into a kernel's code whatever it names outside of itself: numbers, tables, members of
enums, other functions and all that those name. Each of these values is told by a digest of what it
holds, never by its name or its file alone. Where a value cannot be told like that, because numba
or the kernel could find in it what nobody can foresee, there is no digest: see `Untraceable`.
"""

from __future__ import annotations

import builtins
import enum
import functools
import hashlib
import opcode
import sys
import types
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

#: Libraries whose versions stand for all that is in them.
LIBRARIES: Final = frozenset(sys.stdlib_module_names) | {"llvmlite", "numba", "numpy"}

#: Types of which a text says all of a value. No subclass of them: it may hold more.
_TEXTS: Final = (bool, int, float, complex, str, bytes, type(None), type(...), range, slice)

_EXTENDED: Final = opcode.opmap["EXTENDED_ARG"]
_PASSED_OVER: Final = opcode.opmap["CACHE"]
_GLOBAL: Final = opcode.opmap["LOAD_GLOBAL"]
#: How an attribute is read, and by how many bits its number is shifted.
_ATTRIBUTE: Final = {
    opcode.opmap[name]: shift
    for name, shift in (("LOAD_ATTR", int(sys.version_info >= (3, 12))), ("LOAD_METHOD", 0))
    if name in opcode.opmap
}

# numba has no types of its own, and what others taught it is not public.
_types: Any = import_module("numba.core.types")
_templates: Any = import_module("numba.core.typing.templates")
_registry: Any = _templates.builtin_registry
_intrinsic: Any = import_module("numba.core.extending")._Intrinsic
_context: Any = import_module("numba.core.withcontexts").WithContext
_dispatcher: Any = import_module("numba.core.dispatcher").Dispatcher


class Untraceable(Exception):
    """A kernel names something of which nobody can tell all that its code depends on."""


class Traced:
    """A digest of values, and the functions that are found among them.

    Attributes:
        called: Functions and kernels whose own code and values are not in the digest.
    """

    def __init__(self) -> None:
        self.called: list[Any] = []
        self._texts: list[str | bytes] = []

    def digest(self) -> bytes:
        """Of all that was added."""
        # Of other texts, or texts that are divided in another way, this is another text.
        return hashlib.sha256(repr(self._texts).encode()).digest()

    def text(self, *texts: str | bytes) -> None:
        """Adds texts."""
        self._texts += texts

    def function(self, function: Any) -> None:
        """Adds a function's code, its defaults, and all that it names outside of itself.

        Raises:
            Untraceable: One of these cannot be told by what it holds.
        """
        if not isinstance(function, types.FunctionType):  # what taught numba a method, say
            raise Untraceable(f"{function!r}, which numba compiles in a way of its own")
        code = function.__code__
        self.text("function", _digest_of(code))
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).items()):
            self.value(default, f"a default of {function.__qualname__}")
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self.text(name)
            self.value(cell.cell_contents if cell != types.CellType() else None, name)
        for path in _paths(code):
            self._path(path, function.__globals__)
        for name, method in _methods(len(_registry.attributes)):
            if name in _names(code):
                self.text("method", name)
                self.called.append(method)

    def _path(self, path: tuple[str, ...], scope: dict[str, Any]) -> None:
        """Adds what is read by such names, one in the other."""
        self.text(*path)
        name, *rest = path
        if name in scope:
            value = scope[name]
        elif hasattr(builtins, name):
            value = getattr(builtins, name)
        else:
            self.text("missing")  # numba says so
            return
        while isinstance(value, types.ModuleType) and rest:
            name = f"{name}.{rest[0]}"
            value = getattr(value, rest.pop(0), None)
        self.value(value, name)

    def value(self, value: Any, name: str) -> None:
        """Adds a value.

        Args:
            value: The value.
            name: What a kernel calls it.

        Raises:
            Untraceable: It cannot be told by what it holds.
        """
        kind = cast(Any, type(value))
        if kind in _TEXTS:
            self.text(kind.__name__, repr(value))
        elif isinstance(value, np.ndarray | np.generic):
            self._array(cast(Any, value), name)
        elif isinstance(value, np.dtype):
            self.text("dtype", repr(cast(Any, value)))
        elif isinstance(value, enum.Enum):
            self.text("member", value.name)
            self._class(kind, name)
        elif isinstance(value, tuple):
            self._tuple(cast(tuple[Any, ...], value), name)
        elif isinstance(value, type):
            self._class(cast(Any, value), name)
        elif isinstance(value, types.ModuleType):
            if not _is_library(value.__name__):
                raise Untraceable(f"{name}, a module whose contents are read by another name")
            self.text("module", value.__name__)
        elif isinstance(value, _types.Type):
            self.text("type", text_of(value))
        else:
            self._callable(value, name)

    def _array(self, value: NDArray[Any], name: str) -> None:
        if value.dtype.hasobject:
            raise Untraceable(f"{name}, which holds objects of Python")
        flags = value.flags
        layout = (flags.c_contiguous, flags.f_contiguous, flags.aligned)
        self.text(_name_of(cast(Any, type(value))), repr(value.dtype), repr((value.shape, layout)))
        self.text(hashlib.sha256(value.tobytes()).digest())

    def _tuple(self, value: tuple[Any, ...], name: str) -> None:
        self._class(type(value), name)
        self.text(str(len(value)))
        for item in value:
            self.value(item, name)

    def _class(self, value: Any, name: str) -> None:
        """Adds a class: a member of an enum and a field of a tuple are numbers in the code."""
        self.text("class", _name_of(value))
        if issubclass(value, enum.Enum):
            for member, content in value.__members__.items():
                self.text(member)
                self.value(content.value, f"{name}.{member}")
        elif issubclass(value, tuple):
            named = cast(Any, value)
            self.text(*getattr(named, "_fields", ()))
            for default in getattr(named, "_field_defaults", {}).items():
                self.value(default, name)
        elif not (_is_library(value.__module__) or issubclass(value, BaseException)):
            raise Untraceable(f"{name}, a class")
        self._extensions(value, name)

    def _callable(self, value: Any, name: str) -> None:
        function = getattr(value, "_defn" if isinstance(value, _intrinsic) else "py_func", value)
        if _is_of_library(function):
            self.text("library", _module_of(function), function.__name__)
        elif isinstance(value, _context):
            self.text("context", _name_of(cast(Any, type(value))))
        elif isinstance(value, _intrinsic):
            self.text("intrinsic", repr(value._ctor_kwargs))
            self.called.append(function)
        elif isinstance(value, _dispatcher | types.FunctionType):
            self.text("function")
            self.called.append(value)
        else:
            raise Untraceable(f"{name}, a value of the type {type(value).__name__}")
        self._extensions(value, name)

    def _extensions(self, value: Any, name: str) -> None:
        """Adds what numba was told to compile in the place of a function or a class."""
        for template in _extensions_of(len(_registry.globals)).get(id(value), ()):
            function = getattr(template, "_overload_func", None)
            if function is None:
                raise Untraceable(f"{name}, which numba compiles in a way of its own")
            self.text(repr((template._jit_options, str(template._inline))))
            self.called.append(function)


def options_of(dispatcher: Any) -> str:
    """The options of a kernel that numba's own decorator compiles.

    Raises:
        Untraceable: Nobody can tell.
    """
    text = repr((sorted(dispatcher.targetoptions.items()), sorted(dispatcher.locals.items())))
    if " at 0x" in text:  # a function, say, as what decides whether it is inlined
        raise Untraceable(f"{dispatcher.py_func.__qualname__} with {text}")
    return text


@functools.lru_cache(maxsize=4096)
def text_of(kind: Any) -> str:
    """A text that says all of a type of numba's, with the classes that it stands for.

    Raises:
        Untraceable: There is more to it than can be told.
    """
    name = str(kind)
    if " at 0x" in name:  # of a kernel that is handed over: another one in every process
        raise Untraceable
    if isinstance(kind, _types.ClassType | _types.ClassInstanceType):
        raise Untraceable(f"an argument of the type {name}")
    if not type(kind).__module__.startswith(("numba.", __name__.partition(".kernels.")[0])):
        raise Untraceable(f"an argument of the type {name}, which extends numba")
    parts = [name]
    values = list(cast("dict[str, Any]", vars(kind)).values())
    for value in values:
        if isinstance(value, _types.Type):
            parts.append(text_of(value))
        elif isinstance(value, _templates.Signature):
            values += [*value.args, value.return_type]
        elif isinstance(value, tuple | list):
            values += cast("Iterable[Any]", value)
        elif isinstance(value, dict):
            values += cast("dict[str, Any]", value).values()
        elif isinstance(value, type) and not _is_library(value.__module__):
            parts.append(_text_of_value(value, value.__name__))
    if isinstance(kind, _types.Omitted):
        parts.append(_text_of_value(kind.value, name))
    return "\0".join(parts)


def _text_of_value(value: Any, name: str) -> str:
    traced = Traced()
    traced.value(value, name)
    return traced.digest().hex()


def _is_library(module: str) -> bool:
    return module.partition(".")[0] in LIBRARIES


def _is_of_library(value: Any) -> bool:
    """True if it is a function of a library, and nothing that somebody made by means of it."""
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType | type(np.sum)):
        return _is_library(value.__module__ or "")
    if not isinstance(value, _dispatcher | _intrinsic | _context):
        # Its class says no more than that it is NumPy's.
        name = getattr(value, "__name__", "")
        return any(getattr(module, name, None) is value for module in (np, np.random) if name)
    return False


def _name_of(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


@functools.lru_cache(maxsize=1)
def _extensions_of(count: int) -> dict[int, list[Any]]:
    """Extensions of numba that others made for functions and classes, by the addresses of these.

    Args:
        count: Of all that numba has been taught by now.
    """
    found: dict[int, list[Any]] = {}
    for value, kind in _registry.globals[:count]:
        for template in getattr(kind, "templates", ()):
            known = isinstance(value, _intrinsic) or _is_library(_module_of(value))
            if not known or not _is_library(_module_of(_taught(template))):
                found.setdefault(id(value), []).append(template)
    return found


@functools.lru_cache(maxsize=1)
def _methods(count: int) -> list[tuple[str, Any]]:
    """The methods and attributes that others have given to numba's types, with their functions."""
    templates = _registry.attributes[:count]
    foreign = [each for each in templates if not _is_library(_module_of(_taught(each)))]
    return [(getattr(each, "_attr", ""), _taught(each)) for each in foreign]


def _taught(template: Any) -> Any:
    """The code numba was told to compile; where it was told in another way, what says how."""
    return getattr(template, "_overload_func", template)


def _module_of(value: Any) -> str:
    return getattr(value, "__module__", None) or ""


@functools.lru_cache(maxsize=4096)
def _digest_of(code: types.CodeType) -> bytes:
    """A digest of all of a code that numba looks at."""
    traced = Traced()
    traced.text(code.co_name, code.co_code, code.co_exceptiontable)
    for names in (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars):
        traced.text(repr(names))
    traced.text(repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)))
    traced.text(repr((code.co_flags, code.co_firstlineno)))
    for constant in code.co_consts:
        traced.text(_constant(constant))
    return traced.digest()


def _constant(value: object) -> bytes:
    """A constant in a code: the only ones that are no plain values are codes and sets."""
    if isinstance(value, types.CodeType):
        return _digest_of(value)
    if isinstance(value, tuple):
        return repr([_constant(item) for item in cast("tuple[object, ...]", value)]).encode()
    if isinstance(value, frozenset):
        items = sorted(map(_constant, cast("frozenset[object]", value)))
        return repr(("set", items)).encode()
    return repr((type(value), value)).encode()


@functools.lru_cache(maxsize=4096)
def _paths(code: types.CodeType) -> tuple[tuple[str, ...], ...]:
    """The globals that a code reads, each with the attributes that it reads of them at once.

    Those of comprehensions and inner functions, too.
    """
    found: set[tuple[str, ...]] = set()
    path: tuple[str, ...] = ()
    for operation, argument in _operations(code):
        if path and operation in _ATTRIBUTE:
            path = (*path, code.co_names[argument >> _ATTRIBUTE[operation]])
            continue
        if path:
            found.add(path)
        path = (code.co_names[argument >> 1],) if operation == _GLOBAL else ()
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found.update(_paths(constant))
    return tuple(sorted(found))


def _operations(code: types.CodeType) -> Iterator[tuple[int, int]]:
    """The interpreter's operations, with an argument each; `dis` takes forty times as long."""
    extended = 0
    text = code.co_code
    for operation, argument in zip(text[::2], text[1::2], strict=True):
        if operation == _EXTENDED:
            extended = (extended | argument) << 8
        elif operation != _PASSED_OVER:
            yield operation, extended | argument
            extended = 0


@functools.lru_cache(maxsize=4096)
def _names(code: types.CodeType) -> frozenset[str]:
    """All names in a code, those of attributes too."""
    inner = [_names(each) for each in code.co_consts if isinstance(each, types.CodeType)]
    return frozenset(code.co_names).union(*inner)
