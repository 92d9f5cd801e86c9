"""The paper's information-set abstraction: 16 attributes, packed into 31 bits.

Bitan and Kraus (2018), section 4.3. Numbers of cards are grouped, and of the ranks only the two
that can be claimed next matter. Counters may be 0, which the paper's table leaves out.

The paper's search lays claims open, so that the truth of the last one is an attribute; a player at
the table does not know it. `packed_key` is what they know, and the key of the game; `open_key` is
the paper's, for a search in which claims are public.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from ..game import Game
from ..kernels.kernel import kernel
from .rules import is_true, neighbour
from .state import TAKE, is_claim, mover_of, public_of

#: Values of the first attribute, the opponent's previous action. Before it: `TOOK`.
TRUE_CLAIM: Final = 0
FALSE_CLAIM: Final = 1
TOOK: Final = 2
CALLED: Final = 3

ATTRIBUTES: Final = (
    "opponent's previous action", "can claim higher", "can claim lower", "own cards",
    "opponent's cards", "pile", "round", "opponent's cards higher", "opponent's cards lower",
    "claimed higher", "claimed lower", "opponent claimed higher", "opponent claimed lower",
    "caught higher", "caught lower", "caught",
)  # fmt: skip
BITS: Final = (2, 1, 1, 3, 3, 3, 7, 2, 2, 1, 1, 1, 1, 1, 1, 1)


@kernel(allocates=False, inline="late")
def grouped_cards(count: int) -> int:
    """The paper's psi: up to four cards, five to eight, more."""
    if count <= 4:
        return count
    return 5 if count <= 8 else 6


@kernel(allocates=False, inline="late")
def grouped_estimate(count: int) -> int:
    """The paper's phi: none, one, two, more."""
    return min(count, 3)


@kernel(allocates=False)
def previous_action(state: Any, viewer: int, tables: Any, opened: bool) -> int:
    """The opponent's last action.

    Args:
        state: The state.
        viewer: Who wants to know.
        tables: The game's.
        opened: Whether a claim's truth is public. If not, one that was not exposed counts as true.
    """
    for turn in range(state.turn - 1, -1, -1):
        logged = state.log[turn]
        if mover_of(logged) == viewer:
            continue
        if is_claim(logged):
            if (opened or turn < state.since) and not is_true(state.cards[turn], logged, tables):
                return FALSE_CLAIM
            return TRUE_CLAIM
        return TOOK if public_of(logged) == TAKE else CALLED
    return TOOK


@kernel(allocates=False, inline="late")
def packed(state: Any, viewer: int, tables: Any, opened: bool) -> int:
    """The 16 attributes in 31 bits, the first lowest."""
    other = 1 - viewer
    higher = neighbour(state.rank, 0, tables)
    lower = neighbour(state.rank, 1, tables)
    hand = state.hands[viewer]
    key = previous_action(state, viewer, tables, opened)
    key |= (hand[higher] > 0) << 2
    key |= (hand[lower] > 0) << 3
    key |= grouped_cards(state.sizes[viewer]) << 4
    key |= grouped_cards(state.sizes[other]) << 7
    key |= grouped_cards(state.pile) << 10
    key |= min(state.turn + 1, 127) << 13
    key |= grouped_estimate(state.collected[other, higher]) << 20
    key |= grouped_estimate(state.collected[other, lower]) << 22
    key |= (state.claimed[viewer, higher] > 0) << 24
    key |= (state.claimed[viewer, lower] > 0) << 25
    key |= (state.claimed[other, higher] > 0) << 26
    key |= (state.claimed[other, lower] > 0) << 27
    key |= (state.caught[viewer, higher] > 0) << 28
    key |= (state.caught[viewer, lower] > 0) << 29
    key |= (state.catches[viewer] > 0) << 30
    return key


@kernel(allocates=False)
def packed_key(state: Any, viewer: int, tables: Any) -> int:
    """The abstraction of what a player knows, as the game's key."""
    return packed(state, viewer, tables, False)


@kernel(allocates=False)
def open_key(state: Any, viewer: int, tables: Any) -> int:
    """The paper's abstraction: the same, and whether the opponent's last claim is true."""
    return packed(state, viewer, tables, True)


@kernel(allocates=False)
def open_action(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """The action with its truth: everybody sees it where claims are public."""
    return action


def with_open_claims(game: Game) -> Game:
    """Cheat as the paper's search imagines it: whether a claim is true is public."""
    return replace(game, observe=open_action, key=open_key)
