"""Passes over a junction tree: from the leaves to the roots, and back.

Tables are scaled as they are passed, so that only how weights compare within one clique counts.
Where those lie too far apart for floats, everything is done with logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...arrays.layout import Floats
from ...arrays.scaling import LEAST_WEIGHT
from .tree import JunctionTree

#: Most powers of two between the weights of one clique that are multiplied as plain floats.
MOST_SPREAD = 900.0


class CliqueTable(NamedTuple):
    """Weights of some variables.

    Attributes:
        scope: The variables, in the order of their ranks.
        weights: One axis for each; with logarithms, those.
    """

    scope: tuple[int, ...]
    weights: Floats


class TooFarApart(Exception):
    """The weights of a clique lie too far apart for plain floats."""


@dataclass(frozen=True, eq=False)
class Calibrated:
    """A junction tree with the joint distribution of every clique.

    Attributes:
        tree: The tree.
        log_weight: Log of the total weight.
        beliefs: The distribution of every clique that is known, in its shape.
    """

    tree: JunctionTree
    log_weight: float
    beliefs: dict[int, Floats] = field(default_factory=dict[int, Floats], repr=False)

    def belief(self, clique: int) -> Floats:
        """Probability of every combination of a clique's values, in its shape."""
        return self.beliefs[clique]

    def shared_belief(self, clique: int) -> Floats:
        """The same for the variables that a clique shares with its parent."""
        return _over_first(self.belief(clique), self.tree.shared[clique])

    def times(self, clique: int, table: CliqueTable) -> Updated | None:
        """The same tree with one more table, on variables of a clique; None if nothing is left."""
        place = self.tree.place(clique, table.scope)
        product: Floats = self.belief(clique) * table.weights.reshape(place)
        total = float(product.sum())
        if not total > 1e-200:
            return None
        log_weight = self.log_weight + math.log(total)
        return Updated(
            self.tree, log_weight, {clique: product / total}, before=self, changed=clique
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Updated(Calibrated):
    """A tree with one more table; what it changes is passed on to where somebody asks.

    Attributes:
        before: The tree without it.
        changed: The clique that it is in.
    """

    before: Calibrated
    changed: int

    @property
    def changes(self) -> int:
        """The number of tables that came since all was passed."""
        before = self.before
        return 1 + (before.changes if isinstance(before, Updated) else 0)

    def belief(self, clique: int) -> Floats:
        """Probability of every combination of a clique's values, in its shape."""
        if clique in self.beliefs:
            return self.beliefs[clique]
        path = self._path(clique)
        if path is None:
            self.beliefs[clique] = self.before.belief(clique)
            return self.beliefs[clique]
        known = next(place for place, each in enumerate(path) if each in self.beliefs)
        for place in range(known - 1, -1, -1):
            self._pass(path[place + 1], path[place])
        return self.beliefs[clique]

    def _path(self, clique: int) -> list[int] | None:
        """The cliques from one to that which changed; None where nothing ties them."""
        tree, one, other = self.tree, clique, self.changed
        first, last = [one], [other]
        while one != other:
            if tree.depth[one] >= tree.depth[other]:
                one = tree.parent[one]
                first.append(one)
            else:
                other = tree.parent[other]
                last.append(other)
            if one < 0 or other < 0:
                return None
        return first + last[-2::-1]

    def _pass(self, source: int, target: int) -> None:
        tree = self.tree
        below = source if tree.parent[source] == target else target
        separator = tree.separator(below)
        shared = tree.shared[below]
        after, before = self.beliefs[source], self.before.belief(source)
        if below == source:
            new, old = _over_first(after, shared), _over_first(before, shared)
        else:
            place = tree.place(source, separator)
            new, old = _over(after, place), _over(before, place)
        ratio = np.divide(new, old, out=np.zeros_like(new), where=old > 0.0)
        spread = ratio.reshape(tree.place(target, separator))
        self.beliefs[target] = self.before.belief(target) * spread


def _over_first(table: Floats, count: int) -> Floats:
    """A table summed over all axes but the first few."""
    if count == table.ndim:
        return table
    shape = table.shape[:count]
    return table.reshape(math.prod(shape), -1).sum(axis=1).reshape(shape)


def given_first(table: Floats, count: int) -> Floats:
    """A table of probabilities, given the values of its first few variables.

    Where those are impossible it is zero.
    """
    if not count:
        return table
    below = _over_first(table, count)
    below = below.reshape(below.shape + (1,) * (table.ndim - count))
    return np.divide(table, below, out=np.zeros_like(table), where=below > 0.0)


def _over(table: Floats, place: Sequence[int]) -> Floats:
    """A table summed over the axes where a place has one entry, which are left out."""
    axes = tuple(axis for axis, size in enumerate(place) if size == 1 < table.shape[axis])
    kept = [size for axis, size in enumerate(table.shape) if axis not in axes]
    return table.sum(axis=axes).reshape(kept) if axes else table


def spread_of(weights: Floats) -> float:
    """Powers of two between the largest weight of a table and the least positive one."""
    positive = weights[weights > 0.0]
    return math.log2(positive.max() / positive.min()) if positive.size else 0.0


def calibrated(tree: JunctionTree, tables: Sequence[CliqueTable], *, strong: bool) -> Calibrated:
    """All cliques' distributions, from the tables of a problem.

    Args:
        tree: A tree that has a clique for every table.
        tables: The tables, their axes in the order of the ranks; with logarithms where strong.
        strong: Do it with logarithms.

    Raises:
        TooFarApart: The weights lie too far apart for plain floats.
    """
    held: dict[int, list[CliqueTable]] = {}
    for table in tables:
        held.setdefault(tree.home[table.scope[-1]], []).append(table)
    arithmetic = _Logarithms() if strong else _Plain()
    return arithmetic.passed(tree, held)


class _Plain:
    """Passes with plain floats."""

    def passed(self, tree: JunctionTree, held: Mapping[int, Sequence[CliqueTable]]) -> Calibrated:
        """Both passes."""
        count = len(tree.cliques)
        products: dict[int, Floats] = {}
        messages: dict[int, Floats] = {}
        totals: dict[int, float] = {}
        spreads = [0.0] * count
        log_weight = 0.0
        for clique in range(count - 1, -1, -1):
            product, spread = self._product(tree, clique, held.get(clique, ()), messages)
            if spread + spreads[clique] > MOST_SPREAD:
                raise TooFarApart
            message = _over_first(product, tree.shared[clique])
            largest = float(message.max())
            if not largest > 0.0:
                return Calibrated(tree, -math.inf)
            log_weight += math.log(largest)
            messages[clique] = message / largest
            totals[clique] = largest
            products[clique] = product
            above = tree.parent[clique]
            if above >= 0 and message.ndim:
                spreads[above] += spread_of(message)
        for clique in range(count):
            product, above = products[clique], tree.parent[clique]
            if above < 0:
                product /= totals[clique]
                continue
            separator = tree.separator(clique)
            wanted = _over(products[above], tree.place(above, separator))
            message = messages[clique]
            message *= totals[clique]
            ratio = np.divide(wanted, message, out=np.zeros_like(wanted), where=message > 0.0)
            product *= ratio.reshape(ratio.shape + (1,) * (product.ndim - ratio.ndim))
        return Calibrated(tree, log_weight, products)

    def _product(
        self,
        tree: JunctionTree,
        clique: int,
        tables: Sequence[CliqueTable],
        messages: Mapping[int, Floats],
    ) -> tuple[Floats, float]:
        """The product of a clique's tables and of what its children say; and their spread."""
        shape = tree.shapes[clique]
        parts = [(tree.separator(child), messages[child]) for child in tree.children[clique]]
        parts += [(table.scope, table.weights) for table in tables]
        spread = 0.0
        for table in tables:
            spread += spread_of(table.weights)
        product: Floats | None = None
        for scope, weights in sorted(parts, key=lambda part: -part[1].size):
            spread_out = weights.reshape(tree.place(clique, scope))
            if product is None:
                product = np.empty(shape)
                product[...] = spread_out
            else:
                product *= spread_out
        return (np.ones(shape) if product is None else product), spread


class _Logarithms:
    """The same passes with logarithms of weights."""

    def passed(self, tree: JunctionTree, held: Mapping[int, Sequence[CliqueTable]]) -> Calibrated:
        """Both passes."""
        count = len(tree.cliques)
        products: dict[int, Floats] = {}
        messages: dict[int, Floats] = {}
        log_weight = 0.0
        for clique in range(count - 1, -1, -1):
            product = np.zeros(tree.shapes[clique])
            for child in tree.children[clique]:
                product += messages[child].reshape(tree.place(clique, tree.separator(child)))
            for table in held.get(clique, ()):
                product += table.weights.reshape(tree.place(clique, table.scope))
            message = _log_over(product, range(tree.shared[clique], product.ndim))
            if float(message.max()) == -math.inf:
                return Calibrated(tree, -math.inf)
            if tree.parent[clique] < 0:
                log_weight += float(message)
            messages[clique] = message
            products[clique] = product
        for clique in range(count):
            product, above = products[clique], tree.parent[clique]
            if above < 0:
                product -= messages[clique]
                continue
            place = tree.place(above, tree.separator(clique))
            axes = [axis for axis, size in enumerate(place) if size < products[above].shape[axis]]
            wanted = _log_over(products[above], axes)
            message = messages[clique]
            possible = message > -math.inf
            ratio = np.where(possible, wanted - np.where(possible, message, 0.0), -math.inf)
            product += ratio.reshape(ratio.shape + (1,) * (product.ndim - ratio.ndim))
        for clique, product in products.items():
            shares = np.exp(product)
            products[clique] = np.maximum(shares, np.where(product > -math.inf, LEAST_WEIGHT, 0.0))
        return Calibrated(tree, log_weight, products)


def _log_over(logs: Floats, axes: Sequence[int] | range) -> Floats:
    """The logarithm of the sum of some weights, given as logarithms, over some axes."""
    if not len(axes):
        return logs
    most = logs.max(axis=tuple(axes), keepdims=True)
    most = np.where(most > -math.inf, most, 0.0)
    with np.errstate(divide="ignore"):
        found = np.log(np.exp(logs - most).sum(axis=tuple(axes)))
    return found + most.reshape(found.shape)
