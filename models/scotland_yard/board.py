"""The map of Scotland Yard: stations, connections, and how far it is from one to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...data.checks import MOST_DIGITS
from ...data.errors import RecordError, nearest
from ...data.files import read_table
from .editions import EDITIONS, edition_of

FOLDER: Final = "scotland_yard"
TRANSPORTS: Final = ("taxi", "bus", "underground", "ferry")
FERRY: Final = TRANSPORTS.index("ferry")
#: Kinds of stations as the paper counts them, by the best that leaves from there.
KINDS: Final = ("taxi", "bus", "underground", "ferry")

STATIONS: Final = 199
#: What the shipped map must count up to, by transport and by kind of station.
CONNECTION_COUNTS: Final = {"taxi": 346, "bus": 99, "underground": 20, "ferry": 3}
KIND_COUNTS: Final = {"taxi": 135, "bus": 46, "underground": 14, "ferry": 4}
START_COUNT: Final = 18

Connection = tuple[int, int, str]
"""Two stations, the lower number first, and the transport between them."""


@dataclass(frozen=True, eq=False)
class StationMap:
    """Stations numbered from 1, and what connects them. S is the number of stations.

    Rows of arrays are station numbers; row 0 stands for no station.

    Attributes:
        places: For each station, in order, where it lies: x to the right, y down, in pixels.
        connections: Each connection once.
        starts: Where somebody can start.

    >>> from sleuth.games.scotland_yard import StationMap
    >>> corner = StationMap(
    ...     places=((0, 0), (9, 0), (0, 9)),
    ...     connections=((1, 2, "taxi"), (2, 3, "bus")),
    ...     starts=(1, 2, 3),
    ... )
    >>> corner.stations, int(corner.distance[1, 3]), corner.degree.tolist(), corner.kind.tolist()
    (3, 2, [0, 1, 2, 1], [-1, 0, 1, 1])
    >>> moves = slice(*corner.first[2:4].tolist())  # from station 2
    >>> corner.neighbour[moves].tolist(), corner.transport[moves].tolist()
    ([1, 3], [0, 1])
    """

    places: tuple[tuple[int, int], ...]
    connections: tuple[Connection, ...]
    starts: tuple[int, ...]

    def __post_init__(self) -> None:
        count = len(self.places)
        for place, (first, second, transport) in enumerate(self.connections, start=1):
            where = f"connection {place}"
            for station in (first, second):
                _check_station(station, count, where)
            if not first < second:
                raise RecordError(
                    "a connection leads to another station, the lower number first",
                    where=where,
                    value=(first, second),
                )
            if transport not in TRANSPORTS:
                raise RecordError(
                    "no such transport",
                    where=where,
                    value=transport,
                    hint=nearest(transport, TRANSPORTS),
                )
        _check_different(self.connections, "connections")
        for place, station in enumerate(self.starts, start=1):
            _check_station(station, count, f"start {place}")
        _check_different(self.starts, "starts")
        hops = self.distance[1:, 1:]
        if np.any(hops < 0):
            from_, to = (int(each[0]) + 1 for each in np.nonzero(hops < 0))
            raise RecordError(
                "the map is not in one piece for those who take no ferry",
                where="connections",
                value=(from_, to),
                hint="nothing leads from the first of these stations to the second",
            )

    @property
    def stations(self) -> int:
        """The number of stations."""
        return len(self.places)

    @cached_property
    def first(self) -> NDArray[np.int32]:
        """int32[S + 2]: the neighbours of station s are those from ``first[s]`` to ``first[s + 1]``
        in :attr:`neighbour` and :attr:`transport`, sorted by transport, then station."""
        return np.searchsorted(self._directed[:, 0], np.arange(self.stations + 2)).astype(np.int32)

    @cached_property
    def neighbour(self) -> NDArray[np.int32]:
        """int32[2 * connections]: where each connection leads, from each of its ends."""
        return np.ascontiguousarray(self._directed[:, 2])

    @cached_property
    def transport(self) -> NDArray[np.int32]:
        """int32[2 * connections]: by what, as a place in ``TRANSPORTS``."""
        return np.ascontiguousarray(self._directed[:, 1])

    @cached_property
    def degree(self) -> NDArray[np.int32]:
        """int32[S + 1]: how many connections a station has."""
        return np.diff(self.first)

    @cached_property
    def kind(self) -> NDArray[np.int32]:
        """int32[S + 1]: the highest transport that leaves from a station, as a place in ``KINDS``;
        -1 for no station."""
        best = np.full(self.stations + 1, -1, dtype=np.int32)
        np.maximum.at(best, self._directed[:, 0], self._directed[:, 1])
        return best

    @cached_property
    def distance(self) -> NDArray[np.int8]:
        """int8[S + 1, S + 1]: the fewest moves from one station to another by taxi, bus and
        underground, whatever tickets there are; -1 where there is no way."""
        here, transport, there = self._directed.T
        beside = np.zeros((self.stations + 1, self.stations + 1), dtype=np.float32)
        beside[here[transport != FERRY], there[transport != FERRY]] = 1.0
        table = np.full(beside.shape, -1, dtype=np.int8)
        reached = np.diag(np.arange(self.stations + 1) > 0)
        moves = 0
        while reached.any():
            table[reached] = moves
            moves += 1
            reached = (reached @ beside > 0.0) & (table < 0)
        return table

    @cached_property
    def _directed(self) -> NDArray[np.int32]:
        """Every connection from each of its ends: station, transport, where to; sorted."""
        rows = sorted(
            (start, TRANSPORTS.index(transport), end)
            for first, second, transport in self.connections
            for start, end in ((first, second), (second, first))
        )
        return np.array(rows, dtype=np.int32).reshape(-1, 3)


@lru_cache(maxsize=len(EDITIONS))
def board(edition: str = "classic") -> StationMap:
    """The map that comes with the package.

    Args:
        edition: ``"classic"``, or ``"later"`` for the editions without a taxi from 13 to 14.

    Raises:
        SettingsError: There is no such edition.
        RecordError: The shipped files do not hold the map they should.

    >>> from sleuth.games.scotland_yard import board
    >>> later = board("later")
    >>> len(later.places), len(board().connections) - len(later.connections)
    (199, 1)
    """
    wanted, usual = edition_of(edition), edition_of(EDITIONS[0])
    classic = board_from(
        read_table(FOLDER, "stations.csv"),
        read_table(FOLDER, "connections.csv"),
        usual.hider_starts,
    )
    check_counts(classic)
    kept = tuple(each for each in classic.connections if each not in wanted.without)
    starts = sorted({*wanted.hider_starts, *wanted.seeker_starts})
    return StationMap(classic.places, kept, tuple(starts))


def board_from(
    stations: Sequence[Mapping[str, str]],
    connections: Sequence[Mapping[str, str]],
    starts: Sequence[int],
) -> StationMap:
    """A map from the rows of its tables.

    Args:
        stations: With columns ``station`` (from 1, in order), ``x`` and ``y``.
        connections: With columns ``station_a``, ``station_b`` and ``transport``.
        starts: The stations on start cards.

    Raises:
        RecordError: A number is none or out of range, something stands there twice, or the map is
            not in one piece; with the table and row.
    """
    places: list[tuple[int, int]] = []
    for line, row in enumerate(stations, start=2):
        where = f"stations, line {line}"
        if _number(row, "station", where) != line - 1:
            raise RecordError(
                "stations are numbered from 1, in order", where=where, value=row["station"]
            )
        places.append((_number(row, "x", where), _number(row, "y", where)))
    listed: list[Connection] = []
    for line, row in enumerate(connections, start=2):
        where = f"connections, line {line}"
        ends = sorted(_number(row, name, where) for name in ("station_a", "station_b"))
        listed.append((ends[0], ends[1], row.get("transport") or ""))
    return StationMap(tuple(places), tuple(listed), tuple(starts))


def check_counts(found: StationMap) -> None:
    """Refuse a map that is not the classic one by its counts.

    Raises:
        RecordError: Stations, connections by transport, kinds of stations or starts do not add up.
    """
    transports = Counter(transport for _, _, transport in found.connections)
    kinds = Counter(KINDS[int(kind)] for kind in found.kind[1:])
    for name, count, expected in (
        ("stations", found.stations, STATIONS),
        ("starts", len(found.starts), START_COUNT),
        *((f"connections by {way}", transports[way], n) for way, n in CONNECTION_COUNTS.items()),
        *((f"stations of kind {kind}", kinds[kind], n) for kind, n in KIND_COUNTS.items()),
    ):
        if count != expected:
            raise RecordError(
                f"the map has the wrong number of {name}",
                where="the map",
                value=count,
                hint=f"it should be {expected}",
            )


def _check_station(station: int, count: int, where: str) -> None:
    if not 1 <= station <= count:
        raise RecordError(
            "no such station", where=where, value=station, hint=f"stations are 1 to {count}"
        )


def _check_different(items: Iterable[object], where: str) -> None:
    for item, count in Counter(items).items():
        if count > 1:
            raise RecordError("this is listed twice", where=where, value=item)


def _number(row: Mapping[str, str], name: str, where: str) -> int:
    text = row.get(name) or ""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise RecordError(f"a whole number is needed as {name!r}", where=where, value=text)
    return int(text)
