"""How each game is shown to a person who plays it; other games are shown by their action names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...models.game import Game
from .boards import PhantomTicTacToe, TicTacToe
from .cards import KuhnPoker, LeducPoker
from .cheat import Cheat
from .clue import ClueTable
from .display import Display
from .scotland_yard import ScotlandYard

DISPLAYS: Final[dict[str, Callable[[Game], Display]]] = {
    "cheat": Cheat,
    "clue_table": ClueTable,
    "kuhn_poker": KuhnPoker,
    "leduc_poker": LeducPoker,
    "phantom_tic_tac_toe": PhantomTicTacToe,
    "scotland_yard": ScotlandYard,
    "tic_tac_toe": TicTacToe,
}


def display(game: Game) -> Display:
    """What shows a game to a person."""
    return DISPLAYS.get(game.name, Display)(game)
