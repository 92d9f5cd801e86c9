"""Which suggestions are worth most beside a table: by what they tell, and by being right after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....beliefs.arrays.layout import Floats
from ....models.clue.cards import ROOMS
from ....models.clue.events import Triple
from ....models.clue.game import TRIPLES, triple_cards
from ....planners.agents.clue import PROBABILITY_GAIN as RIGHT
from .table import Table

#: Deals that are drawn to choose among all suggestions, and how many of each room are chosen.
DRAWN: Final = 4_000
FINALISTS: Final = 5
#: Deals that are drawn to value being right after these.
VALUED: Final = 20_000
SEED: Final = 0


@dataclass(frozen=True)
class Worth:
    """A suggestion.

    Attributes:
        cards: Suspect, weapon and room.
        bits: What it tells about the case file, exactly.
        sure: About how likely the likeliest case file is right after the answer.
    """

    cards: Triple
    bits: float
    sure: float

    @property
    def worth(self) -> float:
        """Both together, in bits."""
        return self.bits + RIGHT * self.sure


@dataclass(frozen=True)
class Values:
    """What suggestions are worth; the best of each room are valued exactly.

    Attributes:
        bits: What each tells about the case file; NaN for those that are not among the best of
            their room. Shape (324,), by the number of the triple.
        sure: About how likely the likeliest case file is right after the answer; shape (324,).
    """

    bits: Floats
    sure: Floats

    @property
    def worth(self) -> Floats:
        """Both together, in bits; shape (324,). Less than 0 for those that are not valued."""
        return np.where(np.isnan(self.bits), -1.0, self.bits + RIGHT * self.sure)

    def best(self, room: str | None, count: int) -> list[Worth]:
        """The suggestions that are worth most, the best first; in a room, or in any."""
        worth = self.worth
        codes = [code for code in range(TRIPLES) if room in (None, triple_cards(code)[2])]
        codes = sorted(codes, key=lambda code: -worth[code])[:count]
        return [
            Worth(triple_cards(code), float(self.bits[code]), float(self.sure[code]))
            for code in codes
            if worth[code] >= 0.0
        ]


def values(table: Table, *, finalists: int = FINALISTS) -> Values:
    """What every suggestion is worth, if it is made in its room next.

    Args:
        finalists: Suggestions of each room whose bits are computed exactly.
    """
    belief, posterior = table.belief, table.posterior
    rng = np.random.default_rng(SEED)
    found = table.told(posterior.sample_array(DRAWN, rng))
    worth = (found.bits + RIGHT * found.right).reshape(-1, len(ROOMS))
    places = np.argsort(-worth, axis=0, kind="stable")[:finalists]
    codes = np.sort((places * len(ROOMS) + np.arange(len(ROOMS))).ravel())
    asked = [belief.suggestion(triple_cards(code)) for code in codes.tolist()]
    bits = np.full(TRIPLES, np.nan)
    bits[codes] = posterior.information_gain(asked, about=belief.case_file)
    # What was chosen on some deals looks too good on them, so it is valued on others.
    others = posterior.sample_array(VALUED, rng)
    return Values(bits, table.told(others, triples=codes.tolist()).right)
