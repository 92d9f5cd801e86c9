"""Beside a table of Clue in a real terminal: a recorded game, typed line by line, and Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import re
import select
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sleuth.games.clue import load, simulate

from ...processes import PROGRAM
from .test_adviser import NAMES, typed

fcntl = pytest.importorskip("fcntl")
pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")

# Kernels may have to be compiled first, beside other work.
PATIENCE = 300.0
# So many seconds without a word after Ctrl-C, and a person presses it again.
UNHEARD = 10.0
# And after a line is shown Python reads.
SHOWN = 0.3


class Screen:
    """A terminal of 60 columns, and what stands on it."""

    def __init__(self, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "COLUMNS": "60", "TERM": "xterm", "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            # It is the terminal from which Ctrl-C comes.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.text = ""

    @property
    def plain(self) -> str:
        """What is written, without what moves the cursor."""
        return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", self.text)

    def until(self, ending: str, patience: float = PATIENCE) -> str:
        """What is written until something ends it."""
        start, end = len(self.plain), time.monotonic() + patience
        while not re.search(ending, self.plain[start:]):
            assert time.monotonic() < end, self.text
            if select.select([self.master], [], [], 0.5)[0]:
                try:
                    self.text += os.read(self.master, 65536).decode(errors="replace")
                except OSError:  # the program has ended
                    break
        return self.plain[start:]

    def type(self, line: str) -> str:
        """A line, and what is answered up to the next prompt."""
        os.write(self.master, f"{line}\r".encode())
        return self.until(r"> $")

    def interrupt(self, line: str, ending: str) -> str:
        """Ctrl-C in the middle of a line, and what is answered up to an ending.

        The signal is lost where it comes after the prompt and before Python reads: the line is
        shown first.
        """
        start = len(self.plain)
        os.write(self.master, line.encode())
        self.until(re.escape(line))
        time.sleep(SHOWN)
        end = time.monotonic() + PATIENCE
        while not re.search(ending, self.plain[start:]) and time.monotonic() < end:
            os.write(self.master, b"\x03")
            with contextlib.suppress(AssertionError):
                self.until(ending, UNHEARD)
        return self.plain[start:]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@contextlib.contextmanager
def screen(*arguments: str) -> Iterator[Screen]:
    opened = Screen(*arguments)
    try:
        yield opened
    finally:
        opened.close()


def test_a_whole_game_in_a_terminal_ends_with_the_right_accusation(tmp_path: Path) -> None:
    record = simulate(NAMES, np.random.default_rng(6), turns=30)
    game, path = record.seen_by("Bob"), tmp_path / "game.jsonl"
    lines = ["Ada Bob Cleo", "bob", "", ", ".join(game.own_hand), "", *typed(game)]
    half = len(lines) // 2
    with screen("advise", "clue", str(path)) as first:
        first.until(r"> $")
        for line in lines[:half]:
            first.type(line)
        # A person who leaves by Ctrl-C, in the middle of a line, is told how to go on.
        said = first.interrupt("cleo pl", "sleuth analyse")
        first.process.wait(PATIENCE)
        assert "Everything is kept." in said
        assert first.process.returncode == 130
    with screen("advise", "clue", str(path)) as second:
        second.until(r"> $")
        for line in lines[half:]:
            second.type(line)
        said = second.type("ready")
        os.write(second.master, b"quit\r")
        second.process.wait(PATIENCE)
        assert second.process.returncode == 0
    assert record.case_file is not None
    suspect, weapon, room = record.case_file
    assert f"Accuse {suspect}, {weapon} and {room}: it is certain." in " ".join(said.split())
    assert load(path.with_suffix(".json")).seen_by("Bob") == game
