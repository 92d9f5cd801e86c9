"""The worth of passing in Clue, to a player who could accuse now or later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from ....models.clue.imagined.race import BY_BITS, CERTAIN, LATE, ROUNDS, hazard
from ...arrays.layout import Floats

#: How likely players are to accuse who know the case file, before anything says so.
ABLE: Final = 0.9
#: Which part of the doubt about their likeliest case file is left to people who ask well, from each
#: round to the next, by the bits that are open (at least so many); for rounds that are rarely
#: reached. These numbers are those of `benchmarks/clue/race.py --games 40 60 16 8`.
DOUBT_LATE: Final = 0.5
DOUBT_LEFT: Final = (
    (0.0, (0.42,)),
    (1.0, (0.42,)),
    (1.5, (0.39,)),
    (2.0, (0.68, 0.41)),
    (2.5, (0.76, 0.63, 0.59)),
    (3.0, (0.73, 0.58, 0.52)),
    (4.0, (0.84, 0.78, 0.70, 0.65)),
    (5.0, (0.85, 0.80, 0.63, 0.60)),
    (6.0, (0.92, 0.82, 0.74, 0.56)),
)

#: Bits that the last class of a table is taken to be wide.
WIDTH: Final = 1.2
Rows = Sequence[tuple[float, Sequence[float]]]


@dataclass(frozen=True)
class Outlook:
    """A player's expectations before they accuse or pass.

    Attributes:
        right: How likely the likeliest case file is the true one.
        after: How likely it will be after their next suggestion.
        sooner: How likely somebody else accuses rightly before it.
        waiting: How likely they are to win if they pass now.
    """

    right: float
    after: float
    sooner: float
    waiting: float


def outlook(
    weights: Floats,
    hits: Floats,
    then: Floats,
    now: Floats,
    mine: Floats,
    pace: float,
    able: float | Floats = ABLE,
) -> Outlook:
    """A player's expectations, from some deals.

    If somebody would have known the case file at their last turn, and passed all the same, they do
    not know how to find it out. Of what they have seen since then they could not make use yet: at
    their next turn they will.

    Args:
        weights: How likely each deal is by what was seen, without passing; shape (deals,).
        hits: Whether the likeliest case file is right there; shape (deals,).
        then: Bits of the case file that were open to each rival in each deal after their last
            suggestion; shape (deals, rivals).
        now: Those that are open to them now.
        mine: How likely the likeliest case file seems, how likely it will after the next
            suggestion, and the bits open.
        pace: Suggestions of a player in a round.
        able: How likely each rival is to accuse who knows the case file; shape (rivals,), or one
            number for all.
    """
    weights = after_passing(weights, then, able)
    right = float(weights @ hits)
    still = free_rounds(weights, then, now, pace, able)
    unless = still / np.concatenate(([1.0], still[:-1]))
    seems, will, bits = mine.tolist()
    after = 1.0 - (1.0 - right) * (1.0 - will) / max(1.0 - seems, CERTAIN)
    after = min(max(after, right), 1.0)
    knows = hazard(np.array([[bits]]))[0]
    waiting = worth_of_waiting(after, pace * knows, unless)
    return Outlook(right, after, float(1.0 - unless[0]), waiting)


def after_passing(weights: Floats, then: Floats, able: float | Floats = ABLE) -> Floats:
    """The probability of each deal, given that the rivals have passed; shape (deals,), sum 1.

    A deal in which somebody would have known the case file at their last turn is less likely.

    Args:
        weights, then, able: As for `outlook`.
    """
    found = weights * np.where(then < CERTAIN, 1.0 - np.asarray(able), 1.0).prod(axis=1)
    return found / found.sum()


def worth_of_waiting(after: float, knows: Floats, unless: Floats) -> float:
    """The probability that a player wins who passes now and does what is best at each later turn.

    At each turn they know the case file and accuse, or they do not, and then accuse all the same
    or pass again, whichever is worth more. In the last round they accuse.

    Args:
        after: How likely the likeliest case file is the true one at the next turn.
        knows: How likely they know the case file after each round, if they did not before it.
        unless: How likely nobody else accuses rightly in each round, if nobody did before it.
    """
    unsure = max(0.0, after - float(knows[0])) / max(1.0 - float(knows[0]), CERTAIN)
    worth = 0.0
    for sure, free in zip(knows[::-1].tolist(), unless[::-1].tolist(), strict=True):
        worth = free * (sure + (1.0 - sure) * max(unsure, worth))
    return worth


def free_rounds(
    weights: Floats, then: Floats, now: Floats, pace: float, able: float | Floats = ABLE
) -> Floats:
    """The probability that nobody else has accused rightly after each round; shape (rounds,).

    Args:
        weights, then, now, pace, able: As for `outlook`; weights need not add up to 1.
    """
    total = float(weights.sum())
    still = _free(then, now, pace, able)
    return np.array((weights / (total or 1.0)) @ still, dtype=np.float64)


def _free(then: Floats, now: Floats, pace: float, able: float | Floats) -> Floats:
    """The same in each deal; shape (deals, rounds)."""
    knew = then < CERTAIN
    soon = np.array([hazard(row[None, :]) for row in now]).reshape(*now.shape, ROUNDS)
    ready = np.broadcast_to(able, knew.shape)[..., None]
    free = (1.0 - pace * ready * np.where(knew[..., None], 0.0, soon)).prod(axis=1)
    return np.array(np.cumprod(free, axis=1), dtype=np.float64)


def worth_of_race(
    sure: Floats,
    bits: Floats,
    hit: Floats,
    miss: Floats,
    *,
    first: float = 1.0,
    pace: float = 1.0,
) -> Floats:
    """The win probability of those who pass now, and accuse when certain or at the best turn.

    Args:
        sure: How likely the likeliest case file is the true one; shape (n,).
        bits: What is open of the case file; shape (n,).
        hit, miss: How likely nobody else has accused rightly after each of the next rounds, where
            that case file is the true one and where it is not; shape (rounds,).
        first: Which part of the doubt the next suggestion leaves, at most.
        pace: Suggestions of a player in a round.
    """
    left = np.minimum(doubt_left(bits, pace), 1.0 - pace * (1.0 - first))
    know = knowing(bits, pace)
    # If it is wrong now, so likely they are right by then, and so likely they are certain.
    right = 1.0 - left
    worth = sure[:, None] * _by_round(know, np.ones_like(know), hit)
    worth += (1.0 - sure[:, None]) * _by_round(np.minimum(know, right), right, miss)
    return np.array(worth.max(axis=1), dtype=np.float64)


def _by_round(know: Floats, right: Floats, free: Floats) -> Floats:
    """The win probability of players who accuse in each round at last; shape (n, rounds).

    Args:
        know, right: How likely they are certain, and right, after each round; shape (n, rounds).
        free: How likely nobody else was right before; shape (rounds,).
    """
    before = np.concatenate((np.zeros((len(know), 1)), know[:, :-1]), axis=1)
    won = np.cumsum((know - before) * free, axis=1)
    certain = np.concatenate((np.zeros((len(know), 1)), won[:, :-1]), axis=1)
    return certain + free * np.maximum(right - before, 0.0)


def knowing(bits: Floats, pace: float = 1.0) -> Floats:
    """The probability that players know the case file after each round; shape (n, rounds)."""
    soon = _between(bits, BY_BITS, LATE, 1.0)
    return np.array(1.0 - np.cumprod(1.0 - pace * soon, axis=1), dtype=np.float64)


def doubt_left(bits: Floats, pace: float = 1.0) -> Floats:
    """The share of the doubt about the likeliest case file that is left after each round."""
    gone = 1.0 - _between(bits, DOUBT_LEFT, DOUBT_LATE, 0.0)
    return np.array(np.cumprod(1.0 - pace * gone, axis=1), dtype=np.float64)


def _between(bits: Floats, rows: Rows, late: float, certain: float) -> Floats:
    """The numbers of a table by bits, between the middles of its classes; shape (n, rounds).

    Args:
        bits: What is open; shape (n,).
        rows: For each class its lower end, and the numbers of the first rounds.
        late: The number of rounds that were rarely reached: at least so much where it is 1 to
            who is certain, at most where it is 0.
        certain: The number to who is certain.
    """
    lows = [low for low, _ in rows]
    middles = [0.0, *((low + high) / 2.0 for low, high in pairwise(lows)), lows[-1] + WIDTH / 2.0]
    filled = [[certain] * ROUNDS]
    for _, given in rows:
        last = max(given[-1], late) if certain else min(given[-1], late)
        filled.append([*given, *[last] * (ROUNDS - len(given))])
    table = np.array(filled)
    found = np.empty((len(bits), ROUNDS))
    for column in range(ROUNDS):
        found[:, column] = np.interp(bits, middles, table[:, column])
    return found
