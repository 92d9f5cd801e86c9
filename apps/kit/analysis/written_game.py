"""Records that people write, analysed as those of any game: completed first, then played again.

What a record does not say is drawn; what its viewer saw does not depend on it. So every moment is
one of a play, and all that is said of plays is said of it: what was open, what moves were worth,
what was worth asking.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from ....beliefs.games.registry import belief_or_none
from ....data.errors import RecordError, SettingsError, nearest, plain_name
from ....models.game import SPECTATOR, Game
from ....models.play import viewer_name
from ....models.records.replay import PlayScript
from ..display import display
from ..pages.markup import Html
from ..records.contract import AnalysisRequest
from ..records.recorded_game import RecordedGame
from .analyst import ALL, NO_AGENT, USUAL_AGENT, Analyst, PlayFindings, PlayTranscript
from .any_game import PlayAnalysis, PlayPage
from .page import AnalysisPage


class WrittenPlay(Protocol):
    """A record that somebody wrote, and that can be completed."""

    @property
    def game(self) -> Game:
        """The game; its roles are the names of its players."""
        ...

    @property
    def name(self) -> str | None: ...

    @property
    def source(self) -> str | None: ...

    @property
    def default_viewer(self) -> str:
        """Whose eyes are meant where nobody is named."""
        ...

    def viewers(self) -> tuple[str, ...]:
        """The viewers whose knowledge it says."""
        ...

    def script(self) -> PlayScript:
        """A play that it may be of."""
        ...


class WrittenGame(RecordedGame[None, PlayFindings]):
    """Analyses written records of a game; a game says how they are read."""

    shared = frozenset({"agent", "event"})
    plays_apart = True

    @abstractmethod
    def read(self, value: object) -> WrittenPlay:
        """The record that was read from a file.

        Raises:
            RecordError: It is no record of this game.
        """

    def transcripts(self, value: object, asked: AnalysisRequest) -> Sequence[PlayTranscript]:
        """The record from the eyes of every viewer asked for."""
        record = self.read(value)
        analyst = Analyst(
            record.game,
            belief_or_none(record.game, **self.values(asked)),
            display(record.game),
            method=asked.method,
            agent=asked.agent or USUAL_AGENT,
            samples=asked.samples,
            seed=asked.seed,
        )
        script, found = record.script(), list[PlayTranscript]()
        for viewer in viewers_of(record, asked.observer):
            transcript = PlayTranscript(analyst, script, viewer)
            transcript.name, transcript.source = record.name or transcript.name, record.source
            found.append(transcript)
        return found

    def transcript(self, value: object, asked: AnalysisRequest) -> PlayTranscript:
        """The record from the eyes of one viewer; no moves are valued."""
        if asked.observer == ALL:
            raise SettingsError(
                "a table is seen by one viewer",
                where="observer",
                value=asked.observer,
                hint="name one player, or 'spectator'",
            )
        return self.transcripts(value, replace(asked, agent=NO_AGENT))[0]

    def eyes(self, value: object, asked: AnalysisRequest) -> Sequence[str]:
        """The viewers of whom the record says what they knew."""
        return self.read(value).viewers()

    def page(self) -> AnalysisPage[None, PlayFindings]:
        """The report, with what the display has to show of the last moment."""
        return WrittenPage()


class WrittenPage(PlayPage):
    """The report of a written record."""

    def __init__(self) -> None:
        """The display is that of the game that is shown."""

    def ahead(self, analyses: Sequence[PlayAnalysis]) -> Html:
        """The display of the last moment."""
        self.display = display(analyses[0].findings.last.game)
        return super().ahead(analyses)


def viewers_of(record: WrittenPlay, text: str | None) -> tuple[int, ...]:
    """The viewers that a word asks for, as numbers: a player, ``"spectator"`` or ``"all"``.

    Raises:
        RecordError: The record does not say what they saw.
    """
    roles, known = record.game.roles, record.viewers()
    numbers = {viewer_name(roles, n): n for n in (*range(len(roles)), SPECTATOR)}
    if text is not None and plain_name(text) == ALL:
        return tuple(numbers[name] for name in known)
    wanted = record.default_viewer if text is None else text
    for name in known:
        if plain_name(name) == plain_name(wanted):
            return (numbers[name],)
    raise RecordError(
        "the record does not say what this viewer saw",
        where="observer",
        value=wanted,
        hint=nearest(wanted, known),
    )
