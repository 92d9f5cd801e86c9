"""The meaning of the fields of a state of Saboteur, with the bounds of their numbers."""

from __future__ import annotations

from math import ceil, floor
from typing import Final

from ..state_fields import StateField
from .state import CARDS, FACE_DOWN, GOALS, KINDS, LAID

#: Players in one number, as bits, with the role card that is left over.
_PLAYERS: Final = 2**11 - 1


def fields(lowest: float, highest: float) -> dict[str, StateField]:
    """The fields of a game in which a player wins between ``lowest`` and ``highest``."""
    return {
        "turn": StateField("cards played or discarded in this round", 0, CARDS),
        "starter": StateField("the player that began the round", 0, 9),
        "board": StateField(
            "what lies on each cell: 0 nothing, else 1 + 2 * the piece, and 1 more if it is turned",
            0,
            max(LAID, FACE_DOWN),
        ),
        "reached": StateField("1 where a card's ways are joined to the start", 0, 1),
        "goals": StateField("the card of each goal: 0 the gold, 1 and 2 stones", 0, GOALS - 1),
        "looked": StateField("goals that each player has looked at, as bits", 0, 2**GOALS - 1),
        "claims": StateField(
            "the last word of each player on each goal: 0 none, 1 gold, 2 stone", 0, 2
        ),
        "saying": StateField(
            "the goal + 1 of which the player may speak now; 0 for none", 0, GOALS
        ),
        "broken": StateField("broken tools of each player, as bits", 0, 7),
        "roles": StateField(
            "the role of each player, and of the card left over: 1 a saboteur", 0, 1
        ),
        "hands": StateField(
            "the kinds of cards in each hand, in order; -1 for none", -1, KINDS - 1
        ),
        "deck": StateField("the kinds of cards in the deck, the top one last", -1, KINDS - 1),
        "left": StateField("cards left to draw", 0, CARDS),
        "thrown": StateField("the kind discarded in each turn; -1 for none", -1, KINDS - 1),
        "used": StateField("how many cards of each kind were played", 0, CARDS),
        "passed": StateField("discards in a row since the deck is empty", 0, CARDS),
        "winner": StateField(
            "the winners of the last round: 1 miners, 2 saboteurs, 0 nobody", 0, 2
        ),
        "last": StateField(
            "the saboteurs of the last round, as bits; -1 before its end", -1, _PLAYERS
        ),
        "rounds_played": StateField("rounds that are over", 0, 3),
        "gold_left": StateField("gold cards left with 1, 2 and 3 nuggets", 0, 16),
        "won": StateField("each player's winnings", min(0, floor(lowest)), max(0, ceil(highest))),
    }
