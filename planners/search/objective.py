"""The objective of a search: expected value plus weighted expected information gain."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ...data.checks import is_number, number_within, whole_number
from ...data.errors import SettingsError
from ...models.game import States
from ...models.play import MoveEvent
from .determinization import Rows

#: Own decisions to which gains can be estimated; no game takes more.
MOST_DEPTH = 1_000_000
#: About so many rows a posterior is asked at a time, where simulations are counted.
ASKED_AT_ONCE = 2
#: More are never asked about: a row is there for each simulation and decision.
MOST_ROWS_ASKED = 4_096


@dataclass(frozen=True, kw_only=True)
class Prospect:
    """The posterior's answer on one thing that the player may come to know.

    Attributes:
        entropy: How much would be open of what the objective is about, in bits.
        gains: Action code -> expected gain in bits, of all actions that are questions there; None
            where only the entropy was asked.
        all_gains: Whether no other action tells anything there.
    """

    entropy: float
    gains: Mapping[int, float] | None = None
    all_gains: bool = True


class Ask(Protocol):
    """Asks a posterior what it would say later."""

    def __call__(
        self, states: States, moves: Sequence[MoveEvent], *, gains: bool
    ) -> Prospect | None:
        """The posterior's answer; None where it cannot be asked.

        Args:
            states: A state in which the player knows something.
            moves: What they saw since the search began.
            gains: Whether gains of questions are wanted, too.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class Objective:
    """Expected return, and how much a bit of information about something hidden is worth.

    What is maximised is the return plus ``gain_weight`` times what the player learns in their next
    ``depth`` decisions: the drop of the entropy, which is the sum of the gains of single actions.
    Gains are exact where the posterior was asked, and else estimated from the states that pass (see
    `kernels.gains`).

    Attributes:
        gain_weight: What one bit is worth, in the game's own units; 0 for value alone.
        classes: (rows of hidden values) -> int32[n], the number of the value that the variable
            asked about has in each, from 0. For several variables, whose entropies are added up,
            int32[n, variables]: the values of each follow on those of the one before. None:
            nothing is estimated from states.
        class_names: What the values are called, in the order of their numbers.
        exact: Action code -> expected gain in bits, from the posterior, at the root.
        entropy: How much is open at the root, in bits, from the posterior; NaN if it was not asked.
        ask: Asks the posterior below the root; None to estimate only.
        share: Part of the time that asking may take, of a budget in seconds.
        rows: With a budget of simulations, about how much that the player may come to know the
            posterior is asked after every 64 of them.
        depth: In how many of the player's own decisions, counting the first, they learn.
        discount: Factor on what is learned one decision later.
        telling: Codes of the actions whose information counts; None for all.

    Raises:
        SettingsError: A part is of the wrong kind or out of range, or information has a weight
            and nothing says what about.

    >>> import sleuth
    >>> curious = sleuth.Objective(gain_weight=0.5, exact={0: 0.9, 1: 0.0})
    >>> curious.follows  # what is learned later does not count
    False
    """

    gain_weight: float = 0.0
    classes: Callable[[Rows], NDArray[np.int32]] | None = None
    class_names: tuple[str, ...] = ()
    exact: Mapping[int, float] = field(default_factory=dict[int, float])
    entropy: float = math.nan
    ask: Ask | None = None
    share: float = 0.25
    rows: int = ASKED_AT_ONCE
    depth: int = 2
    discount: float = 1.0
    telling: Collection[int] | None = None

    def __post_init__(self) -> None:
        check_gain(self.gain_weight, self.depth, where="objective")
        for name, hint in (
            ("classes", "write classes=lambda rows: rows[:, 0].astype(np.int32)"),
            ("ask", "write ask=Asked(belief, view, seen, names)"),
        ):
            given = getattr(self, name)
            if given is not None and not callable(given):
                raise SettingsError(
                    f"{name} must be a function", where="objective", value=given, hint=hint
                )
        number_within(self.share, "share", most=1.0, where="objective")
        whole_number(self.rows, "rows", least=1, most=MOST_ROWS_ASKED)
        number_within(self.discount, "discount", most=1.0, where="objective")
        if isinstance(self.class_names, str):
            raise SettingsError(
                "class_names must be several names",
                where="objective",
                value=self.class_names,
                hint=f"write class_names=({self.class_names!r},)",
            )
        _check_exact(self.exact)
        if self.gain_weight > 0 and self.classes is None and self.ask is None and not self.exact:
            raise SettingsError(
                "information gain has a weight, but nothing says what about",
                where="objective",
                hint="give classes=, exact=, ask= or several of them",
            )

    @property
    def follows(self) -> bool:
        """True if what the player learns is followed below the root."""
        return self.classes is not None or self.ask is not None


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
