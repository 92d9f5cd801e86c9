"""The numbers that conclusions about Scotland Yard name, each by the rows that it comes from.

A row is named as in its table; of another table as ``WORD: ROW``.

=======================  =======================================================================
``rate[ROW]``            how often the seekers win, in per cent; ``.ends`` of its 95 % interval
``more[ROW / OTHER]``    how many points more they win than in another row, deal by deal;
                         ``.ends`` and ``.half`` of its 95 % interval
``gap[ROW]``             ours minus the paper's, in points
``gap[ROW .. LAST]``     the same of all rows from one to another: ``.least`` and ``.most``
``rows[WORD]``           a table's rows with games and a number of the paper: how many, how many
                         are ``.lower`` than the paper's, how many points ``.fewer`` they have
                         on average, and the most ``.games`` of one
=======================  =======================================================================
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..tables.conclusions import Hole, Points
from ..tables.outcomes import Outcomes
from .cells import Cell, Table

#: The columns of one row, and how two rows differ: see `tables.difference`.
Rate = Callable[[Cell], tuple[float, tuple[float, float]]]
Difference = Callable[[Outcomes, Outcomes], tuple[float, float, float, int]]


class Gaps(float):
    """Ours minus the paper's: of the first of some rows, with the least and the most of all."""

    least: float
    most: float

    def __new__(cls, gaps: Sequence[float]) -> Gaps:
        made = super().__new__(cls, gaps[0])
        sizes = [abs(gap) for gap in gaps]
        made.least, made.most = min(sizes), max(sizes)
        return made


class Rows(int):
    """How many rows a table compares with the paper's, and what they have in common."""

    lower: int
    fewer: float
    games: int

    def __new__(cls, gaps: Sequence[float], games: Sequence[int]) -> Rows:
        made = super().__new__(cls, len(gaps))
        made.lower = sum(gap < 0 for gap in gaps)
        made.fewer = -sum(gaps) / len(gaps) if gaps else math.nan
        made.games = max(games, default=0)
        return made


def holes(
    table: Table,
    tables: Sequence[Table],
    found: Mapping[str, Outcomes],
    rate: Rate,
    difference: Difference,
) -> dict[str, Any]:
    """The holes of a table's conclusion."""
    words = {each.word: each for each in tables}

    def row(name: str) -> Cell:
        word, colon, rest = name.strip().partition(": ")
        of, name = (words[word], rest) if colon and word in words else (table, name.strip())
        return next(cell for cell in of.cells if cell.name == name)

    def rate_of(name: str) -> Points:
        share, (low, high) = rate(row(name))
        return Points(100 * share, 100 * low, 100 * high)

    def more(pair: str) -> Points:
        one, other = (found[row(name).file] for name in pair.split(" / "))
        return Points(*(100 * share for share in difference(one, other)[:3]))

    def less_paper(cell: Cell) -> float:
        return 100 * rate(cell)[0] - (math.nan if cell.paper is None else cell.paper)

    def gap(names: str) -> Gaps:
        first, *last = map(row, names.split(" .. "))
        start = table.cells.index(first)
        rows = table.cells[start : table.cells.index(last[0]) + 1] if last else (first,)
        return Gaps([less_paper(each) for each in rows])

    def rows(word: str) -> Rows:
        cells = {each: found[each.file].cut(each.games) for each in words[word].cells}
        there = [each for each, won in cells.items() if each.paper is not None and len(won)]
        return Rows([less_paper(each) for each in there], [len(cells[each]) for each in there])

    return {"rate": Hole(rate_of), "more": Hole(more), "gap": Hole(gap), "rows": Hole(rows)}
