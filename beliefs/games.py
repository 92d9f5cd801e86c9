"""The beliefs that come with sleuth, by the names of their games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..data.errors import SettingsError
from ..models.game import Game
from .clue_table import ClueTableBelief
from .kuhn_poker import KuhnPokerBelief
from .leduc_poker import LeducPokerBelief
from .phantom_tic_tac_toe import PhantomTicTacToeBelief
from .playing import GameBelief

BELIEFS: Final[dict[str, Callable[[], GameBelief]]] = {
    "clue_table": ClueTableBelief,
    "kuhn_poker": KuhnPokerBelief,
    "leduc_poker": LeducPokerBelief,
    "phantom_tic_tac_toe": PhantomTicTacToeBelief,
}


def belief(game: Game) -> GameBelief | None:
    """The belief of a game that comes with sleuth; None if nothing is hidden in it.

    Raises:
        SettingsError: Something is hidden, and no belief is known.
    """
    if not game.hides:
        return None
    make = BELIEFS.get(game.name)
    if make is None:
        raise SettingsError(
            "no belief is known for this game",
            value=game.name,
            hint="hand over your own: a GameBelief, see beliefs/playing.py",
        )
    return make()
