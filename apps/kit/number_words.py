"""Probabilities, information, counts and lists as a person writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...data.words import bits as bits
from ...data.words import percent as percent

#: Counts that are written in words.
SMALL_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def worth(value: float) -> str:
    """The worth of something, with its sign and a true minus."""
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")


def ordinal(number: int) -> str:
    """The place among many: ``1st``, ``22nd``, ``13th``."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ends.get(number % 10, 'th')}"


def whole_number(text: str, least: int, most: int) -> int | None:
    """The whole number that is written, if it lies between two; however many digits there are."""
    text = text.strip()
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    # Python refuses to read thousands of digits.
    found = int(digits) if len(digits) <= len(str(most)) else most + 1
    return found if least <= found <= most else None


def counted(count: int, noun: str) -> str:
    """A count with its noun: ``1 game``, ``2 games``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def number(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun; small ones in words."""
    word = SMALL_NUMBERS[count] if count < len(SMALL_NUMBERS) else f"{count:,}"
    return f"{word} {one if count == 1 else many or one + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """The words as one reads them: ``"plum, rope and hall"``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
