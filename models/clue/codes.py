"""Codes of actions and observations in the compiled game of Clue, by the numbers of cards.

An action is a suggestion, the number of its three cards; a card to show; an accusation; or passing.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Least number that observations are multiples of; more where there are more codes.
LEAST_BASE: Final = 1000


class CardCodes(NamedTuple):
    """The numbers of an edition: handed to kernels as they are.

    A triple's number counts rooms first, then weapons, then suspects. Codes of actions are the
    suggestions from 0, then the cards to show, the accusations, and passing.

    Attributes:
        suspects, weapons, rooms: How many there are.
        cards: How many cards there are.
        triples: How many suggestions.
        show, accuse: The first code to show a card, and to accuse.
        passing: The code of passing.
        showed: What those see of a card shown who do not see which.
        named: int64[triples, 3], the cards of each suggestion: suspect, weapon, room.
        base: An observation of a suggestion is its code, and this times (1 + who must show; -1 for
            nobody). An observation of an accusation is its code, and this if it was right; a player
            who accuses wrongly sees the case file: this times (2 + its code) more.
    """

    suspects: int
    weapons: int
    rooms: int
    cards: int
    triples: int
    show: int
    accuse: int
    passing: int
    showed: int
    base: int
    named: NDArray[np.int64]


def card_codes(suspects: int, weapons: int, rooms: int) -> CardCodes:
    """The codes of a game with so many cards of each category."""
    cards, triples = suspects + weapons + rooms, suspects * weapons * rooms
    passing = 2 * triples + cards
    base = max(LEAST_BASE, passing + 2)
    accuse = triples + cards
    # A card is looked up, which takes less time than to divide by numbers that are not constants.
    first = np.array([0, suspects, suspects + weapons])
    named = np.stack(np.unravel_index(range(triples), (suspects, weapons, rooms)), axis=1) + first
    return CardCodes(
        suspects, weapons, rooms, cards, triples, triples, accuse, passing, passing + 1, base, named
    )
