"""The parts of a search: how it selects, draws worlds, and what it maximises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.planners.agents import Learning as Learning
    from sleuth.planners.look_ahead.alpha_beta import AlphaBeta as AlphaBeta
    from sleuth.planners.look_ahead.asking import AskingAhead as AskingAhead
    from sleuth.planners.look_ahead.expectimax import Expectimax as Expectimax
    from sleuth.planners.look_ahead.limits import Limits as Limits
    from sleuth.planners.search.coalition import coalition_reduction as coalition_reduction
    from sleuth.planners.search.decision import ActionReport as ActionReport
    from sleuth.planners.search.decision import Decision as Decision
    from sleuth.planners.search.determinization import from_list as from_list
    from sleuth.planners.search.kernels.regret_matching import regret_matching as regret_matching
    from sleuth.planners.search.kernels.selection import progressive_history as progressive_history
    from sleuth.planners.search.kernels.selection import puct as puct
    from sleuth.planners.search.options import Options as Options
    from sleuth.planners.search.semi_determinization import DeterminedWay as DeterminedWay
    from sleuth.planners.search.widening import Widening as Widening
    from sleuth.planners.viewing.drawing import draw_tree as draw_tree

__getattr__, __dir__, __all__ = attach(__name__)
