"""The board of Clue as SVG: rooms shaded by what it is worth to go there, pawns, and the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from ....models.clue.board.board import MIDDLE, Square, board, lines, room_doors, room_squares
from ....models.clue.cards import ROOMS, SUSPECTS
from ...kit.number_words import bits
from ...kit.pages.markup import Html, drawing, element, join

if TYPE_CHECKING:
    from ....planners.clue.treasure_hunt.ways import Place
    from ..findings import WalkPlan

#: Side of a square, in the picture's own units.
SIDE: Final = 24
#: The shade of the room that is worth least, and of the best.
SHADES: Final = (0.06, 0.62)
#: Sides of a square: the neighbour, and the line between them from the square's corner.
SIDES: Final = (
    ((-1, 0), f"h{SIDE}", (0, 0)),
    ((1, 0), f"h{SIDE}", (SIDE, 0)),
    ((0, -1), f"v{SIDE}", (0, 0)),
    ((0, 1), f"v{SIDE}", (0, SIDE)),
)


def board_picture(walk: WalkPlan, viewer: str) -> Html:
    """The board with the pawns, the worth of every room, and the way to the best one."""
    plan = walk.plan
    rows, columns = len(lines()), len(lines()[0])
    squares = board().squares
    middle = [
        (row, column)
        for row, line in enumerate(lines())
        for column, mark in enumerate(line)
        if mark == MIDDLE
    ]
    return drawing(
        f"The board, with the way of {viewer} to the {plan.best.room}",
        f"-2 -2 {columns * SIDE + 4} {rows * SIDE + 4}",
        "board",
        element("path", d="".join(map(_square, squares)), class_="hallway"),
        element("path", d="".join(map(_square, middle)), class_="middle"),
        *(_room(walk, room) for room in ROOMS),
        _way(walk),
        *_stops(walk),
        *_pawns(walk.standing.pawns, viewer),
    )


def _room(walk: WalkPlan, room: str) -> Html:
    squares = room_squares()[room]
    values = {each.room: each for each in walk.plan.rooms}
    found = values.get(room)
    inside = element(
        "path",
        element("title", room if found is None else f"{room}: worth {found.value:.2f}"),
        d="".join(map(_square, sorted(squares))),
        class_="room",
        fill_opacity=0 if found is None else round(_shade(walk, found.value), 3),
    )
    doors = {(here, beyond) for here, beyond in room_doors()[room]}
    walls: list[str] = []
    for row, column in sorted(squares):
        for (down, right), line, (below, beside) in SIDES:
            beyond = row + down, column + right
            if beyond not in squares and ((row, column), beyond) not in doors:
                walls.append(f"M{column * SIDE + beside} {row * SIDE + below}{line}")
    x, y = _middle(room)
    if found is not None:
        says = f"{bits(found.gain)} bits, {found.turns:.1f} turns"
    else:
        says = "you are here" if room == walk.plan.ways.name(walk.plan.place) else "not next"
    return element(
        "g",
        inside,
        element("path", d="".join(walls), class_="walls"),
        element("text", room, x=x, y=y - 8, class_="named"),
        element("text", says, x=x, y=y + 8),
        class_="best" if room == walk.plan.best.room else None,
    )


def _shade(walk: WalkPlan, value: float) -> float:
    values = [each.value for each in walk.plan.rooms]
    least, most = SHADES
    span = max(values) - min(values)
    share = (value - min(values)) / span if span > 0.0 else 1.0
    return least + (most - least) * share


def _way(walk: WalkPlan) -> Html:
    """A line from where the viewer stands to the best room; dashed by a secret passage."""
    places = [walk.plan.ways.name(place) for place in walk.plan.way]
    parts: list[Html] = []
    points: list[tuple[float, float]] = []
    for place, following in zip(places, [*places[1:], None], strict=True):
        if isinstance(place, tuple):
            points.append(_centre(place))
            continue
        # A room is left, and entered, through a door.
        before = places[places.index(place) - 1] if place != places[0] else None
        for square, enters in ((before, True), (following, False)):
            if isinstance(square, tuple):
                inside = next(each for each, beyond in room_doors()[place] if beyond == square)
                points.append(_centre(inside))
            if enters and len(points) > 1:
                parts.append(_line(points, "way"))
                points = []
        if isinstance(following, str):
            parts.append(_line([_below(place), _below(following)], "way passage"))
    if not parts:
        parts.append(_line(points, "way"))
    return element("g", *parts)


def _stops(walk: WalkPlan) -> list[Html]:
    """The squares to step on with each roll, with the roll in them."""
    rolls = walk.plan.ways.rolls
    found: dict[Square, list[int]] = {}
    for roll in range(1, rolls.shape[0]):
        if rolls[roll] > 0.0:
            stop = walk.plan.step(roll).place
            if isinstance(stop, tuple):
                found.setdefault(stop, []).append(roll)
    made: list[Html] = []
    for square, numbers in found.items():
        x, y = _centre(square)
        words = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}+"
        disc = element("circle", cx=x, cy=y, r=8.5)
        made.append(element("g", disc, element("text", words, x=x, y=y + 4), class_="stop"))
    return made


def _line(points: Iterable[tuple[float, float]], class_: str) -> Html:
    listed = [f"{x:g},{y:g}" for x, y in points]
    end = listed[-1].split(",")
    return join(
        [
            element("polyline", points=" ".join(listed), class_=class_),
            element("circle", cx=end[0], cy=end[1], r=5, class_="end"),
        ]
    )


def _pawns(pawns: Mapping[str, Place], viewer: str) -> list[Html]:
    made: list[Html] = []
    inside: dict[str, int] = {}
    in_rooms: dict[str | Square, int] = {}
    places = {name: _named(place) for name, place in pawns.items()}
    for place in places.values():
        in_rooms[place] = in_rooms.get(place, 0) + 1
    for number, (name, place) in enumerate(places.items()):
        if isinstance(place, tuple):
            x, y = _centre(place)
        else:
            count = inside[place] = inside.get(place, -1) + 1
            x, y = _below(place)
            x += (count - (in_rooms[place] - 1) / 2) * (SIDE - 2)
        # The players have the pawns of the suspects in their order where they are called p1, p2.
        suspect = name if name in SUSPECTS else SUSPECTS[number] if len(pawns) == 6 else None
        letter = (suspect or name)[0].upper()
        who = name if suspect in (None, name) else f"{name}, {suspect}"
        kinds = ["pawn", suspect or "unknown", *(["own"] if name == viewer else [])]
        made.append(
            element(
                "g",
                element("title", who),
                element("circle", cx=x, cy=y, r=9.5),
                element("text", letter, x=x, y=y + 4),
                class_=" ".join(kinds),
            )
        )
    return made


def _named(place: Place) -> str | Square:
    """A room, or row and column of a square."""
    if isinstance(place, int):
        return ROOMS[place] if place < len(ROOMS) else board().squares[place - len(ROOMS)]
    return place


def _square(square: Square) -> str:
    row, column = square
    return f"M{column * SIDE} {row * SIDE}h{SIDE}v{SIDE}h-{SIDE}z"


def _centre(square: Square) -> tuple[float, float]:
    row, column = square
    return (column + 0.5) * SIDE, (row + 0.5) * SIDE


def _middle(room: str) -> tuple[float, float]:
    """The middle of a room, where its name stands."""
    squares = room_squares()[room]
    rows, columns = zip(*squares, strict=True)
    return (
        (min(columns) + max(columns) + 1) / 2 * SIDE,
        (min(rows) + max(rows) + 1) / 2 * SIDE,
    )


def _below(room: str) -> tuple[float, float]:
    """The place of the pawns in a room."""
    x, y = _middle(room)
    return x, y + SIDE
