"""The usual advice for those who plan in Clue, with a board and without one."""

from __future__ import annotations

from typing import Any, Final

from ..advice import Advice

#: By which name the belief imagines one turn, and what is expected of the race after it.
TURN: Final = "turn"
#: The same for a race in which what others do among themselves is not seen.
OWN_TURNS: Final = "own_turns"

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
#: Of one that wants to know what its next question will tell.
LEARNING_ON: Final[dict[str, Any]] = {"imagined": OWN_TURNS, "exploration": 0.7}
#: Of one that gives hints to people, who need not ask as those did from whom was learned.
HINTING: Final[dict[str, Any]] = {
    **RACING,
    "belief": "exact",
    "alone": False,
    "exploration": 0.7,
}

TABLE: Final = Advice(usual={"search": TURNING, "hint": HINTING, "learning_on": LEARNING_ON})
#: On the board a player rolls, walks and then suggests: three decisions.
BOARD: Final = Advice(usual={"search": {**RACING, "depth": 3}})
