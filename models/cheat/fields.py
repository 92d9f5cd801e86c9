"""The meaning of the fields of Cheat's state, with the bounds of their numbers in any setting."""

from __future__ import annotations

from typing import Final

from ..state_fields import StateField
from .state import MOST_CARDS, MOST_RANKS, MOST_TURNS, PUBLIC_ACTIONS

_CLAIMED: Final = 0x10000 - 1

FIELDS: Final = {
    "turn": StateField("actions so far", 0, MOST_TURNS),
    "hands": StateField("each player's cards of each rank", 0, 4),
    "sizes": StateField("the number of cards in each hand", 0, MOST_CARDS),
    "deck": StateField(
        "ranks of the deck's cards, the top one last; -1 beyond", -1, MOST_RANKS - 1
    ),
    "left": StateField("the number of cards in the deck", 0, MOST_CARDS),
    "pile": StateField("the number of cards on the pile", 0, MOST_CARDS),
    "first": StateField("the rank of the card turned up at the start", 0, MOST_RANKS - 1),
    "rank": StateField("the last claimed rank", 0, MOST_RANKS - 1),
    "rank_before": StateField("the rank claimed before it", 0, MOST_RANKS - 1),
    "since": StateField("the turn after the last call", 0, MOST_TURNS),
    "log": StateField(
        "what everybody saw of each turn: the player, and twice the action, and 20 times the rank; "
        "-1 for turns to come",
        -1,
        2 * PUBLIC_ACTIONS * MOST_RANKS - 1,
    ),
    "cards": StateField("the cards of each claim, rank + 1 in four bits each", 0, _CLAIMED),
    "claimed": StateField(
        "how often each player claimed a rank since the last call", 0, MOST_TURNS
    ),
    "caught": StateField("how often each player was caught on a rank", 0, MOST_TURNS),
    "catches": StateField("how often each player was caught", 0, MOST_TURNS),
    "collected": StateField("cards that each player is known to have taken up", 0, 4),
    "collected_before": StateField("those of the last claimed rank before the claim", 0, 4),
    "winner": StateField("the number of the winner, from 1; 0 for nobody", 0, 2),
}
