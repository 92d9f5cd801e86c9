"""The beliefs that come with sleuth, by the names of their games."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from ..data.errors import SettingsError, nearest
from ..models.game import Game
from .cheat_play import CheatPlayBelief
from .clue_table import ClueTableBelief
from .kuhn_poker import KuhnPokerBelief
from .leduc_poker import LeducPokerBelief
from .phantom_tic_tac_toe import PhantomTicTacToeBelief
from .playing import GameBelief
from .scotland_yard_play import ScotlandYardBelief

BELIEFS: Final[dict[str, Callable[..., GameBelief]]] = {
    "cheat": CheatPlayBelief,
    "clue_table": ClueTableBelief,
    "kuhn_poker": KuhnPokerBelief,
    "leduc_poker": LeducPokerBelief,
    "phantom_tic_tac_toe": PhantomTicTacToeBelief,
    "scotland_yard": ScotlandYardBelief,
}


def belief(game: Game, **options: Any) -> GameBelief | None:
    """The belief of a game that comes with sleuth; None if nothing is hidden in it.

    Args:
        game: The game.
        options: What its belief can be told, such as ``likelihood="uniform"`` for Scotland Yard.

    Raises:
        SettingsError: Something is hidden and no belief is known, or it has no such option.
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
    known = inspect.signature(make).parameters
    for option in options:
        if option not in known:
            raise SettingsError(
                "this belief has no such option",
                where=f"game {game.name!r}",
                value=option,
                hint=nearest(option, known) if known else "it has none",
            )
    return make(**options)


def games_whose_belief_takes(option: str) -> tuple[str, ...]:
    """The games whose belief can be told something, such as a ``"predictor"``."""
    return tuple(
        name for name, make in BELIEFS.items() if option in inspect.signature(make).parameters
    )
