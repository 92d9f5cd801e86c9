"""Messages of belief propagation between cards and factors.

A factor's weight depends on its cards only through a sum, so all its messages come from one
forward and one backward pass over partial sums, however many cards it joins.
"""

from __future__ import annotations

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.problem import Flags, Floats, Integers


@kernel
def cavity(
    row: int,
    card: int,
    allowed: Flags,
    row_start: Integers,
    rows: Integers,
    to_card: Floats,
    result: Floats,
) -> float:
    """Belief about a card without one factor (row -1: with all); written, not normalised.

    Returns:
        The sum over slots.
    """
    total = 0.0
    for slot in range(allowed.shape[1]):
        value = 0.0
        if allowed[card, slot] == 1:
            value = 1.0
            for place in range(row_start[card], row_start[card + 1]):
                if rows[place] != row:
                    value *= to_card[rows[place], slot]
        result[slot] = value
        total += value
    return total


@kernel
def factor_messages(
    incoming: Floats,
    delta: Integers,
    table: Floats,
    allowed: Flags,
    cards: Integers,
    outgoing: Floats,
) -> float:
    """Writes a factor's messages to its cards; returns its total weight under the incoming beliefs.

    Args:
        incoming: Belief about every card without this factor, shape (cards, slots).
        delta: What each card adds to the index, shape (cards, slots).
        table: Weight of every index; sums beyond it weigh nothing.
        allowed: 1 where a card may be, shape (all cards, slots).
        cards: The factor's cards.
        outgoing: Messages, each summing to one, shape (cards, slots); written.
    """
    length, slots = delta.shape
    size = table.shape[0]
    forward = np.zeros((length + 1, size), dtype=np.float64)
    backward = np.zeros((length + 1, size), dtype=np.float64)
    forward[0, 0] = 1.0
    for value in range(size):
        backward[length, value] = table[value]
    for position in range(length):
        for slot in range(slots):
            mass = incoming[position, slot]
            if mass > 0.0:
                step = delta[position, slot]
                for value in range(size - step):
                    forward[position + 1, value + step] += mass * forward[position, value]
    total = 0.0
    for value in range(size):
        total += forward[length, value] * table[value]
    for back in range(length):
        position = length - 1 - back
        scale = 0.0
        for slot in range(slots):
            message = 0.0
            if allowed[cards[position], slot] == 1:
                step = delta[position, slot]
                mass = incoming[position, slot]
                for value in range(size - step):
                    message += forward[position, value] * backward[position + 1, value + step]
                if mass > 0.0:
                    for value in range(size - step):
                        backward[position, value] += mass * backward[position + 1, value + step]
            outgoing[position, slot] = message
            scale += message
        if scale > 0.0:
            for slot in range(slots):
                outgoing[position, slot] /= scale
    return total


@kernel
def propagate_beliefs(
    allowed: Flags,
    factor_start: Integers,
    factor_card: Integers,
    factor_delta: Integers,
    table_start: Integers,
    table: Floats,
    row_start: Integers,
    rows: Integers,
    order: Integers,
    turning: bool,
    to_card: Floats,
    damping: float,
    rounds: int,
    tolerance: float,
) -> tuple[int, float, float]:
    """Pass messages until they change no more, or for so many rounds.

    Args:
        allowed: 1 where a card may be, shape (cards, slots).
        factor_start, factor_card, factor_delta, table_start, table: See `Problem`.
        row_start, rows: The factor rows of every card.
        order: The factors in the order in which they pass messages in a round.
        turning: Whether every other round goes the other way.
        to_card: Messages from factors to cards, shape (factor rows, slots); edited.
        damping: Share of the old message that is kept.
        rounds: Most rounds over all factors.
        tolerance: The largest change of a message at which it has settled.

    Returns:
        Rounds made, the largest change in the last, and the log of the total weight by the
        Bethe approximation (Yedidia, Freeman and Weiss, 2005); minus infinity when messages
        found that nothing is possible.
    """
    cards, slots = allowed.shape
    factors = factor_start.shape[0] - 1
    longest = 1
    for factor in range(factors):
        longest = max(longest, factor_start[factor + 1] - factor_start[factor])
    incoming = np.zeros((longest, slots), dtype=np.float64)
    outgoing = np.zeros((longest, slots), dtype=np.float64)
    belief = np.zeros(slots, dtype=np.float64)
    made = 0
    change = 0.0
    log_weight = 0.0
    for again in range(rounds + 1):
        # The last round only adds up the Bethe free energy.
        final = again == rounds or (again > 0 and change < tolerance)
        log_weight = 0.0
        if not final:
            change = 0.0
            made += 1
        for turn in range(factors):
            factor = int(order[factors - 1 - turn if turning and again % 2 == 1 else turn])
            first = factor_start[factor]
            length = factor_start[factor + 1] - first
            for position in range(length):
                card = int(factor_card[first + position])
                total = cavity(first + position, card, allowed, row_start, rows, to_card, belief)
                if total <= 0.0:
                    return made, change, -np.inf
                agree = 0.0
                for slot in range(slots):
                    incoming[position, slot] = belief[slot] / total
                    agree += incoming[position, slot] * to_card[first + position, slot]
                if final:
                    log_weight -= np.log(agree)
            weight = factor_messages(
                incoming[:length],
                factor_delta[first : first + length],
                table[table_start[factor] : table_start[factor + 1]],
                allowed,
                factor_card[first : first + length],
                outgoing,
            )
            if weight <= 0.0:
                return made, change, -np.inf
            if final:
                log_weight += np.log(weight)
                continue
            for position in range(length):
                for slot in range(slots):
                    old = to_card[first + position, slot]
                    new = damping * old + (1.0 - damping) * outgoing[position, slot]
                    change = max(change, abs(outgoing[position, slot] - old))
                    to_card[first + position, slot] = new
        if final:
            break
    for card in range(cards):
        total = cavity(-1, card, allowed, row_start, rows, to_card, belief)
        if total <= 0.0:
            return made, change, -np.inf
        log_weight += np.log(total)
    return made, change, log_weight
