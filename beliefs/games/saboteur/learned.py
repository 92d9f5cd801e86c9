"""The evidence of an action on roles, as it was learned from recorded games.

A predictor is told an action in numbers, and the roles and the gold as somebody assumes them. Half
of what it learned from were true deals, and half deals by chance; so its odds are the likelihood of
the action if the assumption holds, over what it is anyhow.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from ....data.checks import number_within
from ....data.disk.contents import MadeOfFiles
from ....data.files import resource
from ....models.saboteur.state import MINER, SABOTEUR
from ...arrays.layout import Floats
from ...predictors.predictor import EDGE, Predictor, load_predictor, paths
from .likelihoods import GoalClaim, Sign, Weight

#: What is assumed: the player's role, the role of the other one they break or mend the tools of,
#: and whether their words are true.
ASSUMED: Final = ("assumed role", "assumed role of the other", "words assumed true")
#: What everybody saw: the row of the table and whether it counts double; the kind of action, as
#: `events.KINDS` has them; the cards missing to the goals before, and how many fewer after;
#: events of the round so far; whether the player has broken tools, and how many players have.
ABOUT: Final = ("kind", "missing", "nearer", "events", "own tools broken", "players blocked")
NAMES: Final = (*ASSUMED, "row", "double", *ABOUT, "said gold")
#: What is predicted.
PREDICTS: Final = "roles and gold are as assumed"
#: What is meant by a predictor that is not a file.
USUAL: Final = "usual"
ROLES: Final = (MINER, SABOTEUR)
NAN: Final = float("nan")


def of_sign(sign: Sign, role: int, other: float = NAN) -> tuple[float, ...]:
    """The features of an action under an assumption."""
    return role, other, NAN, sign.row, sign.double, *sign.about, NAN


def of_claim(claim: GoalClaim, role: int, true: bool) -> tuple[float, ...]:
    """The features of words under an assumption."""
    return role, NAN, true, NAN, NAN, *(NAN,) * len(ABOUT), claim.gold


@dataclass(frozen=True, eq=False)
class LearnedActions:
    """A predictor as a model of behaviour.

    Attributes:
        predictor: As `sleuth train saboteur` makes it. How far its evidence is to be trusted when
            it is added up over a round stands on its card: a player's actions tell much the same.
    """

    predictor: Predictor
    _kept: dict[Sign | GoalClaim, Floats] = field(default_factory=dict[Sign | GoalClaim, Floats])

    def of_action(self, sign: Sign) -> Weight:
        """By the assumed roles of its player, and of the other one."""
        if not sign.about:
            return Weight((sign.player,), np.zeros(2))
        players = (sign.player, sign.other)[: 1 + (sign.other >= 0)]
        if sign not in self._kept:
            roles = itertools.product(ROLES, repeat=len(players))
            self._kept[sign] = self._logs([of_sign(sign, *each) for each in roles])
        return Weight(players, self._kept[sign].reshape((2,) * len(players)))

    def of_words(
        self, claims: Sequence[GoalClaim], goals: Sequence[int], viewer: int
    ) -> list[Weight]:
        """For each claim, by the assumed role of the speaker and by where the gold is."""
        found: list[Weight] = []
        for claim in claims:
            if claim not in self._kept:
                assumed = itertools.product(ROLES, (False, True))
                self._kept[claim] = self._logs([of_claim(claim, *each) for each in assumed])
            found.append(Weight((claim.player,), self._kept[claim].reshape(2, 2)[:, claim.truth]))
        return found

    def _logs(self, rows: list[tuple[float, ...]]) -> Floats:
        share = np.clip(self.predictor(rows), EDGE, 1.0 - EDGE)
        return self.predictor.card.get("trust", 1.0) * np.log(share / (1.0 - share))


_models: Final = MadeOfFiles[LearnedActions]()


def learned(name: str = USUAL) -> LearnedActions:
    """The model of a predictor's file; by default of the one that comes with sleuth.

    The same one as long as the file is the same.

    Raises:
        RecordError: It is damaged, or no predictor of this.
        SettingsError: It says nonsense of how far it is to be trusted.
    """
    path = Path(str(resource("saboteur", "learned"))) if name == USUAL else Path(name)

    def read() -> LearnedActions:
        found = load_predictor(path, game="saboteur", features=NAMES)
        number_within(found.card.get("trust", 1.0), "trust", most=1.0)
        return LearnedActions(found)

    return _models.get(paths(path), read)
