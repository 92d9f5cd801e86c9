"""Setting up a game beside which somebody is advised: question by question, and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from ....data.errors import SleuthError
from ..answers.values import Prompt
from ..number_words import listed
from ..prompting import Everywhere, Hearer, Steps, TypedLine, ask, refusal
from .book import UNDO
from .commands import help_to_set_up
from .questions import SetupQuestions
from .words import setting_words


@dataclass(eq=False)
class SettingUp:
    """The questions before the first entry, and whenever an answer turns out to be wrong.

    Attributes:
        questions: Which there are, and their answers.
        hearer: Who is told.
    """

    questions: SetupQuestions
    hearer: Hearer

    def run(self) -> Steps[None]:
        """Ask for all that is missing, and for what does not go with the rest."""
        while (key := self.questions.open) is not None:
            yield from self._ask_for(key)

    def again(self, word: str) -> Steps[None]:
        """Ask for something anew, and for what does not go with it then.

        Raises:
            RecordError: There is no such thing, or it is not its turn.
        """
        yield from self._ask_for(self.questions.key(word))
        yield from self.run()

    def back(self) -> Steps[None]:
        """Ask the last question again."""
        if (key := self.questions.before(None)) is not None:
            yield from self.again(key)

    @property
    def shown(self) -> str:
        """Everything that was set up so far, a line each."""
        keys, settings = self.questions.adviser.keys, self.questions.book.settings
        lines = [f"{key}: {self._words(key)}" for key in keys if key in settings]
        there = "\n".join(lines) or "Nothing was set up yet."
        return f"{there}\nTo change it, write 'setup' and one of {listed(keys, 'or')}."

    # -- parts

    def _words(self, key: str) -> str:
        """The words for what was set up; the adviser's own for values that have parts of parts."""
        settings = self.questions.book.settings
        value = settings[key]
        if isinstance(value, dict):
            parts = cast("dict[str, Any]", value).values()
            if any(isinstance(part, dict) for part in parts):
                said = self.questions.adviser.summary(key, settings)
                return said.partition(": ")[2] or setting_words(value)
        return setting_words(value)

    def _ask_for(self, key: str) -> Steps[None]:
        questions = self.questions
        adviser, settings = questions.adviser, questions.book.settings
        prompt, usual = adviser.wanted(key, settings)
        there = key in settings
        if not prompt and not (there and settings[key] == usual):
            self._keep(key, usual)
        if not prompt:
            return
        mended = questions.mended
        fits = False
        if there:
            try:
                adviser.refuse_setting(key, settings)
                fits = True
                prompt = f"{prompt.partition(' (empty:')[0]} (empty: as it was)"
            except SleuthError as error:
                self.hearer.say(refusal(error))

        def undo() -> Steps[bool | None] | bool:
            if not mended:
                return back()
            self.hearer.say(f"Taken back: 'setup {questions.taken_back()}'.")
            return True

        def take(line: TypedLine) -> Steps[bool | None] | bool | None:
            if line.text.lower() == UNDO:
                return undo()
            if not line.text and fits:
                return True
            if not line.text and usual is None:
                return None
            if line.text and adviser.answers_next(key, line.text):
                self._keep(key, usual)
                after = adviser.keys[adviser.keys.index(key) + 1]
                try:
                    self._keep(after, adviser.set_up(after, line.text, questions.book.settings))
                except SleuthError as error:
                    # Then the next question is asked.
                    self.hearer.say(refusal(error))
                return True
            value = usual
            if line.text:
                value = adviser.set_up(key, adviser.opened(key, line.text), settings)
            self._keep(key, value)
            return True

        def back() -> Steps[bool | None]:
            if mended:
                yield from self._ask_for(questions.taken_back())
                return True
            if there and fits:
                return True
            if (before := questions.before(key)) is None:
                self.hearer.say("This is the first question.")
                return None
            yield from self._ask_for(before)
            return True

        def setup(word: str) -> Steps[bool | None]:
            if not word:
                self.hearer.say(self.shown)
                return None
            yield from self._ask_for(questions.key(word))
            return True

        yield from ask(
            self.hearer,
            Prompt(prompt, (*adviser.words(settings), UNDO)),
            take,
            Everywhere[bool](
                help=lambda: self.hearer.say(*help_to_set_up(prompt)), back=back, setup=setup
            ),
        )

    def _keep(self, key: str, value: object) -> None:
        outdated = self.questions.keep(key, value)
        if echo := self.questions.adviser.echo(key, self.questions.book.settings):
            self.hearer.say(echo)
        if outdated:
            self.hearer.say(f"What this changes is asked for again: {listed(outdated)}.")
