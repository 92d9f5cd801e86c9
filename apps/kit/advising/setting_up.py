"""Setting up a game beside which somebody is advised: question by question, and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ....data.errors import RecordError, SleuthError
from ..answers.values import Prompt
from ..number_words import listed
from ..prompting import Everywhere, Hearer, Line, Steps, ask, refusal
from .book import UNDO, Book, replaced
from .commands import help_to_set_up
from .contract import Adviser
from .words import only


@dataclass(eq=False)
class SettingUp:
    """The questions before the first entry, and whenever an answer turns out to be wrong.

    Attributes:
        adviser: The game.
        book: Where it is kept.
        hearer: Who is told.
    """

    adviser: Adviser
    book: Book
    hearer: Hearer

    def run(self) -> Steps[None]:
        """Ask for all that is missing, and for what does not go with the rest."""
        while (key := self._open()) is not None:
            yield from self._ask_for(key)

    def again(self, word: str) -> Steps[None]:
        """Ask for something anew, and for what does not go with it then.

        Raises:
            RecordError: There is no such thing, or it is not its turn.
        """
        yield from self._ask_for(self._key(word))
        yield from self.run()

    def back(self) -> Steps[None]:
        """Ask the last question again."""
        if (key := self._before(None)) is not None:
            yield from self.again(key)

    @property
    def mended(self) -> bool:
        """True where all was set up once, and what was set up anew since is not complete."""
        return not self.complete and all(map(self.book.held, self.adviser.keys))

    @property
    def complete(self) -> bool:
        """True where nothing is missing, and all goes together."""
        return self._open() is None

    @property
    def shown(self) -> str:
        """Everything that was set up so far, a line each."""
        settings = self.book.settings
        lines = [
            f"{key}: {_written(settings[key])}" for key in self.adviser.keys if key in settings
        ]
        there = "\n".join(lines) or "Nothing was set up yet."
        return f"{there}\nTo change it, write 'setup' and one of {listed(self.adviser.keys, 'or')}."

    # -- parts

    def _open(self) -> str | None:
        """The first thing that is missing, or does not go with what stands before it."""
        for key in self.adviser.keys:
            if key not in self.book.settings:
                return key
            try:
                self.adviser.refuse_setting(key, self.book.settings)
            except SleuthError:
                return key
        return None

    def _ask_for(self, key: str) -> Steps[None]:
        settings = self.book.settings
        prompt, usual = self.adviser.wanted(key, settings)
        there = key in settings
        if not prompt and not (there and settings[key] == usual):
            self._keep(key, usual)
        if not prompt:
            return
        mended = self.mended
        fits = False
        if there:
            try:
                self.adviser.refuse_setting(key, settings)
                fits = True
                prompt = f"{prompt.partition(' (empty:')[0]} (empty: as it was)"
            except SleuthError as error:
                self.hearer.say(refusal(error))

        def undo() -> Steps[bool | None] | bool:
            if not mended:
                return back()
            self.hearer.say(f"Taken back: 'setup {self._taken_back()}'.")
            return True

        def take(line: Line) -> Steps[bool | None] | bool | None:
            if line.text.lower() == UNDO:
                return undo()
            if not line.text and fits:
                return True
            if not line.text and usual is None:
                return None
            self._keep(key, self.adviser.set_up(key, line.text, settings) if line.text else usual)
            return True

        def back() -> Steps[bool | None]:
            if mended:
                yield from self._ask_for(self._taken_back())
                return True
            if there and fits:
                return True
            if (before := self._before(key)) is None:
                self.hearer.say("This is the first question.")
                return None
            yield from self._ask_for(before)
            return True

        def setup(word: str) -> Steps[bool | None]:
            if not word:
                self.hearer.say(self.shown)
                return None
            yield from self._ask_for(self._key(word))
            return True

        yield from ask(
            self.hearer,
            Prompt(prompt, (*self.adviser.words(settings), UNDO)),
            take,
            Everywhere[bool](
                help=lambda: self.hearer.say(*help_to_set_up(prompt)), back=back, setup=setup
            ),
        )

    def _keep(self, key: str, value: Any) -> None:
        settings = self.book.settings
        renamed: Mapping[str, str] = {}
        if key in settings:
            renamed = self.adviser.renamed(key, settings, value)
        self.adviser.refuse_setting(key, {**settings, key: value})
        outdated = self._outdated(key, value, renamed)
        self.book.set_up(key, value, renamed, outdated)
        if echo := self.adviser.echo(key, self.book.settings):
            self.hearer.say(echo)
        if outdated:
            self.hearer.say(f"What this changes is asked for again: {listed(outdated)}.")

    def _outdated(self, key: str, value: Any, renamed: Mapping[str, str]) -> list[str]:
        """The settings that do not go with a setting made anew, in order."""
        keys, before = list(self.adviser.keys), self.book.settings
        found = {*self.adviser.outdated(key, before, value)} if key in before else set[str]()
        after = {**replaced(before, renamed), key: value}
        for each in keys[keys.index(key) + 1 :]:
            if each not in after or each in found:
                # What comes behind it can only be judged when that is known.
                break
            try:
                self.adviser.refuse_setting(each, after)
            except SleuthError:
                found.add(each)
        return [each for each in keys if each in found and each in before]

    def _taken_back(self) -> str:
        """Take back what was set up anew; what that was."""
        settings = self.book.settings
        while self.book.can_undo and not self.complete:
            self.book.undo()
        now = self.book.settings
        return next(
            (
                key
                for key in self.adviser.keys
                if key in settings and now.get(key) != settings.get(key)
            ),
            self.adviser.keys[0],
        )

    def _before(self, key: str | None) -> str | None:
        """The last question before one, or of all, that has an answer of the person's."""
        keys = list(self.adviser.keys)
        settings = self.book.settings
        for each in reversed(keys if key is None else keys[: keys.index(key)]):
            # What is only asked of who wants it is no question before.
            first = {name: value for name, value in settings.items() if name != each}
            if each in settings and self.adviser.wanted(each, first)[0]:
                return each
        return None

    def _key(self, word: str) -> str:
        keys = list(self.adviser.keys)
        if not word:
            raise RecordError("what is to be set up?", hint=f"known: {', '.join(keys)}")
        try:
            key = only(word, keys, "setting")
        except RecordError:
            raise RecordError(
                "this is not set up", value=word, hint=f"known: {', '.join(keys)}"
            ) from None
        missing = next((each for each in keys if each not in self.book.settings), None)
        if missing is not None and keys.index(key) > keys.index(missing):
            raise RecordError(f"{missing!r} comes first", value=word)
        return key


def _written(value: Any) -> str:
    """A setting in words."""
    if isinstance(value, dict):
        named = cast("Mapping[str, Any]", value)
        pairs = [f"{name}={_written(each)}" for name, each in named.items()]
        return " ".join(pairs) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, cast("Sequence[Any]", value))) or "none"
    return str(value)
