"""Kernels on hands: listing them, combining them over disjoint sets of cards, drawing them.

A hand is a set of open items, written as a bit mask; a dynamic programme over "items used so far"
combines one holder's hands after the other's.
"""

# Numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.layout import Flags, Floats, Integers


@kernel
def list_hands(slots: Integers, capacity: Integers, allowed: Flags, most: int) -> Flags:
    """Every way a party's slots can be filled from the items.

    Args:
        slots: The party's slots.
        capacity: Free places of each of them.
        allowed: 1 where an item may be in a slot, shape (items, all slots).
        most: Give up (with an empty answer) beyond this many hands.

    Returns:
        For every hand, one past the party's slot of each item (0: not in it), shape
        (hands, items).
    """
    items = allowed.shape[0]
    places = slots.shape[0]
    room = 1024
    hands = np.zeros((room, items), dtype=np.int8)
    count = 0
    left = capacity.copy()
    missing = 0
    for place in range(places):
        missing += left[place]
    supply = np.zeros((items + 1, places), dtype=np.int64)
    for back in range(items):
        item = items - 1 - back
        for place in range(places):
            supply[item, place] = supply[item + 1, place] + allowed[item, slots[place]]
    current = np.zeros(items, dtype=np.int64)
    item = 0
    value = 0
    while item >= 0:
        if value == 0 and (item == items or missing == 0):
            if missing == 0:
                if count == room:
                    if room >= most:
                        return np.zeros((0, items), dtype=np.int8)
                    room *= 4
                    wider = np.zeros((room, items), dtype=np.int8)
                    for other in range(count):
                        for place in range(items):
                            wider[other, place] = hands[other, place]
                    hands = wider
                for other in range(item):
                    hands[count, other] = current[other]
                count += 1
            item -= 1
            if item >= 0:
                value = current[item] + 1
            continue
        if value > 0 and current[item] > 0:
            left[current[item] - 1] += 1
            missing += 1
            current[item] = 0
        chosen = -1
        while value <= places:
            if value == 0 or (left[value - 1] > 0 and allowed[item, slots[value - 1]] == 1):
                chosen = value
                for place in range(places):
                    taken = 1 if place == value - 1 else 0
                    if left[place] - taken > supply[item + 1, place]:
                        chosen = -1
                        break
                if chosen >= 0:
                    break
            value += 1
        if chosen < 0:
            current[item] = 0
            item -= 1
            if item >= 0:
                value = current[item] + 1
            continue
        current[item] = chosen
        if chosen > 0:
            left[chosen - 1] -= 1
            missing -= 1
        item += 1
        value = 0
    return hands[:count].copy()


@kernel(inner=True, allocates=False)
def plus(first: float, second: float) -> float:
    """The logarithm to base two of a sum, from those of its parts."""
    low, high = min(first, second), max(first, second)
    if low == -np.inf:
        return high
    return high + np.log2(1.0 + 2.0 ** (low - high))


@kernel
def add_party(
    used: Floats, support: Integers, masks: Integers, weights: Floats, strong: bool
) -> Floats:
    """Weight by set of used items after one more party's hand is dealt from the rest.

    Here and below weights are logarithms to base two where evidence is ``strong``.
    """
    result = np.full(used.shape[0], -np.inf if strong else 0.0)
    for place in range(support.shape[0]):
        mask = support[place]
        weight = used[mask]
        for hand in range(masks.shape[0]):
            if mask & masks[hand] == 0:
                after = mask | masks[hand]
                if strong:
                    result[after] = plus(result[after], weight + weights[hand])
                else:
                    result[after] += weight * weights[hand]
    return result


@kernel
def before_party(
    after: Floats, support: Integers, masks: Integers, weights: Floats, strong: bool
) -> Floats:
    """Weight of everything that can still be dealt, by the items used before a party."""
    nothing = -np.inf if strong else 0.0
    result = np.full(after.shape[0], nothing)
    for place in range(support.shape[0]):
        mask = support[place]
        total = nothing
        for hand in range(masks.shape[0]):
            if mask & masks[hand] == 0:
                if strong:
                    total = plus(total, weights[hand] + after[mask | masks[hand]])
                else:
                    total += weights[hand] * after[mask | masks[hand]]
        result[mask] = total
    return result


@kernel
def hand_weights(
    before: Floats,
    after: Floats,
    support: Integers,
    masks: Integers,
    weights: Floats,
    strong: bool,
) -> Floats:
    """Posterior weight of every hand of one party, shape (hands,)."""
    result = np.full(masks.shape[0], -np.inf if strong else 0.0)
    for place in range(support.shape[0]):
        mask = support[place]
        weight = before[mask]
        for hand in range(masks.shape[0]):
            if mask & masks[hand] == 0:
                if strong:
                    result[hand] = plus(result[hand], weight + after[mask | masks[hand]])
                else:
                    result[hand] += weight * after[mask | masks[hand]]
    for hand in range(masks.shape[0]):
        if strong:
            result[hand] += weights[hand]
        else:
            result[hand] *= weights[hand]
    return result


@kernel
def draw_hands(
    used: Integers,
    after: Floats,
    masks: Integers,
    weights: Floats,
    uniform: Floats,
    strong: bool,
) -> Integers:
    """One hand of a party for every draw, given the items used so far; shape (draws,)."""
    result = np.zeros(used.shape[0], dtype=np.int64)
    share = np.zeros(masks.shape[0], dtype=np.float64)
    for draw in range(used.shape[0]):
        largest = -np.inf
        for hand in range(masks.shape[0]):
            share[hand] = 0.0
            if used[draw] & masks[hand] == 0:
                rest = after[used[draw] | masks[hand]]
                share[hand] = weights[hand] + rest if strong else weights[hand] * rest
                largest = max(largest, share[hand])
        total = 0.0
        for hand in range(masks.shape[0]):
            if used[draw] & masks[hand] == 0:
                if strong:
                    share[hand] = 2.0 ** (share[hand] - largest)
                total += share[hand]
        aim = uniform[draw] * total
        for hand in range(masks.shape[0]):
            if share[hand] > 0.0:
                result[draw] = hand
                aim -= share[hand]
                if aim < 0.0:
                    break
    return result
