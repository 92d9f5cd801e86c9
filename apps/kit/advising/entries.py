"""A book beside a game: entries, what was set up, and the meaning of a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

Entry = Mapping[str, Any]
"""Something that happened, as plain values of JSON."""
Settings = Mapping[str, Any]
"""Answers to the first questions, by key, as plain values of JSON."""
#: The field of an entry that is not counted, since the person is not sure of it.
UNSURE: Final = "unsure"


@dataclass(frozen=True)
class LineMeaning:
    """The meaning of a line.

    Attributes:
        entry: What happened.
        number: The entry that it completes or corrects, from 1; None for a new one.
    """

    entry: Entry
    number: int | None = None
