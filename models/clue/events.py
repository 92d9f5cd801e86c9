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

Named = Triple | tuple[str, str]
"""The cards of a suggestion; without a room where a table plays so."""

NOT_RECORDED: Final = "not recorded"
#: Where a move leads that only says that a turn ended without a suggestion.
NO_SUGGESTION: Final = "no suggestion"
CASE_FILE_IN_RECORDS: Final = "cf"


@dataclass(frozen=True, slots=True)
class Refutation:
    """A player showed a card to one who suggested.

    Attributes:
        player: Who showed it.
        shown: The card, where it is known and the viewer could see it.

    >>> from sleuth.games.clue import Refutation
    >>> Refutation("bob", "plum").to_json()
    {'player': 'bob', 'shown': 'plum'}
    """

    player: str
    shown: str | None = None

    def to_json(self) -> dict[str, object]:
        """As it stands in a record file."""
        return {"player": self.player, "shown": self.shown}


@dataclass(frozen=True, slots=True)
class Suggestion(Event):
    """A player named three cards, and the others were asked in turn to refute it.

    Attributes:
        by: Who suggested.
        cards: Suspect, weapon and room; without the room where the house rules say so.
        refuter: Who showed a card; ``None`` if nobody could, or if that was not recorded.
        shown: The card shown, where it is known and the viewer could see it.
        passed: Who was asked and held none of the three, in turn order.
        further: Who else showed a card, where all show who can, in turn order.
        refuter_recorded: Whether ``refuter`` says anything: if not, somebody may have shown a
            card or nobody, and only ``passed`` is known.

    >>> from sleuth.games.clue import Suggestion
    >>> asked = Suggestion("ann", ("plum", "knife", "study"), refuter="cid", passed=("bob",))
    >>> asked.to_json()["refuter"]
    'cid'
    """

    kind: ClassVar[str] = "suggest"

    by: str
    cards: Named
    refuter: str | None = field(default=None, kw_only=True)
    shown: str | None = field(default=None, kw_only=True)
    passed: tuple[str, ...] = field(default=(), kw_only=True)
    refuter_recorded: bool = field(default=True, kw_only=True)
    further: tuple[Refutation, ...] = field(default=(), kw_only=True)

    @classmethod
    def answered(
        cls, by: str, cards: Named, refutations: Sequence[Refutation], *, passed: Sequence[str] = ()
    ) -> Suggestion:
        """A suggestion that some answered, in turn order; nobody could, if there are none.

        >>> from sleuth.games.clue import Refutation, Suggestion
        >>> Suggestion.answered("ann", ("plum", "rope"), [Refutation("bob", "plum")]).shown
        'plum'
        """
        first = refutations[0] if refutations else None
        return cls(
            by,
            cards,
            refuter=None if first is None else first.player,
            shown=None if first is None else first.shown,
            passed=tuple(passed),
            further=tuple(refutations[1:]),
        )

    @property
    def room(self) -> str | None:
        """The room that was named; None where the house rules have none.

        >>> from sleuth.games.clue import Suggestion
        >>> Suggestion("ann", ("plum", "knife", "study")).room
        'study'
        """
        return self.cards[2] if len(self.cards) == 3 else None

    @property
    def refutations(self) -> tuple[Refutation, ...]:
        """All who showed a card, in turn order.

        >>> from sleuth.games.clue import Suggestion
        >>> [each.player for each in Suggestion("ann", ("plum", "rope"), refuter="bob").refutations]
        ['bob']
        """
        if self.refuter is None:
            return ()
        return (Refutation(self.refuter, self.shown), *self.further)

    def to_json(self) -> dict[str, object]:
        """The event as it stands in a record file; who passed is left out where it follows."""
        made: dict[str, object] = {"type": self.kind, "by": self.by, "cards": list(self.cards)}
        if not self.refuter_recorded:
            return made | {"refuter": NOT_RECORDED, "passed": list(self.passed)}
        if self.further:
            return made | {"refuters": [each.to_json() for each in self.refutations]}
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
class Look(Event):
    """A player looked at the cards left over, which lie face down.

    Attributes:
        by: Who looked.
        cards: All of these cards in deck order, where they are known and the viewer could see
            them; else empty.

    >>> from sleuth.games.clue import Look
    >>> Look("ann", ("plum", "rope")).to_json()
    {'type': 'look', 'by': 'ann', 'cards': ['plum', 'rope']}
    """

    kind: ClassVar[str] = "look"

    by: str
    cards: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The event as it stands in a record file."""
        made: dict[str, object] = {"type": self.kind, "by": self.by}
        return made | {"cards": list(self.cards)} if self.cards else made


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
ClueEvent = Suggestion | Accusation | Look | Move | Has | NotHas | OneOf


def asked_in_turn(players: Sequence[str], by: str, refuter: str | None) -> tuple[str, ...]:
    """The players asked before ``refuter`` when ``by`` suggested; everybody if nobody refuted."""
    first = players.index(by) + 1
    in_turn = (*players[first:], *players[: first - 1])
    return in_turn if refuter is None else in_turn[: in_turn.index(refuter)]


def _in_record(holder: str) -> str:
    return CASE_FILE_IN_RECORDS if holder == CASE_FILE else holder
