"""What a player is told beside what he sees of a game: by whoever runs the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from .play import SeenPlay, View


@dataclass(frozen=True)
class Told:
    """What a match tells a player, as a part of what he has seen.

    Attributes:
        seconds: How long each action of this game took, in their order; None where nobody knows,
            and nothing at all where no clock runs.
        earlier: The ends of the earlier games of the same match, as he saw them.
        hint: What somebody says who knows the truth and is not always right (a noisy oracle);
            None for nothing. What it is about is the game's to say, see `Advice.secret`.
    """

    seconds: tuple[float | None, ...] = ()
    earlier: tuple[View, ...] = ()
    hint: bool | None = None


NOTHING: Final = Told()


class Person(Protocol):
    """A simulated person, who plays like any agent and takes his time."""

    @property
    def name(self) -> str:
        """What he is called in results."""
        ...

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The code of a legal action."""
        ...

    def took(self, view: View, seen: SeenPlay, action: int) -> float | None:
        """How many seconds he takes for that."""
        ...
