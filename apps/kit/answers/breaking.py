"""Names with options in a terminal, broken where an option ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

#: A part of an option list, with what may stand at the end of its line.
_PART: Final = re.compile(r"[^,:\s]*[,:\s]+|[^,:\s]+")


@dataclass(frozen=True)
class BreakableName:
    """A name with options, such as ``mcts:trees=2,worlds=8``, in lines that end at its joints.

    Rich breaks what has no blanks anywhere. Only a part that fills a line by itself is broken here.

    Attributes:
        text: The name.
        style: How it is printed.
    """

    text: str
    style: str = ""

    def lines(self, width: int) -> list[str]:
        """The name in lines that are at most so wide, or have one part."""
        lines = [""]
        for part in _PART.findall(self.text):
            if lines[-1] and cell_len((lines[-1] + part).rstrip()) > width:
                lines.append("")
            lines[-1] += part
        return [line.rstrip() for line in lines]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """In lines of the width that there is."""
        lines = "\n".join(self.lines(options.max_width))
        yield Text(lines, style=self.style, overflow="fold")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """From its widest part to all in one line."""
        narrow = max(map(cell_len, self.lines(1)))
        most = options.max_width
        return Measurement(min(narrow, most), min(cell_len(self.text), most))
