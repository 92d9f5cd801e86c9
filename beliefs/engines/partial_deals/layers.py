"""The graph of partial deals, layer by layer.

Two partial deals are the same node when the same capacities are left and every open factor is
in the same state. Forward and backward weights over this graph give every marginal, the log
evidence, exact samples and (with labels, see `labels`) every joint.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

from typing import Final

import numpy as np

from ....models.kernels.growing_arrays import with_room, with_room_for_floats, with_rows
from ....models.kernels.kernel import kernel
from ...arrays.layout import FactorArrays, Flags, Integers
from .arrays import PartialDeals, no_deals, rescale
from .automata import Automata, build_automata
from .dead_ends import completed
from .options import SiteOptions, site_options
from .order import reading_order
from .pushing import pushed

#: In place of an option's limited slot where it has none, or several.
NONE: Final = -1
SEVERAL: Final = -2


def partial_deals(
    copies: Integers,
    capacity: Integers,
    allowed: Flags,
    factors: FactorArrays,
    alive: Flags,
    most_edges: int,
    strong: bool,
) -> tuple[PartialDeals, float, int]:
    """The graph of a problem that was narrowed; see `build_layers` for what is returned.

    With ``strong`` evidence its weights are pushed, and its total weight is one; see `pushing`.

    Each step is a kernel of its own: within one kernel all of them would be optimised once more,
    and none could be used before the last of them is compiled.
    """
    order = reading_order(capacity, allowed, factors, alive)
    options = site_options(order, copies, capacity, allowed)
    shift, mask, bits = capacity_fields(capacity)
    automata = build_automata(order, options.start, options.placed, factors, alive, bits)
    if automata.words < 0 or bits > 62:
        return no_deals(order), -np.inf, 1
    if strong:
        # States that are -1 have no weight, and are not looked at.
        steps = np.where(automata.following < 0, 1.0, automata.weight)
        automata = automata._replace(weight=np.log2(np.where(steps > 0.0, steps, 1.0)))
        options = options._replace(ways=np.log2(options.ways))
    deals, log_total, status = build_layers(
        order, options, capacity, shift, mask, automata, most_edges, strong
    )
    if strong and not status and log_total > -np.inf:
        deals, log_total = pushed(deals)
    return deals, log_total, status


def capacity_fields(capacity: Integers) -> tuple[Integers, Integers, int]:
    """Shift and mask of every slot's capacity in a node's key, and the bits they take."""
    sizes = [max(int(size), 0).bit_length() for size in capacity]
    shift, used = [0] * len(sizes), 0
    for slot, bits in enumerate(sizes):
        if bits:
            shift[slot], used = used, used + bits
    mask = [(1 << bits) - 1 for bits in sizes]
    return np.array(shift, dtype=np.int64), np.array(mask, dtype=np.int64), used


@kernel(inner=True, allocates=False)
def mix_key(key: int, more: Integers) -> int:
    """A hash of a node; products of 31-bit halves stay below 2**63, so plain Python agrees."""
    mix = (key & 0x7FFFFFFF) * 0x1E3779B1 + (key >> 31) * 0x0511ECD5
    for index in range(more.shape[0]):
        mix = (mix ^ (mix >> 29)) & 0x3FFFFFFFFFFFFFF
        low = more[index] & 0x7FFFFFFF
        high = more[index] >> 31
        mix = (mix & 0x7FFFFFFF) * 0x165667B1 + (mix >> 31) + low * 0x1B873593 + high * 0x02B2AE3D
    return (mix ^ (mix >> 29)) & 0x3FFFFFFFFFFFFFF


@kernel(inner=True, allocates=False)
def place_of(
    table: Integers, size: int, key: int, more: Integers, key_of: Integers, more_of: Integers
) -> int:
    """The place of a node, or room for it, in the first ``size`` places of a hash table."""
    place = mix_key(key, more) & (size - 1)
    while table[place] >= 0:
        node = table[place]
        if key_of[node] == key:
            same = True
            for index in range(more.shape[0]):
                if more_of[node, index] != more[index]:
                    same = False
                    break
            if same:
                break
        place = (place + 1) & (size - 1)
    return place


@kernel(inner=True)
def most_to_come(options: SiteOptions) -> Integers:
    """The most copies that the sites from a layer on can still put into a slot."""
    layers = options.start.shape[0] - 1
    slots = options.placed.shape[1]
    supply = np.zeros((layers + 1, slots), dtype=np.int64)
    for back in range(layers):
        layer = layers - 1 - back
        for slot in range(slots):
            most = 0
            for option in range(options.start[layer], options.start[layer + 1]):
                most = max(most, options.placed[option, slot])
            supply[layer, slot] = supply[layer + 1, slot] + most
    return supply


@kernel(inner=True)
def taken_by_options(
    placed: Integers, capacity: Integers, cap_shift: Integers
) -> tuple[Integers, Integers]:
    """The capacities that each option takes, and its limited slot, `NONE` or `SEVERAL`."""
    taken = np.zeros(placed.shape[0], dtype=np.int64)
    single = np.full(placed.shape[0], NONE, dtype=np.int64)
    for option in range(placed.shape[0]):
        for slot in range(placed.shape[1]):
            if placed[option, slot] > 0 and capacity[slot] >= 0:
                taken[option] += placed[option, slot] << cap_shift[slot]
                single[option] = slot if single[option] == NONE else SEVERAL
    return taken, single


@kernel(inner=True, allocates=False)
def set_free(table: Integers, size: int) -> None:
    """The first ``size`` places of a hash table have no node."""
    for place in range(size):
        table[place] = -1


@kernel(inner=True, allocates=False, inline="late")
def has_room(
    key: int,
    wanted: Integers,
    single: int,
    capacity: Integers,
    cap_shift: Integers,
    cap_mask: Integers,
) -> bool:
    """True if the capacities that a node has left allow what an option puts into the slots."""
    if single >= 0:
        return ((key >> cap_shift[single]) & cap_mask[single]) >= wanted[single]
    if single == SEVERAL:
        for slot in range(wanted.shape[0]):
            room = (key >> cap_shift[slot]) & cap_mask[slot]
            if wanted[slot] > 0 and capacity[slot] >= 0 and room < wanted[slot]:
                return False
    return True


@kernel(inner=True, allocates=False, inline="late")
def can_be_filled(
    key: int,
    tight: Integers,
    count: int,
    to_come: Integers,
    cap_shift: Integers,
    cap_mask: Integers,
) -> bool:
    """True if no more is left of the first ``count`` tight slots than the sites to come can put."""
    for index in range(count):
        slot = tight[index]
        if ((key >> cap_shift[slot]) & cap_mask[slot]) > to_come[slot]:
            return False
    return True


@kernel
def build_layers(
    order: Integers,
    options: SiteOptions,
    capacity: Integers,
    cap_shift: Integers,
    cap_mask: Integers,
    automata: Automata,
    most_edges: int,
    strong: bool,
) -> tuple[PartialDeals, float, int]:
    """Nodes and edges, layer by layer.

    Args:
        cap_shift, cap_mask: See `capacity_fields`.
        most_edges: Give up beyond this many edges.
        strong: Whether options and automata have logarithms for weights. The graph then has them
            too, and neither weights of nodes nor the total.

    Returns:
        The graph; the log of its total weight (minus infinity: no deal is left); and a status: 0
        built, 1 too many edges.
    """
    begin, word, shift, mask = automata.begin, automata.word, automata.shift, automata.mask
    transition, following, step_weight = automata.transition, automata.following, automata.weight
    placed, ways = options.placed, options.ways
    layers = order.shape[0]
    slots = capacity.shape[0]
    supply = most_to_come(options)
    option_cap, single = taken_by_options(placed, capacity, cap_shift)
    node_room = 256
    # Nearly every key fits one word, which is kept apart from the rest.
    extra = automata.words - 1
    key_of = np.zeros(node_room, dtype=np.int64)
    more_of = np.zeros((node_room, extra), dtype=np.int64)
    edge_start = np.zeros(node_room + 1, dtype=np.int64)
    forward = np.zeros(node_room, dtype=np.float64)
    edge_room = 1024
    target = np.zeros(edge_room, dtype=np.int64)
    choice = np.zeros(edge_room, dtype=np.int64)
    weight = np.zeros(edge_room, dtype=np.float64)
    table = np.full(512, -1, dtype=np.int64)

    tight = np.zeros(slots, dtype=np.int64)
    layer_start = np.zeros(layers + 2, dtype=np.int64)
    for slot in range(slots):
        if capacity[slot] > 0:
            key_of[0] += capacity[slot] << cap_shift[slot]
    forward[0] = 1.0
    layer_start[1] = 1
    nodes = 1
    edges = 0
    log_scale = 0.0
    more = np.zeros(extra, dtype=np.int64)
    for layer in range(layers):
        first_node = layer_start[layer]
        base = layer_start[layer + 1]
        first_option = options.start[layer]
        layer_options = options.start[layer + 1] - first_option
        tight_count = 0
        for slot in range(slots):
            if capacity[slot] > supply[layer + 1, slot]:
                tight[tight_count] = slot
                tight_count += 1
        # A table for few nodes is cleared faster; it grows again where it must.
        table_size = 64
        while table_size < 4 * (base - first_node) and table_size < table.shape[0]:
            table_size *= 2
        set_free(table, table_size)
        for node in range(first_node, base):
            edge_start[node] = edges
            for option in range(first_option, first_option + layer_options):
                key = key_of[node]
                if not has_room(key, placed[option], single[option], capacity, cap_shift, cap_mask):
                    continue
                key -= option_cap[option]
                to_come = supply[layer + 1]
                if not can_be_filled(key, tight, tight_count, to_come, cap_shift, cap_mask):
                    continue
                fits = True
                for index in range(extra):
                    more[index] = more_of[node, index]
                edge_weight = ways[option]
                for touch in range(begin[layer], begin[layer + 1]):
                    field = word[touch] - 1
                    held = key if field < 0 else more[field]
                    state = (held >> shift[touch]) & mask[touch]
                    step = transition[touch] + state * layer_options + option - first_option
                    if following[step] < 0:
                        fits = False
                        break
                    if strong:
                        edge_weight += step_weight[step]
                    else:
                        edge_weight *= step_weight[step]
                    held += (following[step] - state) << shift[touch]
                    if field < 0:
                        key = held
                    else:
                        more[field] = held
                if not fits:
                    continue
                place = place_of(table, table_size, key, more, key_of, more_of)
                found = table[place]
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
                    if 2 * (nodes - base) > table_size:
                        table_size *= 4
                        if table_size > table.shape[0]:
                            table = np.empty(table_size, dtype=np.int64)
                        set_free(table, table_size)
                        for again in range(base, nodes):
                            place = place_of(
                                table, table_size, key_of[again], more_of[again], key_of, more_of
                            )
                            table[place] = again
                if edges == edge_room:
                    if edges >= most_edges:
                        return no_deals(order), -np.inf, 1
                    edge_room *= 2
                    target = with_room(target, edges, edge_room)
                    choice = with_room(choice, edges, edge_room)
                    weight = with_room_for_floats(weight, edges, edge_room)
                target[edges] = found
                choice[edges] = option
                weight[edges] = edge_weight
                forward[found] += 1.0 if strong else forward[node] * edge_weight
                edges += 1
        layer_start[layer + 2] = nodes
        exponent = rescale(forward, base, nodes)
        if exponent == -np.inf:
            return no_deals(order), -np.inf, 0
        log_scale += exponent
    edge_start[nodes - 1] = edges
    edge_start[nodes] = edges
    log_total = np.log(forward[nodes - 1]) + log_scale * np.log(2.0)
    graph = PartialDeals(
        order,
        options.start,
        placed,
        layer_start,
        edge_start,
        target,
        choice,
        weight,
        forward,
        np.zeros(nodes, dtype=np.float64),
    )
    if strong:
        return graph, log_total, 0
    return completed(graph), log_total, 0
