"""Cheat for two: rules, what a player sees, the paper's abstraction, playouts, and records.

Bitan and Kraus (2018), "Combining prediction of human decisions with ISMCTS in imperfect
information games"; readings of what they leave open are settings of :func:`cheat`.

Suits do not matter: cards of one rank are alike, and a rank is a whole number from 0 (the ace).
With R ranks and S suits there are N = R * S cards.

What is hidden, as columns for ``fill``
    A world is a row of 2 R + 2 N whole numbers:

    ``[0, R)``, ``[R, 2 R)``
        How many cards of each rank the first player has in their hand, and the second.
    ``[2 R, 2 R + N)``
        Ranks of the cards that lie face down on the pile, from bottom to top: the claims since
        the pile was last turned up, both players', in the order they were made, each with as many
        places as it has cards. The order within a claim does not matter. A card that was turned up
        to start the pile is not among them. Places beyond the top of the pile are not read.
    ``[2 R + N, 2 R + 2 N)``
        Ranks of the cards of the deck in the order they will be drawn; -1 leaves a card to
        chance. A belief that says nothing about the deck gives -1 everywhere.

    What the viewer knows is not read: a player's own hand, and the cards of their own claims. The
    rest of the N cards are the deck.

What a belief needs of a view
    :func:`seen_game` gives, from a view, all the viewer knows: own hand, sizes, and every turn
    with its claim and its cards where they saw them (their own, and those of exposed piles).
"""

from ..records.game_files import FileProblem
from .game import action_name, cheat
from .mini import mini_cheat, mini_deals
from .record.files import check_records, read_records, write_records
from .record.record import CheatRecord
from .record.schema import RANK_NAMES, json_schema
from .record.seen import SeenCheat, SeenTurn, seen_game
from .record.turn import Turn
from .state import COLUMNS, STATE, CheatTables, columns_of

__all__ = [
    "COLUMNS",
    "RANK_NAMES",
    "STATE",
    "CheatRecord",
    "CheatTables",
    "FileProblem",
    "SeenCheat",
    "SeenTurn",
    "Turn",
    "action_name",
    "cheat",
    "check_records",
    "columns_of",
    "json_schema",
    "mini_cheat",
    "mini_deals",
    "read_records",
    "seen_game",
    "write_records",
]
