"""The course of a recorded game of Cheat for many: by which rules, and one turn after another."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ....game import Game
from ..game import cheat_for_many

Kind = Literal["claim", "call", "pass"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyCheatTurn:
    """A claim, a call, or the word of a player who lets a claim pass.

    Attributes:
        by: The player's place in turn order, from 0.
        kind: What they did.
        rank: The rank they claimed; -1 for no claim.
        count: How many cards they laid down; 0 for no claim.
        cards: Their ranks in ascending order; None if not known, and for what is no claim.
        caught: For a call, whether the claim was false.
        seconds: How long they took.

    >>> from sleuth.games.cheat import ManyCheatTurn
    >>> ManyCheatTurn(by=0, kind="claim", rank=3, count=2, cards=(3, 5)).true
    False
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
class ManyCheatCourse:
    """The course of a game, as far as it is recorded.

    Attributes:
        players: Who they are, in turn order; the first begins.
        turns: What was done. Who let a claim pass is among them only at the end: else it follows
            from what was done next.
        settings: What it was played by, where it is not the common rule.
        hands: The ranks that each was dealt, in ascending order, if they are known.
    """

    players: tuple[str, ...]
    turns: tuple[ManyCheatTurn, ...]
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    hands: tuple[tuple[int, ...] | None, ...]

    @property
    def truths(self) -> tuple[bool | None, ...]:
        """For each claim whether it was true, by its cards or by the call; None if not known."""
        found: list[bool | None] = []
        for turn in self.turns:
            if turn.kind == "claim":
                found.append(turn.true)
            elif turn.kind == "call" and found[-1] is None and turn.caught is not None:
                found[-1] = not turn.caught
        return tuple(found)

    @property
    def game(self) -> Game:
        """The game it was played by."""
        return _game(len(self.players), json.dumps(dict(self.settings), sort_keys=True))


@functools.lru_cache(maxsize=64)
def _game(players: int, settings: str) -> Game:
    return cheat_for_many(players=players, **json.loads(settings))
