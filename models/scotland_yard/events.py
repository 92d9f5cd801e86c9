"""Events of a game of Scotland Yard. Stations are numbers, tickets are words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from ..records.events import Event

HIDER_NAME: Final = "hider"


def seeker_name(number: int) -> str:
    """The name of a detective in records; they are numbered from 1."""
    return f"seeker {number}"


def role(player: int) -> str:
    """The name of a player in records: the hider, who is number 0, or a detective."""
    return seeker_name(player) if player else HIDER_NAME


@dataclass(frozen=True, slots=True)
class HiderMove(Event):
    """Mr. X moved.

    Attributes:
        ticket: What they paid, as everybody saw.
        to: Where they went; ``None`` where that is not recorded, or the viewer could not see it.
        double: Whether it is the first half of a double move.

    >>> from sleuth.games.scotland_yard import HiderMove
    >>> HiderMove("taxi", 46).by, HiderMove("black", double=True).to_json()
    ('hider', {'by': 'hider', 'ticket': 'black', 'double': True})
    """

    kind: ClassVar[str] = "hider moves"

    ticket: str
    to: int | None = None
    double: bool = field(default=False, kw_only=True)

    @property
    def by(self) -> str:
        """The player who moved."""
        return HIDER_NAME

    def to_json(self) -> dict[str, object]:
        """The move as it stands in a record file."""
        made: dict[str, object] = {"by": self.by, "ticket": self.ticket}
        if self.to is not None:
            made["to"] = self.to
        return made | {"double": True} if self.double else made


@dataclass(frozen=True, slots=True)
class SeekerMove(Event):
    """A detective moved.

    Attributes:
        seeker: Their number, from 1.
        ticket: What they paid.
        to: Where they went.
        caught: Whether Mr. X was there.
        shown: Where Mr. X was, if the game ended with this move and nobody caught the hider.

    >>> from sleuth.games.scotland_yard import SeekerMove
    >>> move = SeekerMove(2, "bus", 13, caught=True)
    >>> move.by, move.to_json()["caught"]
    ('seeker 2', True)
    """

    kind: ClassVar[str] = "seeker moves"

    seeker: int
    ticket: str
    to: int
    caught: bool = field(default=False, kw_only=True)
    shown: int | None = field(default=None, kw_only=True)

    @property
    def by(self) -> str:
        """The player who moved."""
        return seeker_name(self.seeker)

    def to_json(self) -> dict[str, object]:
        """The move as it stands in a record file."""
        made: dict[str, object] = {"by": self.by, "ticket": self.ticket, "to": self.to}
        if self.caught:
            made["caught"] = True
        return made if self.shown is None else made | {"shown": self.shown}


HuntEvent = HiderMove | SeekerMove
