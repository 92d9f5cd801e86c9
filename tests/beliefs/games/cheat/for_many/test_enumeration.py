"""What the belief says against all that may be, gone through by the rules, in small games."""

from __future__ import annotations

import itertools
import math
import os
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from sleuth import Play
from sleuth.games.cheat import (
    ManyCheatBelief,
    ManyCheatDeclaration,
    SeenManyCheat,
    cheat_for_many,
    seen_many_cheat,
)
from sleuth.models.cheat.for_many.state import cards_of

#: Random games; `SLEUTH_FUZZ=1000` looks at as many.
GAMES = int(os.environ.get("SLEUTH_FUZZ", "6"))
RANKS, COPIES = 4, 2

Hand = tuple[int, ...]
#: All hands, and the cards of each claim on the pile.
World = tuple[tuple[Hand, ...], tuple[Hand, ...]]
Worlds = dict[World, float]


def parts(hand: Hand, size: int) -> Iterator[tuple[Hand, float]]:
    """Every way to take some cards out of a hand, with its chance if any cards are as likely."""
    for taken in itertools.product(*(range(count + 1) for count in hand)):
        if sum(taken) == size:
            ways = math.prod(math.comb(h, t) for h, t in zip(hand, taken, strict=True))
            yield taken, ways / math.comb(sum(hand), size)


def plus(one: Hand, other: Hand, sign: int = 1) -> Hand:
    return tuple(a + sign * b for a, b in zip(one, other, strict=True))


def deals(sizes: Sequence[int], left: Hand) -> Iterator[tuple[tuple[Hand, ...], float]]:
    if not sizes:
        yield (), 1.0
        return
    for hand, chance in parts(left, sizes[0]):
        for others, more in deals(sizes[1:], plus(left, hand, -1)):
            yield (hand, *others), chance * more


class Witness:
    """All that may be, to one player, claim by claim, from the rules alone."""

    def __init__(self, viewer: int, hands: Sequence[Hand]) -> None:
        self.viewer = viewer
        everything = (COPIES,) * RANKS
        self.worlds: Worlds = {
            (dealt, ()): chance
            for dealt, chance in deals([sum(hand) for hand in hands], everything)
            if viewer < 0 or dealt[viewer] == hands[viewer]
        }

    def claim(self, by: int, cards: Hand) -> None:
        found: Worlds = Counter()  # pyright: ignore[reportAssignmentType]
        for (hands, pile), weight in self.worlds.items():
            for taken, chance in parts(hands[by], sum(cards)):
                if by != self.viewer or taken == cards:
                    rest = (*hands[:by], plus(hands[by], taken, -1), *hands[by + 1 :])
                    found[rest, (*pile, taken)] += weight * chance
        self.worlds = found

    def taken(self, taker: int, pile: Sequence[Hand]) -> None:
        found: Worlds = Counter()  # pyright: ignore[reportAssignmentType]
        for (hands, lying), weight in self.worlds.items():
            sees = range(len(pile)) if taker == self.viewer else [len(pile) - 1]
            if all(lying[at] == pile[at] for at in sees):
                hand = hands[taker]
                for cards in lying:
                    hand = plus(hand, cards)
                found[(*hands[:taker], hand, *hands[taker + 1 :]), ()] += weight
        self.worlds = found

    def chance(self, holds: object) -> float:
        assert callable(holds)
        total = sum(self.worlds.values())
        return sum(weight for world, weight in self.worlds.items() if holds(world)) / total


def counts(cards: Sequence[int]) -> Hand:
    return tuple(cards.count(rank) for rank in range(RANKS))


def said_and_so(
    belief: ManyCheatBelief, play: Play, witness: Witness
) -> Iterator[tuple[float, float]]:
    """Pairs of what the belief says and what is so, of claims and hands."""
    viewer = witness.viewer
    view, seen = play.view(viewer), play.seen_by(viewer)
    posterior = belief.infer(view, seen)
    declared = ManyCheatDeclaration.of(view)
    for claim in declared.claims:
        at = claim.place - declared.game.since
        rank, count = claim.claim.rank, claim.claim.count

        def true(world: World, at: int = at, rank: int = rank, count: int = count) -> bool:
            return world[1][at][rank] == count

        yield posterior.probability(declared.is_true(claim)), witness.chance(true)
    for player, rank in itertools.product(range(3), range(RANKS)):
        if player == viewer:
            continue
        shares = posterior.marginal(declared.count(player, rank))
        for number in range(COPIES + 1):

            def holds(
                world: World, player: int = player, rank: int = rank, number: int = number
            ) -> bool:
                return world[0][player][rank] == number

            yield shares.get(number, 0.0), witness.chance(holds)


def games(seed: int) -> Iterator[tuple[Play, Witness, SeenManyCheat]]:
    """The moments of a random game, as one viewer sees them."""
    rng = np.random.default_rng(seed)
    game = cheat_for_many(players=3, ranks=RANKS, suits=COPIES, order="near", most_claimed=2)
    play = Play.new(game, seed=seed)
    viewer = int(rng.integers(-1, 3))
    hands = [tuple(hand[:RANKS]) for hand in play.truth()[0].hands.tolist()[:3]]
    witness = Witness(viewer, hands)
    calls = rng.uniform(0.05, 0.4)
    while not play.over and len(play.actions) < 40:
        before = play.truth()[0]
        asked = int(before.claimant) >= 0
        action = int(rng.random() >= calls) if asked else int(rng.choice(play.legal()))
        mover = play.player
        play.apply(action)
        state = play.truth()[0]
        if not asked:
            laid = cards_of(int(state.cards[int(state.turn) - 1]))
            witness.claim(mover, counts(laid))
        elif action == 0:
            place = slice(int(before.since), int(before.turn))
            pile = [counts(cards_of(packed)) for packed in before.cards[place].tolist()]
            taker = seen_many_cheat(play.view(-1)).claims[-1].taker
            assert taker is not None
            witness.taken(taker, pile)
        if not play.over:
            yield play, witness, seen_many_cheat(play.view(viewer))


@pytest.mark.parametrize("seed", range(GAMES))
def test_counting_is_exact_where_it_says_so_and_near_elsewhere(seed: int) -> None:
    belief = ManyCheatBelief(honest=None)
    exact = 0
    for play, witness, _ in games(seed):
        declared = belief.declared(play.view(witness.viewer))
        for said, so in said_and_so(belief, play, witness):
            if declared.exact:
                assert said == pytest.approx(so, abs=1e-9)
            else:
                assert said > 0 or so < 1e-12  # nothing that may be is excluded
        exact += declared.exact
    assert exact > 3
