"""Records of plays of any game, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....beliefs.games.contract import GameBelief
from ....beliefs.games.registry import belief_or_none
from ....data.errors import SettingsError
from ....models.game import SPECTATOR, Game
from ....models.play import kept_record, viewer_name
from ..answers.html import shown
from ..display import Display
from ..own_options import OwnOption
from ..pages.markup import Html
from ..records.contract import AnalysisRequest
from ..records.recorded_game import RecordedGame
from .analyst import ALL, NO_AGENT, USUAL_AGENT, Analyst, PlayFindings, PlayTranscript, viewers
from .moments import TimelineAnalysis
from .page import AnalysisPage

PlayAnalysis = TimelineAnalysis[None, PlayFindings]


class AnyGame(RecordedGame[None, PlayFindings]):
    """Analyses a record of any game, from the game, its belief and its words alone.

    Args:
        game: The game of the record.
        belief: What its players can know; None where nothing is hidden.
        display: Its words.
        own: Its own options, which its belief is told.
    """

    shared = frozenset({"agent", "event"})

    def __init__(
        self,
        game: Game,
        belief: GameBelief | None,
        display: Display,
        own: tuple[OwnOption, ...] = (),
    ) -> None:
        self.game, self.belief, self.display, self.own = game, belief, display, own

    def check(self, asked: AnalysisRequest) -> None:
        """Refuses a viewer, a method or an agent that there is not, before anything is computed."""
        viewers(self.game, asked.observer)
        super().check(asked)

    def transcripts(self, value: object, asked: AnalysisRequest) -> Sequence[PlayTranscript]:
        """The record from the eyes of every viewer asked for."""
        record, told = kept_record(value), self.values(asked)
        analyst = Analyst(
            self.game,
            belief_or_none(self.game, **told) if told else self.belief,
            self.display,
            method=asked.method,
            agent=asked.agent or USUAL_AGENT,
            samples=asked.samples,
            seed=asked.seed,
        )
        return [
            PlayTranscript(analyst, record, viewer) for viewer in viewers(self.game, asked.observer)
        ]

    def transcript(self, value: object, asked: AnalysisRequest) -> PlayTranscript:
        """The record from the eyes of one viewer; no moves are valued."""
        if asked.observer == ALL:
            raise SettingsError(
                "a table is seen by one viewer",
                where="observer",
                value=asked.observer,
                hint="name one role, or 'spectator'",
            )
        return self.transcripts(value, replace(asked, agent=NO_AGENT))[0]

    def comparable(self, value: object, asked: AnalysisRequest) -> PlayTranscript:
        """The record from the eyes of one viewer, from whom something is hidden."""
        if self.belief is None:
            raise SettingsError(
                "nothing is hidden in this game, so there is nothing to compare",
                value=self.game.name,
            )
        return self.transcript(value, asked)

    def eyes(self, value: object, asked: AnalysisRequest) -> Sequence[str]:
        """All roles, and who looks on."""
        return (*self.game.roles, viewer_name(self.game.roles, SPECTATOR))

    def page(self) -> AnalysisPage[None, PlayFindings]:
        """The report, with what the display has to show of the last moment."""
        return PlayPage(self.display)


class PlayPage(AnalysisPage[None, PlayFindings]):
    """The report of a play of any game.

    Args:
        display: What shows the game; it may have something to show of the last moment.
    """

    def __init__(self, display: Display) -> None:
        self.display = display

    def ahead(self, analyses: Sequence[PlayAnalysis]) -> Html:
        """The display of the last moment."""
        return shown(*self.display.last_moment([each.findings.last for each in analyses]))

    def facts(self, analysis: PlayAnalysis) -> list[tuple[str, object]]:
        """The players and the settings, and how the numbers were made."""
        return [*self._of_the_play(analysis.findings), *super().facts(analysis)]

    def _of_the_play(self, findings: PlayFindings) -> Iterator[tuple[str, object]]:
        yield "Players", ", ".join(findings.roles)
        if findings.settings:
            yield "Settings", ", ".join(f"{n} {value}" for n, value in findings.settings.items())
