"""Certain facts after the last event of an analysed game, and the observations that prove them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...beliefs.explaining.explain import Explanation
from ...beliefs.language.features import Feature
from ...beliefs.posterior import Posterior
from ...data.checks import CERTAIN
from ...data.errors import ContradictionError, CostError, EvidenceError, UnsupportedError


@dataclass(frozen=True)
class Proven:
    """Something hidden that is certain in the end.

    Attributes:
        name, value: What it is.
        because: The fewest observations that prove it, in words, none of which can be left out;
            empty where it follows from what the viewer knew before the first event.
        events: The numbers of the events that they were.
        since: The number of the event after which it was certain; None if it was from the start.
    """

    name: str
    value: str
    because: tuple[str, ...]
    events: tuple[int, ...] = ()
    since: int | None = None

    @property
    def sooner(self) -> str:
        """The event after which it was certain, in words, where fewer prove it with a later one."""
        if self.since is None or self.since == max(self.events, default=None):
            return ""
        return f" (certain since event {self.since})"


def proven(
    posterior: Posterior, hidden: Mapping[str, Feature]
) -> Iterator[tuple[str, Any, Explanation]]:
    """The facts that follow from hard facts alone: each one's name, value, and proof.

    An approximation can give a wrong 1 (nothing else was drawn) and can miss a right one, so its
    likeliest values are only candidates; the proof is exact either way.

    Args:
        posterior: What is known.
        hidden: What may be certain, by name.
    """
    least = 1.0 - CERTAIN if posterior.exact else 0.5
    for name, feature in hidden.items():
        for value, share in posterior.marginal(feature).items():
            if share < least:
                continue
            try:
                because = posterior.explain(feature.equals(value))
            except (EvidenceError, ContradictionError, UnsupportedError, CostError):
                continue  # very likely, yet not proven
            yield name, value, because
