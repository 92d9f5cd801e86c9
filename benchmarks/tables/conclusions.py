"""What is said of each table of a page: text with holes, which the outcomes fill.

Conclusions stand in a file of their own, a section for each table under its word. A hole is a field
as `str.format` knows it, such as ``{more[r = 0.1 / r = 0]:.1f}``, so no number that was measured
here has to be typed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


def conclusions(path: Path) -> dict[str, str]:
    """The sections of a file by the words of their headings, holes and all."""
    _, *sections = f"\n{path.read_text('utf-8')}".split("\n## ")
    split = (section.partition("\n") for section in sections)
    return {word: text.strip("\n") for word, _, text in split}


class Hole:
    """A word of holes: ``{word[key]}`` is what a function says of the key."""

    def __init__(self, found: Callable[[str], Any]) -> None:
        self._found = found

    def __getitem__(self, key: str) -> Any:
        return self._found(key)


class Points(float):
    """A number with the ends of its interval."""

    low: float
    high: float

    def __new__(cls, value: float, low: float, high: float) -> Points:
        made = super().__new__(cls, value)
        made.low, made.high = low, high
        return made

    @property
    def ends(self) -> str:
        """The ends as pages of per cents write them."""
        return f"{self.low:.1f} to {self.high:.1f}"

    @property
    def half(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2
