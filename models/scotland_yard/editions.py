"""Editions of Scotland Yard: where the boxes differ, from the shipped files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Final

from ...data.checks import known_name
from ...data.files import resource

#: The editions, the first being the usual one; each is a file of this name.
EDITIONS: Final = ("classic", "later")


@dataclass(frozen=True, kw_only=True)
class HuntEdition:
    """The contents of one box, as far as boxes differ.

    Attributes:
        name: Its name, as settings have it.
        title: What it is, for people.
        without: Connections of the classic map that its map does not have.
        hider_starts, seeker_starts: The stations on the start cards of Mr. X and of the detectives,
            ascending. Where both are the same, all draw from one pack.
        seeker_tickets, hider_tickets: Taxi, bus and underground.
        black_fares, double_moves: Of Mr. X.
        rounds: The moves on Mr. X's log.
        reveals: After which of them Mr. X surfaces.
    """

    name: str
    title: str
    without: frozenset[tuple[int, int, str]]
    hider_starts: tuple[int, ...]
    seeker_starts: tuple[int, ...]
    seeker_tickets: tuple[int, ...]
    hider_tickets: tuple[int, ...]
    black_fares: int
    double_moves: int
    rounds: int
    reveals: tuple[int, ...]


@cache
def edition_of(name: str) -> HuntEdition:
    """The edition of this name.

    Raises:
        SettingsError: There is none.
    """
    known_name(name, EDITIONS, "edition")
    text = resource("scotland_yard", "editions", f"{name}.json").read_text(encoding="utf-8")
    told = json.loads(text)
    listed = ("hider_starts", "seeker_starts", "seeker_tickets", "hider_tickets", "reveals")
    return HuntEdition(
        name=name,
        title=told["title"],
        without=frozenset((first, second, way) for first, second, way in told["without"]),
        **{key: tuple(told[key]) for key in listed},
        **{key: told[key] for key in ("black_fares", "double_moves", "rounds")},
    )
