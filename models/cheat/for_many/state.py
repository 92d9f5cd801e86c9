"""The state of Cheat for many, its action codes, and the settings its kernels get."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ...kernels.kernel import kernel
from ...settings import numbers

MOST_PLAYERS: Final = 6
MOST_RANKS: Final = 13
MOST_PACKS: Final = 3
MOST_CARDS: Final = 4 * MOST_RANKS * MOST_PACKS
#: Two packs have eight cards of a rank, and no more can be claimed at once with three.
MOST_CLAIMED: Final = 8
#: Most claims in a game.
MOST_TURNS: Final = 400

# Actions: a claim says a rank and a number of cards, and how many of these have the rank. Which
# others are laid down the game chooses (see `chosen_lie`), or a code beyond the listed ones says:
# this + ACTIONS * the cards that have not the rank, see `packed_with`.
CALL: Final = 0
PASS: Final = 1
CLAIM: Final = 2
#: Numbers of cards with numbers of true ones among them: 1 with 0 or 1, 2 with 0 to 2, and so on.
SHAPES: Final = MOST_CLAIMED * (MOST_CLAIMED + 3) // 2
ACTIONS: Final = CLAIM + MOST_RANKS * SHAPES
#: What everybody sees of an action: `CALL`, `PASS`, or `CLAIM` + rank * MOST_CLAIMED + cards - 1.
PUBLIC_ACTIONS: Final = CLAIM + MOST_RANKS * MOST_CLAIMED

#: In place of a player or a rank where there is none.
NOBODY: Final = -1
#: In `state.knows` the row of what everybody knows.
EVERYBODY: Final = MOST_PLAYERS

# Values of settings, in the order of their words.
ASCENDING: Final = 0
DESCENDING: Final = 1
NEAR: Final = 2
SAME: Final = 3
FREE: Final = 4
NEXT: Final = 0
RIGHT: Final = 1
TAKER: Final = 2

# Everything is public but hands, the cards of claims on the pile, and what others know.
#   turn: claims so far. hands: cards of each rank. sizes: of the hands.
#   claimant: who made the claim that others are asked about; NOBODY while a player has to claim.
#   rank: the last claimed rank; NOBODY before the first claim.
#   since: the first claim on the pile; claims from there on lie face down. pile: cards on it.
#   log: every claim, see `entry`; -1 for claims to come. callers: who called each; NOBODY if none.
#   cards: of each claim on the pile and of those that everybody has seen, see `packed_with`; 0 for
#     others that were taken up. shown: 1 where everybody has seen them.
#   knows: for each player, and last for everybody, the cards of each rank that they knew to be in
#     each hand when the pile began, since they went there with another pile; see `collect`.
#   forgot: 1 where there was more to know of hands than that: which cards were laid down is open.
#   caught, cleared: how often a player's claim was called and false, or true.
#   right, wrong: how often a player has called a false claim, or a true one.
#   winner: a player's number; NOBODY before the end, and in a draw.
STATE: Final = np.dtype(
    [
        *numbers("player", "turn"),
        *numbers("hands", shape=(MOST_PLAYERS, MOST_RANKS)),
        *numbers("sizes", shape=(MOST_PLAYERS,)),
        *numbers("claimant", "rank", "since", "pile"),
        *numbers("log", "callers", "shown", shape=(MOST_TURNS,)),
        ("cards", np.int64, (MOST_TURNS,)),
        *numbers("knows", shape=(MOST_PLAYERS + 1, MOST_PLAYERS, MOST_RANKS)),
        *numbers("forgot", shape=(MOST_PLAYERS + 1,)),
        *numbers("caught", "cleared", "right", "wrong", shape=(MOST_PLAYERS,)),
        *numbers("winner"),
    ]
)

# The settings, see `cheat_for_many` in game.py.
#   copies: cards of each rank. cards: in all. most: cards of a claim. limit: claims in a game.
RULES: Final = np.dtype(
    [
        *numbers("players", "ranks", "copies", "cards", "most", "limit"),
        *numbers("order", "leads", "whole_pile", "any_cards"),
    ],
    align=True,
)


class ManyTables(NamedTuple):
    """The settings, as a record in an array of one.

    Attributes:
        rules: One record of type ``RULES``.
    """

    rules: Any


def columns_of(players: int, ranks: int, copies: int) -> int:
    """The number of columns of a world for ``fill``: hands, then the pile from bottom to top."""
    return players * ranks + ranks * copies


@kernel(allocates=False, inline="late")
def claim_code(rank: int, count: int, true: int) -> int:
    """The action code of a claim of 1 to 8 cards, of which so many have the rank."""
    return CLAIM + rank * SHAPES + (count - 1) * (count + 2) // 2 + true


@kernel(allocates=False, inline="late")
def rank_in(action: int) -> int:
    """The rank that a claim's action code says."""
    return (action - CLAIM) // SHAPES


@kernel(allocates=False)
def count_in(action: int) -> int:
    """The number of cards that a claim's action code says."""
    shape = (action - CLAIM) % SHAPES
    count = 1
    while shape >= count * (count + 3) // 2:
        count += 1
    return count


@kernel(allocates=False)
def true_in(action: int) -> int:
    """The number of cards of a claim that have the rank, by its action code."""
    count = count_in(action)
    return (action - CLAIM) % SHAPES - (count - 1) * (count + 2) // 2


@kernel(allocates=False)
def public_code(action: int) -> int:
    """The code of an action as everybody sees it: a claim without its truth."""
    if action < CLAIM:
        return action
    return CLAIM + rank_in(action) * MOST_CLAIMED + count_in(action) - 1


@kernel(allocates=False, inline="late")
def entry(claimant: int, rank: int, count: int) -> int:
    """A claim in ``log``: who made it, the rank and the number of cards."""
    return claimant + MOST_PLAYERS * (rank + MOST_RANKS * (count - 1))


@kernel(allocates=False, inline="late")
def claimant_of(logged: int) -> int:
    """The player who made a claim in ``log``."""
    return logged % MOST_PLAYERS


@kernel(allocates=False, inline="late")
def rank_of(logged: int) -> int:
    """The rank of a claim in ``log``."""
    return logged // MOST_PLAYERS % MOST_RANKS


@kernel(allocates=False, inline="late")
def count_of(logged: int) -> int:
    """The number of cards of a claim in ``log``."""
    return logged // (MOST_PLAYERS * MOST_RANKS) + 1


@kernel(allocates=False)
def packed_with(packed: int, rank: int) -> int:
    """Up to eight cards with one more: rank + 1 in four bits each, the greatest lowest."""
    above = np.int64(0)
    shift = np.int64(0)
    rest = np.int64(packed)
    while rest > 0 and (rest & 15) > rank + 1:
        above |= (rest & 15) << shift
        shift += 4
        rest >>= 4
    return above | ((np.int64(rank) + 1) << shift) | (rest << (shift + 4))


@kernel(allocates=False, inline="late")
def packed_count(packed: int, rank: int) -> int:
    """The number of packed cards that have a rank."""
    count = 0
    while packed > 0:
        if (packed & 15) == rank + 1:
            count += 1
        packed >>= 4
    return count


def cards_of(packed: int) -> tuple[int, ...]:
    """The ranks of packed cards, in ascending order."""
    ranks: list[int] = []
    while packed > 0:
        ranks.append((packed & 15) - 1)
        packed >>= 4
    return tuple(sorted(ranks))


def packed_of(cards: Any) -> int:
    """Cards packed into a number, whatever their order."""
    packed = 0
    for rank in cards:
        packed = int(packed_with(packed, rank))
    return packed
