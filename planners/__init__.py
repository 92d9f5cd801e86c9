"""Choosing what to do with a belief: search, its parts and objectives, agents and matches."""

from .agent_names import OwnAgent, parse_agent
from .agents import Agent, DeterminizationAgent, RandomAgent, SearchAgent, drawn_from
from .alpha_beta import AlphaBeta
from .budget import Budget
from .coalition import coalition_reduction
from .conformance import check_game
from .decision import ActionReport, Decision
from .expectimax import Expectimax
from .match import MatchResult, play_match
from .objective import Objective
from .options import Options
from .run import Run
from .search import Search

__all__ = [
    "ActionReport",
    "Agent",
    "AlphaBeta",
    "Budget",
    "Decision",
    "DeterminizationAgent",
    "Expectimax",
    "MatchResult",
    "Objective",
    "Options",
    "OwnAgent",
    "RandomAgent",
    "Run",
    "Search",
    "SearchAgent",
    "check_game",
    "coalition_reduction",
    "drawn_from",
    "parse_agent",
    "play_match",
]
