"""The statistics of reliability: sums per game, how they vary, and whether they are zero."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from ..arrays.problem import Flags, Floats, Integers

#: A bin of the test expects successes, and failures, in at least so many games; in more where
#: its variance must be estimated from the same games. In simulations of 100 to 400 games, the
#: test then rejects calibrated predictions about as often as it says.
LEAST_EXPECTED = 10.0
LEAST_ESTIMATED = 40.0
#: Fewest independent games beyond the number of bins for which a variance is estimated.
LEAST_GAMES = 10
#: A variance below this part of what independent cells would have is none, but rounding.
NOTHING = 1e-9


@dataclass(frozen=True)
class Bin:
    """Cells with about the same predicted probability.

    Attributes:
        low: Least probability of the bin.
        high: Largest one.
        count: Number of cells.
        predicted: Their mean predicted probability.
        happened: The share of them that happened.
        lower: Lower end of the 95 % interval (Wilson, 1927) of that share; ``count`` is divided
            by the design effect of the games before.
        upper: Upper end.
    """

    low: float
    high: float
    count: int
    predicted: float
    happened: float
    lower: float
    upper: float


def sums_by_game(values: Floats, bin_of: Integers, game: Integers, bins: int, games: int) -> Floats:
    """Sum by game and bin, shape (games, bins)."""
    result = np.zeros((games, bins))
    np.add.at(result, (game, bin_of), values)
    return result


def largest_by_game(
    values: Floats, bin_of: Integers, game: Integers, bins: int, games: int
) -> Floats:
    """Largest by game and bin: a game counts once, however many cells it has."""
    result = np.zeros((games, bins))
    np.maximum.at(result, (game, bin_of), values)
    return result


@dataclass(frozen=True, eq=False, slots=True)
class Spread:
    """The spread of sums over all games if the predictions are calibrated.

    Attributes:
        covariance: Of the residuals by bin, shape (bins, bins).
        score: Variance of the sum of residuals times log odds.
    """

    covariance: Floats
    score: float


def simulated_spread(
    drawn: Flags,
    p: Floats,
    logit: Floats,
    bin_of: Integers,
    game: Integers,
    bins: int,
    games: int,
) -> Spread:
    """The spread that worlds drawn from the predictions show; ``drawn`` is (cells, draws)."""
    count = drawn.shape[1]
    covariance = np.zeros((bins, bins))
    score = 0.0
    for column in range(count):
        off = drawn[:, column] - p
        sums = sums_by_game(off, bin_of, game, bins, games)
        covariance += sums.T @ sums / count
        score += float((sums_by_game(off * logit, 0 * bin_of, game, 1, games) ** 2).sum()) / count
    return Spread(covariance, score)


def chi_square(
    residuals: Floats, merged: list[list[int]], covariance: Floats, independent: float
) -> tuple[float | None, tuple[int, int | None], float | None]:
    """Are the residuals of all games together zero in every bin, given their covariance?

    Args:
        residuals: By game and bin.
        merged: The bins that are taken together.
        covariance: Of the sums over all games, shape (bins, bins).
        independent: The variance that the sum of as many independent cells would have.
    """
    pick = _pick(merged, residuals.shape[1])
    total = residuals.sum(axis=0) @ pick
    statistic, rank = _distance(total, pick.T @ covariance @ pick, independent)
    if rank == 0 and math.isfinite(statistic):
        return _without_variance(residuals, merged, (0, None))
    if rank == 0:
        return statistic, (0, None), 0.0
    tail: Any = import_module("scipy.special").chdtrc
    return statistic, (rank, None), float(tail(rank, statistic))


def hotelling(
    residuals: Floats, merged: list[list[int]], independent: float
) -> tuple[float | None, tuple[int, int | None], float | None]:
    """Hotelling's T squared: is the mean residual of a game zero in every bin?

    Games are independent; their covariance across bins is estimated from the games.
    """
    games = residuals.shape[0]
    if games < 2:
        return None, (0, 0), None
    sums = residuals @ _pick(merged, residuals.shape[1])
    covariance = np.atleast_2d(np.cov(sums, rowvar=False))
    statistic, rank = _distance(sums.sum(axis=0), games * covariance, independent)
    left = games - rank
    if left < LEAST_GAMES or math.isinf(statistic):
        # What was the same in all games may yet differ in others.
        return None, (rank, max(left, 0)), None
    if rank == 0:
        return _without_variance(residuals, merged, (0, left))
    tail: Any = import_module("scipy.special").fdtrc
    p_value = float(tail(rank, left, statistic * left / (rank * (games - 1))))
    return statistic, (rank, left), p_value


def _without_variance(
    residuals: Floats, merged: list[list[int]], degrees: tuple[int, int | None]
) -> tuple[float | None, tuple[int, int | None], float | None]:
    """The statistics where the residuals of all bins are zero in every game, whatever happens.

    Three of four cards with somebody, say: of cells with 0.75, three of four happen in each game.
    The curve is as near as it can be. Nothing is known where it is so only because bins were put
    together for want of games.
    """
    if len(merged) < 2 and int(residuals.any(axis=0).sum()) > 1:
        return None, degrees, None
    return 0.0, degrees, 1.0


def _distance(total: Floats, covariance: Floats, independent: float) -> tuple[float, int]:
    """Squared distance from zero in this covariance, and its rank.

    Bins add up to nothing in each game where values exclude each other, so the rank may be below
    the number of bins. The distance is infinite where they do not, although they never vary.
    """
    values, vectors = np.linalg.eigh(covariance)
    held = values > NOTHING * max(float(values[-1]), independent, 1e-300)
    along = vectors.T @ total
    if (along[~held] ** 2 > 1e3 * NOTHING * independent).any():
        return math.inf, int(held.sum())
    return float((along[held] ** 2 / values[held]).sum()), int(held.sum())


def _pick(merged: list[list[int]], bins: int) -> Floats:
    """1 where a bin belongs to a group of bins, shape (bins, groups)."""
    result = np.zeros((bins, len(merged)))
    for group, members in enumerate(merged):
        result[members, group] = 1.0
    return result


def merge_bins(success: Floats, failure: Floats, least: float) -> list[list[int]]:
    """Neighbouring bins together until each expects enough of both outcomes."""
    groups: list[list[int]] = [[]]
    for number in range(success.shape[0]):
        groups[-1].append(number)
        if min(success[groups[-1]].sum(), failure[groups[-1]].sum()) >= least:
            groups.append([])
    if len(groups) > 1:
        rest = groups.pop()
        groups[-1].extend(rest)
    return groups


def games_to_tell(success: Floats, failure: Floats, least: float) -> int | None:
    """The number of games that make two groups of bins expect enough, by what these games expect.

    Rather too many than too few: what a game expects is taken as low as it may well be.

    Args:
        success: What is expected by game and bin, shape (games, bins); a game counts once.
        failure: The same of the opposite.
        least: What a group must expect, of both.

    Returns:
        None where bins are too few for two groups, however many games there are.
    """
    games, found = success.shape[0], math.inf
    for split in range(1, success.shape[1]):
        by_game = np.stack(
            [
                part.sum(axis=1)
                for whole in (success, failure)
                for part in (whole[:, :split], whole[:, split:])
            ]
        )
        mean, spread = by_game.mean(axis=1), by_game.std(axis=1)
        low = np.maximum(mean - 2.0 * spread / math.sqrt(games), mean / 4.0)
        if (low > 0.0).all():
            # n games expect n low, and twice sqrt(n) spread less if they are unlucky.
            root = (spread + np.sqrt(spread**2 + low * least)) / low
            found = min(found, float(root.max()) ** 2)
    return math.ceil(found) if math.isfinite(found) else None


def surprised(p: Floats, y: Floats, game: Integers, games: int) -> float:
    """Probability, at most, of as many games with a surprise, if all cells are calibrated.

    A surprise is what was less likely than not and happened, or the other way round. No game
    expects more of them than its cells together, however they depend on each other; games are
    independent, so that no more of them than a Poisson number are surprised (Hoeffding 1956, for
    numbers above the expected one by 1 or more; 1 for others). It needs no normal sums, so it
    finds out what is called nearly impossible and happens.
    """
    expected = np.bincount(game, weights=np.minimum(p, 1.0 - p), minlength=games)
    most = float(np.minimum(expected, 1.0).sum())
    seen = np.unique(game[np.abs(y - p) > 0.5]).shape[0]
    if seen < most + 1.0:
        return 1.0
    tail: Any = import_module("scipy.special").pdtrc
    return float(tail(seen - 1, most))


def recalibration_slope(
    logit: Floats, y: Floats, game: Integers, games: int
) -> tuple[float | None, float | None]:
    """Logistic recalibration: its slope, and the slope's standard error over games."""
    if y.shape[0] < 3 or games < LEAST_GAMES:
        return None, None
    design = np.stack([np.ones_like(logit), logit], axis=1)
    beta = np.array([0.0, 1.0])
    for _ in range(50):
        fitted = 1.0 / (1.0 + np.exp(-np.clip(design @ beta, -700.0, 700.0)))
        weight = fitted * (1.0 - fitted)
        information = design.T @ (weight[:, None] * design)
        if np.linalg.cond(information) > 1e12:
            return None, None
        step = np.linalg.solve(information, design.T @ (y - fitted))
        beta = beta + step
        if np.abs(step).max() < 1e-10:
            break
    else:
        return None, None
    by_game = np.stack(
        [np.bincount(game, weights=(y - fitted) * column, minlength=games) for column in design.T],
        axis=1,
    )
    bread = np.linalg.inv(information)
    sandwich = bread @ (by_game.T @ by_game) @ bread
    if sandwich[1, 1] <= NOTHING * bread[1, 1]:
        return None, None  # the same in every game: its error is none, but rounding
    return float(beta[1]), math.sqrt(float(sandwich[1, 1]))
