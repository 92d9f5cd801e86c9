"""One test of a whole table beside a paper's numbers, and a correction for its many rows.

Rows that agree with the paper one by one can still all be lower than it: a row of 100 games has an
interval of 20 points. The mean over the rows tells more. Its standard error comes from a bootstrap
over deals, for rows of a table share their deals, so a lucky deal lifts many of them; and from the
paper's own sampling, in which rows that quote the same number have the same error.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, fisher_exact

from sleuth.data.intervals import NINETY_FIVE

from .outcomes import Outcomes

#: Samples of the bootstrap.
DRAWS = 2_000
#: Rows that share fewer deals say nothing of how much alike these are.
FEWEST_SHARED = 50
#: A difference is one below this p.
LEVEL = 0.05


@dataclass(frozen=True)
class Row:
    """A row of ours beside a paper's.

    Attributes:
        name: What it is called.
        won: Its games.
        paper: The paper's share.
    """

    name: str
    won: Outcomes
    paper: float

    def share(self, column: str) -> float:
        """Our share."""
        return self.won.total(column) / len(self.won)


@dataclass(frozen=True)
class Together:
    """What all rows of a table say together.

    Attributes:
        rows: How many there are.
        lower, higher: How many of ours are lower than the paper's, and higher.
        mean: Ours minus the paper's, over all rows.
        error: The standard error of that.
        apart: Names of the rows that differ from the paper's by Holm's correction for all rows.
    """

    rows: int
    lower: int
    higher: int
    mean: float
    error: float
    apart: tuple[str, ...]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        return self.mean - NINETY_FIVE * self.error, self.mean + NINETY_FIVE * self.error

    @property
    def p(self) -> float:
        """How often a mean is so far from 0 by chance; two-sided."""
        if self.error == 0.0:
            return float(self.mean == 0.0)
        return math.erfc(abs(self.mean) / self.error / math.sqrt(2.0))


def compare(
    rows: Sequence[Row], column: str, *, of: int | None, alike: float = 0.0, seed: int = 0
) -> Together:
    """Set rows beside a paper's numbers.

    Args:
        rows: The rows; all deals with the same number are the same.
        column: Of the outcomes: 1 for a win, else 0.
        of: From how many games each of the paper's numbers is; None if it does not say. They are
            exact then.
        alike: How much two rows are correlated deal by deal, for games of which only the sums are
            known, see `likeness`.
        seed: Of the bootstrap.
    """
    apart = [row.share(column) - row.paper for row in rows]
    chances = [_p(row, column, of) for row in rows]
    variance = _of_deals([row.won for row in rows], column, alike, seed)
    if of is not None:
        numbers = [row.paper for row in rows]
        for number in set(numbers):
            weight = numbers.count(number) / len(rows)
            variance += weight**2 * number * (1.0 - number) / of
    return Together(
        len(rows),
        sum(value < 0.0 for value in apart),
        sum(value > 0.0 for value in apart),
        float(np.mean(apart)),
        variance**0.5,
        tuple(row.name for row, p in zip(rows, holm(chances), strict=True) if p < LEVEL),
    )


def _p(row: Row, column: str, of: int | None) -> float:
    """How often a row is so far from the paper's by chance."""
    wins, games = round(row.won.total(column)), len(row.won)
    if of is None:
        return float(binomtest(wins, games, row.paper).pvalue)
    theirs = round(row.paper * of)
    found = cast(Any, fisher_exact([[wins, games - wins], [theirs, of - theirs]]))
    return float(found.pvalue)


def _of_deals(rows: Sequence[Outcomes], column: str, alike: float, seed: int) -> float:
    """The variance of the mean of the rows' shares, by a bootstrap over their deals."""
    rng = np.random.default_rng(seed)
    deals = max(map(len, rows))
    drawn = rng.multinomial(deals, np.full(deals, 1.0 / deals), size=DRAWS).astype(float)
    common = rng.standard_normal(DRAWS)
    means = np.zeros(DRAWS)
    for row in rows:
        known = np.zeros((deals, 2))
        for number, won in row.column(column).items():
            known[number] = won, 1.0
        wins, counts = (drawn @ known).T
        if row.earlier:
            # Of these games only the sum is known: as much alike those of other rows as usual.
            share, games = row.sums[column] / row.earlier, drawn[:, : row.earlier].sum(axis=1)
            own = rng.standard_normal(DRAWS)
            luck = math.sqrt(alike) * common + math.sqrt(1.0 - alike) * own
            wins += games * share + np.sqrt(games * share * (1.0 - share)) * luck
            counts += games
        means += wins / np.maximum(counts, 1.0) / len(rows)
    return float(means.var())


def likeness(tables: Iterable[Sequence[Outcomes]], column: str) -> float:
    """How much two rows of a table are correlated deal by deal, on average; at least 0."""
    found: list[float] = []
    for rows in tables:
        for one, other in itertools.combinations(rows, 2):
            first, second = one.column(column), other.column(column)
            both = [number for number in first if number in second]
            pair: NDArray[np.float64] = np.array(
                [[first[number], second[number]] for number in both]
            )
            if len(both) >= FEWEST_SHARED and pair.std(axis=0).all():
                found.append(float(np.asarray(np.corrcoef(pair.T))[0, 1]))
    return max(0.0, float(np.mean(found))) if found else 0.0


def holm(chances: Sequence[float]) -> list[float]:
    """The p of each of several tests, corrected so that one false alarm in all is as unlikely.

    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6 (1979).
    """
    found, least = [0.0] * len(chances), 0.0
    for done, place in enumerate(sorted(range(len(chances)), key=lambda each: chances[each])):
        least = max(least, min(1.0, (len(chances) - done) * chances[place]))
        found[place] = least
    return found
