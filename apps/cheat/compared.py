"""Inference methods side by side on one claim of a game of Cheat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...beliefs.games.cheat.declaration import CheatDeclaration
from ...models.game import SPECTATOR
from ..kit.analysis.transcript import Standpoint
from .findings import CheatDetail
from .transcript import CheatTranscript
from .words import claimed, happened

#: What is compared if nothing is named: engines that can count cards of which some are alike.
METHODS: Final = (
    "type_counting",
    "card_by_card",
    "enumeration",
    "rejection",
    "likelihood_weighting",
    "metropolis",
    "particles",
    "loopy_bp",
)
#: How the question begins whether a claim is true.
ASKED: Final = "whether"


class ClaimTranscript(CheatTranscript):
    """A game by counting, from the view of whoever asks whether the last claim is true.

    After a claim that is its judge. After another turn somebody whose view is taken asks the same
    of the last claim that they do not know, or, where none lies face down, about hidden hands.
    """

    def standpoints(self) -> Iterator[Standpoint[CheatDetail]]:
        """The knowledge of somebody who counts, and the last claim that they did not know."""
        recorded = self.recorded
        for number in range(self.events + 1):
            made = recorded.record.turns[number - 1] if number else None
            judge = recorded.judge(made.by) if made and made.kind == "claim" else None
            asks = (*recorded.viewers, SPECTATOR)[0] if judge is None else judge
            knows, moments = self.eyes(asks)
            view = moments[number].view
            declared, hidden = CheatDeclaration.of(view), self.hands(view)
            if declared.claims:
                last = declared.claims[-1]
                said = claimed(last.turn.rank, last.turn.count)
                who = recorded.name_of(last.turn.by)
                asked = f"{ASKED} {who}'s {said} in turn {last.place + 1} is true"
                hidden = {asked: declared.is_true(last)}
            yield Standpoint(
                text=happened(recorded.record, number),
                posterior=knows.counted(view),
                hidden=hidden,
            )

    def openness(self, now: Standpoint[CheatDetail]) -> float:
        """The doubt about the truth of the last claim; hands count where there is none."""
        about_a_claim = any(name.startswith(ASKED) for name in now.hidden or {})
        return super().openness(now) if about_a_claim else -1.0
