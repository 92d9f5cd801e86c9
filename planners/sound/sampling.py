"""Ways to sample a game from its deal, and their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ...data.checks import known_name, number_within
from ..search.kernels.selection import USUAL_MIXING, Mixing, uct
from ..search.kernels.smooth_uct import smooth_uct
from .kernels.bandits import bandits
from .kernels.external import external
from .kernels.outcome import outcome

#: The kernel of each method, and the selection of those that choose as bandits.
METHODS: Final[dict[str, tuple[Any, Any]]] = {
    "external": (external, uct),
    "outcome": (outcome, uct),
    "smooth": (bandits, smooth_uct),
    "uct": (bandits, uct),
}
INFORMATION: Final = ("players", "key")
#: Powers of an iteration's number beyond this would hide all but the last iterations.
_MOST_POWER: Final = 8.0

_PLAIN: Final = {"exploration": 0.0, "regret_power": 0.0, "average_power": 0.0, "baseline": 0.0}
#: The numbers that did best in the small games.
_USUAL: Final[dict[str, dict[str, float]]] = {
    "external": _PLAIN,
    "outcome": {
        "exploration": 0.6,
        "regret_power": 1.0,
        "average_power": 1.0,
        "baseline": 0.1,
    },
    "smooth": _PLAIN | {"exploration": 0.5},
    "uct": _PLAIN | {"exploration": 1.0},
}


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """The numbers of a method.

    Attributes:
        method: ``"external"`` (external-sampling MCCFR: all actions of the player that improves),
            ``"outcome"`` (outcome-sampling MCCFR: one line), ``"smooth"`` (Smooth UCT), ``"uct"``.
        exploration: Outcome sampling: in what share of their decisions the player that improves
            takes any action, each equally likely. UCT and Smooth UCT: the weight C of what has been
            tried little, for returns scaled to [0, 1]. None stands for the value that did best in
            the small games, here and in the next three numbers.
        regret_power: An iteration t counts t**power in the regrets; 1 is linear.
        average_power: The same in the average policy.
        baseline: Outcome sampling: how far the baseline of an action moves to what it brought
            last; 0 for none.
        mixing: Of Smooth UCT.
        information: ``"players"``: an information set is all that a player knows. ``"key"``: what
            the game's own ``key`` tells apart, which may forget: then nothing is guaranteed.

    Raises:
        SettingsError: There is no such method or information, or a number is out of range.

    >>> from sleuth.equilibria import Sampling
    >>> Sampling(method="outcome").exploration, Sampling().exploration
    (0.6, 0.0)
    """

    method: str = "external"
    exploration: float | None = None
    regret_power: float | None = None
    average_power: float | None = None
    baseline: float | None = None
    mixing: Mixing = USUAL_MIXING
    information: str = "players"

    def __post_init__(self) -> None:
        known_name(self.method, METHODS, "method of sampling")
        known_name(self.information, INFORMATION, "kind of information")
        for name, usual in _USUAL[self.method].items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, usual)
        most = 1.0 if self.method == "outcome" else 1e6
        limits = {"exploration": most, "baseline": 1.0}
        for name in _USUAL[self.method]:
            number_within(getattr(self, name), name, most=limits.get(name, _MOST_POWER))
