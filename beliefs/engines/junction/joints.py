"""The distribution of a feature of many cliques: a sum, carried along from clique to clique.

A feature is additive: each of its variables adds a number to an index. From the leaves to the
root, every clique passes on how likely each partial sum is, for each combination of the values
that it shares with its parent. For independent variables that is their convolution.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ....data.errors import CostError
from ...arrays.layout import Floats, Integers
from .parts import index_by_values
from .passing import Calibrated, given_first

#: Most numbers in one table of partial sums.
MOST_ENTRIES = 50_000_000
#: Two tables are contracted as a product of matrices where that can be; no other way is looked for.
PATH: Final = ["einsum_path", (0, 1)]


class PartialSums(NamedTuple):
    """Probabilities of partial sums, by the values of some variables.

    Attributes:
        scope: The variables, in the order of their ranks.
        shares: One axis for each of them, and the last for the sums.
        sums: The sums, ascending, shape (sums,).
    """

    scope: tuple[int, ...]
    shares: Floats
    sums: Integers


def distribution_of_sum(
    known: Calibrated,
    adds: Mapping[int, Integers],
    beside: Mapping[int, Sequence[PartialSums]],
) -> tuple[Floats, Integers]:
    """The distribution of a sum over variables.

    Args:
        known: The tree.
        adds: What the values of each variable add.
        beside: For cliques, sums that depend on some of their variables.

    Returns:
        How likely each sum is, and the sums, ascending.

    Raises:
        CostError: The partial sums are too many.
    """
    tree = known.tree
    own: dict[int, list[int]] = {}
    clique = tree.holding([*adds]) if adds and not beside else None
    if clique is not None:
        return _within(known, clique, adds)
    for variable in adds:
        own.setdefault(tree.home[variable], []).append(variable)
    wanted = [0] * len(tree.cliques)
    for clique in {*own, *beside}:
        wanted[clique] = 1
    total = [0] * len(tree.cliques)
    inside = [*wanted]
    for clique in range(len(wanted) - 1, -1, -1):
        above = tree.parent[clique]
        if above >= 0:
            inside[above] += inside[clique]
    for clique in range(len(wanted)):
        above = tree.parent[clique]
        total[clique] = inside[clique] if above < 0 else total[above]
    found = PartialSums((), np.ones(1), np.zeros(1, dtype=np.int64))
    passed: dict[int, list[PartialSums]] = {}
    for clique in range(len(wanted) - 1, -1, -1):
        if not inside[clique]:
            continue
        # The lowest clique that has all below it ends the way; what is above says nothing more.
        top = inside[clique] == total[clique]
        if top and not wanted[clique] and len(passed.get(clique, ())) == 1:
            above = tree.parent[clique]
            if above >= 0:
                passed.setdefault(above, passed.pop(clique))
            else:
                found = _both(found, passed.pop(clique)[0])
            continue
        sums = _of_clique(
            known,
            clique,
            {each: adds[each] for each in own.get(clique, ())},
            [*passed.pop(clique, ()), *beside.get(clique, ())],
            shared=0 if top else tree.shared[clique],
        )
        above = tree.parent[clique]
        if above >= 0:
            passed.setdefault(above, []).append(sums)
        else:
            found = _both(found, sums)
    return found.shares, found.sums


def _within(
    known: Calibrated, clique: int, adds: Mapping[int, Integers]
) -> tuple[Floats, Integers]:
    """The distribution of a sum over variables of one clique: its table says all of it."""
    scope = known.tree.cliques[clique]
    others = tuple(axis for axis, variable in enumerate(scope) if variable not in adds)
    shares = known.belief(clique).sum(axis=others)
    index = index_by_values(0, [adds[variable] for variable in scope if variable in adds])
    found = np.bincount(index.ravel(), shares.ravel()).astype(np.float64)
    sums = np.flatnonzero(found)
    return found[sums], sums


def _of_clique(
    known: Calibrated,
    clique: int,
    adds: Mapping[int, Integers],
    children: Sequence[PartialSums],
    *,
    shared: int,
) -> PartialSums:
    """The sums of a clique and all below it, by the values of its first variables."""
    tree = known.tree
    scope = tree.cliques[clique]
    kept = {*scope[:shared], *adds, *(each for child in children for each in child.scope)}
    axes = tuple(axis for axis, variable in enumerate(scope) if variable not in kept)
    scope = tuple(variable for variable in scope if variable in kept)
    shares = known.belief(clique)
    if axes:
        shares = shares.sum(axis=axes)
    shares = given_first(shares, shared)
    parts = [*children]
    for variable, add in adds.items():
        values, places = np.unique(add, return_inverse=True)
        alone = np.zeros((len(add), len(values)))
        alone[np.arange(len(add)), places] = 1.0
        parts.append(PartialSums((variable,), alone, values))
    # Those of few sums first, so that what nobody asks for later is summed out early.
    parts.sort(key=lambda part: len(part.sums))
    sums = PartialSums(scope, shares[..., None], np.zeros(1, dtype=np.int64))
    for place, part in enumerate(parts):
        later = {*scope[:shared], *(each for other in parts[place + 1 :] for each in other.scope)}
        sums = _both(sums, part, later)
    return sums


def _both(one: PartialSums, other: PartialSums, kept: Collection[int] = ()) -> PartialSums:
    """Two sums added up, by the values of those variables that are kept.

    Args:
        one: A sum.
        other: Another, by the values of some of the same variables.
        kept: The variables that are not summed out.
    """
    sums, places = np.unique(one.sums[:, None] + other.sums[None, :], return_inverse=True)
    places = places.reshape(len(one.sums), len(other.sums))
    scope = tuple(variable for variable in one.scope if variable in kept)
    shape = tuple(one.shares.shape[one.scope.index(variable)] for variable in scope)
    if math.prod(shape) * len(sums) > MOST_ENTRIES:
        raise CostError(
            "a feature across the parts of the model would take a table of too many numbers",
            value=math.prod(shape) * len(sums),
            hint="ask about fewer variables together, or how many conditions hold (count_of)",
        )
    left = [*range(len(one.scope))]
    right = [one.scope.index(variable) for variable in other.scope]
    out = [one.scope.index(variable) for variable in scope]
    last = len(left)
    shares = np.zeros((*shape, len(sums)))
    # One sum of either moves all sums of the other to places of their own.
    if len(one.sums) < len(other.sums):
        for place in range(len(one.sums)):
            table = one.shares[..., place]
            shares[..., places[place]] += _product(
                table, left, other.shares, [*right, last], [*out, last]
            )
    else:
        for place in range(len(other.sums)):
            table = other.shares[..., place]
            shares[..., places[:, place]] += _product(
                one.shares, [*left, last], table, right, [*out, last]
            )
    return PartialSums(scope, shares, sums)


def _product(
    one: Floats, left: Sequence[int], other: Floats, right: Sequence[int], out: Sequence[int]
) -> Floats:
    """The product of two tables, summed over the axes that are not in ``out``."""
    whole: Any = np.einsum
    return whole(one, left, other, right, out, optimize=PATH)
