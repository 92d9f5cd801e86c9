"""Location Categorization: how likely the hider is at a station, by its category.

Nijssen and Winands (2012), section IV-D. Stations of the list of possible ones are in categories;
how often the hider was in a category is counted in games that were played, and weighs the list
since. The categories are those of the moment after their last move, as in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ....data.checks import known_name
from ....data.errors import RecordError, SettingsError
from ....data.files import resource
from ...records.reading import parse_json, read_bytes
from ..rules import SHOWN
from ..state import HIDER
from .learned_file import mapping, read_learned

#: Categorizations, and how many categories each has.
#:   minimum_distance: moves of the nearest detective to the station, 1 to 5 or more.
#:   average_distance: moves of all detectives on average, rounded down, 1 to 5 or more.
#:   station: what leaves from there: taxi; also bus; also underground; a ferry.
CATEGORIZATIONS: Final[Mapping[str, int]] = {
    "minimum_distance": 5,
    "average_distance": 5,
    "station": 4,
}
TABLES: Final = ("general", "detailed")
#: A row of the detailed table that was met less often says nothing.
THRESHOLD: Final = 100

FORMAT: Final = "sleuth location categories"
FORMAT_VERSION: Final = 1

Counts = tuple[int, ...]


def categories_of(
    categorization: str, stations: Sequence[int], seekers: Sequence[int], board: Any
) -> NDArray[np.int64]:
    """The category of every station, counted from 0; shape (stations,).

    Args:
        categorization: One of `CATEGORIZATIONS`.
        stations: The list of possible stations.
        seekers: Where the detectives stood after the hider's last move.
        board: The map, a record of type ``BOARD``.

    Raises:
        SettingsError: There is no such categorization.
    """
    most = _count(categorization)
    listed = np.array(stations, dtype=np.int64)
    if categorization == "station":
        return board.kind[listed].astype(np.int64)
    distances = board.distance[np.array(seekers)][:, listed].astype(np.int64)
    if categorization == "minimum_distance":
        found = distances.min(axis=0)
    else:
        found = distances.sum(axis=0) // len(seekers)
    return np.clip(found, 1, most) - 1


@dataclass(frozen=True)
class CategoryTable:
    """The number of times the hider was in each category of one categorization.

    Attributes:
        was: a of the paper: how often the hider was in a category; shape (categories,).
        could: n: how often a possible station was in it.
        combined: The detailed table: for each set of categories that the list had together, how
            often the hider was in each.
    """

    was: Counts
    could: Counts
    combined: Mapping[tuple[int, ...], Counts] = field(hash=False)

    def vector(self, present: tuple[int, ...], table: str) -> NDArray[np.float64] | None:
        """Weights of all categories; None where the table says nothing.

        Args:
            present: The categories that the list has, ascending.
            table: ``"general"`` or ``"detailed"``.
        """
        if table == "general":
            was = np.array(self.was, dtype=np.float64)
            return was / np.maximum(np.array(self.could, dtype=np.float64), 1.0)
        counts = self.combined.get(present)
        if counts is None or sum(counts) < THRESHOLD:
            return None
        return np.array(counts, dtype=np.float64)


class CategoryCounts:
    """Counts where the hider was, game by game, for a `Categories`."""

    def __init__(self) -> None:
        self.was = {name: [0] * count for name, count in CATEGORIZATIONS.items()}
        self.could = {name: [0] * count for name, count in CATEGORIZATIONS.items()}
        self.combined: dict[str, dict[tuple[int, ...], list[int]]] = {
            name: {} for name in CATEGORIZATIONS
        }

    def add(
        self, station: int, stations: Sequence[int], seekers: Sequence[int], board: Any
    ) -> None:
        """The hider has moved and is at ``station``, one of the possible ``stations``."""
        place = list(stations).index(station)
        for name, count in CATEGORIZATIONS.items():
            found = categories_of(name, stations, seekers, board)
            present = tuple(sorted(set(found.tolist())))
            true = int(found[place])
            self.was[name][true] += 1
            for category in present:
                self.could[name][category] += 1
            self.combined[name].setdefault(present, [0] * count)[true] += 1

    def tables(self, card: Mapping[str, Any]) -> Categories:
        """The counted tables, with a card that says in which games."""
        return Categories(
            card=dict(card),
            tables={
                name: CategoryTable(
                    tuple(self.was[name]),
                    tuple(self.could[name]),
                    {key: tuple(row) for key, row in sorted(self.combined[name].items())},
                )
                for name in CATEGORIZATIONS
            },
        )


@dataclass(frozen=True)
class Categories:
    """Tables of all categorizations, counted in the same games.

    Attributes:
        card: What they were counted in: game, settings, agents, games, seed, version.
        tables: By categorization.

    >>> import sleuth
    >>> from sleuth.games.scotland_yard import Categories, shipped_categories
    >>> tables = shipped_categories()
    >>> rules = sleuth.game("scotland_yard").tables
    >>> tables.shares([13, 89, 128], seekers=[13], board=rules.board[0]).round(2).tolist()
    [0.17, 0.17, 0.65]
    >>> Categories.from_json(tables.to_json()) == tables
    True
    """

    card: Mapping[str, Any]
    tables: Mapping[str, CategoryTable]

    def shares(
        self,
        stations: Sequence[int],
        seekers: Sequence[int],
        board: Any,
        *,
        categorization: str = "minimum_distance",
        table: str = "general",
        steps: int = 1,
    ) -> NDArray[np.float64]:
        """P(the hider is there) for every possible station; shape (stations,), sums to one.

        Args:
            stations: The list of possible stations.
            seekers: Where the detectives stood after the hider's last move.
            board: The map, a record of type ``BOARD``.
            categorization: One of `CATEGORIZATIONS`.
            table: ``"general"`` or ``"detailed"``.
            steps: 1 to draw a station by the weight of its category (formula 3), 2 to draw a
                category and then any of its stations (formula 4).

        Raises:
            SettingsError: A word or number is none of these.
        """
        check_choice(categorization, table, steps)
        found = categories_of(categorization, stations, seekers, board)
        present, places, sizes = np.unique(found, return_inverse=True, return_counts=True)
        weights = self.tables[categorization].vector(tuple(present.tolist()), table)
        if weights is None or not weights[present].any():
            return np.full(len(found), 1.0 / len(found))
        by_station = weights[found]
        if steps == 2:
            by_station = by_station / sizes[places]
        return by_station / by_station.sum()

    # -- files

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "card": dict(self.card),
            "tables": {
                name: {
                    "was": list(table.was),
                    "could": list(table.could),
                    "combined": {
                        ",".join(str(category + 1) for category in key): list(row)
                        for key, row in table.combined.items()
                    },
                }
                for name, table in self.tables.items()
            },
        }

    @staticmethod
    def from_json(value: object) -> Categories:
        """The tables that `to_json` wrote.

        Raises:
            RecordError: Something is missing or damaged; with its place.
        """
        _, card, given = read_learned(value, FORMAT, FORMAT_VERSION, "tables")
        tables = {
            name: _table(given.get(name), name, count) for name, count in CATEGORIZATIONS.items()
        }
        return Categories(card=card, tables=tables)


@lru_cache(maxsize=1)
def shipped_categories() -> Categories:
    """The tables that come with the package; their card says how they were made.

    >>> from sleuth.games.scotland_yard import shipped_categories
    >>> sorted(shipped_categories().tables)
    ['average_distance', 'minimum_distance', 'station']
    """
    path = resource("scotland_yard", "categories.json")
    return Categories.from_json(parse_json(read_bytes(path)))


def check_choice(categorization: str, table: str, steps: int) -> None:
    """Refuse what is no way to use the tables.

    Raises:
        SettingsError: With what is known.
    """
    _count(categorization)
    known_name(table, TABLES, "table", where="table")
    if steps not in (1, 2):
        raise SettingsError("selection is in one step or two", where="selection", value=steps)


def seekers_after_hider(
    stations: Sequence[int], events: Sequence[tuple[int, int]], board: Any
) -> list[int]:
    """The detectives' stations when the hider had made their last move.

    Args:
        stations: Where the detectives stand now, the first of them at place 0.
        events: Who moved, and what everybody saw, so far.
        board: The map, a record of type ``BOARD``.
    """
    found = list(stations)
    for mover, observation in reversed(events):
        if mover == HIDER:
            break
        found[mover - 1] = int(board.origin[observation % SHOWN])
    return found


def _count(categorization: str) -> int:
    known_name(categorization, CATEGORIZATIONS, "categorization", where="categorization")
    return CATEGORIZATIONS[categorization]


def _counts(value: object, count: int, where: str) -> Counts:
    listed = cast("list[Any]", value) if isinstance(value, list) else []
    if len(listed) != count or not all(type(each) is int and each >= 0 for each in listed):
        raise RecordError(
            f"{count} whole numbers of 0 or more are needed", where=where, value=cast(Any, value)
        )
    return tuple(listed)


def _table(value: object, name: str, count: int) -> CategoryTable:
    where = f"tables, {name}"
    fields = mapping(value, where)
    was, could = (_counts(fields.get(part), count, f"{where}, {part}") for part in ("was", "could"))
    combined: dict[tuple[int, ...], Counts] = {}
    known = {str(number) for number in range(1, count + 1)}
    for key, row in mapping(fields.get("combined"), f"{where}, combined").items():
        place = f"{where}, combined, {key!r}"
        parts = key.split(",")
        if not all(part in known for part in parts):
            raise RecordError("a set of categories is like '1,2'", where=place, value=key)
        combined[tuple(int(part) - 1 for part in parts)] = _counts(row, count, place)
    if any(a > n for a, n in zip(was, could, strict=True)):
        raise RecordError(
            "Mr. X was at stations of a category more often than there were any",
            where=where,
            value=was,
        )
    return CategoryTable(was, could, combined)
