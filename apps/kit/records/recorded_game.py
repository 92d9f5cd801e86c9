"""Answers of a game's records: transcripts are followed, compared on, and shown.

A game says how a record becomes a `Transcript`, and what shows it. See `contract`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Generic

from ....data.errors import SettingsError
from ..analysis.following import follow
from ..analysis.moments import Detail, Findings, TimelineAnalysis
from ..analysis.transcript import Transcript
from ..own_options import OwnOption
from .contract import TableRows

if TYPE_CHECKING:
    from ....beliefs.judging.compare import Comparison
    from ....beliefs.judging.method_result import MethodResult
    from ....beliefs.posterior import Posterior
    from ..analysis.page import AnalysisPage
    from ..analysis.text import AnalysisText
    from ..answers.values import Statements
    from ..console import Tell
    from .contract import AnalysisRequest, Begin, Row, ShownAnalysis

#: What several analyses of one record have in common.
_COMMON: Final = ("game", "settings", "roles", "version", "seed")


@dataclass(frozen=True)
class AnalysedGame(Generic[Detail, Findings]):
    """An analysed record, from the eyes of one viewer or of several.

    Attributes:
        analyses: One for each viewer.
        game: What shows them.
    """

    analyses: tuple[TimelineAnalysis[Detail, Findings], ...]
    game: RecordedGame[Detail, Findings]

    def to_json(self) -> Mapping[str, object]:
        """As ``--json`` prints it: one analysis, or all of them under ``viewers``."""
        told = [each.to_json() for each in self.analyses]
        if len(told) == 1:
            return told[0]
        return {name: told[0][name] for name in _COMMON if name in told[0]} | {"viewers": told}

    @property
    def heading(self) -> Statements:
        """The heading above the text."""
        from ..analysis.text import heading

        return heading(self.analyses[0])

    @property
    def body(self) -> Statements:
        """All that stands below the heading of the first viewer."""
        from ..analysis.text import heading

        text, said = self.game.text(), list[Any]()
        for each in self.analyses:
            said += [*heading(each)] if said else []
            said += text.body(each)
        return said

    def html(self) -> str:
        """The report."""
        return self.game.page().html(self.analyses)


class RecordedGame(Generic[Detail, Findings]):
    """The questions to one game's records. A game says its transcripts, and may say the rest.

    Attributes:
        own: Its own options.
        shared: Options that some games have, of which it is one.
        only: The one method that analyses it; None for all engines.
        only_said: What to say of others.
        plays_apart: Whether records of plays are analysed as those of any game; else this analyses
            them, too.
    """

    own: tuple[OwnOption, ...] = ()
    shared: frozenset[str] = frozenset()
    only: str | None = None
    only_said: str = ""
    plays_apart: bool = False

    @property
    def options(self) -> frozenset[str]:
        """Options that are for this game and not for all."""
        return self.shared | {each.name for each in self.own if "analyse" in each.commands}

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that are compared if none is named: all engines."""
        from ....beliefs.engines import NAMES

        return tuple(NAMES)

    @property
    def own_methods(self) -> Collection[str]:
        """Those of `methods` that are no engines, but the game's own; see `measured`."""
        return ()

    def values(self, asked: AnalysisRequest) -> dict[str, Any]:
        """The values of those of its own options that were given.

        Raises:
            SettingsError: One of them has an impossible value.
        """
        given = (each for each in self.own if each.name in asked.own)
        return {each.name: each.read(asked.own[each.name]) for each in given}

    def check(self, asked: AnalysisRequest) -> None:
        """Refuses a method that is not for this game, and impossible values of its own options."""
        if self.only is not None and asked.method.replace("-", "_") not in ("auto", self.only):
            raise SettingsError(
                self.only_said,
                where="method",
                value=asked.method,
                hint="leave it out; 'sleuth compare' sets other methods beside it",
            )
        if asked.method != "auto":
            from ....beliefs.engines import engine

            engine(asked.method)
        self.values(asked)

    @abstractmethod
    def transcript(self, value: object, asked: AnalysisRequest) -> Transcript[Detail, Findings]:
        """A record that was read from JSON, from the eyes of the viewer that was asked for.

        Raises:
            RecordError: It is no such record, or does not say what the viewer saw.
            SettingsError: An option does not fit the record.
        """

    def transcripts(
        self, value: object, asked: AnalysisRequest
    ) -> Sequence[Transcript[Detail, Findings]]:
        """The same from the eyes of all viewers that were asked for."""
        return (self.transcript(value, asked),)

    def eyes(self, value: object, asked: AnalysisRequest) -> Sequence[str]:
        """The viewers that a record can be seen with: those that it says enough of.

        Raises:
            RecordError: It is no such record.
        """
        return (self.transcript(value, asked).viewer,)

    def text(self) -> AnalysisText[Detail, Findings]:
        """The display of an analysis in a terminal."""
        from ..analysis.text import AnalysisText

        return AnalysisText()

    def page(self) -> AnalysisPage[Detail, Findings]:
        """The display of analyses as a report."""
        from ..analysis.page import AnalysisPage

        return AnalysisPage()

    def analysed(
        self, value: object, asked: AnalysisRequest, tell: Tell, begin: Begin | None = None
    ) -> ShownAnalysis:
        """The knowledge that the viewers could have had at every moment."""
        transcripts = self.transcripts(value, asked)
        if begin is not None:
            from ..analysis.text import heading

            begin(heading(transcripts[0]))
        return AnalysedGame(tuple(follow(each, tell) for each in transcripts), self)

    def rows(self, value: object, asked: AnalysisRequest) -> TableRows:
        """The probability of every value of everything hidden after every event."""
        transcript = self.transcript(value, asked)
        return TableRows(transcript.viewer, transcript.sha256, _rows(transcript))

    def comparable(self, value: object, asked: AnalysisRequest) -> Transcript[Detail, Findings]:
        """The record as methods are compared on it: as it is analysed."""
        return self.transcript(value, asked)

    def compared(
        self,
        value: object,
        asked: AnalysisRequest,
        methods: Sequence[str],
        *,
        curves: bool,
        tell: Tell,
    ) -> tuple[str | None, Comparison]:
        """The record's name, and the methods on what its viewer had seen after one event."""
        from ....beliefs.language.features import together
        from .comparing import compare_on_record, most_open

        transcript = self.comparable(value, asked)
        event, posterior, hidden = most_open(transcript, asked.event)
        about = transcript.about or ", ".join(hidden)
        result = compare_on_record(
            posterior.model,
            posterior.history,
            asked,
            [name for name in methods if name not in self.own_methods],
            about=together(*hidden.values()) if len(hidden) > 1 else [*hidden.values()],
            about_name=f"{about} after event {event}",
            curves=curves,
            tell=tell,
        )
        found = {each.name: each for each in result.results}
        for name in methods:
            if name in self.own_methods:
                found[name] = self.measured(name, transcript, event, posterior)
        if self.own_methods:
            result = replace(result, results=tuple(found[name] for name in methods))
        return transcript.name, result

    def measured(
        self, name: str, transcript: Transcript[Detail, Findings], event: int, posterior: Posterior
    ) -> MethodResult:
        """One of the game's own methods after an event, against what was known exactly then."""
        raise NotImplementedError  # a game with `own_methods` says it


def _rows(transcript: Transcript[Any, Any]) -> Iterator[Row]:
    for event, now in enumerate(transcript.standpoints()):
        for row in transcript.rows(now):
            yield event, *row
