"""Names that are typed in few letters: which of several a word begins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from ....data.errors import RecordError, nearest

#: Fewest letters that stand for the second word of a name.
FEWEST: Final = 3


#: What stands in names and changes nothing: O'Neil and oneil, J.R. and j r are the same.
_AND: Final = re.compile(r"[\s,]+(?:and|&)\s+", re.IGNORECASE)
_LEFT_OUT: Final = str.maketrans("", "", "'\N{RIGHT SINGLE QUOTATION MARK}`")
_BLANKS: Final = str.maketrans(dict.fromkeys(",;:.!?", " "))


def words_of(text: str) -> list[str]:
    """The words of a line or a name as they are compared: small, without signs between them."""
    return text.casefold().translate(_LEFT_OUT).translate(_BLANKS).split()


def items(line: str) -> list[str]:
    """The items a line lists: with commas or semicolons, or else with blanks, and 'and' between."""
    line = line.replace(";", ",")
    line = _AND.sub(",", line) if "," in line else _AND.sub(" ", line)
    parts = line.split(",") if "," in line else line.split()
    return [each for part in parts if (each := part.strip())]


def begins(token: str, name: str) -> bool:
    """True if a word begins a name, or a later word of it if it is long enough."""
    words = words_of(name)
    if not words:
        return False
    first, *more = " ".join(words).replace("-", " ").split() or [""]
    token = "".join(words_of(token))
    if not token:
        return False
    if first.startswith(token) or "".join(words).startswith(token):
        return True
    return len(token) >= FEWEST and any(word.startswith(token) for word in more)


def only(text: str, names: Sequence[str], what: str, also: Mapping[str, str] | None = None) -> str:
    """The one name that a word is, or else begins.

    Args:
        text: The word.
        names: All names.
        what: What they name, in one word, such as "player".
        also: Other words that stand for a name.

    Raises:
        RecordError: There is none, or several.
    """
    typed = text.strip().casefold()
    if also is not None and typed in also:
        return also[typed]
    exact = [name for name in names if words_of(name) == words_of(typed) and typed]
    found = exact or [name for name in names if typed and begins(typed, name)]
    if len(found) != 1:
        hint = f"write {' or '.join(found)}" if found else nearest(text, names)
        said = f"this could be several {what}s" if found else f"no such {what}"
        raise RecordError(said, value=text, hint=hint)
    return found[0]


def setting_words(value: Any) -> str:
    """A setting in words."""
    if isinstance(value, dict):
        named = cast("Mapping[str, Any]", value)
        pairs = [f"{name}={setting_words(each)}" for name, each in named.items()]
        return " ".join(pairs) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, cast("Sequence[Any]", value))) or "none"
    return str(value)
