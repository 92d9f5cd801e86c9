"""The text of a file and the places in it, and what reads it word by word."""

from __future__ import annotations

import gzip
import io
import itertools
import re
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from ....data.disk.reading import FileKind
from ....data.errors import RecordError, shorten

#: Most bytes of a file, compressed or not.
MOST_BYTES: Final = 64 * 2**20

#: Most letters of what is said of a file, where that names things in it, and of a hint.
MOST_LETTERS: Final = 300

#: Bytes that stand in no text.
_BINARY: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_GZIP: Final = b"\x1f\x8b"
_BETWEEN: Final = str.maketrans(",", " ")
#: A number, as far as its letters go, and what separates it from the next.
_NUMBER: Final = re.compile(r"[^\s,]+", re.ASCII)
#: As much as is shown of what was not expected.
_SHOWN: Final = re.compile(r'"[^"\n]*"?|\w+|[^\w\s]')


def content_of(path: Path) -> bytes:
    """The bytes of a file, unpacked.

    Raises:
        RecordError: It cannot be read, or has too many bytes.
    """
    reading = FileKind(what="the network", most=MOST_BYTES)
    content = reading.bytes(path)
    if content[:2] != _GZIP:
        return content
    try:
        with gzip.open(io.BytesIO(content)) as stream:
            content = stream.read(MOST_BYTES + 1)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise RecordError(f"this cannot be unpacked: {error}", where=path.name) from error
    if len(content) > MOST_BYTES:
        raise reading.too_large(path)
    return content


@dataclass(frozen=True)
class TextPlace:
    """A place in a text: its words are the file, the line and the column, both from 1."""

    text: Text
    at: int

    def __str__(self) -> str:
        before = self.text.content
        line = before.count("\n", 0, self.at) + 1
        column = self.at - before.rfind("\n", 0, self.at)
        return f"{self.text.name}, line {line}, column {column}"


@dataclass(frozen=True)
class Text:
    """The text of a file; all ends of lines are alike.

    Attributes:
        name: The file's name.
        content: What stands in it.
    """

    name: str
    content: str

    @staticmethod
    def of(content: bytes, name: str) -> Text:
        """The text of a file's bytes.

        Raises:
            RecordError: They are no text in UTF-8.
        """
        if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise RecordError(
                "this is text in UTF-16", where=name, hint="save the file in UTF-8 and read that"
            )
        content = content.removeprefix(BOM_UTF8)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            before = content[: error.start].decode("utf-8")
            binary = _BINARY.search(content[: 2**16]) is not None
            raise RecordError(
                "this is no text" if binary else "this is text, but not in UTF-8",
                where=name if binary else str(Text(name, _plain(before)).end),
                value=content[error.start : error.start + 1],
                hint="is it the right file?"
                if binary
                else "in Latin-1 (ISO 8859-1) or Windows-1252 it would be "
                f"{content[error.start : error.start + 1].decode('latin-1')!r}; "
                "save the file in UTF-8 and read that",
            ) from None
        return Text(name, _plain(text))

    @property
    def end(self) -> TextPlace:
        """Its end."""
        return self.place(len(self.content))

    def place(self, at: int) -> TextPlace:
        """A place, by the number of characters before it."""
        return TextPlace(self, at)

    def refuse(self, message: str, at: int, value: object = ..., hint: str = "") -> NoReturn:
        """Raise the error of a place."""
        refuse(message, self.place(at), value, hint)


def refuse(message: str, place: object, value: object = ..., hint: str = "") -> NoReturn:
    """Raise the error of a place, whose words say where it is.

    Names in the message may be long, or of several lines; the message is neither.
    """
    message, hint = (shorten(" ".join(said.split()), MOST_LETTERS) for said in (message, hint))
    if value is ...:
        raise RecordError(message, where=str(place), hint=hint)
    raise RecordError(message, where=str(place), value=value, hint=hint)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


@dataclass
class Scanner:
    """A reader of a text, word by word.

    Attributes:
        text: The text.
        blank: What stands between words, comments too; it may be empty.
        at: How far it has read.
    """

    text: Text
    blank: re.Pattern[str]
    at: int = 0

    def skip(self) -> int:
        """Go to the next word; returns its place."""
        found = self.blank.match(self.text.content, self.at)
        self.at = self.at if found is None else found.end()
        return self.at

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The next words, if they are so; then they are read."""
        found = pattern.match(self.text.content, self.skip())
        if found is not None:
            self.at = found.end()
        return found

    def takes(self, sign: str) -> bool:
        """True if a sign comes next; then it is read."""
        there = self.text.content.startswith(sign, self.skip())
        self.at += len(sign) * there
        return there

    def need(self, wanted: re.Pattern[str], what: str) -> re.Match[str]:
        """The next words, or the error that they are not so."""
        return self.take(wanted) or self.refuse(f"here must be {what}")

    def pass_sign(self, sign: str) -> None:
        """Read a sign, or raise the error that it does not come next."""
        if not self.takes(sign):
            self.refuse(f"here must be {sign}")

    @property
    def ended(self) -> bool:
        """True if nothing is left to be read."""
        return self.skip() == len(self.text.content)

    def refuse(self, message: str, hint: str = "") -> NoReturn:
        """Raise the error of what comes next."""
        at = self.skip()
        if at == len(self.text.content):
            self.text.refuse(f"{message}, but the file ends", at, hint=hint)
        if self.text.content.startswith("/*", at):
            self.text.refuse("this comment does not end", at, hint="end it with */")
        found = _SHOWN.match(self.text.content, at)
        word = self.text.content[at] if found is None else found.group()
        self.text.refuse(message, at, shorten(word, 40), hint)


def numbers_in(words: str) -> list[float] | None:
    """The numbers of a text, between which are blanks or commas; None if one of them is none."""
    if "_" in words or not words.isascii():
        return None  # which Python takes
    try:
        return [*map(float, words.translate(_BETWEEN).split())]
    except ValueError:
        return None


def number_place(words: str, index: int) -> int:
    """The beginning of the number of an index, in the text of some; its end if there are fewer."""
    found = next(itertools.islice(_NUMBER.finditer(words), index, None), None)
    return len(words) if found is None else found.start()


def wrong_number(words: str) -> tuple[int, str]:
    """The first number of a text of some that is none, and where it begins."""
    found = next(found for found in _NUMBER.finditer(words) if numbers_in(found.group()) is None)
    return found.start(), found.group()


def refuse_number(text: Text, at: int, words: str) -> NoReturn:
    """Raise the error of the first number, of a text of some at a place, that is none."""
    start, word = wrong_number(words)
    text.refuse("this is no number", at + start, shorten(word, 40))
