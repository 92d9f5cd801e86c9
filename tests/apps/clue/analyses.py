"""Games of Clue as they are analysed and shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sleuth.answers import as_text
from sleuth.apps.clue.findings import ClueAnalysis
from sleuth.apps.clue.recorded import Recorded
from sleuth.apps.clue.report.page import CluePage
from sleuth.apps.clue.report.text import ClueText
from sleuth.apps.clue.transcript import ClueTranscript
from sleuth.apps.clue.whereabouts import Standing
from sleuth.apps.kit.analysis.following import follow
from sleuth.data.progress import Tell, silent
from sleuth.games.clue import SeenClue


def analyse(
    game: SeenClue,
    *,
    standings: Sequence[Standing] = (),
    name: str | None = None,
    source: str | None = None,
    progress: Tell = silent,
    **options: Any,
) -> ClueAnalysis:
    recorded = Recorded(game=game, standings=tuple(standings), name=name, source=source)
    return follow(ClueTranscript(recorded, **options), progress)


def html_report(analysis: ClueAnalysis) -> str:
    return CluePage().html([analysis])


def text(analysis: ClueAnalysis, width: int = 200) -> str:
    return as_text(*ClueText().body(analysis), width=width)
