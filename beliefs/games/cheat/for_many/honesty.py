"""The chance that a claim is true if nothing is known of the claimant: they lie if they must.

And sometimes otherwise. Somebody who has the cards they speak of lays them down with a certain
chance, whoever they are.
"""

from __future__ import annotations

from .....models.cheat.counting import at_least
from .....models.cheat.for_many import SeenManyCheat

#: How often somebody who could lay down what they say does so.
HONEST = 0.75


#: The least chance: what cannot be is for the cards to say.
LEAST = 0.02


def chance_to_hold(game: SeenManyCheat, place: int) -> float:
    """P(a claimant had the cards that they claimed when they did), about, by counting.

    Args:
        game: What the viewer sees.
        place: Of a claim on the pile, from 0, that is not the viewer's.
    """
    claim = game.claims[place]
    rank, by = claim.rank, claim.by
    hand = game.hand if game.viewer >= 0 else None
    total, of_rank = game.ranks * game.copies, game.copies
    if hand is not None:
        total -= sum(hand)
        of_rank -= hand[rank]
    held = begun = game.sizes[by]
    for later, each in enumerate(game.pile_claims, start=game.since):
        if hand is not None and each.by == game.viewer:
            total -= each.count
            of_rank -= (each.cards or ()).count(rank)
        elif each.by == by:
            begun += each.count
            held += each.count if later >= place else 0
    for player, cards in enumerate(game.collected):
        if hand is None or player != game.viewer:
            total -= sum(cards)
            of_rank -= cards[rank]
    known = game.collected[by][rank]
    # As many of the other cards known are among those they laid down before as of any cards.
    others = (sum(game.collected[by]) - known) * held // begun
    drawn = max(0, min(held - known - others, total))
    return float(at_least(claim.count - known, max(0, min(of_rank, total)), total, drawn))


def likely_true(game: SeenManyCheat, place: int, honest: float) -> float:
    """P(a claim is true), for players who are honest so often where they can be."""
    return max(LEAST, honest * chance_to_hold(game, place))
