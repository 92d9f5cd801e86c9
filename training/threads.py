"""Small fits with one thread of BLAS."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from typing import Any


def one_thread() -> AbstractContextManager[Any]:
    """One thread of BLAS, for hundreds of small products.

    Its threads would wait for each other there, and on a machine that has more to do take twenty
    times as long.
    """
    # Finds what is loaded by now.
    import_module("scipy.optimize")
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries() -> Any:
    """The libraries with threads of their own, which take some milliseconds to find."""
    return import_module("threadpoolctl").ThreadpoolController()
