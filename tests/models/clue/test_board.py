"""The board of Clue against tables that others measured, and against its laws."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from sleuth.errors import RecordError
from sleuth.games.clue import ROOMS, SUSPECTS
from sleuth.models.clue.board.board import ClueBoard, board
from sleuth.models.clue.cards import canonical

KNOWN = Path(__file__).parent / "known"


def table(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((KNOWN / name).read_text().splitlines()))


def test_rooms_are_as_far_apart_as_three_sources_say() -> None:
    found = board()
    rows = table("room_distances.csv")
    assert len(rows) == 9 * 8
    for row in rows:
        start, end = canonical(row["from"]), canonical(row["to"])
        steps = found.distances[found.place_of[start], found.place_of[end]]
        assert (start, end, steps) == (start, end, int(row["steps"]))
        passage = found.passage[ROOMS.index(start)] == ROOMS.index(end)
        assert passage == (row["secret_passage"] == "yes")


def test_starts_are_as_far_from_rooms_as_three_sources_say() -> None:
    found = board()
    rows = table("start_distances.csv")
    assert len(rows) == 6 * 9
    for row in rows:
        start = found.place_of[found.starts[canonical(row["suspect"])]]
        steps = found.distances[start, found.place_of[canonical(row["to"])]]
        assert (row["suspect"], row["to"], steps) == (row["suspect"], row["to"], int(row["steps"]))


def test_it_has_what_the_board_has() -> None:
    found = board()
    assert found.places == 9 + 188
    assert len(found.doors) == 17
    assert sorted(found.starts) == sorted(SUSPECTS)
    assert [ROOMS[end] for end in found.passage if end >= 0] == [
        "study", "lounge", "conservatory", "kitchen",
    ]  # fmt: skip


def test_distances_obey_the_laws_of_distances() -> None:
    far = board().distances
    assert (far == far.T).all()
    assert (far.diagonal() == 0).all()
    # From a square to a square: never more than by way of a third square.
    squares = far[9:, 9:]
    for middle in range(0, squares.shape[0], 7):
        assert (squares <= squares[:, middle : middle + 1] + squares[middle]).all()
    # Neighbours are one step apart, and a square is left in one step for its neighbours only.
    for place, beside in enumerate(board().steps):
        assert np.flatnonzero(far[place] == 1).tolist() == list(beside)


def test_a_board_that_makes_no_sense_is_refused() -> None:
    good = board()
    with pytest.raises(RecordError, match="no hallway square"):
        ClueBoard(good.squares, (("hall", (0, 0)), *good.doors), good.passages, good.starts)
    without = tuple(door for door in good.doors if door[0] != "study")
    with pytest.raises(RecordError, match="has no door"):
        ClueBoard(good.squares, without, good.passages, good.starts)
