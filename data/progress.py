"""The progress of long work: one kind of callable, told by everything that may take a while."""

from __future__ import annotations

from collections.abc import Callable

Tell = Callable[[str, int, int], None]
"""(what is being done, how many steps are done, how many there are: 0 where nobody knows)"""


def silent(what: str, done: int, total: int) -> None:
    """Told by those of whom nobody wants to hear."""
