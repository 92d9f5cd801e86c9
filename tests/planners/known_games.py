"""Kuhn and Leduc poker written out, and equilibria of Kuhn poker."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations

from sleuth.equilibria import GameTree
from sleuth.games.small import kuhn_poker, leduc_poker
from sleuth.planners.small_games.written_tree import InformationSet

JACK, QUEEN, KING = range(3)


@cache
def kuhn_tree() -> GameTree:
    return GameTree(kuhn_poker(), rows=list(permutations(range(3))))


@cache
def leduc_tree() -> GameTree:
    # Two jacks, two queens, two kings: two hands, the table, and three that stay in the deck.
    return GameTree(leduc_poker(), rows=sorted(set(permutations([0, 1, 2, 3, 3, 3]))))


def kuhn_equilibrium(alpha: float) -> Callable[[InformationSet], list[float]]:
    """Kuhn's equilibria (1950): the first player bets a jack with probability alpha <= 1/3."""
    bets = {
        # (card, moves so far, whether the other has bet) -> probability of betting or calling
        (JACK, 0, False): alpha,
        (QUEEN, 0, False): 0.0,
        (KING, 0, False): 3 * alpha,
        (JACK, 2, True): 0.0,
        (QUEEN, 2, True): alpha + 1 / 3,
        (KING, 2, True): 1.0,
        (JACK, 1, False): 1 / 3,
        (QUEEN, 1, False): 0.0,
        (KING, 1, False): 1.0,
        (JACK, 1, True): 0.0,
        (QUEEN, 1, True): 1 / 3,
        (KING, 1, True): 1.0,
    }

    def probabilities(known: InformationSet) -> list[float]:
        state = known.masked[0]
        other_bet = bool(state.bets[1 - known.player] == 2)
        bet = bets[int(state.cards[known.player]), int(state.moves), other_bet]
        return [1 - bet, bet]

    return probabilities
