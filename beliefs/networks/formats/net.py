"""Networks in the NET language of HUGIN.

Chance nodes with tables are read; decisions, utilities, continuous nodes, functions and classes
are refused.

Reference: HUGIN API reference manual, chapter "The NET language".
"""

from __future__ import annotations

import itertools
import re
from typing import Final

import numpy as np

from ....data.errors import UnsupportedError, shorten
from .contents import NetworkContents, StatedTable, StatedValue, StatedVariable, refuse_factors
from .text import Scanner, Text, number_place, numbers_in, wrong_number

_BLANK: Final = re.compile(r"(?:\s+|%[^\n]*)*+")
_COMMENT: Final = re.compile(r"%[^\n]*")
_NAME: Final = re.compile(r'"(?P<quoted>[^"]*)"|(?P<plain>[^\s(){}|;,%"]+)')
_WORD: Final = re.compile(r"\w+")
#: The value of an attribute, as far as its semicolon.
_VALUE: Final = re.compile(r'((?:[^;"%]|"[^"]*"|%[^\n]*)*+);')
_BRACKET: Final = re.compile(r"[()]")
#: The names that HUGIN takes.
_WRITABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OTHER: Final = ("decision", "utility", "function", "continuous", "class")


class _Reader:
    """A reader of the blocks of a file."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.scanner = Scanner(text, _BLANK)
        self.title = ""
        self.own = False
        self.variables: list[StatedVariable] = []
        self.tables: list[StatedTable] = []
        self.observed: list[StatedValue] = []

    def read(self) -> NetworkContents:
        """All that the file says."""
        scanner = self.scanner
        while not scanner.ended:
            at = scanner.skip()
            found = scanner.take(_WORD)
            match "" if found is None else found.group():
                case "net":
                    self.net()
                case "discrete":
                    scanner.need(re.compile(r"node\b"), "node")
                    self.node(at)
                case "node":
                    self.node(at)
                case "potential":
                    self.potential(at)
                case word if word in _OTHER:
                    self.text.refuse(
                        "only chance nodes with finitely many values are read", at, word
                    )
                case _:
                    scanner.at = at
                    hint = "is it a NET file of HUGIN?"
                    scanner.refuse("here must be a block: net, node or potential", hint)
        place = self.text.end
        return NetworkContents(
            self.title, self.variables, self.tables, place, self.observed, self.own
        )

    def name(self, what: str) -> str:
        """The next name."""
        found = self.scanner.need(_NAME, what)
        return found["plain"] if found["quoted"] is None else found["quoted"]

    def names(self, end: str, what: str) -> list[str]:
        """Names up to a sign."""
        found: list[str] = []
        while not self.scanner.takes(end):
            found.append(self.name(f"{what}, or {end}"))
            self.scanner.takes(",")
        return found

    def attributes(self) -> dict[str, tuple[int, str]]:
        """The attributes of a block: by name the place and the text of each value."""
        scanner = self.scanner
        scanner.pass_sign("{")
        found: dict[str, tuple[int, str]] = {}
        while not scanner.takes("}"):
            at = scanner.skip()
            name = scanner.need(_WORD, "the name of an attribute, or }").group()
            scanner.pass_sign("=")
            start = scanner.skip()
            value = scanner.need(_VALUE, "a value that ends with ;").group(1)
            if name in found:
                self.text.refuse("an attribute is given twice", at, name)
            found[name] = start, value
        return found

    def net(self) -> None:
        """The block about the whole network."""
        attributes = self.attributes()
        self.title = _unquoted(attributes.get("name", (0, ""))[1])
        self.own |= _unquoted(attributes.get("written_by", (0, ""))[1]) == "sleuth"

    def node(self, at: int) -> None:
        """A variable, and its values."""
        name = self.name("the name of a node")
        attributes = self.attributes()
        if "states" not in attributes:
            hint = 'write states = ("yes" "no");'
            self.text.refuse("a node has no states", at, name, hint)
        start, end = attributes["states"][0], self.scanner.at
        self.scanner.at = start
        self.scanner.pass_sign("(")
        states = self.names(")", "a state")
        self.scanner.pass_sign(";")
        self.scanner.at = end
        self.variables.append(StatedVariable(name, tuple(states), self.text.place(at)))
        if "observed" in attributes:
            start, value = attributes["observed"]
            self.observed.append(StatedValue(name, _unquoted(value), self.text.place(start)))

    def potential(self, at: int) -> None:
        """The table of a variable."""
        scanner = self.scanner
        scanner.pass_sign("(")
        child = self.name("the name of a node")
        parents: list[str] = []
        if scanner.takes("|"):
            parents = self.names(")", "the name of a parent")
        elif not scanner.takes(")"):
            scanner.refuse("here must be | or ), since a table is of one node")
        attributes = self.attributes()
        if "data" not in attributes:
            other = next((name for name in attributes if name.startswith("model")), None)
            hint = "expressions are not read, only tables" if other else "write data = (...);"
            self.text.refuse("a potential has no data", at, child, hint)
        start, value = attributes["data"]
        plain = _COMMENT.sub(lambda found: " " * len(found.group()), value)
        numbers = self.numbers(start, plain, child)
        words = _BRACKET.sub(" ", plain)
        self.tables.append(
            StatedTable(
                child,
                tuple(parents),
                np.array([*itertools.chain.from_iterable(numbers)], dtype=np.float64),
                self.text.place(at),
                lambda index: self.text.place(start + number_place(words, index)),
            )
        )

    def numbers(self, start: int, value: str, child: str) -> list[list[float]]:
        """The numbers of each row of a table: of what stands in brackets without others."""
        depth = 0
        for bracket in _BRACKET.finditer(value):
            depth += 1 if bracket.group() == "(" else -1
            if depth < 0:
                self.text.refuse("this bracket closes nothing", start + bracket.start())
        if depth:
            self.text.refuse(f"a bracket of the data of {child!r} does not close", start)
        rows: list[list[float]] = []
        for row in _BRACKET.split(value):
            numbers = numbers_in(row)
            if numbers is None:
                at, word = wrong_number(_BRACKET.sub(" ", value))
                self.text.refuse("this is no number", start + at, shorten(word, 40))
            if numbers:
                rows.append(numbers)
        if len({len(row) for row in rows}) > 1:
            counts = ", ".join(map(str, sorted({len(row) for row in rows})))
            self.text.refuse(f"the rows of {child!r} are not of one length", start, counts)
        return rows


def read_net(content: bytes, name: str) -> NetworkContents:
    """The network that a file says.

    Raises:
        RecordError: It is not in this format; the message says where.
    """
    return _Reader(Text.of(content, name)).read()


def _unquoted(value: str) -> str:
    return value.strip().removeprefix('"').removesuffix('"')


def net_text(contents: NetworkContents) -> str:
    """A network in the NET language.

    Raises:
        UnsupportedError: A name cannot be written in this format, or it is a Markov network.
    """
    refuse_factors(contents, "NET")
    observed = {each.name: each.value for each in contents.observed}
    head = f"  name = {_quoted(contents.name)};\n" if contents.name else ""
    head += '  written_by = "sleuth";\n' if observed else ""
    parts = [f"net\n{{\n{head}}}\n"]
    count = {each.name: len(each.states) for each in contents.variables}
    for each in contents.variables:
        if not _WRITABLE.fullmatch(each.name):
            raise UnsupportedError(
                "a node of NET is named by a letter, letters, digits and underscores",
                value=each.name,
                hint="write XMLBIF (.xml) or BIF, or rename it",
            )
        mark = f"  observed = {_quoted(observed[each.name])};\n" if each.name in observed else ""
        states = " ".join(map(_quoted, each.states))
        parts.append(f"node {each.name}\n{{\n  states = ({states});\n{mark}}}\n")
    for table in contents.tables:
        assert table.child is not None
        above = f" | {' '.join(table.parents)}" if table.parents else ""
        rows = table.numbers.reshape(-1, count[table.child]).tolist()
        # One bracket more for each parent whose values begin again, as they count.
        sizes = [count[parent] for parent in table.parents]
        lines = [f"({' '.join(map(repr, row))})" for row in rows]
        for size in reversed(sizes):
            groups = range(0, len(lines), size)
            lines = ["(" + "\n    ".join(lines[at : at + size]) + ")" for at in groups]
        parts.append(f"potential ({table.child}{above})\n{{\n  data = {lines[0]};\n}}\n")
    return "".join(parts)


def _quoted(name: str) -> str:
    if '"' in name or "\n" in name or "\r" in name:
        raise UnsupportedError(
            "a name with a quotation mark, or of several lines, cannot be written in NET",
            value=name,
            hint="write XMLBIF (.xml), or rename it",
        )
    return f'"{name}"'
