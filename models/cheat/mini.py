"""Cheat with eight cards, small enough to be written out: for exact best responses."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..game import Game
from .game import cheat

RANKS: Final = 4
SUITS: Final = 2
HAND: Final = 2
ROUNDS: Final = 5


def mini_cheat(rounds: int = ROUNDS) -> Game:
    """Four ranks in two suits, hands of two, and no chance after the deal.

    Ties of a lie fall on the lowest rank. With five rounds there are 10,872 information sets in
    545,304 histories, for each card that can be turned up.

    Args:
        rounds: At most 10.

    >>> import sleuth
    >>> from sleuth.games.cheat import mini_cheat
    >>> sleuth.Play.new(mini_cheat(), seed=1).view(0).states[0].hands[0].tolist()
    [0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    """
    return cheat(ranks=RANKS, suits=SUITS, hand=HAND, rounds=rounds, ties="lowest")


def mini_deals(game: Game) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """All deals of `mini_cheat` with the card turned up that ``game.initial(0)`` has.

    Returns:
        Worlds for ``fill``, with the order of the deck; and how often each comes about. For
        ``GameTree(game, rows=worlds, weights=shares)``.
    """
    first = int(game.initial(0)[0].first)
    rest = [rank for rank in range(RANKS) for _ in range(SUITS)]
    rest.remove(first)
    deals = Counter(
        (tuple(sorted(order[:HAND])), tuple(sorted(order[HAND : 2 * HAND])), order[2 * HAND :])
        for order in permutations(rest)
    )
    worlds = np.full((len(deals), game.columns or 0), -1, dtype=np.int16)
    for row, (one, other, deck) in zip(worlds, deals, strict=True):
        row[:RANKS] = np.bincount(one, minlength=RANKS)
        row[RANKS : 2 * RANKS] = np.bincount(other, minlength=RANKS)
        start = 2 * RANKS + RANKS * SUITS
        row[start : start + len(deck)] = deck
    shares = np.array(list(deals.values()), dtype=np.float64)
    return worlds, shares / shares.sum()
