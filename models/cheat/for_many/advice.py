"""Cheat for many's offers to those who plan in it: an evaluation, and the usual options."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math
from typing import Any, Final

from ...advice import Advice
from ...kernels.kernel import kernel
from .state import NOBODY

#: By so many cards less a player is about three times as likely to win.
CARDS: Final = 5.0
#: Of an agent that searches: a whole game is long, and says little of one move. Simulations are
#: broken off after so many plies, and others do in them as the playouts do.
USUAL: Final = {"horizon": 24, "evaluation": "cards", "exploration": 0.1, "alone": True}


@kernel(allocates=False)
def cards(state: Any, player: int, tables: Any) -> float:
    """The part of the win that a player can expect, by the numbers of cards in all hands."""
    if state.winner != NOBODY:
        return 1.0 if state.winner == player else 0.0
    total = 0.0
    for each in range(tables.rules[0].players):
        total += math.exp((state.sizes[player] - state.sizes[each]) / CARDS)
    return 1.0 / total


def advice() -> Advice:
    """The game's advice."""
    return Advice(evaluations={"cards": cards}, usual={"search": USUAL})
