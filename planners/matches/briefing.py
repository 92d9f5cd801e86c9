"""Facts players are told beyond what they see: a clock, earlier games, and a noisy oracle.

A `Briefer` is made by the code that runs a match and holds the truth. What it says stands in
``seen.told``, so an agent that is told something gets it as an observation, and nothing else.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from ...models.briefing import Briefing
from ...models.game import Game
from ...models.play import Play, SeenPlay, View

#: What the seeds of hints are for.
_HINT: Final = 3


@runtime_checkable
class Hinted(Protocol):
    """An agent that wants a hint whenever it decides."""

    @property
    def hint_right(self) -> float | None:
        """The share of what it is told that is right; None for no hint."""
        ...


@runtime_checkable
class Timed(Protocol):
    """An agent whose actions take a time of their own, as those of a simulated person."""

    def took(self, view: View, seen: SeenPlay, action: int) -> float | None:
        """The seconds an action takes it; None to say nothing."""
        ...


@dataclass(eq=False)
class Briefer:
    """Tells the players of one match, game by game.

    Attributes:
        game: The game.
        seed: Where errors of the oracle come from.
    """

    game: Game
    seed: int
    _seconds: list[float | None] = field(default_factory=list[float | None])
    _earlier: dict[Hashable, tuple[View, ...]] = field(
        default_factory=dict[Hashable, tuple[View, ...]]
    )
    _ended: int = 0

    def seen(self, play: Play, role: int, agent: Any, who: Hashable) -> SeenPlay:
        """All that a player has seen and was told, before they decide.

        Args:
            play: The play.
            role: Their role in it.
            agent: Who plays it.
            who: Tells them from others, whatever their role in the games of the match.
        """
        clock = any(took is not None for took in self._seconds)
        told = Briefing(
            seconds=self.seconds if clock else (),
            earlier=self._earlier.get(who, ()),
            hint=self._hint(play, role, agent),
        )
        seen = play.seen_by(role)
        return seen if told == seen.told else replace(seen, told=told)

    def acted(self, view: View, seen: SeenPlay, agent: Any, action: int) -> None:
        """Somebody has decided: note how long that took them."""
        self.noted(agent.took(view, seen, action) if isinstance(agent, Timed) else None)

    def noted(self, *seconds: float | None) -> None:
        """Note how long the next actions took; None where nobody knows."""
        self._seconds.extend(seconds)

    @property
    def seconds(self) -> tuple[float | None, ...]:
        """The seconds each action of this game took, as far as anybody knows."""
        return tuple(self._seconds)

    def ended(self, play: Play, players: list[Hashable]) -> None:
        """A game of the match is over.

        Args:
            play: The game.
            players: Who played each role, as in `seen`.
        """
        for role, who in enumerate(players):
            self._earlier[who] = (*self._earlier.get(who, ()), play.view(role))
        self._seconds.clear()
        self._ended += 1

    def _hint(self, play: Play, role: int, agent: Any) -> bool | None:
        right = agent.hint_right if isinstance(agent, Hinted) else None
        secret = self.game.advice.secret
        if right is None or secret is None:
            return None
        answer = secret(play.truth(), role)
        if answer is None:
            return None
        rng = np.random.default_rng((self.seed, _HINT, self._ended, len(play.actions)))
        return answer if rng.random() < right else not answer
