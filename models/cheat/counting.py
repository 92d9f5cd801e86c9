"""Claims as a player who counts cards judges them."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any

from ..kernels.kernel import kernel
from .state import count_of, is_claim, mover_of, packed_count


@kernel(allocates=False)
def unseen_cards(state: Any, viewer: int, rank: int, tables: Any) -> int:
    """The most cards of a rank the claimant can have had: all but those the viewer can place.

    Those are their own, those of their own claims on the pile, and the card turned up at the start
    while it lies on the pile or aside.
    """
    rules = tables.rules[0]
    unseen = rules.suits - state.hands[viewer, rank]
    for turn in range(state.since, state.turn):
        logged = state.log[turn]
        if is_claim(logged) and mover_of(logged) == viewer:
            unseen -= packed_count(state.cards[turn], rank)
    if state.first == rank and (state.since == 0 or rules.aside == 1):
        unseen -= 1
    return unseen


@kernel(allocates=False)
def unseen_in_all(state: Any, viewer: int, tables: Any) -> int:
    """The number of cards the viewer cannot place: deck, the other hand, and the other's claims."""
    rules = tables.rules[0]
    count = rules.ranks * rules.suits - state.sizes[viewer]
    for turn in range(state.since, state.turn):
        logged = state.log[turn]
        if is_claim(logged) and mover_of(logged) == viewer:
            packed = state.cards[turn]
            while packed > 0:
                count -= 1
                packed >>= 4
    if state.since == 0 or rules.aside == 1:
        count -= 1
    return count


@kernel(allocates=False)
def at_least(wanted: int, of_rank: int, total: int, drawn: int) -> float:
    """P(at least ``wanted`` of the rank among ``drawn`` cards), hypergeometric.

    ``of_rank`` of the ``total`` cards have the rank; at most four have.
    """
    if wanted <= 0:
        return 1.0
    if wanted > of_rank or wanted > drawn:
        return 0.0
    # P(j of the rank) = C(of_rank, j) C(total - of_rank, drawn - j) / C(total, drawn); the first
    # as a product over the cards of the rank, each of which is drawn or not.
    found = 0.0
    for hits in range(wanted, min(of_rank, drawn) + 1):
        if drawn - hits > total - of_rank:
            continue
        share = 1.0
        for step in range(hits):
            share *= (of_rank - step) / (step + 1.0) * (drawn - step)
        for step in range(of_rank - hits):
            share *= total - drawn - step
        for step in range(of_rank):
            share /= total - step
        found += share
    return min(found, 1.0)


@kernel(allocates=False)
def chance_to_hold(state: Any, viewer: int, tables: Any) -> float:
    """P(the claimant held the cards they have just claimed), for the viewer, by counting alone.

    Cards they have collected and not claimed since count as in their hand; the others of their hand
    are any of those the viewer cannot place. The viewer is not the claimant.
    """
    last = state.log[state.turn - 1]
    claimant = mover_of(last)
    count = count_of(last)
    rank = state.rank
    unseen = unseen_cards(state, viewer, rank, tables)
    if count > unseen:
        return 0.0
    known = min(state.collected_before, unseen)
    if count <= known:
        return 1.0
    collected = known
    for other in range(tables.rules[0].ranks):
        if other != rank:
            collected += state.collected[claimant, other]
    held = state.sizes[claimant] + count
    drawn = max(held - collected, 0)
    total = max(unseen_in_all(state, viewer, tables) - collected, drawn)
    of_rank = min(unseen - known, total)
    return at_least(count - known, of_rank, total, drawn)
