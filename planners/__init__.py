"""Choosing what to do with a belief: search, its parts and objectives, agents and matches."""

from .agents.agent import Agent, DeterminizationAgent, RandomAgent, SearchAgent, drawn_from
from .agents.names import OwnAgent, parse_agent
from .checking.belief_checks import check_belief
from .checking.conformance import check_game
from .checking.decisions import check_agent
from .look_ahead.alpha_beta import AlphaBeta
from .look_ahead.asking import AskingAhead
from .look_ahead.expectimax import Expectimax
from .matches.match import MatchResult, play_match
from .search.budget import Budget
from .search.coalition import coalition_reduction
from .search.decision import ActionReport, Decision
from .search.objective import Objective
from .search.options import Options
from .search.runs.running import Run
from .search.search import Search
from .search.widening import Widening

__all__ = [
    "ActionReport",
    "Agent",
    "AlphaBeta",
    "AskingAhead",
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
    "Widening",
    "check_agent",
    "check_belief",
    "check_game",
    "coalition_reduction",
    "drawn_from",
    "parse_agent",
    "play_match",
]
