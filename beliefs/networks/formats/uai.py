"""Networks and evidence in the format of the competitions at UAI.

A file has no names: variables and their values are numbers, from 0, and so they are called when
they are read. It is a Bayesian network (``BAYES``), whose tables are those of the last variable
of each given the others, or a Markov network (``MARKOV``), whose tables are factors.

Reference: the file formats of the UAI 2014 inference competition.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

import numpy as np

from ....data.errors import UnsupportedError, shorten
from ...language.variables import MOST_VALUES
from ..network import Network
from .contents import NetworkContents, StatedTable, StatedVariable
from .text import Text, numbers_in

_WORD: Final = re.compile(r"\S+")
#: A whole number; one of more digits counts nothing that fits in memory.
_NATURAL: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class _WordPlace:
    """The place of a word, by its index; or the end, if there are fewer."""

    text: Text
    index: int

    @property
    def at(self) -> int:
        words = _WORD.finditer(self.text.content)
        found = next(itertools.islice(words, self.index, None), None)
        return len(self.text.content) if found is None else found.start()

    def __str__(self) -> str:
        return str(self.text.place(self.at))


class _Words:
    """The words of a file, one after the other."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.words = text.content.split()
        self.read = 0

    @property
    def left(self) -> int:
        """The number of words that are not read."""
        return len(self.words) - self.read

    @property
    def place(self) -> _WordPlace:
        """The place of the next word."""
        return _WordPlace(self.text, self.read)

    def natural(self, what: str, most: int) -> int:
        """The next word, which is a whole number up to a limit."""
        word = self.words[self.read] if self.left else ""
        if not _NATURAL.fullmatch(word) or int(word) > most:
            self.refuse(f"here must be {what}, a whole number up to {most:,}")
        self.read += 1
        return int(word)

    def refuse(self, message: str) -> NoReturn:
        """Raise the error of the next word."""
        if not self.left:
            self.text.refuse(f"{message}, but the file ends", self.place.at)
        self.text.refuse(message, self.place.at, shorten(self.words[self.read], 40))


def read_uai(content: bytes, name: str) -> NetworkContents:
    """The network that a file says.

    Raises:
        RecordError: It is not in this format; the message says where.
    """
    text = Text.of(content, name)
    words = _Words(text)
    kind = words.words[0] if words.words else ""
    if kind not in ("BAYES", "MARKOV"):
        words.refuse("here must be BAYES or MARKOV")
    words.read = 1
    count = words.natural("the number of variables", words.left)
    variables: list[StatedVariable] = []
    for variable in range(count):
        place = words.place
        size = words.natural(f"the number of values of variable {variable}", MOST_VALUES)
        variables.append(StatedVariable(str(variable), tuple(map(str, range(size))), place))
    tables = words.natural("the number of tables", words.left)
    if kind == "BAYES" and tables != count:
        words.read -= 1
        words.refuse(f"a Bayesian network of {count} variables has as many tables")
    scopes: list[list[str]] = []
    for table in range(tables):
        length = words.natural(f"the number of variables of table {table}", count)
        what = f"a variable of table {table}"
        scopes.append([str(words.natural(what, count - 1)) for _ in range(length)])
    found = [_table(words, scope, kind, number) for number, scope in enumerate(scopes)]
    if words.left:
        words.refuse("nothing comes after the last table")
    return NetworkContents("", variables, found, text.place(0))


def _table(words: _Words, scope: Sequence[str], kind: str, number: int) -> StatedTable:
    place = words.place
    size = words.natural(f"the count of numbers of table {number}", 10**9)
    first = words.read
    if size > words.left:
        words.read = len(words.words)
        words.refuse(f"table {number} has {size:,} numbers")
    words.read += size
    numbers = numbers_in(" ".join(words.words[first : words.read]))
    if numbers is None:
        words.read = next(
            place for place in range(first, first + size) if numbers_in(words.words[place]) is None
        )
        words.refuse("this is no number")
    if not scope:
        words.text.refuse(f"table {number} is about no variable", place.at)
    bayes = kind == "BAYES"
    return StatedTable(
        scope[-1] if bayes else None,
        tuple(scope[:-1] if bayes else scope),
        np.array(numbers, dtype=np.float64),
        place,
        lambda index: _WordPlace(words.text, first + index),
    )


def read_uai_evidence(content: bytes, name: str, network: Network) -> list[dict[str, str]]:
    """Observed values, of one sample or of several.

    Raises:
        RecordError: The file is not in this format, or does not fit the network.
    """
    text = Text.of(content, name)
    words = _Words(text)
    # Files of one sample may leave out that it is one.
    first = words.words[0] if words.words else ""
    alone = _NATURAL.fullmatch(first) and len(words.words) == 2 * int(first) + 1
    samples = 1 if alone else words.natural("the number of samples", words.left)
    found = [_sample(words, network) for _ in range(samples)]
    if words.left:
        words.refuse("nothing comes after the last value")
    return found


def _sample(words: _Words, network: Network) -> dict[str, str]:
    names = list(network.choices)
    seen: dict[str, str] = {}
    for _ in range(words.natural("the number of observed variables", (words.left - 1) // 2)):
        place = words.place
        name = names[words.natural("a variable", len(names) - 1)]
        options = network.choices[name].options
        value = str(options[words.natural(f"a value of variable {name}", len(options) - 1)])
        if name in seen:
            words.text.refuse("a variable is observed twice", place.at, name)
        seen[name] = value
    return seen


def uai_text(contents: NetworkContents) -> str:
    """A network in this format, without its names.

    Raises:
        UnsupportedError: Values are observed, for which there are files of their own.
    """
    if contents.observed:
        raise UnsupportedError(
            "a file in the format of UAI has no place for observed values",
            value={each.name: each.value for each in contents.observed},
            hint="write them by write_evidence(values, network, path)",
        )
    number = {each.name: str(place) for place, each in enumerate(contents.variables)}
    count = {each.name: len(each.states) for each in contents.variables}
    kind = "MARKOV" if any(table.child is None for table in contents.tables) else "BAYES"
    tables = contents.tables
    if kind == "BAYES":
        by_child = {table.child: table for table in tables}
        tables = [by_child[each.name] for each in contents.variables]
    lines = [kind, str(len(number)), " ".join(map(str, count.values())), str(len(tables))]
    for table in tables:
        lines.append(" ".join([str(len(table.about)), *(number[name] for name in table.about)]))
    for table in tables:
        rows = table.numbers.reshape(-1, count[table.about[-1]]).tolist()
        lines += ["", str(table.numbers.size), *(" ".join(map(repr, row)) for row in rows)]
    return "\n".join(lines) + "\n"


def uai_evidence_text(values: Mapping[str, str], network: Network) -> str:
    """Observed values, of one sample, in this format.

    Raises:
        EvidenceError: There is no such variable or value.
    """
    network.observe(values)
    names = list(network.choices)
    words = [str(len(values))]
    for name, value in values.items():
        words += [str(names.index(name)), str(network.choices[name].options.index(value))]
    return " ".join(words) + "\n"
