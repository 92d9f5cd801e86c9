"""Entries beside a game: made, corrected, doubted and taken back, whoever is told of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ....data.errors import ContradictionError, RecordError
from ..number_words import listed
from .book import EntryLog, changed
from .contract import Adviser
from .entries import UNSURE, Entry, LineMeaning
from .questions import SetupQuestions

#: How a line of the log ends that is not counted, and how all of them begin.
NOT_COUNTED: Final = " (unsure, not counted)"
NUMBERED: Final = re.compile(r"^[0-9]+:\s+")


@dataclass(frozen=True)
class EntryChange:
    """An entry as it was kept just now.

    Attributes:
        place: Its number, from 1; of one that was removed, the number that it had.
        before: All entries as they were.
        passed: Whose turns before it were not entered, as far as that was not so already.
    """

    place: int
    before: tuple[Entry, ...]
    passed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Conflict:
    """Entries that cannot all be true.

    Attributes:
        places: Their numbers, from 1; none where it is not known which they are.
        says: That they cannot, as a sentence.
        because: Everything set up that they touch, as sentences; empty for nothing.
    """

    places: tuple[int, ...]
    says: str
    because: str = ""


@dataclass(eq=False)
class Entering:
    """The entries of one game.

    Attributes:
        adviser: The game.
        book: What was set up and entered.
    """

    adviser: Adviser
    book: EntryLog

    @cached_property
    def questions(self) -> SetupQuestions:
        """All that has to be set up before."""
        return SetupQuestions(self.adviser, self.book)

    # -- lines; each raises a SleuthError and changes nothing where it cannot be

    def read(self, text: str) -> EntryChange:
        """Keep a new entry, or what completes an old one."""
        return self.enter(self._understood(text, self.book.entries))

    def amend(self, place: int, text: str) -> EntryChange:
        """Put what a line says in place of an entry, or of a part of it."""
        plain = text.removesuffix(NOT_COUNTED)
        entries = self.book.entries
        return self.correct(place, self.adviser.amended(plain, self.book.settings, entries, place))

    def insert(self, place: int, text: str) -> EntryChange:
        """Put what a line says before an entry."""
        said = self._understood(text, self.book.entries[: place - 1])
        if said.number is not None:
            raise RecordError(
                "write the whole entry", value=text, hint=f"such as 'insert {place} ...'"
            )
        return self.put_before(place, said.entry)

    # -- entries; the same

    def enter(self, said: LineMeaning) -> EntryChange:
        """Keep a new entry, or what completes an old one."""
        book, before = self.book, self.book.entries
        if said.number is not None:
            return self._kept_as(said.number, said.entry)
        place, after = len(before) + 1, (*before, said.entry)
        self.adviser.refuse(book.settings, after, place)
        book.add(said.entry)
        return EntryChange(place, before, self._passed(after, place))

    def correct(self, place: int, entry: Entry) -> EntryChange:
        """Put an entry in place of another."""
        was = self._passed(self.book.entries, place)
        change = self._kept_as(place, entry)
        passed = self._passed(self.book.entries, place)
        return EntryChange(place, change.before, () if passed == was else passed)

    def put_before(self, place: int, entry: Entry) -> EntryChange:
        """Put an entry before another."""
        book, before = self.book, self.book.entries
        after = (*before[: place - 1], entry, *before[place - 1 :])
        self.adviser.refuse(book.settings, after, place)
        book.add(entry, before=place)
        return EntryChange(place, before, self._passed(after, place))

    def remove(self, place: int) -> EntryChange:
        """Take an entry away."""
        before = self.book.entries
        self.book.change(place, None)
        return EntryChange(place, before)

    def doubt(self, place: int) -> EntryChange:
        """Count an entry no longer."""
        book, before = self.book, self.book.entries
        self.adviser.refuse_unsure(book.settings, before, place)
        book.change(place, {**_sure(before[place - 1]), UNSURE: True})
        return EntryChange(place, before)

    def trust(self, place: int) -> EntryChange:
        """Count an entry again."""
        before = self.book.entries
        if UNSURE not in before[place - 1]:
            raise RecordError(f"entry {place} is counted already")
        self.book.change(place, _sure(before[place - 1]))
        return EntryChange(place, before)

    def undo(self) -> None:
        """Take back the last step, and what was only asked for since it went with nothing else."""
        if not self.book.can_undo:
            raise RecordError("there is nothing to take back")
        self.book.undo()
        while self.book.can_undo and not self.questions.complete:
            self.book.undo()

    # -- words

    def words(self, entry: Entry) -> str:
        """An entry in words."""
        said = self.adviser.sentence(self.book.settings, entry)
        return said + NOT_COUNTED if entry.get(UNSURE) else said

    @property
    def left_out(self) -> str:
        """The entries that are not counted, in words; empty for none."""
        numbered = enumerate(self.book.entries, 1)
        doubted = [str(place) for place, entry in numbered if entry.get(UNSURE)]
        entries = "entry" if len(doubted) == 1 else "entries"
        return f"{entries} {listed(doubted)}, of which you are not sure" if doubted else ""

    def taken_back(self, before: Sequence[Entry]) -> str:
        """A step that was taken back, in words.

        Args:
            before: The entries with it.
        """
        after = self.book.entries
        pairs = enumerate(zip(before, after, strict=False), 1)
        fewer = min(len(before), len(after))
        place = next((place for place, (was, now) in pairs if was != now), fewer + 1)
        if len(after) < len(before):
            return self.words(before[place - 1])
        if len(after) > len(before):
            return f"the removal of entry {place}"
        if place > len(after):
            return "a step that changed nothing"
        was, now = before[place - 1], after[place - 1]
        if was.get(UNSURE) != now.get(UNSURE):
            return f"'{'unsure' if was.get(UNSURE) else 'sure'} {place}'"
        answered = self.words(was).startswith((f"{self.words(now)}:", f"{self.words(now)};"))
        return f"the answer to entry {place}" if answered else f"the change of entry {place}"

    def conflict(self, error: ContradictionError) -> Conflict:
        """The entries that an error says cannot all be true."""
        entries = self.book.entries
        places = tuple(unit for unit in error.evidence if isinstance(unit, int))
        if not places:
            return Conflict((), str(error))
        which = listed([str(place) for place in places])
        what = (
            f"Entry {which} cannot be true"
            if len(places) == 1
            else (f"Entries {which} cannot all be true")
        )
        because = self.adviser.because(self.book.settings, [entries[place - 1] for place in places])
        return Conflict(places, what, because)

    # -- parts

    def _understood(self, text: str, before: Sequence[Entry]) -> LineMeaning:
        """The meaning of a line; one of the log may be typed as it stands there."""
        plain = NUMBERED.sub("", text).removesuffix(NOT_COUNTED)
        said = self.adviser.read(plain, self.book.settings, before)
        if not text.endswith(NOT_COUNTED):
            return said
        return LineMeaning({**said.entry, UNSURE: True}, said.number)

    def _kept_as(self, place: int, entry: Entry) -> EntryChange:
        """Keep an entry in the place of another; a doubt stays until the person is sure."""
        book, before = self.book, self.book.entries
        kept = {**entry, UNSURE: True} if before[place - 1].get(UNSURE) else entry
        self.adviser.refuse(book.settings, changed(before, place, kept), place)
        book.change(place, kept)
        return EntryChange(place, before)

    def _passed(self, entries: Sequence[Entry], place: int) -> tuple[str, ...]:
        return tuple(self.adviser.passed_over(self.book.settings, entries, place))


def _sure(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if name != UNSURE}
