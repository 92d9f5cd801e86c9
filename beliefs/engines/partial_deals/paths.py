"""Answers from the paths of a graph of partial deals: marginals, draws, lists of deals."""

from __future__ import annotations

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.layout import Floats, Integers
from ...arrays.scaling import LEAST_WEIGHT
from .arrays import PartialDeals

#: So many paths are walked sooner than labels are planned for and carried along.
MOST_PATHS = 2_000


@kernel
def edge_marginals(graph: PartialDeals) -> Floats:
    """Expected copies of every site in every slot, shape (sites, slots)."""
    target, choice, weight = graph.target, graph.choice, graph.weight
    edge_start, forward, backward = graph.edge_start, graph.forward, graph.backward
    order, placed = graph.order, graph.placed
    layers, slots = order.shape[0], placed.shape[1]
    result = np.zeros((layers, slots), dtype=np.float64)
    option_mass = np.zeros(placed.shape[0], dtype=np.float64)
    for layer in range(layers):
        total = 0.0
        for node in range(graph.layer_start[layer], graph.layer_start[layer + 1]):
            for edge in range(edge_start[node], edge_start[node + 1]):
                # What is possible stays so: a graph has no other edges.
                mass = forward[node] * weight[edge] * backward[target[edge]]
                mass = max(mass, LEAST_WEIGHT)
                option_mass[choice[edge]] += mass
                total += mass
        for option in range(graph.option_start[layer], graph.option_start[layer + 1]):
            share = option_mass[option] / total
            for slot in range(slots):
                result[order[layer], slot] += share * placed[option, slot]
    return result


@kernel
def draw_paths(graph: PartialDeals, uniform: Floats) -> Integers:
    """One option per site for every row of uniforms in [0, 1), shape (draws, sites).

    Walks forward, taking every edge in proportion to the weight of all deals beyond it: exact,
    and nothing is ever rejected.
    """
    edge_start, target = graph.edge_start, graph.target
    weight, backward = graph.weight, graph.backward
    order, choice = graph.order, graph.choice
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


@kernel
def paths_between(first: int, last: int, graph: PartialDeals) -> float:
    """Number of paths from layer ``first`` to layer ``last`` that some deal takes."""
    layer_start, edge_start, target = graph.layer_start, graph.edge_start, graph.target
    backward = graph.backward
    base = layer_start[first]
    count = np.zeros(layer_start[last + 1] - base, dtype=np.float64)
    for node in range(layer_start[last], layer_start[last + 1]):
        count[node - base] = 1.0
    for back in range(layer_start[last] - base):
        node = layer_start[last] - 1 - back
        for edge in range(edge_start[node], edge_start[node + 1]):
            if backward[target[edge]] != 0.0:
                count[node - base] += count[target[edge] - base]
    return float(count[: layer_start[first + 1] - base].sum())


@kernel(inner=True)
def listed_shares(first: int, last: int, step: Integers, size: int, graph: PartialDeals) -> Floats:
    """Probability of every index of a feature, by walking every path; shape (size,).

    Args:
        first, last: First layer of the feature, and one past its last.
        step: What every option adds to the index.
    """
    edge_start, target, choice = graph.edge_start, graph.target, graph.choice
    weight, backward = graph.weight, graph.backward
    result = np.zeros(size, dtype=np.float64)
    depth = last - first
    edge_at = np.zeros(depth + 1, dtype=np.int64)
    stop_at = np.zeros(depth + 1, dtype=np.int64)
    index = np.zeros(depth + 1, dtype=np.int64)
    mass = np.zeros(depth + 1, dtype=np.float64)
    total = 0.0
    for begin in range(graph.layer_start[first], graph.layer_start[first + 1]):
        if backward[begin] == 0.0:
            continue
        mass[0] = graph.forward[begin]
        if depth == 0:
            share = max(mass[0] * backward[begin], LEAST_WEIGHT)
            result[0] += share
            total += share
            continue
        level = 0
        edge_at[0] = edge_start[begin]
        stop_at[0] = edge_start[begin + 1]
        while level >= 0:
            if edge_at[level] == stop_at[level]:
                level -= 1
                continue
            edge = edge_at[level]
            edge_at[level] += 1
            end = target[edge]
            if backward[end] == 0.0:
                continue
            value = mass[level] * weight[edge]
            place = index[level] + step[choice[edge]]
            if level + 1 == depth:
                share = max(value * backward[end], LEAST_WEIGHT)
                result[place] += share
                total += share
                continue
            level += 1
            mass[level] = value
            index[level] = place
            edge_at[level] = edge_start[end]
            stop_at[level] = edge_start[end + 1]
    for place in range(size):
        result[place] /= total
    return result


def listed_paths(graph: PartialDeals) -> tuple[Integers, Floats]:
    """Every path of a graph of partial deals.

    Returns:
        The option of every site, shape (paths, sites), and the weights, shape (paths,).
    """
    nodes = np.zeros(1, dtype=np.int64)
    chosen = np.zeros((1, graph.order.shape[0]), dtype=np.int64)
    weights = np.ones(1)
    for site in graph.order:
        counts = graph.edge_start[nodes + 1] - graph.edge_start[nodes]
        paths = np.repeat(np.arange(nodes.shape[0]), counts)
        within = np.arange(paths.shape[0]) - np.repeat(counts.cumsum() - counts, counts)
        edges = graph.edge_start[nodes][paths] + within
        possible = graph.backward[graph.target[edges]] > 0.0
        paths, edges = paths[possible], edges[possible]
        nodes = graph.target[edges]
        chosen = chosen[paths]
        chosen[:, site] = graph.choice[edges]
        weights = weights[paths] * graph.weight[edges]
        # Products of many small weights would underflow.
        weights = np.maximum(weights / weights.max(), LEAST_WEIGHT)
    return chosen, weights
