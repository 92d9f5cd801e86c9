"""Cheat a second time, from the rules alone, slowly: with the default settings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sleuth.models.cheat import action_name

RANKS = 13


def apart(one: int, other: int) -> int:
    return next(step for step in range(RANKS) if other in ((one + step) % 13, (one - step) % 13))


@dataclass
class Laid:
    by: int
    rank: int
    cards: list[int]

    @property
    def true(self) -> bool:
        return set(self.cards) == {self.rank}


@dataclass
class PlainGame:
    """The whole game. `pile` has the claims since the last call, `loose` what lies under them."""

    hands: list[Counter[int]]
    deck: list[int]
    first: int
    pile: list[Laid] = field(default_factory=list[Laid])
    loose: list[int] = field(default_factory=list[int])
    history: list[str] = field(default_factory=list[str])
    player: int = 0
    rank: int = 0
    winner: int | None = None
    over: bool = False

    def __post_init__(self) -> None:
        self.rank = self.first
        self.loose = [self.first]

    def legal(self) -> set[str]:
        found: set[str] = set()
        if self.history and self.history[-1] not in ("call", "take"):
            found.add("call")
        if self.deck:
            found.add("take")
        hand = self.hands[self.player]
        for word, rank in self.claims().items():
            found |= {f"{word} true {k}" for k in range(1, min(hand[rank], 4) + 1)}
            others = hand.total() - hand[rank]
            found |= {f"{word} false {k}" for k in range(1, min(others, 4) + 1)}
        return found

    def claims(self) -> dict[str, int]:
        return {"higher": (self.rank + 1) % RANKS, "lower": (self.rank - 1) % RANKS}

    def move(self, action: int, cards: list[int]) -> None:
        """Make a move; `cards` are what a claim laid down."""
        name = action_name(action)
        assert name in self.legal()
        me, other = self.player, 1 - self.player
        cornered = self.hands[other].total() == 0
        lied = False
        if name == "call":
            lied = not self.pile[-1].true
            loser = other if lied else me
            for laid in self.pile:
                self.hands[loser].update(laid.cards)
            self.hands[loser].update(self.loose)
            self.pile, self.loose = [], []
        elif name == "take":
            self.hands[me][self.deck.pop(0)] += 1
        else:
            word, truth, count = name.split()
            rank = self.claims()[word]
            assert len(cards) == int(count)
            if truth == "true":
                assert set(cards) == {rank}
            else:
                self.check_lie(cards, rank)
            self.hands[me].subtract(cards)
            assert min(self.hands[me].values()) >= 0
            self.pile.append(Laid(me, rank, cards))
            self.rank = rank
        self.history.append(name)
        self.player = other
        sizes = [hand.total() for hand in self.hands]
        if cornered and not lied:
            self.over, self.winner = True, other
        elif len(self.history) == 100:
            self.over = True
            if sizes[0] != sizes[1]:
                self.winner = sizes.index(min(sizes))

    def check_lie(self, cards: list[int], claimed: int) -> None:
        """The cards farthest from the current rank, and none of the claimed one."""
        assert claimed not in cards
        kept = +(self.hands[self.player] - Counter(cards))
        nearest_laid = min(apart(card, self.rank) for card in cards)
        assert all(apart(card, self.rank) <= nearest_laid for card in kept if card != claimed)
