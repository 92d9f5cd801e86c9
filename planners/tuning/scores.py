"""Scores of a tournament's candidates: by wins or by returns, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ...data.intervals import NINETY_FIVE, wilson
from ..matches.match_result import ALIKE, MatchResult

By = Literal["wins", "returns"]
#: The rounds of each of two.
Rounds = tuple["list[Round]", "list[Round]"]


@dataclass(frozen=True)
class CandidateScore:
    """Somebody's score against others: one half is as well as they did.

    Attributes:
        rate: By wins, won games and halves of shared ones, of all games. By returns, one half
            and half of what was won above the others' returns, as a share of all that can be.
        interval: 95 % interval of the rate: Wilson's for wins, which swapped seats make too wide
            rather than too narrow; for returns from the spread of rounds with the same deal.
        games: Over how many games.
        mean_return: What was won in a game on average, in the game's own units.
    """

    rate: float
    interval: tuple[float, float]
    games: int
    mean_return: float

    @staticmethod
    def of(rounds: Sequence[Round], by: By) -> CandidateScore:
        """The score of rounds: games with the same deal."""
        games = sum(each.games for each in rounds)
        if not games:
            return CandidateScore(0.5, (0.0, 1.0), 0, 0.0)
        mean = sum(each.returned * each.games for each in rounds) / games
        if by == "wins":
            points = sum(each.points for each in rounds)
            return CandidateScore(points / games, wilson(points, games), games, mean)
        values = np.array([each.advantage for each in rounds])
        middle = float(values.mean())
        half = 0.5
        if len(values) > 1:
            if np.ptp(values) <= ALIKE:
                # No spread to learn from; an advantage is a share, as a rate of wins is.
                return CandidateScore(
                    middle, wilson(middle * len(values), len(values)), games, mean
                )
            half = NINETY_FIVE * float(values.std(ddof=1)) / math.sqrt(len(values))
        return CandidateScore(
            middle, (max(0.0, middle - half), min(1.0, middle + half)), games, mean
        )

    def to_json(self) -> dict[str, Any]:
        """The score as plain values."""
        return {
            "score": self.rate,
            "interval": list(self.interval),
            "games": self.games,
            "mean_return": self.mean_return,
        }


@dataclass(frozen=True)
class Round:
    """The result of one of two in games with the same deal.

    Attributes:
        games: How many.
        points: Won games, and halves.
        returned: Their mean return.
        advantage: One half, and half of how much more they got than the other, as a share of the
            most that can be.
    """

    games: int
    points: float
    returned: float
    advantage: float


def rounds_of(result: MatchResult, most: float) -> Rounds:
    """The rounds of a match of two: pairs of games with the same deal, seats swapped."""
    found: Rounds = ([], [])
    for place in range(0, len(result.games), 2):
        games = result.games[place : place + 2]
        returned = [float(np.mean([game.returns[agent] for game in games])) for agent in (0, 1)]
        for agent in (0, 1):
            points = sum(1 / len(game.best) for game in games if agent in game.best)
            ahead = returned[agent] - returned[1 - agent]
            advantage = 0.5 + ahead / (2 * most)
            found[agent].append(Round(len(games), points, returned[agent], advantage))
    return found
