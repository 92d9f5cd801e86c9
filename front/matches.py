"""Matches: when they stop, what they tell, and options that are tuned by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.planners.matches.match_result import MatchResult as MatchResult
    from sleuth.planners.matches.match_statistics import Stop as Stop
    from sleuth.planners.tuning.options import candidates as candidates
    from sleuth.planners.tuning.tournament import tune as tune

__getattr__, __dir__, __all__ = attach(__name__)
