"""Quick guesses at where the hider is: the list of possible stations, with weights.

Location Categorization (Nijssen and Winands 2012, section IV-D): stations are in categories, and
how likely he is at a station depends on how often he was where there was one of its category. The
categories are those of the moment after his last move.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..play import SeenPlay, View
from .tables import HIDER, stations_of

#: Stations at least so far from the nearest detective are in one category.
MOST_DISTANT: Final = 5
#: How often the hider was in a category, of the times that a possible station was: the paper's
#: Table I, by the distance of the nearest detective.
MINIMUM_DISTANCE: Final = (2454 / 12523, 9735 / 14502, 4047 / 7491, 1109 / 2890, 344 / 1756)

Guess = tuple[NDArray[np.int16], NDArray[np.float64]]
"""Rows of hidden values, int16[n, 1], and their weights, float64[n]."""


def uniform(view: View, seen: SeenPlay) -> Guess:
    """Every possible station, each equally likely; his own station, if he is the viewer."""
    stations = _possible(view)
    return stations[:, None], np.ones(len(stations))


def categories(view: View, seen: SeenPlay) -> Guess:
    """Every possible station, by how far the nearest detective was after the hider's last move."""
    stations = _possible(view)
    if len(stations) == 1:
        return stations[:, None], np.ones(1)
    tables = view.game.tables
    seekers = seekers_after_his_move(view, seen)
    near = tables.board[0].distance[seekers][:, stations].min(axis=0)
    weights = np.array(MINIMUM_DISTANCE)[np.clip(near, 1, MOST_DISTANT) - 1]
    return stations[:, None], weights


def seekers_after_his_move(view: View, seen: SeenPlay) -> list[int]:
    """Where the detectives stood when the hider had made his last move."""
    board = view.game.tables.board[0]
    stations: list[int] = view.states[0].stations.tolist()
    for event in reversed(seen.events):
        move = event.event
        if move.mover == HIDER:
            break
        stations[move.mover] = int(board.origin[move.observation % board.moves])
    return stations[1 : view.game.tables.rules[0].seekers + 1]


def _possible(view: View) -> NDArray[np.int16]:
    state = view.states[0]
    if view.viewer == HIDER:
        return np.array([state.stations[HIDER]], dtype=np.int16)
    return np.array(stations_of(state.possible), dtype=np.int16)
