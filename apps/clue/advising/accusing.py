"""The decision to accuse: the probability to be right now, and what comes of waiting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....beliefs.games.clue.rivals import DOUBT, LEAST, Rivals
from ....beliefs.games.clue.waiting import Outlook
from ....models.clue.board.walking import turns_to_a_room
from ....models.clue.imagined.race import CERTAIN
from .table import ClueSetup

#: Deals that are drawn. Of these those in which it is found out what the others know: so many in
#: which the likeliest case file is right, and so many in which it is wrong.
DRAWN: Final = 20_000
IMAGINED: Final = 12
SEED: Final = 0


@dataclass(frozen=True)
class Waiting:
    """The expectations of waiting.

    Attributes:
        seems: How likely the likeliest case file is by what was entered.
        outlook: How likely one is right, now and later, and how likely one wins; counting that the
            others have not accused.
        know: How likely each player who can still win knows the case file by now, counting that.
    """

    seems: float
    outlook: Outlook
    know: dict[str, float]

    @property
    def accuse(self) -> bool:
        """True if to accuse is better; by the rule of the agent `daring`."""
        return self.seems > LEAST and self.outlook.right > DOUBT * self.outlook.waiting


def waiting(table: ClueSetup) -> Waiting:
    """The expectations of waiting; an open suggestion is left out."""
    table = table.answered
    posterior = table.posterior
    rng = np.random.default_rng(SEED)
    rows = posterior.sample_array(DRAWN, rng)
    file = posterior.distribution(table.belief.case_file)
    found = Rivals(table.game, rng).imagined(rows, file=file, out=table.out, count=IMAGINED)
    expected = found.outlook(
        sure=float(file.max()),
        after=float(table.told(rows).right.max()),
        bits=table.bits,
        pace=1.0 / turns_to_a_room(table.dice),
    )
    know = found.passed @ (found.now < CERTAIN)
    return Waiting(float(file.max()), expected, dict(zip(found.rivals, know.tolist(), strict=True)))
