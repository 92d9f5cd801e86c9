"""Findings of an analysis of Clue, besides those of every game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...models.clue.cards import CASE_FILE, FACE_DOWN, FACE_UP
from ...models.clue.edition import ClueEdition
from ...models.clue.events import ClueEvent, Named, Triple
from ...models.clue.seen import SeenClue
from ..kit.analysis.moments import AnyAnalysis, Moment, TimelineAnalysis
from .worth import Worth

if TYPE_CHECKING:
    from ...planners.clue.treasure_hunt.hunt import Plan
    from .whereabouts import Standing

Marginals = dict[str, dict[str, float]]
"""Card -> holder -> probability; holders with probability 0 are left out."""


def left_over_at(game: SeenClue) -> list[str]:
    """The places of cards that were dealt to nobody, if there are any."""
    return [*([FACE_UP] if game.face_up else []), *([FACE_DOWN] if game.left_over else [])]


@dataclass(frozen=True)
class OwnSuggestion:
    """A suggestion that the viewer made, beside the best they could have made then.

    Attributes:
        made: Their suggestion, valued by what they knew before the answer.
        best: The suggestions that would have been worth most, descending.
    """

    made: Worth
    best: tuple[Worth, ...]


@dataclass(frozen=True)
class WalkPlan:
    """The plan for a viewer's way on the board, and why.

    Attributes:
        standing: Where the pawns stood.
        plan: What the treasure hunt says of it.
    """

    standing: Standing
    plan: Plan


@dataclass(frozen=True)
class ClueDetail:
    """The findings at a moment of a game of Clue.

    Attributes:
        seen: The event itself as the viewer saw it; None at moment 0.
        marginals: Who has which card.
        suggestion: For a suggestion by the viewer, its value; None where that was not asked for.
    """

    seen: ClueEvent | None
    marginals: Marginals
    suggestion: OwnSuggestion | None = None

    @property
    def case_file(self) -> dict[str, float]:
        """Probability of every card to be in the case file, in deck order."""
        return {card: shares.get(CASE_FILE, 0.0) for card, shares in self.marginals.items()}


@dataclass(frozen=True)
class ClueFindings:
    """The findings for a whole game of Clue.

    Attributes:
        seen: The game as the viewer saw it.
        choice: The model of the refuters' choices.
        marginals: Who has which card, after the last event.
        case_file: All possible contents of the case file with their probabilities, descending.
        suggestions: The suggestions that would tell most after the last event, and how many bits on
            average, descending; empty for one who only looks on.
        advised: Those that would be worth most, descending, as many.
        walk: The last walk of the viewer with the case file still open; None off the board, and
            where nobody asked.
    """

    seen: SeenClue
    choice: str
    marginals: Marginals
    case_file: tuple[tuple[Triple, float], ...]
    suggestions: tuple[tuple[Named, float], ...]
    advised: tuple[Worth, ...]
    walk: WalkPlan | None

    @property
    def edition(self) -> ClueEdition:
        """The cards of the game."""
        return self.seen.edition

    @property
    def most_bits(self) -> float:
        """The entropy of the case file when nothing is known."""
        return math.log2(self.edition.triples)

    @property
    def holders(self) -> tuple[str, ...]:
        """The players in turn order, ``"case file"``, and where cards lie that are left over."""
        return (*self.seen.players, CASE_FILE, *left_over_at(self.seen))

    def to_json(self, analysis: AnyAnalysis, /) -> dict[str, object]:
        """As plain values."""
        return {
            "choice": self.choice,
            "marginals": self.marginals,
            "case_file": [
                {"suspect": suspect, "weapon": weapon, "room": room, "probability": probability}
                for (suspect, weapon, room), probability in self.case_file
            ],
            "suggestions": [
                {"cards": list(cards), "information_gain_bits": bits}
                for cards, bits in self.suggestions
            ],
            "certain": [
                {
                    "card": each.name,
                    "holder": each.value,
                    "because": list(each.events),
                    "since": each.since,
                }
                for each in analysis.proven
            ],
        }


ClueMoment = Moment[ClueDetail]
ClueAnalysis = TimelineAnalysis[ClueDetail, ClueFindings]
