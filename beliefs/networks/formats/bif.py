"""Networks in BIF, the interchange format of Bayesian networks, as they are read.

Names are anything but blanks and ``( ) { } , ; | "``; in quotes they are anything but these.
Intervals are names, too, as R writes them: ``(1,2]``.

References: Cozman, "The interchange format for Bayesian networks" (1998); Hulten and Domingos,
"The interchange format for Bayesian networks" (2003).
"""

from __future__ import annotations

import re
from typing import Final

from .bif_tables import Block, Row, table_of
from .contents import (
    MOST_NUMBERS,
    OWN,
    NetworkContents,
    StatedTable,
    StatedValue,
    StatedVariable,
    check_heads,
    marked_value,
    stated_variables,
)
from .text import Scanner, Text, numbers_in, refuse_number

_BLANK: Final = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*+", re.DOTALL)
#: An interval, a name in quotes, or a plain one.
_NAME: Final = re.compile(
    r'(?P<interval>[(\[]\s*[^\s()\[\]{},;|"]+\s*,\s*[^\s()\[\]{},;|"]+\s*[)\]])'
    r'|"(?P<quoted>[^"\n]*)"'
    r'|(?P<plain>(?:[^\s(){},;|"/]|/(?![/*]))+)'
)
#: Names of what `to_bif` marks: files of sleuth 0.1 do not say that it marked them.
_OURS: Final = re.compile(r"(size|evidence)_\w+")
_WORD: Final = re.compile(r"[a-z]+\b")
_COUNT: Final = re.compile(r"[0-9]{1,9}\b")
#: A property, as far as its semicolon; what is in quotes may hold one.
_PROPERTY: Final = re.compile(r'((?:[^;"]|"[^"\n]*")*+);')
#: The numbers of a row, as far as its semicolon; comments are none of them.
_TO_SEMICOLON: Final = r'([^;(){}|"/]*+(?:/(?![/*])[^;(){}|"/]*+)*+);'
_NUMBERS: Final = re.compile(_TO_SEMICOLON)
#: A row whose names are plain.
_ROW: Final = re.compile(
    r'\s*+\(([^()\[\]{};|"/]*+(?:/(?![/*])[^()\[\]{};|"/]*+)*+)\)' + _TO_SEMICOLON
)


class _Reader:
    """A reader of the blocks of a file."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.scanner = Scanner(text, _BLANK)
        self.title = ""
        self.own = False
        self.variables: list[StatedVariable] = []
        self.blocks: list[Block] = []
        self.observed: list[StatedValue] = []

    def read(self) -> NetworkContents:
        """All that the file says."""
        scanner = self.scanner
        while not scanner.ended:
            at = scanner.skip()
            match self.word():
                case "network":
                    self.network()
                case "variable":
                    self.variable(at)
                case "probability":
                    self.probability(at)
                case "property":
                    self.property()
                case _:
                    scanner.at = at
                    scanner.refuse(
                        "here must be a block: network, variable or probability",
                        "is it a BIF file?",
                    )
        end = self.text.end
        variables = stated_variables(self.variables, end)
        place = self.text.place
        check_heads(((each.child, each.parents, place(each.at)) for each in self.blocks), variables)
        tables: list[StatedTable] = []
        room = MOST_NUMBERS
        for block in self.blocks:
            tables.append(table_of(self.text, block, variables, room))
            room -= tables[-1].numbers.shape[0]
        own = self.own or all(
            _OURS.fullmatch(seen.name) and seen.value == "yes" for seen in self.observed
        )
        return NetworkContents(self.title, self.variables, tables, end, self.observed, own)

    def word(self) -> str:
        """The next word of the format; empty if something else comes."""
        found = self.scanner.take(_WORD)
        return "" if found is None else found.group()

    def name(self, what: str) -> str:
        """The next name."""
        return name_of(self.scanner.need(_NAME, what))

    def names(self, end: str, what: str) -> list[str]:
        """Names up to a sign, with commas or without."""
        found: list[str] = []
        while not self.scanner.takes(end):
            if found:
                self.scanner.takes(",")
            found.append(self.name(f"{what}, or {end}"))
        return found

    def property(self) -> str:
        """The text of a property, whose first word was read."""
        return self.scanner.need(_PROPERTY, "a property that ends with ;").group(1)

    def network(self) -> None:
        """The block with the title."""
        if not self.scanner.takes("{"):
            self.title = self.name("the name of the network")
            self.scanner.pass_sign("{")
        while not self.scanner.takes("}"):
            at = self.scanner.skip()
            if self.word() != "property":
                self.scanner.at = at
                self.scanner.refuse("here must be a property of the network, or }")
            self.own |= self.property().strip() == OWN

    def variable(self, at: int) -> None:
        """A variable, its values and its properties."""
        scanner = self.scanner
        name = self.name("the name of a variable")
        scanner.pass_sign("{")
        states: list[str] | None = None
        while not scanner.takes("}"):
            inside = scanner.skip()
            match self.word():
                case "property":
                    seen = marked_value(self.property())
                    if seen is not None:
                        self.observed.append(StatedValue(name, seen, self.text.place(inside)))
                case "type" if states is None:
                    states = self.states(name)
                case "type":
                    self.text.refuse("a variable has its values twice", inside, name)
                case _:
                    scanner.at = inside
                    scanner.refuse("here must be type, property or }")
        if states is None:
            hint = "write a line: type discrete [ 2 ] { yes, no };"
            self.text.refuse("a variable has no values", at, name, hint)
        self.variables.append(StatedVariable(name, tuple(states), self.text.place(at)))

    def states(self, name: str) -> list[str]:
        """The values of a variable."""
        scanner = self.scanner
        at = scanner.skip()
        if self.word() != "discrete":
            scanner.at = at
            scanner.refuse("here must be discrete: variables have finitely many values")
        counted: int | None = None
        if scanner.takes("["):
            at = scanner.skip()
            counted = int(scanner.need(_COUNT, "the number of values").group())
            scanner.pass_sign("]")
        scanner.pass_sign("{")
        states = self.names("}", "a value")
        scanner.takes(";")
        if counted not in (None, len(states)):
            words = f"{name!r} has another number of values than it says"
            self.text.refuse(words, at, counted, f"it has {len(states)}")
        return states

    def probability(self, at: int) -> None:
        """The probabilities of a variable."""
        scanner = self.scanner
        scanner.pass_sign("(")
        child = self.name("the name of a variable")
        if not scanner.takes("|"):
            scanner.takes(",")  # files of JavaBayes have no bar
        block = Block(child, tuple(self.names(")", "the name of a parent")), at)
        scanner.pass_sign("{")
        content = self.text.content
        while not scanner.takes("}"):
            row = _ROW.match(content, scanner.at)
            if row is None:
                self.entry(block)
                continue
            numbers = numbers_in(row.group(2))
            if numbers is None:
                refuse_number(self.text, row.start(2), row.group(2))
            block.rows.append(Row(row.start(1) - 1, row.group(1), row.start(2), numbers))
            scanner.at = row.end()
        self.blocks.append(block)

    def entry(self, block: Block) -> None:
        """One entry of a block of probabilities."""
        scanner = self.scanner
        at = scanner.skip()
        if scanner.takes("("):
            names = self.names(")", "a value of a parent")
            block.rows.append(Row(at, names, *self.numbers()))
            return
        word = self.word()
        if word == "property":
            self.property()
        elif word not in ("table", "default"):
            scanner.at = at
            scanner.refuse("here must be a row such as (yes, no) 0.2, 0.8; or }")
        elif word in block.whole:
            self.text.refuse(f"{word} comes twice in the block of {block.child!r}", at)
        else:
            block.whole[word] = self.numbers()

    def numbers(self) -> tuple[int, list[float]]:
        """The place of the next numbers, and they, up to a semicolon."""
        scanner = self.scanner
        start = scanner.skip()
        found = _NUMBERS.match(self.text.content, start)
        if found is None:
            return start, self.single_numbers()
        numbers = numbers_in(found.group(1))
        if numbers is None:
            refuse_number(self.text, start, found.group(1))
        scanner.at = found.end()
        return start, numbers

    def single_numbers(self) -> list[float]:
        """Numbers up to a semicolon, one by one: there are comments among them."""
        found: list[float] = []
        while not self.scanner.takes(";"):
            if found:
                self.scanner.takes(",")
            at = self.scanner.skip()
            number = self.scanner.take(_NAME)
            value = numbers_in(number.group()) if number is not None else None
            if not value:
                self.scanner.at = at
                self.scanner.refuse("here must be a number, or ;")
            found += value
        return found


def read_bif_contents(content: bytes, name: str) -> NetworkContents:
    """The network that a file says.

    Raises:
        RecordError: It is not in this format; the message says where.
    """
    return _Reader(Text.of(content, name)).read()


def name_of(found: re.Match[str]) -> str:
    """The name that was found; an interval without blanks."""
    if found["interval"] is not None:
        return "".join(found["interval"].split())
    return found["plain"] if found["quoted"] is None else found["quoted"]


def spelt(name: str) -> str | None:
    """A name as it is written, in quotes if it must be; None if there is no way to write it."""
    found = _NAME.fullmatch(name)
    if found is not None and found["quoted"] is None and name_of(found) == name:
        # Brackets of plain names could be read as those of an interval.
        plain = "[" not in name and "]" not in name
        if plain or found["interval"] is not None:
            return name
    return None if re.search(r'["\r\n]', name) else f'"{name}"'
