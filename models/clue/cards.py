"""The 21 cards of Clue, their categories, and the names people write for them."""

from __future__ import annotations

from typing import Final

from ...data.errors import nearest
from ...data.files import read_table
from ..records.reading import refused

CASE_FILE: Final = "case file"
FACE_UP: Final = "face up"

# Words before a surname that change nothing: "col. mustard", "mr green" and "rev. green".
_TITLES: Final = frozenset(
    {"captain", "chef", "col", "colonel", "doctor", "dr", "lady", "lord", "madam", "madame"}
    | {"mayor", "miss", "mister", "mr", "mrs", "ms", "prof", "professor", "rev", "revd"}
    | {"reverend", "sir", "solicitor", "the"}
)

_TABLE: Final = read_table("clue", "cards.csv")
_CATEGORY: Final = {row["card"]: row["category"] for row in _TABLE}
_ALIASES: Final = {
    alias: row["card"] for row in _TABLE for alias in row["aliases"].split(";") if alias
}

SUSPECTS: Final[tuple[str, ...]] = tuple(c for c, kind in _CATEGORY.items() if kind == "suspect")
WEAPONS: Final[tuple[str, ...]] = tuple(c for c, kind in _CATEGORY.items() if kind == "weapon")
ROOMS: Final[tuple[str, ...]] = tuple(c for c, kind in _CATEGORY.items() if kind == "room")

CARDS: Final[tuple[str, ...]] = SUSPECTS + WEAPONS + ROOMS
CATEGORIES: Final[dict[str, tuple[str, ...]]] = {
    "suspect": SUSPECTS,
    "weapon": WEAPONS,
    "room": ROOMS,
}
POSITION: Final[dict[str, int]] = {card: place for place, card in enumerate(CARDS)}


def aliases() -> dict[str, str]:
    """Other names that people write for cards: name -> card."""
    return dict(_ALIASES)


def category(card: str) -> str:
    """``"suspect"``, ``"weapon"`` or ``"room"``.

    Raises:
        RecordError: If ``card`` is no card, under any of its names.
    """
    return _CATEGORY[canonical(card)]


def canonical(name: object, *, where: str | None = None) -> str:
    """The card somebody calls ``name``: ``"Rev. Green"`` is ``"green"``, ``"spanner"`` a wrench.

    Capitals, dots, hyphens, underscores, extra spaces and titles do not matter.

    Args:
        name: What was written.
        where: The place to name in the error.

    Raises:
        RecordError: If it is no card; the message names the nearest one.
    """
    if isinstance(name, str):
        if name in _CATEGORY:
            return name
        words = name.casefold().translate(_PUNCTUATION).split()
        while len(words) > 1 and words[0] in _TITLES:
            words = words[1:]
        plain = " ".join(words)
        if plain in _CATEGORY:
            return plain
        if plain in _ALIASES:
            return _ALIASES[plain]
        hint = nearest(plain[:40], CARDS)
    else:
        hint = "a card is written as text, such as 'lead pipe'"
    raise refused("no such card", where=where, value=name, hint=hint)


_PUNCTUATION: Final = str.maketrans({".": " ", "-": " ", "_": " ", ",": " "})


def in_deck_order(
    cards: tuple[str, ...] | list[str] | set[str] | frozenset[str],
) -> tuple[str, ...]:
    """The cards, sorted as the deck is: suspects, weapons, rooms."""
    return tuple(sorted(cards, key=POSITION.__getitem__))
