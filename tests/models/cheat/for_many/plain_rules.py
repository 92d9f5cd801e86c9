"""Cheat for many a second time, from the rules alone, slowly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Laid:
    by: int
    rank: int
    cards: list[int]

    @property
    def true(self) -> bool:
        return all(card == self.rank for card in self.cards)


@dataclass
class PlainTable:
    """The whole game: `pile` has the claims that lie there, `asked` who may call the last one."""

    settings: Mapping[str, Any]
    hands: list[Counter[int]]
    pile: list[Laid] = field(default_factory=list[Laid])
    asked: list[int] = field(default_factory=list[int])
    claims: int = 0
    player: int = 0
    rank: int | None = None
    winner: int | None = None
    over: bool = False

    def ranks(self) -> set[int]:
        """The ranks that can be claimed now."""
        ranks, order = self.settings["ranks"], self.settings["order"]
        every = set(range(ranks))
        if self.rank is None:
            return {"ascending": {0}, "descending": {ranks - 1}}.get(order, every)
        step = {"ascending": {1}, "descending": {-1}, "near": {-1, 0, 1}, "same": {0}}
        if order == "free" or (order == "same" and not self.pile):
            return every
        return {(self.rank + each) % ranks for each in step[order]}

    def shapes(self) -> set[tuple[int, int, int]]:
        """Rank, cards and true cards of every claim that the hand allows."""
        hand = self.hands[self.player]
        found: set[tuple[int, int, int]] = set()
        for rank in self.ranks():
            for true in range(hand[rank] + 1):
                for false in range(hand.total() - hand[rank] + 1):
                    if 0 < true + false <= self.settings["most_claimed"]:
                        found.add((rank, true + false, true))
        return found

    def claim(self, rank: int, cards: Sequence[int]) -> None:
        assert (rank, len(cards), list(cards).count(rank)) in self.shapes()
        assert not Counter(cards) - self.hands[self.player]
        self.hands[self.player] -= Counter(cards)
        self.pile.append(Laid(self.player, rank, [*cards]))
        self.claims += 1
        self.rank = rank
        players = len(self.hands)
        self.asked = [(self.player + step) % players for step in range(1, players)]
        self.player = self.asked[0]

    def let_stand(self) -> None:
        self.asked.pop(0)
        if self.asked:
            self.player = self.asked[0]
        else:
            self.settle((self.pile[-1].by + 1) % len(self.hands))

    def call(self) -> None:
        last, caller = self.pile[-1], self.player
        right, taker = (last.by, caller) if last.true else (caller, last.by)
        for laid in self.pile:
            self.hands[taker].update(laid.cards)
        self.pile, self.asked = [], []
        leads = {"next": (last.by + 1) % len(self.hands), "right": right, "taker": taker}
        self.settle(leads[self.settings["leads"]], last.by)

    def settle(self, leader: int, claimant: int | None = None) -> None:
        by = self.pile[-1].by if claimant is None else claimant
        self.player = leader
        if not self.hands[by].total():
            self.winner, self.over = by, True
        self.over = self.over or self.claims == self.settings["limit"]
