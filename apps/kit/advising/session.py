"""A person at a real game: they type what happens, and ask what they want to know."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.text import Text

from ....data.disk.writing import refuse_others, write_whole
from ....data.errors import ContradictionError, RecordError, SleuthError
from ....data.progress import silent
from ..number_words import listed, number
from ..terminal import Terminal
from .book import Book, changed
from .contract import Adviser, Entry, Said

COMMANDS: Final = {
    "log": "what was entered so far, numbered",
    "undo": "take back the last entry, change, removal or setup; again for the one before",
    "change": "'change 3 ...' puts what follows in place of entry 3",
    "remove": "'remove 3' removes entry 3",
    "report": "write a page with pictures of all that you can know so far",
    "setup": "'setup KEY' asks again for something that was set up",
    "quit": "leave (so do Ctrl-D and Ctrl-C); everything is saved already",
    "help": "this",
}
#: Those that no word follows.
ALONE: Final = ("log", "undo", "report", "quit", "help")
ALIASES: Final = {"?": "help", "q": "quit", "exit": "quit"}
#: The ending of the report's file.
PAGE: Final = ".html"
#: Where the explanations of commands begin.
HELP_COLUMN: Final = 12
#: Where those of lines begin, in a terminal at least so wide.
WIDE_COLUMN: Final = 38
WIDE: Final = 90


class _Left(Exception):
    """The person has left."""


@dataclass(eq=False)
class Advising:
    """One game at which a person is advised.

    Attributes:
        adviser: The game.
        book: What they typed, and its file.
        record: Where the record of the game is kept.
        terminal: Where they read and type.
        called: What the game is called on the command line; empty for the adviser's name.
    """

    adviser: Adviser
    book: Book
    record: Path
    terminal: Terminal
    called: str = ""

    def run(self) -> None:
        """Until they leave.

        Raises:
            KeyboardInterrupt: Ctrl-C; everything has been kept.
            SettingsError: A file cannot be written.
        """
        say = self.terminal.say
        say(Text(self.adviser.title, style="bold"))
        try:
            self._set_up()
            if self.book.entries:
                there = number(len(self.book.entries), "entry", "entries")
                say(f"The game goes on, with {there} already; 'log' lists all.")
                self._write()
                self._news(())
            else:
                say("Type what happens; 'help' explains how, and what you can ask.")
            while True:
                self._line()
        except _Left:
            self._goodbye()
        except BaseException:
            self._goodbye()
            raise

    # -- setting up

    def _set_up(self) -> None:
        for key in self.adviser.keys:
            if key not in self.book.settings:
                self._ask_for(key)

    def _ask_for(self, key: str) -> None:
        prompt, usual = self.adviser.wanted(key, self.book.settings)
        if not prompt:
            self.book.set_up(key, usual)
            return
        again = key in self.book.settings
        if again:
            prompt = f"{prompt.partition(' (empty:')[0]} (empty: as it was)"
        while True:
            line = self._asked(prompt)
            if not line.strip():
                if again:
                    return
                if usual is None:
                    continue
                value = usual
            else:
                try:
                    value = self.adviser.set_up(key, line, self.book.settings)
                    settings = {**self.book.settings, key: value}
                    if set(self.adviser.keys) <= set(settings):
                        self.adviser.refuse(settings, self.book.entries)
                except SleuthError as error:
                    self.terminal.say(_sentence(str(error)))
                    continue
            self.book.set_up(key, value)
            return

    # -- the course of a game

    def _line(self) -> None:
        book, adviser = self.book, self.adviser
        line = self._asked(adviser.prompt(book.settings, book.entries)).strip()
        word, _, rest = line.partition(" ")
        command = ALIASES.get(word.lower(), word.lower())
        if not command:
            return
        try:
            if command in COMMANDS:
                self._command(command, rest.strip())
            elif command in adviser.commands:
                with self.terminal.waiting("working it out"):
                    answer = adviser.answer(
                        command, rest.strip(), book.settings, book.entries, self.terminal.width
                    )
                self.terminal.say(answer)
            else:
                self._enter(adviser.read(line, book.settings, book.entries))
        except ContradictionError as error:
            self._contradicted(error)
        except SleuthError as error:
            self.terminal.say(_sentence(str(error)))

    def _command(self, command: str, rest: str) -> None:
        if rest and command in ALONE:
            hint = f"to remove entry {rest} write 'remove {rest}'" if command == "undo" else ""
            raise RecordError(
                f"'{command}' stands alone",
                value=rest,
                hint=hint if hint and rest.isdigit() else f"write '{command}'",
            )
        if command == "quit":
            raise _Left
        if command == "help":
            self._help()
        elif command == "log":
            self._log()
        elif command == "undo":
            self._undo()
        elif command == "report":
            self._report()
        elif command == "setup":
            self._again(rest)
        else:
            place, rest = self._number(command, rest)
            entry: Entry | None = None
            if command == "change":
                said = self.adviser.read(rest, self.book.settings, self.book.entries[: place - 1])
                if said.number is not None:
                    raise RecordError(
                        "write the whole entry", value=rest, hint=f"such as 'change {place} ...'"
                    )
                entry = said.entry
            self._enter(Said(entry or {}, place), removed=entry is None)

    def _enter(self, said: Said, *, removed: bool = False) -> None:
        """Keep a new entry, or a change of an old one, and say what follows."""
        book, before = self.book, self.book.entries
        entry = None if removed else said.entry
        if said.number is None:
            after = (*before, said.entry)
        else:
            after = changed(before, said.number, entry)
        self.adviser.refuse(book.settings, after)
        if said.number is None:
            book.add(said.entry)
        else:
            book.change(said.number, entry)
        self._write()
        place = said.number or len(after)
        if entry is None:
            self.terminal.say(f"Entry {place} is removed.")
        else:
            self.terminal.say(f"{place}: {self._words(entry)}.")
        self._news(before)

    def _undo(self) -> None:
        settings, before = self.book.settings, self.book.entries
        if not self.book.can_undo:
            raise RecordError("there is nothing to take back")
        self.book.undo()
        self._write()
        after = self.book.entries
        key = next((key for key, value in self.book.settings.items() if value != settings[key]), "")
        said = f"'setup {key}'" if key else self._gone(before, after)
        self.terminal.say(
            f"Taken back: {said}.\nThe log has {number(len(after), 'entry', 'entries')} now."
        )
        self._news(before)

    def _gone(self, before: Sequence[Entry], after: Sequence[Entry]) -> str:
        """What a step had done that was taken back."""
        if len(after) < len(before):
            return self._words(before[-1])
        pairs = enumerate(zip(before, after, strict=False), 1)
        place = next((place for place, (was, now) in pairs if was != now), len(after))
        if len(after) > len(before):
            return f"the removal of entry {place}"
        was, now = self._words(before[place - 1]), self._words(after[place - 1])
        answered = was.startswith((f"{now}:", f"{now};"))
        return f"the answer to entry {place}" if answered else f"the change of entry {place}"

    def _again(self, key: str) -> None:
        keys = self.adviser.keys
        if key not in keys:
            raise RecordError("this is not set up", value=key, hint=f"known: {', '.join(keys)}")
        self._ask_for(key)
        self._write()
        self._news(self.book.entries)

    def _number(self, command: str, rest: str) -> tuple[int, str]:
        word, _, more = rest.partition(" ")
        count = len(self.book.entries)
        if not (word.isascii() and word.isdigit() and 1 <= int(word) <= count):
            hint = f"write '{command} N' with the number of one of {count} entries; see 'log'"
            raise RecordError("no entry has this number", value=word, hint=hint)
        return int(word), more.strip()

    # -- what is said

    def _news(self, before: Sequence[Entry]) -> None:
        with self.terminal.waiting("working it out"):
            try:
                news = self.adviser.news(self.book.settings, self.book.entries, before)
            except ContradictionError as error:
                self._contradicted(error)
                return
        self.terminal.say(news)

    def _contradicted(self, error: ContradictionError) -> None:
        """Which entries cannot all be true, and how to correct them."""
        entries = self.book.entries
        places = [unit for unit in error.evidence if isinstance(unit, int)]
        if not places:
            self.terminal.say(_sentence(str(error)))
            return
        which = listed([str(place) for place in places])
        what = (
            f"Entry {which} cannot be true"
            if len(places) == 1
            else (f"Entries {which} cannot all be true")
        )
        self.terminal.say(f"{what}, by what was set up and the rules:")
        for place in places:
            self.terminal.say(f"  {place}: {self._words(entries[place - 1])}")
        because = self.adviser.because(self.book.settings, [entries[place - 1] for place in places])
        if because:
            self.terminal.say(because)
        self.terminal.say(
            f"Write 'undo', 'remove {places[0]}', or 'change {places[0]} ...' and what really "
            "happened.\nIf what was set up is wrong, write 'setup' and one of "
            f"{listed(self.adviser.keys)}.\nUntil then nothing can be worked out."
        )

    def _words(self, entry: Entry) -> str:
        return self.adviser.sentence(self.book.settings, entry)

    def _log(self) -> None:
        lines = [f"{place}: {self._words(each)}" for place, each in enumerate(self.book.entries, 1)]
        self.terminal.say("\n".join(lines) or "Nothing has been entered yet.")

    def _report(self) -> None:
        """Analyse the record, and write the page of `sleuth analyse`."""
        from ..pages.document import MARK
        from ..records.contract import Asked
        from ..records.opening import open_record

        path = self.record.with_suffix(PAGE)
        with self.terminal.waiting("writing the report"):
            game, value = open_record(self.record, Asked(), instead="")
            refuse_others(path, MARK, where="report")
            found = game.analysed(value, Asked(), silent)
            write_whole(path, found.html(), where="report")
        self.terminal.say("The report is in")
        self.terminal.say_command(f"  {path}")

    def _help(self) -> None:
        wide = WIDE_COLUMN if self.terminal.width >= WIDE else HELP_COLUMN
        for line in self.adviser.writing.splitlines():
            what, _, says = line.strip().partition("  ")
            self.terminal.say(self._beside(what, says.strip(), wide) if says else line)
        keys = f"; known: {', '.join(self.adviser.keys)}"
        for name, says in {**self.adviser.commands, **COMMANDS}.items():
            self.terminal.say(self._beside(name, says + (keys if name == "setup" else "")))

    def _beside(self, what: str, says: str, column: int = HELP_COLUMN) -> str:
        """What can be typed, and what it means: beside it, or below where that has no room."""
        lines = textwrap.wrap(says, max(self.terminal.width - column, HELP_COLUMN))
        first = f"  {what}"
        if len(first) >= column:
            lines, first = [first, *lines], ""
        return first.ljust(column if first else 0) + f"\n{' ' * column}".join(lines)

    def _asked(self, prompt: str) -> str:
        words = [*self.adviser.words(self.book.settings), *self.adviser.commands, *COMMANDS]
        line = self.terminal.ask(prompt, words)
        if line is None or ALIASES.get(line.strip().lower(), line.strip().lower()) == "quit":
            raise _Left
        return line

    def _write(self) -> None:
        self.adviser.write(self.book.settings, self.book.entries, self.record)

    def _goodbye(self) -> None:
        if not self.book.begun:
            self.terminal.say("Nothing was entered, so nothing is kept.")
            return
        self.terminal.say("Everything is kept. To go on, type")
        name = self.called or self.adviser.name
        self.terminal.say_command(
            f"  {shlex.join(['sleuth', 'advise', name, str(self.book.path)])}"
        )
        if self.record.exists():
            self.terminal.say("The game as a record, to analyse:")
            self.terminal.say_command(f"  {shlex.join(['sleuth', 'analyse', str(self.record)])}")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")
