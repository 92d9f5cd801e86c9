"""How long a search may go on: simulations, seconds and nodes together, and who may stop it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from ..data.errors import SettingsError

#: Nodes of one tree when nothing else is said; about 60 bytes each, and 32 for an edge.
MOST_NODES: Final = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Budget:
    """When a search ends: as soon as any limit is reached.

    Attributes:
        simulations: Most simulations, over all workers and trees; None for no limit.
        seconds: Most wall-clock seconds, without compiling; None for no limit.
        nodes: Most nodes of a tree. When they are used up the search goes on without new ones,
            and its decision says so.

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
        if self.simulations is not None and (
            isinstance(self.simulations, bool) or int(self.simulations) != self.simulations
        ):
            raise SettingsError("simulations must be a whole number", value=self.simulations)
        for name in ("simulations", "seconds", "nodes"):
            value = getattr(self, name)
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise SettingsError(f"{name} must be positive", value=value)
