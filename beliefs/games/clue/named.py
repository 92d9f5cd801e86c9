"""The beliefs of Clue by name: what a player takes for a sign, from the rules alone to habits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ....data.checks import known_name
from ....models.clue.seen import SeenClue
from ....models.game import Game
from ...posterior import Posterior
from .hearing import HearingBelief
from .kinds import KindsBelief
from .learned import LearnedBelief
from .passing import PassingBelief
from .play import ClueBelief

#: By name what else says something beside the rules; whether players walk to the rooms they name.
LIKELIHOODS: Final[Mapping[str, Callable[[bool], ClueBelief]]] = {
    "exact": lambda walks: ClueBelief(),
    "passed": lambda walks: PassingBelief(),
    "heard": lambda walks: HearingBelief(walks=walks),
    "learned": lambda walks: LearnedBelief(walks=walks),
    "kinds": lambda walks: KindsBelief(walks=walks),
}


class NamedBelief(ClueBelief):
    """The belief about who holds which card, by what is taken for a sign.

    Args:
        likelihood: One of `LIKELIHOODS`: nothing but the rules (``exact``), who passes, what the
            others ask (``heard``), what they ask and show as it was learned, or as their kind does.

    Raises:
        SettingsError: There is no such likelihood.
    """

    walks: ClassVar[bool] = False

    def __init__(self, likelihood: str = "exact") -> None:
        super().__init__()
        self.likelihood = known_name(likelihood, LIKELIHOODS, "likelihood", where="belief of clue")
        self._by = LIKELIHOODS[self.likelihood](self.walks)
        self._posterior = self._by._posterior  # one memory is enough

    def __reduce__(self) -> Any:
        return type(self), (self.likelihood,)

    def posterior(self, known: SeenClue) -> Posterior:
        """The posterior from all that the viewer saw."""
        return self._by.posterior(known)

    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """``n`` draws for the game's ``fill``: shape (n, columns), in rows without gaps."""
        return self._by.worlds(posterior, n, rng)

    def reasons(self, known: SeenClue) -> Mapping[str, float]:
        """The probability that other players conclude all that follows from what they saw."""
        return self._by.reasons(known)

    def indifferent(self) -> ClueBelief:
        """The belief from the rules alone."""
        return type(self)()


class WalkingBelief(NamedBelief):
    """The same of players who walk to the rooms that they name: then rooms say nothing."""

    walks: ClassVar[bool] = True

    def imagines(self) -> Mapping[str, Callable[[Game], Game]]:
        """Nothing by a name of its own: a turn goes on for as long as a walk takes."""
        return {}
