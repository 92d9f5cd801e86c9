"""The board in letters: a person without another board can see where to go."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Mapping

import pytest
from rich.console import Console

from sleuth import Play
from sleuth.answers import Map, printed
from sleuth.apps.kit.answers import map_text
from sleuth.apps.kit.answers.canvas import Canvas
from sleuth.apps.kit.answers.map_text import STROKES
from sleuth.apps.scotland_yard.yard_map import LETTERS, yard_map
from sleuth.games.scotland_yard import board, scotland_yard
from sleuth.kit import display

from ..play.conftest import elsewhere as elsewhere
from ..play.scripts import drawn, told

LONDON = board()
STATIONS = range(1, len(LONDON.places) + 1)


def ways_from(station: int) -> dict[int, tuple[str, ...]]:
    """Where one can go from a station with all tickets."""
    found: dict[int, tuple[str, ...]] = {}
    for first, second, way in LONDON.connections:
        if station in (first, second):
            goal = second if station == first else first
            found[goal] = (*found.get(goal, ()), "black" if way == "ferry" else way)
    return found


def around(
    station: int, goals: Mapping[int, tuple[str, ...]], possible: Collection[int] = ()
) -> Map:
    return yard_map(LONDON, {station: "1"}, possible, goals=goals, mover=station, centre=station)


def letters(picture: Map, columns: int, rows: int) -> list[str]:
    return map_text.drawn(picture, columns, rows).text(ascii_only=False).plain.splitlines()


def names(lines: Iterable[str]) -> set[str]:
    return {word for line in lines for word in re.findall(r"[\w?\[\]]+", line)}


@pytest.mark.parametrize("columns, rows, first", [(60, 24, 0), (80, 24, 1), (120, 40, 2)])
@pytest.mark.parametrize("possible", [(), STATIONS], ids=["nowhere", "anywhere"])
def test_every_station_one_can_go_to_is_named_with_its_tickets(
    columns: int, rows: int, first: int, possible: Collection[int]
) -> None:
    """Around every third station; each station of the board stands in many of the pictures."""
    for station in STATIONS[first::3]:
        goals = ways_from(station)
        lines = letters(around(station, goals, possible), columns, rows)
        assert max(map(len, lines)) <= columns
        assert len(lines) <= rows
        said = {word.rstrip("?") for word in names(lines)}
        assert "[1]" in said
        for goal, tickets in goals.items():
            named = "".join(LETTERS[ticket] for ticket in LETTERS if ticket in tickets) + str(goal)
            assert named in said, (station, goal)


def test_nearly_every_station_around_is_named() -> None:
    for station in STATIONS:
        said = " ".join(letters(around(station, {}), 80, 24))
        assert said.count("o") <= 2, station


def test_a_goal_far_away_is_named_at_the_border_where_the_way_leads() -> None:
    lines = letters(around(67, {13: ("underground",), 111: ("underground",)}), 80, 24)
    assert "u13↑" in lines[0]
    assert any("←u111" in line for line in lines)


def test_where_mr_x_may_be_is_marked_also_where_one_can_go() -> None:
    said = names(letters(around(50, {37: ("taxi",)}, (36, 37)), 80, 24))
    assert {"36?", "t37?", "49"} <= said


def test_the_lines_between_stations_are_drawn_and_told_apart() -> None:
    close = "".join(letters(around(67, {}), 80, 24))
    assert sum(0x2800 < ord(letter) < 0x2900 for letter in close) > 100
    for ascii_only in (False, True):
        samples = {each.sample(6, ascii_only=ascii_only) for each in STROKES.values()}
        assert len(samples) == len(STROKES)


def test_a_line_leads_from_one_place_to_the_other() -> None:
    canvas = Canvas(6, 3)
    canvas.line((0, 0), (5, 2), STROKES["solid"])
    rows = canvas.text(ascii_only=True).plain.splitlines()
    assert rows[0][0] == "-"
    assert rows[2].rstrip()[-1] == "-"
    assert len(rows[2].rstrip()) == 6
    assert canvas.write("12", (0, 0))
    assert not canvas.write("34", (1, 0)), "words do not touch"
    assert canvas.text(ascii_only=True).plain.startswith("12\n")


def test_a_terminal_without_fine_dots_gets_letters() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")  # which refuses what it has not
    Console(file=stream, width=80, highlight=False).print(printed(around(67, ways_from(67))))
    stream.flush()
    said = raw.getvalue().decode("ascii")
    assert "====" in said
    assert "u13^" in said


def test_a_detective_sees_their_surroundings_before_every_move() -> None:
    play = Play.new(scotland_yard(seekers=2), seed=4)
    said = told(play, (1, 2), ["look"])
    at = int(play.truth()[0].stations[1])
    shown = display(play.game)
    assert said.count("t46 you can go there") == 2
    for action in play.legal().tolist():
        ticket, goal = shown.move_names(play.view(1))[action].split()
        assert re.search(rf"{LETTERS[ticket]}\w*{goal}\b|{LETTERS[ticket]}{goal}", said), at


def test_mr_x_sees_by_which_tickets_he_can_go() -> None:
    play = Play.new(scotland_yard(), seed=4)
    goals = {name.split()[1] for name in display(play.game).move_names(play.view(0)).values()}
    said = told(play, (0,), [])
    for goal in goals:
        assert re.search(rf"[tbux]+{goal}\b", said)


def test_what_is_around_any_station_can_be_asked_for() -> None:
    play = Play.new(scotland_yard(seekers=2), seed=4)
    said = told(play, (1, 2), ["map 199", "map 200", "map nowhere", "map t188"])
    assert len(re.findall(r"\b188\b", said)) >= 2
    assert "There is no such station (got 't188')" not in said
    assert said.count("write 'map' and one from 1 to 199") == 2


def test_the_whole_board_is_as_wide_as_asked() -> None:
    for width in (40, 60, 80, 120):
        picture = yard_map(LONDON, {1: "X"}, (), goals=ways_from(1), mover=1)
        assert max(map(len, drawn(picture, width).splitlines())) <= width
