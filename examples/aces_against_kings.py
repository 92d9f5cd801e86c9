"""Poker before the flop: how often do two aces beat two kings?

Five of the 48 other cards will lie on the table. Every one of the 1,712,304 boards is looked at,
in NumPy, and the belief says how likely each is: here all alike, and not after anything was seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth import Deal, Model, any_of, infer

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
ACES, KINGS = ["As", "Ah"], ["Kd", "Kc"]
REST = [card for card in DECK if card not in (*ACES, *KINGS)]

Hands = NDArray[np.int64]

#: For every set of ranks, as bits: its best, its best five, and the rank of its best straight or 0.
SETS = np.arange(1 << len(RANKS))
TOP = np.zeros_like(SETS)
STRAIGHT = np.zeros_like(SETS)
FIVE = SETS.copy()
AROUND = SETS << 1 | SETS >> len(RANKS) - 1  # an ace lies below a two, too
for rank in range(len(RANKS)):
    TOP[1 << rank : 2 << rank] = 1 << rank
    STRAIGHT[AROUND >> rank & 31 == 31] = rank + 1
for _ in range(2):
    FIVE[:] = np.where(np.bitwise_count(FIVE) > 5, FIVE & FIVE - 1, FIVE)


def best(ranks: Hands, number: int) -> Hands:
    """The highest so many of some sets of ranks."""
    left, found = ranks, np.zeros_like(ranks)
    for _ in range(number):
        found, left = found | TOP[left], left ^ TOP[left]
    return found


def strength(cards: Hands) -> Hands:
    """A number for the best five of seven cards of every row: a better hand has a larger one."""
    bits, suit = 1 << cards // 4, cards % 4
    a, b, c, d = ((bits * (suit == number)).sum(axis=1) for number in range(4))
    every, four = a | b | c | d, a & b & c & d
    three = (a & b & (c | d) | c & d & (a | b)) ^ four
    two = (a & b | c & d | (a | b) & (c | d)) ^ three ^ four
    flush = sum(np.where(np.bitwise_count(held) > 4, held, 0) for held in (a, b, c, d))
    triple, pair = TOP[three], TOP[two]
    full, pairs = TOP[three ^ triple | two], best(two, 2)
    nothing = np.zeros_like(every)
    # What a hand is, the ranks that make it so, and those that count after them; the best first.
    kinds: list[tuple[Any, Hands, Hands]] = [
        (STRAIGHT[flush] > 0, STRAIGHT[flush], nothing),
        (four > 0, four, TOP[every ^ four]),
        ((triple > 0) & (full > 0), triple, full),
        (flush > 0, FIVE[flush], nothing),
        (STRAIGHT[every] > 0, STRAIGHT[every], nothing),
        (triple > 0, triple, best(every ^ triple, 2)),
        (pairs != pair, pairs, TOP[every & ~pairs]),
        (pair > 0, pair, best(every ^ pair, 3)),
        (every > 0, FIVE[every], nothing),
    ]
    values = [
        (len(kinds) - place << 26) + (main << 13) + rest
        for place, (_, main, rest) in enumerate(kinds)
    ]
    return np.select([holds for holds, _, _ in kinds], values)


NUMBERS = np.array([DECK.index(card) for card in REST])


def difference(boards: Hands) -> Hands:
    """Above 0 where the aces win, below where the kings do."""
    both: list[Hands] = []
    for hand in (ACES, KINGS):
        own = np.tile([DECK.index(card) for card in hand], (len(boards), 1))
        both.append(strength(np.concatenate([NUMBERS[boards], own], axis=1)))
    return both[0] - both[1]


table = Deal(REST, holders={"board": 5, "stub": len(REST) - 5})
board = table.which("board", REST)
belief = infer(Model(table))

if __name__ == "__main__":
    hearts = [card for card in REST if card.endswith("h")]
    print(f"five hearts: {belief.probability(table.count('board', hearts).equals(5)):.6f}")
    alike = any_of(
        table.count("board", [card for card in REST if card[0] == rank]).at_least(2)
        for rank in RANKS
    )
    print(f"a pair or more on the board: {belief.probability(alike):.4f}")
    for words, sign in (("aces", 1), ("kings", -1)):

        def won(boards: Hands, sign: int = sign) -> NDArray[np.bool_]:
            return sign * difference(boards) > 0

        share = belief.probability(board.satisfies(won, at_once=True))
        print(f"{words} win: {share:.6f}")
