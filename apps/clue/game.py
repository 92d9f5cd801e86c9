"""Records of Clue, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...data.errors import SettingsError
from ...models.clue.edition import ClueEdition
from ...models.clue.editions import recognised
from ...models.clue.record.record import ClueRecord
from ...models.clue.refuters import ChoiceModel, choice_model
from ..kit.records.contract import AnalysisRequest
from ..kit.records.recorded_game import RecordedGame
from .findings import ClueDetail, ClueFindings
from .options import OPTIONS
from .recorded import of_edition, recorded
from .transcript import ADVICE, SUGGESTIONS, ClueTranscript

if TYPE_CHECKING:
    from ...beliefs.games.clue.learned import LearnedBelief
    from ..kit.analysis.page import AnalysisPage
    from ..kit.analysis.text import AnalysisText


class ClueGame(RecordedGame[ClueDetail, ClueFindings]):
    """Clue: who has which card, what is certain and why, what to ask."""

    own = OPTIONS
    shared = frozenset({"event"})

    def check(self, asked: AnalysisRequest) -> None:
        """Refuses a method, a choice or a count that there is not."""
        super().check(asked)
        order = preferred(asked)
        edition = self._edition(asked) or recognised(order or (), None)
        choice_of(asked, edition)
        listener(asked)

    def transcript(self, value: object, asked: AnalysisRequest) -> ClueTranscript:
        """The record as the viewer saw it, told what was asked for."""
        found = recorded(value, asked.observer, self._edition(asked))
        return ClueTranscript(
            replace(found, standings=()) if asked.brief else found,
            method=asked.method,
            choice=choice_of(asked, found.game.edition),
            heard=listener(asked, walks=found.walks),
            suggestions=self.values(asked).get("suggestions", SUGGESTIONS),
            advice=0 if asked.brief else ADVICE,
            samples=asked.samples,
            seed=asked.seed,
        )

    def eyes(self, value: object, asked: AnalysisRequest) -> Sequence[str]:
        """All players of a whole record, else who wrote it, and who looks on."""
        return ClueRecord.from_json(of_edition(value, self._edition(asked))).viewers()

    def _edition(self, asked: AnalysisRequest) -> ClueEdition | None:
        return self.values(asked).get("edition")

    def text(self) -> AnalysisText[ClueDetail, ClueFindings]:
        """The text: the facts known and why, and the suggestion to make."""
        from .report.text import ClueText

        return ClueText()

    def page(self) -> AnalysisPage[ClueDetail, ClueFindings]:
        """The same with pictures."""
        from .report.page import CluePage

        return CluePage()


def choice_of(asked: AnalysisRequest, edition: ClueEdition) -> ChoiceModel:
    """The model of how a refuter chooses the card they show.

    Raises:
        SettingsError: There is no such choice, or no such card.
    """
    order = preferred(asked)
    return choice_model(
        asked.own.get("choice") or ("random" if order is None else "preference"),
        order,
        edition=edition,
    )


def preferred(asked: AnalysisRequest) -> list[str] | None:
    """The cards that refuters would rather show, as they were written; None where none were.

    Raises:
        SettingsError: No card is named.
    """
    if (named := asked.own.get("preference")) is None:
        return None
    order = [card for part in named.split(",") if (card := part.strip())]
    if not order:
        raise SettingsError("name at least one card", where="preference", value=named)
    return order


def listener(asked: AnalysisRequest, *, walks: bool = True) -> LearnedBelief | None:
    """The listener to what players ask and show; None where nobody asked for it.

    Raises:
        SettingsError: Something else was asked for that does not go with it.
    """
    name = asked.own.get("predictor")
    if name is None:
        return None
    for option in ("choice", "preference"):
        if option in asked.own:
            raise SettingsError(
                "a predictor says itself which card a refuter shows",
                where=option,
                value=asked.own[option],
                hint=f"leave out `{option}` or `predictor`",
            )
    if asked.method != "auto":
        raise SettingsError(
            "a belief that listens takes the cheapest exact method",
            where="method",
            value=asked.method,
            hint="leave out `method` or `predictor`",
        )
    from ...beliefs.games.clue.learned import LearnedBelief

    return LearnedBelief(name, walks=walks)
