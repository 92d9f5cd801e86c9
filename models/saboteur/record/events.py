"""Events of Saboteur as people write them down: a deal, a turn, and the end of a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from ...records.events import Event

Role = Literal["miner", "saboteur"]
Goal = Literal["top", "middle", "bottom"]
Said = Literal["gold", "stone", "nothing"]


@dataclass(frozen=True, slots=True)
class RoundDeal(Event):
    """A player's own role and hand at the beginning of a round.

    Attributes:
        player: Their name.
        role: Their role.
        hand: Their cards, as `card_name` calls them.

    >>> from sleuth.games.saboteur import RoundDeal
    >>> RoundDeal("Ann", "miner", ("NES", "map")).line
    'deal Ann miner: NES, map'
    >>> RoundDeal("Ann", "miner", ("NES", "map")).to_json()
    {'type': 'deal', 'player': 'Ann', 'role': 'miner', 'hand': ['NES', 'map']}
    """

    kind: ClassVar[str] = "deal"

    player: str
    role: Role
    hand: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The event as it stands in a record file."""
        return {"type": self.kind, "player": self.player, "role": self.role, "hand": [*self.hand]}

    @property
    def line(self) -> str:
        """The event as a line of text."""
        return f"deal {self.player} {self.role}: {', '.join(self.hand)}"


@dataclass(frozen=True, slots=True)
class RoundTurn(Event):
    """A player's turn: what they did with a card, and the card that they drew.

    Attributes:
        by: Their name.
        what: What they did, such as ``"NES d7"``, ``"break lantern Bob"``, ``"map top"``, or
            ``"discard"``, with the card where it is known.
        says: What they said of the goal that they looked at; None where it is no map.
        saw: What they saw there; None where the record does not know.
        turned: The goals that were turned up, each ``"gold"``, or ``"stone"`` and the openings as
            it lies, such as ``"stone SW"``.
        drew: The card that they drew; None where the record does not know, or they drew none.

    >>> from sleuth.games.saboteur import RoundTurn
    >>> RoundTurn("Bob", "map top", says="stone").line
    'Bob map top, says stone'
    >>> RoundTurn("Bob", "map top", says="stone").to_json()
    {'type': 'turn', 'by': 'Bob', 'what': 'map top', 'says': 'stone'}
    """

    kind: ClassVar[str] = "turn"

    by: str
    what: str
    says: Said | None = None
    saw: Literal["gold", "stone"] | None = None
    turned: Mapping[str, str] = field(default_factory=dict[str, str])
    drew: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The event as it stands in a record file."""
        made: dict[str, Any] = {"type": self.kind, "by": self.by, "what": self.what}
        told = {"says": self.says, "saw": self.saw, "turned": dict(self.turned), "drew": self.drew}
        return made | {name: value for name, value in told.items() if value}

    @property
    def line(self) -> str:
        """The event as a line of text."""
        said = [f"{self.by} {self.what}"]
        said += [f"{goal} is {card}" for goal, card in self.turned.items()]
        said += [f"{word} {value}" for word, value in (
            ("saw", self.saw), ("says", self.says), ("drew", self.drew)
        ) if value]  # fmt: skip
        return ", ".join(said)


@dataclass(frozen=True, slots=True)
class RoundEnd(Event):
    """The end of a round, when all roles are shown.

    Attributes:
        saboteurs: The players who were saboteurs.
        gold: Where the gold was, if that had not been seen by all.
        cards: The gold cards that players took, by their nuggets, as far as the record knows.

    >>> from sleuth.games.saboteur import RoundEnd
    >>> RoundEnd(("Bob",), "top", {"Ann": (3, 1)}).line
    'end: saboteurs Bob; gold top; Ann 3 1'
    >>> RoundEnd(("Bob",), "top").to_json()
    {'type': 'end', 'saboteurs': ['Bob'], 'gold': 'top'}
    """

    kind: ClassVar[str] = "end"

    saboteurs: tuple[str, ...]
    gold: Goal | None = None
    cards: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    def to_json(self) -> dict[str, Any]:
        """The event as it stands in a record file."""
        made: dict[str, Any] = {"type": self.kind, "saboteurs": [*self.saboteurs]}
        if self.gold is not None:
            made["gold"] = self.gold
        if self.cards:
            made["cards"] = {player: [*taken] for player, taken in self.cards.items()}
        return made

    @property
    def line(self) -> str:
        """The event as a line of text."""
        said = [f"saboteurs {', '.join(self.saboteurs) or 'none'}"]
        if self.gold is not None:
            said.append(f"gold {self.gold}")
        said += [f"{player} {' '.join(map(str, each))}" for player, each in self.cards.items()]
        return f"end: {'; '.join(said)}"


SaboteurEvent = RoundDeal | RoundTurn | RoundEnd
