"""The games that come with sleuth, by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from ..data.errors import SettingsError, nearest
from .cheat import cheat
from .clue_table import clue_table
from .game import Game
from .kuhn_poker import kuhn_poker
from .leduc_poker import leduc_poker
from .phantom_tic_tac_toe import phantom_tic_tac_toe
from .scotland_yard import scotland_yard
from .tic_tac_toe import tic_tac_toe

GAMES: Final[dict[str, Callable[..., Game]]] = {
    "cheat": cheat,
    "clue_table": clue_table,
    "kuhn_poker": kuhn_poker,
    "leduc_poker": leduc_poker,
    "phantom_tic_tac_toe": phantom_tic_tac_toe,
    "scotland_yard": scotland_yard,
    "tic_tac_toe": tic_tac_toe,
}


def game(name: str, **settings: Any) -> Game:
    """The game of a name.

    Args:
        name: Such as ``"kuhn_poker"``; ``-`` and ``_`` are the same.
        settings: What the game can be told, such as the number of players.

    Raises:
        SettingsError: No game has this name, or it has no such setting.
    """
    make = GAMES.get(name.replace("-", "_"))
    if make is None:
        raise SettingsError("no such game", value=name, hint=nearest(name.replace("-", "_"), GAMES))
    known = inspect.signature(make).parameters
    for setting in settings:
        if setting not in known:
            raise SettingsError(
                "no such setting",
                where=f"game {name!r}",
                value=setting,
                hint=nearest(setting, known),
            )
    return make(**settings)
