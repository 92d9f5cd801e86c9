"""Scores of beliefs on where Mr X is, in games that were played to the end.

After each move of the hider without a reveal, before any detective moves: the log loss of the
true station, and the entropy of the belief, both in bits. A belief that is right
on average has a log loss as large as its entropy; a smaller log loss means that it knows more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.scotland_yard.play import ScotlandYardBelief
from ...models.play import Play
from ...models.records.play_start import state_from_json
from ...models.scotland_yard.state import HIDER, stations_of
from ..play_files import Played

#: Everybody but Mr X knows the same, so one of them is asked.
_SEEKER = 1
RESAMPLES = 1_000

Floats = NDArray[np.float64]


class Score(NamedTuple):
    """One moment of a game.

    Attributes:
        game: The number of the game.
        turn: The number of the hider's move, from 1.
        length: How many stations were possible.
        losses: Log loss of the true station for each belief, in bits.
        entropies: Entropy of each belief, in bits.
    """

    game: int
    turn: int
    length: int
    losses: tuple[float, ...]
    entropies: tuple[float, ...]


class Interval(NamedTuple):
    """A mean with its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Scores:
    """The scores of beliefs in some games.

    Attributes:
        names: The beliefs.
        moments: All moments, game by game.
    """

    names: tuple[str, ...]
    moments: tuple[Score, ...]

    @property
    def games(self) -> int:
        """The number of games that have a moment."""
        return len({moment.game for moment in self.moments})

    def loss(self, name: str, *, against: str | None = None, seed: int = 0) -> Interval:
        """Mean log loss of a belief in bits; with ``against``, how much less it is than that
        one's. The interval is over games, drawn again and again with replacement."""
        values = np.array([moment.losses for moment in self.moments])
        found = values[:, self.names.index(name)]
        if against is not None:
            found = values[:, self.names.index(against)] - found
        return self._mean(found, seed)

    def entropy(self, name: str, seed: int = 0) -> Interval:
        """Mean entropy of a belief in bits."""
        place = self.names.index(name)
        return self._mean(np.array([moment.entropies[place] for moment in self.moments]), seed)

    def by_turn(self) -> dict[int, tuple[int, Floats, Floats]]:
        """By the number of the hider's move: moments, mean log losses and mean entropies."""
        found: dict[int, tuple[int, Floats, Floats]] = {}
        for turn in sorted({moment.turn for moment in self.moments}):
            these = [moment for moment in self.moments if moment.turn == turn]
            found[turn] = (
                len(these),
                np.mean([moment.losses for moment in these], axis=0),
                np.mean([moment.entropies for moment in these], axis=0),
            )
        return found

    def _mean(self, values: Floats, seed: int) -> Interval:
        games = np.array([moment.game for moment in self.moments])
        _, place = np.unique(games, return_inverse=True)
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
    moments: list[Score] = []
    for number, one in enumerate(played):
        start = state_from_json(one.record.start, one.game)
        play = Play.new(one.game, seed=one.record.seed, start=start)
        for action in one.record.actions:
            mover = play.player
            play.apply(action)
            if mover == HIDER and not play.over:
                moment = _moment(play, number, list(beliefs.values()))
                if moment is not None:
                    moments.append(moment)
    return Scores(tuple(beliefs), tuple(moments))


def _moment(play: Play, number: int, beliefs: Sequence[ScotlandYardBelief]) -> Score | None:
    view, seen = play.view(_SEEKER), play.seen_by(_SEEKER)
    state: Any = view.states[0]
    if state.surfaced_turn == state.turn:
        return None
    station = int(play.truth()[0].stations[HIDER])
    losses: list[float] = []
    entropies: list[float] = []
    for belief in beliefs:
        posterior = belief.infer(view, seen)
        (feature,) = belief.hidden(view).values()
        losses.append(-float(np.log2(posterior.marginal(feature)[station])))
        entropies.append(posterior.entropy(feature))
    length = len(stations_of(state.possible))
    return Score(number, int(state.turn), length, tuple(losses), tuple(entropies))
