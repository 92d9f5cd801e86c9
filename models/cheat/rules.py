"""The rules of Cheat as kernels; what they mean is in `docs/cheat/index.md`."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..game import HIDDEN, OVER
from ..kernels.cards import next_card, set_all, shuffle
from ..kernels.kernel import kernel
from ..kernels.randomness import below, mix
from .state import (
    ACTIONS,
    CALL,
    CLAIM,
    MOST_CARDS,
    MOST_RANKS,
    NOBODY,
    PUBLIC_ACTIONS,
    TAKE,
    claim_code,
    count_of,
    entry,
    is_claim,
    mover_of,
    packed_count,
    packed_with,
    public_code,
    public_of,
    rank_of,
)

#: An observation is what everybody saw of the action, and this times (1 + what else was seen): of
#: their own claim or draw the mover sees their hand after it; of a call everybody sees how many
#: cards of each rank came up, and this many times a number that stands for which claim had which
#: (the view has them). Hands are numbers with five as their base, the ace's digit last.
SHOWN: Final = PUBLIC_ACTIONS
BASE: Final = 5
HANDS: Final = BASE**MOST_RANKS
ORDER_BITS: Final = 28


@kernel(allocates=False)
def start(state: Any, tables: Any, random: Any) -> None:
    rules = tables.rules[0]
    cards = rules.ranks * rules.suits
    for place in range(MOST_CARDS):
        state.deck[place] = place // rules.suits if place < cards else -1
    shuffle(state.deck, cards, random)
    state.left = cards
    for player in range(2):
        for _ in range(rules.hand):
            state.hands[player, next_card(state)] += 1
        state.sizes[player] = rules.hand
    state.first = next_card(state)
    state.pile = 1 - rules.aside
    state.rank = state.first
    state.rank_before = state.first
    set_all(state.log, -1)
    state.player = 0


@kernel(allocates=False, inline="late")
def neighbour(rank: int, lower: int, tables: Any) -> int:
    """The rank one above or below another: kings and aces are neighbours."""
    ranks = tables.rules[0].ranks
    return (rank + ranks - 1) % ranks if lower == 1 else (rank + 1) % ranks


@kernel(allocates=False, inline="late")
def can_call(state: Any) -> bool:
    """True if the last action is a claim that the player to move can call."""
    if state.turn == 0:
        return False
    last = state.log[state.turn - 1]
    return is_claim(last) and mover_of(last) != state.player


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    rules = tables.rules[0]
    mover = state.player
    count = 0
    if can_call(state):
        actions[count] = CALL
        count += 1
    if state.left > 0 or rules.passes == 1:
        actions[count] = TAKE
        count += 1
    size = state.sizes[mover]
    for lower in range(2):
        holds = state.hands[mover, neighbour(state.rank, lower, tables)]
        for cards in range(1, min(rules.most, holds) + 1):
            actions[count] = claim_code(lower, 0, cards)
            count += 1
        others = size - holds
        lies = others
        if rules.mixed == 1 and others > 0:
            lies = size
        for cards in range(1, min(rules.most, lies) + 1):
            actions[count] = claim_code(lower, 1, cards)
            count += 1
    return count


@kernel(allocates=False, inline="late")
def distance(one: int, other: int, tables: Any) -> int:
    """The number of steps up or down between two ranks."""
    apart = abs(one - other)
    return min(apart, tables.rules[0].ranks - apart)


@kernel(allocates=False)
def chosen_lie(state: Any, mover: int, claimed: int, tables: Any, random: Any) -> int:
    """The rank of the next card that a false claim lays down, where its code does not say it.

    The farthest from the current rank, which the claim follows; ties at random among the cards.
    Cards of the claimed rank come last: under the setting that forbids them, never.
    """
    rules = tables.rules[0]
    hand = state.hands[mover]
    farthest = -1
    ties = 0
    found = claimed
    for rank in range(rules.ranks):
        if rank == claimed or hand[rank] == 0:
            continue
        away = 0 if rules.any_cards == 1 else distance(rank, state.rank, tables)
        if away > farthest:
            farthest = away
            ties = hand[rank]
            found = rank
        elif away == farthest and rules.lowest_first == 0:
            ties += hand[rank]
            if below(random, ties) < hand[rank]:
                found = rank
    return found


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover = state.player
    cornered = state.sizes[1 - mover] == 0
    caught = False
    if action == CALL:
        caught = call(state, mover, tables)
    elif action == TAKE:
        if state.left > 0:
            state.hands[mover, next_card(state)] += 1
            state.sizes[mover] += 1
        pass_turn(state, TAKE)
    else:
        named = action // ACTIONS
        listed = action % ACTIONS
        lower = (listed - CLAIM) // 8
        false = (listed - CLAIM) // 4 % 2
        claimed = neighbour(state.rank, lower, tables)
        packed = 0
        for _ in range((listed - CLAIM) % 4 + 1):
            if named > 0:
                card = (named & 15) - 1
                named >>= 4
            elif false == 0:
                card = claimed
            else:
                card = chosen_lie(state, mover, claimed, tables, random)
            state.hands[mover, card] -= 1
            packed = packed_with(packed, card)
        lay_down(state, public_code(listed), claimed, packed)
    settle(state, mover, cornered, caught, tables)


@kernel(allocates=False, inline="late")
def pass_turn(state: Any, public: int) -> None:
    """Write down what the player to move does; then it is the other's turn."""
    state.log[state.turn] = entry(state.player, public, state.rank)
    state.turn += 1
    state.player = 1 - state.player


@kernel(allocates=False)
def settle(state: Any, mover: int, cornered: bool, caught: bool, tables: Any) -> None:
    """Decides if the game is over, and who goes on.

    Args:
        state: After the action.
        mover: Whose action it was.
        cornered: Whether the other had no cards left before it.
        caught: Whether it was a call of a lie.
        tables: The game's.
    """
    if cornered and not caught:
        state.winner = 2 - mover
        state.player = OVER
    elif state.turn >= tables.rules[0].limit:
        if state.sizes[0] < state.sizes[1]:
            state.winner = 1
        elif state.sizes[1] < state.sizes[0] or tables.rules[0].second_wins == 1:
            state.winner = 2
        state.player = OVER
    elif caught and tables.rules[0].call_winner == 1:
        state.player = mover


@kernel(allocates=False)
def lay_down(state: Any, public: int, claimed: int, packed: int) -> None:
    """A claim of the player to move, whose cards have left their hand."""
    mover = state.player
    count = (public - CLAIM) % 4 + 1
    state.cards[state.turn] = packed
    state.sizes[mover] -= count
    state.pile += count
    state.claimed[mover, claimed] += 1
    state.collected_before = state.collected[mover, claimed]
    state.collected[mover, claimed] = max(0, state.collected[mover, claimed] - count)
    state.rank_before = state.rank
    state.rank = claimed
    pass_turn(state, public)


@kernel(allocates=False)
def is_true(packed: int, logged: int, tables: Any) -> bool:
    """True if all cards of a claim have the rank that was claimed."""
    return packed_count(packed, rank_of(logged)) == count_of(logged)


@kernel(allocates=False)
def call(state: Any, mover: int, tables: Any) -> bool:
    """Turn up the pile and give it to who is wrong; whether the claim was false."""
    last = state.turn - 1
    pass_turn(state, CALL)
    logged = state.log[last]
    claimant = mover_of(logged)
    caught = not is_true(state.cards[last], logged, tables)
    loser = claimant if caught else mover
    for turn in range(state.since, last + 1):
        forget(state, turn)
    for turn in range(state.since, last + 1):
        packed = state.cards[turn]
        while packed > 0:
            take_up(state, loser, (packed & 15) - 1)
            packed >>= 4
    if state.since == 0 and tables.rules[0].aside == 0:
        take_up(state, loser, state.first)
    state.sizes[loser] += state.pile
    state.pile = 0
    state.since = state.turn
    for player in range(2):
        for rank in range(MOST_RANKS):
            state.claimed[player, rank] = 0
    if caught:
        state.caught[claimant, rank_of(logged)] += 1
        state.catches[claimant] += 1
        if tables.rules[0].valid == 1:
            state.rank = state.rank_before
    return caught


@kernel(allocates=False)
def forget(state: Any, turn: int) -> None:
    """The cards of an exposed lie are no longer among those that its player has collected."""
    by = mover_of(state.log[turn])
    packed = state.cards[turn]
    while packed > 0:
        rank = (packed & 15) - 1
        if rank != rank_of(state.log[turn]):
            state.collected[by, rank] = max(0, state.collected[by, rank] - 1)
        packed >>= 4


@kernel(allocates=False, inline="late")
def take_up(state: Any, player: int, rank: int) -> None:
    """A card of an exposed pile goes to a hand."""
    state.hands[player, rank] += 1
    state.collected[player, rank] += 1


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = 0.0
    values[1] = 0.0
    if state.winner != NOBODY:
        values[state.winner - 1] = 1.0
        values[2 - state.winner] = -1.0


@kernel(allocates=False, inline="late")
def hand_number(counts: Any) -> int:
    """The numbers of cards of each rank, as one number."""
    number = np.int64(0)
    for rank in range(MOST_RANKS - 1, -1, -1):
        number = number * BASE + counts[rank]
    return number


@kernel(allocates=False)
def exposed(state: Any, tables: Any) -> int:
    """The cards that came up in the call that was the last action; see `SHOWN`."""
    last = state.turn - 2
    since = last
    while since > 0 and public_of(state.log[since - 1]) != CALL:
        since -= 1
    key = np.uint64(0)
    number = np.int64(0)
    for turn in range(since, last + 1):
        packed = state.cards[turn]
        key = mix(key, packed)
        while packed > 0:
            number += BASE ** ((packed & 15) - 1)
            packed >>= 4
    if since == 0 and tables.rules[0].aside == 0:
        number += BASE**state.first
    return number + HANDS * np.int64(key >> np.uint64(64 - ORDER_BITS))


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    public = public_code(action % ACTIONS)
    if action == CALL:
        return public + SHOWN * (1 + exposed(state, tables))
    if viewer == mover:
        return public + SHOWN * (1 + hand_number(state.hands[mover]))
    return public


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    for player in range(2):
        if player != viewer:
            for rank in range(MOST_RANKS):
                state.hands[player, rank] = HIDDEN
    for place in range(state.left):
        state.deck[place] = HIDDEN
    for turn in range(state.since, state.turn):
        if is_claim(state.log[turn]) and mover_of(state.log[turn]) != viewer:
            state.cards[turn] = HIDDEN


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    rules = tables.rules[0]
    ranks = rules.ranks
    cards = ranks * rules.suits
    rest = np.full(MOST_RANKS, rules.suits, dtype=np.int32)
    for player in range(2):
        hidden = state.hands[player, 0] == HIDDEN
        for rank in range(MOST_RANKS):
            if hidden:
                state.hands[player, rank] = world[player * ranks + rank] if rank < ranks else 0
            rest[rank] -= state.hands[player, rank]
    place = 2 * ranks
    for turn in range(state.since, state.turn):
        if is_claim(state.log[turn]):
            count = count_of(state.log[turn])
            if state.cards[turn] == HIDDEN:
                packed = 0
                for card in range(place, place + count):
                    packed = packed_with(packed, world[card])
                state.cards[turn] = packed
            place += count
            packed = state.cards[turn]
            while packed > 0:
                rest[(packed & 15) - 1] -= 1
                packed >>= 4
    if rules.aside == 1 or state.since == 0:
        rest[state.first] -= 1
    # Cards of the deck that the world names, then the others in any order.
    free = np.empty(MOST_CARDS, dtype=np.int32)
    count = 0
    first = 2 * ranks + cards
    for step in range(state.left):
        card = world[first + step]
        if card >= 0:
            state.deck[state.left - 1 - step] = card
            rest[card] -= 1
        else:
            free[count] = state.left - 1 - step
            count += 1
    for rank in range(ranks):
        for _ in range(min(rest[rank], count)):  # a world can have too many of another rank
            other = below(random, count)
            state.deck[free[other]] = rank
            count -= 1
            free[other] = free[count]
