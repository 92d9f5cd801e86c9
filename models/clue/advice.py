"""What Clue offers to those who plan in it: how a search imagines it, and what is usual there."""

from __future__ import annotations

from typing import Any, Final

from ..advice import Advice
from ..game import Game
from .one_turn import one_turn

#: By which name of the advice a turn is imagined, and what is expected of the race after it.
TURN: Final = "turn"


def as_it_is(game: Game) -> Game:
    """The game itself."""
    return game


#: Of a search that plays out a race. A bit about the case file is worth more than playouts can tell
#: of one question from another.
RACING: Final[dict[str, Any]] = {"imagined": "predicted", "gain": 5.0}
#: Of one that imagines a turn. What passing is worth is told, so nobody else is searched; and
#: values that hardly differ are to be told apart.
TURNING: Final[dict[str, Any]] = {
    "imagined": TURN,
    "belief": "learned",
    "alone": True,
    "exploration": 0.3,
}
#: Of one that gives hints to people, who need not ask as those did from whom was learned.
HINTING: Final[dict[str, Any]] = {
    **RACING,
    "belief": "exact",
    "alone": False,
    "exploration": 0.7,
}

TABLE: Final = Advice(
    imagined={"rules": as_it_is, TURN: one_turn},
    usual={"search": TURNING, "hint": HINTING},
)
BOARD: Final = Advice(usual={"search": RACING})
