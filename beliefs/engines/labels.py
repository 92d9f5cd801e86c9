"""Joints from the graph of partial deals: forward and backward weights that carry a label.

The label of a partial deal is the sum that a feature has reached. Both sides stop at one
boundary, where their sums are combined: the product of two small matrices replaces a pass with
every combination of labels, and many questions share the same passes.
"""

from __future__ import annotations

import numpy as np

from ...models.kernel import kernel
from ..problem import Floats, Integers
from .paths import MOST_PATHS, listed_shares, paths_between


@kernel
def relabel(
    sums: Integers,
    row: int,
    first: int,
    last: int,
    placed: Integers,
    delta: Integers,
    size: int,
    place: Integers,
) -> tuple[Integers, Integers]:
    """The sums after one more site, and where each sum goes under each option.

    Args:
        sums: Sums so far, shape (labels,).
        row: The site's row in ``delta``.
        first, last: The site's options in ``placed``.
        place: Scratch of shape (size,), all -1; left so.

    Returns:
        The new sums, and their places by (option, label); -1 where no deal can lead.
    """
    labels = sums.shape[0]
    options = last - first
    move = np.zeros((options, labels), dtype=np.int64)
    fresh = np.zeros(labels * options, dtype=np.int64)
    count = 0
    for option in range(options):
        step_sum = 0
        for slot in range(placed.shape[1]):
            step_sum += placed[first + option, slot] * delta[row, slot]
        for index in range(labels):
            value = sums[index] + step_sum
            if value >= size:
                move[option, index] = -1
                continue
            if place[value] < 0:
                place[value] = count
                fresh[count] = value
                count += 1
            move[option, index] = place[value]
    for index in range(count):
        place[fresh[index]] = -1
    return fresh[:count].copy(), move


@kernel
def boundary_costs(
    order: Integers,
    option_start: Integers,
    placed: Integers,
    layer_start: Integers,
    edge_start: Integers,
    row_of_site: Integers,
    delta: Integers,
    size: int,
    pass_weight: float,
) -> Floats:
    """Cost of letting forward and backward labels meet before each layer, shape (layers + 1,).

    Args:
        pass_weight: What one step of a pass costs; less than 1 where passes are shared.
    """
    layers = order.shape[0]
    before = np.ones(layers + 1, dtype=np.int64)
    after = np.ones(layers + 1, dtype=np.int64)
    place = np.full(size, -1, dtype=np.int64)
    for side in range(2):
        sums = np.zeros(1, dtype=np.int64)
        for step in range(layers):
            layer = step if side == 0 else layers - 1 - step
            row = int(row_of_site[order[layer]])
            if row >= 0:
                sums, _ = relabel(
                    sums,
                    row,
                    option_start[layer],
                    option_start[layer + 1],
                    placed,
                    delta,
                    size,
                    place,
                )
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
def forward_labels(
    first: int,
    stop: int,
    order: Integers,
    option_start: Integers,
    placed: Integers,
    row_of_site: Integers,
    delta: Integers,
    size: int,
    layer_start: Integers,
    edge_start: Integers,
    target: Integers,
    choice: Integers,
    weight: Floats,
    forward: Floats,
    backward: Floats,
) -> tuple[Integers, Floats]:
    """Sums reached before layer ``stop`` and their weight at each of its nodes.

    Args:
        first: Layer at which to start (no site of the feature comes before it).

    Returns:
        The sums, shape (labels,), and weights, shape (nodes of the layer, labels).
    """
    sums = np.zeros(1, dtype=np.int64)
    node_count = layer_start[first + 1] - layer_start[first]
    current = np.zeros((node_count, 1), dtype=np.float64)
    for node in range(node_count):
        current[node, 0] = forward[layer_start[first] + node]
    place = np.full(size, -1, dtype=np.int64)
    for layer in range(first, stop):
        base = layer_start[layer]
        next_base = layer_start[layer + 1]
        labels = sums.shape[0]
        row = int(row_of_site[order[layer]])
        move = np.zeros((0, 0), dtype=np.int64)
        if row >= 0:
            sums, move = relabel(
                sums,
                row,
                option_start[layer],
                option_start[layer + 1],
                placed,
                delta,
                size,
                place,
            )
        following = np.zeros((layer_start[layer + 2] - next_base, sums.shape[0]), dtype=np.float64)
        for node in range(base, next_base):
            if backward[node] == 0.0:
                continue
            for edge in range(edge_start[node], edge_start[node + 1]):
                end = target[edge]
                if backward[end] == 0.0:
                    continue
                factor = weight[edge]
                if row < 0:
                    for index in range(labels):
                        following[end - next_base, index] += factor * current[node - base, index]
                else:
                    option = choice[edge] - option_start[layer]
                    for index in range(labels):
                        mass = current[node - base, index]
                        if mass != 0.0:
                            following[end - next_base, move[option, index]] += factor * mass
        current = following
    return sums, current


@kernel
def backward_labels(
    stop: int,
    last: int,
    order: Integers,
    option_start: Integers,
    placed: Integers,
    row_of_site: Integers,
    delta: Integers,
    size: int,
    layer_start: Integers,
    edge_start: Integers,
    target: Integers,
    choice: Integers,
    weight: Floats,
    backward: Floats,
) -> tuple[Integers, Floats]:
    """Sums that layers from ``stop`` on still add, and their weight at each node of ``stop``.

    Args:
        last: Layer after the feature's last site.

    Returns:
        The sums, shape (labels,), and weights, shape (nodes of the layer, labels).
    """
    sums = np.zeros(1, dtype=np.int64)
    node_count = layer_start[last + 1] - layer_start[last]
    current = np.zeros((node_count, 1), dtype=np.float64)
    for node in range(node_count):
        current[node, 0] = backward[layer_start[last] + node]
    place = np.full(size, -1, dtype=np.int64)
    for step in range(last - stop):
        layer = last - 1 - step
        base = layer_start[layer]
        next_base = layer_start[layer + 1]
        labels = sums.shape[0]
        row = int(row_of_site[order[layer]])
        move = np.zeros((0, 0), dtype=np.int64)
        if row >= 0:
            sums, move = relabel(
                sums,
                row,
                option_start[layer],
                option_start[layer + 1],
                placed,
                delta,
                size,
                place,
            )
        following = np.zeros((next_base - base, sums.shape[0]), dtype=np.float64)
        for node in range(base, next_base):
            if backward[node] == 0.0:
                continue
            for edge in range(edge_start[node], edge_start[node + 1]):
                end = target[edge]
                if backward[end] == 0.0:
                    continue
                factor = weight[edge]
                if row < 0:
                    for index in range(labels):
                        following[node - base, index] += factor * current[end - next_base, index]
                else:
                    option = choice[edge] - option_start[layer]
                    for index in range(labels):
                        mass = current[end - next_base, index]
                        if mass != 0.0:
                            following[node - base, move[option, index]] += factor * mass
        current = following
    return sums, current


@kernel
def joint_shares(
    order: Integers,
    option_start: Integers,
    placed: Integers,
    sites: Integers,
    delta: Integers,
    size: int,
    layer_start: Integers,
    edge_start: Integers,
    target: Integers,
    choice: Integers,
    weight: Floats,
    forward: Floats,
    backward: Floats,
) -> Floats:
    """Probability of every index of a feature, shape (size,)."""
    row_of_site = np.full(order.shape[0], -1, dtype=np.int64)
    for row in range(sites.shape[0]):
        row_of_site[sites[row]] = row
    first = order.shape[0]
    last = 0
    for layer in range(order.shape[0]):
        if row_of_site[order[layer]] >= 0:
            first = min(first, layer)
            last = layer + 1
    first = min(first, last)
    step = np.zeros(placed.shape[0], dtype=np.int64)
    for layer in range(first, last):
        row = row_of_site[order[layer]]
        if row >= 0:
            for option in range(option_start[layer], option_start[layer + 1]):
                for slot in range(placed.shape[1]):
                    step[option] += placed[option, slot] * delta[row, slot]
    if paths_between(first, last, layer_start, edge_start, target, backward) <= MOST_PATHS:
        return listed_shares(
            first,
            last,
            step,
            size,
            layer_start,
            edge_start,
            target,
            choice,
            weight,
            forward,
            backward,
        )
    boundary = int(
        np.argmin(
            boundary_costs(
                order,
                option_start,
                placed,
                layer_start,
                edge_start,
                row_of_site,
                delta,
                size,
                1.0,
            )
        )
    )
    front_sums, front = forward_labels(
        min(first, boundary),
        boundary,
        order,
        option_start,
        placed,
        row_of_site,
        delta,
        size,
        layer_start,
        edge_start,
        target,
        choice,
        weight,
        forward,
        backward,
    )
    back_sums, back = backward_labels(
        boundary,
        max(last, boundary),
        order,
        option_start,
        placed,
        row_of_site,
        delta,
        size,
        layer_start,
        edge_start,
        target,
        choice,
        weight,
        backward,
    )
    result = np.zeros(size, dtype=np.float64)
    total = 0.0
    for node in range(front.shape[0]):
        for ahead in range(front_sums.shape[0]):
            mass = front[node, ahead]
            if mass == 0.0:
                continue
            for behind in range(back_sums.shape[0]):
                share = mass * back[node, behind]
                if share != 0.0:
                    result[front_sums[ahead] + back_sums[behind]] += share
                    total += share
    return result / total


@kernel
def combined_gain(
    front_sums: Integers,
    back_sums: Integers,
    product: Floats,
    values: int,
    project: Integers,
    outcomes: Integers,
    likelihood: Floats,
    abouts: int,
    about_project: Integers,
    outcome_count: int,
) -> float:
    """Bits a question gives about a feature, straight from the product of both sides.

    The index of the combined feature is ``about index * values + question index``.

    Args:
        values: Number of indices of the question's feature.
        project: Row of ``likelihood`` for each of them.
        outcomes, likelihood: Per row, the outcomes that can follow (-1 ends the list) and
            their probabilities, shape (rows, width).
        abouts: Number of values of the feature asked about.
        about_project: Its value for each of its indices.
        outcome_count: Number of outcomes.
    """
    joint = np.zeros((abouts, outcome_count), dtype=np.float64)
    total = 0.0
    width = outcomes.shape[1]
    for front in range(front_sums.shape[0]):
        for back in range(back_sums.shape[0]):
            mass = product[front, back]
            if mass == 0.0:
                continue
            index = front_sums[front] + back_sums[back]
            about = about_project[index // values]
            row = project[index % values]
            total += mass
            for entry in range(width):
                outcome = outcomes[row, entry]
                if outcome < 0:
                    break
                joint[about, outcome] += mass * likelihood[row, entry]
    gain = 0.0
    by_outcome = np.zeros(outcome_count, dtype=np.float64)
    for about in range(abouts):
        marginal = 0.0
        for outcome in range(outcome_count):
            share = joint[about, outcome] / total
            marginal += share
            by_outcome[outcome] += share
            if share > 0.0:
                gain += share * np.log2(share)
        if marginal > 0.0:
            gain -= marginal * np.log2(marginal)
    for outcome in range(outcome_count):
        if by_outcome[outcome] > 0.0:
            gain -= by_outcome[outcome] * np.log2(by_outcome[outcome])
    return max(0.0, gain)
