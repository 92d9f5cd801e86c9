"""A person at a real game: they type what happens, and ask what they want to know."""

from __future__ import annotations

import re
import shlex
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from ....data.disk.writing import refuse_others, write_whole
from ....data.errors import ContradictionError, RecordError, SettingsError, SleuthError
from ....data.progress import silent
from ..answers.text import sentence
from ..answers.values import Command, Paragraph, Prompt
from ..leaving import unheard
from ..number_words import listed, number, whole_number
from ..prompting import Everywhere, Hearer, Left, Line, Steps, ask
from .book import Book, changed
from .commands import ALONE, COMMANDS, help_of
from .contract import UNSURE, Adviser, Entry, LineMeaning
from .setting_up import SettingUp

#: The ending of the report's file.
PAGE: Final = ".html"
#: How a line of the log ends that is not counted, and how all of them begin.
NOT_COUNTED: Final = " (unsure, not counted)"
NUMBERED: Final = re.compile(r"^[0-9]+:\s+")


@dataclass(eq=False)
class Advising:
    """One game at which a person is advised.

    Attributes:
        adviser: The game.
        book: What they typed, and its file.
        record: Where the record of the game is kept.
        hearer: Who is told.
        called: What the game is called on the command line; empty for the adviser's name.
    """

    adviser: Adviser
    book: Book
    record: Path
    hearer: Hearer
    called: str = ""
    #: The last line that was refused, if nothing was entered since.
    _refused: str = field(default="", init=False)
    #: The last line that could not be kept, if none was kept since.
    _unkept: str = field(default="", init=False)

    @cached_property
    def _setting_up(self) -> SettingUp:
        return SettingUp(self.adviser, self.book, self.hearer)

    def steps(self) -> Steps[None]:
        """Ask until they leave.

        Raises:
            KeyboardInterrupt: Ctrl-C; everything has been kept.
            SettingsError: A file cannot be written.
        """
        say = self.hearer.say
        say(Paragraph(self.adviser.title, "strong"))
        try:
            if self._setting_up.mended:
                say("Something was set up anew, but not to the end; 'undo' takes it back.")
            yield from self._setting_up.run()
            if self.book.entries:
                there = number(len(self.book.entries), "entry", "entries")
                say(f"The game goes on, with {there} already; 'log' lists all.")
                self._write()
                self._news(())
            else:
                say("Type what happens; 'help' explains how, and what you can ask.")
            while True:
                yield from self._line()
        except Left:
            self._goodbye()
        except BaseException:
            self._goodbye()
            raise

    # -- the course of a game

    def _line(self) -> Steps[bool]:
        book, adviser = self.book, self.adviser
        words = (*adviser.words(book.settings), *adviser.commands, *COMMANDS)
        return ask(
            self.hearer,
            Prompt(adviser.prompt(book.settings, book.entries), words),
            self._take,
            Everywhere[bool](
                help=lambda: self.hearer.say(*help_of(adviser)),
                back=self._back,
                setup=self._setup,
            ),
        )

    def _take(self, line: Line) -> Steps[bool | None]:
        """A line that is none of the words of all prompts; whether to go on."""
        book, adviser = self.book, self.adviser
        if not line.text:
            return None
        is_asked = line.word in COMMANDS or line.word in adviser.commands
        try:
            if line.word in COMMANDS:
                yield from self._command(line)
            elif line.word in adviser.commands:
                with self.hearer.waiting("working it out"):
                    answer = adviser.answer(line.word, line.rest, book.settings, book.entries)
                self.hearer.say(*answer)
            else:
                self._read(line.text)
        except ContradictionError as error:
            self._contradicted(error)
        except SleuthError:
            if not is_asked:
                self._refused = line.text
            raise
        return True

    def _command(self, line: Line) -> Steps[None]:
        command, rest = line.word, line.rest
        if rest and command in ALONE:
            hint = f"to remove entry {rest} write 'remove {rest}'" if command == "undo" else ""
            raise RecordError(
                f"'{command}' stands alone",
                value=rest,
                hint=hint if hint and rest.isdigit() else f"write '{command}'",
            )
        if command == "log":
            self._log()
        elif command == "undo":
            yield from self._undo()
        elif command == "report":
            self._report()
        elif command in ("unsure", "sure"):
            self._doubt(command, rest)
        else:
            place, rest = self._number(command, rest)
            if command == "remove":
                self._remove(place, rest)
            elif command == "insert":
                self._insert(place, rest)
            else:
                self._change(place, rest)

    def _read(self, text: str) -> None:
        """Keep a new entry, or what completes an old one."""
        book, before = self.book, self.book.entries
        said = self._understood(text, before)
        entry = said.entry
        if said.number is None:
            place, after = len(before) + 1, (*before, entry)
        else:
            entry = self._doubted(entry, said.number)
            place, after = said.number, changed(before, said.number, entry)
        self.adviser.refuse(book.settings, after, place)
        with self._keeping(text):
            if said.number is None:
                book.add(entry)
            else:
                book.change(place, entry)
        passed = self.adviser.passed_over(book.settings, after, place)
        self._entered(place, before, passed=[] if said.number else passed)

    def _understood(self, text: str, before: Sequence[Entry]) -> LineMeaning:
        """The meaning of a line; one of the log may be typed as it stands there."""
        plain = NUMBERED.sub("", text).removesuffix(NOT_COUNTED)
        said = self.adviser.read(plain, self.book.settings, before)
        if not text.endswith(NOT_COUNTED):
            return said
        return LineMeaning({**said.entry, UNSURE: True}, said.number)

    def _change(self, place: int, rest: str) -> None:
        book, before = self.book, self.book.entries
        plain = rest.removesuffix(NOT_COUNTED)
        amended = self.adviser.amended(plain, book.settings, before, place)
        entry = self._doubted(amended, place)
        after = changed(before, place, entry)
        self.adviser.refuse(book.settings, after, place)
        with self._keeping(f"change {place} {rest}"):
            book.change(place, entry)
        was = self.adviser.passed_over(book.settings, before, place)
        passed = self.adviser.passed_over(book.settings, after, place)
        self._entered(place, before, passed=[] if passed == was else passed)

    def _doubted(self, entry: Entry, place: int) -> Entry:
        """An entry completed or corrected: a doubt stays until the person is sure."""
        return {**entry, UNSURE: True} if self.book.entries[place - 1].get(UNSURE) else entry

    @property
    def _left_out(self) -> str:
        """The entries that are not counted, in words; empty for none."""
        numbered = enumerate(self.book.entries, 1)
        doubted = [str(place) for place, entry in numbered if entry.get(UNSURE)]
        entries = "entry" if len(doubted) == 1 else "entries"
        return f"{entries} {listed(doubted)}, of which you are not sure" if doubted else ""

    def _insert(self, place: int, rest: str) -> None:
        book, before = self.book, self.book.entries
        said = self._understood(rest, before[: place - 1])
        if said.number is not None:
            raise RecordError(
                "write the whole entry", value=rest, hint=f"such as 'insert {place} ...'"
            )
        after = (*before[: place - 1], said.entry, *before[place - 1 :])
        self.adviser.refuse(book.settings, after, place)
        with self._keeping(f"insert {place} {rest}"):
            book.add(said.entry, before=place)
        passed = self.adviser.passed_over(book.settings, after, place)
        self._entered(place, before, passed=passed)

    def _remove(self, place: int, rest: str) -> None:
        if rest:
            raise RecordError(
                "one entry is removed at a time", value=rest, hint=f"write 'remove {place}'"
            )
        before = self.book.entries
        with self._keeping(f"remove {place}"):
            self.book.change(place, None)
        self._write()
        self.hearer.say(f"Entry {place} is removed.")
        self._news(before)

    def _doubt(self, command: str, rest: str) -> None:
        """Count an entry no longer, or again."""
        place, more = self._number(command, rest)
        book, before = self.book, self.book.entries
        entry = {name: value for name, value in before[place - 1].items() if name != UNSURE}
        if more:
            raise RecordError("one entry at a time", value=more, hint=f"write '{command} {place}'")
        if command == "unsure":
            self.adviser.refuse_unsure(book.settings, before, place)
            entry[UNSURE] = True
        elif UNSURE not in before[place - 1]:
            raise RecordError(f"entry {place} is counted already")
        with self._keeping(f"{command} {place}"):
            book.change(place, entry)
        self._entered(place, before)

    def _entered(self, place: int, before: Sequence[Entry], *, passed: Sequence[str] = ()) -> None:
        """Say what was kept as an entry, and what follows."""
        self._write()
        self.hearer.say(f"{place}: {self._words(self.book.entries[place - 1])}.")
        if passed:
            self._passed_over(place, passed)
        self._refused = ""
        self._news(before)

    def _passed_over(self, place: int, names: Sequence[str]) -> None:
        """Nothing was entered of somebody's turn, perhaps since a line was refused."""
        if self._refused:
            self.hearer.say(f"The line '{self._refused}' was refused, and is not entered.")
        self.hearer.say(
            f"No {'turn' if len(names) == 1 else 'turns'} of {listed(names)} "
            f"{'was' if len(names) == 1 else 'were'} entered before this one. If they did "
            f"something, write 'insert {place} ...' and what it was."
        )

    def _undo(self) -> Steps[None]:
        settings, before = self.book.settings, self.book.entries
        if not self.book.can_undo:
            raise RecordError("there is nothing to take back")
        with self._keeping("undo"):
            self.book.undo()
            # What was asked for again since it went with nothing else is taken back as well.
            while self.book.can_undo and not self._setting_up.complete:
                self.book.undo()
        yield from self._setting_up.run()
        self._write()
        after, now = self.book.entries, self.book.settings
        key = next((key for key in self.adviser.keys if now.get(key) != settings.get(key)), "")
        said = f"'setup {key}'" if key else self._gone(before, after)
        self.hearer.say(
            f"Taken back: {said}.\nThe log has {number(len(after), 'entry', 'entries')} now."
        )
        # What was entered under other settings may name players that there are no more.
        self._news(after if now != settings else before)

    def _gone(self, before: Sequence[Entry], after: Sequence[Entry]) -> str:
        """A step that was taken back, in words."""
        pairs = enumerate(zip(before, after, strict=False), 1)
        fewer = min(len(before), len(after))
        place = next((place for place, (was, now) in pairs if was != now), fewer + 1)
        if len(after) < len(before):
            return self._words(before[place - 1])
        if len(after) > len(before):
            return f"the removal of entry {place}"
        if place > len(after):
            return "a step that changed nothing"
        was, now = before[place - 1], after[place - 1]
        if was.get(UNSURE) != now.get(UNSURE):
            return f"'{'unsure' if was.get(UNSURE) else 'sure'} {place}'"
        answered = self._words(was).startswith((f"{self._words(now)}:", f"{self._words(now)};"))
        return f"the answer to entry {place}" if answered else f"the change of entry {place}"

    def _back(self) -> Steps[bool | None]:
        if self.book.can_undo:
            yield from self._undo()
        else:
            yield from self._setting_up.back()
            self._write()
        return True

    def _setup(self, rest: str) -> Steps[bool | None]:
        if not rest:
            self.hearer.say(self._setting_up.shown)
            return None
        yield from self._setting_up.again(rest)
        self._write()
        self._news(self.book.entries)
        return True

    def _number(self, command: str, rest: str) -> tuple[int, str]:
        word, _, more = rest.partition(" ")
        count = len(self.book.entries)
        place = whole_number(word, 1, count)
        if place is None:
            hint = f"write '{command} N' with the number of one of {count} entries; see 'log'"
            if not count:
                raise RecordError("nothing has been entered yet")
            if not word:
                raise RecordError("which entry?", hint=hint)
            raise RecordError("no entry has this number", value=word, hint=hint)
        return place, more.strip()

    # -- what is said

    def _news(self, before: Sequence[Entry]) -> None:
        with self.hearer.waiting("working it out"):
            try:
                news = self.adviser.news(self.book.settings, self.book.entries, before)
            except ContradictionError as error:
                self._contradicted(error)
                return
        self.hearer.say(*news)

    def _contradicted(self, error: ContradictionError) -> None:
        """Say which entries cannot all be true, and how to correct them."""
        entries = self.book.entries
        places = [unit for unit in error.evidence if isinstance(unit, int)]
        if not places:
            self.hearer.say(sentence(str(error)))
            return
        which = listed([str(place) for place in places])
        what = (
            f"Entry {which} cannot be true"
            if len(places) == 1
            else (f"Entries {which} cannot all be true")
        )
        self.hearer.say(f"{what}, by what was set up and the rules:")
        for place in places:
            self.hearer.say(f"  {place}: {self._words(entries[place - 1])}")
        because = self.adviser.because(self.book.settings, [entries[place - 1] for place in places])
        if because:
            self.hearer.say(because)
        self.hearer.say(
            f"Write 'undo', 'remove {places[0]}', or 'change {places[0]} ...' and what really "
            "happened.\nIf what was set up is wrong, write 'setup' and one of "
            f"{listed(self.adviser.keys)}.\nUntil then nothing can be worked out."
        )

    def _words(self, entry: Entry) -> str:
        said = self.adviser.sentence(self.book.settings, entry)
        return said + NOT_COUNTED if entry.get(UNSURE) else said

    def _log(self) -> None:
        lines = [f"{place}: {self._words(each)}" for place, each in enumerate(self.book.entries, 1)]
        self.hearer.say("\n".join(lines) or "Nothing has been entered yet.")

    def _report(self) -> None:
        """Analyse the record, and write the page of `sleuth analyse`."""
        from ..pages.document import MARK
        from ..records.contract import AnalysisRequest
        from ..records.opening import open_record

        path = self.record.with_suffix(PAGE)
        with self.hearer.waiting("writing the report"):
            game, value = open_record(self.record, AnalysisRequest(), instead="")
            refuse_others(path, MARK, where="report")
            found = game.analysed(value, AnalysisRequest(), silent)
            write_whole(path, found.html(), where="report")
        self.hearer.say("The report is in")
        self.hearer.say(Command(str(path)))
        if self._left_out:
            self.hearer.say(f"It leaves out {self._left_out}.")

    # -- what is kept

    @contextmanager
    def _keeping(self, line: str) -> Generator[None]:
        """Remembers a line that could not be kept, for when the person leaves."""
        try:
            yield
        except SettingsError:
            self._unkept = line
            raise
        self._unkept = ""

    def _write(self) -> None:
        """Write the record of the game anew: it can be made again, so nothing is lost without."""
        try:
            self.adviser.write(self.book.settings, self.book.entries, self.record)
        except SettingsError as error:
            self.hearer.say(f"The record of the game is not up to date: {error}.")

    def _goodbye(self) -> None:
        with unheard():
            self._say_goodbye()

    def _say_goodbye(self) -> None:
        if not self.book.begun:
            self.hearer.say("Nothing was entered, so nothing is kept.")
            return
        kept = f"All is kept but '{self._unkept}'" if self._unkept else "Everything is kept"
        self.hearer.say(f"{kept}. To go on, type")
        name = self.called or self.adviser.name
        again = ["sleuth", "advise", name, str(self.book.path)]
        self.hearer.say(Command(shlex.join(again)))
        if self.record.exists():
            without = f", without {self._left_out}" if self._left_out else ""
            self.hearer.say(f"The game as a record{without}, to analyse:")
            self.hearer.say(Command(shlex.join(["sleuth", "analyse", str(self.record)])))
