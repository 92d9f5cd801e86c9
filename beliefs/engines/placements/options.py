"""A problem of choices as options that are read one after the other: the items of an exact cover.

A *pair* is a value of a choice. Every factor adds up what the pairs that are taken bring, and is
*touched* by the pairs that bring more than the least. A *layer* decides about the pairs that touch
one factor and were not decided before: about a square of a board, which piece lies on it first.
Knuth's algorithm X branches over the same options (The Art of Computer Programming, 7.2.2.1).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...arrays.layout import Additive, Bools, FactorArrays, Floats, Integers
from ...arrays.problem import Narrowed, Problem, pack
from ..partial_deals.graph import narrow

#: Most steps to look for an order of the factors that is better than that of the declaration.
MOST_SEARCH = 2e9
#: Largest share of all pairs that may touch a factor by which they are ordered.
LOCAL = 0.5


class Touched(NamedTuple):
    """A factor that several choices touch.

    Attributes:
        pairs: The pairs that touch it, ascending.
        steps: What each adds, at least 1.
        table: Weight of every sum.
    """

    pairs: Integers
    steps: Integers
    table: Floats

    @property
    def exclusive(self) -> bool:
        """True if no two of its pairs can be taken together."""
        return not self.table[2 * int(self.steps.min()) :].any()


class Steps(NamedTuple):
    """A feature in the steps of pairs.

    Attributes:
        step: What every pair adds beyond the least of its choice, shape (pairs,).
        offset: The sum of the least of all choices.
        size: Number of sums.
    """

    step: Integers
    offset: int
    size: int


@dataclass(frozen=True, eq=False)
class Pairs:
    """The values that choices may still have.

    Attributes:
        site, slot: Site and slot of every pair, by sites, shape (pairs,).
        first: Pairs of site s are ``first[s]:first[s + 1]``.
        weight: What evidence on one choice alone weighs each pair by; strong evidence as its
            logarithm to base two.
        slots: Number of slots of the layout.
    """

    site: Integers
    slot: Integers
    first: Integers
    weight: Floats
    slots: int

    @property
    def count(self) -> int:
        return self.site.shape[0]

    @property
    def sites(self) -> int:
        return self.first.shape[0] - 1

    def steps(self, feature: Additive) -> Steps:
        """A feature (see `Additive`) in the steps of pairs."""
        step = np.zeros(self.count, dtype=np.int64)
        offset, most = 0, 0
        for site, delta in zip(feature.sites.tolist(), feature.delta, strict=True):
            here = slice(int(self.first[site]), int(self.first[site + 1]))
            added = delta[self.slot[here]]
            least = int(added.min())
            step[here] = added - least
            offset, most = offset + least, most + int(added.max()) - least
        return Steps(step, offset, most + 1)


@dataclass(frozen=True, eq=False)
class CoverOptions:
    """The layers of a problem and their options; the first option of a layer takes no pair of it.

    Attributes:
        pairs: What can be taken.
        start: CoverOptions of layer l are ``start[l]:start[l + 1]``, shape (layers + 1,).
        option, pair: CoverOptions, ascending, and a pair that each assigns; shape (assignments,).
        weight: Weight of every option, shape (options,); where evidence is strong its logarithm
            to base two, since products of weights leave the floats.
        touched: The factors that several choices touch.
        log_constant: Log of what every world is multiplied by besides.
    """

    pairs: Pairs
    start: Integers
    option: Integers
    pair: Integers
    weight: Floats
    touched: tuple[Touched, ...]
    log_constant: float

    @property
    def layers(self) -> int:
        return self.start.shape[0] - 1

    @cached_property
    def layer(self) -> Integers:
        """Layer of every option."""
        layers: Integers = np.arange(int(self.layers))
        return layers.repeat(np.diff(self.start))

    @cached_property
    def place(self) -> Integers:
        """Place of every option in its layer: its slot in a graph of partial deals."""
        numbers: Integers = np.arange(int(self.layer.shape[0]))
        return numbers - self.start[self.layer]

    @cached_property
    def width(self) -> int:
        """Most options of a layer."""
        return int(np.diff(self.start).max())

    @cached_property
    def placed(self) -> Integers:
        """CoverOptions as a graph of partial deals writes them, shape (options, width)."""
        placed = np.zeros((self.layer.shape[0], self.width), dtype=np.int64)
        placed[np.arange(placed.shape[0]), self.place] = 1
        return placed

    def by_layers(self, step: Integers, size: int) -> Additive:
        """A feature in the steps of pairs, as one of layers."""
        delta = np.zeros((self.layers, self.width), dtype=np.int64)
        np.add.at(delta, (self.layer[self.option], self.place[self.option]), step[self.pair])
        read: Integers = np.flatnonzero(np.any(delta, axis=1))
        if not read.size:
            read = np.zeros(1, dtype=np.int64)
        return Additive(read, delta[read], size)

    @cached_property
    def factors(self) -> FactorArrays:
        """Every choice has one value; then the factors that several choices touch."""
        rows: list[tuple[None, Additive, Floats]] = []
        once = np.array([0.0, 1.0])
        for site in range(self.pairs.sites):
            mine = (self.pairs.site == site).astype(np.int64)
            rows.append((None, self.by_layers(mine, 2), once))
        for pairs, steps, table in self.touched:
            step = np.zeros(self.pairs.count, dtype=np.int64)
            step[pairs] = steps
            rows.append((None, self.by_layers(step, table.shape[0]), table))
        return pack(rows)

    @cached_property
    def exclusive_of(self) -> dict[int, set[int]]:
        """Of every pair the factors that allow it with no other pair of theirs."""
        found: dict[int, set[int]] = {}
        for number, factor in enumerate(self.touched):
            if factor.exclusive:
                for pair in factor.pairs.tolist():
                    found.setdefault(pair, set()).add(number)
        return found

    def exclude_each_other(self, pairs: Iterable[int]) -> bool:
        """True if no two of some pairs can be taken together, as far as one factor says so."""
        common: set[int] | None = None
        for pair in pairs:
            mine = self.exclusive_of.get(pair, set())
            common = mine if common is None else common & mine
            if not common:
                return False
        return True


def options_of(problem: Problem) -> CoverOptions | None:
    """The options of a problem of choices alone, found once; None where nothing is possible."""
    if "cover options" not in problem.cache:
        narrowed = narrow(problem)
        contradicted = narrowed.constant == -math.inf
        found = None if contradicted else _options(problem, narrowed)
        problem.cache["cover options"] = found
    return problem.cache["cover options"]


def _options(problem: Problem, narrowed: Narrowed) -> CoverOptions | None:
    site, slot = narrowed.allowed.nonzero()
    sites = problem.layout.site_count
    first = np.searchsorted(site, np.arange(sites + 1))
    strong = problem.strong
    weight = np.zeros(site.shape[0]) if strong else np.ones(site.shape[0])
    pairs = Pairs(site, slot, first, weight, problem.layout.slot_count)
    log_constant = narrowed.constant
    found: dict[tuple[bytes, bytes, int], Touched] = {}
    for index in narrowed.alive.nonzero()[0].tolist():
        feature, table = problem.factor(index)
        factor = _touched(pairs, feature, table)
        touching = np.unique(site[factor.pairs])
        if touching.size > 1:
            # What lies far apart stands in several factors, since products of it leave the floats.
            key = factor.pairs.tobytes(), factor.steps.tobytes(), len(found) if strong else 0
            known = found.get(key)
            if known is not None:
                factor = factor._replace(table=known.table * factor.table)
            found[key] = factor
        elif touching.size:
            mine = slice(int(first[touching[0]]), int(first[touching[0] + 1]))
            step = np.zeros(pairs.count, dtype=np.int64)
            step[factor.pairs] = factor.steps
            weights = factor.table[step[mine]]
            if strong:
                with np.errstate(divide="ignore"):
                    weight[mine] += np.log2(weights)
            else:
                weight[mine] *= weights
        elif factor.table[0] > 0.0:
            log_constant += math.log(factor.table[0])
        else:
            return None
    return _layered(pairs, tuple(found.values()), log_constant, strong)


def _touched(pairs: Pairs, feature: Additive, table: Floats) -> Touched:
    """A factor, counted from the least or from the most: by what fewer pairs touch."""
    step, offset, size = pairs.steps(feature)
    table = table[offset : offset + size]
    most = np.zeros_like(step)
    for site in feature.sites.tolist():
        here = slice(int(pairs.first[site]), int(pairs.first[site + 1]))
        most[here] = step[here].max(initial=0)
    if np.count_nonzero(most - step) < np.count_nonzero(step):
        step, table = most - step, table[::-1]
    touching = step.nonzero()[0]
    return Touched(touching, step[touching], np.ascontiguousarray(table))


def _layered(
    pairs: Pairs, touched: tuple[Touched, ...], log_constant: float, strong: bool
) -> CoverOptions:
    local = [one for one in touched if one.pairs.size <= LOCAL * pairs.count]
    groups = _groups(pairs, local, range(len(local)))
    searched = _searched(pairs, local)
    if searched is not None:
        other = _groups(pairs, local, searched)
        if states(pairs, touched, other).sum() < states(pairs, touched, groups).sum():
            groups = other
    layer_of = np.full(pairs.count, -1, dtype=np.int64)
    for layer, group in enumerate(groups):
        layer_of[group] = layer
    free = np.ones(pairs.count, dtype=np.bool_)
    for factor in touched:
        free[factor.pairs] = False
    defaults: dict[int, list[int]] = {}
    own: dict[int, list[Integers]] = {}
    for site in range(pairs.sites):
        mine: Integers = np.arange(int(pairs.first[site]), int(pairs.first[site + 1]))
        left: Integers = mine[layer_of[mine] < 0]
        if not left.size:
            continue
        read: Integers = np.unique(layer_of[mine])[1:] if left.size < mine.size else left[:0]
        if left.size == 1 and free[left[0]] and read.size == 1:
            defaults.setdefault(int(read[0]), []).append(int(left[0]))
        else:
            own.setdefault(int(read[-1]) if read.size else len(groups), []).append(left)
    start, option, pair, weight = [0], list[int](), list[int](), list[float]()

    def add(group: Integers, others: Sequence[int]) -> None:
        for taken in [-1, *group.tolist()]:
            mine = [taken] if taken >= 0 else []
            mine += [
                other for other in others if taken < 0 or pairs.site[other] != pairs.site[taken]
            ]
            option.extend([len(weight)] * len(mine))
            pair.extend(mine)
            own_weights = pairs.weight[mine]
            weight.append(float(own_weights.sum() if strong else np.prod(own_weights)))
        start.append(len(weight))

    for layer, group in enumerate(groups):
        add(group, defaults.get(layer, ()))
        for left in own.get(layer, ()):
            add(left, ())
    for left in own.get(len(groups), ()):
        add(left, ())
    return CoverOptions(
        pairs,
        np.array(start, dtype=np.int64),
        np.array(option, dtype=np.int64),
        np.array(pair, dtype=np.int64),
        np.array(weight),
        touched,
        log_constant,
    )


def _groups(pairs: Pairs, local: Sequence[Touched], order: Iterable[int]) -> list[Integers]:
    """The pairs that are decided together, factor by factor: no two of them can be taken."""
    unread = np.ones(pairs.count, dtype=np.bool_)
    groups: list[Integers] = []
    for number in order:
        group = local[number].pairs[unread[local[number].pairs]]
        unread[group] = False
        if local[number].exclusive:
            groups += [group] if group.size else []
        else:
            site = pairs.site[group]
            groups += [group[site == each] for each in np.unique(site)]
    return groups


def _searched(pairs: Pairs, local: Sequence[Touched]) -> list[int] | None:
    """An order of the factors in which few are open at a time; None where that takes too long."""
    count = len(local)
    if count < 3 or count**2 * pairs.count > MOST_SEARCH:
        return None
    touches = np.zeros((count, pairs.count), dtype=np.float32)
    for number, factor in enumerate(local):
        touches[number, factor.pairs] = 1.0
    # How many pairs that are not read yet touch both of two factors.
    shared = touches @ touches.T
    opened: Bools = np.zeros(count, dtype=np.bool_)
    waiting: Bools = np.ones(count, dtype=np.bool_)
    unread: Bools = np.ones(pairs.count, dtype=np.bool_)
    order: list[int] = []
    for _ in range(count):
        opens = ((shared > 0.0) & ~opened).sum(axis=1)
        chosen = int(np.argmin(np.where(waiting, opens, count + 1)))
        order.append(chosen)
        waiting[chosen] = False
        opened |= shared[chosen] > 0.0
        read = local[chosen].pairs[unread[local[chosen].pairs]]
        unread[read] = False
        shared -= touches[:, read] @ touches[:, read].T
    return order


def bound_on_states(options: CoverOptions) -> float:
    """An upper bound on the nodes of the diagram of some options."""
    layer = options.layer[options.option]
    groups = [options.pair[layer == each] for each in range(options.layers)]
    return float(states(options.pairs, options.touched, groups).sum())


def states(pairs: Pairs, touched: Sequence[Touched], groups: Sequence[Integers]) -> Floats:
    """An upper bound on the states after every layer, as if choices were independent.

    A choice is open, taken with no factor left that knows, or taken by one of the pairs that a
    factor still open remembers; and a factor is in one of its states.
    """
    layers = len(groups)
    layer = np.full(pairs.count, layers, dtype=np.int64)
    for number, group in enumerate(groups):
        layer[group] = number
    end = layer.copy()
    bits = np.zeros(layers + 1)
    for factor in touched:
        here = layer[factor.pairs]
        last = int(here.max())
        end[factor.pairs] = np.maximum(end[factor.pairs], last)
        span = slice(int(here.min()), last)
        bits[span] += math.log2(factor.table.shape[0])
    remembered = np.zeros((pairs.sites, layers + 2))
    np.add.at(remembered, (pairs.site, layer), 1.0)
    np.add.at(remembered, (pairs.site, end), -1.0)
    remembered = remembered.cumsum(axis=1)[:, : layers + 1]
    at = np.arange(layers + 1)
    latest = np.maximum.reduceat(layer, pairs.first[:-1])
    soonest = np.minimum.reduceat(end, pairs.first[:-1])
    remembered += (at < latest[:, None]) + (at >= soonest[:, None]).astype(np.float64)
    ways = np.log2(np.maximum(remembered, 1.0)).sum(axis=0)
    first = np.minimum.reduceat(layer, pairs.first[:-1])
    bits += ((at < latest[:, None]) & (at >= first[:, None])).sum(axis=0)
    return np.exp2(np.minimum(np.minimum(ways, bits), 200.0))
