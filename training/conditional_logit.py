"""Fitting a conditional logit: which of several alternatives was chosen, from their features.

McFadden (1974), "Conditional logit analysis of qualitative choice behavior": the chance of an
alternative is the softmax of weights times features over the alternatives of its choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError
from .threads import one_thread

Floats = NDArray[np.float64]
Integers = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class LogitChoices:
    """The alternatives chosen, choice by choice.

    Attributes:
        rows: Features of all alternatives, those of one choice together; shape (rows, features).
        starts: Where each choice begins; shape (choices,).
        chosen: Row of the alternative that was taken; shape (choices,).
        groups: What each choice belongs to, such as a game; shape (choices,).
    """

    rows: Floats
    starts: Integers
    chosen: Integers
    groups: Integers

    def __post_init__(self) -> None:
        if len(self.starts) == 0 or self.starts[0] != 0 or (np.diff(self.starts) <= 0).any():
            raise SettingsError("every choice needs an alternative", value=len(self.starts))
        ends = np.append(self.starts[1:], len(self.rows))
        if ((self.chosen < self.starts) | (self.chosen >= ends)).any():
            raise SettingsError("what was chosen is no alternative of its choice")

    @staticmethod
    def made(rows: Floats, taken: NDArray[Any], choice: Integers, groups: Integers) -> LogitChoices:
        """Choices from what is known of each alternative.

        Args:
            rows: Features; shape (rows, features).
            taken: 1 for what was chosen, else 0; shape (rows,).
            choice: The number of the choice, those of one together; shape (rows,).
            groups: What its choice belongs to; shape (rows,).

        Raises:
            SettingsError: Of some choice not exactly one was taken, or a feature is not known.
        """
        starts, chosen = starts_of(choice), np.flatnonzero(taken)
        if len(starts) != len(chosen) or not np.isfinite(rows).all():
            raise SettingsError("of a choice one is taken, and all features are known")
        return LogitChoices(rows, starts, chosen, groups[starts])

    @property
    def sizes(self) -> Integers:
        """The number of alternatives of each choice."""
        return np.diff(np.append(self.starts, len(self.rows)))

    def of(self, wanted: NDArray[np.bool_]) -> LogitChoices:
        """Some of the choices."""
        sizes = self.sizes[wanted]
        kept = np.repeat(wanted, self.sizes)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        return LogitChoices(
            self.rows[kept],
            starts,
            starts + (self.chosen - self.starts)[wanted],
            self.groups[wanted],
        )


@dataclass(frozen=True)
class FittedLogit:
    """Weights, and how they were found.

    Attributes:
        weights: One for each feature.
        penalty: Half the sum of squared weights counts so often, per choice.
        log_loss: Mean negative log chance of what was chosen, in nats, on held-out groups.
        even_loss: The same if all alternatives were equally likely.
        choices, groups: How many were fitted to.
    """

    weights: tuple[float, ...]
    penalty: float
    log_loss: float
    even_loss: float
    choices: int
    groups: int

    def chances(self, rows: Floats, choice: Integers) -> Floats:
        """The chance of each alternative, those of one choice together; shape (rows,)."""
        starts = starts_of(choice)
        sizes = np.diff(np.append(starts, len(rows)))
        _, _, spread, totals = _odds(rows @ np.array(self.weights), starts, sizes)
        return spread / np.repeat(totals, sizes)


def starts_of(choice: Integers) -> Integers:
    """The first row of each choice, from the number of the choice of each row."""
    return np.flatnonzero(np.diff(choice, prepend=-1))


def _odds(scores: Floats, starts: Integers, sizes: Integers) -> tuple[Floats, ...]:
    """Scores, the highest of each choice, odds against that one, and their sums by choice."""
    highest = np.maximum.reduceat(scores, starts)
    spread = np.exp(scores - np.repeat(highest, sizes))
    return scores, highest, spread, np.add.reduceat(spread, starts)


def losses(choices: LogitChoices, weights: Floats) -> Floats:
    """Negative log chance of what was chosen, in nats; shape (choices,)."""
    scores, highest, _, totals = _odds(choices.rows @ weights, choices.starts, choices.sizes)
    return np.log(totals) + highest - scores[choices.chosen]


def fit(choices: LogitChoices, penalty: float, start: Floats | None = None) -> Floats:
    """The weights that maximise the likelihood, less a penalty on their squares.

    Args:
        choices: What was chosen.
        penalty: Half the sum of squared weights counts so often, per choice.
        start: Weights to begin with.
    """
    minimize: Any = import_module("scipy.optimize").minimize
    count, sizes = len(choices.starts), choices.sizes
    taken = choices.rows[choices.chosen].sum(axis=0)

    def value(weights: Floats) -> tuple[float, Floats]:
        scores, highest, spread, totals = _odds(choices.rows @ weights, choices.starts, sizes)
        loss = float((np.log(totals) + highest).sum() - scores[choices.chosen].sum())
        slope = choices.rows.T @ (spread / np.repeat(totals, sizes)) - taken
        return (
            loss / count + 0.5 * penalty * float(weights @ weights),
            slope / count + penalty * weights,
        )

    first = np.zeros(choices.rows.shape[1]) if start is None else start
    with one_thread():
        found = minimize(value, first, jac=True, method="L-BFGS-B")
    return np.asarray(found.x, dtype=np.float64)


def fit_validated(
    choices: LogitChoices, *, penalties: Sequence[float] = (1e-6, 1e-5, 1e-4, 1e-3), folds: int = 5
) -> FittedLogit:
    """The weights with the penalty that does best on groups that were not fitted to.

    Args:
        choices: What was chosen.
        penalties: Which to try.
        folds: Parts of the groups, each held out once; as many as groups where those are fewer.

    Raises:
        SettingsError: There is one group.
    """
    names = np.unique(choices.groups)
    folds = min(folds, len(names))
    if folds < 2:
        raise SettingsError(
            "more groups are needed to hold some out", value=len(names), hint="at least 2"
        )
    fold = np.searchsorted(names, choices.groups) % folds
    totals = np.zeros(len(penalties))
    for part in range(folds):
        kept, held_out = choices.of(fold != part), choices.of(fold == part)
        weights: Floats | None = None
        for place, penalty in enumerate(penalties):
            weights = fit(kept, penalty, weights)
            totals[place] += losses(held_out, weights).sum()
    best = int(totals.argmin())
    penalty = penalties[best]
    return FittedLogit(
        weights=tuple(fit(choices, penalty).tolist()),
        penalty=penalty,
        log_loss=float(totals[best]) / len(choices.starts),
        even_loss=float(np.log(choices.sizes).mean()),
        choices=len(choices.starts),
        groups=len(names),
    )
