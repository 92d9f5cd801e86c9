"""Standard output, and its readers who leave before the end (``... | head -1``)."""

from __future__ import annotations

import os
import sys
from typing import Final

#: How a program ends whose reader has left.
CLOSED_PIPE: Final = 1


def print_to_reader(text: str) -> int:
    """Prints a text, of which the reader may want the beginning only.

    Returns:
        How the process is to end: 0, or `CLOSED_PIPE`.
    """
    try:
        print(text, flush=True)
    except BrokenPipeError:
        return closed_pipe()
    return 0


def closed_pipe() -> int:
    """The reader of our output has left: nothing more is said.

    Returns:
        `CLOSED_PIPE`.
    """
    # Python flushes standard output once more on its way out.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED_PIPE
