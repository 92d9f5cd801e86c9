"""The gain of more records: a predictor learned from a part of them, from more, and from all.

Games are left out in turns and predicted by what was learned from the others, or from some of
them, so that all are judged on the same games.
"""

# scikit-learn comes without types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..data.errors import RecordError
from ..models.kernels.compiling import waiting
from .judging import EDGE
from .predictor_kinds import CHOICE, classifier, kinds_for
from .rows import TrainingRows
from .training import fitted_choice

#: The parts of all that is learned from.
SHARES: Final = (0.25, 0.5, 1.0)
FOLDS: Final = 4
#: With fewer games a curve says nothing.
LEAST_GAMES: Final = 8


@dataclass(frozen=True)
class LearningPoint:
    """One part of the records, and how well others are predicted by what it teaches.

    Attributes:
        games: How many games were learned from, on average.
        loss: Mean of minus the natural log of what came true was given: of the one that was
            chosen, where one of several is, else of the class.
    """

    games: float
    loss: float


@dataclass(frozen=True)
class LearningCurve:
    """The gain of more records.

    Attributes:
        points: By how many games were learned from.
        baseline: The loss of the base rate, or of taking all choices for alike.
        games: How many games there are.
        things: How many things were predicted, and what they are.
        gain: How much less the last point loses than the baseline.
        interval: The 95 % interval of that, from how games differ.
        model: What was trained.
    """

    points: tuple[LearningPoint, ...]
    baseline: float
    games: int
    things: tuple[int, str]
    gain: float
    interval: tuple[float, float]
    model: str


@dataclass(frozen=True)
class LearningPart:
    """A piece of the work: what a part of the games teaches about those that are left out.

    Attributes:
        fold: Which games are left out.
        share: How much of the others is learned from.
    """

    fold: int
    share: float


def learning_parts() -> tuple[LearningPart, ...]:
    """All pieces, each of which can be worked out by itself."""
    return tuple(LearningPart(fold, share) for fold in range(FOLDS) for share in SHARES)


@waiting()
def learned_part(
    rows: TrainingRows, part: LearningPart, *, model: str | None = None, seed: int = 0
) -> tuple[float, ...]:
    """The probabilities that a piece gives the rows that are left out, in their order.

    Args:
        rows: All that can be learned from.
        part: The piece.
        model: What is trained; None for the usual kind.
        seed: Of all chance.

    Raises:
        RecordError: There are too few games.
    """
    used, y, game = _used(rows)
    order = _order(game, seed)
    others = np.delete(order, np.s_[part.fold :: FOLDS])
    chosen = others[: max(2, ceil(part.share * len(others)))]
    learned = np.flatnonzero(np.isin(game, chosen))
    test = _test(game, order, part.fold)
    kind = model or kinds_for(rows.of)[0]
    return tuple(_predicted(used, y, game, kind, learned, test, seed).tolist())


def learning_curve(
    rows: TrainingRows,
    *,
    parts: Mapping[LearningPart, Sequence[float]] | None = None,
    model: str | None = None,
    seed: int = 0,
) -> LearningCurve:
    """The gain of more records for a predictor of a game.

    Args:
        rows: All that can be learned from.
        parts: What `learned_part` says of each piece; None to work all of them out now.
        model: What is trained; None for the usual kind.
        seed: Of all chance.

    Raises:
        RecordError: There are too few games, or too few differ.
    """
    used, y, game = _used(rows)
    order, subject = _order(game, seed), rows.of
    if parts is None:
        parts = {
            each: learned_part(rows, each, model=model, seed=seed) for each in learning_parts()
        }
    given = {share: np.full(len(used), np.nan) for share in SHARES}
    plain = np.full(len(used), np.nan)
    for part, found in parts.items():
        given[part.share][_test(game, order, part.fold)] = found
    for fold in range(FOLDS):
        others = np.delete(order, np.s_[fold::FOLDS])
        plain[_test(game, order, fold)] = y[np.isin(game, others)].mean()
    losses = {share: _losses(used, y, each) for share, each in given.items()}
    base = _losses(used, y, np.ones(len(used)) if subject.choices else plain)
    units = game if not subject.choices else game[_starts(used)]
    gains = np.array(
        [float((base - losses[SHARES[-1]])[units == each].mean()) for each in np.unique(units)]
    )
    spread = 1.96 * float(gains.std(ddof=1)) / len(gains) ** 0.5
    gain, taught = float(gains.mean()), len(order) * (1.0 - 1.0 / FOLDS)
    return LearningCurve(
        points=tuple(
            LearningPoint(share * taught, float(losses[share].mean())) for share in SHARES
        ),
        baseline=float(base.mean()),
        games=len(order),
        things=(len(base), subject.things if not subject.choices else f"turns of {subject.things}"),
        gain=gain,
        interval=(gain - spread, gain + spread),
        model=model or kinds_for(subject)[0],
    )


def _used(rows: TrainingRows) -> tuple[TrainingRows, NDArray[np.int8], NDArray[np.intp]]:
    """The rows whose class is known, their classes, and the numbers of their games.

    Raises:
        RecordError: There are too few games.
    """
    target = next(iter(rows.of.labels))
    used = rows.where(rows.labels[target] >= 0)
    pairs = np.stack([used.match, used.game], axis=1)
    _, game = np.unique(pairs, axis=0, return_inverse=True)
    game = game.reshape(-1)
    count = int(game.max(initial=-1)) + 1
    if count < LEAST_GAMES:
        raise RecordError(
            "too few games", value=count, hint=f"{LEAST_GAMES} are needed to say what more gain"
        )
    return used, used.labels[target], game


def _order(game: NDArray[np.intp], seed: int) -> NDArray[np.intp]:
    """The games in the order in which they are left out and learned from."""
    return np.random.default_rng([seed, 11]).permutation(int(game.max()) + 1)


def _test(game: NDArray[np.intp], order: NDArray[np.intp], fold: int) -> NDArray[np.intp]:
    """The rows of the games that are left out."""
    return np.flatnonzero(np.isin(game, order[fold::FOLDS]))


def _predicted(
    rows: TrainingRows,
    y: NDArray[np.int8],
    game: NDArray[np.intp],
    model: str,
    part: NDArray[np.intp],
    test: NDArray[np.intp],
    seed: int,
) -> NDArray[np.float64]:
    """The probabilities of some rows, learned from others; of one class alone, that one's."""
    if len(np.unique(y[part])) < 2:
        return np.full(len(test), float(y[part].mean()) if len(part) else 0.5)
    if model == CHOICE:
        choice = rows.choice
        made = fitted_choice(rows.features, y, game, choice, part)
        return made.chances(rows.features[test], choice[test])
    fitted: Any = classifier(model, seed=seed)
    fitted.fit(rows.features[part], y[part], groups=game[part])
    return fitted.predict_proba(rows.features[test])[:, 1]


def _starts(rows: TrainingRows) -> NDArray[np.intp]:
    """The first row of every turn, in the order of the turns."""
    return np.unique(rows.choice, return_index=True)[1]


def _losses(
    rows: TrainingRows, y: NDArray[np.int8], given: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The loss of every row, or of every turn where one of its rows was chosen."""
    if not rows.of.choices:
        sure = np.clip(given, EDGE, 1.0 - EDGE)
        return -np.log(np.where(y == 1, sure, 1.0 - sure))
    chances = np.maximum(given, EDGE)
    _, turn = np.unique(rows.choice, return_inverse=True)
    whole = np.bincount(turn.reshape(-1), chances)
    taken = np.bincount(turn.reshape(-1), np.where(y == 1, chances, 0.0))
    return np.log(whole) - np.log(np.maximum(taken, EDGE))
