"""Entering by touches: what has been touched for an entry so far, and what comes next.

A draft is plain values of JSON that the adviser alone understands, so that it can be kept. Any game
has drafts: a line that is put together of words, or typed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from ....data.errors import RecordError
from ..answers.values import BlankForm, FormField, Statement, Statements, Touch, Touches
from .entries import Entry, LineMeaning, Settings

Draft = Mapping[str, Any]
"""What has been touched for an entry so far, as plain values of JSON; empty for nothing."""
#: What a touch of a typed line says, and what stands for the line in a draft and in a form.
WRITE: Final = "write"
WORD: Final = "word"
SHORTER: Final = "shorter"
LINE: Final = "line"
READ: Final = "read"
#: Words that are offered at most.
MOST_WORDS: Final = 60


class LineReader(Protocol):
    """The part of an `Adviser` that understands lines."""

    def words(self, settings: Settings) -> Sequence[str]: ...

    def prompt(self, settings: Settings, entries: Sequence[Entry]) -> str: ...

    def read(self, line: str, settings: Settings, entries: Sequence[Entry]) -> LineMeaning: ...

    def amended(
        self, line: str, settings: Settings, entries: Sequence[Entry], number: int
    ) -> Entry: ...


@dataclass(frozen=True)
class NextTouches:
    """The choices that go on with a draft.

    Attributes:
        parts: They; what they say is understood by `Adviser.touched`.
        more: Touches that are seldom wanted.
        meaning: What the draft comes to; None as long as something is missing.
        at_once: Whether it is kept at once even where it corrects an entry; else that waits for
            the word that all is right.
    """

    parts: Statements
    meaning: LineMeaning | None = None
    more: tuple[Touch, ...] = ()
    at_once: bool = False


@dataclass(frozen=True)
class AdvicePart:
    """A part of what is shown to somebody who is advised.

    Attributes:
        name: What it is called, in small letters and hyphens; each stands once.
        title: Its heading.
        parts: What stands there at once.
        command: The command whose answer takes its place as soon as it is known; empty for none.
        rest: What follows that command.
        more: Entries that it counts besides, such as a suggestion that is not answered yet.
        heavy: Whether its answer takes seconds although it is compiled.
        aside: Whether it stands beside the others where there is room.
        folded: Whether only the heading is shown at first; None where it cannot be folded.
    """

    name: str
    title: str
    parts: Statements = ()
    command: str = ""
    rest: str = ""
    more: tuple[Entry, ...] = field(default=())
    heavy: bool = False
    aside: bool = False
    folded: bool | None = None


def offered_words(
    reader: LineReader,
    draft: Draft,
    settings: Settings,
    entries: Sequence[Entry],
    place: int | None,
) -> NextTouches:
    """Words that are put together, or a line that is typed, for any game; see `Adviser.offered`."""
    line = str(draft.get(LINE, ""))
    if draft.get(READ):
        return NextTouches((), _read(reader, line, settings, entries, place), at_once=True)
    words = dict.fromkeys(reader.words(settings))
    choices = tuple(Touch(word, f"{WORD} {word}") for word in [*words][:MOST_WORDS])
    parts: list[Statement] = [typing(line, reader.prompt(settings, entries))]
    if choices:
        off = Touch("⌫", SHORTER, "soft", label="take the last word off", enabled=bool(line))
        parts.insert(0, Touches("", (*choices, off)))
    return NextTouches(tuple(parts))


def typing(line: str = "", label: str = "a line") -> BlankForm:
    """A form in which a line is typed."""
    return BlankForm(WRITE, (FormField(LINE, label, line),), "Enter")


def touched_words(draft: Draft, words: str, blanks: Mapping[str, str]) -> Draft:
    """A line after a touch; see `Adviser.touched`.

    Raises:
        RecordError: The touch is none of a line.
    """
    line = str(draft.get(LINE, ""))
    kind, _, word = words.partition(" ")
    if kind == WRITE:
        typed = blanks.get(LINE, line).strip()
        if not typed:
            raise RecordError("nothing was written")
        return {LINE: typed, READ: True}
    if kind == WORD and word:
        return {LINE: f"{line} {word}".strip()}
    if kind == SHORTER:
        return {LINE: line.rpartition(" ")[0]}
    raise RecordError("this cannot be touched now", value=words)


def _read(
    reader: LineReader, line: str, settings: Settings, entries: Sequence[Entry], place: int | None
) -> LineMeaning:
    if place is None:
        return reader.read(line, settings, entries)
    return LineMeaning(reader.amended(line, settings, entries, place), place)
