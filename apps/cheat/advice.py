"""Actions at a moment of a recorded game, and what an agent's search thinks of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ...beliefs.games.cheat.play import CheatBelief
from ...models.game import Game
from ...models.play import SeenPlay, View
from ...planners.agents import SearchAgent, parse_agent
from ..kit.analysis import ActionValue, valued, valuing_agent

#: Who values decisions if nobody else is asked for.
USUAL: Final = "players:simulations=2000"


class CheatValuer:
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
        self._agent = valuing_agent(game, text, seed, USUAL)

    def options(
        self, view: View, seen: SeenPlay, belief: CheatBelief
    ) -> tuple[int, Mapping[int, ActionValue]]:
        """The agent's choice, and all legal actions by their codes, the best first.

        A search that would count cards is told what ``belief`` finds, predictions included.
        """
        agent = self._agent
        counts = isinstance(agent, SearchAgent) and type(agent.belief) is CheatBelief
        if isinstance(agent, SearchAgent) and counts and not agent.determines:
            agent = replace(agent, belief=belief)
        decision = agent.decision(view, seen)
        return decision.action, {each.action: valued(each) for each in decision.actions}
