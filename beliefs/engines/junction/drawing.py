"""Exact draws from a junction tree, from the roots down; and its most likely values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.layout import Floats, Integers
from .passing import Calibrated, given_first

#: Most numbers that are compared at once while worlds are drawn.
MOST_AT_ONCE = 10_000_000

#: Combinations of one clique and all below it that are counted; more are as many.
MOST_COUNTED = 1e100


def draw_values(known: Calibrated, count: int, rng: np.random.Generator) -> Integers:
    """Joint draws of all variables: the place of each one's value, shape (count, variables)."""
    tree = known.tree
    drawn = np.zeros((count, len(tree.sizes)), dtype=np.int64)
    for clique, scope in enumerate(tree.cliques):
        shared = tree.shared[clique]
        shape = tree.shapes[clique]
        belief = known.belief(clique).reshape(math.prod(shape[:shared]), -1)
        case: Integers = np.zeros(count, dtype=np.int64)
        if shared:
            flat: Any = np.ravel_multi_index(tuple(drawn[:, scope[:shared]].T), shape[:shared])
            case = flat
        chosen = _chosen(belief, case, rng.random(count))
        places = np.unravel_index(chosen, shape[shared:])
        for variable, place in zip(scope[shared:], places, strict=True):
            drawn[:, variable] = place
    return drawn


def _chosen(belief: Floats, case: Integers, uniform: Floats) -> Integers:
    """A column for each case, drawn with its weight in the row of the case."""
    cases, number = np.unique(case, return_inverse=True)
    below = belief[cases].cumsum(axis=1)
    # The last weight that is positive takes all the rest, however sums are rounded.
    last = belief.shape[1] - 1 - (belief[cases][:, ::-1] > 0.0).argmax(axis=1)
    target = uniform * below[number, -1]
    chosen = np.empty(len(case), dtype=np.int64)
    if len(case) * belief.shape[1] <= MOST_AT_ONCE and belief.shape[1] <= 64:
        chosen[:] = (below[number] <= target[:, None]).sum(axis=1)
    else:
        order = np.argsort(number, kind="stable")
        ends = np.searchsorted(number[order], np.arange(len(cases) + 1))
        for place in range(len(cases)):
            mine = order[ends[place] : ends[place + 1]]
            chosen[mine] = below[place].searchsorted(target[mine], side="right")
    return np.minimum(chosen, last[number])


def count_values(known: Calibrated) -> float:
    """The number of combinations of values that are possible; at least 1e100 where it is larger."""
    tree = known.tree
    found = 1.0
    counts: dict[int, Floats] = {}
    for clique in range(len(tree.cliques) - 1, -1, -1):
        ways: Floats = (known.belief(clique) > 0.0).astype(np.float64)
        for child in tree.children[clique]:
            ways *= counts.pop(child).reshape(tree.place(clique, tree.separator(child)))
        shape = ways.shape[: tree.shared[clique]]
        below = ways.reshape(math.prod(shape), -1).sum(axis=1).reshape(shape)
        # Infinitely many times none would be no number.
        counts[clique] = np.minimum(below, MOST_COUNTED)
        if tree.parent[clique] < 0:
            found = min(found * float(counts.pop(clique)), MOST_COUNTED)
    return found


def every_value(known: Calibrated, most: int) -> tuple[Integers, Floats] | None:
    """All combinations of values that are possible, and how likely each is.

    Args:
        known: The tree.
        most: With more than these the answer is None.

    Returns:
        Place of every variable's value, shape (combinations, variables), and probabilities.
    """
    if count_values(known) > most:
        return None
    tree = known.tree
    rows: Integers = np.zeros((1, len(tree.sizes)), dtype=np.int64)
    shares: Floats = np.ones(1)
    for clique, scope in enumerate(tree.cliques):
        shared, shape = tree.shared[clique], tree.shapes[clique]
        belief = given_first(known.belief(clique), shared)
        belief = belief.reshape(math.prod(shape[:shared]), -1)
        case: Integers = np.zeros(len(rows), dtype=np.int64)
        if shared:
            flat: Any = np.ravel_multi_index(tuple(rows[:, scope[:shared]].T), shape[:shared])
            case = flat
        which, chosen = np.nonzero(belief[case])
        shares = shares[which] * belief[case[which], chosen]
        rows = rows[which]
        places = np.unravel_index(chosen, shape[shared:])
        for variable, place in zip(scope[shared:], places, strict=True):
            rows[:, variable] = place
    return rows, shares


def likeliest_values(known: Calibrated) -> tuple[Integers, float]:
    """The likeliest combination of values, and its probability (Dawid, "Applications of a general
    propagation algorithm for probabilistic expert systems", 1992).

    Returns:
        Place of every variable's value, shape (variables,), and the probability.
    """
    tree = known.tree
    passed: dict[int, Floats] = {}
    found: dict[int, Integers] = {}
    log_share = 0.0
    for clique in range(len(tree.cliques) - 1, -1, -1):
        shape, shared = tree.shapes[clique], tree.shared[clique]
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(known.belief(clique))
            if shared:
                below = np.log(known.shared_belief(clique))
                below = np.where(below > -math.inf, below, 0.0)
                logs = logs - below.reshape(below.shape + (1,) * (len(shape) - shared))
        for child in tree.children[clique]:
            logs = logs + passed.pop(child).reshape(tree.place(clique, tree.separator(child)))
        rows = logs.reshape(math.prod(shape[:shared]), -1)
        found[clique] = rows.argmax(axis=1)
        passed[clique] = rows.max(axis=1).reshape(shape[:shared])
        if tree.parent[clique] < 0:
            log_share += float(passed.pop(clique))
    values: Integers = np.zeros(len(tree.sizes), dtype=np.int64)
    for clique, scope in enumerate(tree.cliques):
        shape, shared = tree.shapes[clique], tree.shared[clique]
        case = 0
        for variable, size in zip(scope[:shared], shape[:shared], strict=True):
            case = case * size + int(values[variable])
        places = np.unravel_index(int(found[clique][case]), shape[shared:])
        for variable, place in zip(scope[shared:], places, strict=True):
            values[variable] = place
    return values, math.exp(log_share)
