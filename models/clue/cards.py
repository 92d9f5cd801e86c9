"""The 21 cards of the classic edition of Clue, and the places beside the hands where cards lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .editions import CLASSIC

CASE_FILE: Final = "case file"
FACE_UP: Final = "face up"
#: Where cards lie that were dealt to nobody, and that not everybody sees.
FACE_DOWN: Final = "face down"

SUSPECTS: Final[tuple[str, ...]] = CLASSIC.suspects
WEAPONS: Final[tuple[str, ...]] = CLASSIC.weapons
ROOMS: Final[tuple[str, ...]] = CLASSIC.rooms

CARDS: Final[tuple[str, ...]] = CLASSIC.cards
CATEGORIES: Final[Mapping[str, tuple[str, ...]]] = CLASSIC.categories
POSITION: Final[Mapping[str, int]] = CLASSIC.position

aliases = CLASSIC.aliases
canonical = CLASSIC.canonical
category = CLASSIC.category
in_deck_order = CLASSIC.in_deck_order
