"""Choosing what to do with a belief: search, its parts and objectives, agents and matches."""

from .budget import Budget
from .decision import ActionReport, Decision
from .objective import Objective
from .options import Options
from .run import Run
from .search import Search

__all__ = ["ActionReport", "Budget", "Decision", "Objective", "Options", "Run", "Search"]
