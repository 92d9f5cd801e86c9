"""Draws of one variable after the other, and what factors that come later say before."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.layout import FactorArrays, Flags, Floats, Integers
from ..networks.messages import factor_messages

#: A message says of no value that is possible that it is less likely than this, beside the best.
LEAST_MESSAGE = 1e-6


class OrderArrays(NamedTuple):
    """An order of variables, as kernels take it.

    Attributes:
        cards: Card of every place, shape (places,).
        start: Factors of place p are ``factor[start[p]:start[p + 1]]``.
        factor: Factors whose last variable the place is.
        row: Row of that variable in each of them.
        far: 1 where the weights of the values may lie too far apart to be multiplied as floats.
        allowed: 1 where a card may be, shape (cards, slots).
        factors: All factors of the cards.
        ahead: What a factor that comes later says of each of its cards: messages, shape (rows,
            slots).
        own: The product of what all later factors say of a card, the largest being 1, shape (cards,
            slots).
        log_ahead: Its log.
    """

    cards: Integers
    start: Integers
    factor: Integers
    row: Integers
    far: Flags
    allowed: Flags
    factors: FactorArrays
    ahead: Floats
    own: Floats
    log_ahead: Floats


@kernel
def look_ahead(
    cards: Integers,
    start: Integers,
    factor: Integers,
    own_row: Integers,
    place_of: Integers,
    allowed: Flags,
    believed: Floats,
    factors: FactorArrays,
    ahead: Floats,
) -> None:
    """Pass messages along an order and back, so that draws know of evidence that comes later.

    Exact where the factors form a tree; elsewhere good enough to draw by, since weights make up for
    it (Yuan and Druzdzel, 2003).

    Args:
        cards, start, factor, own_row, allowed, factors: See `OrderArrays`.
        place_of: Place of every card in the order; -1 for those that are not in it.
        believed: Belief about every card, shape (cards, slots); those in the order are written.
        ahead: Messages, see `OrderArrays`; written.
    """
    slots = allowed.shape[1]
    longest = 1
    for number in range(factors.start.shape[0] - 1):
        longest = max(longest, factors.start[number + 1] - factors.start[number])
    incoming = np.zeros((longest, slots), dtype=np.float64)
    outgoing = np.zeros((longest, slots), dtype=np.float64)
    onward = np.ones(allowed.shape, dtype=np.float64)
    for place in range(cards.shape[0]):
        card = cards[place]
        for slot in range(slots):
            believed[card, slot] = float(allowed[card, slot])
        for number in range(start[place], start[place + 1]):
            first = factors.start[factor[number]]
            length = factors.start[factor[number] + 1] - first
            for position in range(length):
                row = first + position
                for slot in range(slots):
                    value = float(allowed[card, slot])
                    if row != own_row[number]:
                        value = believed[factors.site[row], slot]
                    incoming[position, slot] = value
            _pass(incoming, factors, factor[number], allowed, outgoing)
            for slot in range(slots):
                ahead[own_row[number], slot] = outgoing[own_row[number] - first, slot]
            _multiply(believed, card, outgoing, own_row[number] - first)
        total = 0.0
        for slot in range(slots):
            total += believed[card, slot]
        for slot in range(slots):
            if total > 0.0:
                believed[card, slot] /= total
            else:
                believed[card, slot] = float(allowed[card, slot])
    for back in range(cards.shape[0]):
        place = cards.shape[0] - 1 - back
        card = cards[place]
        for number in range(start[place], start[place + 1]):
            first = factors.start[factor[number]]
            length = factors.start[factor[number] + 1] - first
            for position in range(length):
                row = first + position
                for slot in range(slots):
                    value = onward[factors.site[row], slot]
                    if row != own_row[number]:
                        value *= believed[factors.site[row], slot]
                    else:
                        value *= float(allowed[card, slot])
                        for other in range(start[place], start[place + 1]):
                            if other != number:
                                value *= ahead[own_row[other], slot]
                    incoming[position, slot] = value
            _pass(incoming, factors, factor[number], allowed, outgoing)
            for position in range(length):
                row = first + position
                other = factors.site[row]
                if row == own_row[number] or place_of[other] < 0:
                    continue
                largest = 0.0
                for slot in range(slots):
                    largest = max(largest, outgoing[position, slot])
                for slot in range(slots):
                    value = 1.0
                    if largest > 0.0:
                        value = outgoing[position, slot] / largest
                        if value > 0.0:
                            value = max(value, LEAST_MESSAGE)
                    outgoing[position, slot] = value
                    ahead[row, slot] = value
                _multiply(onward, other, outgoing, position)
    for number in range(own_row.shape[0]):
        for slot in range(slots):
            ahead[own_row[number], slot] = 1.0


@kernel(inner=True)
def _pass(
    incoming: Floats, factors: FactorArrays, factor: int, allowed: Flags, outgoing: Floats
) -> None:
    """The messages of one factor, after what comes in was brought to a largest of one."""
    first = factors.start[factor]
    last = factors.start[factor + 1]
    for position in range(last - first):
        largest = 0.0
        for slot in range(incoming.shape[1]):
            largest = max(largest, incoming[position, slot])
        if largest > 0.0:
            for slot in range(incoming.shape[1]):
                incoming[position, slot] /= largest
    factor_messages(
        incoming[: last - first],
        factors.delta[first:last],
        factors.table[factors.table_start[factor] : factors.table_start[factor + 1]],
        allowed,
        factors.site[first:last],
        outgoing,
    )


@kernel(inner=True, allocates=False)
def _multiply(product: Floats, card: int, messages: Floats, position: int) -> None:
    """Multiply what is known of a card by a message, the largest staying one."""
    largest = 0.0
    for slot in range(product.shape[1]):
        product[card, slot] *= messages[position, slot]
        largest = max(largest, product[card, slot])
    if largest > 0.0:
        for slot in range(product.shape[1]):
            product[card, slot] /= largest


@kernel
def draw_places(
    columns: Any,
    order: OrderArrays,
    first: int,
    last: int,
    given: bool,
    uniform: Floats,
    log_weights: Floats,
) -> None:
    """Draw the variables of some places in all worlds, and weigh the worlds.

    The weight of a world is that by all factors beside its probability of being drawn.

    Args:
        columns: Slot of every card, shape (cards, worlds); written.
        order: `OrderArrays`.
        first, last: The places, from the first to before the last.
        given: Whether the worlds stay as they are, and are only weighed.
        uniform: Numbers in [0, 1), shape (last - first, worlds); where worlds are given, nothing.
        log_weights: Log weight of every world, shape (worlds,); changed.
    """
    factors = order.factors
    slots = order.allowed.shape[1]
    most = 1
    for place in range(first, last):
        most = max(most, order.start[place + 1] - order.start[place])
    base = np.zeros(most, dtype=np.int64)
    weights = np.zeros(slots, dtype=np.float64)
    for place in range(first, last):
        card = order.cards[place]
        begin = order.start[place]
        number = order.start[place + 1] - begin
        for world in range(columns.shape[1]):
            if log_weights[world] == -np.inf:
                continue
            gone = 1.0
            log_gone = 0.0
            for each in range(number):
                factor = order.factor[begin + each]
                index = factors.table_start[factor]
                for row in range(factors.start[factor], factors.start[factor + 1]):
                    if row != order.row[begin + each]:
                        slot = columns[factors.site[row], world]
                        index += factors.delta[row, slot]
                        gone *= order.ahead[row, slot]
                        if gone < 1e-200:
                            log_gone += np.log(gone)
                            gone = 1.0
                base[each] = index
            total = 0.0
            shift = 0.0
            if order.far[place] == 1:
                shift = -np.inf
                for slot in range(slots):
                    weights[slot] = -np.inf
                    if order.allowed[card, slot] == 1:
                        value = order.log_ahead[card, slot]
                        for each in range(number):
                            row = order.row[begin + each]
                            value += np.log(factors.table[base[each] + factors.delta[row, slot]])
                        weights[slot] = value
                        shift = max(shift, value)
                for slot in range(slots):
                    weights[slot] = np.exp(weights[slot] - shift) if shift > -np.inf else 0.0
                    total += weights[slot]
            else:
                for slot in range(slots):
                    value = 0.0
                    if order.allowed[card, slot] == 1:
                        value = order.own[card, slot]
                        for each in range(number):
                            row = order.row[begin + each]
                            value *= factors.table[base[each] + factors.delta[row, slot]]
                    weights[slot] = value
                    total += value
            if total <= 0.0:
                log_weights[world] = -np.inf
                continue
            log_weights[world] += np.log(total / gone) + shift - log_gone
            if given:
                continue
            aim = uniform[place - first, world] * total
            chosen = -1
            for slot in range(slots):
                if weights[slot] > 0.0:
                    chosen = slot
                    aim -= weights[slot]
                    if aim < 0.0:
                        break
            columns[card, world] = chosen
