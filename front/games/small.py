"""Small games whose answers are known: the yardsticks of beliefs and searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.beliefs.games.kuhn_poker import KuhnPokerBelief as KuhnPokerBelief
    from sleuth.beliefs.games.leduc_poker import LeducPokerBelief as LeducPokerBelief
    from sleuth.beliefs.games.phantom_tic_tac_toe import (
        PhantomTicTacToeBelief as PhantomTicTacToeBelief,
    )
    from sleuth.models.small.kuhn_poker import kuhn_poker as kuhn_poker
    from sleuth.models.small.leduc_poker import leduc_poker as leduc_poker
    from sleuth.models.small.phantom_tic_tac_toe import phantom_tic_tac_toe as phantom_tic_tac_toe
    from sleuth.models.small.tic_tac_toe import tic_tac_toe as tic_tac_toe
    from sleuth.models.small.tree_game import by_world as by_world
    from sleuth.models.small.tree_game import payoff as payoff
    from sleuth.models.small.tree_game import tree_game as tree_game
    from sleuth.models.small.tree_game import turn as turn

__getattr__, __dir__, __all__ = attach(__name__)
