"""What passing is worth in Clue, to a player who could accuse now or later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...beliefs.arrays.layout import Floats
from ...models.clue.race import CERTAIN, ROUNDS, hazard

#: How likely players are to accuse who know the case file, before anything says so.
ABLE: Final = 0.9


@dataclass(frozen=True)
class Outlook:
    """What a player expects before they accuse or pass.

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
    """What a player expects, from some deals.

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
    knew = then < CERTAIN
    weights = after_passing(weights, then, able)
    right = float(weights @ hits)
    soon = np.array([hazard(row[None, :]) for row in now]).reshape(*now.shape, ROUNDS)
    ready = np.broadcast_to(able, knew.shape)[..., None]
    free = (1.0 - pace * ready * np.where(knew[..., None], 0.0, soon)).prod(axis=1)
    still: Floats = np.array(weights @ np.cumprod(free, axis=1), dtype=np.float64)
    unless = still / np.concatenate(([1.0], still[:-1]))
    seems, will, bits = mine.tolist()
    after = 1.0 - (1.0 - right) * (1.0 - will) / max(1.0 - seems, CERTAIN)
    after = min(max(after, right), 1.0)
    knows = hazard(np.array([[bits]]))[0]
    waiting = worth_of_waiting(after, pace * knows, unless)
    return Outlook(right, after, float(1.0 - unless[0]), waiting)


def after_passing(weights: Floats, then: Floats, able: float | Floats = ABLE) -> Floats:
    """How likely each deal is, counting that the rivals have passed; shape (deals,), sum 1.

    A deal in which somebody would have known the case file at their last turn is less likely.

    Args:
        weights, then, able: As for `outlook`.
    """
    found = weights * np.where(then < CERTAIN, 1.0 - np.asarray(able), 1.0).prod(axis=1)
    return found / found.sum()


def worth_of_waiting(after: float, knows: Floats, unless: Floats) -> float:
    """How likely a player wins who passes now and does what is best at each later turn.

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
