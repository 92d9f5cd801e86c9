"""Programs of the user's that answer line by line: started, asked within a time, and ended.

A program runs in a process group of its own, without a shell, in the current folder. It is ended
with all that it started: when it is closed, when nobody holds it any more, and also when this
process ends, whatever ended it, by a guard that is a small process of its own.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import weakref
from collections import deque
from collections.abc import Sequence
from typing import IO, Final

from .errors import ProgramError, SettingsError, shorten

#: The longest line that a program may answer, in bytes.
MOST_ANSWER: Final = 65_536
#: How much of what it says on standard error is kept, in lines and bytes of each.
MOST_SAID: Final = 20
MOST_OF_A_LINE: Final = 1_000
#: Seconds that a program has to end by itself once nobody asks it any more.
GRACE: Final = 1.0
#: Whether the system has groups of processes.
GROUPS: Final = hasattr(os, "killpg")
#: Children of ours import nothing from the current folder; where the program is Python, its
#: modules stand there.
_OURS: Final = "PYTHONSAFEPATH"
#: Ends the groups that it was told of when its standard input ends, as it does with this process.
_GUARD: Final = """
import os, signal, sys
groups = set()
for line in sys.stdin:
    (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""


def words_of(command: str) -> list[str]:
    """The words of a command, as a shell would divide it; nothing in them is replaced.

    Raises:
        SettingsError: There are none, or a quotation does not end.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SettingsError(
            f"the command cannot be read: {str(error).lower()}", value=command
        ) from None
    if not words:
        raise SettingsError("a command is needed", value=command, hint="such as 'python3 bot.py'")
    return words


def found_program(command: str) -> list[str]:
    """The words of a command whose program there is.

    Raises:
        SettingsError: There is none, or it may not be run.
    """
    words = words_of(command)
    if shutil.which(words[0]) is None:
        raise SettingsError(
            "there is no such program, or it may not be run",
            value=words[0],
            hint="write one that a shell finds, such as 'python3 bot.py' or './bot'",
        )
    return words


class Program:
    """A program that runs, and answers each line with a line.

    Args:
        command: Its words, see `found_program`.
        shows: Whether what it says on standard error is shown; else the end of it is kept.

    Raises:
        ProgramError: It could not be started.
    """

    def __init__(self, command: Sequence[str], *, shows: bool = False) -> None:
        environment = {name: value for name, value in os.environ.items() if name != _OURS}
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if shows else subprocess.PIPE,
                env=environment,
                start_new_session=GROUPS,
            )
        except OSError as error:
            raise ProgramError(
                f"the program cannot be started: {(error.strerror or str(error)).lower()}",
                value=command[0],
            ) from None
        _guard.add(self._process.pid)
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._tasks: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=MOST_SAID)
        threads = [(_read, self._process.stdout, self._lines)]
        threads += [(_write, self._process.stdin, self._tasks)]
        threads += [] if shows else [(_listen, self._process.stderr, self._said)]
        self._threads = [
            threading.Thread(target=work, args=(stream, place), daemon=True)
            for work, stream, place in threads
        ]
        for thread in self._threads:
            thread.start()
        # Not a method: it would hold the program.
        self._end = weakref.finalize(self, _ended, self._process, self._tasks)

    @property
    def runs(self) -> bool:
        """True until it was closed or has ended."""
        return self._end.alive and self._process.poll() is None

    @property
    def said(self) -> str:
        """The end of what it said on standard error."""
        return "\n".join(self._said)

    def tell(self, line: str) -> None:
        """Say a line that needs no answer."""
        self._tasks.put(line.encode() + b"\n")

    def ask(self, line: str, seconds: float) -> str:
        """Its answer to a line.

        Args:
            line: The line.
            seconds: How long it may take.

        Raises:
            ProgramError: It is late, has ended, or answers more than a line of text may have. It
                is closed then.
        """
        if not self._lines.empty() and self.runs:
            # What comes a moment later is told by the number of the answer.
            raise self._fault("the program said something without being asked", self._lines.get())
        self.tell(line)
        try:
            answer = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise self._fault(f"the program did not answer within {seconds:g} seconds") from None
        if not answer:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE)
            raise self._fault(f"the program ended{_how(self._process.poll())}")
        if not answer.endswith(b"\n"):
            most = f"{MOST_ANSWER:,}"
            longer = len(answer) >= MOST_ANSWER
            fault = f"the answer is longer than {most} bytes" if longer else "the line has no end"
            raise self._fault(fault, answer)
        try:
            return answer.decode("utf-8")
        except UnicodeDecodeError:
            raise self._fault("the answer is no text in UTF-8", answer) from None

    def close(self) -> None:
        """End it: it is asked nothing more, and killed if it does not end by itself."""
        if self._end.alive:
            self._tasks.put(None)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE)
        self._finish()

    def _finish(self) -> None:
        """End it, and hear the last that it says on standard error."""
        self._end()
        if len(self._threads) > 2:
            self._threads[-1].join(GRACE)

    @property
    def last_words(self) -> str:
        """A hint with what it said on standard error; empty where it said nothing."""
        said = shorten(self.said, 600)
        return f"it said on standard error: {said}" if said else ""

    def _fault(self, message: str, answer: bytes | None = None) -> ProgramError:
        self._finish()
        hint = self.last_words
        if answer is None:
            return ProgramError(message, hint=hint)
        return ProgramError(
            message, value=answer[:MOST_OF_A_LINE].decode("utf-8", "replace"), hint=hint
        )


class _Guard:
    """Tells the process that ends all groups of this one when this one has ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._of = 0
        self._lock = threading.Lock()

    def add(self, group: int) -> None:
        """A group has begun."""
        self._tell(f"+{group}\n")

    def remove(self, group: int) -> None:
        """A group has ended, and its number may become another's."""
        self._tell(f"-{group}\n")

    def _tell(self, line: str) -> None:
        if not GROUPS:
            return
        with self._lock:
            if self._process is None or self._of != os.getpid():
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", _GUARD],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
                self._of = os.getpid()
            assert self._process.stdin is not None
            with contextlib.suppress(OSError):
                self._process.stdin.write(line.encode())
                self._process.stdin.flush()


_guard: Final = _Guard()


def _read(stream: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Hands over each line; nothing for the end."""
    line = b"\n"
    while line.endswith(b"\n"):
        try:
            line = stream.readline(MOST_ANSWER)
        except (OSError, ValueError):
            line = b""
        lines.put(line)
    if line:
        lines.put(b"")


def _write(stream: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Says each line, and ends with None: a program that does not listen holds up nobody."""
    with contextlib.suppress(OSError, ValueError):
        while (line := lines.get()) is not None:
            stream.write(line)
            stream.flush()
    with contextlib.suppress(OSError, ValueError):
        stream.close()


def _listen(stream: IO[bytes], said: deque[str]) -> None:
    with contextlib.suppress(OSError, ValueError):
        while line := stream.readline(MOST_OF_A_LINE):
            said.append(line.decode("utf-8", "replace").rstrip())


def _ended(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Kills a program and all of its group."""
    lines.put(None)
    with contextlib.suppress(OSError):
        if GROUPS:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    _guard.remove(process.pid)


def _how(code: int | None) -> str:
    if code is None or code == 0:
        return ""
    return f" by signal {-code}" if code < 0 else f" with exit code {code}"
