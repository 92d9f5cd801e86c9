"""The meaning of the fields of a state of Scotland Yard, with the bounds of their numbers."""

from __future__ import annotations

from ..state_fields import StateField
from .state import BITS, MOST_ROUNDS, MOST_SEEKERS, TICKETS


def fields(tickets: int, doubles: int) -> dict[str, StateField]:
    """The fields of a game.

    Args:
        tickets: The most tickets of one kind that anybody can have.
        doubles: The hider's double moves.
    """
    return {
        "stations": StateField(
            "the station of the hider, then of each detective; 0 for none", 0, 199
        ),
        "tickets": StateField("each player's tickets: taxi, bus, underground, black", 0, tickets),
        "doubles": StateField("double moves that the hider has left", 0, doubles),
        "doubling": StateField("1 while the second half of a double move is due", 0, 1),
        "turn": StateField("moves of the hider so far", 0, MOST_ROUNDS),
        "log": StateField(
            "the ticket of each move of the hider; -1 before it", -1, len(TICKETS) - 1
        ),
        "surfaced": StateField("the station where the hider was shown last; 0 for none", 0, 199),
        "surfaced_turn": StateField("the move after which they were", 0, MOST_ROUNDS),
        "won": StateField("the winner: 1 the hider, 2 the detectives, 0 nobody yet", 0, 2),
        "captor": StateField("the detective that caught the hider; 0 for none", 0, MOST_SEEKERS),
        "possible": StateField(
            f"stations where the hider can be, as bits, {BITS} in a number", 0, 2**BITS - 1
        ),
    }
