"""Records as they are asked about and judged: opened as those that are analysed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from ....data.errors import SettingsError
from ....data.progress import Tell, silent
from ..analysis import NO_AGENT
from ..analysis.analyst import ALL
from ..analysis.transcript import Transcript
from ..records.contract import AnalysisRequest, GameAnalysis
from ..records.recorded_game import RecordedGame
from .judgement import Judgement, judge_stated
from .questionnaire import USUAL_MOMENTS, Questionnaire, questions_of
from .stated_files import StatedAnswers


def transcript_of(
    game: GameAnalysis, value: object, asked: AnalysisRequest
) -> Transcript[Any, Any]:
    """A record from one viewer's eyes; no moves are valued.

    Raises:
        SettingsError: More than one viewer is asked for, or the game's records cannot be asked
            about.
    """
    if asked.observer == ALL:
        raise SettingsError(
            "beliefs are stated from one viewer's eyes",
            where="observer",
            value=asked.observer,
            hint="name one player, or 'spectator'",
        )
    if not isinstance(game, RecordedGame):
        raise SettingsError("records of this game cannot be asked about", where="record")
    agent = NO_AGENT if "agent" in game.options else None
    opened = cast("RecordedGame[Any, Any]", game)
    transcript = opened.transcript(value, replace(asked, agent=agent))
    if len(transcript.viewers) > 1:
        raise SettingsError(
            "beliefs are stated from one viewer's eyes, and this record has several",
            where="observer",
            hint=f"name one of them: {', '.join(transcript.viewers)} (in a shell by --as)",
        )
    return transcript


def questionnaire_of(
    game: GameAnalysis, value: object, asked: AnalysisRequest, moments: int = USUAL_MOMENTS
) -> Questionnaire:
    """Questions about a record."""
    return questions_of(transcript_of(game, value, asked), moments)


def judged(
    game: GameAnalysis,
    value: object,
    asked: AnalysisRequest,
    stated: StatedAnswers,
    *,
    normalise: bool = False,
    tell: Tell = silent,
) -> Judgement:
    """The judgement of answers about a record; without a viewer they say whose eyes they are."""
    if asked.observer is None and stated.viewer is not None:
        asked = replace(asked, observer=stated.viewer)
    transcript = transcript_of(game, value, asked)
    return judge_stated(transcript, stated, normalise=normalise, seed=asked.seed, tell=tell)
