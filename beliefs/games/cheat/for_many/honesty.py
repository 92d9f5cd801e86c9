"""The chance that a claim is true if nothing is known of the claimant.

Somebody who holds cards that they can speak of lays all of one rank down and no others, as often as
they are honest. Who cannot, or is not, lays down few cards and none of that rank. Bayes' rule says
how likely a claim of so many cards was the one or the other.
"""

from __future__ import annotations

from typing import Final

from .....models.cheat.counting import at_least
from .....models.cheat.for_many import SeenManyCheat

#: How often somebody who could lay down true cards does so.
HONEST: Final = 0.9
#: How often who is honest lays down fewer cards than they have of the rank, one number of them.
SOME: Final = 0.1
#: How often one who has to lie, or does, lays down one card; two; and so on.
ONE_CARD: Final = 0.7
#: The least chance: what cannot be is for the cards to say.
LEAST: Final = 0.02


def chance_to_hold(game: SeenManyCheat, place: int, cards: int) -> float:
    """P(a claimant had so many cards of the rank when they claimed it), about, by counting.

    Args:
        game: What the viewer sees.
        place: Of a claim on the pile, from 0, that is not the viewer's.
        cards: How many, or more.
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
    for player, known_cards in enumerate(game.collected):
        if hand is None or player != game.viewer:
            total -= sum(known_cards)
            of_rank -= known_cards[rank]
    known = game.collected[by][rank]
    # As many of the other cards known are among those they laid down before as of any cards.
    others = (sum(game.collected[by]) - known) * held // begun
    drawn = max(0, min(held - known - others, total))
    return float(at_least(cards - known, max(0, min(of_rank, total)), total, drawn))


def likely_true(game: SeenManyCheat, place: int, honest: float) -> float:
    """P(a claim is true), for players who are honest so often where they can be."""
    claim = game.claims[place]
    count, choices = claim.count, game.choices(place)
    any_held, held, more = (chance_to_hold(game, place, n) for n in (1, count, count + 1))
    if held <= 0.0:
        return LEAST
    # The cards of so many ranks are about independent.
    can = 1.0 - (1.0 - any_held) ** choices
    as_said = held if count == game.most else held - more + SOME * more
    true = honest * can * as_said / any_held
    lays = ONE_CARD * (1.0 - ONE_CARD) ** (count - 1)
    return max(LEAST, true / (true + lays * (1.0 - honest * can)))
