"""A call of a kernel's plain twin, which gives way to the compiled kernel as soon as there is one.

Compiled code has the last word. Whatever plain Python cannot do as compiled code does (a number
that overflows, a division by zero) is taken back, and so is a call that still runs when the
compiled kernel has come: all arguments are again as they were.
"""

from __future__ import annotations

import ctypes
import functools
import operator
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .quick_records import quick_records
from .twins import is_compiled, twin


@dataclass(frozen=True, eq=False)
class Handle:
    """A compiled kernel of one signature, as it is handed to another: see `by_address`.

    Attributes:
        kernel: The kernel, which has to live as long as it may be called.
        address: Where its machine code is.
    """

    kernel: Any
    address: int


class NotPlain(Exception):
    """The call was taken back: its arguments are as they were before, and nothing is known."""


class _Overtaken(BaseException):
    """Raised in the middle of a plain call when the compiled kernel is there."""


class _Call:
    """A plain call that runs."""

    def __init__(self, ready: Callable[[], bool]) -> None:
        self.ready = ready
        self.thread = threading.get_ident()
        self.overtaken = False


_running: list[_Call] = []
_lock = threading.Lock()


def overtake() -> None:
    """Break off every plain call, of any thread, whose compiled kernel is there."""
    with _lock:
        for call in _running:
            if not call.overtaken and call.ready():
                call.overtaken = True
                _raise_in(call.thread, _Overtaken)


def plain_call(
    function: Any,
    arguments: tuple[Any, ...],
    ready: Callable[[], bool],
    *,
    last_word: bool = False,
) -> Any:
    """A kernel's answer, by plain Python.

    Args:
        function: The kernel.
        arguments: As it is handed them; kernels among them are replaced by their twins.
        ready: Whether the compiled kernel is there by now; asked from another thread.
        last_word: Whether there will be no compiled kernel to ask instead.

    Raises:
        NotPlain: Call the compiled kernel instead; what was the matter is its cause.
    """
    before, settings = [_copy(each) for each in arguments], np.geterr()
    call = _Call(ready)
    try:
        with _lock:
            _running.append(call)
        try:
            # What overflows would be another number in plain Python than in compiled code.
            over = "ignore" if last_word else "raise"
            with np.errstate(over=over, divide="ignore", invalid="ignore", under="ignore"):
                answer = as_returned(twin(function)(*map(as_plain, arguments)))
        finally:
            with _lock:
                _running.remove(call)
            if call.overtaken:  # but perhaps not told yet
                _raise_in(call.thread, None)
    except BaseException as error:
        # Broken off just there, the block above has not put them back.
        np.seterr(**cast(Any, settings))
        for each, copy in zip(arguments, before, strict=True):
            _restore(each, copy)
        if call.overtaken and isinstance(error, _Overtaken):
            raise NotPlain from None
        if isinstance(error, Exception):
            raise NotPlain from error
        raise
    return answer


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise something in a thread at its next step of Python; None takes it back."""
    what = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


def as_plain(value: Any) -> Any:
    """An argument as a twin takes it: states are quick to read, and kernels are twins."""
    if isinstance(value, np.recarray):
        states = cast(Any, value)
        if states.dtype.names is None:
            return states
        return states.view(quick_records(_fields_of(states.dtype)), np.ndarray)
    if isinstance(value, tuple):
        return _rebuilt(cast(tuple[Any, ...], value), as_plain)
    if isinstance(value, Handle):
        return twin(value.kernel)
    return twin(value) if is_compiled(value) else value


def as_returned(value: Any) -> Any:
    """An answer of plain Python as compiled code returns it: with Python's own numbers."""
    if isinstance(value, np.generic) and not isinstance(value, np.void):
        return cast(Any, value).item()
    if isinstance(value, tuple):
        return _rebuilt(cast(tuple[Any, ...], value), as_returned)
    return value


@functools.cache
def _fields_of(kind: np.dtype[Any]) -> np.dtype[Any]:
    """The fields of a type of records."""
    names, fields = kind.names or (), cast(Any, kind.fields)
    return np.dtype(
        {
            "names": names,
            "formats": [fields[name][0] for name in names],
            "offsets": [fields[name][1] for name in names],
            "itemsize": kind.itemsize,
        }
    )


def _rebuilt(value: tuple[Any, ...], made: Callable[[Any], Any]) -> tuple[Any, ...]:
    """A tuple, named or not, of what is made of its items; itself where that is the same."""
    items = [made(each) for each in value]
    if all(map(operator.is_, items, value)):
        return value
    return cast(Any, type(value))(*items) if hasattr(value, "_fields") else tuple(items)


def _copy(value: Any) -> Any:
    """The value an argument has to become again, where a kernel may change it."""
    if isinstance(value, np.ndarray):
        array = cast(NDArray[Any], value)
        return array.copy() if array.flags.writeable else None
    if isinstance(value, np.void):
        return value.copy()
    if isinstance(value, tuple):
        return [_copy(each) for each in cast(tuple[Any, ...], value)]
    return None


def _restore(value: Any, copy: Any) -> None:
    if copy is None:
        return
    if isinstance(value, tuple):
        for each, its in zip(cast(tuple[Any, ...], value), copy, strict=True):
            _restore(each, its)
    elif isinstance(value, np.void):
        for name in value.dtype.names or ():
            value[name] = copy[name]
    else:
        value[...] = copy
