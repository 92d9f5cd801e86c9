"""Codes beyond the listed ones: the cards of a false claim, where the claimant names them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..game import States
from .rules import neighbour
from .state import ACTIONS, CLAIM, claim_of, packed_with


def chosen_code(action: int, cards: Sequence[int]) -> int:
    """The code of a false claim with certain cards.

    Args:
        action: The claim's listed code.
        cards: Their ranks, in any order.
    """
    packed = 0
    for rank in cards:
        packed = int(packed_with(packed, rank))
    return action + ACTIONS * packed


def unpacked(packed: int) -> list[int]:
    """Ranks that were packed into a number, the greatest first."""
    found: list[int] = []
    while packed > 0:
        found.append((packed & 15) - 1)
        packed >>= 4
    return found


def listed(states: States, code: int, tables: Any) -> int:
    """The listed action that a code carries out; -1 where it names cards that cannot be laid down.

    They must be as many as are claimed, in the hand, and not all of the claimed rank; none of it
    where the game's ``false_claim`` is ``none``.
    """
    packed, action = divmod(int(code), ACTIONS)
    if packed == 0:
        return action
    cards, state, rules = unpacked(packed), states[0], tables.rules[0]
    lower, false, count = claim_of(action)
    if action < CLAIM or not false or len(cards) != count or packed < 0:
        return -1
    hand = state.hands[int(state.player)].tolist()
    claimed = int(neighbour(int(state.rank), int(lower), tables))
    named = cards.count(claimed)
    fits = all(0 <= rank < len(hand) and cards.count(rank) <= hand[rank] for rank in cards)
    true = named == count or (named > 0 and not rules.mixed)
    return action if fits and not true and chosen_code(action, cards) == code else -1
