"""Scores of beliefs on where Mr. X is, in games that were played to the end.

After each move of the hider without a reveal, before any detective moves: the log loss of the
true station, and the entropy of the belief, both in bits. A belief that is right
on average has a log loss as large as its entropy; a smaller log loss means that it knows more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.scotland_yard.play import ScotlandYardBelief
from ...models.records.replay import observed
from ...models.scotland_yard.state import HIDER, stations_of
from ..play_files import Played

#: Everybody but Mr. X knows the same, so one of them is asked.
_SEEKER = 1
RESAMPLES = 1_000

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Interval(NamedTuple):
    """A mean with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of beliefs in some games.

    Attributes:
        names: The beliefs.
        game: int[moments], the number of the game of each moment.
        turn: int[moments], the number of the hider's move, from 1.
        length: int[moments], how many stations were possible.
        losses: float[moments, beliefs], log loss of the true station, in bits.
        entropies: float[moments, beliefs], in bits.
    """

    names: tuple[str, ...]
    game: Integers
    turn: Integers
    length: Integers
    losses: Floats
    entropies: Floats

    @property
    def games(self) -> int:
        """The number of games that have a moment."""
        return len(np.unique(self.game))

    def loss(self, name: str, *, against: str | None = None, seed: int = 0) -> Interval:
        """Mean log loss of a belief in bits; with ``against``, how much less it is than that
        one's. The interval is over games, drawn again and again with replacement."""
        found = self.losses[:, self.names.index(name)]
        if against is not None:
            found = self.losses[:, self.names.index(against)] - found
        return self._mean(found, seed)

    def entropy(self, name: str, seed: int = 0) -> Interval:
        """Mean entropy of a belief in bits."""
        return self._mean(self.entropies[:, self.names.index(name)], seed)

    def by_turn(self) -> dict[int, tuple[int, Floats, Floats]]:
        """By the number of the hider's move: moments, mean log losses and mean entropies."""
        found: dict[int, tuple[int, Floats, Floats]] = {}
        for turn in np.unique(self.turn).tolist():
            these = self.turn == turn
            means = (each[these].mean(axis=0) for each in (self.losses, self.entropies))
            found[turn] = (int(these.sum()), *means)
        return found

    def _mean(self, values: Floats, seed: int) -> Interval:
        _, place = np.unique(self.game, return_inverse=True)
        totals, counts = np.bincount(place, values), np.bincount(place)
        rng = np.random.default_rng(seed)
        drawn = rng.integers(len(counts), size=(RESAMPLES, len(counts)))
        means = totals[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        return Interval(float(values.mean()), float(low), float(high))


def score(played: Iterable[Played], beliefs: Mapping[str, ScotlandYardBelief]) -> Scores:
    """The scores of beliefs on the station in recorded games.

    Args:
        played: The games.
        beliefs: By the names they shall have.
    """
    moments: list[tuple[int, int, int]] = []
    losses: list[list[float]] = []
    entropies: list[list[float]] = []
    for number, one in enumerate(played):
        everybody = observed(one.record, one.game, _SEEKER)
        for each, own in zip(everybody, observed(one.record, one.game, HIDER), strict=True):
            state: Any = each.view.states[0]
            if each.mover != HIDER or each.view.over or state.surfaced_turn == state.turn:
                continue
            station = int(own.view.states[0].stations[HIDER])
            moments.append((number, int(state.turn), len(stations_of(state.possible))))
            known = [belief.infer(each.view, each.seen) for belief in beliefs.values()]
            (feature,) = next(iter(beliefs.values())).hidden(each.view).values()
            losses.append([-float(np.log2(one.marginal(feature)[station])) for one in known])
            entropies.append([one.entropy(feature) for one in known])
    game, turn, length = np.array(moments, dtype=np.int64).reshape(-1, 3).T
    return Scores(tuple(beliefs), game, turn, length, np.array(losses), np.array(entropies))
