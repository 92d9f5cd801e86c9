"""Cheat led back: from a world of now to the deal and to all that was done since.

A world says who holds which cards now and what lies in each claim. So it says which cards a player
was dealt and drew, but not in which order. The order is drawn here, each as likely as any other,
among those in which nobody lays down what they do not hold.

The belief takes any cards of a hand to be as likely in a claim. The game knows better: a false
claim lays down those farthest from the current rank (`rules.chosen_lie`). Worlds are weighed by
that. A lie that no rule of the game lays down counts as a slip: a person may choose their cards.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math
from bisect import bisect_left
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....models.cheat import seen_game
from ....models.cheat.rules import BASE, SHOWN, distance, fill, is_true, neighbour
from ....models.cheat.state import (
    ACTIONS,
    CALL,
    CLAIM,
    MOST_CARDS,
    MOST_RANKS,
    TAKE,
    claim_code,
    count_of,
    is_claim,
    mover_of,
    public_of,
    rank_of,
)
from ....models.kernels.cards import NO_CARD, set_all
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import below, generator, uniform
from ....models.play import SeenPlay, View, start_as_seen
from ..contract import Histories

#: Worlds that are drawn for each history that is wanted, before they are weighed.
DRAWN: Final = 4
#: Orders of the cards of a hand that are tried for a world.
TRIED: Final = 8
#: The logarithm of how likely a lie is that the game's rules do not lay down.
SLIP: Final = math.log(1e-3)
NEVER: Final = -np.inf


def histories(
    view: View, seen: SeenPlay, rows: NDArray[np.int16], count: int, rng: np.random.Generator
) -> Histories | None:
    """``count`` whole games that the viewer may have seen, from worlds of now.

    Args:
        view: The state as the viewer knows it.
        seen: All they have seen, of the same moment and viewer.
        rows: Worlds, as ``CheatBelief.worlds`` draws them.
        count: How many games.
        rng: Where the order of cards comes from.

    Returns:
        The games; None of a play that was not begun with the deal.
    """
    state: Any = view.states[0]
    start: Any = start_as_seen(view.game, seen)
    if int(start[0].turn) != 0:
        return None
    turns = int(state.turn)
    dealt = np.zeros(MOST_RANKS, dtype=np.int64)
    if view.viewer >= 0:
        dealt[:] = start[0].hands[view.viewer]
    drawn = _drawn(view, seen, dealt)
    starts: Any = view.game.states(len(rows))
    actions = np.zeros((len(rows), turns), dtype=np.int64)
    weights = np.zeros(len(rows))
    random = generator(int(rng.integers(2**63)))
    masked: Any = view.states
    tables = view.game.tables
    lead_back(masked, rows, view.viewer, dealt, drawn, tables, random, starts, actions, weights)
    greatest = float(weights.max())
    if greatest == NEVER:
        return None
    offset, summed = float(rng.random()), np.cumsum(np.exp(weights - greatest)).tolist()
    found = [
        min(bisect_left(summed, (place + offset) / count * summed[-1]), len(rows) - 1)
        for place in range(count)
    ]
    return Histories(starts[found], actions[found], actions[found] % ACTIONS)


def _drawn(view: View, seen: SeenPlay, dealt: NDArray[np.int64]) -> NDArray[np.int64]:
    """By the turn the rank that the viewer drew; -1 where they did not."""
    found = np.full(int(view.states[0].turn), NO_CARD, dtype=np.int64)
    game, hand = seen_game(view), dealt.copy()
    pile = [] if game.aside else [game.first]
    for place, (turn, event) in enumerate(zip(game.turns, seen.events, strict=True)):
        if turn.kind == "claim":
            pile.extend(turn.cards or ())
            if turn.by == view.viewer:
                hand -= np.bincount(turn.cards or (), minlength=MOST_RANKS)
        elif turn.kind == "call":
            right = game.turns[place - 1].true is False
            if (turn.by == view.viewer) != right:
                hand += np.bincount(pile, minlength=MOST_RANKS)
            pile = []
        elif turn.by == view.viewer:
            number = event.event.observation // SHOWN - 1
            after = number // BASE ** np.arange(MOST_RANKS) % BASE
            found[place] = -1 if (after == hand).all() else int(np.argmax(after - hand))
            hand = after
    return found


@kernel
def lead_back(
    masked: Any,
    rows: Any,
    viewer: int,
    dealt: Any,
    drawn: Any,
    tables: Any,
    random: Any,
    starts: Any,
    actions: Any,
    weights: Any,
) -> None:
    """Lead every world back to the deal.

    Args:
        masked: The viewer's state of now, in an array of one.
        rows: int16[worlds, columns].
        viewer: Their number; -1 for somebody who looks on.
        dealt: int64[13], the cards of each rank that they were dealt.
        drawn: int64[turns], the ranks that they drew, else -1.
        tables: The game's.
        random: A generator.
        starts: Zeros, one state for each world; written.
        actions: int64[worlds, turns], written: the codes, with the cards of false claims.
        weights: float64[worlds], written: logarithms of how much likelier the game's rules make a
            world than the belief does.
    """
    now = masked.copy()
    for world in range(rows.shape[0]):
        now[0] = masked[0]
        fill(now[0], rows[world], tables, random)
        weights[world] = lead_one_back(
            now[0], viewer, dealt, drawn, tables, random, starts[world], actions[world]
        )


@kernel
def lead_one_back(
    now: Any,
    viewer: int,
    dealt: Any,
    drawn: Any,
    tables: Any,
    random: Any,
    start: Any,
    actions: Any,
) -> float:
    """Write the deal and the actions that led to a state; the logarithm of its weight."""
    rules = tables.rules[0]
    hand_size = rules.hand
    turns = now.turn
    whole = rules.ranks * rules.suits - 2 * hand_size - 1
    moved = np.zeros((turns, MOST_RANKS), dtype=np.int64)
    whose = np.zeros(turns, dtype=np.int64)
    kinds = np.zeros(turns, dtype=np.int64)  # -1 of cards laid down, 1 taken up, 2 drawn
    read_turns(now, tables, whole, moved, whose, kinds)
    weight = 0.0
    order = np.zeros(MOST_CARDS, dtype=np.int64)
    best = np.zeros(MOST_CARDS, dtype=np.int64)
    draws = np.zeros(turns, dtype=np.int64)
    for player in range(2):
        if player == viewer:
            for rank in range(MOST_RANKS):
                start.hands[player, rank] = dealt[rank]
            for turn in range(turns):
                if kinds[turn] == 2 and whose[turn] == player:
                    draws[turn] = drawn[turn]
            continue
        # All cards that came to the hand otherwise than with a pile.
        count = 0
        for rank in range(MOST_RANKS):
            pool = now.hands[player, rank]
            for turn in range(turns):
                if whose[turn] == player and kinds[turn] != 2:
                    pool -= kinds[turn] * moved[turn, rank]
            for _ in range(pool):
                order[count] = rank
                count += 1
        ruled, free, kept = 0.0, 0.0, 0
        tries = TRIED if count > hand_size else 1
        for trial in range(2 * tries):
            if trial >= tries and kept > 0:
                break
            if trial < tries:
                for place in range(count - 1, 0, -1):
                    other = below(random, place + 1)
                    card = order[other]
                    order[other] = order[place]
                    order[place] = card
            else:
                order_within(now, player, moved, whose, kinds, count, random, order)
            by_rules, by_belief = likelihoods(
                now, player, moved, whose, kinds, order, hand_size, tables
            )
            if by_rules == NEVER:
                continue
            kept += 1
            ruled += math.exp(by_rules)
            free += math.exp(by_belief)
            if uniform(random) * ruled < math.exp(by_rules):
                for place in range(count):
                    best[place] = order[place]
        weight += math.log(ruled) - math.log(free) if kept > 0 else NEVER
        for place in range(hand_size):
            start.hands[player, best[place]] += 1
        place = hand_size
        for turn in range(turns):
            if kinds[turn] == 2 and whose[turn] == player:
                draws[turn] = best[place]
                place += 1
    begin_with(now, tables, whole, kinds, draws, start)
    write_codes(now, tables, actions)
    return weight


@kernel(allocates=False)
def read_turns(now: Any, tables: Any, whole: int, moved: Any, whose: Any, kinds: Any) -> None:
    """Write of every turn which cards of each rank it moved, whose hand, and which way."""
    left = whole
    since = 0
    for turn in range(now.turn):
        logged = now.log[turn]
        whose[turn] = mover_of(logged)
        if is_claim(logged):
            kinds[turn] = -1
            packed = now.cards[turn]
            while packed > 0:
                moved[turn, (packed & 15) - 1] += 1
                packed >>= 4
        elif public_of(logged) == TAKE:
            if left > 0:
                kinds[turn] = 2
                left -= 1
        else:
            kinds[turn] = 1
            last = now.log[turn - 1]
            if not is_true(now.cards[turn - 1], last, tables):
                whose[turn] = mover_of(last)
            for before in range(since, turn):
                for rank in range(MOST_RANKS):
                    moved[turn, rank] += moved[before, rank]
            if since == 0 and tables.rules[0].aside == 0:
                moved[turn, now.first] += 1
            since = turn + 1


@kernel
def order_within(
    now: Any,
    player: int,
    moved: Any,
    whose: Any,
    kinds: Any,
    count: int,
    random: Any,
    order: Any,
) -> None:
    """Write an order of the cards in which the player always holds what they lay down.

    Backwards: a card can have been drawn in a turn if the hand had it to spare at all times before.
    """
    turns = len(kinds)
    # Of each rank: the hand after so many turns, as if nothing was drawn since; then the least of
    # that up to there.
    spare = np.zeros((turns + 1, MOST_RANKS), dtype=np.int64)
    for rank in range(MOST_RANKS):
        spare[turns, rank] = now.hands[player, rank]
        for turn in range(turns - 1, -1, -1):
            spare[turn, rank] = spare[turn + 1, rank]
            if whose[turn] == player and kinds[turn] != 2:
                spare[turn, rank] -= kinds[turn] * moved[turn, rank]
    rest = spare[0].copy()
    for turn in range(1, turns + 1):
        for rank in range(MOST_RANKS):
            spare[turn, rank] = min(spare[turn, rank], spare[turn - 1, rank])
    used = np.zeros(MOST_RANKS, dtype=np.int64)
    place = count - 1
    for turn in range(turns - 1, -1, -1):
        if kinds[turn] != 2 or whose[turn] != player:
            continue
        total = 0
        for rank in range(MOST_RANKS):
            if used[rank] < spare[turn, rank]:
                total += rest[rank]
        choice = below(random, max(1, total))
        for rank in range(MOST_RANKS):
            if used[rank] < spare[turn, rank]:
                choice -= rest[rank]
                if choice < 0:
                    used[rank] += 1
                    rest[rank] -= 1
                    order[place] = rank
                    break
        place -= 1
    for rank in range(MOST_RANKS):
        for _ in range(rest[rank]):
            order[place] = rank
            place -= 1


@kernel
def likelihoods(
    now: Any,
    player: int,
    moved: Any,
    whose: Any,
    kinds: Any,
    order: Any,
    hand_size: int,
    tables: Any,
) -> tuple[float, float]:
    """Likelihoods of the cards that a player lays down, by the rules and by the belief.

    Returns:
        Logarithms; of the first minus infinity where they lay down what they do not hold.
    """
    hand = np.zeros(MOST_RANKS, dtype=np.int64)
    known = np.zeros(MOST_RANKS, dtype=np.int64)
    for place in range(hand_size):
        hand[order[place]] += 1
    place = hand_size
    by_rules, by_belief = 0.0, 0.0
    for turn in range(len(kinds)):
        if whose[turn] != player:
            continue
        if kinds[turn] == 2:
            hand[order[place]] += 1
            place += 1
        elif kinds[turn] == 1:
            for rank in range(MOST_RANKS):
                hand[rank] += moved[turn, rank]
                known[rank] += moved[turn, rank]
        elif kinds[turn] == -1:
            logged = now.log[turn]
            for rank in range(MOST_RANKS):
                laid = moved[turn, rank]
                if laid > hand[rank]:
                    return NEVER, 0.0
                if laid > 0:
                    # What was turned up is taken to be what was known to be there.
                    sure = min(laid, known[rank]) if turn < now.since else 0
                    by_belief += log_ways(hand[rank] - sure, laid - sure)
                    known[rank] -= sure
            if not is_true(now.cards[turn], logged, tables):
                lower = (public_of(logged) - CLAIM) // 4
                current = neighbour(rank_of(logged), 1 - lower, tables)
                by_rules += lie_likelihood(hand, moved[turn], rank_of(logged), current, tables)
            for rank in range(MOST_RANKS):
                hand[rank] -= moved[turn, rank]
    return by_rules, by_belief


@kernel(allocates=False)
def lie_likelihood(hand: Any, laid: Any, claimed: int, current: int, tables: Any) -> float:
    """The logarithm of how likely a false claim lays down certain cards, see `chosen_lie`.

    Args:
        hand: int64[13], before it.
        laid: int64[13].
        claimed: The claimed rank.
        current: The rank that the claim follows.
        tables: The game's.
    """
    rules = tables.rules[0]
    rest = 0
    for rank in range(rules.ranks):
        rest += laid[rank]
    found = 0.0
    # From the farthest cards to the nearest; those of the claimed rank come last.
    for away in range(rules.ranks // 2, -2, -1):
        there, gone = 0, 0
        for rank in range(rules.ranks):
            if away == steps_of(rank, claimed, current, tables):
                there += hand[rank]
                gone += laid[rank]
        wanted = min(rest, there)
        if gone != wanted:
            return SLIP
        rest -= wanted
        if wanted == 0 or wanted == there:
            continue
        if rules.lowest_first == 0:
            found -= log_ways(there, wanted)
        for rank in range(rules.ranks):
            if away != steps_of(rank, claimed, current, tables):
                continue
            if rules.lowest_first == 0:
                found += log_ways(hand[rank], laid[rank])
            else:
                if laid[rank] != min(wanted, hand[rank]):
                    return SLIP
                wanted -= laid[rank]
    return found


@kernel(allocates=False, inline="late")
def steps_of(rank: int, claimed: int, current: int, tables: Any) -> int:
    """The distance by which a card is chosen for a lie; -1 for the claimed rank."""
    if rank == claimed:
        return -1
    return 0 if tables.rules[0].any_cards == 1 else distance(rank, current, tables)


@kernel(allocates=False)
def log_ways(total: int, part: int) -> float:
    """The logarithm of the number of ways to take a part of so many cards."""
    found = 0.0
    for place in range(part):
        found += math.log((total - place) / (place + 1))
    return found


@kernel(allocates=False)
def begin_with(now: Any, tables: Any, whole: int, kinds: Any, draws: Any, start: Any) -> None:
    """Write the deal, of which the hands are there already."""
    rules = tables.rules[0]
    for place in range(MOST_CARDS):
        start.deck[place] = now.deck[place] if place < now.left else NO_CARD
    left = whole
    for turn in range(now.turn):
        if kinds[turn] == 2:
            left -= 1
            start.deck[left] = draws[turn]
    start.left = whole
    start.first = now.first
    start.pile = 1 - rules.aside
    start.rank = now.first
    start.rank_before = now.first
    for player in range(2):
        start.sizes[player] = rules.hand
    set_all(start.log, -1)


@kernel(allocates=False)
def write_codes(now: Any, tables: Any, actions: Any) -> None:
    """Write the code of every action; those of false claims name their cards."""
    for turn in range(now.turn):
        logged = now.log[turn]
        if not is_claim(logged):
            actions[turn] = TAKE if public_of(logged) == TAKE else CALL
            continue
        lower = (public_of(logged) - CLAIM) // 4
        if is_true(now.cards[turn], logged, tables):
            actions[turn] = claim_code(lower, 0, count_of(logged))
        else:
            cards = ACTIONS * np.int64(now.cards[turn])
            actions[turn] = claim_code(lower, 1, count_of(logged)) + cards
