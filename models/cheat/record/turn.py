"""The course of a recorded game of Cheat: what it was played by, and one action after another."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...game import Game
from ..game import cheat
from .seen import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One action, with everything that is recorded of it.

    Attributes:
        by: 0 for the player who began, 1 for the other.
        kind: What they did.
        rank: The rank they claimed; -1 for no claim.
        count: How many cards they laid down; 0 for no claim.
        cards: Their ranks in ascending order, or the rank of the card that was taken; None if not
            known, and for calls.
        caught: For a call, whether the claim was false.
        seconds: How long they took.

    >>> from sleuth.games.cheat import RANK_NAMES, Turn
    >>> lie = Turn(by=0, kind="claim", rank=3, count=2, cards=(3, 5))
    >>> RANK_NAMES[lie.rank], lie.true
    ('4', False)
    """

    by: int
    kind: Kind
    rank: int = -1
    count: int = 0
    cards: tuple[int, ...] | None = None
    caught: bool | None = None
    seconds: float | None = None

    @property
    def true(self) -> bool | None:
        """True if all cards of a claim have the claimed rank; None if that is not known."""
        if self.kind != "claim" or self.cards is None:
            return None
        return self.cards == (self.rank,) * self.count


@dataclass(frozen=True, kw_only=True)
class Course:
    """The course of a game, as far as it is recorded.

    Attributes:
        players: Who they are; the first begins.
        first: The rank of the card that was turned up at the start.
        turns: What was done.
        settings: What it was played by, where it is not the default.
        hands: The ranks that each was dealt, in ascending order, if they are known.
    """

    players: tuple[str, str]
    first: int
    turns: tuple[Turn, ...]
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    hands: tuple[tuple[int, ...] | None, tuple[int, ...] | None] = (None, None)

    @property
    def game(self) -> Game:
        """The game it was played by."""
        return _game(json.dumps(dict(self.settings), sort_keys=True))


@functools.lru_cache(maxsize=64)
def _game(settings: str) -> Game:
    return cheat(**json.loads(settings))
