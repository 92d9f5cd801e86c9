"""Moves between valid deals: swaps of two cards, cycles of three, other values of a choice.

A proposal is one to three such moves in a row, so that deals which hard evidence keeps more than
one swap apart are still neighbours. Every move is as likely as its reverse, so the Metropolis
rule needs the weights alone (Metropolis et al., 1953).
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.layout import FactorArrays, Flags, Floats, Integers
from ..base import Worlds
from ..partial_deals.propagation import open_slots

#: Uniform numbers that one proposal takes: how many moves, the moves, whether to accept.
UNIFORMS = 5
#: A proposal has one move below the first number, two below the second, else three.
ONE_MOVE = 0.7
TWO_MOVES = 0.9


class Moves(NamedTuple):
    """The facts of a problem for moving cards about; a group is cards that swaps exchange.

    Attributes:
        capacity: Places of every slot; -1 for the values of a choice.
        allowed: 1 where a card may be, shape (cards, slots).
        movable: Cards that can be in more than one slot.
        group_of: Group of every card; -1 for none.
        group_start: Cards of group g are ``group_cards[group_start[g]:group_start[g + 1]]``.
        group_cards: The cards of all groups.
        row_start: Rows of card c are ``row_start[c]:row_start[c + 1]``, factors ascending.
        row_factor, row_delta: The factor of every row, and what its card adds to it by slot.
        factors: All factors, whose sites are the cards.
    """

    capacity: Integers
    allowed: Flags
    movable: Integers
    group_of: Integers
    group_start: Integers
    group_cards: Integers
    row_start: Integers
    row_factor: Integers
    row_delta: Integers
    factors: FactorArrays


@kernel(allocates=False)
def elementary_move(
    slot: Integers, moves: Moves, uniform: float, moved: Integers, target: Integers
) -> int:
    """Choose one move; returns how many cards it moves, 0 where it would not be valid.

    Args:
        slot: Slot of every card.
        uniform: A number in [0, 1) that decides everything.
        moved, target: The cards to move and their new slots, shape (3,); written.
    """
    allowed, capacity = moves.allowed, moves.capacity
    pick = uniform * moves.movable.shape[0]
    first = moves.movable[int(pick)]
    pick -= int(pick)
    here = slot[first]
    if capacity[here] < 0:
        wanted = int(pick * (open_slots(first, allowed) - 1))
        for other in range(capacity.shape[0]):
            if other != here and allowed[first, other] == 1:
                if wanted == 0:
                    moved[0] = first
                    target[0] = other
                    return 1
                wanted -= 1
        return 0
    group = moves.group_of[first]
    begin = moves.group_start[group]
    size = moves.group_start[group + 1] - begin
    pick *= 4.0
    cycle = int(pick) == 0
    pick -= int(pick)
    pick *= size
    second = moves.group_cards[begin + int(pick)]
    pick -= int(pick)
    there = slot[second]
    if there == here or allowed[first, there] == 0:
        return 0
    moved[0] = first
    target[0] = there
    moved[1] = second
    if not cycle:
        target[1] = here
        return 2 if allowed[second, here] == 1 else 0
    third = moves.group_cards[begin + int(pick * size)]
    beyond = slot[third]
    if beyond in (here, there):
        return 0
    moved[2] = third
    target[1] = beyond
    target[2] = here
    return 3 if allowed[second, beyond] == 1 and allowed[third, here] == 1 else 0


@kernel(allocates=False)
def factor_index(slots: Integers, factors: FactorArrays, factor: int) -> int:
    """The index of a factor where every card is in its slot."""
    index = 0
    for row in range(factors.start[factor], factors.start[factor + 1]):
        index += factors.delta[row, slots[factors.site[row]]]
    return index


@kernel
def walk(
    slot: Integers,
    moves: Moves,
    log_table: Floats,
    active: int,
    uniform: Floats,
    every: int,
    kept: Worlds,
) -> int:
    """Move one deal by the Metropolis rule; returns how many proposals were accepted.

    Args:
        slot: Slot of every card, shape (cards,); edited.
        log_table: Log weights of all factors; the deal's own must be finite.
        active: Only the first so many factors count.
        uniform: Numbers in [0, 1), shape (proposals, UNIFORMS).
        every: A deal is kept after every so many proposals.
        kept: Those deals, shape (proposals // every, cards); written.
    """
    row_start, row_factor, row_delta = moves.row_start, moves.row_factor, moves.row_delta
    table_start = moves.factors.table_start
    cards = slot.shape[0]
    index = np.zeros(active, dtype=np.int64)
    for factor in range(active):
        index[factor] = factor_index(slot, moves.factors, factor)
    before = np.zeros(active, dtype=np.int64)
    touched = np.zeros(active, dtype=np.int64)
    stamp = np.full(active, -1, dtype=np.int64)
    moved = np.zeros(3, dtype=np.int64)
    target = np.zeros(3, dtype=np.int64)
    undo_card = np.zeros(9, dtype=np.int64)
    undo_slot = np.zeros(9, dtype=np.int64)
    accepted = 0
    for proposal in range(uniform.shape[0]):
        parts = 1
        if uniform[proposal, 0] >= ONE_MOVE:
            parts = 2 if uniform[proposal, 0] < TWO_MOVES else 3
        touches = 0
        undos = 0
        valid = True
        for part in range(parts):
            number = elementary_move(slot, moves, uniform[proposal, 1 + part], moved, target)
            if number == 0:
                valid = False
                break
            for place in range(number):
                card = moved[place]
                old = slot[card]
                new = target[place]
                for row in range(row_start[card], row_start[card + 1]):
                    factor = row_factor[row]
                    if factor >= active:
                        break
                    change = row_delta[row, new] - row_delta[row, old]
                    if change != 0:
                        if stamp[factor] != proposal:
                            stamp[factor] = proposal
                            before[factor] = index[factor]
                            touched[touches] = factor
                            touches += 1
                        index[factor] += change
                undo_card[undos] = card
                undo_slot[undos] = old
                undos += 1
                slot[card] = new
        accept = valid
        if valid:
            gain = 0.0
            for place in range(touches):
                factor = touched[place]
                start = table_start[factor]
                gain += log_table[start + index[factor]] - log_table[start + before[factor]]
            accept = gain >= 0.0 or uniform[proposal, UNIFORMS - 1] < np.exp(gain)
        if accept:
            accepted += 1
        else:
            for place in range(touches):
                index[touched[place]] = before[touched[place]]
            for back in range(undos):
                place = undos - 1 - back
                slot[undo_card[place]] = undo_slot[place]
        if (proposal + 1) % every == 0:
            for card in range(cards):
                kept[proposal // every, card] = slot[card]
    return accepted


@kernel
def walk_all(worlds: Worlds, moves: Moves, log_table: Floats, active: int, uniform: Floats) -> int:
    """Move many deals independently; returns how many proposals were accepted in all.

    Args:
        worlds: Slot of every card, shape (worlds, cards); edited.
        log_table, active: See `walk`.
        uniform: Numbers in [0, 1), shape (worlds, proposals, UNIFORMS).
    """
    count, cards = worlds.shape
    slot = np.zeros(cards, dtype=np.int64)
    kept = np.zeros((1, cards), dtype=np.int8)
    every = uniform.shape[1] + 1
    accepted = 0
    for world in range(count):
        for card in range(cards):
            slot[card] = worlds[world, card]
        accepted += walk(slot, moves, log_table, active, uniform[world], every, kept)
        for card in range(cards):
            worlds[world, card] = slot[card]
    return accepted


@kernel
def log_weights(
    worlds: Worlds, factors: FactorArrays, log_table: Floats, first: int, last: int
) -> Floats:
    """Log weight of every world under the factors from ``first`` to before ``last``."""
    count = worlds.shape[0]
    result = np.zeros(count, dtype=np.float64)
    for world in range(count):
        slots = worlds[world]
        total = 0.0
        for factor in range(first, last):
            total += log_table[factors.table_start[factor] + factor_index(slots, factors, factor)]
            if total == -np.inf:
                break
        result[world] = total
    return result
