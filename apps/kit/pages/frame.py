"""Places of things in a picture of something over the events of a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Frame:
    """The coordinates of a picture, in its own units (pixels at full size).

    Attributes:
        width, height: Size of the picture.
        events: Number of events; each takes an equal width, moment 0 half of it.
        most: The value at the top; what is above it is drawn there. 0 is at the bottom.
        left, right, top, bottom: Margins around the plot.
    """

    width: float
    height: float
    events: int
    most: float = 1.0
    left: float = 34.0
    right: float = 12.0
    top: float = 14.0
    bottom: float = 34.0

    def x(self, event: float) -> float:
        """The place of an event."""
        share = (event + 0.5) / (self.events + 1)
        return self.left + share * (self.width - self.left - self.right)

    def y(self, value: float) -> float:
        """Height of a value."""
        full = self.height - self.top - self.bottom
        return self.top + full * (1.0 - min(value, self.most) / self.most)

    @property
    def step(self) -> float:
        """Width of one event."""
        return self.x(1) - self.x(0)


def ticks(events: int, room: float) -> list[int]:
    """Event numbers to write below an axis, at least ``room`` events apart."""
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500):
        if step >= room:
            return list(range(0, events + 1, step))
    return [0, events]
