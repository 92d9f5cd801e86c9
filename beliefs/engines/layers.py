"""The graph of partial deals: one layer a site, one node a state, one edge a placement.

Two partial deals are the same node when the same capacities are left and every open factor is
in the same state. Forward and backward weights over this graph give every marginal, the log
evidence, exact samples and (with labels, see `labels`) every joint.
"""

from __future__ import annotations

import numpy as np

from ...models.kernel import kernel
from ..problem import Flags, Floats, Integers
from .arrays import with_room, with_room_for_floats, with_rows
from .automata import build_automata, site_options
from .dead_ends import without_dead_ends
from .order import reading_order


@kernel
def capacity_fields(capacity: Integers) -> tuple[Integers, Integers, int]:
    """Shift and mask of every slot's capacity in a node's key, and the bits they take."""
    slots = capacity.shape[0]
    shift = np.zeros(slots, dtype=np.int64)
    mask = np.zeros(slots, dtype=np.int64)
    used = 0
    for slot in range(slots):
        if capacity[slot] > 0:
            bits = 1
            while (1 << bits) <= capacity[slot]:
                bits += 1
            shift[slot] = used
            mask[slot] = (1 << bits) - 1
            used += bits
    return shift, mask, used


@kernel
def mix_key(key: int, more: Integers) -> int:
    """A hash of a node; products of 31-bit halves stay below 2**63, so plain Python agrees."""
    mix = (key & 0x7FFFFFFF) * 0x1E3779B1 + (key >> 31) * 0x0511ECD5
    for index in range(more.shape[0]):
        mix = (mix ^ (mix >> 29)) & 0x3FFFFFFFFFFFFFF
        low = more[index] & 0x7FFFFFFF
        high = more[index] >> 31
        mix = (mix & 0x7FFFFFFF) * 0x165667B1 + (mix >> 31) + low * 0x1B873593 + high * 0x02B2AE3D
    return (mix ^ (mix >> 29)) & 0x3FFFFFFFFFFFFFF


@kernel
def build_layers(
    order: Integers,
    option_start: Integers,
    placed: Integers,
    ways: Floats,
    capacity: Integers,
    begin: Integers,
    word: Integers,
    shift: Integers,
    mask: Integers,
    transition: Integers,
    following: Integers,
    weight: Floats,
    words: int,
    most_edges: int,
) -> tuple[Integers, Integers, Integers, Integers, Floats, Floats, Floats, float, int]:
    """Build the graph and its forward and backward weights.

    Args:
        order: Site of every layer.
        option_start, placed, ways: Options of every layer, see `site_options`.
        capacity: Size of every slot; -1 without a limit.
        begin, word, shift, mask, transition, following, weight, words: See `build_automata`.
        most_edges: Give up beyond this many edges.

    Returns:
        Start of every layer's nodes, shape (layers + 2,); start of every node's edges; target
        node and option of every edge; its weight; forward and backward weight of every node,
        scaled per layer by powers of two so that edge marginals are
        ``forward[source] * weight * backward[target] / total``; the log of the total weight
        (minus infinity: no deal is left); and a status: 0 built, 1 too many edges.
    """
    layers = order.shape[0]
    slots = capacity.shape[0]
    cap_shift, cap_mask, bits_used = capacity_fields(capacity)
    root_cap = 0
    empty_nodes = np.zeros(layers + 2, dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    nothing = np.zeros(0, dtype=np.float64)
    if bits_used > 62 or most_edges < 0:
        return empty_nodes, none, none, none, nothing, nothing, nothing, -np.inf, 1
    for slot in range(slots):
        if capacity[slot] > 0:
            root_cap += capacity[slot] << cap_shift[slot]

    # The most copies that the sites from a layer on can still put into a slot.
    supply = np.zeros((layers + 1, slots), dtype=np.int64)
    for back in range(layers):
        layer = layers - 1 - back
        for slot in range(slots):
            most = 0
            for option in range(option_start[layer], option_start[layer + 1]):
                most = max(most, placed[option, slot])
            supply[layer, slot] = supply[layer + 1, slot] + most
    option_cap = np.zeros(placed.shape[0], dtype=np.int64)
    single = np.full(placed.shape[0], -1, dtype=np.int64)
    for option in range(placed.shape[0]):
        kinds = 0
        for slot in range(slots):
            if placed[option, slot] > 0 and capacity[slot] >= 0:
                option_cap[option] += placed[option, slot] << cap_shift[slot]
                single[option] = slot
                kinds += 1
        if kinds > 1:
            single[option] = -2

    node_room = 256
    # Nearly every key fits one word, which is kept apart from the rest.
    extra = words - 1
    key_of = np.zeros(node_room, dtype=np.int64)
    more_of = np.zeros((node_room, extra), dtype=np.int64)
    edge_start = np.zeros(node_room + 1, dtype=np.int64)
    forward = np.zeros(node_room, dtype=np.float64)
    edge_room = 1024
    target = np.zeros(edge_room, dtype=np.int64)
    choice = np.zeros(edge_room, dtype=np.int64)
    factor_weight = np.zeros(edge_room, dtype=np.float64)
    slots_of_table = 512
    table = np.full(slots_of_table, -1, dtype=np.int64)

    tight = np.zeros(slots, dtype=np.int64)
    layer_start = np.zeros(layers + 2, dtype=np.int64)
    key_of[0] = root_cap
    forward[0] = 1.0
    layer_start[1] = 1
    nodes = 1
    edges = 0
    log_scale = 0.0
    more = np.zeros(extra, dtype=np.int64)
    for layer in range(layers):
        first_node = layer_start[layer]
        last_node = layer_start[layer + 1]
        base = last_node
        tight_count = 0
        for slot in range(slots):
            if capacity[slot] > supply[layer + 1, slot]:
                tight[tight_count] = slot
                tight_count += 1
        # A table for few nodes is cleared faster; it grows again where it must.
        slots_of_table = 64
        while slots_of_table < 4 * (last_node - first_node) and slots_of_table < table.shape[0]:
            slots_of_table *= 2
        for index in range(slots_of_table):
            table[index] = -1
        for node in range(first_node, last_node):
            edge_start[node] = edges
            for option in range(option_start[layer], option_start[layer + 1]):
                key = key_of[node]
                slot = single[option]
                fits = True
                if slot >= 0:
                    fits = ((key >> cap_shift[slot]) & cap_mask[slot]) >= placed[option, slot]
                elif slot == -2:
                    for other in range(slots):
                        wanted = placed[option, other]
                        room = (key >> cap_shift[other]) & cap_mask[other]
                        if wanted > 0 and capacity[other] >= 0 and room < wanted:
                            fits = False
                            break
                if not fits:
                    continue
                key -= option_cap[option]
                for index in range(tight_count):
                    other = tight[index]
                    if ((key >> cap_shift[other]) & cap_mask[other]) > supply[layer + 1, other]:
                        fits = False
                        break
                if not fits:
                    continue
                for index in range(extra):
                    more[index] = more_of[node, index]
                local = option - option_start[layer]
                options = option_start[layer + 1] - option_start[layer]
                edge_weight = ways[option]
                for touch in range(begin[layer], begin[layer + 1]):
                    field = word[touch] - 1
                    held = key if field < 0 else more[field]
                    state = (held >> shift[touch]) & mask[touch]
                    place = transition[touch] + state * options + local
                    after = following[place]
                    if after < 0:
                        fits = False
                        break
                    edge_weight *= weight[place]
                    held += (after - state) << shift[touch]
                    if field < 0:
                        key = held
                    else:
                        more[field] = held
                if not fits:
                    continue
                place = mix_key(key, more) & (slots_of_table - 1)
                found = -1
                while table[place] >= 0:
                    candidate = table[place]
                    if key_of[candidate] == key:
                        same = True
                        for index in range(extra):
                            if more_of[candidate, index] != more[index]:
                                same = False
                                break
                        if same:
                            found = candidate
                            break
                    place = (place + 1) & (slots_of_table - 1)
                if found < 0:
                    if nodes + 1 >= node_room:
                        node_room *= 2
                        key_of = with_room(key_of, nodes, node_room)
                        more_of = with_rows(more_of, nodes, node_room)
                        edge_start = with_room(edge_start, nodes, node_room + 1)
                        forward = with_room_for_floats(forward, nodes, node_room)
                    found = nodes
                    key_of[found] = key
                    for index in range(extra):
                        more_of[found, index] = more[index]
                    table[place] = found
                    nodes += 1
                    if 2 * (nodes - base) > slots_of_table:
                        slots_of_table *= 4
                        if slots_of_table > table.shape[0]:
                            table = np.full(slots_of_table, -1, dtype=np.int64)
                        else:
                            for index in range(slots_of_table):
                                table[index] = -1
                        for again in range(base, nodes):
                            spot = mix_key(key_of[again], more_of[again]) & (slots_of_table - 1)
                            while table[spot] >= 0:
                                spot = (spot + 1) & (slots_of_table - 1)
                            table[spot] = again
                if edges == edge_room:
                    if edges >= most_edges:
                        return empty_nodes, none, none, none, nothing, nothing, nothing, -np.inf, 1
                    edge_room *= 2
                    target = with_room(target, edges, edge_room)
                    choice = with_room(choice, edges, edge_room)
                    factor_weight = with_room_for_floats(factor_weight, edges, edge_room)
                target[edges] = found
                choice[edges] = option
                factor_weight[edges] = edge_weight
                forward[found] += forward[node] * edge_weight
                edges += 1
        layer_start[layer + 2] = nodes
        largest = 0.0
        for node in range(base, nodes):
            largest = max(largest, forward[node])
        if largest <= 0.0:
            return empty_nodes, none, none, none, nothing, nothing, nothing, -np.inf, 0
        # Powers of two lose no digits, so counts below 2**53 stay exact.
        exponent = np.floor(np.log2(largest))
        if exponent > 64.0 or exponent < -64.0:
            scale = 2.0**-exponent
            log_scale += exponent
            for node in range(base, nodes):
                forward[node] *= scale
    edge_start[nodes - 1] = edges
    edge_start[nodes] = edges
    total = forward[nodes - 1]
    backward = np.zeros(nodes, dtype=np.float64)
    backward[nodes - 1] = 1.0
    for back in range(layers):
        layer = layers - 1 - back
        largest = 0.0
        for node in range(layer_start[layer], layer_start[layer + 1]):
            value = 0.0
            for edge in range(edge_start[node], edge_start[node + 1]):
                value += factor_weight[edge] * backward[target[edge]]
            backward[node] = value
            largest = max(largest, value)
        exponent = np.floor(np.log2(largest))
        if exponent > 64.0 or exponent < -64.0:
            scale = 2.0**-exponent
            for node in range(layer_start[layer], layer_start[layer + 1]):
                backward[node] *= scale
    log_total = np.log(total) + log_scale * np.log(2.0)
    return (
        layer_start,
        with_room(edge_start, nodes + 1, nodes + 1),
        with_room(target, edges, edges),
        with_room(choice, edges, edges),
        with_room_for_floats(factor_weight, edges, edges),
        with_room_for_floats(forward, nodes, nodes),
        backward,
        log_total,
        0,
    )


@kernel
def partial_deals(
    copies: Integers,
    capacity: Integers,
    allowed: Flags,
    factor_start: Integers,
    factor_site: Integers,
    factor_delta: Integers,
    table_start: Integers,
    table: Floats,
    alive: Flags,
    most_edges: int,
) -> tuple[
    Integers,
    Integers,
    Integers,
    Integers,
    Integers,
    Integers,
    Integers,
    Floats,
    Floats,
    Floats,
    float,
    int,
]:
    """Order, options and graph of a problem in one call; see the parts for what they are.

    Returns:
        Order of the sites; start and copies of the options; and what `build_layers` returns,
        without dead ends.
    """
    order = reading_order(capacity, allowed, factor_start, factor_site, alive)
    option_start, placed, ways = site_options(order, copies, capacity, allowed)
    begin, word, shift, mask, transition, following, step_weight, words = build_automata(
        order,
        option_start,
        placed,
        factor_start,
        factor_site,
        factor_delta,
        table_start,
        table,
        alive,
        capacity_fields(capacity)[2],
    )
    if words < 0:
        most_edges = -1
        words = 1
    layer_start, edge_start, target, choice, weight, forward, backward, log_total, status = (
        build_layers(
            order,
            option_start,
            placed,
            ways,
            capacity,
            begin,
            word,
            shift,
            mask,
            transition,
            following,
            step_weight,
            words,
            most_edges,
        )
    )
    if log_total > -np.inf:
        (
            option_start,
            placed,
            layer_start,
            edge_start,
            target,
            choice,
            weight,
            forward,
            backward,
        ) = without_dead_ends(
            option_start,
            placed,
            layer_start,
            edge_start,
            target,
            choice,
            weight,
            forward,
            backward,
        )
    return (
        order,
        option_start,
        placed,
        layer_start,
        edge_start,
        target,
        choice,
        weight,
        forward,
        backward,
        log_total,
        status,
    )


@kernel
def edge_marginals(
    order: Integers,
    placed: Integers,
    layer_start: Integers,
    edge_start: Integers,
    target: Integers,
    choice: Integers,
    weight: Floats,
    forward: Floats,
    backward: Floats,
) -> Floats:
    """Expected copies of every site in every slot, shape (sites, slots)."""
    layers = order.shape[0]
    slots = placed.shape[1]
    result = np.zeros((layers, slots), dtype=np.float64)
    option_mass = np.zeros(placed.shape[0], dtype=np.float64)
    for layer in range(layers):
        total = 0.0
        lowest = placed.shape[0]
        highest = -1
        for node in range(layer_start[layer], layer_start[layer + 1]):
            for edge in range(edge_start[node], edge_start[node + 1]):
                mass = forward[node] * weight[edge] * backward[target[edge]]
                option_mass[choice[edge]] += mass
                total += mass
                lowest = min(lowest, choice[edge])
                highest = max(highest, choice[edge])
        for option in range(lowest, highest + 1):
            share = option_mass[option] / total
            for slot in range(slots):
                result[order[layer], slot] += share * placed[option, slot]
    return result


@kernel
def draw_paths(
    order: Integers,
    edge_start: Integers,
    target: Integers,
    choice: Integers,
    weight: Floats,
    backward: Floats,
    uniform: Floats,
) -> Integers:
    """One option per site for every row of uniforms in [0, 1), shape (draws, sites).

    Walks forward, taking every edge in proportion to the weight of all deals beyond it: exact,
    and nothing is ever rejected.
    """
    draws, layers = uniform.shape
    result = np.zeros((draws, layers), dtype=np.int64)
    for draw in range(draws):
        node = 0
        for layer in range(layers):
            total = 0.0
            for edge in range(edge_start[node], edge_start[node + 1]):
                total += weight[edge] * backward[target[edge]]
            aim = uniform[draw, layer] * total
            taken = -1
            for edge in range(edge_start[node], edge_start[node + 1]):
                step = weight[edge] * backward[target[edge]]
                if step > 0.0:
                    taken = edge
                    aim -= step
                    if aim < 0.0:
                        break
            result[draw, order[layer]] = choice[taken]
            node = target[taken]
    return result
