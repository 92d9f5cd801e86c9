"""The map of Scotland Yard is the one it should be, and a spoilt one is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

from sleuth.data.files import read_table
from sleuth.errors import RecordError, SettingsError
from sleuth.games.scotland_yard import StationMap, board
from sleuth.models.scotland_yard.board import KINDS, TRANSPORTS, board_from, check_counts

Rows = list[dict[str, str]]
BOARD = board()


def tables() -> tuple[Rows, Rows, list[int]]:
    stations, connections = (
        read_table("scotland_yard", name + ".csv") for name in ("stations", "connections")
    )
    return stations, connections, list(BOARD.starts)


def graph(*, ferries: bool) -> Any:
    made: Any = nx.Graph()
    made.add_nodes_from(range(1, 200))
    for row in tables()[1]:
        if ferries or row["transport"] != "ferry":
            made.add_edge(int(row["station_a"]), int(row["station_b"]))
    return made


def test_the_map_counts_up_to_what_the_paper_says() -> None:
    assert BOARD.stations == 199
    assert len(BOARD.connections) == 468
    ways = [way for _, _, way in BOARD.connections]
    assert [ways.count(way) for way in TRANSPORTS] == [346, 99, 20, 3]
    assert np.bincount(BOARD.kind[1:]).tolist() == [135, 46, 14, 4]
    assert len(BOARD.starts) == 18


def test_ferries_leave_from_four_stations() -> None:
    assert [s for s in range(1, 200) if KINDS[BOARD.kind[s]] == "ferry"] == [108, 115, 157, 194]


def test_neighbours_of_a_station_are_those_of_its_connections() -> None:
    for station in range(1, 200):
        part = slice(BOARD.first[station], BOARD.first[station + 1])
        listed = [
            (TRANSPORTS[way], int(there))
            for way, there in zip(BOARD.transport[part], BOARD.neighbour[part], strict=True)
        ]
        expected = [(way, b) for a, b, way in BOARD.connections if a == station]
        expected += [(way, a) for a, b, way in BOARD.connections if b == station]
        assert sorted(listed) == sorted(expected)
        assert listed == sorted(listed, key=lambda each: (TRANSPORTS.index(each[0]), each[1]))
        assert BOARD.degree[station] == len(expected) > 0
    assert BOARD.degree.sum() == 2 * 468


def test_distances_are_those_of_another_library_without_ferries() -> None:
    for station, found in nx.all_pairs_shortest_path_length(graph(ferries=False)):
        for other, hops in found.items():
            assert BOARD.distance[station, other] == hops
    assert np.array_equal(BOARD.distance, BOARD.distance.T)


def test_a_ferry_is_no_shortcut_for_detectives() -> None:
    assert dict(nx.all_pairs_shortest_path_length(graph(ferries=True)))[115][157] == 1
    assert BOARD.distance[115, 157] > 1
    assert nx.diameter(graph(ferries=True)) == 10


def test_nobody_is_shut_in_at_a_start() -> None:
    for start in BOARD.starts:
        part = slice(BOARD.first[start], BOARD.first[start + 1])
        by_taxi = BOARD.neighbour[part][BOARD.transport[part] == TRANSPORTS.index("taxi")]
        assert set(by_taxi.tolist()) - set(BOARD.starts)


def test_later_editions_have_no_taxi_from_13_to_14() -> None:
    later = board("later")
    assert set(BOARD.connections) - set(later.connections) == {(13, 14, "taxi")}
    assert len(later.connections) == 467
    assert (13, 14, "bus") in later.connections


def test_another_edition_is_refused() -> None:
    with pytest.raises(SettingsError, match="did you mean 'later'"):
        board("latter")


Change = Callable[[Rows, Rows, list[int]], object]


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda s, c, b: c.pop(), "wrong number of connections"),
        (lambda s, c, b: c[0].update(transport="bus"), "wrong number of connections by taxi"),
        (lambda s, c, b: b.pop(), "wrong number of starts"),
        (lambda s, c, b: s.pop(), "no such station.*stations are 1 to 198"),
        (lambda s, c, b: s[3].update(station="5"), "stations, line 5: .*in order"),
        (lambda s, c, b: s[3].update(x="12.5"), "stations, line 5: .*'x'"),
        (lambda s, c, b: c[7].update(station_b="200"), r"connection 8: no such station \(got 200"),
        (lambda s, c, b: c[7].update(station_b=c[7]["station_a"]), "connection 8: .*another"),
        (lambda s, c, b: c[7].update(transport="boat"), "connection 8: no such transport"),
        (lambda s, c, b: c.append(c[7]), "connections: this is listed twice"),
        (lambda s, c, b: b.__setitem__(1, 13), "starts: this is listed twice"),
        (lambda s, c, b: b.__setitem__(1, 0), "start 2: no such station"),
        (
            lambda s, c, b: c.__setitem__(
                slice(None), [row for row in c if "199" not in row.values()]
            ),
            "not in one piece",
        ),
    ],
)
def test_a_spoilt_map_is_refused_with_the_place(change: Change, message: str) -> None:
    rows = tables()
    change(*rows)
    with pytest.raises(RecordError, match=message):
        check_counts(board_from(*rows))


def test_kinds_of_stations_are_counted() -> None:
    # A bus moved from a station with buses to one without: as many connections as before.
    moved = [each for each in BOARD.connections if each != (1, 58, "bus")]
    changed = StationMap(BOARD.places, (*moved, (2, 10, "bus")), BOARD.starts)
    with pytest.raises(RecordError, match="wrong number of stations of kind"):
        check_counts(changed)
