"""What a search maximises: expected value plus weighted expected information gain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError
from .determinization import Rows


@dataclass(frozen=True, kw_only=True)
class Objective:
    """Expected value, and how much a bit of information about something hidden is worth.

    At the root the posterior's own exact gain is used when it is given. Below the root, and at
    the root without it, the gain is estimated from the states that pass (see `histograms`).

    Attributes:
        gain_weight: What one bit is worth, in the game's own units; 0 for value alone.
        classes: (rows of hidden values) -> int32[n], the number of the value that the variable
            asked about has in each, from 0. None: information is neither estimated nor reported.
        class_names: What the values are called, in the order of their numbers.
        exact: Action code -> expected gain in bits, from the posterior.
        depth: To how many of the player's own decisions, counting the first, gains are estimated.
    """

    gain_weight: float = 0.0
    classes: Callable[[Rows], NDArray[np.int32]] | None = None
    class_names: tuple[str, ...] = ()
    exact: Mapping[int, float] = field(default_factory=dict[int, float])
    depth: int = 2

    def __post_init__(self) -> None:
        if not np.isfinite(self.gain_weight) or self.gain_weight < 0:
            raise SettingsError(
                "gain_weight must be a number >= 0", value=self.gain_weight, where="objective"
            )
        if self.depth < 1:
            raise SettingsError("depth must be at least 1", value=self.depth, where="objective")
        if self.gain_weight > 0 and self.classes is None and not self.exact:
            raise SettingsError(
                "information gain has a weight, but nothing says what about",
                where="objective",
                hint="give classes=, exact= or both",
            )


VALUE: Objective = Objective()
"""Expected value alone."""
