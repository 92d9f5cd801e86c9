"""Differences of players from what is predicted of anybody, and the worth of knowing them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.cheat.adaptation import Acquaintance
from ...beliefs.games.cheat.judges import CALLS, WORDS
from ..rows import TrainingRows

CALLED: Final = WORDS[CALLS]
#: Spreads that are tried, in log odds.
SPREADS: Final = tuple(round(0.05 * step, 2) for step in range(31))
NODES: Final = 21
EDGE: Final = 1e-6


def spread_of(rows: TrainingRows, y: NDArray[Any], given: NDArray[np.float64]) -> float:
    """The spread of players' offsets that makes what they did likeliest.

    Args:
        rows: Claims.
        y: Their classes.
        given: Probabilities by fits that have not learned from the player.

    Returns:
        The standard deviation in log odds, of those in ``SPREADS``: marginal likelihood, offsets
        integrated out by Gauss and Hermite's rule.
    """
    clipped = np.clip(given, EDGE, 1 - EDGE)
    logits = np.log(clipped / (1 - clipped))
    places, weights = np.polynomial.hermite_e.hermegauss(NODES)
    weights = weights / weights.sum()
    _, player = np.unique(rows.player, return_inverse=True)
    sign = np.where(y == 1, 1.0, -1.0)
    best, most = 0.0, -np.inf
    for spread in SPREADS:
        # log P(claims of a player | their offset), at each place of the rule.
        each = -np.logaddexp(0.0, -sign[:, None] * (logits[:, None] + spread * places))
        totals = np.zeros((int(player.max()) + 1, NODES))
        np.add.at(totals, player, each)
        peak = totals.max(axis=1, keepdims=True)
        likely = float(np.sum(np.log(np.exp(totals - peak) @ weights) + peak[:, 0]))
        if likely > most:
            best, most = spread, likely
    return best


def adapted(rows: TrainingRows, y: NDArray[Any], given: NDArray[np.float64], spread: float) -> Any:
    """The predictions when players get to be known by their claims that were turned up.

    Each player knows of the other what `Acquaintance` learns.

    Args:
        rows: Claims, in the order in which they were made within each match.
        y: Their classes; read only after the claim was turned up.
        given: What is predicted of anybody.
        spread: Of the population.

    Returns:
        float64[n].
    """
    found = np.array(given, dtype=np.float64)
    called = rows.labels[CALLED]
    for match in np.unique(rows.match):
        known: dict[tuple[int, int], Acquaintance] = {}
        places = np.flatnonzero(rows.match == match)
        places = places[np.lexsort((rows.turn[places], rows.game[places]))]
        hidden: list[int] = []
        game = -1
        for place in places.tolist():
            if rows.game[place] != game:
                game, hidden = rows.game[place], []
                for each in known.values():
                    each.begin()
            pair = int(rows.viewer[place]), int(rows.player[place])
            claimant = known.setdefault(pair, Acquaintance(spread))
            found[place] = claimant.hear(place, float(given[place]))
            hidden.append(place)
            if called[place] == 1:
                turned_up = {seen: bool(y[seen] == 1) for seen in hidden}
                for each in known.values():
                    each.turn_up(turned_up)
                hidden = []
    return found
