"""Joints from the graph of partial deals: forward and backward weights that carry a label.

The label of a partial deal is the sum that a feature has reached. Both sides stop at one
boundary, where their sums are combined: the product of two small matrices replaces a pass with
every combination of labels, and many questions share the same passes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....models.kernels.kernel import kernel
from ...arrays.layout import Floats, Integers
from ..base import SparseAnswers
from .arrays import PartialDeals, added
from .paths import MOST_PATHS, listed_shares, paths_between


class Reading(NamedTuple):
    """A feature as the layers of a graph read it.

    Attributes:
        row: Row of ``delta`` for every layer; -1 where its site is not in the feature.
        delta: What a copy of a row's site adds to the index, shape (rows, slots).
        size: Number of indices.
        first, last: First layer of the feature, and one past its last.
    """

    row: Integers
    delta: Integers
    size: int
    first: int
    last: int


class Labels(NamedTuple):
    """Sums on one side of a layer, and their weights at its nodes.

    Attributes:
        sums: Every sum, shape (labels,).
        weights: Shape (nodes of the layer, labels).
    """

    sums: Integers
    weights: Floats


@kernel
def read(graph: PartialDeals, sites: Integers, delta: Integers, size: int) -> Reading:
    """A feature of some sites (see `Additive`) as a graph reads it."""
    layers = graph.order.shape[0]
    row_of_site = np.full(layers, -1, dtype=np.int64)
    for place in range(sites.shape[0]):
        row_of_site[sites[place]] = place
    row = np.empty(layers, dtype=np.int64)
    first = layers
    last = 0
    for layer in range(layers):
        row[layer] = row_of_site[graph.order[layer]]
        if row[layer] >= 0:
            first = min(first, layer)
            last = layer + 1
    return Reading(row, delta, size, min(first, last), last)


@kernel(inner=True)
def reached(
    sums: Integers,
    first: int,
    last: int,
    placed: Integers,
    delta: Integers,
    row: int,
    place: Integers,
) -> Integers:
    """The sums after one more site.

    Args:
        sums: Sums so far, shape (labels,).
        first, last: The site's options in ``placed``.
        row: The site's row in ``delta``.
        place: Scratch of shape (size,), all -1. Then it has the places of the sums; see `forget`.
    """
    steps = np.empty(last - first, dtype=np.int64)
    different = 0
    for option in range(first, last):
        step = added(placed, option, delta, row)
        known = False
        for index in range(different):
            if steps[index] == step:
                known = True
                break
        if not known:
            steps[different] = step
            different += 1
    fresh = np.empty(min(sums.shape[0] * different, place.shape[0]), dtype=np.int64)
    count = 0
    for index in range(different):
        step = steps[index]
        for label in range(sums.shape[0]):
            value = sums[label] + step
            if value < place.shape[0] and place[value] < 0:
                place[value] = count
                fresh[count] = value
                count += 1
    return fresh[:count]


@kernel(inner=True, allocates=False)
def forget(place: Integers, sums: Integers) -> None:
    """Make scratch of `reached` ready again."""
    for index in range(sums.shape[0]):
        place[sums[index]] = -1


@kernel(inner=True)
def relabel(
    sums: Integers,
    first: int,
    last: int,
    placed: Integers,
    delta: Integers,
    row: int,
    place: Integers,
) -> tuple[Integers, Integers]:
    """The sums after one more site, and where each goes under each option.

    Args:
        sums, first, last, placed, delta, row: As for `reached`.
        place: Scratch of shape (size,), all -1; left so.

    Returns:
        The new sums, and their places by (option, label); -1 where no deal can lead.
    """
    fresh = reached(sums, first, last, placed, delta, row, place)
    move = np.full((last - first, sums.shape[0]), -1, dtype=np.int64)
    for option in range(last - first):
        step = added(placed, first + option, delta, row)
        for index in range(sums.shape[0]):
            value = sums[index] + step
            if value < place.shape[0]:
                move[option, index] = place[value]
    forget(place, fresh)
    return fresh, move


@kernel
def boundary_costs(graph: PartialDeals, reading: Reading, pass_weight: float) -> Floats:
    """Cost of letting forward and backward labels meet before each layer, shape (layers + 1,).

    Args:
        pass_weight: What one step of a pass costs; less than 1 where passes are shared.
    """
    layer_start, edge_start = graph.layer_start, graph.edge_start
    options, placed, row, delta = graph.option_start, graph.placed, reading.row, reading.delta
    layers = graph.order.shape[0]
    before = np.ones(layers + 1, dtype=np.int64)
    after = np.ones(layers + 1, dtype=np.int64)
    place = np.full(reading.size, -1, dtype=np.int64)
    for side in range(2):
        sums = np.zeros(1, dtype=np.int64)
        for step in range(layers):
            layer = step if side == 0 else layers - 1 - step
            if row[layer] >= 0:
                sums = reached(
                    sums, options[layer], options[layer + 1], placed, delta, row[layer], place
                )
                forget(place, sums)
            if side == 0:
                before[layer + 1] = sums.shape[0]
            else:
                after[layer] = sums.shape[0]
    cost = np.zeros(layers + 1, dtype=np.float64)
    ahead = 0.0
    for layer in range(layers + 1):
        # A matrix product is some ten times cheaper a step than following edges.
        nodes = layer_start[layer + 1] - layer_start[layer]
        cost[layer] += pass_weight * ahead + (0.1 * nodes + 2.0) * before[layer] * after[layer]
        if layer < layers and before[layer + 1] > 1:
            edges = edge_start[layer_start[layer + 1]] - edge_start[layer_start[layer]]
            ahead += edges * before[layer + 1]
    behind = 0.0
    for back in range(layers):
        layer = layers - 1 - back
        if after[layer] > 1:
            edges = edge_start[layer_start[layer + 1]] - edge_start[layer_start[layer]]
            behind += edges * after[layer]
        cost[layer] += pass_weight * behind
    return cost


@kernel
def labels_at(boundary: int, ahead: bool, graph: PartialDeals, reading: Reading) -> Labels:
    """Sums on one side of a layer and their weight at each of its nodes.

    Args:
        boundary: The layer.
        ahead: Whether the sums that the layers before it have reached are wanted; else those that
            the layers from it on still add.
    """
    layer_start, edge_start = graph.layer_start, graph.edge_start
    target, choice, weight, backward = graph.target, graph.choice, graph.weight, graph.backward
    options, placed, row, delta = graph.option_start, graph.placed, reading.row, reading.delta
    known = graph.forward if ahead else backward
    start = min(reading.first, boundary) if ahead else max(reading.last, boundary)
    sums = np.zeros(1, dtype=np.int64)
    current = np.zeros((layer_start[start + 1] - layer_start[start], 1), dtype=np.float64)
    for node in range(current.shape[0]):
        current[node, 0] = known[layer_start[start] + node]
    place = np.full(reading.size, -1, dtype=np.int64)
    for step in range(abs(boundary - start)):
        layer = start + step if ahead else start - 1 - step
        base = layer_start[layer]
        next_base = layer_start[layer + 1]
        first_option = options[layer]
        labels = sums.shape[0]
        reads = row[layer] >= 0
        move = np.zeros((0, 0), dtype=np.int64)
        if reads:
            sums, move = relabel(
                sums, options[layer], options[layer + 1], placed, delta, row[layer], place
            )
        nodes = layer_start[layer + 2] - next_base if ahead else next_base - base
        following = np.zeros((nodes, sums.shape[0]), dtype=np.float64)
        for node in range(base, next_base):
            if backward[node] == 0.0:
                continue
            for edge in range(edge_start[node], edge_start[node + 1]):
                end = target[edge]
                if backward[end] == 0.0:
                    continue
                factor = weight[edge]
                source, sink = node - base, end - next_base
                if not ahead:
                    source, sink = sink, source
                if not reads:
                    for index in range(labels):
                        following[sink, index] += factor * current[source, index]
                else:
                    option = choice[edge] - first_option
                    for index in range(labels):
                        mass = current[source, index]
                        if mass != 0.0:
                            following[sink, move[option, index]] += factor * mass
        current = following
    return Labels(sums, current)


@kernel
def joint(deals: tuple[Any, ...], sites: Integers, delta: Integers, size: int) -> Floats:
    """Probability of every index of a feature (see `Additive`), shape (size,).

    Args:
        deals: `PartialDeals`, as a plain tuple; see `conditioning.condition`.
    """
    graph = PartialDeals(*deals)
    reading = read(graph, sites, delta, size)
    first, last = reading.first, reading.last
    if paths_between(first, last, graph) <= MOST_PATHS:
        options, placed, row = graph.option_start, graph.placed, reading.row
        step = np.zeros(placed.shape[0], dtype=np.int64)
        for layer in range(first, last):
            if row[layer] >= 0:
                for option in range(options[layer], options[layer + 1]):
                    step[option] = added(placed, option, delta, row[layer])
        return listed_shares(first, last, step, size, graph)
    boundary = int(np.argmin(boundary_costs(graph, reading, 1.0)))
    front = labels_at(boundary, True, graph, reading)
    back = labels_at(boundary, False, graph, reading)
    return met(front, back, size)


@kernel
def met(front: Labels, back: Labels, size: int) -> Floats:
    """Probability of every index of a feature, by the sums on both sides of a layer; shape (size,).

    Args:
        front, back: What the layers before it have reached, and what those from it on still add.
        size: Number of indices.
    """
    front_sums, front_weights = front.sums, front.weights
    back_sums, back_weights = back.sums, back.weights
    result = np.zeros(size, dtype=np.float64)
    # Few sums have a weight at a node: those are laid side by side. Unsigned places need no look
    # whether they count from the end.
    sums = np.empty(back_sums.shape[0], dtype=np.uint64)
    weights = np.empty(back_sums.shape[0], dtype=np.float64)
    for node in range(front_weights.shape[0]):
        count = 0
        for behind in range(back_sums.shape[0]):
            if back_weights[node, behind] != 0.0:
                sums[count] = back_sums[behind]
                weights[count] = back_weights[node, behind]
                count += 1
        if count == 0:
            continue
        for ahead in range(front_sums.shape[0]):
            mass = front_weights[node, ahead]
            if mass == 0.0:
                continue
            base = np.uint64(front_sums[ahead])
            for place in range(count):
                result[base + sums[place]] += mass * weights[place]
    total = 0.0
    for index in range(size):
        total += result[index]
    return result / total


@kernel
def combined_gain(
    front_sums: Integers,
    back_sums: Integers,
    product: Floats,
    values: int,
    answers: SparseAnswers,
    about_project: Integers,
    abouts: int,
) -> float:
    """Bits a question gives about a feature, straight from the product of both sides.

    The index of the combined feature is ``about index * values + question index``.

    Args:
        values: Number of indices of the question's feature.
        answers: What can be answered to each of them.
        about_project: Value of the feature asked about for each of its indices.
        abouts: Number of these values.
    """
    rows, outcomes, chances = answers.project, answers.outcomes, answers.chances
    joint = np.zeros((abouts, answers.outcome_count), dtype=np.float64)
    total = 0.0
    for front in range(front_sums.shape[0]):
        for back in range(back_sums.shape[0]):
            mass = product[front, back]
            if mass == 0.0:
                continue
            index = front_sums[front] + back_sums[back]
            about = about_project[index // values]
            row = rows[index % values]
            total += mass
            for entry in range(outcomes.shape[1]):
                outcome = outcomes[row, entry]
                if outcome < 0:
                    break
                joint[about, outcome] += mass * chances[row, entry]
    gain = 0.0
    by_outcome = np.zeros(answers.outcome_count, dtype=np.float64)
    for about in range(abouts):
        marginal = 0.0
        for outcome in range(answers.outcome_count):
            share = joint[about, outcome] / total
            marginal += share
            by_outcome[outcome] += share
            if share > 0.0:
                gain += share * np.log2(share)
        if marginal > 0.0:
            gain -= marginal * np.log2(marginal)
    for outcome in range(answers.outcome_count):
        if by_outcome[outcome] > 0.0:
            gain -= by_outcome[outcome] * np.log2(by_outcome[outcome])
    return max(0.0, gain)
