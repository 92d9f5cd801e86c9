"""How long a search may go on: simulations, seconds and nodes together, and who may stop it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from ...data.checks import is_number
from ...data.errors import SettingsError

#: Nodes of one tree when nothing else is said; about 60 bytes each, and 32 for an edge.
MOST_NODES: Final = 1_000_000

#: Of simulations and of nodes: a tree's counts and places are 32 bits wide.
MOST: Final = 2**31 - 2


@dataclass(frozen=True, kw_only=True)
class Budget:
    """When a search ends: as soon as any limit is reached.

    Attributes:
        simulations: Most simulations, over all workers and trees, at most 2**31 - 2; None for no
            limit. A whole number may be written as a float, such as 1e4.
        seconds: Most wall-clock seconds, without compiling; None for no limit.
        nodes: Most nodes of a tree, at most 2**31 - 2. When they are used up the search goes on
            without new ones, and its decision says so.

    Raises:
        SettingsError: If neither simulations nor seconds are limited, or a limit makes no sense.
    """

    simulations: int | None = None
    seconds: float | None = None
    nodes: int = MOST_NODES

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise SettingsError(
                "a search needs a limit",
                hint="write Budget(simulations=10_000) or Budget(seconds=1)",
            )
        if self.simulations is not None:
            object.__setattr__(self, "simulations", _count("simulations", self.simulations, 10_000))
        object.__setattr__(self, "nodes", _count("nodes", self.nodes, MOST_NODES))
        if self.seconds is None:
            return
        if not is_number(self.seconds) or not 0 < self.seconds < math.inf:
            raise SettingsError(
                "seconds must be a positive number",
                value=self.seconds,
                where="budget",
                hint="write Budget(seconds=0.5)",
            )


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
