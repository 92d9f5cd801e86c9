"""What could be done at a moment of a recorded game, and what an agent's search thinks of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ...beliefs.cheat_play import CheatPlayBelief
from ...beliefs.posterior import Posterior
from ...data.errors import SettingsError
from ...models.game import Game
from ...models.play import SeenPlay, View
from ...planners.agent_names import parse_agent
from ...planners.agents import SearchAgent
from ...planners.decision import Decision

#: Who values decisions if nobody else is asked for, and who does not.
USUAL: Final = "players:simulations=2000"
NOBODY: Final = "none"


@dataclass(frozen=True, kw_only=True)
class Option:
    """A legal action, and what a search thinks of it.

    Attributes:
        action: Its code.
        value: What it is worth: 1 is a won game, -1 a lost one; None if it was never tried.
        interval: 95 % confidence interval of the value; None if it was tried less than twice.
        visits: Simulations that began with it.
    """

    action: int
    value: float | None
    interval: tuple[float, float] | None
    visits: int

    def to_json(self, name: Callable[[int], str]) -> Mapping[str, object]:
        """The option as plain values."""
        return {
            "action": name(self.action),
            "value": self.value,
            "interval": None if self.interval is None else list(self.interval),
            "visits": self.visits,
        }


class Adviser:
    """Asks an agent what it thinks of every action.

    Args:
        game: The game.
        text: The agent's name and options.
        seed: The same seed gives the same answers.

    Raises:
        SettingsError: There is no such agent, or it does not say what it thinks.
    """

    def __init__(self, game: Game, text: str = USUAL, *, seed: int = 0) -> None:
        self.text = parse_agent(text).text
        agent: Any = parse_agent(text).prepare(game)(seed)
        if not hasattr(agent, "decision"):
            raise SettingsError(
                "this agent does not say what it thinks of its actions",
                where="--agent",
                value=text,
                hint=f"write one that searches, such as {USUAL!r}, or {NOBODY!r}",
            )
        self._belief = _Told()
        # A search that would count cards is told what was found, predictions included.
        told = isinstance(agent, SearchAgent) and not getattr(agent, "determines", False)
        if told and type(agent.belief) is CheatPlayBelief:
            agent = replace(agent, belief=self._belief)
        self._agent = agent

    def options(
        self, view: View, seen: SeenPlay, posterior: Posterior
    ) -> tuple[int, tuple[Option, ...]]:
        """What the agent would do, and all legal actions, the best first."""
        self._belief.found = posterior
        decision: Decision = self._agent.decision(view, seen)
        found = [
            Option(
                action=each.action,
                value=each.value if each.visits else None,
                # One visit says nothing of how far others would be off.
                interval=each.interval if all(map(math.isfinite, each.interval)) else None,
                visits=each.visits,
            )
            for each in decision.actions
        ]
        return decision.action, tuple(found)


class _Told(CheatPlayBelief):
    """A belief that says what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Posterior | None = None

    def infer(self, view: View, seen: SeenPlay) -> Posterior:
        """The posterior that was computed for this view."""
        assert self.found is not None
        return self.found
