"""Records of Cheat for many, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ....beliefs.games.cheat.for_many.judges import known_predictor
from ....beliefs.games.cheat.judges import NONE, TRUTH
from ....beliefs.games.cheat.judges import USUAL as SHIPPED
from ....beliefs.predictors.predictor import Predictor
from ....data.errors import RecordError, SettingsError
from ....models.cheat.for_many.record.record import ManyCheatRecord
from ....models.play import PlayRecord
from ....models.recorded import played_again
from ...kit.records.contract import AnalysisRequest, ManyGames, TableRows
from ...kit.records.recorded_game import RecordedGame
from .findings import ManyCheatDetail, ManyCheatFindings
from .options import OPTIONS
from .transcript import ManyCheatTranscript

if TYPE_CHECKING:
    from .page import ManyCheatPage
    from .text import ManyCheatText

#: Every viewer that a record knows, one after the other.
ALL = "all"


class ManyCheatGame(RecordedGame[ManyCheatDetail, ManyCheatFindings]):
    """Cheat for many: how likely every claim was, which calls were worth making, and hands."""

    own = OPTIONS
    shared = frozenset({"event"})

    @property
    def methods(self) -> tuple[str, ...]:
        """Those that can count cards by kind."""
        from ..compared import METHODS

        return METHODS

    def check(self, asked: AnalysisRequest) -> None:
        """Refuses a method and a predictor that there is not."""
        if asked.method != "auto":
            raise SettingsError(
                "Cheat for many is analysed by exact counting where that can be afforded",
                where="method",
                value=asked.method,
                hint="leave it out; 'sleuth compare' sets other methods beside it",
            )
        super().check(asked)

    def transcript(self, value: object, asked: AnalysisRequest) -> ManyCheatTranscript:
        """A game of the file, as its viewer saw it."""
        games = records_of(value)
        place = int(self.values(asked).get("game", 1))
        if place > len(games):
            raise SettingsError(
                "the file has no such game",
                where="game",
                value=place,
                hint=f"it has {len(games)}",
            )
        return ManyCheatTranscript(
            games[place - 1],
            asked.observer,
            _predictor(asked),
            place=place,
            games=len(games),
            seed=asked.seed,
        )

    def transcripts(self, value: object, asked: AnalysisRequest) -> Sequence[ManyCheatTranscript]:
        """The same from every viewer's eyes, where all were asked for."""
        if asked.observer != ALL:
            return (self.transcript(value, asked),)
        first = self.transcript(value, replace(asked, observer=None))
        return [
            self.transcript(value, replace(asked, observer=name)) for name in first.record.viewers()
        ]

    def comparable(self, value: object, asked: AnalysisRequest) -> ManyCheatTranscript:
        """The same by counting alone."""
        own = {**asked.own, "predictor": NONE}
        return self.transcript(value, replace(asked, own=own))

    def rows(self, value: object, asked: AnalysisRequest) -> TableRows:
        """The probability of every claim on the pile after every turn."""
        games = len(records_of(value))
        if games > 1 and "game" not in asked.own:
            raise RecordError(
                "a table has one game of each file",
                value=games,
                hint="write every game to a file of its own, or analyse this one by itself",
            )
        return super().rows(value, asked)

    def eyes(self, value: object, asked: AnalysisRequest) -> Sequence[str]:
        """The players of whom the record says all that they knew, and who looks on."""
        return self.transcript(value, asked).record.viewers()

    def text(self) -> ManyCheatText:
        """The display of an analysis in a terminal."""
        from .text import ManyCheatText

        return ManyCheatText()

    def page(self) -> ManyCheatPage:
        """The display of an analysis as a report."""
        from .page import ManyCheatPage

        return ManyCheatPage()


def records_of(value: object) -> tuple[ManyCheatRecord, ...]:
    """The games of what was read: of a file of many, of one record, or of a play that was kept.

    Raises:
        RecordError: It is no game of this kind.
    """
    if isinstance(value, ManyGames):
        if not value.games:
            raise RecordError("the file has no game")
        return cast("tuple[ManyCheatRecord, ...]", value.games)
    if isinstance(value, dict) and "actions" in cast("dict[object, object]", value):
        play = played_again(PlayRecord.from_json(cast(object, value)))
        return (ManyCheatRecord.from_play(play),)
    return (ManyCheatRecord.from_json(cast(object, value)),)


def _predictor(asked: AnalysisRequest) -> Predictor | None:
    """The predictor: the file that was named, or the one of the package."""
    name = asked.own.get("predictor", SHIPPED)
    return None if name == NONE else known_predictor(name, TRUTH)
