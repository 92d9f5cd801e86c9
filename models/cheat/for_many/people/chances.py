"""A claim of Cheat for many by counting cards: what one player can place, and what is left."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

from ....kernels.kernel import kernel
from ..state import claimant_of, count_of, packed_count, rank_of


@kernel(allocates=False)
def drawn_at_least(wanted: int, drawn: int, good: int, all_cards: int) -> float:
    """P(of so many cards drawn, at least ``wanted`` are good ones): hypergeometric."""
    if wanted <= 0:
        return 1.0
    if wanted > good or wanted > drawn:
        return 0.0
    bad = all_cards - good
    # The fewest good ones that can be: none, or those for which there are not bad ones enough.
    few = max(0, drawn - bad)
    chance = 1.0
    if few == 0:
        for each in range(drawn):
            chance *= (bad - each) / (all_cards - each)
    else:
        for each in range(all_cards - drawn):
            chance *= (good - each) / (all_cards - each)
    less = 0.0
    while few < wanted:
        less += chance
        chance *= (good - few) * (drawn - few) / ((few + 1.0) * (bad - drawn + few + 1.0))
        few += 1
    return max(0.0, 1.0 - less)


@kernel(allocates=False)
def count_cards(state: Any, viewer: int, tables: Any, found: Any) -> None:
    """Write what counting says of the last claim to a player who may call it.

    Cards that the claimant was known to hold when the pile began may be among those that they have
    laid there since.

    Args:
        state: The state; only what the viewer knows is read.
        viewer: A player, not the claimant.
        tables: The game's.
        found: float64[3], written: cards of the rank that the viewer cannot place; those that
            they know the claimant to have had; P(the claimant had as many as they claimed).
    """
    rules = tables.rules[0]
    last = state.turn - 1
    logged = state.log[last]
    claimant, rank, count = claimant_of(logged), rank_of(logged), count_of(logged)
    unseen = rules.copies - state.hands[viewer, rank]
    left = rules.cards - state.sizes[viewer]
    slots = state.sizes[claimant] + count
    laid = 0
    for turn in range(state.since, last):
        by = claimant_of(state.log[turn])
        if by == viewer:
            unseen -= packed_count(state.cards[turn], rank)
            left -= count_of(state.log[turn])
        elif by == claimant:
            laid += count_of(state.log[turn])
    for player in range(rules.players):
        if player == viewer:
            continue
        unseen -= state.knows[viewer, player, rank]
        for each in range(rules.ranks):
            left -= state.knows[viewer, player, each]
            if player == claimant:
                slots -= max(0, state.knows[viewer, player, each] - laid)
    held = max(0, state.knows[viewer, claimant, rank] - laid)
    found[0] = unseen
    found[1] = held
    found[2] = drawn_at_least(count - held, max(0, slots), max(0, unseen), max(1, left))
