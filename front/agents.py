"""Agents by name, and what agents of your own are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.planners.agents import AGENTS as AGENTS
    from sleuth.planners.agents import Agent as Agent
    from sleuth.planners.agents import AskingAgent as AskingAgent
    from sleuth.planners.agents import DeterminizationAgent as DeterminizationAgent
    from sleuth.planners.agents import KeptAgent as KeptAgent
    from sleuth.planners.agents import RandomAgent as RandomAgent
    from sleuth.planners.agents import Randomizing as Randomizing
    from sleuth.planners.agents import SearchSettings as SearchSettings
    from sleuth.planners.agents import SoundAgent as SoundAgent
    from sleuth.planners.agents import considered as considered
    from sleuth.planners.agents import drawn_from as drawn_from
    from sleuth.planners.agents import parse_agent as parse_agent
    from sleuth.planners.agents import search_agent as search_agent
    from sleuth.planners.agents import searchers as searchers
    from sleuth.planners.small_games.policy_agent import PolicyAgent as PolicyAgent

__getattr__, __dir__, __all__ = attach(__name__)
