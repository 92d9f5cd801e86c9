"""Agents by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sleuth.models.game import Game
    from sleuth.models.games import GameEntry
    from sleuth.planners.agents import Agent


def agent(text: str, game: Game | GameEntry | str, *, seed: int = 0) -> Agent:
    """One player of a game, by name and options.

    Args:
        text: Such as ``"mcts:simulations=1000"``. In matches the text itself stands for an agent.
        game: The game, its entry, or its name.
        seed: Of the agent's chance: with the same seed it decides the same.

    Raises:
        SettingsError: There is no such agent or option, or the agent cannot play this game.

    >>> import sleuth
    >>> kuhn = sleuth.game("kuhn_poker")
    >>> play, player = sleuth.Play.new(kuhn, seed=1), sleuth.agent("mcts:simulations=200", kuhn)
    >>> player.decide(play.view(0), play.seen_by(0)) in play.view(0).legal()
    True
    """
    from sleuth.models.games import game_from
    from sleuth.planners.agents import parse_agent

    made = game_from(game)
    return parse_agent(text, made).prepare(made)(seed)
