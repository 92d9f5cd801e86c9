"""The gain of a predictor from more games of people, worked out by a worker."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import cast

from ....models.games import entry
from ....training.learning_curve import (
    LEAST_GAMES,
    LearningCurve,
    LearningPart,
    learned_part,
    learning_curve,
)
from ....training.rows import Subject, TrainingRows
from ...kit.answers.values import Paragraph, Statements, right, sheet
from ...kit.number_words import counted
from . import texts


def subject_of(game: str) -> Subject | None:
    """The subject that can be learned of a game; None where nothing says it.

    Raises:
        SettingsError: There is no such game any more.
    """
    make = entry(game).part("rows")
    return None if make is None else cast("Subject", make())


def taught(game: str, files: tuple[str, ...], part: LearningPart) -> tuple[float, ...]:
    """A piece of the work; see `learned_part`.

    Args:
        game: The game.
        files: Its kept games.
        part: The piece.
    """
    return learned_part(_rows(game, files), part)


def gain(
    game: str, files: tuple[str, ...], parts: tuple[tuple[LearningPart, tuple[float, ...]], ...]
) -> Statements:
    """A learning curve of kept games in words, from all pieces."""
    rows = _rows(game, files)
    return said(learning_curve(rows, parts=dict(parts)), choices=rows.of.choices)


@lru_cache(1)
def _rows(game: str, files: tuple[str, ...]) -> TrainingRows:
    subject = subject_of(game)
    assert subject is not None, "it is asked where something can be learned"
    return subject.read([Path(each) for each in files], entry(game))


def said(found: LearningCurve, *, choices: bool) -> Statements:
    """A learning curve as a table and in sentences."""
    baseline = texts.ALIKE if choices else texts.BASE_RATE
    rows = [
        (f"{point.games:.0f}", f"{point.loss:.3f}", f"{point.loss - found.baseline:+.3f}")
        for point in found.points
    ]
    things, what = found.things
    low, high = found.interval
    fell = found.points[-2].loss - found.points[-1].loss
    more = texts.MORE_HELPS.format(fell=fell) if fell > 0.0 else texts.MORE_DOES_NOT
    text = texts.FOUND.format(
        things=f"{things:,}", what=what, games=found.games, gain=found.gain, baseline=baseline,
        low=low, high=high,
    )  # fmt: skip
    nothing = [texts.STILL_NOTHING.format(baseline=baseline)] if low <= 0.0 else []
    heads = map(right, (texts.LEARNED_FROM, texts.LOSS, texts.AGAINST.format(baseline=baseline)))
    return [sheet(*heads, rows=rows), Paragraph(" ".join([text, *nothing, more]))]


def too_few(count: int) -> str:
    """Why nothing is said of so many games; empty if there are enough."""
    games = counted(count, "game")
    return texts.TOO_FEW.format(games=games, least=LEAST_GAMES) if count < LEAST_GAMES else ""
