"""Factors as small automata that read the sites one by one.

After some of its sites are placed, all a factor still needs to know is how the weight depends
on the rest. Partial sums that leave the same rest (up to a constant) are one state: "at least
one of three cards" needs one bit, a count needs the count, a table needs what it needs. The
states of all factors that are open at a layer are packed into the node's key.

A transition weighs by how much the most falls that the factor can still come to, so no product of
transitions exceeds the largest weight, and none falls before what makes it small is known.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....models.kernels.growing_arrays import stable_order, with_room, with_room_for_floats
from ....models.kernels.kernel import kernel
from ...arrays.layout import FactorArrays, Flags, Floats, Integers
from .arrays import added

#: Most words of 62 bits in a node's key.
MOST_WORDS = 16


class Automata(NamedTuple):
    """Automata of factors along an order of the sites.

    A *touch* is a factor that reads the site of a layer. The next state and its weight under state
    q and the layer's option o are at ``transition[touch] + q * options of the layer + o``.

    Attributes:
        begin: Touches of layer l are ``begin[l]:begin[l + 1]``, shape (sites + 1,).
        word, shift, mask: Field of every touch's factor in the node key, shape (touches,).
        transition: Start of every touch's transitions.
        following: The next state, -1 where the weight is zero.
        weight: Weight of the transition.
        words: Number of words in a key; -1 where more factors are open than it can hold.
    """

    begin: Integers
    word: Integers
    shift: Integers
    mask: Integers
    transition: Integers
    following: Integers
    weight: Floats
    words: int


@kernel
def build_automata(
    order: Integers,
    option_start: Integers,
    placed: Integers,
    factors: FactorArrays,
    alive: Flags,
    reserved: int,
) -> Automata:
    """Automata of all living factors along an order of the sites.

    Args:
        option_start, placed: See `SiteOptions`.
        reserved: Bits of the first word that are taken by the capacities left.
    """
    delta = factors.delta
    sites = order.shape[0]
    count = factors.start.shape[0] - 1
    layer_of = np.zeros(sites, dtype=np.int64)
    for layer in range(sites):
        layer_of[order[layer]] = layer

    # Fields are given out factor by factor, first sites first; a field is free again after
    # the factor's last site. 62 bits of a signed word are used.
    begin = np.zeros(sites + 1, dtype=np.int64)
    first_layer = np.full(count, sites, dtype=np.int64)
    for factor in range(count):
        if alive[factor] == 1:
            for row in range(factors.start[factor], factors.start[factor + 1]):
                layer = layer_of[factors.site[row]]
                begin[layer + 1] += 1
                first_layer[factor] = min(first_layer[factor], layer)
    for layer in range(sites):
        begin[layer + 1] += begin[layer]
    touches = begin[sites]
    fill = with_room(begin, sites, sites)
    word = np.zeros(touches, dtype=np.int64)
    shift = np.zeros(touches, dtype=np.int64)
    mask = np.zeros(touches, dtype=np.int64)
    transition = np.zeros(touches, dtype=np.int64)
    room = 64 * touches + 64
    following = np.zeros(room, dtype=np.int64)
    weight = np.zeros(room, dtype=np.float64)
    used = 0
    sequence = stable_order(first_layer, sites + 1)
    steps = np.zeros(placed.shape[0], dtype=np.int64)
    words = 1
    free_from = np.zeros((MOST_WORDS, 62), dtype=np.int64)
    for bit in range(min(reserved, 62)):
        free_from[0, bit] = sites + 1

    for step in range(count):
        factor = sequence[step]
        if alive[factor] == 0:
            continue
        begin_row = factors.start[factor]
        length = factors.start[factor + 1] - begin_row
        table = factors.table[factors.table_start[factor] : factors.table_start[factor + 1]]
        row_layers = np.zeros(length, dtype=np.int64)
        for position in range(length):
            row_layers[position] = layer_of[factors.site[begin_row + position]]
        by_layer = stable_order(row_layers, sites)
        rest_flags = remaining_sums(
            by_layer, row_layers, option_start, placed, delta, begin_row, table.shape[0]
        )

        representative = np.zeros(1, dtype=np.int64)
        height = np.ones(1, dtype=np.float64)
        states = 1
        most = 1
        first_touch = np.zeros(length, dtype=np.int64)
        for position in range(length):
            layer = row_layers[by_layer[position]]
            touch = fill[layer]
            fill[layer] += 1
            first_touch[position] = touch
            options = option_start[layer + 1] - option_start[layer]
            transition[touch] = used
            needed = used + states * options
            if needed > room:
                room = max(2 * room, needed)
                following = with_room(following, used, room)
                weight = with_room_for_floats(weight, used, room)
            rest = sums_of(rest_flags[position + 1])
            next_representative = np.zeros(states * options, dtype=np.int64)
            next_height = np.zeros(states * options, dtype=np.float64)
            lead = np.zeros(states * options, dtype=np.int64)
            next_states = 0
            for option in range(options):
                steps[option] = added(
                    placed,
                    option_start[layer] + option,
                    delta,
                    begin_row + by_layer[position],
                )
            for place in range(used, needed):
                state = (place - used) // options
                value = representative[state] + steps[(place - used) % options]
                leading = leading_rest(table, value, rest)
                if leading < 0:
                    following[place] = -1
                    continue
                scale = table[value + rest[leading]]
                if position == length - 1:
                    weight[place] = scale / height[state]
                    next_states = 1
                    continue
                match = -1
                for known in range(next_states):
                    if lead[known] == leading and proportional(
                        table, value, next_representative[known], rest, leading
                    ):
                        match = known
                        break
                if match < 0:
                    match = next_states
                    next_representative[match] = value
                    next_height[match] = highest(table, value, rest)
                    lead[match] = leading
                    next_states += 1
                following[place] = match
                share = scale / table[next_representative[match] + rest[leading]]
                weight[place] = share * (next_height[match] / height[state])
            used = needed
            states = max(next_states, 1)
            representative = next_representative
            height = next_height
            if position < length - 1:
                most = max(most, states)

        bits = 0
        while (1 << bits) < most:
            bits += 1
        if bits > 0:
            found_word, found_shift = free_field(free_from, bits, row_layers[by_layer[0]])
            if found_word < 0:
                # More open factors than any affordable graph could carry.
                words = -1
                break
            for bit in range(found_shift, found_shift + bits):
                free_from[found_word, bit] = row_layers[by_layer[length - 1]] + 1
            words = max(words, found_word + 1)
            for position in range(length):
                word[first_touch[position]] = found_word
                shift[first_touch[position]] = found_shift
                mask[first_touch[position]] = (1 << bits) - 1
    return Automata(begin, word, shift, mask, transition, following, weight, words)


@kernel(inner=True)
def remaining_sums(
    by_layer: Integers,
    row_layers: Integers,
    option_start: Integers,
    placed: Integers,
    delta: Integers,
    begin_row: int,
    size: int,
) -> Flags:
    """1 for a sum that the sites from a position on can still add, shape (length + 1, size)."""
    length = by_layer.shape[0]
    flags = np.zeros((length + 1, size), dtype=np.int8)
    flags[length, 0] = 1
    for back in range(length):
        position = length - 1 - back
        layer = row_layers[by_layer[position]]
        for option in range(option_start[layer], option_start[layer + 1]):
            step = added(placed, option, delta, begin_row + by_layer[position])
            for value in range(size - step):
                if flags[position + 1, value] == 1:
                    flags[position, value + step] = 1
    return flags


@kernel(inner=True)
def sums_of(flags: Flags) -> Integers:
    """The indices of ones; NumPy's own way takes numba a second to compile."""
    found = np.zeros(flags.shape[0], dtype=np.int64)
    count = 0
    for index in range(flags.shape[0]):
        if flags[index] == 1:
            found[count] = index
            count += 1
    return found[:count]


@kernel(inner=True, allocates=False)
def leading_rest(table: Floats, value: int, rest: Integers) -> int:
    """The first of the sums to come that has weight after a partial sum; -1 where none has."""
    for index in range(rest.shape[0]):
        if value + rest[index] < table.shape[0] and table[value + rest[index]] > 0.0:
            return index
    return -1


@kernel(inner=True, allocates=False)
def highest(table: Floats, value: int, rest: Integers) -> float:
    """The largest weight that the sums to come can have after a partial sum."""
    largest = 0.0
    for index in range(rest.shape[0]):
        if value + rest[index] < table.shape[0]:
            largest = max(largest, table[value + rest[index]])
    return largest


@kernel(inner=True, allocates=False)
def proportional(table: Floats, value: int, other: int, rest: Integers, leading: int) -> bool:
    """True if two partial sums leave the same weights of the rest, up to a constant."""
    size = table.shape[0]
    scale = table[value + rest[leading]]
    other_scale = table[other + rest[leading]]
    for index in range(leading, rest.shape[0]):
        mine = table[value + rest[index]] if value + rest[index] < size else 0.0
        theirs = table[other + rest[index]] if other + rest[index] < size else 0.0
        if mine * other_scale != theirs * scale:
            return False
    return True


@kernel(inner=True, allocates=False)
def free_field(free_from: Integers, bits: int, layer: int) -> tuple[int, int]:
    """Word and shift of so many neighbouring bits that are free at a layer; -1 for none."""
    for word in range(free_from.shape[0]):
        run = 0
        for bit in range(free_from.shape[1]):
            run = run + 1 if free_from[word, bit] <= layer else 0
            if run == bits:
                return word, bit - bits + 1
    return -1, 0
