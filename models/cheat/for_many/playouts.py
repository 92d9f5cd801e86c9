"""Players of Cheat for many in playouts: they know their own cards and what everybody knows."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

from ...kernels.kernel import kernel
from ...kernels.randomness import Generator, below, uniform
from .state import (
    CALL,
    claimant_of,
    count_in,
    count_of,
    packed_count,
    rank_of,
    true_in,
)

#: How often they lay down all their cards of the rank and no other, where they have some.
HONEST: Final = 0.75
#: How often one who has to lie, or does, lays down one card, two, and so on.
ONE_CARD: Final = 0.6
#: How often a claim is called that may be true, for each card of it.
DOUBT: Final = 0.06


@kernel(allocates=False)
def placed(state: Any, viewer: int, rank: int, tables: Any) -> int:
    """Cards of a rank that the claimant of the last claim cannot have laid down, for a viewer.

    Those in the viewer's hand, in their own claims on the pile, and those that they know to be in
    other hands.
    """
    found = state.hands[viewer, rank]
    for player in range(tables.rules[0].players):
        if player == viewer or player == state.claimant:
            continue
        known = state.knows[viewer, player, rank]
        for turn in range(state.since if known > 0 else state.turn, state.turn):
            if claimant_of(state.log[turn]) == player:
                known -= count_of(state.log[turn])
        found += max(known, 0)
    for turn in range(state.since, state.turn):
        if claimant_of(state.log[turn]) == viewer:
            found += packed_count(state.cards[turn], rank)
    return found


@kernel(allocates=False)
def is_possible(state: Any, viewer: int, tables: Any) -> bool:
    """True if the last claim can be true, as far as its cards can be counted by a viewer."""
    logged = state.log[state.turn - 1]
    copies = tables.rules[0].copies
    return count_of(logged) <= copies - placed(state, viewer, rank_of(logged), tables)


@kernel(allocates=False)
def doubt(state: Any, tables: Any) -> float:
    """The chance that the player who is asked calls a claim that may be true."""
    logged = state.log[state.turn - 1]
    copies = tables.rules[0].copies
    seen = placed(state, state.player, rank_of(logged), tables)
    # What is left of the rank bounds what the claimant can have: with less left they lie more.
    scarce = (count_of(logged) + seen) / copies
    return min(0.5, DOUBT * count_of(logged) * (1.0 + scarce))


@kernel(allocates=False)
def sensible(state: Any, actions: Any, count: int, tables: Any, random: Generator) -> int:
    """The playout policy: calls what cannot be true, or would end the game; else mostly honest."""
    if actions[0] == CALL:
        if not is_possible(state, state.player, tables):
            return 0
        asked_last = (state.player + 1) % tables.rules[0].players == state.claimant
        if state.sizes[state.claimant] == 0 and asked_last:
            return 0
        return 0 if uniform(random) < doubt(state, tables) else 1
    # The most true cards of a claim without others; of the ranks, any.
    best = -1
    most = 0
    ties = 0
    for place in range(count):
        true = true_in(actions[place])
        if true == count_in(actions[place]) and true >= most:
            ties = ties + 1 if true == most else 1
            most = true
            if below(random, ties) == 0:
                best = place
    if best >= 0 and uniform(random) < HONEST:
        return best
    # A lie: few cards, none of them true where that can be.
    wanted = 1
    while uniform(random) > ONE_CARD and wanted < tables.rules[0].most:
        wanted += 1
    found = -1
    ties = 0
    for place in range(count):
        if count_in(actions[place]) == wanted and true_in(actions[place]) == 0:
            ties += 1
            if below(random, ties) == 0:
                found = place
    if found >= 0:
        return found
    return best if best >= 0 else below(random, count)
