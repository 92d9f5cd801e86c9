"""Limits of a search to a certain depth, and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ...data.checks import is_number, number_within
from ...data.errors import SettingsError

#: More seconds, nodes or actions than this are no limit.
MOST_LIMIT: Final = 1e15


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of a search; without any, it goes to the end of the game.

    Attributes:
        depth: Most actions of a line, from 1.
        seconds: Most wall-clock seconds, without compiling.
        cpu_seconds: Most seconds of this thread's processor time, which other programs do not
            change.
        nodes: Most states looked at.

    Raises:
        SettingsError: If a limit makes no sense.

    >>> from sleuth.search import Limits
    >>> Limits(depth=3, seconds=0.5)
    Limits(depth=3, seconds=0.5, cpu_seconds=None, nodes=None)
    """

    depth: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "seconds", "cpu_seconds", "nodes"):
            value = getattr(self, name)
            if value is None:
                continue
            if not (is_number(value) and value > 0):
                raise SettingsError(f"{name} must be positive", value=value, where="limits")
            number_within(value, name, above=True, most=MOST_LIMIT, where="limits")
            if name in ("depth", "nodes") and not float(value).is_integer():
                raise SettingsError(f"{name} must be a whole number", value=value, where="limits")


@dataclass(frozen=True, kw_only=True)
class LookAhead:
    """The answer of a search to a certain depth: of the last depth that was finished.

    Attributes:
        action: The code of the chosen action.
        name: What the game calls it.
        value: What the player gets by it, in the game's own units.
        values: Action code -> value. Of all legal actions where worlds are averaged; else of the
            chosen one only, for a search that leaves out what cannot matter knows no other.
        depth: How many actions ahead it looked.
        solved: Whether no line was broken off, so that the value is that of the whole game.
        nodes: States looked at, over all depths.
        seconds: Wall-clock time it took.
        worlds: How many different states it began from.
        line: The principal line as action names; where worlds are averaged, that of the first
            state. At chance it goes on with the most likely action.
        interrupted: Whether it was stopped by Ctrl-C or from another thread.
    """

    action: int
    name: str
    value: float
    values: Mapping[int, float]
    depth: int
    solved: bool
    nodes: int
    seconds: float
    worlds: int
    line: tuple[str, ...]
    interrupted: bool
