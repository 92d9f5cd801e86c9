"""A kernel where numba is not at hand: its plain twin, called as the compiled kernel would be."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ..at_hand import took
from .plain_call import as_plain, as_returned
from .twins import twin


class Uncompiled:
    """A kernel that is never compiled, because numba is not there.

    Attributes:
        py_func: The Python function it was made from.
    """

    def __init__(self, function: Callable[..., Any], *, inner: bool = False) -> None:
        self.py_func = function
        self._inner = inner
        functools.update_wrapper(self, function)

    @cached_property
    def _twin(self) -> Callable[..., Any]:
        return twin(self)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if self._inner:
            raise TypeError(f"{self.py_func.__qualname__} is only there for other kernels")
        start = time.perf_counter()
        given = {name: as_plain(value) for name, value in named.items()}
        # What overflows, and divisions by zero, are as silent as in compiled code.
        with np.errstate(all="ignore"):
            answer = self._twin(*map(as_plain, arguments), **given)
        took(time.perf_counter() - start)
        return as_returned(answer)

    def __reduce__(self) -> str:
        return self.py_func.__qualname__

    def __repr__(self) -> str:
        return f"Uncompiled({self.py_func!r})"
