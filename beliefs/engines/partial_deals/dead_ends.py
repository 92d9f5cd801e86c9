"""Backward weights, and leaving out of a graph of partial deals what no deal passes through.

Whether a partial deal can be completed is known only after the pass backward; where evidence is
hard, most of the nodes made by the pass forward cannot.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.scaling import LEAST_WEIGHT
from .arrays import PartialDeals, rescale


@kernel(inner=True)
def completed(graph: PartialDeals) -> PartialDeals:
    """A graph after its pass forward with backward weights, and without dead ends.

    Nodes, edges and options keep their order; those that no deal takes are left out.

    Args:
        graph: Its arrays of nodes and edges may be longer than what ``layer_start`` and
            ``edge_start`` say is there; ``backward`` is written.
    """
    layer_start, edge_start = graph.layer_start, graph.edge_start
    target, weight, backward = graph.target, graph.weight, graph.backward
    layers = graph.order.shape[0]
    backward[layer_start[layers]] = 1.0
    for back in range(layers):
        layer = layers - 1 - back
        for node in range(layer_start[layer], layer_start[layer + 1]):
            value = 0.0
            for edge in range(edge_start[node], edge_start[node + 1]):
                if backward[target[edge]] > 0.0:
                    value += max(weight[edge] * backward[target[edge]], LEAST_WEIGHT)
            backward[node] = value
        rescale(backward, layer_start[layer], layer_start[layer + 1])
    return without_dead_ends(graph)


@kernel(inner=True)
def without_dead_ends(graph: PartialDeals) -> PartialDeals:
    """The same graph without nodes of backward weight 0, and without options nobody takes."""
    placed, edge_start, target, choice = graph.placed, graph.edge_start, graph.target, graph.choice
    weight, forward, backward = graph.weight, graph.forward, graph.backward
    layers = graph.order.shape[0]
    nodes = graph.layer_start[layers + 1]
    number = np.empty(nodes, dtype=np.int64)
    place = np.full(placed.shape[0], -1, dtype=np.int64)
    layer_start = np.zeros(layers + 2, dtype=np.int64)
    kept = 0
    kept_edges = 0
    for layer in range(layers + 1):
        layer_start[layer] = kept
        for node in range(graph.layer_start[layer], graph.layer_start[layer + 1]):
            if backward[node] == 0.0:
                number[node] = -1
                continue
            number[node] = kept
            kept += 1
            for edge in range(edge_start[node], edge_start[node + 1]):
                if backward[target[edge]] != 0.0:
                    place[choice[edge]] = 0
                    kept_edges += 1
    layer_start[layers + 1] = kept

    option_start = np.empty(layers + 1, dtype=np.int64)
    kept_placed = np.empty_like(placed)
    options = 0
    for layer in range(layers):
        option_start[layer] = options
        for option in range(graph.option_start[layer], graph.option_start[layer + 1]):
            if place[option] == 0:
                place[option] = options
                for slot in range(placed.shape[1]):
                    kept_placed[options, slot] = placed[option, slot]
                options += 1
    option_start[layers] = options

    kept_start = np.empty(kept + 1, dtype=np.int64)
    kept_target = np.empty(kept_edges, dtype=np.int64)
    kept_choice = np.empty(kept_edges, dtype=np.int64)
    kept_weight = np.empty(kept_edges, dtype=np.float64)
    kept_forward = np.empty(kept, dtype=np.float64)
    kept_backward = np.empty(kept, dtype=np.float64)
    edges = 0
    for node in range(nodes):
        if number[node] < 0:
            continue
        kept_start[number[node]] = edges
        kept_forward[number[node]] = forward[node]
        kept_backward[number[node]] = backward[node]
        for edge in range(edge_start[node], edge_start[node + 1]):
            if number[target[edge]] >= 0:
                kept_target[edges] = number[target[edge]]
                kept_choice[edges] = place[choice[edge]]
                kept_weight[edges] = weight[edge]
                edges += 1
    kept_start[kept] = edges
    return PartialDeals(
        graph.order,
        option_start,
        kept_placed[:options],
        layer_start,
        kept_start,
        kept_target,
        kept_choice,
        kept_weight,
        kept_forward,
        kept_backward,
    )
