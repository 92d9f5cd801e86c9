"""More evidence on a graph of partial deals that is there already: nothing is built anew.

Evidence only takes deals away or weighs them, so the graph of what is left is a part of the old
one, in which a node is there once for every state of the new factors. One pass forward makes
these nodes, one pass backward finds those from which no deal can be completed, and a last one
leaves them out, with the options that nobody can choose any more.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

from typing import Any

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.layout import FactorArrays, Floats
from ...arrays.scaling import LEAST_PACKED, LEAST_WEIGHT
from .arrays import PartialDeals, rescale
from .automata import build_automata
from .dead_ends import completed
from .paths import edge_marginals

#: Weights of edges below this are better known to a graph that is built anew.
FAINT = 1e-280
#: How far evidence may leave the likeliest worlds below what was likeliest when the graph was
#: built, as a power of two: what the floats of that graph then lost is still of no account.
MOST_SURPRISE = 500.0
#: Most (node, state) pairs of a layer; with more the factors are better read in another order.
MOST_PAIRS = 1 << 20


@kernel
def condition(
    deals: tuple[Any, ...], evidence: tuple[Any, ...], log_most: float, most_edges: int
) -> tuple[tuple[Any, ...], Floats, float, float, int]:
    """The graph after more factors, with the marginals of all sites.

    Plain tuples are asked for and answered, because a named one takes Python half a microsecond
    more to hand over, and this is called at every observation.

    Args:
        deals: The graph so far, `PartialDeals`.
        evidence: The new factors alone, `FactorArrays`.
        log_most: What a world could weigh at most when the graph was built, and the largest weights
            of all factors since: a logarithm to base two.
        most_edges: Give up beyond this many edges.

    Returns:
        What `PartialDeals` has; expected copies of every site in every slot, shape (sites, slots);
        the log of the total weight (minus infinity: no deal is left); the new ``log_most``; and a
        status: 0 made, 1 build it anew.
    """
    graph, factors = PartialDeals(*deals), FactorArrays(*evidence)
    layer_start, edge_start, target = graph.layer_start, graph.edge_start, graph.target
    choice, weight, backward = graph.choice, graph.weight, graph.backward
    layers = graph.order.shape[0]
    nowhere = np.zeros((0, 0), dtype=np.float64)
    alive = np.ones(factors.start.shape[0] - 1, dtype=np.int8)
    for factor in range(alive.shape[0]):
        largest = 0.0
        least = np.inf
        for place in range(factors.table_start[factor], factors.table_start[factor + 1]):
            largest = max(largest, factors.table[place])
            if factors.table[place] > 0.0:
                least = min(least, factors.table[place])
        if largest * LEAST_PACKED > 1.0 or least < LEAST_PACKED:
            return deals, nowhere, 0.0, log_most, 1
        if largest > 0.0:
            log_most += np.log2(largest)
    automata = build_automata(graph.order, graph.option_start, graph.placed, factors, alive, 0)
    begin, shift, mask = automata.begin, automata.shift, automata.mask
    transition, following, weights = automata.transition, automata.following, automata.weight
    # States of all new factors together.
    states = 1
    for touch in range(mask.shape[0]):
        while states <= mask[touch] << shift[touch] and states < MOST_PAIRS:
            states *= 2
    widest = 0
    for layer in range(layers + 1):
        widest = max(widest, layer_start[layer + 1] - layer_start[layer])
    if automata.words != 1 or states * widest > MOST_PAIRS:
        return deals, nowhere, 0.0, log_most, 1

    room = min(target.shape[0] * states, most_edges)
    node_room = min((layer_start[layers + 1] - 1) * states, room) + 2
    old_node = np.empty(node_room, dtype=np.int64)
    state_of = np.empty(node_room, dtype=np.int64)
    ahead = np.empty(node_room, dtype=np.float64)
    first_edge = np.empty(node_room + 1, dtype=np.int64)
    end = np.empty(room, dtype=np.int64)
    taken = np.empty(room, dtype=np.int64)
    made = np.empty(room, dtype=np.float64)
    start = np.zeros(layers + 2, dtype=np.int64)
    place_of = np.empty(widest * states, dtype=np.int64)
    old_node[0] = 0
    state_of[0] = 0
    ahead[0] = 1.0
    start[1] = 1
    nodes = 1
    edges = 0
    log_scale = 0.0
    for layer in range(layers):
        base = layer_start[layer + 1]
        for index in range((layer_start[layer + 2] - base) * states):
            place_of[index] = -1
        first_option = graph.option_start[layer]
        options = graph.option_start[layer + 1] - first_option
        for node in range(start[layer], start[layer + 1]):
            first_edge[node] = edges
            mass = ahead[node]
            for edge in range(edge_start[old_node[node]], edge_start[old_node[node] + 1]):
                after = target[edge]
                if backward[after] == 0.0:
                    continue
                state = state_of[node]
                value = weight[edge]
                fits = True
                for touch in range(begin[layer], begin[layer + 1]):
                    field = (state >> shift[touch]) & mask[touch]
                    step = transition[touch] + field * options + choice[edge] - first_option
                    if following[step] < 0:
                        fits = False
                        break
                    value *= weights[step]
                    state += (following[step] - field) << shift[touch]
                if not fits:
                    continue
                if edges == room or value < FAINT:
                    return deals, nowhere, 0.0, log_most, 1
                pair = (after - base) * states + state
                found = place_of[pair]
                if found < 0:
                    found = nodes
                    place_of[pair] = found
                    old_node[found] = after
                    state_of[found] = state
                    ahead[found] = 0.0
                    nodes += 1
                end[edges] = found
                taken[edges] = choice[edge]
                made[edges] = value
                edges += 1
                ahead[found] += max(mass * value, LEAST_WEIGHT)
        start[layer + 2] = nodes
        exponent = rescale(ahead, start[layer + 1], nodes)
        if exponent == -np.inf:
            return deals, nowhere, -np.inf, log_most, 0
        log_scale += exponent
    first_edge[nodes - 1] = edges
    first_edge[nodes] = edges
    if np.log2(ahead[nodes - 1]) + log_scale < log_most - MOST_SURPRISE:
        return deals, nowhere, 0.0, log_most, 1
    log_total = np.log(ahead[nodes - 1]) + log_scale * np.log(2.0)
    conditioned = completed(
        PartialDeals(
            graph.order,
            graph.option_start,
            graph.placed,
            start,
            first_edge,
            end,
            taken,
            made,
            ahead,
            np.empty(nodes, dtype=np.float64),
        )
    )
    left = (
        conditioned.order,
        conditioned.option_start,
        conditioned.placed,
        conditioned.layer_start,
        conditioned.edge_start,
        conditioned.target,
        conditioned.choice,
        conditioned.weight,
        conditioned.forward,
        conditioned.backward,
    )
    return left, edge_marginals(conditioned), log_total, log_most, 0
