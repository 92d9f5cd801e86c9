"""The questions of `sleuth advise` to each game that it can stand beside.

A game says what must be set up, understands lines, and answers. What all games share (files, undo
and correction, the course of a session) is in `book` and `session`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from ..answers.values import BlankForm, FormField, Paragraph, Touch, Touches
from .drafts import AdvicePart, Draft, NextTouches, offered_words, touched_words
from .entries import Entry, LineMeaning, Settings

if TYPE_CHECKING:
    from pathlib import Path

    from ..answers.values import Statements

#: What stands for `Adviser.news` where a command is wanted.
NEWS: Final = "news"


class Adviser(Protocol):
    """A game beside which somebody can be advised. It keeps nothing: all is in what it is told.

    Attributes:
        name: The game's name, as commands call it.
        title: The game's name for people.
        keys: The keys of all that must be set up before the first entry, in order.
        writing: Words for the help: the lines that can be entered.
        commands: Questions: command -> what it answers; each may be followed by words.
        prompt_answers: Commands that are answered within a tenth of a second.

    >>> import json
    >>> import pathlib
    >>> from sleuth.answers import Paragraph
    >>> from sleuth.errors import RecordError
    >>> from sleuth.kit import Adviser, LineMeaning
    >>> class HigherLower(Adviser):
    ...     name, title, keys = "higher_lower", "Higher or lower", ("most",)
    ...     writing, commands = "lower 7, or higher 3", {"left": "the numbers that are left"}
    ...     def wanted(self, key, settings):
    ...         return "Up to which number?", 10
    ...     def set_up(self, key, line, settings):
    ...         return int(line)
    ...     def check_setting(self, key, value):
    ...         if type(value) is not int:
    ...             raise RecordError("a whole number is needed", value=value)
    ...     def refuse_setting(self, key, settings):
    ...         if settings["most"] < 1:
    ...             raise RecordError("there is no number up to this", value=settings["most"])
    ...     def check_entry(self, entry):
    ...         if {*entry} != {"word", "number"}:
    ...             raise RecordError("an entry has a word and a number", value=entry)
    ...     def words(self, settings):
    ...         return ("lower", "higher")
    ...     def prompt(self, settings, entries):
    ...         return f"hint {len(entries) + 1}"
    ...     def read(self, line, settings, entries):
    ...         word, number = line.split()
    ...         return LineMeaning({"word": word, "number": int(number)})
    ...     def amended(self, line, settings, entries, number):
    ...         return self.read(line, settings, entries).entry
    ...     def refuse(self, settings, entries, number):
    ...         if entries[number - 1]["number"] > settings["most"]:
    ...             raise RecordError("there is no such number", value=entries[number - 1])
    ...     def sentence(self, settings, entry):
    ...         return f"it is {entry['word']} than {entry['number']}"
    ...     def news(self, settings, entries, before):
    ...         return self.answer("left", "", settings, entries)
    ...     def answer(self, command, rest, settings, entries):
    ...         low = max((e["number"] for e in entries if e["word"] == "higher"), default=0)
    ...         high = min((e["number"] for e in entries if e["word"] == "lower"), default=11)
    ...         return [Paragraph(" ".join(map(str, range(low + 1, high))))]
    ...     def write(self, settings, entries, path):
    ...         pathlib.Path(path).write_text(json.dumps([settings, *entries]))
    >>> adviser, settings = HigherLower(), {"most": 10}
    >>> entries = [adviser.read(line, settings, []).entry for line in ("lower 7", "higher 3")]
    >>> adviser.sentence(settings, entries[1]), adviser.news(settings, entries, [])[0].text
    ('it is higher than 3', '4 5 6')
    >>> adviser.echo("most", settings), adviser.because(settings, entries)  # all was said
    ('', '')
    >>> adviser.answers_next("most", "lower 7")  # a question is answered before the next is asked
    False
    >>> adviser.renamed("most", settings, 9), adviser.outdated("most", settings, 9)
    ({}, ())
    >>> adviser.opened("most", "7")  # it names no file
    '7'
    >>> adviser.passed_over(settings, entries, 2), adviser.refuse_unsure(settings, entries, 2)
    ([], None)

    On a page the same is touched, by ways that each game may have better ones of.

    >>> adviser.prepare()  # nothing has to be loaded
    >>> adviser.presumed("most", settings), adviser.form("most", {}, [])[0].blanks[0].label
    (False, 'Up to which number?')
    >>> adviser.summary("most", settings)  # "most: 10"
    ''
    >>> draft = adviser.touched({}, "word lower", {}, settings, entries)
    >>> adviser.offered(draft, settings, entries).parts[-1].blanks[0].value
    'lower'
    >>> draft = adviser.touched(draft, "write", {"line": "lower 6"}, settings, entries)
    >>> adviser.offered(draft, settings, entries).meaning.entry
    {'word': 'lower', 'number': 6}
    >>> adviser.begun(settings, entries, 2)
    {'line': 'it is higher than 3'}
    >>> [part.title for part in adviser.overview(settings, entries, {})]
    ['What is known', 'Ask']
    """

    name: str
    title: str
    keys: Sequence[str]
    writing: str
    commands: Mapping[str, str]
    prompt_answers: Sequence[str] = ()

    def wanted(self, key: str, settings: Settings) -> tuple[str, Any]:
        """A question for something that must be set up, and what an empty line means (or None).

        Where the words are empty nothing is asked: it can only be so.
        """
        ...

    def set_up(self, key: str, line: str, settings: Settings) -> Any:
        """The value that a line gives it; a SleuthError that explains, if it gives none."""
        ...

    def opened(self, key: str, line: str) -> str:
        """A line typed at one's own computer, with what a file says in place of its name.

        A page asks for nothing like this: who touches it may sit at another computer.
        """
        return line

    def refuse_setting(self, key: str, settings: Settings) -> None:
        """A SleuthError, if what was set up does not go with what stands before it."""
        ...

    def answers_next(self, key: str, line: str) -> bool:
        """True if a line is no answer to this question but to the next one; this is as usual then.

        Who answers without a look at what is asked first, or writes for others what to type, loses
        nothing by a question that came before.
        """
        return False

    def echo(self, key: str, settings: Settings) -> str:
        """The value as it was understood, in words; empty where what was typed says all."""
        return ""

    def renamed(self, key: str, before: Settings, value: Any) -> Mapping[str, str]:
        """The names that a setting anew puts in the place of others, wherever they stand."""
        return {}

    def outdated(self, key: str, before: Settings, value: Any) -> Sequence[str]:
        """Keys answered for another value of a setting, which must be asked for again."""
        return ()

    # -- files, which may have been edited by hand

    def check_setting(self, key: str, value: object) -> None:
        """A RecordError, if this is nothing that can be set up under the key."""
        ...

    def check_entry(self, entry: object) -> None:
        """A RecordError, if this has not the form of an entry."""
        ...

    # -- lines

    def words(self, settings: Settings) -> Sequence[str]:
        """Words that can be completed."""
        ...

    def prompt(self, settings: Settings, entries: Sequence[Entry]) -> str:
        """The words before the cursor."""
        ...

    def read(self, line: str, settings: Settings, entries: Sequence[Entry]) -> LineMeaning:
        """The event that a line says; a SleuthError that explains, if it says none."""
        ...

    def amended(
        self, line: str, settings: Settings, entries: Sequence[Entry], number: int
    ) -> Entry:
        """An entry, numbered from 1, as a line corrects it: the whole, or a part of it."""
        ...

    def refuse(self, settings: Settings, entries: Sequence[Entry], number: int) -> None:
        """A SleuthError, if an entry, numbered from 1, does not go with rules and others."""
        ...

    def refuse_unsure(self, settings: Settings, entries: Sequence[Entry], number: int) -> None:
        """A SleuthError, if the others cannot be understood without this entry."""

    def passed_over(self, settings: Settings, entries: Sequence[Entry], number: int) -> list[str]:
        """Players whose turns came before this entry, numbered from 1, and were not entered."""
        return []

    def sentence(self, settings: Settings, entry: Entry) -> str:
        """An entry in words, without a full stop."""
        ...

    def because(self, settings: Settings, entries: Sequence[Entry]) -> str:
        """Everything set up that these contradicting entries touch, as sentences."""
        return ""

    def news(
        self, settings: Settings, entries: Sequence[Entry], before: Sequence[Entry]
    ) -> Statements:
        """All that is known now and was not; a ContradictionError, if entries contradict."""
        ...

    def answer(
        self, command: str, rest: str, settings: Settings, entries: Sequence[Entry]
    ) -> Statements:
        """The answer to a command; a ContradictionError, if entries contradict."""
        ...

    def write(self, settings: Settings, entries: Sequence[Entry], path: Path) -> None:
        """Write the record of the game, whole or not at all."""
        ...

    # -- on a page: ways of entering by touches, each of which any game has

    def form(self, key: str, settings: Settings, picked: Sequence[str]) -> Statements:
        """The form for something that is set up: its touches and blanks say a line for `set_up`.

        A touch says ``"set KEY LINE"``, or ``"pick WORD"``, which picks the word or lets go of it;
        what is filled in where a form says ``"set KEY"`` is joined with commas.

        Args:
            key: What is set up.
            settings: What was set up before, and perhaps this.
            picked: Words that are picked now.
        """
        prompt, usual = self.wanted(key, settings)
        form = BlankForm(f"set {key}", (FormField("line", prompt),), "Go on")
        if usual is None:
            return [form]
        return [form, Touches("", (Touch("As usual", f"set {key}"),))]

    def prepare(self) -> None:
        """Load beforehand what is wanted first, while a person sets up their table."""

    def presumed(self, key: str, settings: Settings) -> bool:
        """True if a page need not ask for something: it is as usual until somebody changes it."""
        return False

    def summary(self, key: str, settings: Settings) -> str:
        """Something that was set up, in a few words; empty where its key and its value say it."""
        return ""

    def offered(
        self, draft: Draft, settings: Settings, entries: Sequence[Entry], place: int | None = None
    ) -> NextTouches:
        """The choices that go on with a draft, and what it comes to.

        Args:
            draft: What has been touched.
            settings: What was set up.
            entries: What happened before; all of it, where an entry is corrected.
            place: The number of the entry that is corrected, from 1; None for a new one.

        Raises:
            SleuthError: What was typed means nothing.
        """
        return offered_words(self, draft, settings, entries, place)

    def touched(
        self,
        draft: Draft,
        words: str,
        blanks: Mapping[str, str],
        settings: Settings,
        entries: Sequence[Entry],
    ) -> Draft:
        """A draft after a touch.

        Args:
            draft: What has been touched before.
            words: What the touch says.
            blanks: What was filled in, where it is a form.
            settings: What was set up.
            entries: What happened before.

        Raises:
            SleuthError: This cannot be touched.
        """
        return touched_words(draft, words, blanks)

    def begun(self, settings: Settings, entries: Sequence[Entry], place: int) -> Draft:
        """The draft that comes to an entry, numbered from 1, to be corrected."""
        return {"line": self.sentence(settings, entries[place - 1])}

    def overview(
        self, settings: Settings, entries: Sequence[Entry], draft: Draft, *, bare: bool = False
    ) -> Sequence[AdvicePart]:
        """Everything that is shown to who is advised, the most important first.

        It takes a tenth of a second; what takes longer is the answer of a command (see
        `AdvicePart`).

        Args:
            settings: What was set up.
            entries: What happened.
            draft: What has been touched for the next entry.
            bare: Whether nothing is shown that a person did not see and enter themselves.

        Raises:
            ContradictionError: Entries contradict.
        """
        if bare:
            return []
        asked = tuple(
            Touch(command, f"show {command}", note=says) for command, says in self.commands.items()
        )
        form = BlankForm("show", (FormField("line", "or write a question"),), "Ask")
        return [
            AdvicePart("news", "What is known", (Paragraph("…"),), command=NEWS),
            AdvicePart("questions", "Ask", (Touches("", asked, "list"), form), aside=True),
        ]
