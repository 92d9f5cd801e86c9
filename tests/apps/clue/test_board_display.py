"""The board of Clue as cells and as rooms."""

from __future__ import annotations

from sleuth import Play
from sleuth.answers import as_text, shown
from sleuth.apps.clue.board_display import picture
from sleuth.models.clue.board.board import board
from sleuth.models.clue.cards import ROOMS, SUSPECTS


def test_rooms_on_a_page_are_those_of_the_board() -> None:
    view = Play.new("clue", seed=1).view(0)
    grid = picture(view.states[0])
    areas = {area.name: area for area in grid.areas}
    assert set(areas) == set(ROOMS)
    assert sum(len(area.doors) for area in areas.values()) == len(board().doors)
    assert all(
        areas[one].passage == two and areas[two].passage == one for one, two in board().passages
    )
    sides = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
    before = {
        (name, (row + sides[side][0], column + sides[side][1]))
        for name, area in areas.items()
        for row, column, side in area.doors
    }
    assert before == {*board().doors}
    cells = [cell for area in grid.areas for cell in area.cells]
    assert len(cells) == len(set(cells))
    page = shown(grid)
    for name in (*ROOMS, *SUSPECTS):
        assert f">{name}<" in page, name
    # A terminal has the board in letters, as it always had.
    assert "kitche" in as_text(grid)
