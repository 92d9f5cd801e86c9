"""The decision diagram of a problem: partial placements that leave the same rest are one node.

Layer by layer as Nishino, Yasuda, Minato and Nagata (2017), "Dancing with decision diagrams", AAAI,
merge what algorithm X reaches more than once; here from the first layer on, for all nodes of a
layer at once. Its form is that of a graph of partial deals, which answers every question.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....data.errors import CostError
from ...arrays.layout import Bools, Floats, Integers
from ...arrays.scaling import LEAST_WEIGHT
from ..partial_deals.arrays import PartialDeals
from ..partial_deals.automata import build_automata
from .bits import KeyMoves, Words
from .options import CoverOptions

#: Numbers of nodes and options within a layer.
Numbers = NDArray[np.int32]


class Edges(NamedTuple):
    """The edges of one layer.

    Attributes:
        source, target: Nodes of the layer, and of the next.
        option: Option of the layer.
        weight: Weight, or its logarithm to base two.
    """

    source: Numbers
    target: Numbers
    option: Numbers
    weight: Floats

    def where(self, kept: Bools | slice) -> Edges:
        """Some of the edges."""
        return Edges(self.source[kept], self.target[kept], self.option[kept], self.weight[kept])


class Diagram(NamedTuple):
    """A decision diagram.

    Attributes:
        deals: The diagram as a graph of partial deals: a site is a layer.
        log_total: Log of the weight of all paths; minus infinity where there is none.
        expected: How often every layer takes each of its options, shape (layers, width).
    """

    deals: PartialDeals
    log_total: float
    expected: Floats


def diagram(options: CoverOptions, strong: bool, most_edges: int) -> Diagram:
    """The decision diagram of some options.

    Args:
        strong: Whether weights can leave the floats: then they are pushed; see `pushing`.
        most_edges: Give up beyond this many edges.

    Raises:
        CostError: It has more edges.
    """
    if not options.pairs.count:
        return _nothing(options)
    order = np.arange(options.layers)
    factors = options.factors
    alive = np.ones(factors.start.shape[0] - 1, dtype=np.int8)
    automata = build_automata(order, options.start, options.placed, factors, alive, 0)
    if automata.words < 0:
        raise CostError("more of what its choices touch is open at a time than one key can hold")
    touches = KeyMoves(options, automata)
    keys: Words = np.zeros((automata.words, 1), dtype=np.int64)
    sizes = [1]
    layers: list[Edges] = []
    edges = 0
    for layer in range(options.layers):
        found, keys = _step(options, touches, layer, keys, strong)
        edges += found.source.shape[0]
        if not keys.shape[1]:
            return _nothing(options)
        if edges > most_edges:
            raise CostError(
                f"its diagram has {keys.shape[1]:,} states after {layer + 1} of "
                f"{options.layers} layers, and more than {most_edges:,} edges up to there"
            )
        layers.append(found)
        sizes.append(keys.shape[1])
    return _completed(options, _without_dead_ends(layers, sizes), strong)


def _step(
    options: CoverOptions, touches: KeyMoves, layer: int, keys: Words, strong: bool
) -> tuple[Edges, Words]:
    """The edges of a layer, sorted by their sources, and the keys of the nodes after it."""
    nodes = keys.shape[1]
    degree = np.zeros(nodes, dtype=np.int64)
    parts: list[tuple[Integers, Integers, int, Floats]] = []
    made: list[Words] = []
    for option, move in enumerate(touches.moves(layer)):
        weight = float(options.weight[options.start[layer] + option])
        if weight <= (-math.inf if strong else 0.0):
            continue
        rows, after, weights = move.of(keys, strong)
        if not rows.size:
            continue
        if weights is None:
            weights = np.full(rows.size, weight)
        else:
            weights = weights + weight if strong else weights * weight
        parts.append((rows, degree[rows], option, weights))
        degree[rows] += 1
        made.append(after)
    begin = degree.cumsum() - degree
    source = np.repeat(np.arange(nodes, dtype=np.int32), degree)
    target = np.empty(source.shape[0], dtype=np.int32)
    taken = np.empty(source.shape[0], dtype=np.int32)
    weight_of = np.empty(source.shape[0])
    if not made:
        return Edges(source, target, taken, weight_of), keys[:, :0]
    every = np.concatenate(made, axis=1)
    del made
    touches.forget(layer, every)
    keys, node = _merged(every)
    done = 0
    for rows, earlier, option, weights in parts:
        place = begin[rows] + earlier
        target[place] = node[done : done + rows.size]
        taken[place] = option
        weight_of[place] = weights
        done += rows.size
    return Edges(source, target, taken, weight_of), keys


def _merged(keys: Words) -> tuple[Words, Integers]:
    """The different keys, and which of them each is."""
    different, number = np.unique(keys[0], return_inverse=True)
    if keys.shape[0] == 1:
        return different[None, :], number
    for word in keys[1:]:
        values, more = np.unique(word, return_inverse=True)
        _, number = np.unique(number * values.shape[0] + more, return_inverse=True)
    first = np.zeros(int(number.max()) + 1, dtype=np.int64)
    first[number] = np.arange(number.shape[0])
    return keys[:, first], number


def _without_dead_ends(layers: list[Edges], sizes: list[int]) -> tuple[list[Edges], list[int]]:
    """The edges and numbers of nodes from which something whole is reached."""
    kept: list[Edges] = []
    sizes = [*sizes]
    number: Numbers | None = None
    for layer in range(len(layers) - 1, -1, -1):
        edges = layers[layer]
        layers[layer] = edges.where(slice(0))  # what is not needed is let go
        if number is not None:
            whole = number[edges.target] >= 0
            if not whole.all():
                edges = edges.where(whole)
            edges = edges._replace(target=number[edges.target])
        alive = np.zeros(sizes[layer], dtype=np.bool_)
        alive[edges.source] = True
        number = None
        if not alive.all():
            sizes[layer] = int(alive.sum())
            number = np.where(alive, alive.cumsum(dtype=np.int32) - 1, -1).astype(np.int32)
            edges = edges._replace(source=number[edges.source])
        kept.append(edges)
    return kept[::-1], sizes


def _completed(
    options: CoverOptions, found: tuple[list[Edges], list[int]], strong: bool
) -> Diagram:
    """A diagram of edges that all lead to something whole."""
    layers, sizes = found
    if not sizes[0]:
        return _nothing(options)
    log_total = 0.0
    if strong:
        layers, log_total = _pushed(layers, sizes)
    forward, backward = [np.ones(1)], [np.ones(1)]
    for layer in range(len(layers) - 1, -1, -1):
        edges = layers[layer]
        mass = np.maximum(edges.weight * backward[-1][edges.target], LEAST_WEIGHT)
        backward.append(_rescaled(np.bincount(edges.source, mass, sizes[layer]))[0])
    backward.reverse()
    expected = np.zeros((options.layers, options.width))
    for layer, edges in enumerate(layers):
        reached = forward[-1][edges.source] * edges.weight
        total, exponent = _rescaled(
            np.bincount(edges.target, np.maximum(reached, LEAST_WEIGHT), sizes[layer + 1])
        )
        forward.append(total)
        log_total += exponent * math.log(2.0)
        mass = np.maximum(reached * backward[layer + 1][edges.target], LEAST_WEIGHT)
        expected[layer] = np.bincount(edges.option, mass, options.width) / mass.sum()
    log_total += math.log(float(forward[-1][0]))
    layer_start = np.concatenate([[0], np.cumsum(sizes)])
    count = sum(edges.source.shape[0] for edges in layers)
    target, choice = np.empty((2, count), dtype=np.int64)
    weight = np.empty(count)
    edge_start = np.empty(int(layer_start[-1]) + 1, dtype=np.int64)
    done = 0
    for layer, edges in enumerate(layers):
        here = slice(done, done + edges.source.shape[0])
        target[here] = edges.target + layer_start[layer + 1]
        choice[here] = edges.option + options.start[layer]
        weight[here] = edges.weight
        degree = np.bincount(edges.source, minlength=sizes[layer])
        first = int(layer_start[layer])
        edge_start[first : first + sizes[layer]] = done + degree.cumsum() - degree
        done = here.stop
        layers[layer] = edges.where(slice(0))
    edge_start[-2:] = done
    deals = PartialDeals(
        np.arange(options.layers),
        options.start,
        options.placed,
        layer_start,
        edge_start,
        target,
        choice,
        weight,
        np.concatenate(forward),
        np.concatenate(backward),
    )
    return Diagram(deals, log_total, expected)


def _pushed(layers: list[Edges], sizes: list[int]) -> tuple[list[Edges], float]:
    """Edges with probabilities instead of the logarithms of weights; see `partial_deals.pushing`.

    Returns:
        The edges, and the log of the total weight.
    """
    later = np.zeros(1)
    shares: list[Edges] = []
    for layer in range(len(layers) - 1, -1, -1):
        edges = layers[layer]
        height = edges.weight + later[edges.target]
        largest = np.full(sizes[layer], -np.inf)
        np.maximum.at(largest, edges.source, height)
        total = np.bincount(edges.source, np.exp2(height - largest[edges.source]), sizes[layer])
        later = largest + np.log2(total)
        share = np.maximum(np.exp2(height - later[edges.source]), LEAST_WEIGHT)
        shares.append(edges._replace(weight=share))
    return shares[::-1], float(later[0]) * math.log(2.0)


def _rescaled(values: NDArray[Any]) -> tuple[Floats, float]:
    """Values that are neither too large nor too small, and the power of two that was taken out."""
    values = values.astype(np.float64)
    largest = float(values.max())
    if 2.0**-64 <= largest <= 2.0**64:
        return values, 0.0
    # Powers of two lose no digits, so counts below 2**53 stay exact.
    exponent = math.floor(math.log2(largest))
    return np.maximum(np.ldexp(values, -exponent), LEAST_WEIGHT), float(exponent)


def _nothing(options: CoverOptions) -> Diagram:
    none, nothing = np.zeros(0, dtype=np.int64), np.zeros(0)
    order = np.arange(options.layers)
    deals = PartialDeals(
        order, none, np.zeros((0, 0), dtype=np.int64), none, none, none, none, *[nothing] * 3
    )
    return Diagram(deals, -math.inf, np.zeros((options.layers, options.width)))
