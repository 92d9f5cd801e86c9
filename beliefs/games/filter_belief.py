"""A belief that follows a game event by event: what a hand is after every draw and every play."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import NamedTuple

from ...models.play import MoveEvent, SeenPlay, View
from ..language.evidence import Evidence, Merge, Reveal, Split
from ..posterior import Posterior
from .contract import CachedBelief


class PlayHistory(NamedTuple):
    """All that a viewer has seen of a game.

    Attributes:
        viewer: A player's number, or ``SPECTATOR``.
        players: How many there are.
        start: The numbers of the state before the first move, as the viewer saw it.
        events: The moves since.
    """

    viewer: int
    players: int
    start: tuple[int, ...]
    events: tuple[MoveEvent, ...] = ()


#: All that an event may say: what is likely, and how things move from holder to holder.
Step = Evidence | Split | Reveal | Merge


class FilterBelief(CachedBelief[PlayHistory]):
    """A belief that is asked about every event once, and goes on from the moment before it.

    A subclass says what is known before the first move (`first`), and what an event says (`steps`).

    >>> import sleuth
    >>> class DiceBelief(sleuth.kit.FilterBelief):
    ...     die = sleuth.Choice("die", range(1, 7))
    ...
    ...     def first(self, seen):
    ...         return sleuth.infer(sleuth.Model(self.die))
    ...
    ...     def steps(self, seen, event):
    ...         yield self.die.at_least(event.observation).observed(because="what was told")
    ...
    ...     def hidden(self, view):
    ...         return {"die": self.die.value()}
    >>> told = [sleuth.kit.MoveEvent(mover=0, observation=number) for number in (2, 5)]
    >>> seen = sleuth.kit.PlayHistory(viewer=1, players=2, start=(), events=tuple(told))
    >>> DiceBelief().posterior(seen).marginal("die")
    {5: 0.5, 6: 0.5}
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> DiceBelief().known(play.view(0), play.seen_by(0)).events
    ()
    """

    @abstractmethod
    def first(self, seen: PlayHistory) -> Posterior:
        """The posterior before the first move; ``seen`` has no events."""

    @abstractmethod
    def steps(
        self, seen: PlayHistory, event: MoveEvent
    ) -> Iterable[Evidence | Split | Reveal | Merge]:
        """The evidence of an event; ``seen`` has those before it."""

    def known(self, view: View, seen: SeenPlay) -> PlayHistory:
        """All that was seen."""
        events = tuple(each.event for each in seen.events)
        return PlayHistory(seen.viewer, len(seen.roles), seen.start, events)

    def posterior(self, known: PlayHistory) -> Posterior:
        """The posterior of the moment before, which is kept, and the evidence of the last event."""
        if not known.events:
            return self.first(known)
        before = known._replace(events=known.events[:-1])
        return self._posterior(before).observe(*self.steps(before, known.events[-1]))
