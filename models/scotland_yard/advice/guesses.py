"""Quick guesses at where the hider is: the list of possible stations, with weights.

The same as the belief's likelihoods ``uniform`` and ``categories``, straight from the state: a
search that decides in milliseconds has no time for more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...play import SeenPlay, View
from ..state import HIDER, stations_of
from .categories import (
    CATEGORIZATIONS,
    TABLES,
    Categories,
    CategoryTable,
    seekers_after_hider,
    shipped_categories,
)

#: How often the hider was in a category. The paper's Table I says beside it how often a possible
#: station was. Its Table II counts for each set of categories of all possible stations; it leaves
#: out sets that were met less than 100 times, of which the method takes no weights either.
PAPER: Final = Categories(
    card={"source": "Nijssen and Winands (2012), Tables I and II"},
    tables={
        "minimum_distance": CategoryTable(
            (2454, 9735, 4047, 1109, 344),
            (12523, 14502, 7491, 2890, 1756),
            MappingProxyType(
                {
                    (0,): (1542, 0, 0, 0, 0),
                    (1,): (0, 2801, 0, 0, 0),
                    (0, 1): (666, 4776, 0, 0, 0),
                    (2,): (0, 0, 977, 0, 0),
                    (0, 2): (14, 0, 252, 0, 0),
                    (1, 2): (0, 67, 208, 0, 0),
                    (0, 1, 2): (210, 1558, 1642, 0, 0),
                    (3,): (0, 0, 0, 262, 0),
                    (1, 2, 3): (0, 23, 39, 90, 0),
                    (0, 1, 2, 3): (18, 224, 263, 179, 0),
                    (1, 2, 3, 4): (0, 57, 191, 183, 88),
                    (0, 1, 2, 3, 4): (2, 210, 448, 307, 164),
                }
            ),
        )
    },
)

Guess = tuple[NDArray[np.int16], NDArray[np.float64]]
"""Rows of hidden values, int16[n, 1], and their weights, float64[n]."""


def uniform(view: View, seen: SeenPlay) -> Guess:
    """Every possible station, each equally likely; or the true one for the hider."""
    stations = _possible(view)
    return stations[:, None], np.ones(len(stations))


def categories(
    view: View,
    seen: SeenPlay,
    *,
    counted: Callable[[], Categories] = shipped_categories,
    categorization: str = "minimum_distance",
    table: str = "general",
    steps: int = 1,
) -> Guess:
    """Every possible station by its category, see `Categories.shares`.

    Nijssen and Winands (2012), section IV-D.
    """
    stations = _possible(view)
    if len(stations) == 1:
        return stations[:, None], np.ones(1)
    now = view.states[0].stations[1 : view.game.tables.rules[0].seekers + 1].tolist()
    events = [(each.event.mover, each.event.observation) for each in seen.events]
    board = view.game.tables.board[0]
    shares = counted().shares(
        stations.tolist(),
        seekers_after_hider(now, events, board),
        board,
        categorization=categorization,
        table=table,
        steps=steps,
    )
    return stations[:, None], shares


def _paper() -> Categories:
    return PAPER


def guesses() -> Mapping[str, Callable[[View, SeenPlay], Guess]]:
    """All guesses by name.

    ``categories`` is the paper's best: minimum distance, general table, one step, counted in games
    of sleuth's; ``paper_table`` the same with the paper's own counts, and ``paper_general_2``,
    ``paper_detailed_1`` and ``paper_detailed_2`` its other tables and steps. The others are named
    by categorization, table and steps, such as ``station_detailed_2``.
    """
    return {
        "uniform": uniform,
        "categories": categories,
        "paper_table": partial(categories, counted=_paper),
        **{
            f"paper_{table}_{steps}": partial(categories, counted=_paper, table=table, steps=steps)
            for table, steps in (("general", 2), ("detailed", 1), ("detailed", 2))
        },
        **{
            f"{categorization}_{table}_{steps}": partial(
                categories, categorization=categorization, table=table, steps=steps
            )
            for categorization in CATEGORIZATIONS
            for table in TABLES
            for steps in (1, 2)
        },
    }


def _possible(view: View) -> NDArray[np.int16]:
    state = view.states[0]
    if view.viewer == HIDER:
        return np.array([state.stations[HIDER]], dtype=np.int16)
    return np.array(stations_of(state.possible), dtype=np.int16)
