"""Cheat for three to six players (also BS, Bluff, I Doubt It): rules, and what a player sees.

The whole pack is dealt out, every claim can be called by the others in turn order, and who is wrong
takes the pile. Suits do not matter; a rank is a whole number from 0 (the ace).

What is hidden, as columns for ``fill``
    A world is a row of P R + N whole numbers, for P players, R ranks and N cards:

    ``[0, P R)``
        How many cards of each rank each player has in their hand, player by player.
    ``[P R, P R + N)``
        Ranks of the cards that lie face down on the pile, from bottom to top, each claim with as
        many places as it has cards. The order within a claim does not matter. Places beyond the
        top of the pile are not read.

    What the viewer knows is not read: their own hand, and the cards of their own claims.

What a belief needs of a view
    :func:`seen_many_cheat` gives, from a view, all the viewer knows: own hand, sizes, and every
    claim with who called it, and its cards where they have seen them.
"""

from .chosen import claim_of, many_claim_code
from .game import cheat_for_many
from .seen import SeenClaim, SeenManyCheat, seen_many_cheat
from .state import columns_of
from .words import action_name

__all__ = [
    "SeenClaim",
    "SeenManyCheat",
    "action_name",
    "cheat_for_many",
    "claim_of",
    "columns_of",
    "many_claim_code",
    "seen_many_cheat",
]
