"""Networks in XMLBIF, the interchange format of Bayesian networks in XML.

Version 0.3, and of older ones ``VALUE`` for a value and ``PROBABILITY`` for a table. Nothing
outside the file is looked up, and a file that declares entities is refused.

Reference: Cozman, "The interchange format for Bayesian networks" (1998), XMLBIF 0.3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape

import numpy as np

from ....data.errors import UnsupportedError, nearest, shorten
from .contents import (
    OWN,
    NetworkContents,
    StatedTable,
    StatedValue,
    StatedVariable,
    marked_value,
    refuse_factors,
)
from .text import number_place, numbers_in, refuse, wrong_number

#: The elements that may stand in each; all others hold text.
_INSIDE: Final[Mapping[str, Sequence[str]]] = {
    "": ("BIF",),
    "BIF": ("NETWORK",),
    "NETWORK": ("NAME", "PROPERTY", "VARIABLE", "DEFINITION", "PROBABILITY"),
    "VARIABLE": ("NAME", "TYPE", "OUTCOME", "VALUE", "PROPERTY"),
    "DEFINITION": ("FOR", "GIVEN", "TABLE", "PROPERTY"),
    "PROBABILITY": ("FOR", "GIVEN", "TABLE", "PROPERTY"),
}


@dataclass(frozen=True)
class XmlPlace:
    """A place in a file of XML: line and column, both from 1."""

    name: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.name}, line {self.line}, column {self.column}"


@dataclass
class _Element:
    """An element, while it is read: its texts with their places, and those in it by name."""

    tag: str
    place: XmlPlace
    texts: list[tuple[XmlPlace, str]] = field(default_factory=list[tuple[XmlPlace, str]])
    parts: dict[str, list[_Element]] = field(default_factory=dict[str, "list[_Element]"])

    @property
    def whole(self) -> str:
        """All its text."""
        return "".join(text for _, text in self.texts)

    @property
    def word(self) -> str:
        """Its text without the blanks around it."""
        return self.whole.strip()

    def several(self, *tags: str) -> list[_Element]:
        """The elements in it of some names, in the order of the file."""
        return [part for tag in tags for part in self.parts.get(tag, ())]

    def one(self, tag: str) -> _Element:
        """The element in it of a name, of which there must be one.

        Raises:
            RecordError: There are none or several.
        """
        found = self.parts.get(tag, [])
        if len(found) == 1:
            return found[0]
        if found:
            refuse(f"a {self.tag} has one {tag} alone", found[1].place, shorten(found[1].word, 40))
        refuse(f"this {self.tag} has no {tag}", self.place)

    def at(self, index: int) -> XmlPlace:
        """The place of a letter of its text."""
        for place, text in self.texts:
            if index < len(text):
                return XmlPlace(place.name, place.line, place.column + index)
            index -= len(text)
        return self.place


class _Reader:
    """The elements of a file, as expat finds them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parser = expat.ParserCreate()
        self.open = [_Element("", XmlPlace(name, 1, 1))]
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.CommentHandler = lambda _: self.text(" ")
        self.parser.EntityDeclHandler = self.entity
        self.parser.SkippedEntityHandler = self.entity

    @property
    def place(self) -> XmlPlace:
        """The place of what is being read."""
        column = self.parser.CurrentColumnNumber + 1
        return XmlPlace(self.name, self.parser.CurrentLineNumber, column)

    def read(self, content: bytes) -> _Element:
        """The outermost element."""
        try:
            self.parser.Parse(content, True)
        except expat.ExpatError as error:
            place = XmlPlace(self.name, error.lineno, error.offset + 1)
            refuse(f"this is no XML: {expat.ErrorString(error.code)}", place)
        except (ValueError, LookupError) as error:  # of an encoding that nobody knows
            refuse(f"this is no XML: {error}", self.place)
        return self.open[0]

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        known = _INSIDE.get(self.open[-1].tag, ())
        if tag not in known:
            where = f"in {self.open[-1].tag}" if self.open[-1].tag else "outermost in XMLBIF"
            hint = nearest(tag, known) if known else "it holds text alone"
            refuse(f"this element does not stand {where}", self.place, tag, hint)
        kind = attributes.get("TYPE", "nature")
        if tag == "VARIABLE" and kind != "nature":
            words = "a variable of a network is of type nature"
            refuse(words, self.place, kind, "influence diagrams are not read")
        element = _Element(tag, self.place)
        self.open[-1].parts.setdefault(tag, []).append(element)
        self.open.append(element)

    def end(self, _: str) -> None:
        self.open.pop()

    def text(self, data: str) -> None:
        if self.open[-1].tag not in _INSIDE:
            self.open[-1].texts.append((self.place, data))
        elif data.strip():
            words = f"here is no place for text, in {self.open[-1].tag}"
            refuse(words, self.place, shorten(data.strip(), 40))

    def entity(self, name: str, *_: Any) -> NoReturn:
        refuse("entities are not read", self.place, name, "write what it stands for")


def read_xmlbif(content: bytes, name: str) -> NetworkContents:
    """The network that a file says.

    Raises:
        RecordError: It is not in this format; the message says where.
    """
    bif = _Reader(name).read(content).one("BIF")
    network = bif.one("NETWORK")
    variables: list[StatedVariable] = []
    observed: list[StatedValue] = []
    for each in network.several("VARIABLE"):
        for kind in each.several("TYPE"):
            if kind.word != "discrete":
                refuse("variables have finitely many values", kind.place, kind.word)
        called = each.one("NAME").word
        states = [outcome.word for outcome in each.several("OUTCOME", "VALUE")]
        variables.append(StatedVariable(called, tuple(states), each.place))
        for mark in each.several("PROPERTY"):
            seen = marked_value(mark.word)
            if seen is not None:
                observed.append(StatedValue(called, seen, mark.place))
    tables = [_table(each) for each in network.several("DEFINITION", "PROBABILITY")]
    own = any(each.word == OWN for each in network.several("PROPERTY"))
    title = network.one("NAME").word if "NAME" in network.parts else ""
    return NetworkContents(title, variables, tables, network.place, observed, own)


def _table(element: _Element) -> StatedTable:
    table = element.one("TABLE")
    words = table.whole
    numbers = numbers_in(words)
    if numbers is None:
        at, word = wrong_number(words)
        refuse("this is no number", table.at(at), shorten(word, 40))
    return StatedTable(
        element.one("FOR").word,
        tuple(each.word for each in element.several("GIVEN")),
        np.array(numbers, dtype=np.float64),
        element.place,
        lambda index: table.at(number_place(words, index)),
    )


def xmlbif_text(contents: NetworkContents) -> str:
    """A network in XMLBIF.

    Raises:
        UnsupportedError: A name cannot be written in this format, or it is a Markov network.
    """
    refuse_factors(contents, "XMLBIF")
    observed = {each.name: each.value for each in contents.observed}
    # Without the document type, which some readers trip over.
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>"]
    lines.append(_line("NAME", contents.name))
    lines += [_line("PROPERTY", OWN)] if observed else []
    for each in contents.variables:
        lines += ['<VARIABLE TYPE="nature">', _line("NAME", each.name)]
        lines += [_line("OUTCOME", state) for state in each.states]
        if each.name in observed:
            lines.append(_line("PROPERTY", f"observed = {observed[each.name]}"))
        lines.append("</VARIABLE>")
    count = {each.name: len(each.states) for each in contents.variables}
    for table in contents.tables:
        assert table.child is not None
        rows = table.numbers.reshape(-1, count[table.child]).tolist()
        lines += ["<DEFINITION>", _line("FOR", table.child)]
        lines += [_line("GIVEN", parent) for parent in table.parents]
        lines += ["<TABLE>", *(" ".join(map(repr, row)) for row in rows), "</TABLE>"]
        lines.append("</DEFINITION>")
    return "\n".join([*lines, "</NETWORK>", "</BIF>"]) + "\n"


_ENTITIES: Final = {"\r": "&#13;"}
#: Letters that no file of XML may have, and blanks around a name, which are not kept.
_UNWRITABLE: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|^\s|\s$")


def _line(tag: str, text: str) -> str:
    if _UNWRITABLE.search(text):
        raise UnsupportedError("this name cannot be written in XMLBIF", value=text)
    return f"<{tag}>{escape(text, _ENTITIES)}</{tag}>"
