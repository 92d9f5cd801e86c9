"""Events of a game of Clue, and the facts a notebook can hold.

Cards are canonical names, players are names in turn order. In the views that a record hands out,
``shown`` and ``seen`` are ``None`` where the viewer could not see them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from ..records.events import Event
from .cards import CASE_FILE
from .edition import Triple as Triple

NOT_RECORDED: Final = "not recorded"
#: Where a move leads that only says that a turn ended without a suggestion.
NO_SUGGESTION: Final = "no suggestion"
CASE_FILE_IN_RECORDS: Final = "cf"


@dataclass(frozen=True, slots=True)
class Suggestion(Event):
    """A player named three cards, and the others were asked in turn to refute it.

    Attributes:
        by: Who suggested.
        cards: Suspect, weapon and room.
        refuter: Who showed a card; ``None`` if nobody could, or if that was not recorded.
        shown: The card shown, where it is known and the viewer could see it.
        passed: Who was asked and held none of the three, in turn order.
        refuter_recorded: Whether ``refuter`` says anything: if not, somebody may have shown a
            card or nobody, and only ``passed`` is known.

    >>> from sleuth.games.clue import Suggestion
    >>> asked = Suggestion("ann", ("plum", "knife", "study"), refuter="cid", passed=("bob",))
    >>> asked.to_json()["refuter"]
    'cid'
    """

    kind: ClassVar[str] = "suggest"

    by: str
    cards: Triple
    refuter: str | None = field(default=None, kw_only=True)
    shown: str | None = field(default=None, kw_only=True)
    passed: tuple[str, ...] = field(default=(), kw_only=True)
    refuter_recorded: bool = field(default=True, kw_only=True)

    def to_json(self) -> dict[str, object]:
        """The event as it stands in a record file; who passed is left out where it follows."""
        made: dict[str, object] = {"type": self.kind, "by": self.by, "cards": list(self.cards)}
        if not self.refuter_recorded:
            return made | {"refuter": NOT_RECORDED, "passed": list(self.passed)}
        return made | {"refuter": self.refuter, "shown": self.shown}


@dataclass(frozen=True, slots=True)
class Accusation(Event):
    """A player said what is in the case file and looked.

    Attributes:
        by: Who accused.
        cards: Suspect, weapon and room.
        correct: Whether they are in the case file.
        seen: The case file as the accuser saw it, if they told and the viewer may know.

    >>> from sleuth.games.clue import Accusation
    >>> Accusation("ann", ("plum", "knife", "study"), correct=False).to_json()["correct"]
    False
    """

    kind: ClassVar[str] = "accuse"

    by: str
    cards: Triple
    correct: bool
    seen: Triple | None = field(default=None, kw_only=True)

    def to_json(self) -> dict[str, object]:
        """The event as it stands in a record file."""
        made: dict[str, object] = {
            "type": self.kind,
            "by": self.by,
            "cards": list(self.cards),
            "correct": self.correct,
        }
        return made if self.seen is None else made | {"seen": list(self.seen)}


@dataclass(frozen=True, slots=True)
class Move(Event):
    """A player's pawn went somewhere.

    ``to`` is a room, row and column of a square, `NO_SUGGESTION` where the turn ended without one,
    or words for another place.

    >>> from sleuth.games.clue import Move
    >>> Move("ann", "study").to_json()
    {'type': 'move', 'by': 'ann', 'to': 'study'}
    """

    kind: ClassVar[str] = "move"

    by: str
    to: str

    def to_json(self) -> dict[str, object]:
        """The event as it stands in a record file."""
        return {"type": self.kind, "by": self.by, "to": self.to}


@dataclass(frozen=True, slots=True)
class _OfCard(Event):
    player: str
    card: str

    def to_json(self) -> dict[str, object]:
        """The event as it stands in a record file."""
        return {"type": self.kind, "player": _in_record(self.player), "card": self.card}


@dataclass(frozen=True, slots=True)
class Has(_OfCard):
    """A notebook fact: the player, or the case file, has the card.

    >>> from sleuth.games.clue import Has
    >>> Has("bob", "knife").to_json()
    {'type': 'has', 'player': 'bob', 'card': 'knife'}
    """

    kind: ClassVar[str] = "has"


@dataclass(frozen=True, slots=True)
class NotHas(_OfCard):
    """A notebook fact: the player, or the case file, does not have the card.

    >>> from sleuth.games.clue import CASE_FILE, NotHas
    >>> NotHas(CASE_FILE, "knife").to_json()
    {'type': 'nothas', 'player': 'cf', 'card': 'knife'}
    """

    kind: ClassVar[str] = "nothas"


@dataclass(frozen=True, slots=True)
class OneOf(Event):
    """A notebook fact: the player, or the case file, has at least one of the cards.

    >>> from sleuth.games.clue import OneOf
    >>> OneOf("cid", ("plum", "study")).to_json()
    {'type': 'oneof', 'player': 'cid', 'cards': ['plum', 'study']}
    """

    kind: ClassVar[str] = "oneof"

    player: str
    cards: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The event as it stands in a record file."""
        return {"type": self.kind, "player": _in_record(self.player), "cards": list(self.cards)}


Fact = Has | NotHas | OneOf
ClueEvent = Suggestion | Accusation | Move | Has | NotHas | OneOf


def asked_in_turn(players: Sequence[str], by: str, refuter: str | None) -> tuple[str, ...]:
    """The players asked before ``refuter`` when ``by`` suggested; everybody if nobody refuted."""
    first = players.index(by) + 1
    in_turn = (*players[first:], *players[: first - 1])
    return in_turn if refuter is None else in_turn[: in_turn.index(refuter)]


def _in_record(holder: str) -> str:
    return CASE_FILE_IN_RECORDS if holder == CASE_FILE else holder
