"""The one loop that reads at every prompt, and the words that are understood at each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from ...data.errors import SettingsError, SleuthError, shorten
from .terminal import Terminal

ALIASES: Final = {"?": "help", "q": "quit", "exit": "quit"}
#: What can be typed at every prompt: word -> what it does.
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


class Left(Exception):
    """The person has left."""


def leave() -> None:
    """Leaves.

    Raises:
        Left: Always.
    """
    raise Left


@dataclass(frozen=True)
class Line:
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
    def of(typed: str) -> Line:
        """A line, taken apart."""
        text = typed.strip()
        word, _, rest = text.partition(" ")
        return Line(text, ALIASES.get(word.lower(), word.lower()), rest.strip())


@dataclass(frozen=True, kw_only=True)
class Everywhere(Generic[Answer]):
    """What the words that are understood everywhere do at one prompt.

    Attributes:
        help: Says what can be typed.
        back: Goes back; what the prompt comes to then, or None to be asked again.
        setup: Shows what was set up, or changes what is named; as for `back`.
        quit: Leaves, by `Left`.
    """

    help: Callable[[], None]
    back: Callable[[], Answer | None]
    setup: Callable[[str], Answer | None]
    quit: Callable[[], None] = leave


def ask(
    terminal: Terminal,
    prompt: str,
    take: Callable[[Line], Answer | None],
    everywhere: Everywhere[Answer],
    *,
    words: Sequence[str] = (),
) -> Answer:
    """What a person answers; what is refused is said, and they are asked again.

    Args:
        terminal: Where they read and type.
        prompt: What stands before the cursor.
        take: What a line comes to; None to be asked again, or a SleuthError that explains.
        everywhere: What the words of all prompts do here.
        words: What can be completed besides them.

    Raises:
        Left: They have left, or their input has ended.
        KeyboardInterrupt: Ctrl-C.
    """
    while True:
        typed = terminal.ask(prompt, [*words, *EVERYWHERE])
        try:
            found = _found(Line.of("quit" if typed is None else typed), take, everywhere)
        except SleuthError as error:
            terminal.say(sentence(str(error)))
            continue
        if found is not None:
            return found


def _found(
    line: Line, take: Callable[[Line], Answer | None], everywhere: Everywhere[Answer]
) -> Answer | None:
    if line.word == "setup":
        return everywhere.setup(line.rest)
    if line.rest:
        return take(line)
    if line.word == "quit":
        everywhere.quit()
    if line.word == "help":
        everywhere.help()
        return None
    return everywhere.back() if line.word == "back" else take(line)


def ask_yes(
    terminal: Terminal, prompt: str, said: Callable[[], None], setup: str, back: str = ""
) -> bool:
    """Whether a person says yes; an empty line is a no, and what is neither is asked again.

    Args:
        terminal: Where they read and type.
        prompt: The question.
        said: Says again what it is about.
        setup: What was set up, in words.
        back: Why there is no way back, in words; empty where `back` is a no.

    Raises:
        Left, KeyboardInterrupt: As for `ask`.
    """

    def take(line: Line) -> bool:
        meant = YES_OR_NO.get(line.text.lower())
        if meant is None:
            raise SettingsError(
                "neither yes nor no", value=shorten(line.text, LONGEST), hint="write 'yes' or 'no'"
            )
        return meant

    everywhere = Everywhere[bool](
        help=said,
        back=lambda: terminal.say(back) if back else False,
        setup=lambda rest: terminal.say(setup),
    )
    return ask(terminal, prompt, take, everywhere, words=("yes", "no"))


def sentence(text: str) -> str:
    """A text with a capital and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."


def beside(explained: Mapping[str, str], column: int, width: int) -> str:
    """Words that can be typed, and what they mean: beside them, or below where there is no room.

    Args:
        explained: What is typed -> what it means.
        column: Where the explanations begin.
        width: Columns there are.
    """
    from textwrap import wrap

    said: list[str] = []
    for what, says in explained.items():
        lines = wrap(says, max(width - column, column))
        first = f"  {what}"
        if len(first) >= column:
            lines, first = [first, *lines], ""
        said.append(first.ljust(column if first else 0) + f"\n{' ' * column}".join(lines))
    return "\n".join(said)
