"""A simulated person, as a game's advice offers them."""

from __future__ import annotations

from typing import Protocol

from .play import SeenPlay, View


class Person(Protocol):
    """A simulated person, who plays like any agent and takes their time."""

    @property
    def name(self) -> str:
        """The person's name in results."""
        ...

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The code of a legal action."""
        ...

    def took(self, view: View, seen: SeenPlay, action: int) -> float | None:
        """The seconds they take for that."""
        ...
