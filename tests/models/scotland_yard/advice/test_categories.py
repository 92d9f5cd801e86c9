"""Location Categorization: the paper's table and formulas by hand, and files that are checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth.errors import RecordError, SettingsError
from sleuth.games.scotland_yard import Categories, scotland_yard, shipped_categories
from sleuth.models.scotland_yard.advice.categories import (
    CATEGORIZATIONS,
    CategoryCounts,
    CategoryTable,
    categories_of,
    seekers_after_hider,
)
from sleuth.models.scotland_yard.rules import SHOWN

BOARD = scotland_yard().tables.board[0]
#: Table I of the paper, and two rows of its Table II.
PAPER = CategoryTable(
    (2454, 9735, 4047, 1109, 344),
    (12523, 14502, 7491, 2890, 1756),
    {(0, 1): (666, 4776, 0, 0, 0), (1, 2, 3): (0, 23, 39, 37, 0)},
)


def tables(table: CategoryTable, name: str = "minimum_distance") -> Categories:
    empty = CategoryTable((0,) * 5, (0,) * 5, {})
    return Categories({}, dict.fromkeys(CATEGORIZATIONS, empty) | {name: table})


def test_weights_of_the_general_table_are_those_of_the_paper() -> None:
    weights = PAPER.vector((0, 1), "general")
    assert weights is not None
    assert weights.round(3).tolist() == [0.196, 0.671, 0.540, 0.384, 0.196]


def test_a_station_is_in_the_category_of_its_distance_or_kind() -> None:
    # From 1: taxis to 8 and 9, buses to 46 and 58, an underground to 46.
    stations = [8, 46, 18, 199]
    near = BOARD.distance[1, stations].tolist()
    far = BOARD.distance[199, stations].tolist()
    assert near[:3] == [1, 1, 2]
    found = categories_of("minimum_distance", stations, [1, 199 - 1], BOARD).tolist()
    assert found[:3] == [0, 0, 1]
    average = [min((one + other) // 2, 5) - 1 for one, other in zip(near, far, strict=True)]
    assert categories_of("average_distance", stations[:3], [1, 199], BOARD).tolist() == average[:3]
    # 8 has taxis only, 199 also a bus, 1 an underground, 108 a ferry.
    assert categories_of("station", [8, 199, 1, 108], [50], BOARD).tolist() == [0, 1, 2, 3]


def test_one_step_draws_stations_and_two_steps_draw_categories() -> None:
    # Two stations next to the detective at 1, one that is two moves away.
    stations, seekers = [8, 9, 18], [1]
    one = tables(PAPER).shares(stations, seekers, BOARD)
    near, second = 2454 / 12523, 9735 / 14502
    assert one == pytest.approx(np.array([near, near, second]) / (2 * near + second))
    two = tables(PAPER).shares(stations, seekers, BOARD, steps=2)
    assert two == pytest.approx(np.array([near / 2, near / 2, second]) / (near + second))


def test_the_detailed_table_has_a_vector_for_each_set_of_categories() -> None:
    stations, seekers = [8, 9, 18], [1]
    found = tables(PAPER).shares(stations, seekers, BOARD, table="detailed")
    assert found == pytest.approx(np.array([666, 666, 4776]) / (2 * 666 + 4776))


def test_a_row_met_less_than_a_hundred_times_says_nothing() -> None:
    stations = [8, 9, 18]
    for counts, expected in (((30, 69), [1 / 3] * 3), ((30, 70), [30 / 130, 30 / 130, 70 / 130])):
        table = CategoryTable((0,) * 5, (0,) * 5, {(0, 1): (*counts, 0, 0, 0)})
        found = tables(table).shares(stations, [1], BOARD, table="detailed")
        assert found == pytest.approx(expected)


def test_counts_are_made_once_for_each_of_his_moves() -> None:
    counts = CategoryCounts()
    counts.add(18, [8, 9, 18], [1], BOARD)
    counts.add(8, [8, 18], [1], BOARD)
    counts.add(8, [8, 9], [1], BOARD)
    made = counts.tables({"games": 1})
    table = made.tables["minimum_distance"]
    assert (table.was, table.could) == ((2, 1, 0, 0, 0), (3, 2, 0, 0, 0))
    assert table.combined == {(0,): (1, 0, 0, 0, 0), (0, 1): (1, 1, 0, 0, 0)}
    assert made.tables["station"].was == (3, 0, 0, 0)
    assert Categories.from_json(made.to_json()) == made


def test_the_detectives_are_put_back_to_where_they_were_after_his_move() -> None:
    code = int(BOARD.first[1, 0])
    target = int(BOARD.target[code])
    events = [(0, 3), (1, 5), (0, 2), (1, code)]
    assert seekers_after_hider([target, 77], events, BOARD) == [1, 77]
    assert seekers_after_hider([target, 77], [*events[:-1], (1, code + SHOWN * 9)], BOARD) == [
        1,
        77,
    ]
    assert seekers_after_hider([target, 77], [*events, (0, 1)], BOARD) == [target, 77]


def test_the_tables_that_come_with_the_package_say_what_they_were_counted_in() -> None:
    shipped = shipped_categories()
    assert shipped.card["games"] > 0
    assert {"hider", "seekers", "seed", "settings", "sleuth"} <= set(shipped.card)
    for name, count in CATEGORIZATIONS.items():
        table = shipped.tables[name]
        assert len(table.was) == len(table.could) == count
        assert sum(table.was) == shipped.card["moves_of_the_hider"]
        assert sum(map(sum, table.combined.values())) == sum(table.was)


@pytest.mark.parametrize(
    "path, to, message",
    [
        (("format",), "x", "this is no file of"),
        (("version",), 9, "version 1"),
        (("tables", "station"), [], "tables, station: a JSON object is needed"),
        (("tables", "station", "was"), [1, 2], "tables, station, was: 4 whole numbers"),
        (("tables", "station", "was"), [1, 2, -3, 4], "4 whole numbers of 0 or more"),
        (("tables", "station", "was"), [10**9, 0, 0, 0], "more often than there were any"),
        (("tables", "station", "combined"), {"1,9": [1, 1, 1, 1]}, "a set of categories"),
        (("tables", "station", "combined"), {"\u00b2": [1, 1, 1, 1]}, "a set of categories"),
        (("tables", "station", "combined"), {"9" * 5_000: [1, 1, 1, 1]}, "a set of categories"),
        (("tables", "station", "combined"), {"1,2": [1.5, 1, 1, 1]}, "whole numbers"),
    ],
)
def test_a_damaged_file_is_refused_with_its_place(
    path: tuple[str, ...], to: Any, message: str
) -> None:
    value: Any = shipped_categories().to_json()
    at = value
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    with pytest.raises(RecordError, match=message):
        Categories.from_json(value)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"categorization": "minimum"}, "did you mean 'minimum_distance'"),
        ({"table": "detail"}, "did you mean 'detailed'"),
        ({"steps": 3}, "one step or two"),
    ],
)
def test_other_ways_to_use_the_tables_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        shipped_categories().shares([8], [1], BOARD, **options)
