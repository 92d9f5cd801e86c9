"""Win rates of detectives from where a game stands, in matches between programs.

A search's value is an average over what the search imagined, and no chance to win. These are counts
of games that were played (benchmarks/scotland_yard/rates.py), by the round and by how many stations
were possible.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from ....data.files import resource
from ....data.intervals import wilson
from ..state import stations_of

#: Where the classes of rounds begin, and those of numbers of possible stations.
ROUNDS: Final = (1, 4, 9, 14, 19)
POSSIBLE: Final = (1, 2, 6, 16, 41)
#: A cell with fewer games says nothing.
FEW: Final = 20

#: The places of a round and of a number of stations among these.
Cell = tuple[int, int]


@dataclass(frozen=True)
class WinRate:
    """The win rate of detectives from such positions.

    Attributes:
        rounds, possible: From the first number to the last; None for no last one.
        games: How many games came to such a position.
        won: How many of these the detectives won.
    """

    rounds: tuple[int, int | None]
    possible: tuple[int, int | None]
    games: int
    won: int

    @property
    def rate(self) -> float:
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate."""
        return wilson(self.won, self.games)


def cell_of(state: Any) -> Cell:
    """The cell of the table that a state is in, which must be one in which a detective moves."""
    possible = len(stations_of(state.possible))
    return bisect_right(ROUNDS, int(state.turn)) - 1, bisect_right(POSSIBLE, possible) - 1


def win_rate(state: Any, settings: Mapping[str, Any]) -> WinRate | None:
    """The win rate of detectives in such a position; None where too little was measured.

    Args:
        state: What everybody knows, with a detective to move.
        settings: Those of the game; only those that the matches had were measured.
    """
    measured = _table()
    if json.loads(json.dumps(dict(settings))) != measured["settings"]:
        return None
    cell = cell_of(state)
    for each in measured["cells"]:
        if (each["round"], each["possible"]) == cell and each["games"] >= FEW:
            return WinRate(
                _class(ROUNDS, cell[0]), _class(POSSIBLE, cell[1]), each["games"], each["won"]
            )
    return None


def _class(begins: tuple[int, ...], place: int) -> tuple[int, int | None]:
    last = begins[place + 1] - 1 if place + 1 < len(begins) else None
    return begins[place], last


@cache
def _table() -> Mapping[str, Any]:
    found = json.loads(resource("scotland_yard", "win_rates.json").read_text(encoding="utf-8"))
    assert (found["rounds_from"], found["possible_from"]) == ([*ROUNDS], [*POSSIBLE])
    return found
