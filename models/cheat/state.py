"""The state of Cheat, its action codes, and the settings its kernels get."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ..kernels.kernel import kernel
from ..settings import numbers

MOST_RANKS: Final = 13
MOST_CARDS: Final = 52
MOST_TURNS: Final = 200
MOST_CLAIMED: Final = 4

# Actions: the paper's 18, section 4.4. A claim is 2 + 8 * lower + 4 * false + (cards - 1). A person
# may say besides which cards a false claim lays down: this + 18 * the cards, see `packed_with`.
CALL: Final = 0
TAKE: Final = 1
CLAIM: Final = 2
ACTIONS: Final = 18
#: What everybody sees of an action: `CALL`, `TAKE`, or 2 + 4 * lower + (cards - 1).
PUBLIC_ACTIONS: Final = 10

#: What `state.winner` says.
NOBODY: Final = 0

# Everything is public while the game goes on but the hands, the deck, and the cards of claims
# that were not exposed.
#   turn: actions so far. hands: cards of each rank. sizes: of the hands.
#   deck: ranks; the next card to be drawn is at `left` - 1, and -1 stands beyond. left: its size.
#   pile: its size. first: the rank of the card that was turned up at the start.
#   rank: the last claimed rank. rank_before: the one before it.
#   since: the turn after the last call; claims from there on lie face down on the pile.
#   log: what everybody saw of each turn, see `entry`; -1 for turns to come.
#   cards: of each claim, see `packed_with`; 0 for turns without.
#   claimed: how often a player has claimed a rank since the last call.
#   caught: how often a player was caught on a rank; catches: on any.
#   collected: cards of each rank that a player took up with a pile, as far as they have not claimed
#     to lay down such cards since: what everybody can keep in mind of a hand. collected_before: how
#     many of the rank claimed last the claimant had so collected before that claim.
#   winner: a player's number + 1; 0 for nobody.
STATE: Final = np.dtype(
    [
        *numbers("player", "turn"),
        *numbers("hands", shape=(2, MOST_RANKS)),
        *numbers("sizes", shape=(2,)),
        *numbers("deck", shape=(MOST_CARDS,)),
        *numbers("left", "pile", "first", "rank", "rank_before", "since"),
        *numbers("log", "cards", shape=(MOST_TURNS,)),
        *numbers("claimed", "caught", shape=(2, MOST_RANKS)),
        *numbers("catches", shape=(2,)),
        *numbers("collected", shape=(2, MOST_RANKS)),
        *numbers("collected_before", "winner"),
    ]
)

# The settings, see `cheat` in game.py; `limit` is the most actions in a game.
#   frequencies: how often people take each action, for playouts; uniform: 1 to spread what is not
#     legal evenly, 0 in proportion.
RULES: Final = np.dtype(
    [
        *numbers("ranks", "suits", "hand", "limit", "most", "aside", "valid"),
        *numbers("call_winner", "passes", "second_wins", "mixed", "any_cards", "lowest_first"),
        *numbers("uniform"),
        ("frequencies", np.float64, (ACTIONS,)),
    ],
    align=True,
)


class CheatTables(NamedTuple):
    """The settings, as a record in an array of one.

    Attributes:
        rules: One record of type ``RULES``.
    """

    rules: Any


def columns_of(ranks: int, suits: int) -> int:
    """The number of columns of a world for ``fill``."""
    return 2 * ranks + 2 * ranks * suits


COLUMNS: Final = columns_of(MOST_RANKS, 4)


@kernel(allocates=False, inline="late")
def claim_code(lower: int, false: int, count: int) -> int:
    """The action code of a claim of 1 to 4 cards; ``lower`` and ``false`` are 0 or 1."""
    return CLAIM + 8 * lower + 4 * false + count - 1


def claim_of(action: int) -> tuple[bool, bool, int]:
    """A claim's action code taken apart: whether it is lower and false, and its count of cards."""
    return action >= CLAIM + 8, (action - CLAIM) // 4 % 2 == 1, (action - CLAIM) % 4 + 1


@kernel(allocates=False, inline="late")
def public_code(action: int) -> int:
    """The code of an action as everybody sees it: a claim without its truth."""
    if action < CLAIM:
        return action
    return CLAIM + 4 * ((action - CLAIM) // 8) + (action - CLAIM) % 4


@kernel(allocates=False, inline="late")
def entry(mover: int, public: int, rank: int) -> int:
    """A turn in ``log``: who did what, and the rank last claimed when it was done."""
    return mover + 2 * public + 2 * PUBLIC_ACTIONS * rank


@kernel(allocates=False, inline="late")
def mover_of(logged: int) -> int:
    """The player who made a turn in ``log``."""
    return logged % 2


@kernel(allocates=False, inline="late")
def public_of(logged: int) -> int:
    """The code of a turn in ``log`` as everybody saw it."""
    return logged // 2 % PUBLIC_ACTIONS


@kernel(allocates=False, inline="late")
def rank_of(logged: int) -> int:
    """The rank claimed in a turn in ``log``, or before it by the claim that counts."""
    return logged // (2 * PUBLIC_ACTIONS)


@kernel(allocates=False, inline="late")
def is_claim(logged: int) -> bool:
    """True if a turn in ``log`` is a claim."""
    return logged >= 0 and public_of(logged) >= CLAIM


@kernel(allocates=False, inline="late")
def count_of(logged: int) -> int:
    """The number of cards that were laid down in a turn in ``log`` that is a claim."""
    return (public_of(logged) - CLAIM) % 4 + 1


@kernel(allocates=False)
def packed_with(packed: int, rank: int) -> int:
    """Up to four cards with one more: rank + 1 in four bits each, the greatest lowest."""
    above = 0
    shift = 0
    rest = packed
    while rest > 0 and (rest & 15) > rank + 1:
        above |= (rest & 15) << shift
        shift += 4
        rest >>= 4
    return above | ((rank + 1) << shift) | (rest << (shift + 4))


@kernel(allocates=False, inline="late")
def packed_count(packed: int, rank: int) -> int:
    """The number of packed cards that have a rank."""
    count = 0
    while packed > 0:
        if (packed & 15) == rank + 1:
            count += 1
        packed >>= 4
    return count
