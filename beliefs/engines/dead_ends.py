"""Leaving out of a graph of partial deals what no deal passes through.

Whether a partial deal can be completed is known only after the pass backward; where evidence is
hard, most of the nodes made by the pass forward cannot.
"""

from __future__ import annotations

import numpy as np

from ...models.kernel import kernel
from ..problem import Floats, Integers


@kernel
def without_dead_ends(
    option_start: Integers,
    placed: Integers,
    layer_start: Integers,
    edge_start: Integers,
    target: Integers,
    choice: Integers,
    weight: Floats,
    forward: Floats,
    backward: Floats,
) -> tuple[Integers, Integers, Integers, Integers, Integers, Integers, Floats, Floats, Floats]:
    """The same arrays without nodes of backward weight 0, and without options nobody takes.

    Nodes, edges and options keep their order. See `build_layers` for the arrays.
    """
    layers = option_start.shape[0] - 1
    nodes = layer_start[layers + 1]
    number = np.empty(nodes, dtype=np.int64)
    place = np.full(placed.shape[0], -1, dtype=np.int64)
    start = np.zeros(layers + 2, dtype=np.int64)
    kept = 0
    kept_edges = 0
    for layer in range(layers + 1):
        start[layer] = kept
        for node in range(layer_start[layer], layer_start[layer + 1]):
            if backward[node] == 0.0:
                number[node] = -1
                continue
            number[node] = kept
            kept += 1
            for edge in range(edge_start[node], edge_start[node + 1]):
                if backward[target[edge]] != 0.0:
                    place[choice[edge]] = 0
                    kept_edges += 1
    start[layers + 1] = kept

    kept_option_start = np.empty(layers + 1, dtype=np.int64)
    kept_placed = np.empty_like(placed)
    options = 0
    for layer in range(layers):
        kept_option_start[layer] = options
        for option in range(option_start[layer], option_start[layer + 1]):
            if place[option] == 0:
                place[option] = options
                for slot in range(placed.shape[1]):
                    kept_placed[options, slot] = placed[option, slot]
                options += 1
    kept_option_start[layers] = options

    kept_edge_start = np.empty(kept + 1, dtype=np.int64)
    kept_target = np.empty(kept_edges, dtype=np.int64)
    kept_choice = np.empty(kept_edges, dtype=np.int64)
    kept_weight = np.empty(kept_edges, dtype=np.float64)
    kept_forward = np.empty(kept, dtype=np.float64)
    kept_backward = np.empty(kept, dtype=np.float64)
    edges = 0
    for node in range(nodes):
        if number[node] < 0:
            continue
        kept_edge_start[number[node]] = edges
        kept_forward[number[node]] = forward[node]
        kept_backward[number[node]] = backward[node]
        for edge in range(edge_start[node], edge_start[node + 1]):
            if number[target[edge]] >= 0:
                kept_target[edges] = number[target[edge]]
                kept_choice[edges] = place[choice[edge]]
                kept_weight[edges] = weight[edge]
                edges += 1
    kept_edge_start[kept] = edges
    return (
        kept_option_start,
        kept_placed[:options],
        start,
        kept_edge_start,
        kept_target,
        kept_choice,
        kept_weight,
        kept_forward,
        kept_backward,
    )
