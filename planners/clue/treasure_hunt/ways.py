"""The number of turns from every place of the board to every room, and from room to room.

A turn is a roll and at most so many steps, or a secret passage instead of a roll. A room is never
entered twice in a row, and entering one ends the turn. Source: "Clue as a treasure hunt" (2013),
section 4.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ....beliefs.arrays.layout import Floats, Integers
from ....data.checks import whole_number
from ....data.errors import SettingsError, nearest
from ....models.clue.board.board import ClueBoard, Square
from ....models.clue.cards import ROOMS, canonical
from .expected_turns import expected_turns, roll_chances

Place = str | Square | int
"""A room by its name, a square by row and column, or the number of either."""

#: Stands in `Ways.beside` where a place has fewer neighbours than others.
NOBODY: Final = -1


def priced(turns: Floats, cost: float) -> Floats:
    """The cost of ways; where no way leads, no price is low enough, not even nothing."""
    return np.where(np.isfinite(turns), turns, 0.0) * cost + np.where(np.isinf(turns), np.inf, 0.0)


@dataclass(frozen=True, eq=False)
class Ways:
    """A board and the dice to move on it.

    Attributes:
        board: The board.
        dice: How many dice are rolled; None for dice without limit, with which every room is one
            turn away (the "pure form" of the paper's section 7).
    """

    board: ClueBoard
    dice: int | None = 1

    def __post_init__(self) -> None:
        if self.dice is not None:
            whole_number(self.dice, "dice", least=1)

    @property
    def farthest(self) -> int:
        """The longest way to a room, in steps."""
        return int(self.board.distances.max())

    @cached_property
    def rolls(self) -> Floats:
        """The probability of each number of steps; the index is the number."""
        if self.dice is not None:
            return roll_chances(self.dice)
        sure = np.zeros(self.farthest + 1)
        sure[-1] = 1.0
        return sure

    @cached_property
    def direct(self) -> Floats:
        """Expected turns from each place to each room without a room between; (places, rooms).

        Infinite from a room to itself, and where no way leads.
        """
        steps = self.board.distances[:, : len(ROOMS)]
        if self.dice is None:
            turns = np.ones(steps.shape)
        else:
            turns = expected_turns(self.farthest, dice=self.dice)[steps]
        turns = np.where(steps > 0, turns, np.inf)
        for room, end in enumerate(self.board.passage):
            if end >= 0:
                turns[room, end] = 1.0
        return turns

    @cached_property
    def between(self) -> Floats:
        """Expected turns from each room to each other, by rooms between where that is shorter.

        Shape (rooms, rooms), infinite from a room to itself.
        """
        turns = self.direct[: len(ROOMS)].copy()
        for middle in range(len(ROOMS)):
            np.minimum(turns, turns[:, middle, None] + turns[None, middle], out=turns)
        np.fill_diagonal(turns, np.inf)
        return turns

    def turns(self, place: int, closed: Collection[int]) -> Floats:
        """Expected turns from a place to each room; infinite to closed ones. Shape (rooms,).

        Args:
            place: The number of the place.
            closed: Rooms that must not be entered next.
        """
        first = self.direct[place].copy()
        first[[*closed]] = np.inf
        turns = np.minimum(first, (first[:, None] + self.between).min(axis=0))
        turns[[*closed]] = np.inf
        return turns

    def closed(self, place: int, last: Place | None) -> tuple[int, ...]:
        """The rooms that must not be entered next: where one stands, and the last one.

        Raises:
            SettingsError: ``last`` is no room.
        """
        here = {place} if place < len(ROOMS) else set[int]()
        if last is not None:
            room = self.number(last)
            if room >= len(ROOMS):
                raise SettingsError("the last room is no room", value=last)
            here.add(room)
        return tuple(sorted(here))

    def number(self, place: Place) -> int:
        """The number of a place.

        Raises:
            SettingsError: The board has no such place.
            RecordError: A name is no card's.
        """
        known = self.board.place_of
        if isinstance(place, int) and not isinstance(place, bool):
            if 0 <= place < self.board.places:
                return place
        elif isinstance(place, str):
            name = canonical(place)
            if name in known:
                return known[name]
            raise SettingsError("this is no room", value=place, hint=nearest(place, ROOMS))
        elif place in known:
            return known[place]
        raise SettingsError(
            "the board has no such place",
            value=place,
            hint="write a room, or row and column of a hallway square",
        )

    def name(self, place: int) -> str | Square:
        """The room, or row and column of the square, of a number."""
        return ROOMS[place] if place < len(ROOMS) else self.board.squares[place - len(ROOMS)]

    @cached_property
    def beside(self) -> Integers:
        """For each place the places one step away, `NOBODY` after the last; (places, most)."""
        steps = self.board.steps
        most = max(map(len, steps))
        return np.array([[*each, *[NOBODY] * (most - len(each))] for each in steps])
