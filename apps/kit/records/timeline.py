"""The common base of the analyses of all games: moments, one after every event."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..number_words import bits


@dataclass(frozen=True, kw_only=True)
class Known:
    """The knowledge after one event; a game's own moments say more.

    Attributes:
        event: The number of the event; 0 is before the first.
        text: The event in words.
        entropy_bits: Entropy of what is hidden; NaN where it was not computed.
        log_evidence: Natural log of the probability of all that was seen so far; None or NaN for
            a method that does not estimate it.
        seconds: Time that observing the event and answering about it took.
    """

    event: int
    text: str
    entropy_bits: float
    log_evidence: float | None
    seconds: float

    def known_json(self) -> dict[str, object]:
        """The facts that the JSON of every game says of every moment."""
        return {
            "event": self.event,
            "text": self.text,
            "entropy_bits": finite(self.entropy_bits),
            "log_evidence": finite(self.log_evidence),
            "seconds": self.seconds,
        }


Moments = TypeVar("Moments", bound=Known)


@dataclass(frozen=True, kw_only=True, eq=False)
class Timeline(Generic[Moments]):
    """An analysed game.

    Attributes:
        timeline: Before the first event, and after each.
        method: The engines that answered.
        seed: Seed of what was drawn at random.
        version: The version of sleuth.
    """

    timeline: tuple[Moments, ...]
    method: str
    seed: int
    version: str

    @property
    def events(self) -> int:
        """The number of events."""
        return len(self.timeline) - 1

    @property
    def entropies(self) -> list[float]:
        """The bits that were open after every event."""
        return [moment.entropy_bits for moment in self.timeline]

    def told(self, event: int) -> float:
        """The bits that an event told; negative where more is open after it."""
        return self.timeline[event - 1].entropy_bits - self.timeline[event].entropy_bits

    def titles(self, left: str) -> list[str]:
        """The pictures' words on every moment; ``left`` is what bits are that nobody told."""
        said: list[str] = []
        for moment in self.timeline:
            rest = f"{bits(moment.entropy_bits)} bits {left}"
            if moment.event:
                told = bits(self.told(moment.event))
                said.append(f"event {moment.event}, {moment.text}: told {told}, {rest}")
            else:
                said.append(f"{moment.text}: {rest}")
        return said


def finite(value: float | None) -> float | None:
    """JSON has no NaN and no infinity."""
    return value if value is not None and math.isfinite(value) else None
