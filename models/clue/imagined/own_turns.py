"""Clue as a search imagines it that looks further than a question: others' turns tell nothing.

After a round of suggestions no two games look alike to a player, so nothing could be said of what
they may know then. Here they see of others only what answers their own suggestions, and suggestions
that they must answer.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ....data.errors import SettingsError
from ...game import HIDDEN, OVER, Game
from ...kernels.kernel import kernel
from ..board.walking import BOARD_STATE
from ..game import observe
from .race import race


@kernel(allocates=False)
def observe_own(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """`game.observe`, but nothing of what others do among themselves."""
    if mover != viewer and state.player != OVER:
        show = tables.codes.show
        answers = show <= action < tables.codes.accuse and state.suggester == viewer
        asks = action < show and state.refuter == viewer
        if not answers and not asks:
            return HIDDEN
    return observe(state, action, mover, viewer, tables)


def own_turns(game: Game) -> Game:
    """Clue without a board as a race, in which players see nothing of what others do among
    themselves.

    Raises:
        SettingsError: It has a board.
    """
    if game.state is BOARD_STATE:
        raise SettingsError(
            "with a board there is no such way to imagine the game",
            where="imagined",
            value="own_turns",
            hint="take clue_table, or imagined=predicted",
        )
    return replace(race(game), observe=observe_own)
