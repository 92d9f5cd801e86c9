"""More evidence on a graph of partial deals that is there already: nothing is built anew.

Evidence only takes deals away or weighs them, so the graph of what is left is a part of the old
one, in which a node is there once for every state of the new factors. One pass forward makes
these nodes, one pass backward finds those from which no deal can be completed, and a last one
leaves them out, with the options that nobody can choose any more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...models.kernel import kernel
from ..problem import Factor, Floats, Integers
from .automata import build_automata
from .dead_ends import without_dead_ends
from .layers import edge_marginals

#: Weights of edges beyond this (or below its inverse) need the scaling of a graph built anew.
MOST_WEIGHT = 1e150
#: Most (node, state) pairs of a layer; with more the factors are better read in another order.
MOST_PAIRS = 1 << 20


@kernel
def condition_layers(
    order: Integers,
    option_start: Integers,
    placed: Integers,
    layer_start: Integers,
    edge_start: Integers,
    target: Integers,
    choice: Integers,
    weight: Floats,
    backward: Floats,
    factor_start: Integers,
    factor_site: Integers,
    factor_delta: Integers,
    table_start: Integers,
    table: Floats,
    most_edges: int,
) -> tuple[
    Integers,
    Integers,
    Integers,
    Integers,
    Integers,
    Integers,
    Floats,
    Floats,
    Floats,
    Floats,
    float,
    int,
]:
    """The graph after more factors, with the marginals of all sites.

    Args:
        order, option_start, placed, layer_start, edge_start, target, choice, weight, backward:
            The graph so far; see `build_layers`.
        factor_start, factor_site, factor_delta, table_start, table: The new factors alone; see
            `Problem`.
        most_edges: Give up beyond this many edges.

    Returns:
        Options of every layer and the copies they place; the graph as `build_layers` returns
        it; expected copies of every site in every slot, shape (sites, slots); the log of the
        total weight (minus infinity: no deal is left); and a status: 0 made, 1 build it anew.
    """
    layers = order.shape[0]
    none = np.zeros(0, dtype=np.int64)
    nothing = np.zeros(0, dtype=np.float64)
    nowhere = np.zeros((0, 0), dtype=np.float64)
    alive = np.ones(factor_start.shape[0] - 1, dtype=np.int8)
    begin, _, shift, mask, transition, following, step_weight, words = build_automata(
        order,
        option_start,
        placed,
        factor_start,
        factor_site,
        factor_delta,
        table_start,
        table,
        alive,
        0,
    )
    # States of all new factors together.
    states = 1
    for touch in range(mask.shape[0]):
        while states <= mask[touch] << shift[touch] and states < MOST_PAIRS:
            states *= 2
    widest = 0
    for layer in range(layers + 1):
        widest = max(widest, layer_start[layer + 1] - layer_start[layer])
    if words != 1 or states * widest > MOST_PAIRS:
        return none, placed, none, none, none, none, nothing, nothing, nothing, nowhere, 0.0, 1

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
        first_option = option_start[layer]
        options = option_start[layer + 1] - first_option
        largest = 0.0
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
                    value *= step_weight[step]
                    state += (following[step] - field) << shift[touch]
                if not fits:
                    continue
                if edges == room or value > MOST_WEIGHT or value * MOST_WEIGHT < 1.0:
                    return (
                        none, placed, none, none, none, none, nothing, nothing, nothing, nowhere,
                        0.0, 1,
                    )  # fmt: skip
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
                ahead[found] += mass * value
                largest = max(largest, ahead[found])
        start[layer + 2] = nodes
        if largest <= 0.0:
            return (
                none, placed, none, none, none, none, nothing, nothing, nothing, nowhere,
                -np.inf, 0,
            )  # fmt: skip
        # Powers of two lose no digits, so counts below 2**53 stay exact.
        if largest > 2.0**64 or largest < 2.0**-64:
            exponent = np.floor(np.log2(largest))
            log_scale += exponent
            for node in range(start[layer + 1], nodes):
                ahead[node] *= 2.0**-exponent
    first_edge[nodes - 1] = edges
    first_edge[nodes] = edges
    log_total = np.log(ahead[nodes - 1]) + log_scale * np.log(2.0)

    behind = np.empty(nodes, dtype=np.float64)
    behind[nodes - 1] = 1.0
    for back in range(layers):
        layer = layers - 1 - back
        largest = 0.0
        for node in range(start[layer], start[layer + 1]):
            value = 0.0
            for edge in range(first_edge[node], first_edge[node + 1]):
                value += made[edge] * behind[end[edge]]
            behind[node] = value
            largest = max(largest, value)
        if largest > 2.0**64 or 0.0 < largest < 2.0**-64:
            exponent = np.floor(np.log2(largest))
            for node in range(start[layer], start[layer + 1]):
                behind[node] *= 2.0**-exponent

    graph = without_dead_ends(
        option_start, placed, start, first_edge[: nodes + 1], end, taken, made, ahead, behind
    )
    kept_option_start, kept_placed, kept_start, kept_edge_start = graph[:4]
    kept_target, kept_choice, kept_weight, kept_forward, kept_backward = graph[4:]
    expected = edge_marginals(
        order,
        kept_placed,
        kept_start,
        kept_edge_start,
        kept_target,
        kept_choice,
        kept_weight,
        kept_forward,
        kept_backward,
    )
    return (
        kept_option_start,
        kept_placed,
        kept_start,
        kept_edge_start,
        kept_target,
        kept_choice,
        kept_weight,
        kept_forward,
        kept_backward,
        expected,
        log_total,
        0,
    )


def packed(factors: Sequence[Factor]) -> tuple[Integers, Integers, Integers, Integers, Floats]:
    """Factors alone, as a `Problem` packs them."""
    if len(factors) == 1:
        _, additive, weights = factors[0]
        rows = np.array([0, additive.sites.shape[0]], dtype=np.int64)
        ends = np.array([0, additive.size], dtype=np.int64)
        # Evidence is read-only; a copy is not, so that the kernel is compiled once.
        return rows, additive.sites, additive.delta, ends, weights.copy()
    rows = [0]
    ends = [0]
    for _, additive, _ in factors:
        rows.append(rows[-1] + additive.sites.shape[0])
        ends.append(ends[-1] + additive.size)
    return (
        np.array(rows, dtype=np.int64),
        np.concatenate([additive.sites for _, additive, _ in factors]),
        np.concatenate([additive.delta for _, additive, _ in factors]),
        np.array(ends, dtype=np.int64),
        np.concatenate([weights for _, _, weights in factors]),
    )
