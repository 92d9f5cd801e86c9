"""Stated probabilities beside exact ones: scores, how the gap grows, and how evidence is weighed.

The scores are proper (Gneiting and Raftery 2007): nobody can expect a better one than by stating
what the exact posterior says. Kullback-Leibler divergence is the expected loss of the logarithmic
score (Good 1952). Weights of evidence by its age are those of belief updating in psychology: too
little is conservatism (Edwards 1968), more of what came last recency (Hogarth and Einhorn 1992).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...data.checks import CERTAIN
from ..arrays.problem import Floats, Integers

#: The share that is taken for stated where something possible was given none.
FLOOR: Final = 1e-3
#: What is stated below this, or above one less this, is meant as a certainty.
MEANT: Final = 5e-3
#: Draws of the bootstrap, and fewest moments for one.
DRAWS: Final = 1000
FEWEST: Final = 4
#: The ages of evidence, in moments, of which each has a weight: from, and up to.
AGES: Final = ((0, 0), (1, 1), (2, 3), (4, 7), (8, 10**9))
#: Evidence of so many nats at least is some; and fewest changes for a weight.
EVIDENCE: Final = 1e-6
FEWEST_CHANGES: Final = 3
#: The condition of a regression that can be solved.
LEAST_SOUND: Final = 1e10
#: Bins of a calibration.
BINS: Final = 5

Interval = tuple[float, float]
Counts = Integers
"""The times that each draw of the bootstrap has each moment."""


@dataclass(frozen=True, eq=False)
class StatedBelief:
    """Probabilities of one hidden thing that somebody stated at a moment.

    Attributes:
        event: The moment: after how many events.
        about: The name of the hidden thing.
        exact: The probability of every value, from the exact posterior.
        stated: The same as it was stated.
        truth: The place of the true value; None where nobody knows.

    >>> from sleuth.beliefs.judging.stated import StatedBelief
    >>> import numpy as np
    >>> one = StatedBelief(3, "card", exact=np.array([0.5, 0.5]), stated=np.array([0.75, 0.25]))
    >>> round(one.kl_bits, 3), one.entropy_bits, round(one.brier, 3), one.exact_brier
    (0.208, 1.0, 0.625, 0.5)
    """

    event: int
    about: str
    exact: Floats
    stated: Floats
    truth: int | None = None

    @property
    def missed(self) -> bool:
        """True if something that is possible was given no probability at all."""
        return bool(((self.stated <= 0.0) & (self.exact > CERTAIN)).any())

    @property
    def heard(self) -> Floats:
        """The stated probabilities, with a little for what is possible and was given none."""
        if not self.missed:
            return self.stated
        floored = np.where((self.stated <= 0.0) & (self.exact > CERTAIN), FLOOR, self.stated)
        return floored / floored.sum()

    @property
    def entropy_bits(self) -> float:
        """The expected logarithmic score of the exact posterior: the least that there can be."""
        return _expected_bits(self.exact, self.exact)

    @property
    def log_bits(self) -> float:
        """The expected logarithmic score of what was stated, by the exact posterior; in bits."""
        return _expected_bits(self.exact, self.heard)

    @property
    def kl_bits(self) -> float:
        """Kullback-Leibler divergence of the exact posterior from what was stated, in bits."""
        return max(0.0, self.log_bits - self.entropy_bits)

    @property
    def brier(self) -> float:
        """The expected Brier score of what was stated, by the exact posterior; from 0 to 2."""
        return self.exact_brier + float(((self.stated - self.exact) ** 2).sum())

    @property
    def exact_brier(self) -> float:
        """The expected Brier score of the exact posterior."""
        return 1.0 - float((self.exact**2).sum())

    def true_scores(self, shares: Floats) -> tuple[float, float] | None:
        """Logarithmic score in bits, and Brier score, of probabilities by what was true."""
        if self.truth is None:
            return None
        happened = np.zeros(len(shares))
        happened[self.truth] = 1.0
        bits = -math.log2(max(float(shares[self.truth]), 1e-12))
        return abs(bits), float(((shares - happened) ** 2).sum())


def _expected_bits(exact: Floats, stated: Floats) -> float:
    possible = exact > CERTAIN
    # `abs` because nothing is surprising with certainty: that would be minus zero.
    return abs(float((exact[possible] * np.log2(np.maximum(stated[possible], 1e-300))).sum()))


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % bootstrap interval over moments.

    Attributes:
        value: The number; None where there is too little to say.
        interval: None with too few moments.
    """

    value: float | None
    interval: Interval | None = None


@dataclass(frozen=True)
class AgeWeight:
    """The weight of evidence by how many moments ago it was seen; 1 is right.

    Attributes:
        newest: The fewest moments ago; 0 is what was seen last.
        oldest: The most moments ago; None for no limit.
        weight: How much of it is in what is stated.
    """

    newest: int
    oldest: int | None
    weight: Estimate


@dataclass(frozen=True)
class StatedBin:
    """Values to which about the same probability was stated.

    Attributes:
        low, high: The bounds of the bin.
        count: How many values.
        stated: Their mean stated probability.
        exact: Their mean exact probability.
        happened: The share that was true; None where nobody knows.
    """

    low: float
    high: float
    count: int
    stated: float
    exact: float
    happened: float | None


@dataclass(frozen=True)
class StatedScores:
    """The scores of all that was stated, and how evidence was weighed.

    Attributes:
        kl_bits: Mean divergence from the exact posterior.
        log_bits: Mean expected logarithmic score; the exact posterior's is ``entropy_bits``.
        entropy_bits: Mean expected logarithmic score of the exact posterior.
        brier: Mean expected Brier score; the exact posterior's is ``exact_brier``.
        exact_brier: Mean expected Brier score of the exact posterior.
        true_log_bits: Mean logarithmic score by what was true; no value where nobody knows.
        true_brier: Mean Brier score by what was true.
        exact_true_log_bits: That logarithmic score of the exact posterior.
        exact_true_brier: That Brier score of the exact posterior.
        growth: By how many bits the divergence grows from one moment to the next.
        early_kl_bits: Mean divergence in the first third of the moments.
        late_kl_bits: The same in the last third.
        slope: How many nats of log odds a nat of new evidence moves what is stated: 1 is right,
            less is conservatism.
        lagged: How many nats the evidence of the moment before still moves it: 0 is right, negative
            where it is taken back.
        weights: The weight of evidence by its age.
        recency: The weight of what was seen last less that of the oldest: 0 is right.
        calibration: Stated probabilities beside exact ones, in bins.
        calibration_error: Mean distance of the two, weighed by how many values there are.
    """

    kl_bits: Estimate
    log_bits: Estimate
    entropy_bits: Estimate
    brier: Estimate
    exact_brier: Estimate
    true_log_bits: Estimate
    true_brier: Estimate
    exact_true_log_bits: Estimate
    exact_true_brier: Estimate
    growth: Estimate
    early_kl_bits: float
    late_kl_bits: float
    slope: Estimate
    lagged: Estimate
    weights: tuple[AgeWeight, ...]
    recency: Estimate
    calibration: tuple[StatedBin, ...]
    calibration_error: float


def stated_scores(beliefs: Sequence[StatedBelief], *, seed: int = 0) -> StatedScores:
    """Score what was stated, over all moments.

    Args:
        beliefs: At least one, in any order.
        seed: Of the bootstrap.

    >>> import numpy as np
    >>> from sleuth.beliefs.judging.stated import StatedBelief, stated_scores
    >>> half, sure = np.array([0.5, 0.5]), np.array([0.9, 0.1])
    >>> stated = [StatedBelief(0, "coin", half, half), StatedBelief(1, "coin", sure, half)]
    >>> scores = stated_scores(stated)
    >>> round(scores.kl_bits.value, 3), scores.early_kl_bits
    (0.266, 0.0)
    """
    moments = sorted({each.event for each in beliefs})
    by_moment = {moment: [b for b in beliefs if b.event == moment] for moment in moments}
    drawn = _drawn(len(moments), seed)

    def mean(of: Callable[[StatedBelief], float | None]) -> Estimate:
        sums = np.zeros((len(moments), 2))
        for place, moment in enumerate(moments):
            values = [value for each in by_moment[moment] if (value := of(each)) is not None]
            sums[place] = sum(values), len(values)
        return _estimate(sums, drawn)

    def true(which: int, shares: Callable[[StatedBelief], Floats]) -> Estimate:
        def of(each: StatedBelief) -> float | None:
            found = each.true_scores(shares(each))
            return None if found is None else found[which]

        return mean(of)

    gaps = [[each.kl_bits for each in by_moment[moment]] for moment in moments]
    divergence = np.array([sum(each) / len(each) for each in gaps], dtype=np.float64)
    third = max(1, len(moments) // 3)
    rows = _rows(beliefs, moments)
    weights = [_weight(rows, drawn, place) for place in range(len(AGES))]
    bins = tuple(_calibration(beliefs))
    return StatedScores(
        kl_bits=mean(lambda each: each.kl_bits),
        log_bits=mean(lambda each: each.log_bits),
        entropy_bits=mean(lambda each: each.entropy_bits),
        brier=mean(lambda each: each.brier),
        exact_brier=mean(lambda each: each.exact_brier),
        true_log_bits=true(0, lambda each: each.heard),
        true_brier=true(1, lambda each: each.stated),
        exact_true_log_bits=true(0, lambda each: each.exact),
        exact_true_brier=true(1, lambda each: each.exact),
        growth=_growth(np.array(moments, dtype=float), divergence, drawn),
        early_kl_bits=float(divergence[:third].mean()),
        late_kl_bits=float(divergence[-third:].mean()),
        slope=_fitted(rows.moment, rows.change, rows.news[:, :1], drawn, lambda b: b[:, 0]),
        lagged=_fitted(rows.moment, rows.change, rows.news, drawn, lambda b: b[:, 1]),
        weights=tuple(
            AgeWeight(newest, oldest if oldest < 10**9 else None, weight)
            for (newest, oldest), weight in zip(AGES, weights, strict=True)
            if weight.value is not None
        ),
        recency=_recency(rows, drawn),
        calibration=bins,
        calibration_error=sum(b.count * abs(b.stated - b.exact) for b in bins)
        / max(1, sum(b.count for b in bins)),
    )


# Intervals


def _drawn(count: int, seed: int) -> Counts | None:
    """The times that each draw of the bootstrap has each moment, shape (draws, moments)."""
    if count < FEWEST:
        return None
    rng = np.random.default_rng(seed)
    return rng.multinomial(count, np.full(count, 1.0 / count), DRAWS)


def _interval(values: Floats) -> Interval | None:
    finite = values[np.isfinite(values)]
    if len(finite) < DRAWS // 2:
        return None
    low, high = np.quantile(finite, (0.025, 0.975)).tolist()
    return low, high


def _estimate(sums: Floats, drawn: Counts | None) -> Estimate:
    """The mean of sums and counts by moment, shape (moments, 2)."""
    total, count = sums.sum(axis=0).tolist()
    if not count:
        return Estimate(None)
    if drawn is None:
        return Estimate(total / count)
    again = drawn @ sums
    with np.errstate(divide="ignore", invalid="ignore"):
        return Estimate(total / count, _interval(again[:, 0] / again[:, 1]))


def _growth(moments: Floats, divergence: Floats, drawn: Counts | None) -> Estimate:
    """The slope of the divergence over the moments, with its interval."""
    whole = np.ones((1, len(moments)))
    weights = whole if drawn is None else np.concatenate((whole, drawn))
    here = moments - (weights @ moments / weights.sum(axis=1))[:, None]
    spread = (weights * here**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = (weights * here) @ divergence / spread
    if not spread[0] > 0.0:
        return Estimate(None)
    return Estimate(float(slopes[0]), None if drawn is None else _interval(slopes[1:]))


# Order effects


@dataclass(frozen=True, eq=False)
class _Rows:
    """Changes of log odds, a row for each value at each moment at which they can be told.

    Attributes:
        moment: The place of the moment, shape (rows,).
        change: By how much what is stated changed since the moment before.
        news: By how much what is exact did, and by how much at the moment before; shape (rows, 2).
        level: By how much what is stated changed since the beginning.
        ages: By how much what is exact did at moments of each age; shape (rows, ages).
    """

    moment: Integers
    change: Floats
    news: Floats
    level: Floats
    ages: Floats


def _rows(beliefs: Sequence[StatedBelief], moments: Sequence[int]) -> _Rows:
    place = {moment: number for number, moment in enumerate(moments)}
    series: dict[tuple[str, int], dict[int, tuple[float, float]]] = {}
    for each in beliefs:
        for value in range(len(each.exact) if len(each.exact) > 2 else 1):
            exact, stated = float(each.exact[value]), float(each.stated[value])
            if CERTAIN < exact < 1.0 - CERTAIN and CERTAIN < stated < 1.0 - CERTAIN:
                odds = series.setdefault((each.about, value), {})
                odds[place[each.event]] = (_log_odds(exact), _log_odds(stated))
    rows: list[tuple[float, ...]] = []
    for odds in series.values():
        for run in _runs(sorted(odds)):
            exact = np.array([odds[number][0] for number in run])
            stated = np.array([odds[number][1] for number in run])
            news = np.diff(exact)
            for number in range(1, len(run)):
                aged = [
                    float(news[max(0, number - 1 - oldest) : max(0, number - newest)].sum())
                    for newest, oldest in AGES
                ]
                before = float(news[number - 2]) if number > 1 else 0.0
                change = float(stated[number] - stated[number - 1])
                level = float(stated[number] - stated[0])
                rows.append((run[number], change, float(news[number - 1]), before, level, *aged))
    table = np.array(rows) if rows else np.zeros((0, 5 + len(AGES)))
    return _Rows(
        table[:, 0].astype(np.int64), table[:, 1], table[:, 2:4], table[:, 4], table[:, 5:]
    )


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Moments that follow each other without a gap."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _log_odds(share: float) -> float:
    return math.log(share) - math.log1p(-share)


def _fitted(
    moment: Integers,
    target: Floats,
    design: Floats,
    drawn: Counts | None,
    of: Callable[[Floats], Floats],
) -> Estimate:
    """A number of the coefficients of a regression through the origin.

    Args:
        moment: The place of each row's moment.
        target, design: What is regressed on what; shapes (rows,) and (rows, columns).
        drawn: The draws of the bootstrap.
        of: From coefficients, shape (draws, columns), to the number.
    """
    if not len(moment) or (np.abs(design) > EVIDENCE).sum(axis=0).min() < FEWEST_CHANGES:
        return Estimate(None)
    count, columns = int(moment.max()) + 1, design.shape[1]
    if drawn is not None:
        count = drawn.shape[1]
    squares, products = np.zeros((count, columns, columns)), np.zeros((count, columns))
    np.add.at(squares, moment, design[:, :, None] * design[:, None, :])
    np.add.at(products, moment, design * target[:, None])
    whole = np.ones((1, count))
    weights = whole if drawn is None else np.concatenate((whole, drawn))
    left = np.tensordot(weights, squares, axes=1)
    right = weights @ products
    sound = np.linalg.cond(left) < LEAST_SOUND
    if not sound[0]:
        return Estimate(None)
    solved = np.linalg.solve(left[sound], right[sound][:, :, None])[:, :, 0]
    found = of(np.asarray(solved, dtype=np.float64))
    return Estimate(float(found[0]), None if drawn is None else _interval(found[1:]))


def _told(rows: _Rows) -> list[int]:
    """The ages of which there is evidence enough."""
    enough = (np.abs(rows.ages) > EVIDENCE).sum(axis=0) >= FEWEST_CHANGES
    return np.flatnonzero(enough).tolist() if len(rows.moment) else []


def _weight(rows: _Rows, drawn: Counts | None, age: int) -> Estimate:
    told = _told(rows)
    if age not in told:
        return Estimate(None)
    at = told.index(age)
    return _fitted(rows.moment, rows.level, rows.ages[:, told], drawn, lambda b: b[:, at])


def _recency(rows: _Rows, drawn: Counts | None) -> Estimate:
    told = _told(rows)
    if len(told) < 2:
        return Estimate(None)
    return _fitted(rows.moment, rows.level, rows.ages[:, told], drawn, lambda b: b[:, 0] - b[:, -1])


# Calibration


def _calibration(beliefs: Sequence[StatedBelief]) -> list[StatedBin]:
    stated = np.concatenate([each.stated for each in beliefs])
    exact = np.concatenate([each.exact for each in beliefs])
    known = np.concatenate([np.full(len(each.exact), each.truth is not None) for each in beliefs])
    true = np.concatenate([np.arange(len(each.exact)) == each.truth for each in beliefs])
    place = np.minimum((stated * BINS).astype(int), BINS - 1)
    found: list[StatedBin] = []
    for number in range(BINS):
        here = place == number
        if here.any():
            told = here & known
            found.append(
                StatedBin(
                    number / BINS,
                    (number + 1) / BINS,
                    int(here.sum()),
                    float(stated[here].mean()),
                    float(exact[here].mean()),
                    float(true[told].mean()) if told.any() else None,
                )
            )
    return found
