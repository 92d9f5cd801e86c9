"""Small games as a whole: trees, policies, how much can be won against them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.planners.responding.local_responder import LocalResponse as LocalResponse
    from sleuth.planners.responding.local_responder import ResponderSettings as ResponderSettings
    from sleuth.planners.responding.lower_bound import LowerBound as LowerBound
    from sleuth.planners.responding.lower_bound import local_best_response as local_best_response
    from sleuth.planners.responding.lower_bound import lower_bound as lower_bound
    from sleuth.planners.small_games.equilibrium import equilibrium as equilibrium
    from sleuth.planners.small_games.exploitability import GameTree as GameTree
    from sleuth.planners.small_games.exploitability import exploitability as exploitability
    from sleuth.planners.small_games.restricted import restricted_response as restricted_response
    from sleuth.planners.small_games.restricted import tradeoffs as tradeoffs
    from sleuth.planners.small_games.tabulation import tabulate as tabulate
    from sleuth.planners.sound.online import OnlineSearch as OnlineSearch
    from sleuth.planners.sound.resolving.gadgets import resolution as resolution
    from sleuth.planners.sound.resolving.moments import resolve_from as resolve_from
    from sleuth.planners.sound.resolving.resolve import resolve as resolve
    from sleuth.planners.sound.resolving.subgames import subgames as subgames
    from sleuth.planners.sound.sampling import Sampling as Sampling
    from sleuth.planners.sound.whole_game import WholeGameSearch as WholeGameSearch

__getattr__, __dir__, __all__ = attach(__name__)
