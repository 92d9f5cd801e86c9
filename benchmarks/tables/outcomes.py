"""What came out of the games of a table, small enough for the repository to keep.

The files of whole games are large, and stay on the machine that played them. Outcomes go with the
repository, so a table goes on from any clone of it. A file of them is JSON Lines, one line a cell:

- ``file``, ``agents``: the match;
- ``columns``: numbers by name, a list each, in the order of the games or matches;
- ``earlier``, ``sums``: how many came before these, of which only the sums are known;
- ``sources``: which sources of the program played.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from sleuth.data.disk.growing import read_lines
from sleuth.errors import RecordError


@dataclass(frozen=True)
class Outcomes:
    """Those of one cell.

    Attributes:
        file: The file of the cell's games.
        agents: Those of the match.
        columns: Numbers by name, all of the same count.
        earlier: How many came before these.
        sums: Sums of what came before, by the names of the columns.
        sources: Which sources of the program played.
    """

    file: str
    agents: tuple[str, ...]
    columns: Mapping[str, list[float]]
    earlier: int = 0
    sums: Mapping[str, float] = field(default_factory=dict[str, float])
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len({len(column) for column in self.columns.values()}) != 1:
            raise RecordError("columns differ in length", where=self.file)
        if self.earlier and set(self.sums) != set(self.columns):
            raise RecordError("sums are not those of the columns", where=self.file)

    def __len__(self) -> int:
        return self.earlier + len(next(iter(self.columns.values())))

    def total(self, name: str) -> float:
        """The sum of a column, with what came before."""
        return self.sums.get(name, 0.0) + sum(self.columns[name])

    def column(self, name: str) -> dict[int, float]:
        """A column by the numbers of its games, as far as each is known."""
        return dict(enumerate(self.columns[name], start=self.earlier))

    def continued(
        self, rows: Mapping[int, Mapping[str, float]], sources: Iterable[str] = ()
    ) -> Outcomes:
        """These and those that follow among some rows, by number, as far as there is no gap."""
        columns = {name: [*column] for name, column in self.columns.items()}
        number = len(self)
        while number in rows:
            for name, column in columns.items():
                column.append(rows[number][name])
            number += 1
        if number == len(self):
            return self
        used = tuple(dict.fromkeys([*self.sources, *sources]))
        return replace(self, columns=columns, sources=used)

    def cut(self, most: int) -> Outcomes:
        """The first so many, where there are more."""
        rows = max(0, most - self.earlier)
        columns = {name: column[:rows] for name, column in self.columns.items()}
        return replace(self, columns=columns)


def nothing(file: str, agents: Iterable[str], columns: Iterable[str]) -> Outcomes:
    """Those of a cell that was not played yet."""
    return Outcomes(file, tuple(agents), {name: [] for name in columns})


def read(path: Path) -> dict[str, Outcomes]:
    """The outcomes of a file, by the files of the games; none without the file.

    Raises:
        RecordError: A line is not of this kind; with file and line.
    """
    found: dict[str, Outcomes] = {}
    for place, line in enumerate(read_lines(path), start=1):
        try:
            one = Outcomes(**{**line, **{k: tuple(line[k]) for k in ("agents", "sources")}})
            found[one.file] = one
        except (TypeError, KeyError, AttributeError, RecordError) as error:
            where = f"{path}, line {place}"
            raise RecordError(f"these are no outcomes: {error}", where=where) from None
    return found


def keep(path: Path, outcomes: Iterable[Outcomes]) -> None:
    """Writes outcomes to a file; of a cell that it has already, what is longer stays."""
    found = read(path)
    for one in outcomes:
        if len(one) > len(found.get(one.file, ())):
            found[one.file] = one
    if not found:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(_plain(found[name]), separators=(",", ":")) for name in sorted(found)]
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    beside.write_text("\n".join(lines) + "\n", encoding="utf-8")
    beside.replace(path)


def _plain(one: Outcomes) -> dict[str, Any]:
    """As it is written: whole numbers without a point."""
    made = asdict(one)
    made["columns"] = {
        name: [int(value) if value == int(value) else value for value in column]
        for name, column in one.columns.items()
    }
    return made
