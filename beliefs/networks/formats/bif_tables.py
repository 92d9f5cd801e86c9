"""Tables of the blocks of a BIF file: rows in any order, some by default, or all at once."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from ....data.errors import nearest
from ...arrays.layout import Floats, Integers
from .contents import MOST_NUMBERS, StatedTable, StatedVariable, values_of
from .text import Text, TextPlace, number_place

_BETWEEN: Final = re.compile(r"[\s,]+")


class Row(NamedTuple):
    """One row: probabilities given a value of each parent.

    Attributes:
        at: Where it begins.
        names: The values in its brackets; one text as long as nobody looked at it.
        start: Where its numbers begin.
        numbers: Those.
    """

    at: int
    names: str | list[str]
    start: int
    numbers: list[float]

    @property
    def values(self) -> list[str]:
        """The values in its brackets, one by one."""
        if isinstance(self.names, str):
            return [name for name in _BETWEEN.split(self.names) if name]
        return self.names


@dataclass
class Block:
    """The probabilities of a variable, while they are read.

    Attributes:
        child, parents: The names in its head.
        at: Where it begins.
        whole: What it says of all rows at once, by ``table`` or ``default``: where the numbers
            begin, and they.
        rows: Its rows.
    """

    child: str
    parents: tuple[str, ...]
    at: int
    whole: dict[str, tuple[int, list[float]]] = field(
        default_factory=dict[str, "tuple[int, list[float]]"]
    )
    rows: list[Row] = field(default_factory=list[Row])


def table_of(
    text: Text, block: Block, variables: Mapping[str, StatedVariable], room: int
) -> StatedTable:
    """The table of a block, with a row for the values of its parents together, in their order.

    Args:
        text: The file.
        block: What stands there.
        variables: All variables of the file, by name.
        room: Most numbers that it may have.

    Raises:
        RecordError: A row is missing, or given twice, or has too few numbers or too many.
    """
    place = text.place(block.at)
    above = [variables[parent].states for parent in block.parents]
    rows, size = math.prod(map(len, above)), len(variables[block.child].states)
    if rows * size > room:
        words = f"with that of {block.child!r} all tables have more than {MOST_NUMBERS:,} numbers"
        text.refuse(words, block.at, rows * size)
    if "table" not in block.whole:
        numbers, start = _of_rows(text, block, above, size)
        return StatedTable(
            block.child,
            block.parents,
            numbers.ravel(),
            place,
            lambda index: _number_place(text, int(start[index // size]), index % size),
        )
    others = [row.at for row in block.rows[:1]]
    others += [at for word, (at, _) in block.whole.items() if word != "table"]
    if others:
        text.refuse(f"the block of {block.child!r} has a table for all rows already", others[0])
    at, given = block.whole["table"]
    order = np.arange(len(given))
    if order.shape[0] == rows * size:
        # In a table the child varies slowest.
        order = order.reshape(size, rows).T.ravel()
    return StatedTable(
        block.child,
        block.parents,
        np.array(given, dtype=np.float64)[order],
        place,
        lambda index: _number_place(text, at, int(order[index])),
    )


def _of_rows(
    text: Text, block: Block, above: Sequence[Sequence[str]], size: int
) -> tuple[Floats, Integers]:
    """The numbers of all rows, and where those of each begin."""
    for row in block.rows:
        if len(row.numbers) != size:
            words = f"a row of {block.child!r} needs {size} numbers"
            text.refuse(words, row.at, len(row.numbers))
    counts = [len(states) for states in above]
    table: Floats = np.empty((math.prod(counts), size))
    start = np.full(table.shape[0], -1)
    if "default" in block.whole:
        at, given = block.whole["default"]
        if len(given) != size:
            words = f"the default of {block.child!r} needs {size} numbers"
            text.refuse(words, at, len(given))
        table[:], start[:] = given, at
    if block.rows:
        index = np.ravel_multi_index(_columns(text, block, above), counts)
        _refuse_twice(text, block, index)
        table[index] = [row.numbers for row in block.rows]
        start[index] = [row.start for row in block.rows]
    missing = np.flatnonzero(start < 0)
    if missing.size:
        if not block.rows:
            text.refuse("this block has no probabilities", block.at, block.child)
        names = ", ".join(values_of(int(missing[0]), above))
        words = f"the block of {block.child!r} lacks a row"
        text.refuse(words, block.at, f"({names})", "write it, or a default")
    return table, start


def _columns(text: Text, block: Block, above: Sequence[Sequence[str]]) -> list[Integers]:
    """Of each parent, the place of its value in every row."""
    if not above:
        text.refuse(f"{block.child!r} has no parents, and so no rows", block.rows[0].at)
    known = [{state: place for place, state in enumerate(states)} for states in above]
    plain = [row.names for row in block.rows if isinstance(row.names, str)]
    commas = len(known) - 1
    if len(plain) == len(block.rows) and {n.count(",") for n in plain} == {commas}:
        names = [*map(str.strip, ",".join(plain).split(","))]
        columns = [names[place :: len(known)] for place in range(len(known))]
        if all(known[place].keys() >= {*column} for place, column in enumerate(columns)):
            return [
                np.fromiter(map(known[place].__getitem__, column), np.int64, len(column))
                for place, column in enumerate(columns)
            ]
    found: list[list[int]] = []
    for row in block.rows:
        values = row.values
        if len(values) != len(known):
            words = f"a row of {block.child!r} needs a value of each of its {len(known)} parents"
            text.refuse(words, row.at, f"({', '.join(values)})")
        for parent, states, value in zip(block.parents, known, values, strict=True):
            if value not in states:
                text.refuse(f"{parent!r} has no such value", row.at, value, nearest(value, states))
        found.append([states[value] for states, value in zip(known, values, strict=True)])
    return [*np.array(found, dtype=np.int64).T]


def _refuse_twice(text: Text, block: Block, index: Integers) -> None:
    _, first = np.unique(index, return_index=True)
    if first.shape[0] < index.shape[0]:
        again = np.ones(index.shape[0], dtype=np.bool_)
        again[first] = False
        row = block.rows[int(again.argmax())]
        words = f"a row of {block.child!r} is given twice"
        text.refuse(words, row.at, f"({', '.join(row.values)})")


def _number_place(text: Text, start: int, index: int) -> TextPlace:
    """The place of a number, by its index among those that begin somewhere."""
    end = text.content.find(";", start)
    return text.place(start + number_place(text.content[start:end], index))
