"""Cards in kernels: decks that are shuffled and drawn from, and hands that stay in order.

A card is the number of its kind; where an array has none, it has `NO_CARD`.
"""

# pyright: reportArgumentType=false

from __future__ import annotations

from typing import Any, Final

from .kernel import kernel
from .randomness import Generator, below

#: In place of a card where there is none.
NO_CARD: Final = -1


@kernel(allocates=False)
def set_all(values: Any, value: int) -> None:
    """Every number of an array is this one. (Assigning to a slice takes long to compile.)

    >>> import numpy as np
    >>> from sleuth.kit import NO_CARD, set_all
    >>> hand = np.zeros(3, np.int32)
    >>> set_all(hand, NO_CARD)
    >>> hand.tolist()
    [-1, -1, -1]
    """
    for place in range(len(values)):
        values[place] = value


@kernel(allocates=False)
def shuffle(cards: Any, count: int, random: Generator) -> None:
    """The first ``count`` numbers in any order.

    >>> import numpy as np
    >>> from sleuth.kit import generator, shuffle
    >>> deck = np.arange(6)
    >>> shuffle(deck, 5, generator(1))
    >>> deck.tolist()
    [4, 2, 0, 3, 1, 5]
    """
    for place in range(count - 1, 0, -1):
        other = below(random, place + 1)
        card = cards[other]
        cards[other] = cards[place]
        cards[place] = card


@kernel(allocates=False)
def lay_out(counts: Any, cards: Any) -> int:
    """Write every kind of card as often as ``counts`` says, in order; how many cards there are.

    >>> import numpy as np
    >>> from sleuth.kit import lay_out
    >>> deck = np.zeros(4, np.int32)
    >>> lay_out(np.array([2, 0, 1]), deck), deck.tolist()
    (3, [0, 0, 2, 0])
    """
    found = 0
    for kind in range(len(counts)):
        for _ in range(counts[kind]):
            cards[found] = kind
            found += 1
    return found


@kernel(allocates=False, inline="late")
def next_card(state: Any) -> int:
    """The next card leaves ``state.deck``, which has ``state.left`` cards; the last one first.

    >>> from types import SimpleNamespace
    >>> from sleuth.kit import next_card
    >>> state = SimpleNamespace(deck=[7, 8, 9], left=3)
    >>> next_card(state), state.left, state.deck
    (9, 2, [7, 8, -1])
    """
    state.left -= 1
    card = state.deck[state.left]
    state.deck[state.left] = NO_CARD
    return card


@kernel(allocates=False)
def take(hand: Any, kind: int) -> None:
    """A card goes to a hand, which stays in order and has room for it.

    >>> from sleuth.kit import NO_CARD, take
    >>> hand = [2, 5, NO_CARD]
    >>> take(hand, 3)
    >>> hand
    [2, 3, 5]
    """
    slot = 0
    while hand[slot] != NO_CARD and hand[slot] <= kind:
        slot += 1
    while kind != NO_CARD:
        moved = hand[slot]
        hand[slot] = kind
        kind = moved
        slot += 1


@kernel(allocates=False)
def give(hand: Any, kind: int) -> None:
    """A card leaves a hand that has it.

    >>> from sleuth.kit import give
    >>> hand = [2, 3, 5]
    >>> give(hand, 3)
    >>> hand
    [2, 5, -1]
    """
    slot = 0
    while hand[slot] != kind:
        slot += 1
    while slot + 1 < len(hand):
        hand[slot] = hand[slot + 1]
        slot += 1
    hand[slot] = NO_CARD
