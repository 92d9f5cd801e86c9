"""Agents: what decides in a game, knowing what one player knows and nothing else.

Other rooms take from here what they need. A name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...data.lazy import attach

if TYPE_CHECKING:
    from .agent import Agent as Agent
    from .agent import DeterminizationAgent as DeterminizationAgent
    from .agent import Maker as Maker
    from .agent import RandomAgent as RandomAgent
    from .agent import Randomizing as Randomizing
    from .agent import SearchAgent as SearchAgent
    from .agent import SemiDeterminizationAgent as SemiDeterminizationAgent
    from .agent import Valuing as Valuing
    from .agent import considered as considered
    from .agent import drawn_from as drawn_from
    from .agent import seed_of as seed_of
    from .asking_agents import AskingAgent as AskingAgent
    from .bots import BotAgent as BotAgent
    from .bots import Ending as Ending
    from .bots import LostGame as LostGame
    from .kind import Kind as Kind
    from .kind import NoSettings as NoSettings
    from .learning import Learning as Learning
    from .learning import lasts as lasts
    from .names import AGENTS as AGENTS
    from .names import COMMANDS as COMMANDS
    from .names import UNNAMED as UNNAMED
    from .names import WRAP as WRAP
    from .names import Contestant as Contestant
    from .names import NamedAgent as NamedAgent
    from .names import OwnAgent as OwnAgent
    from .names import adviser as adviser
    from .names import agents_of as agents_of
    from .names import option_type as option_type
    from .names import parse_agent as parse_agent
    from .names import search_agent as search_agent
    from .names import without_programs as without_programs
    from .option_text import agents_in as agents_in
    from .option_text import parse_named as parse_named
    from .option_text import value_of as value_of
    from .search_agents import SearchSettings as SearchSettings
    from .search_agents import WaySettings as WaySettings
    from .search_agents import searchers as searchers
    from .search_agents import searching as searching
    from .sound_agents import KeptAgent as KeptAgent
    from .sound_agents import SoundAgent as SoundAgent
    from .sound_agents import SoundSettings as SoundSettings
    from .sound_agents import sounders as sounders

__getattr__, __dir__, __all__ = attach(__name__)
