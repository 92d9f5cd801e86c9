"""Numba, if it is at hand. Without it every kernel is plain Python: the same answers, slowly."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, Final

#: Seconds of plain Python after which it is said what numba would gain.
LONG: Final = 10.0
#: Variable that says that a user has been told; processes that share the work inherit it.
TOLD: Final = "SLEUTH_WITHOUT_NUMBA_TOLD"


def _loaded() -> tuple[Any, str]:
    """numba, or None and why not."""
    try:
        return import_module("numba"), ""
    except ModuleNotFoundError as error:
        return None, f"{error.name} is not installed"
    except (ImportError, OSError) as error:  # it is made for another NumPy, or for another system
        return None, f"numba cannot be loaded ({error})"


_FOUND: Final = _loaded()
#: numba, which has no types of its own; None where it cannot be loaded.
NUMBA: Final[Any] = _FOUND[0]
#: Why it cannot; nothing where it can.
WHY_NOT: Final = _FOUND[1]

_seconds = 0.0


def took(seconds: float) -> None:
    """Says once what numba would gain, when plain Python has been busy for long."""
    global _seconds
    _seconds += seconds
    if _seconds > LONG:
        say_what_it_gains()


def say_what_it_gains() -> None:
    """Says once, on standard error, what numba would gain; nothing where it is at hand."""
    if NUMBA is None and not os.environ.get(TOLD):
        os.environ[TOLD] = "yes"
        print(
            f"{WHY_NOT}: all is computed by plain Python, with the same answers; with numba long "
            "searches and matches are hundreds of times as fast (pip install numba)",
            file=sys.stderr,
            flush=True,
        )
