"""The meaning of the fields of the state, with the bounds of their numbers in any setting."""

from __future__ import annotations

from typing import Final

from ...state_fields import StateField
from .state import MOST_CARDS, MOST_CLAIMED, MOST_PLAYERS, MOST_RANKS, MOST_TURNS

#: Cards of one rank.
_COPIES: Final = MOST_CARDS // MOST_RANKS
#: Calls in a game.
_CALLS: Final = MOST_TURNS

FIELDS: Final = {
    "turn": StateField("claims so far", 0, MOST_TURNS),
    "hands": StateField("each player's cards of each rank", 0, _COPIES),
    "sizes": StateField("the number of cards in each hand", 0, MOST_CARDS),
    "claimant": StateField(
        "the player whose claim the others are asked about; -1 while one has to claim",
        -1,
        MOST_PLAYERS - 1,
    ),
    "rank": StateField("the last claimed rank; -1 before the first", -1, MOST_RANKS - 1),
    "since": StateField("the first claim on the pile", 0, MOST_TURNS),
    "pile": StateField("the number of cards on the pile", 0, MOST_CARDS),
    "log": StateField(
        "every claim: the player, and 6 times the rank, and 78 times one less than the cards; -1 "
        "for claims to come",
        -1,
        MOST_PLAYERS * MOST_RANKS * MOST_CLAIMED - 1,
    ),
    "callers": StateField("the player that called each claim; -1 for none", -1, MOST_PLAYERS - 1),
    "shown": StateField("1 where everybody has seen the cards of a claim", 0, 1),
    "cards": StateField(
        "the cards of each claim, rank + 1 in four bits each", 0, 16**MOST_CLAIMED - 1
    ),
    "knows": StateField(
        "the cards in each hand of which each player, and last everybody, knew when the pile began",
        0,
        _COPIES,
    ),
    "forgot": StateField("1 where there was more to know than that", 0, 1),
    "caught": StateField("how often a claim of each player was called and false", 0, _CALLS),
    "cleared": StateField("how often one was called and true", 0, _CALLS),
    "right": StateField("how often each player called a false claim", 0, _CALLS),
    "wrong": StateField("how often they called a true one", 0, _CALLS),
    "winner": StateField("the player that has won; -1 for nobody", -1, MOST_PLAYERS - 1),
}
