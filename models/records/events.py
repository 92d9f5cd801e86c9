"""Parts that every game's events share: the event, the event as one viewer saw it, and digests.

A record holds :class:`Event` objects with everything that is known about them. Nobody but the
record may look at those: code that reasons about a game gets :class:`Seen` events, from
which the record has removed what the viewer could not see.
"""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from dataclasses import InitVar, dataclass
from typing import ClassVar, Final, Generic, TypeVar


class Event:
    """Something that happened in a game. Each game's events are frozen dataclasses of this kind.

    Attributes:
        kind: The word for it in a record file, under the key ``type``.
    """

    __slots__ = ()
    kind: ClassVar[str]

    @abstractmethod
    def to_json(self) -> dict[str, object]:
        """The event as it stands in a record file."""


E_co = TypeVar("E_co", bound=Event, covariant=True)

_WITNESS: Final = object()


@dataclass(frozen=True)
class Seen(Generic[E_co]):
    """One event as one viewer saw it, without what was hidden from them.

    Only records make these, with :func:`witness`, when they answer ``seen_by(viewer)``; that is
    what lets beliefs, features and agents accept a ``Seen`` event without checking it.

    Attributes:
        number: The event's place in what the viewer saw, counted from 1.
        viewer: Whose view it is: a player's name or a word such as ``"spectator"``.
        event: What they saw of it.
    """

    number: int
    viewer: str | None
    event: E_co
    token: InitVar[object] = None

    def __post_init__(self, token: object) -> None:
        if token is not _WITNESS:
            raise TypeError(
                "Seen events are made by a record: write record.seen_by(viewer).events instead"
            )


def witness(number: int, viewer: str | None, event: E_co) -> Seen[E_co]:
    """A :class:`Seen` event. For records and the simulators of games; nobody else may call it.

    The caller promises to have removed from ``event`` whatever ``viewer`` could not see.
    """
    return Seen(number, viewer, event, _WITNESS)


def canonical_json(value: object) -> str:
    """``value`` as JSON text that is the same for equal values: sorted keys, no spaces, ASCII.

    Raises:
        ValueError: If a number in it is not finite.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(value: object) -> str:
    """SHA-256 of the canonical JSON of ``value``, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()
