"""The place a person reads and types at: a terminal, or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

from ...data.errors import SettingsError
from .answers.text import put, words
from .answers.values import Paragraph, Statement
from .console import out, printable

#: Most letters of a line of input.
MOST_LETTERS: Final = 10_000


class Terminal:
    """Standard input and output. In a terminal, the tabulator completes words."""

    def __init__(self) -> None:
        self.console = out()
        self.alive = sys.stdin.isatty() and sys.stdout.isatty()
        self._words: list[str] = []
        forgive()
        if self.alive:
            self._complete()

    def say(self, *said: Statement | str) -> None:
        """Print statements; a command in one line, however wide the terminal is."""
        put(self.console, *(Paragraph(each) if isinstance(each, str) else each for each in said))

    def ask(self, prompt: str, offered: Sequence[str] = ()) -> str | None:
        """A line of input; None at its end (Ctrl-D), and where the window is gone.

        Args:
            prompt: What stands before the cursor.
            offered: Words that can be completed.

        Raises:
            KeyboardInterrupt: Ctrl-C.
            SettingsError: What comes through a pipe has no end of a line for too long.
        """
        self._words = sorted(set(offered))
        said = f"{printable(prompt)}> "
        if self.alive:
            try:
                return input(said)
            except EOFError:
                print()
                return None
            except OSError:  # the window is gone
                return None
            except KeyboardInterrupt:
                print()
                raise
        print(said, end="", flush=True)
        line = read_line()
        # What was typed elsewhere stands in the transcript too.
        print(printable(line or ""))
        return line

    @contextmanager
    def waiting(self, what: str) -> Generator[None, None, None]:
        """Shows that something takes a while, if anybody looks."""
        if self.alive:
            with self.console.status(words(what), spinner="line"):
                yield
        else:
            yield

    def _complete(self) -> None:
        try:
            import readline
        except ImportError:  # not on every system
            return
        readline.set_completer(self._completion)
        readline.set_completer_delims(" ,")
        readline.parse_and_bind("tab: complete")

    def _completion(self, text: str, number: int) -> str | None:
        found = [word for word in self._words if word.startswith(text.lower())]
        return found[number] if number < len(found) else None


def read_line(*, rest: bool = False) -> str | None:
    """A line that comes through a pipe; None at its end.

    Args:
        rest: Whether to read on to the end of a line that is too long.

    Raises:
        SettingsError: It has too many letters.
    """
    try:
        line = part = sys.stdin.readline(MOST_LETTERS + 1)
        while rest and len(part) > MOST_LETTERS and not part.endswith("\n"):
            part = sys.stdin.readline(MOST_LETTERS + 1)
    except OSError:
        return None
    if len(line) > MOST_LETTERS:
        raise SettingsError(f"a line of input has at most {MOST_LETTERS:,} letters")
    return line.rstrip("\n") if line else None


def forgive() -> None:
    """Let anything be typed or piped, before the first read: what is no text names no move."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
