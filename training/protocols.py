"""Rows a predictor may learn from before it judges others: cold, warm, random, later.

`cold`: no row of the two players in question, or of anybody they have ever met (players are joined
by their matches). `warm`: all others' rows, and those of the two from their earlier games against
each other, refitted for every game of a pair: nearly as in the paper (Bitan and Kraus 2018, section
4.7), where earlier rows of the same game count, too.
`random`: rows dealt to folds anyhow; its only use is to show, beside `cold`, whether a predictor
knows players again.
`later`: the later games are judged by what was learned from the first ones, where all players have
met and none is left to learn from. Its scores are for later games of the same players.
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
from .rows import TrainingRows

PROTOCOLS: Final = ("cold", "warm", "random", "later")
#: What is said of `later` where it is the best there is.
ALL_MET: Final = (
    "all players have met, directly or through others, so nobody is left out to be judged as a "
    "stranger: later games are judged by what was learned from the first ones (protocol 'later'), "
    "and scores are for later games of the same players"
)


@dataclass(frozen=True, eq=False)
class FittedPart:
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


def circles(rows: TrainingRows) -> NDArray[np.intp]:
    """For each row the number of its circle: all players joined by matches."""
    count = len(rows.players)
    ones = np.ones(len(rows), dtype=np.int8)
    graph: Any = coo_matrix((ones, (rows.player, rows.viewer)), shape=(count, count))
    _, labels = connected_components(graph, directed=False)
    return labels[rows.player].astype(np.intp)


def applicable(rows: TrainingRows) -> tuple[str, ...]:
    """The protocols that fit the players, the usual one first: others where all have met.

    Of one game alone nothing is later; ``cold`` then says what is missing.
    """
    strangers = int(circles(rows).max(initial=0)) > 0
    if strangers or len(_games(rows)) < 2:
        return "cold", "warm", "random"
    return "later", "random"


def splits(
    rows: TrainingRows, protocol: str, *, folds: int = 5, seed: int = 0
) -> Iterator[FittedPart]:
    """The fits of a protocol; together they judge every row once, by ``later`` that of later games.

    Args:
        rows: What to learn from.
        protocol: One of ``PROTOCOLS``.
        folds: Of ``cold`` and ``random``; of as many as there are circles where those are fewer.
        seed: Of the dealing.

    Raises:
        SettingsError: No such protocol, or all players are of one circle; or there are no later
            games.
    """
    known_name(protocol, PROTOCOLS, "protocol")
    rng = np.random.default_rng([seed, 4])
    if protocol == "random":
        # What could be chosen at one turn stays together.
        choice = rows.choice
        dealt = rng.permutation(int(choice.max()) + 1) % min(folds, len(rows))
        yield from _folds("random", dealt[choice])
        return
    if protocol == "later":
        yield _later(rows)
        return
    circle = circles(rows)
    count = int(circle.max()) + 1
    if count < 2:
        instead = (
            "name the protocol 'later' (--protocols later), which judges later games by what the "
            "first ones taught"
            if len(_games(rows)) > 1
            else "there is one game: record more of them, between other players too"
        )
        raise SettingsError(
            "all players have met, directly or through others: no player is left to learn from",
            value=len(rows.players),
            hint="cold and warm judging needs at least two groups of players that never met; "
            + instead,
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
            yield FittedPart(f"{name} {game}", name, place[others | earlier], place[test])


def _later(rows: TrainingRows) -> FittedPart:
    """The games that have the first half of the rows, and those that came later.

    A game is earlier that stands earlier in its match; of equal ones that of an earlier match is.
    """
    games = _games(rows)
    if len(games) < 2:
        raise SettingsError(
            "there is one game, and no later one",
            value=f"{len(rows)} {rows.of.things}",
            hint="record more games; the protocol 'random' needs one alone, but flatters",
        )
    keys = np.stack([rows.game, rows.match], axis=1)
    of = (keys[:, None] == games[None]).all(axis=2).argmax(axis=1)
    ends = np.cumsum(np.bincount(of, minlength=len(games)))
    first = int(np.searchsorted(ends, ends[-1] / 2)) + 1
    learned = of < min(first, len(games) - 1)
    return FittedPart("later", "later", np.flatnonzero(learned), np.flatnonzero(~learned))


def _games(rows: TrainingRows) -> NDArray[np.int32]:
    """Place in its match and match of every game, in the order in which they were played."""
    return np.unique(np.stack([rows.game, rows.match], axis=1), axis=0)


def _folds(name: str, fold: NDArray[Any]) -> Iterator[FittedPart]:
    for number in np.unique(fold):
        each = f"{name} {number}"
        yield FittedPart(each, each, np.flatnonzero(fold != number), np.flatnonzero(fold == number))
