"""The graph of partial deals as a structure of arrays.

One layer a site, one node a state, one edge a placement: two partial deals are the same node when
the same capacities are left and every open factor is in the same state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.layout import Floats, Integers
from ...arrays.scaling import LEAST_WEIGHT


class PartialDeals(NamedTuple):
    """A graph; node 0 is the deal before its first site, the last node is every whole deal.

    Attributes:
        order: Site that each layer places, shape (layers,).
        option_start: Options of layer l are ``option_start[l]:option_start[l + 1]``.
        placed: Copies by slot of every option, shape (options, slots).
        layer_start: Nodes before layer l are ``layer_start[l]:layer_start[l + 1]``, shape
            (layers + 2,).
        edge_start: Edges of node n are ``edge_start[n]:edge_start[n + 1]``, shape (nodes + 1,).
        target: Node that every edge leads to, shape (edges,).
        choice: Option that every edge takes.
        weight: Weight of every edge.
        forward, backward: Weight of all ways to a node and from it on, shape (nodes,); scaled per
            layer by powers of two so that edge marginals are
            ``forward[source] * weight * backward[target] / total``.
    """

    order: Integers
    option_start: Integers
    placed: Integers
    layer_start: Integers
    edge_start: Integers
    target: Integers
    choice: Integers
    weight: Floats
    forward: Floats
    backward: Floats


@kernel
def no_deals(order: Integers) -> PartialDeals:
    """A graph without a node, for what has no deal or cannot be afforded."""
    none = np.zeros(0, dtype=np.int64)
    nothing = np.zeros(0, dtype=np.float64)
    placed = np.zeros((0, 0), dtype=np.int64)
    return PartialDeals(
        order, none, placed, none, none, none, none, nothing, nothing, nothing
    )  # fmt: skip


@kernel(inner=True, allocates=False)
def added(placed: Integers, option: int, delta: Integers, row: int) -> int:
    """The addition of a site's option to the index of a feature that reads the site by a row."""
    total = 0
    for slot in range(placed.shape[1]):
        total += placed[option, slot] * delta[row, slot]
    return total


@kernel(allocates=False)
def rescale(values: Floats, first: int, last: int) -> float:
    """Scale values from ``first`` to before ``last`` in place where they grow large or small.

    What is positive stays so.

    Returns:
        The power of two that was taken out; minus infinity where all are zero.
    """
    largest = 0.0
    for index in range(first, last):
        largest = max(largest, values[index])
    if largest <= 0.0:
        return -np.inf
    if 2.0**-64 <= largest <= 2.0**64:
        return 0.0
    # Powers of two lose no digits, so counts below 2**53 stay exact.
    exponent = float(np.floor(np.log2(largest)))
    for index in range(first, last):
        if values[index] > 0.0:
            values[index] = max(values[index] * 2.0**-exponent, LEAST_WEIGHT)
    return exponent
