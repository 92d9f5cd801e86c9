"""Reliability curves and a test if predicted probabilities come true as often as they say.

Cells of one game depend on each other (somebody has each card, and nobody else has it), so
nothing here takes them as independent: the test works on sums per game, and intervals are
widened by the design effect. How much such sums vary is best known from worlds drawn from the
predictions themselves, game by game (`draws`): if the predictions are calibrated, the truth is
one more such world. Without them it is estimated from the games, which takes more games.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np
from numpy.typing import ArrayLike

from ...data.checks import CERTAIN, whole_number
from ...data.errors import SettingsError
from ...data.intervals import wilson
from ...data.tables import aligned, html_shown, html_table
from ..arrays.problem import Flags, Floats, Integers
from .reliability_statistics import (
    LEAST_ESTIMATED,
    LEAST_EXPECTED,
    NOTHING,
    Bin,
    Spread,
    chi_square,
    games_to_tell,
    hotelling,
    largest_by_game,
    merge_bins,
    recalibration_slope,
    simulated_spread,
    sums_by_game,
    surprised,
)

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

#: The columns of a curve as a table.
HEADS: Final = ("predicted", "happened", "95 % interval", "probabilities")
#: Most bins of a curve.
MOST_BINS: Final = 1_000

#: Too few games for the test are said to tell only where so many surprises are less probable.
SURPRISING: Final = 0.05


@dataclass(frozen=True)
class Reliability:
    """The comparison of predicted probabilities with what happened.

    Attributes:
        bins: The reliability curve; certain cells are left out, and so are empty bins.
        cells: Number of cells, certain ones included.
        games: Number of independent games.
        certain: Cells that were given 0 or 1.
        refuted: Certain cells of which the opposite happened; one is too many.
        expected_error: Mean distance of curve and diagonal, weighted by count (the expected
            calibration error).
        statistic: Squared distance of the residuals by bin from zero, in their own covariance:
            chi-square with draws, Hotelling's T squared without.
        degrees: Its degrees of freedom: independent bins, and for T squared the games left over.
        p_value: Probability of a statistic at least as large if all cells are calibrated; None
            with too few games to tell. 0 if a certainty that was meant was refuted; 1 if all were
            certain and came true, or the bins come out right in every game, whatever happens. With
            too few games for the statistic, what happens far more often than it should is found
            out all the same: then it is the probability, at most, of so many games with a surprise.
        slope: Slope of the logistic regression of what happened on the predicted log odds:
            1 is calibrated, below 1 overconfident; None where it cannot be fitted, or is the same
            in every game.
        slope_error: Its standard error over games.
        z: Score statistic of that slope against 1, standard normal if calibrated; negative for
            overconfidence; None where it never varies, or less than one surprise is expected.
        brier: Mean squared difference of probability and 0 or 1.
        log_score_bits: Mean of -log2 of the probability given to what happened, per cell.
        left_out: Cells that the test leaves out, because their bins expect too few successes or
            failures to judge, and to put them together with others would hide those.
        games_needed: With too few games to tell, about how many would do, by what these games
            expect; None where that is not known.

    >>> from sleuth import reliability
    >>> found = reliability([0.2, 0.2, 0.9, 0.9], [0, 0, 1, 1], bins=5)
    >>> [(each.count, round(each.predicted, 2)) for each in found.bins]
    [(2, 0.2), (2, 0.9)]
    >>> found
    <Reliability of 4 probabilities in 4 games, too few to tell>
    >>> print(found)
    predicted  happened   95 % interval  probabilities
    0.200         0.000  0.000 to 0.658              2
    0.900         1.000  0.342 to 1.000              2
    >>> len(found.to_frame()), found.verdict, len(found.to_text().splitlines())
    (2, 'too few to tell', 3)
    >>> found.plot("curve.svg").name
    'curve.svg'
    """

    bins: tuple[Bin, ...]
    cells: int
    games: int
    certain: int
    refuted: int
    expected_error: float
    statistic: float | None
    degrees: tuple[int, int | None]
    p_value: float | None
    slope: float | None
    slope_error: float | None
    z: float | None
    brier: float
    log_score_bits: float
    left_out: int = 0
    games_needed: int | None = None

    def __repr__(self) -> str:
        judged = f"{self.cells:,} probabilities in {self.games:,} games"
        return f"<Reliability of {judged}, {self.verdict}>"

    @property
    def verdict(self) -> str:
        """The probability that calibrated cells are as far off, in words."""
        return "too few to tell" if self.p_value is None else f"p-value {self.p_value:.2g}"

    def to_frame(self) -> pandas.DataFrame:
        """One row a bin of the curve: what `Bin` says."""
        import pandas

        return pandas.DataFrame(map(asdict, self.bins), columns=[each.name for each in fields(Bin)])

    def to_text(self) -> str:
        """The curve as a table for people."""
        return "\n".join(aligned([HEADS, *self._rows()]))

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return html_shown(html_table(HEADS, self._rows(), caption=repr(self).strip("<>")))

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (
                f"{each.predicted:.3f}",
                f"{each.happened:.3f}",
                f"{each.lower:.3f} to {each.upper:.3f}",
                f"{each.count:,}",
            )
            for each in self.bins
        ]

    @overload
    def plot(self, path: str | Path, *, ax: Axes | None = None, title: str = "") -> Path: ...
    @overload
    def plot(self, path: None = None, *, ax: Axes | None = None, title: str = "") -> Axes: ...
    def plot(
        self, path: str | Path | None = None, *, ax: Axes | None = None, title: str = ""
    ) -> Path | Axes:
        """Draw the curve.

        Args:
            path: Where the picture goes; its ending says the format. None for one to look at, which
                a notebook shows below its cell.
            ax: Axes for the curve alone; None for a figure of its own.
            title: The words for the curve in the legend.

        Returns:
            The path, else the axes.
        """
        return plot_reliability({title: self}, path, ax=ax)


@overload
def plot_reliability(
    curves: Mapping[str, Reliability], path: str | Path, *, ax: Axes | None = None
) -> Path: ...
@overload
def plot_reliability(
    curves: Mapping[str, Reliability], path: None = None, *, ax: Axes | None = None
) -> Axes: ...
def plot_reliability(
    curves: Mapping[str, Reliability], path: str | Path | None = None, *, ax: Axes | None = None
) -> Path | Axes:
    """Draw several curves in one picture, named by the keys.

    Args:
        curves: The curves by their names.
        path: Where the picture goes; None for one to look at.
        ax: Axes for the curves alone; None for a figure of its own.

    Returns:
        The path, else the axes.
    """
    from .reliability_plot import plot

    return plot(curves, path, ax)


class ReliabilityCells:
    """Collects predicted probabilities and what happened, game by game.

    >>> from sleuth.beliefs.judging.reliability import ReliabilityCells
    >>> cells = ReliabilityCells()
    >>> for game in range(40):
    ...     cells.add([0.25, 0.75], happened=int(game % 4 > 0), game=game)
    >>> cells.reliability(bins=4).expected_error
    0.0
    """

    def __init__(self) -> None:
        self._predicted: list[Floats] = []
        self._happened: list[Floats] = []
        self._games: list[Integers] = []
        self._draws: list[Flags] = []

    def add(
        self, shares: ArrayLike, *, happened: int, game: int, drawn: ArrayLike | None = None
    ) -> None:
        """One distribution over values, and the place of the value that happened.

        Args:
            shares: Probability of every value.
            happened: Place of the true one.
            game: Number of the game.
            drawn: Places of the value in worlds drawn from the prediction, shape (draws,); the
                same worlds for all distributions of a game. Given always or never.
        """
        predicted = np.array(shares, dtype=np.float64)
        if drawn is not None:
            places = np.array(drawn, dtype=np.int64)
            flags = np.zeros((predicted.shape[0], places.shape[0]), dtype=np.int8)
            flags[places, np.array(range(places.shape[0]))] = 1
            self._draws.append(flags)
        truth = np.zeros_like(predicted)
        truth[happened] = 1.0
        self._predicted.append(predicted)
        self._happened.append(truth)
        self._games.append(np.zeros(predicted.shape[0], dtype=np.int64) + game)

    def reliability(self, bins: int = 10, *, certainty: bool = True) -> Reliability:
        """The reliability of all that was added; see `reliability`.

        Raises:
            SettingsError: Nothing was added.
        """
        if not self._predicted:
            raise SettingsError("there is nothing to judge", value=0)
        return reliability(
            np.concatenate(self._predicted),
            np.concatenate(self._happened),
            games=np.concatenate(self._games),
            draws=np.concatenate(self._draws) if self._draws else None,
            bins=bins,
            certainty=certainty,
        )


def reliability(
    predicted: ArrayLike,
    happened: ArrayLike,
    *,
    games: ArrayLike | None = None,
    draws: ArrayLike | None = None,
    bins: int = 10,
    certainty: bool = True,
) -> Reliability:
    """Compare predicted probabilities with what happened.

    Args:
        predicted: Probability of every cell, shape (cells,).
        happened: 1 (or True) where it happened, else 0, shape (cells,).
        games: Number of the game each cell is from, shape (cells,). Cells of one game may
            depend on each other in any way; without it, all are taken as independent.
        draws: What happens in worlds drawn from the predictions, 0 or 1, shape (cells, draws);
            all cells of a game in the same worlds.
        bins: Bins of equal width of the curve.
        certainty: Whether 0 and 1 are meant. A sampling method that never drew a value does not
            say that it is impossible; without, such cells are only counted.

    Raises:
        SettingsError: The arrays do not fit, or hold other than probabilities and outcomes.

    >>> from sleuth import reliability
    >>> found = reliability(predicted=[0.25, 0.25, 0.25, 0.25, 0.9], happened=[0, 0, 1, 0, 1])
    >>> round(found.expected_error, 3)
    0.02
    """
    p = np.array(predicted, dtype=np.float64)
    y = np.array(happened, dtype=np.float64)
    label = np.array(range(p.shape[0]) if games is None else games)
    bins = whole_number(bins, "bins", least=1, most=MOST_BINS)
    _check(p, y, label)
    p = np.clip(p, 0.0, 1.0)
    _, game = np.unique(label, return_inverse=True)
    game_count = int(game.max()) + 1
    certain = (p <= CERTAIN) | (p >= 1.0 - CERTAIN)
    refuted = int((np.abs(p - y)[certain] > 0.5).sum())
    with np.errstate(divide="ignore"):
        log_score = float(-np.log2(np.where(y == 1.0, p, 1.0 - p)).mean())
    brier = float(((p - y) ** 2).mean())
    open_p, open_y, open_game = p[~certain], y[~certain], game[~certain]
    bin_of = np.minimum((open_p * bins).astype(np.int64), bins - 1)
    logit = np.log(open_p) - np.log1p(-open_p)
    residuals = sums_by_game(open_y - open_p, bin_of, open_game, bins, game_count)
    score = sums_by_game((open_y - open_p) * logit, 0 * bin_of, open_game, 1, game_count)
    spread = Spread(residuals.T @ residuals, float((score**2).sum()))
    if draws is not None:
        drawn = np.array(draws, dtype=np.int8)
        if drawn.ndim != 2 or drawn.shape[0] != p.shape[0] or drawn.shape[1] == 0:
            raise SettingsError("draws have one row for every cell", value=drawn.shape)
        spread = simulated_spread(
            drawn[~certain], open_p, logit, bin_of, open_game, bins, game_count
        )
    variance = np.diag(spread.covariance)
    # The design effect: how much more sums vary than those of independent cells.
    independent = open_p * (1.0 - open_p)
    pooled = float(variance.sum()) / max(float(independent.sum()), 1e-300)
    curve = [
        _bin(number, bins, open_p[inside], open_y[inside], float(variance[number]), pooled)
        for number in range(bins)
        if (inside := bin_of == number).any()
    ]
    off = math.fsum(entry.count * abs(entry.predicted - entry.happened) for entry in curve)
    success, failure = (
        largest_by_game(chance, bin_of, open_game, bins, game_count)
        for chance in (open_p, 1.0 - open_p)
    )
    expected = success.sum(axis=0), failure.sum(axis=0)
    left_out = 0
    games_needed: int | None = None
    if draws is not None:
        merged = merge_bins(expected[0], expected[1], LEAST_EXPECTED)
        statistic, degrees, p_value = chi_square(
            residuals, merged, spread.covariance, float(independent.sum())
        )
        enough = np.minimum(expected[0], expected[1]) >= LEAST_EXPECTED
        kept = [[number for number in group if enough[number]] or group for group in merged]
        judged = np.isin(np.array(range(bins)), [number for group in kept for number in group])
        alone = chi_square(
            residuals * judged, kept, spread.covariance, float(independent[judged[bin_of]].sum())
        )
        if p_value is None or degrees[0] > alone[1][0]:
            # Only rare values vary in a group: too few draws have them to say how much.
            statistic, degrees, p_value = alone
            left_out = int((~judged[bin_of]).sum())
        if p_value is None:
            games_needed = games_to_tell(success, failure, LEAST_EXPECTED)
    else:
        merged = merge_bins(expected[0], expected[1], LEAST_ESTIMATED)
        statistic, degrees, p_value = hotelling(residuals, merged, float(independent.sum()))
    if not open_p.size:
        # Certainties that all came true, where they were meant.
        statistic, p_value = None, 1.0 if certainty else None
    elif p_value is None or left_out:
        surprise = surprised(open_p, open_y, open_game, game_count)
        if surprise < SURPRISING:
            p_value = surprise if p_value is None else min(p_value, 2.0 * surprise)
    # Where hardly a surprise is expected, sums are not normal.
    varies = independent.sum() >= 1.0
    varies = varies and spread.score > NOTHING * float((independent * logit**2).sum())
    slope, slope_error = recalibration_slope(logit, open_y, open_game, game_count)
    return Reliability(
        bins=tuple(curve),
        cells=p.shape[0],
        games=game_count,
        certain=int(certain.sum()),
        refuted=refuted,
        expected_error=off / max(open_p.shape[0], 1),
        statistic=statistic,
        degrees=degrees,
        p_value=0.0 if refuted and certainty else p_value,
        slope=slope,
        slope_error=slope_error,
        z=float(score.sum()) / math.sqrt(spread.score) if varies else None,
        brier=brier,
        log_score_bits=log_score,
        left_out=left_out,
        games_needed=games_needed if p_value is None else None,
    )


def _check(p: Floats, y: Floats, label: Any) -> None:
    if p.ndim != 1 or p.shape != y.shape or p.shape != label.shape or p.shape[0] == 0:
        raise SettingsError(
            "predicted, happened and games are rows of one length, and not empty",
            value=(p.shape, y.shape, label.shape),
        )
    wrong = ~((p >= -1e-9) & (p <= 1.0 + 1e-9))
    if wrong.any():
        raise SettingsError("a predicted probability is in [0, 1]", value=float(p[wrong][0]))
    if not ((y == 0.0) | (y == 1.0)).all():
        raise SettingsError("what happened is 0 or 1", value=float(y[(y != 0.0) & (y != 1.0)][0]))


def _bin(number: int, bins: int, p: Floats, y: Floats, variance: float, pooled: float) -> Bin:
    independent = float((p * (1.0 - p)).sum())
    # A bin with few surprises says little of its own design effect, and leans on that of all.
    lean = LEAST_EXPECTED * pooled
    design_effect = max(1.0, (variance + lean * pooled) / (independent + lean))
    trials = p.shape[0] / design_effect
    lower, upper = wilson(float(y.mean()) * trials, trials)
    return Bin(
        low=number / bins,
        high=(number + 1) / bins,
        count=p.shape[0],
        predicted=float(p.mean()),
        happened=float(y.mean()),
        lower=lower,
        upper=upper,
    )


__all__: Sequence[str] = [
    "Bin",
    "Reliability",
    "ReliabilityCells",
    "plot_reliability",
    "reliability",
]
