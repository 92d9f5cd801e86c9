"""The written form of a game of Clue, with what only some players may see."""

from __future__ import annotations

from dataclasses import dataclass

from ...records.written import WrittenRecord
from ..edition import ClueEdition
from ..editions import CLASSIC
from ..events import ClueEvent, Triple
from ..house_rules import USUAL, HouseRules


@dataclass(frozen=True, kw_only=True)
class ClueNotes(WrittenRecord):
    """Everything that is known about one game of Clue; a `ClueRecord` says who may see what of it.

    Attributes:
        players: Names in turn order.
        sizes: Number of cards of each player, in turn order; None where it is not known.
        events: What happened, with everything that was recorded about it.
        observer: The player who wrote the record, if one did.
        own_hand: The observer's hand in deck order, as far as they recorded it.
        face_up: Cards everybody sees, in deck order.
        dealt: Every player's cards in turn order, each in deck order, if the truth is known.
        case_file: What is in the case file, if the truth is known.
        edition: The cards of the game.
        rules: The house rules.
    """

    game_name = "clue"
    players: tuple[str, ...]
    sizes: tuple[int | None, ...]
    events: tuple[ClueEvent, ...]
    observer: str | None = None
    own_hand: tuple[str, ...] = ()
    face_up: tuple[str, ...] = ()
    dealt: tuple[tuple[str, ...], ...] | None = None
    case_file: Triple | None = None
    edition: ClueEdition = CLASSIC
    rules: HouseRules = USUAL

    @property
    def hand_sizes(self) -> dict[str, int | None]:
        """Number of cards of each player, in turn order; None where it is not known."""
        return dict(zip(self.players, self.sizes, strict=True))

    @property
    def hands(self) -> dict[str, tuple[str, ...]] | None:
        """Every player's cards, if the truth is known."""
        if self.dealt is None:
            return None
        return dict(zip(self.players, self.dealt, strict=True))
