"""The limits of a search: simulations, seconds and nodes together, and who may stop it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ...data.checks import is_number
from ...data.countdown import countdown
from ...data.errors import SettingsError

#: Nodes of one tree when nothing else is said; about 60 bytes each, and 32 for an edge.
MOST_NODES: Final = 1_000_000

#: Of simulations and of nodes: a tree's counts and places are 32 bits wide.
MOST: Final = 2**31 - 2


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The limits of a search: it ends as soon as any of them is reached.

    Attributes:
        simulations: Most simulations, over all workers and trees, at most 2**31 - 2; None for no
            limit. A whole number may be written as a float, such as 1e4.
        seconds: Most wall-clock seconds, without compiling; None for no limit.
        cpu_seconds: Most seconds of each worker's processor time, which other programs do not use
            up; None for no limit.
        nodes: Most nodes of a tree, at most 2**31 - 2. When they are used up the search goes on
            without new ones, and its decision says so.

    Raises:
        SettingsError: If neither simulations nor time are limited, or a limit makes no sense.

    >>> import time
    >>> import sleuth
    >>> budget = sleuth.Budget(simulations=1_000, seconds=60)
    >>> budget.most_seconds
    60
    >>> left = budget.clock(time.perf_counter())
    >>> 50 < left() <= 60
    True
    """

    simulations: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    nodes: int = MOST_NODES

    def __post_init__(self) -> None:
        if self.simulations is None and self.most_seconds is None:
            raise SettingsError(
                "a search needs a limit",
                hint="write Budget(simulations=10_000) or Budget(seconds=1)",
            )
        if self.simulations is not None:
            object.__setattr__(self, "simulations", _count("simulations", self.simulations, 10_000))
        object.__setattr__(self, "nodes", _count("nodes", self.nodes, MOST_NODES))
        for name in ("seconds", "cpu_seconds"):
            value = getattr(self, name)
            if value is not None and not (is_number(value) and 0 < value < math.inf):
                raise SettingsError(
                    f"{name} must be a positive number",
                    value=value,
                    where="budget",
                    hint=f"write Budget({name}=0.5)",
                )

    @property
    def most_seconds(self) -> float | None:
        """The least of its limits in time, whatever clock they are for; None without any."""
        return min((s for s in (self.seconds, self.cpu_seconds) if s is not None), default=None)

    def clock(self, start: float) -> Callable[[], float]:
        """The seconds that are left, for a worker who begins now; infinitely many without a limit.

        Args:
            start: When the search began, by `time.perf_counter`.
        """
        return countdown(self.seconds, self.cpu_seconds, start=start)


def _count(name: str, value: object, example: int) -> int:
    """A limit that counts something, if it is one."""
    place = {"where": "budget", "hint": f"write Budget({name}={example:_})"}
    number = float(value) if is_number(value) else math.nan  # pyright: ignore[reportArgumentType]
    if not number.is_integer():
        raise SettingsError(f"{name} must be a whole number", value=value, **place)
    if number < 1:
        raise SettingsError(f"{name} must be positive", value=value, **place)
    if number > MOST:
        raise SettingsError(f"{name} must be at most {MOST:,}", value=value, **place)
    return int(number)
