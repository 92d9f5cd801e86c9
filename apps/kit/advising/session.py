"""A person at a real game: they type what happens, and ask what they want to know."""

from __future__ import annotations

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
from ..prompting import Everywhere, Hearer, Left, Steps, TypedLine, ask
from .book import Book
from .commands import ALONE, COMMANDS, help_of
from .contract import Adviser
from .entering import Entering, EntryChange
from .entries import Entry
from .setting_up import SettingUp

#: The ending of the report's file.
PAGE: Final = ".html"


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
    def _entering(self) -> Entering:
        return Entering(self.adviser, self.book)

    @cached_property
    def _setting_up(self) -> SettingUp:
        return SettingUp(self._entering.questions, self.hearer)

    def steps(self) -> Steps[None]:
        """Ask until they leave.

        Raises:
            KeyboardInterrupt: Ctrl-C; everything has been kept.
            SettingsError: A file cannot be written.
        """
        say = self.hearer.say
        say(Paragraph(self.adviser.title, "strong"))
        try:
            if self._entering.questions.mended:
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

    def _take(self, line: TypedLine) -> Steps[bool | None]:
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

    def _command(self, line: TypedLine) -> Steps[None]:
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
        with self._keeping(text):
            change = self._entering.read(text)
        self._entered(change)

    def _change(self, place: int, rest: str) -> None:
        with self._keeping(f"change {place} {rest}"):
            change = self._entering.amend(place, rest)
        self._entered(change)

    def _insert(self, place: int, rest: str) -> None:
        with self._keeping(f"insert {place} {rest}"):
            change = self._entering.insert(place, rest)
        self._entered(change)

    def _remove(self, place: int, rest: str) -> None:
        if rest:
            raise RecordError(
                "one entry is removed at a time", value=rest, hint=f"write 'remove {place}'"
            )
        with self._keeping(f"remove {place}"):
            change = self._entering.remove(place)
        self._write()
        self.hearer.say(f"Entry {place} is removed.")
        self._news(change.before)

    def _doubt(self, command: str, rest: str) -> None:
        """Count an entry no longer, or again."""
        place, more = self._number(command, rest)
        if more:
            raise RecordError("one entry at a time", value=more, hint=f"write '{command} {place}'")
        doubt = self._entering.doubt if command == "unsure" else self._entering.trust
        with self._keeping(f"{command} {place}"):
            change = doubt(place)
        self._entered(change)

    def _entered(self, change: EntryChange) -> None:
        """Say what was kept as an entry, and what follows."""
        self._write()
        entry = self.book.entries[change.place - 1]
        self.hearer.say(f"{change.place}: {self._entering.words(entry)}.")
        if change.passed:
            self._passed_over(change.place, change.passed)
        self._refused = ""
        self._news(change.before)

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
        with self._keeping("undo"):
            self._entering.undo()
        yield from self._setting_up.run()
        self._write()
        after, now = self.book.entries, self.book.settings
        key = self._entering.questions.differing(settings)
        said = f"'setup {key}'" if key else self._entering.taken_back(before)
        self.hearer.say(
            f"Taken back: {said}.\nThe log has {number(len(after), 'entry', 'entries')} now."
        )
        # What was entered under other settings may name players that there are no more.
        self._news(after if now != settings else before)

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
        found, entries = self._entering.conflict(error), self.book.entries
        if not found.places:
            self.hearer.say(sentence(found.says))
            return
        self.hearer.say(f"{found.says}, by what was set up and the rules:")
        for place in found.places:
            self.hearer.say(f"  {place}: {self._entering.words(entries[place - 1])}")
        if found.because:
            self.hearer.say(found.because)
        first = found.places[0]
        self.hearer.say(
            f"Write 'undo', 'remove {first}', or 'change {first} ...' and what really "
            "happened.\nIf what was set up is wrong, write 'setup' and one of "
            f"{listed(self.adviser.keys)}.\nUntil then nothing can be worked out."
        )

    def _log(self) -> None:
        lines = [
            f"{place}: {self._entering.words(each)}"
            for place, each in enumerate(self.book.entries, 1)
        ]
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
        if self._entering.left_out:
            self.hearer.say(f"It leaves out {self._entering.left_out}.")

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
            without = f", without {self._entering.left_out}" if self._entering.left_out else ""
            self.hearer.say(f"The game as a record{without}, to analyse:")
            self.hearer.say(Command(shlex.join(["sleuth", "analyse", str(self.record)])))
