"""Cards in kernels: decks hold what they are said to hold, and hands stay in order."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sleuth.games.saboteur import saboteur
from sleuth.kit import generator
from sleuth.models.kernels.cards import NO_CARD, give, lay_out, next_card, set_all, shuffle, take

COUNTS = np.array([3, 0, 2, 1], dtype=np.int32)


def test_a_deck_is_laid_out_by_kinds_and_shuffled_as_far_as_it_goes() -> None:
    deck = np.full(8, NO_CARD, dtype=np.int32)
    assert lay_out(COUNTS, deck) == 6
    assert deck.tolist() == [0, 0, 0, 2, 2, 3, NO_CARD, NO_CARD]
    shuffle(deck, 6, generator(1))
    assert Counter(deck.tolist()) == {0: 3, 2: 2, 3: 1, NO_CARD: 2}
    assert deck[6:].tolist() == [NO_CARD, NO_CARD]


def test_every_order_is_as_likely() -> None:
    random, found = generator(4), Counter[tuple[int, ...]]()
    for _ in range(6_000):
        cards = np.arange(3, dtype=np.int32)
        shuffle(cards, 3, random)
        found[tuple(cards.tolist())] += 1
    assert len(found) == 6
    # 5 degrees of freedom: more than 25.7 in one of 10,000 tries.
    assert sum((count - 1_000) ** 2 / 1_000 for count in found.values()) < 25.7


def test_a_hand_stays_in_order_whatever_comes_and_goes() -> None:
    rng = np.random.default_rng(3)
    hand, held = np.zeros(6, dtype=np.int32), list[int]()
    set_all(hand, NO_CARD)
    for _ in range(300):
        if held and (len(held) == len(hand) or rng.random() < 0.5):
            card = int(rng.choice(held))
            held.remove(card)
            give(hand, card)
        else:
            card = int(rng.integers(5))
            held.append(card)
            take(hand, card)
        assert hand.tolist() == sorted(held) + [NO_CARD] * (len(hand) - len(held))


def test_the_last_card_of_a_deck_is_drawn_first() -> None:
    state = saboteur().initial(1)[0]
    deck = state.deck[: state.left].tolist()
    assert [next_card(state) for _ in range(3)] == deck[:-4:-1]
    assert state.left == len(deck) - 3
    assert state.deck[state.left :].max() == NO_CARD
