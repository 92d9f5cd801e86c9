"""Tic-tac-toe, with all marks seen and as a phantom."""

from __future__ import annotations

from typing import Final

from ...models.game import HIDDEN
from ...models.small.phantom_tic_tac_toe import MARKED
from ...models.small.tic_tac_toe import SQUARES
from ..kit.answers.values import Grid, Statements
from ..kit.display import Display, Sight

MARKS: Final = {0: "·", 1: "X", 2: "O", HIDDEN: "?"}
LETTERS: Final = ("a", "b", "c")


class TicTacToe(Display):
    """The board, with files a to c and ranks 1 to 3."""

    title = "Tic-tac-toe"
    rules = "The first player to get three marks in a row wins. X plays first, then O."
    writing = "A move is a square, such as b2."

    def situation(self, sight: Sight) -> Statements:
        """The board, as far as the player knows it."""
        marks = [MARKS[square] for square in sight.state.squares.tolist()]
        rows = tuple(tuple(marks[3 * rank : 3 * rank + 3]) for rank in range(3))
        return [Grid("The board", rows, ("1", "2", "3"), LETTERS, across=2)]

    def sentence(self, sight: Sight, place: int) -> str:
        """A mark, and on which square."""
        event = sight.seen.events[place].event
        return f"{self.name_of(event.mover, sight)} marked {SQUARES[event.observation]}"


class PhantomTicTacToe(TicTacToe):
    """The board with what the player has not found out as question marks."""

    title = "Phantom tic-tac-toe"
    rules = (
        "The first player to get three marks in a row wins. Neither player sees the other's marks. "
        "Name a square. If it is free, it gets your mark, and the other learns only that it is "
        "their turn. If it is taken, only you are told, and you name another."
    )

    def sentence(self, sight: Sight, place: int) -> str:
        """A square that the player found free or taken, or that the other has marked one."""
        event = sight.seen.events[place].event
        who = self.name_of(event.mover, sight)
        if event.observation >= MARKED:
            return f"{who} marked a square, unseen"
        if event.observation >= len(SQUARES):
            return f"{who} found {SQUARES[event.observation - len(SQUARES)]} taken"
        return f"{who} marked {SQUARES[event.observation]}"
