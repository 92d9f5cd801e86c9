"""Records of Cheat, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...beliefs.games.cheat.judges import NONE, TRUTH, known_predictor
from ...beliefs.games.cheat.judges import USUAL as SHIPPED
from ...beliefs.predictors.predictor import Predictor
from ...data.errors import RecordError
from ...planners.agents import parse_agent
from ..kit.analysis import NO_AGENT
from ..kit.records.contract import AnalysisRequest, TableRows
from ..kit.records.recorded_game import RecordedGame
from .advice import USUAL, CheatValuer
from .findings import CheatDetail, CheatFindings
from .match_game import MatchGame, records_of, seen_in
from .options import OPTIONS
from .transcript import CheatTranscript

if TYPE_CHECKING:
    from .compared import ClaimTranscript
    from .report.page import CheatPage
    from .report.text import CheatText


class CheatGame(RecordedGame[CheatDetail, CheatFindings]):
    """Cheat: how likely every claim was, what was worth doing, and what the other one held."""

    own = OPTIONS
    shared = frozenset({"agent", "event"})
    only = "type_counting"
    only_said = "Cheat is analysed by exact counting"

    @property
    def methods(self) -> tuple[str, ...]:
        """Those that can count cards by kind."""
        from .compared import METHODS

        return METHODS

    def check(self, asked: AnalysisRequest) -> None:
        """Refuses a method, an agent or a predictor that there is not."""
        super().check(asked)
        if asked.agent is not None and asked.agent != NO_AGENT:
            parse_agent(asked.agent)
        _predictor(asked)

    def transcript(self, value: object, asked: AnalysisRequest) -> CheatTranscript:
        """A game of the file, as its viewers saw it."""
        recorded, adviser = self._recorded(value, asked), None
        if asked.agent != NO_AGENT and recorded.viewers:
            adviser = CheatValuer(recorded.record.game, asked.agent or USUAL, seed=asked.seed)
        return CheatTranscript(recorded, _predictor(asked), adviser, asked.seed)

    def comparable(self, value: object, asked: AnalysisRequest) -> ClaimTranscript:
        """The same by counting, with the last claim for the question."""
        from .compared import ClaimTranscript

        return ClaimTranscript(self._recorded(value, asked))

    def rows(self, value: object, asked: AnalysisRequest) -> TableRows:
        """The probability of every claim, and the number of cards of each rank in hidden hands."""
        games = len(records_of(value))
        if games > 1 and "game" not in asked.own:
            raise RecordError(
                "a table has one game of each file",
                value=games,
                hint="write every game to a file of its own, or analyse this one by itself",
            )
        counting = {**asked.own, "predictor": NONE}
        return super().rows(value, replace(asked, agent=NO_AGENT, own=counting))

    def eyes(self, value: object, asked: AnalysisRequest) -> Sequence[str]:
        """The players of whom the record says all that they knew, and who looks on."""
        return self._recorded(value, asked).record.viewers()

    def text(self) -> CheatText:
        """The display of an analysis in a terminal."""
        from .report.text import CheatText

        return CheatText()

    def page(self) -> CheatPage:
        """The display of an analysis as a report."""
        from .report.page import CheatPage

        return CheatPage()

    def _recorded(self, value: object, asked: AnalysisRequest) -> MatchGame:
        return seen_in(records_of(value), self.values(asked).get("game"), asked.observer)


def _predictor(asked: AnalysisRequest) -> Predictor | None:
    """The predictor: the file that was named, or the one of the package."""
    name = asked.own.get("predictor", SHIPPED)
    return None if name == NONE else known_predictor(name, TRUTH)
