"""Questions before the first entry: which are open, and what an answer makes of the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ....data.errors import RecordError, SleuthError
from .book import EntryLog, replaced
from .contract import Adviser
from .words import only


@dataclass(eq=False)
class SetupQuestions:
    """The questions of one game.

    Attributes:
        adviser: The game.
        book: Where the answers are kept.
    """

    adviser: Adviser
    book: EntryLog

    @property
    def open(self) -> str | None:
        """The first thing that is missing, or does not go with what stands before it."""
        for key in self.adviser.keys:
            if key not in self.book.settings or not self.fits(key):
                return key
        return None

    @property
    def complete(self) -> bool:
        """True where nothing is missing, and all goes together."""
        return self.open is None

    @property
    def mended(self) -> bool:
        """True where all was set up once, and what was set up anew since is not complete."""
        return not self.complete and all(map(self.book.held, self.adviser.keys))

    def fits(self, key: str) -> bool:
        """True if an answer that is there goes with what stands before it."""
        try:
            self.adviser.refuse_setting(key, self.book.settings)
        except SleuthError:
            return False
        return True

    def presume(self, key: str) -> bool:
        """Keep what can only be so; whether anything is left to ask."""
        settings = self.book.settings
        prompt, usual = self.adviser.wanted(key, settings)
        if not prompt and not (key in settings and settings[key] == usual):
            self.keep(key, usual)
        return bool(prompt)

    def keep(self, key: str, value: Any) -> list[str]:
        """Keep an answer; the settings that must be asked for again, in order.

        Raises:
            SleuthError: It does not go with the others; nothing has changed.
        """
        settings = self.book.settings
        renamed: Mapping[str, str] = {}
        if key in settings:
            renamed = self.adviser.renamed(key, settings, value)
        self.adviser.refuse_setting(key, {**settings, key: value})
        outdated = self._outdated(key, value, renamed)
        self.book.set_up(key, value, renamed, outdated)
        return outdated

    def taken_back(self) -> str:
        """Take back what was set up anew; what that was."""
        settings = self.book.settings
        while self.book.can_undo and not self.complete:
            self.book.undo()
        return self.differing(settings) or self.adviser.keys[0]

    def differing(self, before: Mapping[str, Any]) -> str:
        """The first thing that was set up otherwise before; empty for none."""
        now = self.book.settings
        found = (key for key in self.adviser.keys if now.get(key) != before.get(key))
        return next(found, "")

    def before(self, key: str | None) -> str | None:
        """The last question before one, or of all, that has an answer of the person's."""
        keys = list(self.adviser.keys)
        settings = self.book.settings
        for each in reversed(keys if key is None else keys[: keys.index(key)]):
            # What is only asked of who wants it is no question before.
            first = {name: value for name, value in settings.items() if name != each}
            if each in settings and self.adviser.wanted(each, first)[0]:
                return each
        return None

    def key(self, word: str) -> str:
        """The thing that a word names and that can be set up now.

        Raises:
            RecordError: There is no such thing, or it is not its turn.
        """
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
