"""Codes beyond the listed ones: the false cards of a claim, where the claimant names them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...game import States
from .state import (
    ACTIONS,
    CLAIM,
    MOST_CLAIMED,
    cards_of,
    claim_code,
    count_in,
    packed_of,
    rank_in,
    true_in,
)


def many_claim_code(rank: int, cards: Sequence[int]) -> int:
    """The code of a claim with certain cards, in any order.

    >>> from sleuth.games.cheat import many_claim_code, cheat_for_many
    >>> game = cheat_for_many()
    >>> [game.action_name(many_claim_code(rank=6, cards=cards)) for cards in ([6, 6], [6, 2])]
    ['2 of 7, true', '2 of 7 by 7 3']
    """
    false = [card for card in cards if card != rank]
    listed = int(claim_code(rank, len(cards), len(cards) - len(false)))
    return listed + ACTIONS * packed_of(false)


def claim_of(action: int) -> tuple[int, int, int]:
    """A claim's action code taken apart: the rank, its cards, and how many of them have it."""
    listed = action % ACTIONS
    return int(rank_in(listed)), int(count_in(listed)), int(true_in(listed))


def false_cards(action: int) -> tuple[int, ...]:
    """The cards that a code names beyond the listed one, in ascending order."""
    return cards_of(action // ACTIONS)


def listed(states: States, code: int, tables: Any) -> int:
    """The listed action that a code carries out; -1 where it names cards that cannot be laid down.

    They must be as many as are not of the claimed rank, none of it, and in the hand.
    """
    packed, action = divmod(int(code), ACTIONS)
    if packed == 0:
        return action
    if action < CLAIM or packed < 0 or packed >= 16**MOST_CLAIMED:
        return -1
    cards, state = cards_of(packed), states[0]
    rank, count, true = claim_of(action)
    hand = state.hands[int(state.player)].tolist()
    fits = all(0 <= card < len(hand) and cards.count(card) <= hand[card] for card in cards)
    named = len(cards) == count - true and rank not in cards
    return action if fits and named and packed_of(cards) == packed else -1
