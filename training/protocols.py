"""Which rows a predictor may learn from before it judges others: cold, warm, random.

`cold`: no row of the two players in question, or of anybody they have ever met (players are joined
by their matches). `warm`: all others' rows, and those of the two from their earlier games against
each other, refitted for every game of a pair: nearly as in the paper (Bitan and Kraus 2018, section
4.7), where earlier rows of the same game count, too.
`random`: rows dealt to folds anyhow; its only use is to show, beside `cold`, whether a predictor
knows players again.
"""

# scikit-learn and scipy come without types.
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ..data.checks import known_name
from ..data.errors import SettingsError
from .rows import Rows

PROTOCOLS: Final = ("cold", "warm", "random")


@dataclass(frozen=True, eq=False)
class Split:
    """One fit and the rows that are judged by it.

    Attributes:
        name: A word for it, such as ``"cold 3"``.
        unit: Fits of one unit learn from nearly the same rows, and share a calibration.
        train: Places of the rows to learn from.
        test: Places of the rows to judge.
    """

    name: str
    unit: str
    train: NDArray[np.intp]
    test: NDArray[np.intp]


def circles(rows: Rows) -> NDArray[np.intp]:
    """For each row the number of its circle: all players joined by matches."""
    count = len(rows.players)
    ones = np.ones(len(rows), dtype=np.int8)
    graph: Any = coo_matrix((ones, (rows.player, rows.viewer)), shape=(count, count))
    _, labels = connected_components(graph, directed=False)
    return labels[rows.player].astype(np.intp)


def splits(rows: Rows, protocol: str, *, folds: int = 5, seed: int = 0) -> Iterator[Split]:
    """The fits of a protocol; together they judge every row once.

    Args:
        rows: What to learn from.
        protocol: One of ``PROTOCOLS``.
        folds: Of ``cold`` and ``random``; of as many as there are circles where those are fewer.
        seed: Of the dealing.

    Raises:
        SettingsError: No such protocol, or all players are of one circle.
    """
    known_name(protocol, PROTOCOLS, "protocol")
    rng = np.random.default_rng([seed, 4])
    if protocol == "random":
        dealt = rng.permutation(len(rows)) % min(folds, len(rows))
        yield from _folds("random", dealt)
        return
    circle = circles(rows)
    count = int(circle.max()) + 1
    if count < 2:
        raise SettingsError(
            "all players have met, directly or through others: no player is left to learn from",
            value=len(rows.players),
            hint="cold and warm judging needs at least two groups of players that never met;"
            " the protocol 'random' does not, but flatters",
        )
    if protocol == "cold":
        # Circles with the most rows first, each to the fold that has the fewest.
        sizes = np.bincount(circle, minlength=count)
        fold = np.zeros(count, dtype=np.intp)
        load = np.zeros(min(folds, count))
        for each in sorted(rng.permutation(count), key=lambda each: -sizes[each]):
            fold[each] = int(np.argmin(load))
            load[fold[each]] += sizes[each]
        yield from _folds("cold", fold[circle])
        return
    place = np.arange(len(rows))
    for match in np.unique(rows.match):
        own = rows.match == match
        others = circle != circle[own][0]
        for game in np.unique(rows.game[own]):
            test = own & (rows.game == game)
            earlier = own & (rows.game < game)
            name = f"warm {match}"
            yield Split(f"{name} {game}", name, place[others | earlier], place[test])


def _folds(name: str, fold: NDArray[Any]) -> Iterator[Split]:
    for number in np.unique(fold):
        each = f"{name} {number}"
        yield Split(each, each, np.flatnonzero(fold != number), np.flatnonzero(fold == number))
