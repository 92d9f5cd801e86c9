"""The answers to a suggestion of Clue, by who holds the cards named and by the house rules."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ....models.clue.house_rules import HouseRules
from ...arrays.layout import Floats

Shows = Callable[[str, tuple[str, ...]], Mapping[str, float]]
"""(player, cards named that they hold) -> {card: P(they show it)}"""


class Answers:
    """All answers that a suggestion can have, and how likely each is in every deal.

    Args:
        rules: The house rules.
        asked: The players who are asked, in turn order.
        cards: The cards named.
        shows: Which card a player shows.

    Attributes:
        outcomes: ``(player, card)``, and ``(None, None)`` if nobody can show one; where all show
            who can, a tuple of such pairs in turn order, empty if nobody can.
    """

    def __init__(
        self, rules: HouseRules, asked: Sequence[str], cards: Sequence[str], shows: Shows
    ) -> None:
        self.asked, self.cards = tuple(asked), tuple(cards)
        self._everybody, self._shows = rules.everybody_shows, shows
        pairs = itertools.product(self.asked, self.cards)
        self.outcomes: list[Any] = [*pairs, (None, None)]
        if self._everybody:
            self.outcomes = [*map(tuple, self._together())]

    def _together(self) -> list[tuple[tuple[str, str], ...]]:
        """All that can be shown by some of those who are asked, one card each."""
        return [
            tuple(zip(players, shown, strict=True))
            for count in range(min(len(self.asked), len(self.cards)) + 1)
            for players in itertools.combinations(self.asked, count)
            for shown in itertools.permutations(self.cards, count)
        ]

    @cached_property
    def chances(self) -> Floats:
        """P(answer | who holds the cards); shape (patterns, outcomes).

        A pattern is made of the turns of the holders, see `patterns`.
        """
        nobody = len(self.asked)
        place = {outcome: number for number, outcome in enumerate(self.outcomes)}
        found = np.zeros(((nobody + 1) ** len(self.cards), len(self.outcomes)))
        every = itertools.product(range(nobody + 1), repeat=len(self.cards))
        for pattern, turns in enumerate(every):
            showing = sorted({*turns} - {nobody})
            if not self._everybody:
                showing = showing[:1]
            shares = [
                self._shows(
                    self.asked[turn],
                    tuple(c for c, t in zip(self.cards, turns, strict=True) if t == turn),
                )
                for turn in showing
            ]
            names = [self.asked[turn] for turn in showing]
            for shown in itertools.product(*(share.items() for share in shares)):
                pairs = tuple(zip(names, (card for card, _ in shown), strict=True))
                outcome: Any = pairs
                if not self._everybody:
                    outcome = pairs[0] if pairs else (None, None)
                found[pattern, place[outcome]] = math.prod(share for _, share in shown)
        return found

    def patterns(self, turns: Any) -> Any:
        """The rows of `chances`, by the turn of the holder of each card.

        Args:
            turns: How many are asked before the holder; for others the number of those asked. An
                array of any shape for each card.
        """
        found = np.zeros_like(turns[0], dtype=np.int64)
        for turn in turns:
            found = found * (len(self.asked) + 1) + turn
        return found


def at_random(rules: HouseRules, asked: Sequence[str], cards: Sequence[str]) -> Answers:
    """The answers of players who show any of the cards that they could show, equally likely."""
    return Answers(rules, asked, cards, lambda player, held: dict.fromkeys(held, 1.0 / len(held)))
