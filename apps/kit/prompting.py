"""The one loop that asks at every prompt, and the words that are understood at each of them.

What asks is a generator of `Prompt`, into which the lines are sent: a session knows neither a
terminal nor a page.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Final, Generic, Protocol, TypeVar, cast

from ...data.errors import SettingsError, SleuthError, shorten
from .answers.values import Prompt, Refusal, Statement

ALIASES: Final = {"?": "help", "q": "quit", "exit": "quit"}
#: Words of every prompt: word -> what it does.
EVERYWHERE: Final = {
    "help": "what can be typed here",
    "back": "go back to what was asked before",
    "setup": "what was set up",
    "quit": "leave (so do Ctrl-D and Ctrl-C)",
}

#: How one says yes and no.
YES_OR_NO: Final = {"y": True, "yes": True, "n": False, "no": False, "": False}
#: Letters of a strange line that are said back.
LONGEST: Final = 60

Answer = TypeVar("Answer")
Steps = Generator[Prompt, str | None, Answer]
"""What asks, and is sent the lines; None is the end of them."""


class Hearer(Protocol):
    """The one who is told what a session says."""

    @property
    def alive(self) -> bool:
        """True if a person sits there, who takes time to think."""
        ...

    def say(self, *said: Statement | str) -> None:
        """Tell them something."""
        ...

    def waiting(self, what: str) -> AbstractContextManager[None]:
        """Show that something takes a while."""
        ...


class Left(Exception):
    """The person has left."""


def leave() -> None:
    """Leaves.

    Raises:
        Left: Always.
    """
    raise Left


@dataclass(frozen=True)
class TypedLine:
    """A line that was typed.

    Attributes:
        text: All of it, without blanks around.
        word: Its first word as commands are called; empty for an empty line.
        rest: What follows.
    """

    text: str
    word: str
    rest: str

    @staticmethod
    def of(typed: str) -> TypedLine:
        """A line, taken apart."""
        text = typed.strip()
        word, _, rest = text.partition(" ")
        return TypedLine(text, ALIASES.get(word.lower(), word.lower()), rest.strip())


@dataclass(frozen=True, kw_only=True)
class Everywhere(Generic[Answer]):
    """The effects at one prompt of the words that are understood everywhere.

    Attributes:
        help: Says what can be typed.
        back: Goes back; the answer of the prompt then, or None to be asked again. It may ask.
        setup: Shows what was set up, or changes what is named; as for `back`.
        quit: Leaves, by `Left`.
    """

    help: Callable[[], None]
    back: Callable[[], Steps[Answer | None] | Answer | None]
    setup: Callable[[str], Steps[Answer | None] | Answer | None]
    quit: Callable[[], None] = leave


def refusal(error: SleuthError) -> Refusal:
    """An error as it is said."""
    value = "" if error.value is None else str(error.value)
    return Refusal(str(error), value, error.hint)


def ask(
    hearer: Hearer,
    prompt: Prompt,
    take: Callable[[TypedLine], Steps[Answer | None] | Answer | None],
    everywhere: Everywhere[Answer],
) -> Steps[Answer]:
    """The answer of a person; what is refused is said, and they are asked again.

    Args:
        hearer: Who is told.
        prompt: The question, with what can be completed besides the words of all prompts.
        take: The answer that a line is; None to be asked again, or a SleuthError that explains. It
            may ask.
        everywhere: What the words of all prompts do here.

    Raises:
        Left: They have left, or their input has ended.
    """
    prompt = replace(prompt, words=tuple(dict.fromkeys((*prompt.words, *EVERYWHERE))))
    while True:
        typed = yield prompt
        try:
            found = yield from _found(
                TypedLine.of("quit" if typed is None else typed), take, everywhere
            )
        except SleuthError as error:
            hearer.say(refusal(error))
            continue
        if found is not None:
            return found


def _found(
    line: TypedLine,
    take: Callable[[TypedLine], Steps[Answer | None] | Answer | None],
    everywhere: Everywhere[Answer],
) -> Steps[Answer | None]:
    if line.word == "quit" and not line.rest:
        everywhere.quit()
    if line.word == "help" and not line.rest:
        everywhere.help()
        return None
    if line.word == "setup":
        found = everywhere.setup(line.rest)
    else:
        found = everywhere.back() if line.word == "back" and not line.rest else take(line)
    if not isinstance(found, Generator):
        return found
    return (yield from cast("Steps[Answer | None]", found))


def ask_yes(
    hearer: Hearer, question: str, said: Callable[[], None], setup: str, back: str = ""
) -> Steps[bool]:
    """True if a person says yes; an empty line is a no, and what is neither is asked again.

    Args:
        hearer: Who is told.
        question: The question.
        said: Says again what it is about.
        setup: What was set up, in words.
        back: Why there is no way back, in words; empty where `back` is a no.

    Raises:
        Left: As for `ask`.
    """

    def take(line: TypedLine) -> bool:
        meant = YES_OR_NO.get(line.text.lower())
        if meant is None:
            raise SettingsError(
                "neither yes nor no", value=shorten(line.text, LONGEST), hint="write 'yes' or 'no'"
            )
        return meant

    everywhere = Everywhere[bool](
        help=said,
        back=lambda: hearer.say(back) if back else False,
        setup=lambda rest: hearer.say(setup),
    )
    return ask(hearer, Prompt(question, ("yes", "no")), take, everywhere)
