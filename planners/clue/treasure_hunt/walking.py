"""The step to take on a roll: what standing at each place is worth, if rooms have a worth.

A turn costs something. A roll is the most steps that can be walked; one may stop short, on a
square or in a room, and entering a room ends the walk. So

    value(place) = -cost + max(arrival at the passage's end,
                               sum over rolls of P(roll) * max over places within the roll
                                   of (arrival at a room, value of a square, value of staying))

where an arrival is what being in a room is worth. This decides anew after every roll, and is worth
at least as much as keeping to any one room.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ....beliefs.arrays.layout import Floats
from ....models.clue.cards import ROOMS
from .ways import NOBODY, Ways, priced

#: Values are settled when no turn more changes any by so much.
SETTLED: Final = 1e-12
#: Turns that are thought ahead at most; a way across the board takes about ten.
MOST_TURNS: Final = 1_000


def place_values(ways: Ways, arrivals: Floats, cost: float) -> Floats:
    """The worth of standing at each place before rolling; shape (places,).

    Args:
        ways: The board and its dice.
        arrivals: What it is worth to enter each room, shape (rooms,); minus infinity where it must
            not be entered.
        cost: What a turn costs.
    """
    # Keeping to one room is a plan: from below, every turn more can only be better.
    values = (arrivals - priced(ways.direct, cost)).max(axis=1)
    passages = passage_arrivals(ways, arrivals) - cost
    for _ in range(MOST_TURNS):
        rolled = roll_values(ways, arrivals, values)
        better = np.maximum(passages, ways.rolls @ rolled - cost)
        if np.allclose(better, values, rtol=0.0, atol=SETTLED):
            break
        values = better
    return values


def roll_values(ways: Ways, arrivals: Floats, values: Floats) -> Floats:
    """The worth of the best stop within each roll, from each place; shape (rolls, places)."""
    rolls = ways.rolls.shape[0]
    best = np.empty((rolls, values.shape[0]))
    best[0] = values
    entering = np.append(arrivals, np.full(values.shape[0] - len(ROOMS), -np.inf))
    for roll in range(1, rolls):
        onward = best[roll - 1].copy()
        # Rooms are not walked through.
        onward[: len(ROOMS)] = -np.inf
        onward = np.maximum(onward, entering)
        stepped = np.where(ways.beside == NOBODY, -np.inf, onward[ways.beside]).max(axis=1)
        best[roll] = np.maximum(best[roll - 1], stepped)
    return best


def stops(ways: Ways, place: int, roll: int, arrivals: Floats, values: Floats) -> dict[int, float]:
    """The places where a roll can end, with what that is worth; staying is among them."""
    far = ways.board.distances[place]
    found = {place: float(values[place])}
    for stop in np.flatnonzero((far > 0) & (far <= roll)).tolist():
        worth = arrivals[stop] if stop < len(ROOMS) else values[stop]
        if np.isfinite(worth):
            found[stop] = float(worth)
    return found


def passage_arrivals(ways: Ways, arrivals: Floats) -> Floats:
    """The worth of each place's secret passage; minus infinity without one. Shape (places,)."""
    found = np.full(ways.board.places, -np.inf)
    for room, end in enumerate(ways.board.passage):
        if end >= 0:
            found[room] = arrivals[end]
    return found
