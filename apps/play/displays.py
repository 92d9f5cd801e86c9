"""How each game is shown to a person who plays it; other games are shown by their action names."""

from __future__ import annotations

from ...models.game import Game
from ...models.games import entry_of
from .display import Display


def display(game: Game) -> Display:
    """What shows a game to a person."""
    entry = entry_of(game)
    make = None if entry is None else entry.part("display")
    return (make or Display)(game)
