"""Weights pushed forward: every edge of a graph of partial deals as a probability.

Where evidence is so strong that products of weights leave the floats, a graph is built with
logarithms. Each of its edges then gets the share of all deals through its node that take it, so
that nothing which matters *after all* evidence is small: the weight pushing of Mohri (2009), an
exact change of the weights that keeps the share of every deal.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.scaling import LEAST_WEIGHT
from .arrays import PartialDeals
from .dead_ends import without_dead_ends


@kernel
def pushed(graph: PartialDeals) -> tuple[PartialDeals, float]:
    """The same deals in the same shares, with probabilities on the edges.

    Args:
        graph: The logarithms to base two of weights; its arrays may be longer than what
            ``layer_start`` and ``edge_start`` say is there, and are written.

    Returns:
        The graph without dead ends, of total weight one, and the log of the total weight (minus
        infinity: no deal is left).
    """
    layer_start, edge_start = graph.layer_start, graph.edge_start
    target, weight, forward, backward = graph.target, graph.weight, graph.forward, graph.backward
    layers = graph.order.shape[0]
    last = layer_start[layers]
    later = np.full(last + 1, -np.inf)
    later[last] = 0.0
    for back in range(last):
        node = last - 1 - back
        largest = -np.inf
        for edge in range(edge_start[node], edge_start[node + 1]):
            largest = max(largest, weight[edge] + later[target[edge]])
        if largest == -np.inf:
            continue
        total = 0.0
        for edge in range(edge_start[node], edge_start[node + 1]):
            total += 2.0 ** (weight[edge] + later[target[edge]] - largest)
        later[node] = largest + np.log2(total)
    for node in range(last + 1):
        backward[node] = 1.0 if later[node] > -np.inf else 0.0
        forward[node] = 0.0
    forward[0] = 1.0
    for node in range(last):
        if backward[node] == 0.0:
            continue
        for edge in range(edge_start[node], edge_start[node + 1]):
            following = target[edge]
            if backward[following] == 0.0:
                continue
            share = 2.0 ** (weight[edge] + later[following] - later[node])
            # What is possible stays so.
            weight[edge] = max(share, LEAST_WEIGHT)
            forward[following] += max(forward[node] * share, LEAST_WEIGHT)
    return without_dead_ends(graph), later[0] * np.log(2.0)
