"""Factors as small automata that read the sites one by one.

After some of its sites are placed, all a factor still needs to know is how the weight depends
on the rest. Partial sums that leave the same rest (up to a constant) are one state: "at least
one of three cards" needs one bit, a count needs the count, a table needs what it needs. The
states of all factors that are open at a layer are packed into the node's key.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

import numpy as np

from ...models.kernel import kernel
from ..problem import Flags, Floats, Integers
from .arrays import stable_order, with_room, with_room_for_floats, with_rows

#: Most words of 62 bits in a node's key.
MOST_WORDS = 16


@kernel
def site_options(
    order: Integers, copies: Integers, capacity: Integers, allowed: Flags
) -> tuple[Integers, Integers, Floats]:
    """Every way to place the copies of each site, in the order in which sites are read.

    Returns:
        Start of every layer's options, shape (sites + 1,); copies by slot, shape
        (options, slots); and the number of physical placements an option stands for.
    """
    sites, slots = allowed.shape
    start = np.zeros(sites + 1, dtype=np.int64)
    room = 16
    for site in range(sites):
        for slot in range(slots):
            room += int(allowed[site, slot])
    placed = np.zeros((room, slots), dtype=np.int64)
    ways = np.zeros(room, dtype=np.float64)
    current = np.zeros(slots, dtype=np.int64)
    beyond = np.zeros(slots + 1, dtype=np.int64)
    count = 0
    for layer in range(sites):
        site = order[layer]
        total = copies[site]
        start[layer] = count
        if total == 1:
            for slot in range(slots):
                if allowed[site, slot] == 1 and capacity[slot] != 0:
                    if count == room:
                        room *= 2
                        placed = with_rows(placed, count, room)
                        ways = with_room_for_floats(ways, count, room)
                    placed[count, slot] = 1
                    ways[count] = 1.0
                    count += 1
            continue
        # Compositions by an odometer over the slots. No slot takes less than those after it
        # leave over, so that every partial composition can be completed.
        for back in range(slots):
            slot = slots - 1 - back
            current[slot] = 0
            limit = 0
            if allowed[site, slot] == 1:
                limit = total
                if capacity[slot] >= 0:
                    limit = min(limit, capacity[slot])
            beyond[slot] = min(beyond[slot + 1] + limit, total)
        slot = 0
        if beyond[0] < total:
            slot = -1
        left = total
        while slot >= 0:
            if slot == slots:
                if left == 0:
                    if count == room:
                        room *= 2
                        placed = with_rows(placed, count, room)
                        ways = with_room_for_floats(ways, count, room)
                    weight = 1.0
                    rest = total
                    for other in range(slots):
                        placed[count, other] = current[other]
                        for taken in range(current[other]):
                            weight *= rest / (taken + 1)
                            rest -= 1
                    ways[count] = np.round(weight)
                    count += 1
                slot -= 1
                while slot >= 0:
                    limit = 0
                    if allowed[site, slot] == 1:
                        limit = left + current[slot]
                        if capacity[slot] >= 0:
                            limit = min(limit, capacity[slot])
                    if current[slot] < limit:
                        current[slot] += 1
                        left -= 1
                        slot += 1
                        break
                    left += current[slot]
                    current[slot] = 0
                    slot -= 1
                continue
            current[slot] = max(left - beyond[slot + 1], 0)
            left -= current[slot]
            slot += 1
    start[sites] = count
    return start, with_rows(placed, count, count), with_room_for_floats(ways, count, count)


@kernel
def build_automata(
    order: Integers,
    option_start: Integers,
    placed: Integers,
    factor_start: Integers,
    factor_site: Integers,
    factor_delta: Integers,
    table_start: Integers,
    table: Floats,
    alive: Flags,
    reserved: int,
) -> tuple[Integers, Integers, Integers, Integers, Integers, Integers, Floats, int]:
    """Automata of all living factors along an order of the sites.

    Args:
        reserved: Bits of the first word that are taken by the capacities left.

    Returns:
        For every layer the range of its *touches* (factors that read this site), shape
        (sites + 1,); for every touch the word, shift and mask of its field in the node key,
        and the start of its transitions; the next state per (state, option), -1 where the
        weight is zero; its weight; and the number of words in a key.
    """
    sites = order.shape[0]
    slots = placed.shape[1]
    factors = factor_start.shape[0] - 1
    layer_of = np.zeros(sites, dtype=np.int64)
    for layer in range(sites):
        layer_of[order[layer]] = layer

    touches = 0
    begin = np.zeros(sites + 1, dtype=np.int64)
    for factor in range(factors):
        if alive[factor] == 1:
            for row in range(factor_start[factor], factor_start[factor + 1]):
                begin[layer_of[factor_site[row]] + 1] += 1
                touches += 1
    for layer in range(sites):
        begin[layer + 1] += begin[layer]
    fill = with_room(begin, sites, sites)
    word = np.zeros(touches, dtype=np.int64)
    shift = np.zeros(touches, dtype=np.int64)
    mask = np.zeros(touches, dtype=np.int64)
    transition = np.zeros(touches, dtype=np.int64)
    room = 64 * touches + 64
    following = np.zeros(room, dtype=np.int64)
    weight = np.zeros(room, dtype=np.float64)
    used = 0

    # Fields are given out factor by factor, first sites first; a field is free again after
    # the factor's last site. 62 bits of a signed word are used.
    first_layer = np.full(factors, sites, dtype=np.int64)
    for factor in range(factors):
        if alive[factor] == 1:
            for row in range(factor_start[factor], factor_start[factor + 1]):
                first_layer[factor] = min(first_layer[factor], layer_of[factor_site[row]])
    sequence = stable_order(first_layer, sites + 1)
    words = 1
    free_from = np.zeros((MOST_WORDS, 62), dtype=np.int64)
    for bit in range(min(reserved, 62)):
        free_from[0, bit] = sites + 1

    for step in range(factors):
        factor = sequence[step]
        if alive[factor] == 0:
            continue
        begin_row = factor_start[factor]
        length = factor_start[factor + 1] - begin_row
        size = table_start[factor + 1] - table_start[factor]
        base = table_start[factor]
        rows = np.zeros(length, dtype=np.int64)
        row_layers = np.zeros(length, dtype=np.int64)
        for position in range(length):
            row_layers[position] = layer_of[factor_site[begin_row + position]]
        by_layer = stable_order(row_layers, sites)
        for position in range(length):
            rows[position] = begin_row + by_layer[position]

        # rests[p] holds the sums that the sites from position p on can still add.
        rest_flags = np.zeros((length + 1, size), dtype=np.int8)
        rest_flags[length, 0] = 1
        for back in range(length):
            position = length - 1 - back
            layer = row_layers[by_layer[position]]
            for option in range(option_start[layer], option_start[layer + 1]):
                delta = 0
                for slot in range(slots):
                    delta += placed[option, slot] * factor_delta[rows[position], slot]
                for value in range(size - delta):
                    if rest_flags[position + 1, value] == 1:
                        rest_flags[position, value + delta] = 1

        representative = np.zeros(1, dtype=np.int64)
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
            rests = 0
            for value in range(size):
                rests += int(rest_flags[position + 1, value])
            rest = np.zeros(rests, dtype=np.int64)
            rests = 0
            for value in range(size):
                if rest_flags[position + 1, value] == 1:
                    rest[rests] = value
                    rests += 1
            next_representative = np.zeros(states * options, dtype=np.int64)
            lead = np.zeros(states * options, dtype=np.int64)
            next_states = 0
            for state in range(states):
                for option in range(options):
                    slot_sum = 0
                    for slot in range(slots):
                        slot_sum += (
                            placed[option_start[layer] + option, slot]
                            * factor_delta[rows[position], slot]
                        )
                    value = representative[state] + slot_sum
                    place = used + state * options + option
                    leading = -1
                    for index in range(rests):
                        if value + rest[index] < size and table[base + value + rest[index]] > 0.0:
                            leading = index
                            break
                    if leading < 0:
                        following[place] = -1
                        continue
                    scale = table[base + value + rest[leading]]
                    if position == length - 1:
                        following[place] = 0
                        weight[place] = scale
                        next_states = 1
                        continue
                    match = -1
                    for known in range(next_states):
                        if lead[known] != leading:
                            continue
                        other = next_representative[known]
                        other_scale = table[base + other + rest[leading]]
                        same = True
                        for index in range(leading, rests):
                            mine = 0.0
                            if value + rest[index] < size:
                                mine = table[base + value + rest[index]]
                            theirs = 0.0
                            if other + rest[index] < size:
                                theirs = table[base + other + rest[index]]
                            if mine * other_scale != theirs * scale:
                                same = False
                                break
                        if same:
                            match = known
                            break
                    if match < 0:
                        next_representative[next_states] = value
                        lead[next_states] = leading
                        following[place] = next_states
                        weight[place] = 1.0
                        next_states += 1
                    else:
                        other_scale = table[base + next_representative[match] + rest[leading]]
                        following[place] = match
                        weight[place] = scale / other_scale
            used = needed
            states = max(next_states, 1)
            representative = next_representative
            if position < length - 1:
                most = max(most, states)

        bits = 0
        while (1 << bits) < most:
            bits += 1
        if bits > 0:
            start_layer = row_layers[by_layer[0]]
            end_layer = row_layers[by_layer[length - 1]]
            found_word = -1
            found_shift = 0
            for candidate in range(MOST_WORDS):
                run = 0
                for bit in range(62):
                    if free_from[candidate, bit] <= start_layer:
                        run += 1
                    else:
                        run = 0
                    if run == bits:
                        found_word = candidate
                        found_shift = bit - bits + 1
                        break
                if found_word >= 0:
                    break
            if found_word < 0:
                # More open factors than any affordable graph could carry.
                return begin, word, shift, mask, transition, following, weight, -1
            for bit in range(found_shift, found_shift + bits):
                free_from[found_word, bit] = end_layer + 1
            words = max(words, found_word + 1)
            for position in range(length):
                word[first_touch[position]] = found_word
                shift[first_touch[position]] = found_shift
                mask[first_touch[position]] = (1 << bits) - 1
    return begin, word, shift, mask, transition, following, weight, words
