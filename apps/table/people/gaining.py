"""The gain of a predictor from more games of people, worked out by a worker."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from ....data.errors import RecordError
from ....models.games import entry
from ....training.learning_curve import LEAST_GAMES, LearningCurve, learning_curve
from ....training.rows import Subject
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


def gain(game: str, files: tuple[str, ...]) -> Statements:
    """A learning curve of kept games in words.

    Args:
        game: The game.
        files: Its kept games.
    """
    subject = subject_of(game)
    assert subject is not None, "it is asked where something can be learned"
    try:
        rows = subject.read([Path(each) for each in files], entry(game))
        found = learning_curve(rows)
    except RecordError as error:
        # What was kept may all be alike, or leave nothing to be predicted.
        return [Paragraph(str(error), "soft")]
    return said(found, choices=subject.choices)


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
