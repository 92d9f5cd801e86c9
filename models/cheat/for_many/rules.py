"""The rules of Cheat for many as kernels; what they mean is in `docs/cheat/for-many.md`."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...game import HIDDEN, OVER, SPECTATOR
from ...kernels.cards import set_all, shuffle
from ...kernels.kernel import kernel
from ...kernels.randomness import below, mix
from .state import (
    ACTIONS,
    ASCENDING,
    CALL,
    DESCENDING,
    EVERYBODY,
    FREE,
    MOST_CARDS,
    MOST_PLAYERS,
    MOST_RANKS,
    NEAR,
    NEXT,
    NOBODY,
    PASS,
    PUBLIC_ACTIONS,
    RIGHT,
    SAME,
    claim_code,
    claimant_of,
    count_in,
    count_of,
    entry,
    packed_count,
    packed_with,
    public_code,
    rank_in,
    rank_of,
    true_in,
)

#: An observation is what everybody saw of the action, and this times (1 + what else was seen): of
#: their own claim the claimant sees which cards it has; of a call everybody sees the cards of the
#: claim, and another number stands for what else they see of the pile (the view has it).
SHOWN: Final = PUBLIC_ACTIONS
#: Eight packed cards are less.
PACKED: Final = 1 << 32
PILE_BITS: Final = 23


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    rules = tables.rules[0]
    pack = np.empty(MOST_CARDS, dtype=np.int32)
    for place in range(rules.cards):
        pack[place] = place // rules.copies
    shuffle(pack, rules.cards, random)
    for place in range(rules.cards):
        player = place % rules.players
        state.hands[player, pack[place]] += 1
        state.sizes[player] += 1
    state.claimant = NOBODY
    state.rank = NOBODY
    state.winner = NOBODY
    set_all(state.log, -1)
    set_all(state.callers, NOBODY)


@kernel(allocates=False)
def may_claim(state: Any, rank: int, tables: Any) -> bool:
    """True if the next claim may be of a rank."""
    rules = tables.rules[0]
    ranks = rules.ranks
    if state.rank == NOBODY:
        if rules.order == ASCENDING:
            return rank == 0
        return rank == ranks - 1 or rules.order != DESCENDING
    above = (rank - state.rank + ranks) % ranks
    if rules.order == ASCENDING:
        return above == 1
    if rules.order == DESCENDING:
        return above == ranks - 1
    if rules.order == NEAR:
        return above <= 1 or above == ranks - 1
    if rules.order == SAME:
        return above == 0 or state.pile == 0
    return rules.order == FREE


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    if state.claimant != NOBODY:
        actions[0] = CALL
        actions[1] = PASS
        return 2
    rules = tables.rules[0]
    mover = state.player
    count = 0
    for rank in range(rules.ranks):
        if not may_claim(state, rank, tables):
            continue
        holds = state.hands[mover, rank]
        others = state.sizes[mover] - holds
        for cards in range(1, min(rules.most, state.sizes[mover]) + 1):
            for true in range(max(0, cards - others), min(holds, cards) + 1):
                actions[count] = claim_code(rank, cards, true)
                count += 1
    return count


@kernel(allocates=False)
def turns_until(state: Any, rank: int, claimed: int, tables: Any) -> int:
    """The player's own turns until they may claim a rank again, after they have claimed another.

    Where the order of ranks does not say it: how far the ranks are apart.
    """
    rules = tables.rules[0]
    away = (rank - claimed + rules.ranks) % rules.ranks
    if rules.order == DESCENDING:
        away = (claimed - rank + rules.ranks) % rules.ranks
    if rules.order <= DESCENDING:
        turns = 1
        while turns < rules.ranks and turns * rules.players % rules.ranks != away:
            turns += 1
        return turns
    return min(away, rules.ranks - away)


@kernel(allocates=False)
def chosen_lie(state: Any, mover: int, claimed: int, tables: Any, random: Any) -> int:
    """The rank of the next card that has not the claimed rank, where the code does not say it.

    The one that the player can claim latest; ties at random among the cards.
    """
    rules = tables.rules[0]
    hand = state.hands[mover]
    farthest = -1
    ties = 0
    found = claimed
    for rank in range(rules.ranks):
        if rank == claimed or hand[rank] == 0:
            continue
        away = 0
        if rules.any_cards == 0:
            away = turns_until(state, rank, claimed, tables)
        if away > farthest:
            farthest = away
            ties = hand[rank]
            found = rank
        elif away == farthest:
            ties += hand[rank]
            if below(random, ties) < hand[rank]:
                found = rank
    return found


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    rules = tables.rules[0]
    mover = state.player
    if action == CALL:
        call(state, mover, tables)
    elif action == PASS:
        following = (mover + 1) % rules.players
        if following == state.claimant:
            settle(state, following, (following + 1) % rules.players, tables)
        else:
            state.player = following
    else:
        named = action // ACTIONS
        listed = action % ACTIONS
        rank = rank_in(listed)
        count = count_in(listed)
        true = true_in(listed)
        packed = np.int64(0)
        for card in range(count):
            laid = rank
            if card >= true and named > 0:
                laid = (named & 15) - 1
                named >>= 4
            elif card >= true:
                laid = chosen_lie(state, mover, rank, tables, random)
            state.hands[mover, laid] -= 1
            packed = packed_with(packed, laid)
        lay_down(state, rank, count, packed, tables)


@kernel(allocates=False)
def lay_down(state: Any, rank: int, count: int, packed: int, tables: Any) -> None:
    """The cards of a claim, which have left the hand, lie on the pile; the others are asked."""
    mover = state.player
    state.log[state.turn] = entry(mover, rank, count)
    state.cards[state.turn] = packed
    state.turn += 1
    state.sizes[mover] -= count
    state.pile += count
    state.rank = rank
    state.claimant = mover
    state.player = (mover + 1) % tables.rules[0].players


@kernel(allocates=False, inline="late")
def is_true(packed: int, logged: int) -> bool:
    """True if all cards of a claim have its rank."""
    return packed_count(packed, rank_of(logged)) == count_of(logged)


@kernel(allocates=False)
def call(state: Any, caller: int, tables: Any) -> None:
    """The last claim is turned up, and the claimant or the caller takes the pile."""
    rules = tables.rules[0]
    last = state.turn - 1
    claimant = state.claimant
    true = is_true(state.cards[last], state.log[last])
    state.callers[last] = caller
    if true:
        state.cleared[claimant] += 1
        state.wrong[caller] += 1
    else:
        state.caught[claimant] += 1
        state.right[caller] += 1
    taker = caller if true else claimant
    for turn in range(state.since, state.turn):
        if turn == last or rules.whole_pile == 1:
            state.shown[turn] = 1
    for viewer in range(MOST_PLAYERS + 1):
        if viewer < rules.players or viewer == EVERYBODY:
            collect(state, viewer, taker, tables)
    for turn in range(state.since, state.turn):
        packed = state.cards[turn]
        while packed > 0:
            state.hands[taker, (packed & 15) - 1] += 1
            packed >>= 4
        if state.shown[turn] == 0:
            state.cards[turn] = 0
    state.sizes[taker] += state.pile
    state.pile = 0
    state.since = state.turn
    leader = (claimant + 1) % rules.players
    if rules.leads != NEXT:
        leader = claimant + caller - taker if rules.leads == RIGHT else taker
    settle(state, claimant, leader, tables)


@kernel(allocates=False)
def collect(state: Any, viewer: int, taker: int, tables: Any) -> None:
    """A viewer keeps in mind which cards of the pile, that is being taken, are in which hands.

    A card that they see of a rank that the claimant was known to hold is taken to be the card that
    was known. Cards that they do not see may be any of the claimant's, who then holds as many fewer
    of each rank for sure.
    """
    ranks = tables.rules[0].ranks
    for turn in range(state.since, state.turn):
        claimant = claimant_of(state.log[turn])
        takes = viewer == taker
        seen = takes or viewer == claimant or state.shown[turn] == 1
        knows = state.knows[viewer, claimant]
        for rank in range(ranks):
            cards = count_of(state.log[turn])
            if seen:
                cards = packed_count(state.cards[turn], rank)
            if cards > 0 and knows[rank] > 0 and viewer != claimant:
                state.forgot[viewer] = 1
                knows[rank] = max(0, knows[rank] - cards)
    # What the taker laid there themselves they had before.
    for turn in range(state.since, state.turn):
        seen = state.shown[turn] == 1 or viewer == claimant_of(state.log[turn])
        if seen and viewer != taker:
            for rank in range(ranks):
                state.knows[viewer, taker, rank] += packed_count(state.cards[turn], rank)


@kernel(allocates=False)
def settle(state: Any, claimant: int, leader: int, tables: Any) -> None:
    """After a claim was called, or nobody has called it: the game ends or the leader claims."""
    state.claimant = NOBODY
    state.player = leader
    if state.sizes[claimant] == 0:
        state.winner = claimant
        state.player = OVER
    elif state.turn >= tables.rules[0].limit:
        state.player = OVER


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    players = tables.rules[0].players
    for player in range(players):
        values[player] = 1.0 / players if state.winner == NOBODY else 0.0
    if state.winner != NOBODY:
        values[state.winner] = 1.0


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    public = public_code(action % ACTIONS)
    if action == PASS:
        return public
    if action != CALL:
        if viewer == mover:
            return public + SHOWN * (1 + state.cards[state.turn - 1])
        return public
    last = state.turn - 1
    seen = state.cards[last]
    taker = claimant_of(state.log[last])
    if is_true(seen, state.log[last]):
        taker = state.callers[last]
    key = np.uint64(0)
    if tables.rules[0].whole_pile == 1:
        turn = last
        while turn >= 0 and (turn == last or state.callers[turn] == NOBODY):
            key = mix(key, state.cards[turn])
            turn -= 1
    # What they know of hands now may depend on cards that others have not seen.
    row = EVERYBODY if viewer == SPECTATOR else viewer
    for player in range(tables.rules[0].players):
        for rank in range(tables.rules[0].ranks):
            key = mix(key, state.knows[row, player, rank])
            if taker == viewer and player == viewer:
                key = mix(key, state.hands[viewer, rank])
    key = mix(key, state.forgot[row])
    seen += PACKED * np.int64(key >> np.uint64(64 - PILE_BITS))
    return public + SHOWN * (1 + seen)


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    for turn in range(state.since, state.turn):
        if claimant_of(state.log[turn]) != viewer:
            state.cards[turn] = HIDDEN
    for player in range(tables.rules[0].players):
        if player != viewer:
            state.forgot[player] = HIDDEN
            for rank in range(MOST_RANKS):
                state.hands[player, rank] = HIDDEN
            for other in range(MOST_PLAYERS):
                for rank in range(MOST_RANKS):
                    state.knows[player, other, rank] = HIDDEN


@kernel(allocates=False)
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    """Columns: hands, player by player; then the ranks of the cards of the pile, from its bottom.

    Nobody can know what others know beyond what everybody does: it is any part of what is so.
    """
    rules = tables.rules[0]
    for player in range(rules.players):
        if state.hands[player, 0] == HIDDEN:
            for rank in range(MOST_RANKS):
                state.hands[player, rank] = 0
                if rank < rules.ranks:
                    state.hands[player, rank] = world[player * rules.ranks + rank]
    place = rules.players * rules.ranks
    for turn in range(state.since, state.turn):
        count = count_of(state.log[turn])
        if state.cards[turn] == HIDDEN:
            packed = np.int64(0)
            for card in range(count):
                packed = packed_with(packed, world[place + card])
            state.cards[turn] = packed
        place += count
    for player in range(MOST_PLAYERS):
        for rank in range(MOST_RANKS):
            least = state.knows[EVERYBODY, player, rank]
            most = state.hands[player, rank]
            for turn in range(state.since, state.turn):
                if claimant_of(state.log[turn]) == player:
                    most += packed_count(state.cards[turn], rank)
            for viewer in range(rules.players):
                if state.knows[viewer, player, rank] == HIDDEN:
                    known = 0
                    if player != viewer and state.since > 0:
                        known = least + below(random, max(1, most - least + 1))
                    state.knows[viewer, player, rank] = known
    for viewer in range(rules.players):
        if state.forgot[viewer] == HIDDEN:
            state.forgot[viewer] = below(random, 2) if state.since > 0 else 0
