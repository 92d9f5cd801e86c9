"""Clue on its board: a picture in letters, walks in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from ...models.clue.board.board import Square, board, lines, room_doors, room_squares
from ...models.clue.board.squares import COLUMNS
from ...models.clue.board.walking import (
    MOVE,
    ROLL,
    SQUARE,
    STAY,
    TURNING,
    WALKING,
    action_name,
    place_name,
)
from ...models.clue.cards import CATEGORIES, ROOMS, SUSPECTS
from ...models.clue.game import REFUTER, SUGGESTING
from ..kit.answers.values import Area, Grid, Paragraph, Statement, Statements, Tile
from ..kit.display import Extra, Sight, listing
from .display import ClueTable

#: The letter of each pawn: the first of its name that no other has.
PAWNS: Final = "SMWGPL"
#: Its colour on a page.
COLOURS: Final = ("#d9534a", "#e3b23c", "#fbfaf6", "#5fa96b", "#6aa5dc", "#b08acb")
#: What is drawn: a square, a wall, a door, and the end of a secret passage.
HALL, WALL, DOOR, PASSAGE = ".#+~"
#: The side of a square on which its neighbour lies.
SIDES: Final = {(-1, 0): "n", (0, 1): "e", (1, 0): "s", (0, -1): "w"}
#: What that means.
LEGEND: Final = "   . square, # wall, + door,\n   ~ secret passage; pawns by letter"


class Clue(ClueTable):
    """The board with its pawns, what was rolled, and all that there is to see without a board."""

    title = "Clue"
    rules = (
        "One suspect, one weapon and one room are in the case file; find out which. Roll and walk "
        "through the doors (+), or take a secret passage (~). In a room that you have come to, "
        "suggest it with a suspect and a weapon: the next player who holds one of the three cards "
        "must show you one. At the end of your turn accuse or pass. A player with a wrong "
        "accusation is out, and goes on showing cards."
    )
    writing = (
        "Write 'roll', 'passage', 'stay', 'move study' or 'study', 'move h8' or 'h8', 'suggest "
        "green rope', 'show rope', 'accuse green rope study' or 'pass'; words may be shortened, "
        "but not squares: columns are a to x from the left, rows 1 to 25 from the top."
    )

    def moves(self, sight: Sight) -> Statements:
        """Rooms and squares to walk to, or cards to choose from."""
        if sight.state.stage == WALKING:
            rooms, squares = self._places(sight)
            near = f"move to a room: {', '.join(rooms) or 'none is near enough'}"
            return [Paragraph(f"{near}\nor to a square: {' '.join(squares) or 'none'}\nor stay")]
        if sight.state.stage == SUGGESTING:
            lines = [f"  {name}: {', '.join(CATEGORIES[name])}" for name in ("suspect", "weapon")]
            return [Paragraph("\n".join(["pass, or suggest one of each:", *lines]))]
        if sight.state.stage == TURNING:
            return [listing(list(self.move_names(sight.view).values()))]
        return super().moves(sight)

    @property
    def extras(self) -> Mapping[str, Extra]:
        """The board at any time."""
        return {"map": ("the board", lambda sight, _: [picture(sight.state)])}

    def on_page(self, sight: Sight) -> Statements:
        """The board all the time, and all that there is besides."""
        drawn = [] if sight.state.stage == WALKING else [picture(sight.state)]
        return [*drawn, *super().on_page(sight)]

    def situation(self, sight: Sight) -> Statements:
        """The places of pawns, the own hand, and what is to be done; before a walk the board."""
        legend: list[str] = []
        for suspect, place in enumerate(sight.state.place.tolist()):
            who = f" ({self.name_of(suspect, sight)})" if suspect < self.game.players else ""
            legend.append(f"{PAWNS[suspect]} {SUSPECTS[suspect]}{who}: {place_name(place)}")
        drawn: list[Statement] = []
        if sight.state.stage == WALKING:
            drawn.append(picture(sight.state))
        return [*drawn, Paragraph("; ".join(legend)), *super().situation(sight)]

    def standing(self, sight: Sight) -> Statements:
        """The same, always with the board."""
        found = [each for each in self.situation(sight) if not isinstance(each, Grid)]
        return [picture(sight.state), *found]

    def laid_open(self, sight: Sight) -> Statements:
        """The board, and all hands."""
        return [picture(sight.state), *super().laid_open(sight)]

    def asked(self, sight: Sight) -> str:
        """The next thing to be done."""
        state = sight.state
        if state.stage == TURNING:
            return f"Your turn: {', '.join(self.move_names(sight.view).values())}?"
        if state.stage == WALKING:
            rooms, _ = self._places(sight)
            return f"You rolled {state.roll}. Rooms in reach: {', '.join(rooms) or 'none'}."
        if state.stage == SUGGESTING:
            here = place_name(int(state.place[sight.view.viewer]))
            return f"Suggest a suspect and a weapon in the {here}, or pass."
        return super().asked(sight)

    def sentence(self, sight: Sight, place: int) -> str:
        """A roll, a walk, or what happens without a board, too."""
        event = sight.seen.events[place].event
        code, roll = event.observation % REFUTER, event.observation // REFUTER
        if code < MOVE:
            return super().sentence(sight, place)
        said = f"roll {roll}" if code == ROLL else action_name(code)
        return f"{self.name_of(event.mover, sight)}: {said}"

    def _places(self, sight: Sight) -> tuple[list[str], list[str]]:
        """The rooms and the squares that can be reached, by name."""
        places = [code - MOVE for code in sight.view.legal().tolist() if code != STAY]
        rooms = [place_name(place) for place in places if place < SQUARE]
        return rooms, [place_name(place) for place in sorted(places) if place >= SQUARE]


def picture(state: Any) -> Grid:
    """The board with its pawns."""
    cells: list[list[Tile | str]] = [list(row) for row in _empty()]
    inside = [0] * SQUARE
    at: list[int] = state.place.tolist()
    for suspect, place in enumerate(at):
        row, column = _corner(place) if place < SQUARE else board().squares[place - SQUARE]
        if place < SQUARE:
            column += inside[place]
            inside[place] += 1
        cells[row][column] = Tile(
            PAWNS[suspect], tone="strong", title=SUSPECTS[suspect], colour=COLOURS[suspect]
        )
    rows = tuple(
        tuple(Tile(WALL, tone="soft", ground="wall") if cell == WALL else cell for cell in row)
        for row in cells
    )
    names = tuple(str(number) for number in range(1, len(rows) + 1))
    return Grid("The board", rows, names, tuple(COLUMNS), LEGEND, areas=_areas())


@cache
def _areas() -> tuple[Area, ...]:
    """The rooms, for a page."""
    passage = board().passage
    return tuple(
        Area(
            room,
            tuple(sorted(room_squares()[room])),
            tuple((*inside, SIDES[_step(inside, outside)]) for inside, outside in doors),
            "" if passage[place] < 0 else ROOMS[passage[place]],
        )
        for place, (room, doors) in enumerate(room_doors().items())
    )


def _step(here: Square, there: Square) -> Square:
    return there[0] - here[0], there[1] - here[1]


@cache
def _spans() -> tuple[tuple[int, int, int], ...]:
    """For each room the row of its name, the column where it begins there, and how wide it is."""
    found: list[tuple[int, int, int]] = []
    for room in ROOMS:
        squares = room_squares()[room]
        rows = sorted({row for row, _ in squares})
        middle = rows[len(rows) // 2 - 1]
        columns = [column for row, column in squares if row == middle]
        found.append((middle, min(columns), len(columns)))
    return tuple(found)


def _corner(room: int) -> tuple[int, int]:
    """The place of the first pawn in a room: below its name."""
    row, column, _ = _spans()[room]
    return row + 1, column


@cache
def _empty() -> tuple[str, ...]:
    """The board without pawns: rooms are blank, with their names."""
    drawn: list[list[str]] = []
    for row in lines():
        marks = {"#": WALL, "x": WALL, HALL: HALL}
        drawn.append(
            [
                marks.get(mark, HALL if mark.isdigit() else PASSAGE if mark.islower() else " ")
                for mark in row
            ]
        )
    for doors in room_doors().values():
        for (row, column), _ in doors:
            drawn[row][column] = DOOR
    for room, (row, column, wide) in zip(ROOMS, _spans(), strict=True):
        name = room.split()[0][:wide]
        drawn[row][column : column + len(name)] = name
    return tuple("".join(row) for row in drawn)
