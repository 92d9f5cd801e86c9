"""Moves between valid deals: swaps of two cards, cycles of three, other values of a choice.

A proposal is one to three such moves in a row, so that deals which hard evidence keeps more than
one swap apart are still neighbours. Every move is as likely as its reverse, so the Metropolis
rule needs the weights alone (Metropolis et al., 1953).
"""

from __future__ import annotations

import numpy as np

from ...models.kernel import kernel
from ..problem import Flags, Floats, Integers
from .base import Worlds

#: Uniform numbers that one proposal takes: how many moves, the moves, whether to accept.
UNIFORMS = 5
#: A proposal has one move below the first number, two below the second, else three.
ONE_MOVE = 0.7
TWO_MOVES = 0.9


@kernel
def elementary_move(
    slot: Integers,
    capacity: Integers,
    allowed: Flags,
    movable: Integers,
    group_of: Integers,
    group_start: Integers,
    group_cards: Integers,
    uniform: float,
    moved: Integers,
    target: Integers,
) -> int:
    """Choose one move; returns how many cards it moves, 0 where it would not be valid.

    Args:
        slot: Slot of every card.
        capacity, allowed, movable, group_of, group_start, group_cards: See `cards.Cards`.
        uniform: A number in [0, 1) that decides everything.
        moved, target: The cards to move and their new slots, shape (3,); written.
    """
    pick = uniform * movable.shape[0]
    first = movable[int(pick)]
    pick -= int(pick)
    here = slot[first]
    if capacity[here] < 0:
        others = 0
        for other in range(capacity.shape[0]):
            if other != here and allowed[first, other] == 1:
                others += 1
        wanted = int(pick * others)
        for other in range(capacity.shape[0]):
            if other != here and allowed[first, other] == 1:
                if wanted == 0:
                    moved[0] = first
                    target[0] = other
                    return 1
                wanted -= 1
        return 0
    begin = group_start[group_of[first]]
    size = group_start[group_of[first] + 1] - begin
    pick *= 4.0
    cycle = int(pick) == 0
    pick -= int(pick)
    pick *= size
    second = group_cards[begin + int(pick)]
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
    third = group_cards[begin + int(pick * size)]
    beyond = slot[third]
    if beyond in (here, there):
        return 0
    moved[2] = third
    target[1] = beyond
    target[2] = here
    return 3 if allowed[second, beyond] == 1 and allowed[third, here] == 1 else 0


@kernel
def walk(
    slot: Integers,
    capacity: Integers,
    allowed: Flags,
    movable: Integers,
    group_of: Integers,
    group_start: Integers,
    group_cards: Integers,
    row_start: Integers,
    row_factor: Integers,
    row_delta: Integers,
    factor_start: Integers,
    factor_card: Integers,
    factor_delta: Integers,
    table_start: Integers,
    log_table: Floats,
    active: int,
    uniform: Floats,
    every: int,
    kept: Worlds,
) -> int:
    """Move one deal by the Metropolis rule; returns how many proposals were accepted.

    Args:
        slot: Slot of every card, shape (cards,); edited.
        capacity, ..., table_start: `Cards.moves`, in order.
        log_table: Log weights of all factors; the deal's own must be finite.
        active: Only the first so many factors count.
        uniform: Numbers in [0, 1), shape (proposals, UNIFORMS).
        every: A deal is kept after every so many proposals.
        kept: Those deals, shape (proposals // every, cards); written.
    """
    cards = slot.shape[0]
    index = np.zeros(active, dtype=np.int64)
    for factor in range(active):
        for row in range(factor_start[factor], factor_start[factor + 1]):
            index[factor] += factor_delta[row, slot[factor_card[row]]]
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
            number = elementary_move(
                slot,
                capacity,
                allowed,
                movable,
                group_of,
                group_start,
                group_cards,
                uniform[proposal, 1 + part],
                moved,
                target,
            )
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
def walk_all(
    worlds: Worlds,
    capacity: Integers,
    allowed: Flags,
    movable: Integers,
    group_of: Integers,
    group_start: Integers,
    group_cards: Integers,
    row_start: Integers,
    row_factor: Integers,
    row_delta: Integers,
    factor_start: Integers,
    factor_card: Integers,
    factor_delta: Integers,
    table_start: Integers,
    log_table: Floats,
    active: int,
    uniform: Floats,
) -> int:
    """Move many deals independently; returns how many proposals were accepted in all.

    Args:
        worlds: Slot of every card, shape (worlds, cards); edited.
        uniform: Numbers in [0, 1), shape (worlds, proposals, UNIFORMS).
        capacity, ..., active: See `walk`.
    """
    count, cards = worlds.shape
    slot = np.zeros(cards, dtype=np.int64)
    kept = np.zeros((1, cards), dtype=np.int8)
    accepted = 0
    for world in range(count):
        for card in range(cards):
            slot[card] = worlds[world, card]
        accepted += walk(
            slot,
            capacity,
            allowed,
            movable,
            group_of,
            group_start,
            group_cards,
            row_start,
            row_factor,
            row_delta,
            factor_start,
            factor_card,
            factor_delta,
            table_start,
            log_table,
            active,
            uniform[world],
            uniform.shape[1] + 1,
            kept,
        )
        for card in range(cards):
            worlds[world, card] = slot[card]
    return accepted


@kernel
def log_weights(
    worlds: Worlds,
    factor_start: Integers,
    factor_card: Integers,
    factor_delta: Integers,
    table_start: Integers,
    log_table: Floats,
    first: int,
    last: int,
) -> Floats:
    """Log weight of every world under the factors from ``first`` to before ``last``."""
    count = worlds.shape[0]
    result = np.zeros(count, dtype=np.float64)
    for world in range(count):
        total = 0.0
        for factor in range(first, last):
            index = 0
            for row in range(factor_start[factor], factor_start[factor + 1]):
                index += factor_delta[row, worlds[world, factor_card[row]]]
            total += log_table[table_start[factor] + index]
            if total == -np.inf:
                break
        result[world] = total
    return result


@kernel
def support_distance(
    allowed: Flags,
    factor_start: Integers,
    factor_card: Integers,
    factor_delta: Integers,
    table_start: Integers,
    table: Floats,
    largest: int,
) -> Integers:
    """About how many cards must move before a factor's weight is positive, for every index.

    Found by breadth-first search over what one card can change, whatever the others do. A table
    with more than ``largest`` entries is only told apart into 0 (positive) and 1.
    """
    slots = allowed.shape[1]
    result = np.zeros(table.shape[0], dtype=np.int64)
    for factor in range(factor_start.shape[0] - 1):
        base = table_start[factor]
        size = table_start[factor + 1] - base
        length = factor_start[factor + 1] - factor_start[factor]
        queue = np.zeros(size, dtype=np.int64)
        head = 0
        tail = 0
        for index in range(size):
            if table[base + index] > 0.0:
                queue[tail] = index
                tail += 1
            else:
                result[base + index] = 1 if size > largest else length + 1
        if size > largest or tail == size:
            continue
        reached = np.zeros(2 * size + 1, dtype=np.int8)
        steps = np.zeros(2 * size + 1, dtype=np.int64)
        kinds = 0
        for row in range(factor_start[factor], factor_start[factor + 1]):
            card = factor_card[row]
            for here in range(slots):
                for there in range(slots):
                    if allowed[card, here] == 1 and allowed[card, there] == 1:
                        step = factor_delta[row, here] - factor_delta[row, there]
                        if step != 0 and abs(step) < size and reached[step + size] == 0:
                            reached[step + size] = 1
                            steps[kinds] = step
                            kinds += 1
        while head < tail:
            index = queue[head]
            head += 1
            for kind in range(kinds):
                after = index + steps[kind]
                if 0 <= after < size and result[base + after] == length + 1:
                    result[base + after] = result[base + index] + 1
                    queue[tail] = after
                    tail += 1
    return result
