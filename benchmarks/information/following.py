"""The decisions of an agent at every moment of a game for one that can be come to.

What an agent does after the same questions and answers is the same, so it is asked once: thousands
of games, or all there are, are followed along one tree of decisions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sleuth import Play, SearchAgent
from sleuth.kit import MoveEvent
from sleuth.models.play import foreseen

#: What was asked or done, and what was seen.
History = tuple[tuple[int, int], ...]
#: Room for answers in an observation.
ANSWERS = 4_096


class Following:
    """The decisions of an agent at all moments of a game for one.

    Args:
        agent: The agent.
        state: Writes a state in which the player knows a history, where they would have to decide.
    """

    def __init__(self, agent: SearchAgent, state: Callable[[Any, History], None]) -> None:
        self.agent, self.state = agent, state
        self.game = agent.search.game
        self.play = Play.new(self.game, seed=0)
        self.known: dict[History, int] = {}

    def decision(self, history: History) -> int:
        """What the agent does after a history."""
        if history not in self.known:
            states = self.game.initial(0)
            self.state(states[0], history)
            moves = [MoveEvent(0, done * ANSWERS + seen, done) for done, seen in history]
            view, seen = foreseen(self.play.view(0), self.play.seen_by(0), states, moves)
            self.known[history] = self.agent.decide(view, seen)
        return self.known[history]
