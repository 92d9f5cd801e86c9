"""What a search maximises: expected value plus weighted expected information gain."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ...data.checks import is_number, whole_number
from ...data.errors import SettingsError
from .determinization import Rows

#: Own decisions to which gains can be estimated; no game takes more.
MOST_DEPTH = 1_000_000


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

    Raises:
        SettingsError: A part is of the wrong kind or out of range, or information has a weight
            and nothing says what about.
    """

    gain_weight: float = 0.0
    classes: Callable[[Rows], NDArray[np.int32]] | None = None
    class_names: tuple[str, ...] = ()
    exact: Mapping[int, float] = field(default_factory=dict[int, float])
    depth: int = 2

    def __post_init__(self) -> None:
        check_gain(self.gain_weight, self.depth, where="objective")
        if self.classes is not None and not callable(self.classes):
            raise SettingsError(
                "classes must be a function",
                where="objective",
                value=self.classes,
                hint="write classes=lambda rows: rows[:, 0].astype(np.int32)",
            )
        if isinstance(self.class_names, str):
            raise SettingsError(
                "class_names must be several names",
                where="objective",
                value=self.class_names,
                hint=f"write class_names=({self.class_names!r},)",
            )
        _check_exact(self.exact)
        if self.gain_weight > 0 and self.classes is None and not self.exact:
            raise SettingsError(
                "information gain has a weight, but nothing says what about",
                where="objective",
                hint="give classes=, exact= or both",
            )


def check_gain(gain_weight: object, depth: object, *, where: str) -> None:
    """Check what information is worth, and to how many own decisions.

    Raises:
        SettingsError: The weight is no number of at least 0, or the depth no whole number of at
            least 1.
    """
    if not is_number(gain_weight) or not 0 <= cast(float, gain_weight) < math.inf:
        raise SettingsError(
            "gain_weight must be a number >= 0",
            where=where,
            value=gain_weight,
            hint="write gain_weight=0.5, in the game's own units for one bit",
        )
    try:
        whole_number(depth, "depth", least=1, most=MOST_DEPTH)
    except SettingsError as error:
        raise SettingsError(
            error.message, where=where, value=error.value, hint=error.hint
        ) from None


def _check_exact(exact: object) -> None:
    hint = "write exact={action: bits, ...}"
    if not isinstance(exact, Mapping):
        raise SettingsError(
            "exact must map actions to bits", where="objective", value=exact, hint=hint
        )
    for action, bits in cast(Mapping[object, object], exact).items():
        if not hasattr(action, "__index__") or isinstance(action, bool):
            raise SettingsError(
                "an exact gain must be that of an action's code",
                where="objective",
                value=action,
                hint=hint,
            )
        if not is_number(bits) or math.isinf(cast(float, bits)):
            raise SettingsError(
                f"the exact gain of action {action} must be a number",
                where="objective",
                value=bits,
                hint=hint,
            )


VALUE: Objective = Objective()
"""Expected value alone."""
