"""The board of Clue: rooms, hallway squares, doors and secret passages, and how far it all is.

A place is a room or a hallway square. Rooms come first, in the order of `ROOMS`, and squares after
them, from the top left. A step leads from a square to one beside it, or through a door; entering a
room takes one step and ends the move.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....data.errors import RecordError
from ....data.files import read_table, resource
from ..cards import ROOMS, canonical

FOLDER: Final = "clue"
#: What stands on the map for the hallway, besides the numbers of the starts.
HALLWAY: Final = "."
#: What stands there for the middle, which nobody enters.
MIDDLE: Final = "x"
#: What the shipped map must count up to.
SQUARES: Final = 188
DOORS: Final = 17

Square = tuple[int, int]
"""Row and column, from the top left."""


@dataclass(frozen=True, eq=False)
class ClueBoard:
    """Rooms and squares, and what leads from one to another.

    Attributes:
        squares: The hallway squares, from the top left.
        doors: A room, and the square before its door; a room may have several.
        passages: Pairs of rooms that a secret passage connects.
        starts: For each suspect, in the order of turns, the square they start on.

    Raises:
        RecordError: A door or a start is on no square, or a room has no door.
    """

    squares: tuple[Square, ...]
    doors: tuple[tuple[str, Square], ...]
    passages: tuple[tuple[str, str], ...]
    starts: dict[str, Square]

    def __post_init__(self) -> None:
        known = {*self.squares}
        for what, square in (*self.doors, *self.starts.items()):
            if square not in known:
                raise RecordError("this is no hallway square", where=what, value=square)
        for room in ROOMS:
            if all(room != each for each, _ in self.doors):
                raise RecordError("this room has no door", where=FOLDER, value=room)

    @property
    def places(self) -> int:
        """The number of rooms and squares."""
        return len(ROOMS) + len(self.squares)

    @cached_property
    def place_of(self) -> dict[str | Square, int]:
        """The number of each room and square."""
        return {name: place for place, name in enumerate((*ROOMS, *self.squares))}

    @cached_property
    def steps(self) -> tuple[tuple[int, ...], ...]:
        """For each place the places that are one step away, ascending."""
        found: list[set[int]] = [set() for _ in range(self.places)]
        for row, column in self.squares:
            here = self.place_of[row, column]
            for beside in ((row + 1, column), (row, column + 1)):
                there = self.place_of.get(beside)
                if there is not None:
                    found[here].add(there)
                    found[there].add(here)
        for room, square in self.doors:
            inside, outside = self.place_of[room], self.place_of[square]
            found[inside].add(outside)
            found[outside].add(inside)
        return tuple(tuple(sorted(each)) for each in found)

    @cached_property
    def passage(self) -> tuple[int, ...]:
        """For each room the room at the other end of its secret passage; -1 without one."""
        ends = [-1] * len(ROOMS)
        for one, other in self.passages:
            ends[ROOMS.index(one)] = ROOMS.index(other)
            ends[ROOMS.index(other)] = ROOMS.index(one)
        return tuple(ends)

    @cached_property
    def distances(self) -> NDArray[np.int32]:
        """Steps from each place to each other, shape (places, places).

        Ways lead along the hallway, not through rooms and not by secret passages. It takes 0 steps
        to stay, and to leave a room and come back 2 or more, which is not what 0 says.
        """
        far = np.full((self.places, self.places), -1, dtype=np.int32)
        for start in range(self.places):
            far[start, start] = 0
            waiting = deque([start])
            while waiting:
                place = waiting.popleft()
                if place < len(ROOMS) and place != start:
                    continue
                for beside in self.steps[place]:
                    if far[start, beside] < 0:
                        far[start, beside] = far[start, place] + 1
                        waiting.append(beside)
        far.setflags(write=False)
        return far


@lru_cache(maxsize=1)
def lines() -> tuple[str, ...]:
    """The rows of the shipped map, in the letters that its README explains."""
    return tuple(resource(FOLDER, "board.txt").read_text(encoding="utf-8").splitlines())


@lru_cache(maxsize=1)
def room_doors() -> dict[str, tuple[tuple[Square, Square], ...]]:
    """For each room its doors: the square of the room, and the hallway square before it."""
    found: dict[str, list[tuple[Square, Square]]] = {room: [] for room in ROOMS}
    for row in read_table(FOLDER, "doors.csv"):
        inside = int(row["row"]), int(row["col"])
        outside = int(row["hall_row"]), int(row["hall_col"])
        found[canonical(row["room"])].append((inside, outside))
    return {room: tuple(doors) for room, doors in found.items()}


@lru_cache(maxsize=1)
def room_squares() -> dict[str, frozenset[Square]]:
    """The squares that each room takes on the map."""
    found: dict[str, frozenset[Square]] = {}
    for room, ((inside, _), *_) in room_doors().items():
        letter = lines()[inside[0]][inside[1]]
        found[room] = frozenset(
            (row, column)
            for row, line in enumerate(lines())
            for column, mark in enumerate(line)
            if mark.upper() == letter and mark.isalpha() and mark != MIDDLE
        )
    return found


@lru_cache(maxsize=1)
def board() -> ClueBoard:
    """The board of the classic edition.

    Raises:
        RecordError: The shipped tables do not count up to what the board has.
    """
    squares = tuple(
        (row, column)
        for row, line in enumerate(lines())
        for column, mark in enumerate(line)
        if mark == HALLWAY or mark.isdigit()
    )
    doors = tuple((room, outside) for room, doors in room_doors().items() for _, outside in doors)
    passages = tuple(
        (canonical(row["room_a"]), canonical(row["room_b"]))
        for row in read_table(FOLDER, "secret_passages.csv")
    )
    starts = {
        canonical(row["suspect"]): (int(row["row"]), int(row["col"]))
        for row in read_table(FOLDER, "starts.csv")
    }
    for what, wanted, count in (("squares", SQUARES, len(squares)), ("doors", DOORS, len(doors))):
        if count != wanted:
            raise RecordError(f"the board has {wanted} {what}", where=FOLDER, value=count)
    return ClueBoard(squares, doors, passages, starts)
