"""Agents by name, and what agents of your own are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth._lazy import attach

if TYPE_CHECKING:
    from sleuth.planners.agents.agent import Agent as Agent
    from sleuth.planners.agents.agent import DeterminizationAgent as DeterminizationAgent
    from sleuth.planners.agents.agent import RandomAgent as RandomAgent
    from sleuth.planners.agents.agent import considered as considered
    from sleuth.planners.agents.agent import drawn_from as drawn_from
    from sleuth.planners.agents.asking_agents import AskingAgent as AskingAgent
    from sleuth.planners.agents.names import AGENTS as AGENTS
    from sleuth.planners.agents.names import parse_agent as parse_agent
    from sleuth.planners.agents.names import search_agent as search_agent
    from sleuth.planners.agents.search_agents import SearchSettings as SearchSettings
    from sleuth.planners.agents.search_agents import searchers as searchers
    from sleuth.planners.small_games.policy_agent import PolicyAgent as PolicyAgent

__getattr__, __dir__, __all__ = attach(__name__)
