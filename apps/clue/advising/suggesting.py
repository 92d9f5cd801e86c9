"""Which suggestions are worth most beside a table: by what they tell, and by being right after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ....beliefs.games.clue.suggesting import told
from ....models.clue.cards import CARDS
from ....models.clue.events import Triple
from ....models.clue.game import TRIPLES, triple_cards
from .table import Table

#: What it is worth to be right for certain, in bits: with it `daring` wins most (docs/results).
RIGHT: Final = 20.0
#: Deals that are drawn to value all suggestions, and how many of these are then valued exactly.
DRAWN: Final = 4_000
FINALISTS: Final = 12
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


def worthwhile(table: Table, room: str | None, count: int) -> list[Worth]:
    """The suggestions that are worth most, the best first; in a room, or in any."""
    belief, players = table.belief, table.game.players
    rows = table.posterior.sample_array(DRAWN, np.random.default_rng(SEED))
    found = told(rows, len(players), players.index(table.me))
    codes = [code for code in range(TRIPLES) if room in (None, triple_cards(code)[2])]
    worth = found.bits + RIGHT * found.right
    chosen = sorted(codes, key=lambda code: -worth[code])[:FINALISTS]
    asked = [belief.suggestion(triple_cards(code)) for code in chosen]
    gains = table.posterior.information_gain(asked, about=belief.case_file)
    made = [
        Worth(triple_cards(code), float(gain), float(found.right[code]))
        for code, gain in zip(chosen, gains, strict=True)
    ]
    made.sort(key=lambda each: (-(each.bits + RIGHT * each.sure), *map(CARDS.index, each.cards)))
    return made[:count]
