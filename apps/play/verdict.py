"""The verdict at the end of a game, in a sentence to a person who played."""

from __future__ import annotations

from ...models.play import Play
from ..kit.display import Display


def verdict(display: Display, play: Play, person: tuple[int, ...]) -> str:
    """The end of a game, as it is said to a person who played some roles.

    Args:
        display: The game's words.
        play: The game, which is over.
        person: The roles.
    """
    values = play.returns().tolist()
    mine = values[person[0]]
    others = [value for number, value in enumerate(values) if number not in person]
    best = max(others, default=mine)
    said = "You have won" if mine >= best else "You have lost"
    if mine == best == min(values):
        said = "The game is a draw"
    if len(play.game.sides) == 1 < play.game.players:
        said = "Together you have won" if mine else "Together you have won nothing"
    return f"{said}{display.returned(mine)}."
