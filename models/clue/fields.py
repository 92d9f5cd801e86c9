"""The meaning of the fields of a state of Clue, with the bounds of their numbers."""

from __future__ import annotations

from ..state_fields import StateField
from .codes import CardCodes


def fields(players: int, codes: CardCodes, turns: int) -> dict[str, StateField]:
    """The fields of a game at the table; see `walking` for those of the board.

    Args:
        players: How many play.
        codes: The cards by their numbers.
        turns: The most turns of a game.
    """
    return {
        "stage": StateField("what the player has to do: 0 suggest, 1 show a card, 2 accuse", 0, 2),
        "holder": StateField(
            "the player that holds each card; after the last player the case file, then face up",
            0,
            players + 1,
        ),
        "suggester": StateField("the player that suggests or has suggested", 0, players - 1),
        "suggestion": StateField(
            "the number of what was suggested; -1 for nothing", -1, codes.triples - 1
        ),
        "refuter": StateField(
            "the player that shows or has shown a card; -1 for nobody", -1, players - 1
        ),
        "out": StateField("1 for players that have accused wrongly", 0, 1),
        "turn": StateField("turns so far", 0, turns),
        "winner": StateField("the player that has won; -1 for nobody", -1, players - 1),
    }


def walking_fields(
    players: int, codes: CardCodes, turns: int, places: int
) -> dict[str, StateField]:
    """The fields of a game on the board.

    Args:
        players: How many play.
        codes: The cards by their numbers.
        turns: The most turns of a game.
        places: Rooms and squares of the board.
    """
    rooms = codes.rooms
    return {
        "roll": StateField("what was rolled, while the player walks; 0 else", 0, 12),
        "place": StateField("the room or square of each suspect's pawn", 0, places - 1),
        "last": StateField("the room where each player was last; -1 for none", -1, rooms - 1),
        "summoned": StateField("1 if a suggestion has moved a player since their turn", 0, 1),
        **fields(players, codes, turns),
        "stage": StateField(
            "what the player has to do: 0 suggest, 1 show a card, 2 accuse, 3 accuse or not, 4 "
            "begin their turn, 5 walk",
            0,
            5,
        ),
    }
