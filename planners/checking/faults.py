"""The fate of a fault: the first one ends a check, or all are kept and the check goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


class Faults:
    """Parts of a check are attempted, and this says what becomes of the errors in them.

    Args:
        keep: Whether they are kept; else the first one is raised.

    Attributes:
        kept: The errors, in the order in which they were found.
    """

    def __init__(self, *, keep: bool = False) -> None:
        self.keep = keep
        self.kept: list[Exception] = []

    def attempt(self, part: Callable[..., Answer], *given: object) -> Answer | None:
        """The answer of a part of a check; None if it failed and its error was kept."""
        if not self.keep:
            return part(*given)
        try:
            return part(*given)
        except Exception as error:  # whatever the code of a game may raise
            self.kept.append(error)
            return None


#: Raises the first one.
RAISING = Faults()
