"""Weighs many continuations of one past at once.

Evidence weighs the values of features. So the joint of those and of what is asked about, as it is
now, says what every continuation would leave: it is computed once, and all of them are read off it.
Features that lie on the same open items share it. Where few worlds are left, these are weighed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from ...data.errors import CostError, UnsupportedError
from ..arrays.layout import Additive, Bools, Floats, Integers, Layout
from ..arrays.problem import Problem
from ..engines.abilities import Joining, Listing
from ..engines.base import Solution, Worlds, worlds_from_options
from ..engines.enumeration import Enumerated
from ..engines.partial_deals.gains import combine
from ..engines.sampling.sampled import WeightedWorlds
from ..language.evidence import Evidence
from ..language.quantities import Quantity

#: Most worlds that are weighed one by one, and how many for each continuation: for few of them it
#: takes longer to list the worlds.
MOST_WORLDS: Final = 200
WORLDS_EACH: Final = 8
#: Most weights of worlds that are held at a time.
MOST_WEIGHTS: Final = 1 << 20
#: Most numbers in a joint of what is asked about and of the features that are weighed.
MOST_CELLS: Final = 1 << 22
#: A joint that serves several continuations may have so many times the values that they need apart.
SHARED: Final = 2
#: What an observation of nothing is about.
NOTHING: Final = Additive(np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.int64), 1)


class Declared(Protocol):
    """A `Model`, as far as it is asked here."""

    def check(self, feature: Quantity) -> None: ...
    def evidence_of(self, values: Mapping[str, Any]) -> list[Evidence]: ...


@dataclass(frozen=True, eq=False)
class Past:
    """The past that continuations go on from.

    Attributes:
        model: Refuses evidence that is not about it.
        problem: What is known.
        solution: What answers.
        ids: Those of the evidence so far; no other evidence may have them.
    """

    model: Declared
    problem: Problem
    solution: Solution
    ids: Set[str | None]


@dataclass(frozen=True, eq=False)
class ContinuationGroup:
    """Continuations that weigh the same features; it grows while they are read.

    Attributes:
        features: What they weigh, each once.
        numbers: Which continuations they are.
        tables: For each feature the weights of every continuation.
    """

    features: tuple[Additive, ...]
    numbers: list[int]
    tables: tuple[list[Floats], ...]


@dataclass(frozen=True, eq=False)
class QuestionSubject:
    """The subject of a question, as it is now.

    Attributes:
        past: What is known.
        additive: The feature on the layout.
        project: The place of its value for every index.
        rows: The indices that are possible, by the places of their values, shape (rows,).
        starts: The first row of each value.
        places: The values, by their places among all, shape (values,).
    """

    past: Past
    additive: Additive
    project: Integers
    rows: Integers
    starts: Integers
    places: Integers

    @staticmethod
    def of(past: Past, about: Quantity) -> QuestionSubject:
        """A feature asked about.

        Raises:
            CostError, UnsupportedError: Its distribution is not found in a table.
        """
        layout = past.problem.layout
        present = about.on(layout)
        if present.large:
            raise CostError("it has too many values for a table", value=present.value_count)
        project = present.project
        if present.values is not about.values:
            project = np.array([about.places[value] for value in present.values])[project]
        additive = present.base.additive(layout)
        rows = np.flatnonzero(past.solution.joint(additive))
        rows = rows[np.argsort(project[rows], kind="stable")]
        places, starts = np.unique(project[rows], return_index=True)
        return QuestionSubject(past, additive, project, rows, starts, places)

    def weighed(self, groups: Sequence[ContinuationGroup], count: int) -> tuple[Floats, list[int]]:
        """Probability of continuation and value together, shape (continuations, values).

        Args:
            groups: The continuations.
            count: How many there are; the weights of those in no group stay 0.

        Returns:
            The weights, and the continuations for which they are not found in a table.
        """
        weights = np.zeros((count, self.places.shape[0]))
        rest: list[int] = []
        worlds = self._worlds(sum(len(group.numbers) for group in groups))
        if worlds is not None:
            self._weigh_worlds(*worlds, groups, weights)
            return weights, rest
        found = [*joints(self.past, groups)]
        for joint, together in zip(found, self._with_each(found), strict=True):
            for group in joint.groups:
                if together is None:
                    rest += group.numbers
                else:
                    weights[group.numbers] = joint.weighing(group) @ together.T
        return weights, rest

    def _with_each(self, found: Sequence[Joint]) -> Iterator[Floats | None]:
        """Probability of value and index of each joint's feature together, shape (values, indices);
        None where it is not found in a table.
        """
        solution, size = self.past.solution, self.additive.size
        fits = [size * joint.feature.size <= MOST_CELLS for joint in found]
        # What lies in one place adds nothing to what is asked about.
        features = [
            combine(self.additive, joint.feature) if joint.feature.size > 1 else self.additive
            for joint, fit in zip(found, fits, strict=True)
            if fit
        ]
        answers = solution.joints(features) if isinstance(solution, Joining) else None
        left = iter(features)
        for joint, fit in zip(found, fits, strict=True):
            if not fit:
                yield None
                continue
            feature = next(left)
            try:
                cells = solution.joint(feature) if answers is None else next(answers)
            except (CostError, UnsupportedError):
                answers = None  # it gives no more; each by itself
                yield None
                continue
            by_row = cells.reshape(size, joint.feature.size)[self.rows]
            alone = self.rows.shape == self.places.shape
            yield by_row if alone else np.add.reduceat(by_row, self.starts, axis=0)

    def _worlds(self, count: int) -> tuple[Worlds, Floats] | None:
        """All worlds and their weights, where there are so few that they are weighed."""
        problem, solution = self.past.problem, self.past.solution
        most = min(MOST_WORLDS, WORLDS_EACH * count)
        if problem.walk_problem is not None:
            return None
        if isinstance(solution, (Enumerated, WeightedWorlds)):
            few = solution.weights.shape[0] <= most
            return (solution.worlds, solution.weights) if few else None
        found = solution.listed(most) if isinstance(solution, Listing) else None
        if found is None:
            return None
        return worlds_from_options(problem, found.lies, found.chosen), found.weights

    def _weigh_worlds(
        self, worlds: Worlds, shares: Floats, groups: Sequence[ContinuationGroup], weights: Floats
    ) -> None:
        """Weigh every world by every continuation, and write down the sums by value."""
        layout = self.past.problem.layout
        values = self.project[indices(layout, worlds, [self.additive])[0]]
        order = np.argsort(values, kind="stable")
        places, starts = np.unique(values[order], return_index=True)
        columns = np.searchsorted(self.places, places)
        shares = shares[order] / shares.sum()
        known: dict[int, int] = {}
        features: list[Additive] = []
        # What is weighed first by every continuation, what second, and so on.
        turns: list[WeighedTurn] = []
        numbers: list[int] = []
        for group in groups:
            for turn, feature in enumerate(group.features):
                if turn == len(turns):
                    turns.append(WeighedTurn([], [], []))
                if id(feature) not in known:
                    known[id(feature)] = len(features)
                    features.append(feature)
                turns[turn].add(len(numbers), known[id(feature)], group.tables[turn])
            numbers += group.numbers
        index = indices(layout, worlds[order], features)
        packed = [turn.packed() for turn in turns]
        step = max(MOST_WEIGHTS // shares.shape[0], 1)
        for first in range(0, len(numbers), step):
            last = min(first + step, len(numbers))
            mass = np.repeat(shares[None, :], last - first, axis=0)
            for weighing, row, start, table in packed:
                begin, end = np.searchsorted(weighing, (first, last))
                at = index[row[begin:end]]
                at += start[begin:end, None]
                mass[weighing[begin:end] - first] *= table[at]
            sums = np.add.reduceat(mass, starts, axis=1)
            weights[np.array(numbers[first:last])[:, None], columns] = sums


def indices(layout: Layout, worlds: Worlds, features: Sequence[Additive]) -> Integers:
    """The index of each feature in every world, shape (features, worlds)."""
    found = np.zeros((len(features), worlds.shape[0]), dtype=np.int64)
    if not features:
        return found
    first = np.cumsum(layout.copies) - layout.copies
    lies = np.ascontiguousarray(worlds.T)
    most = max(int(layout.copies[feature.sites].sum()) for feature in features)
    step = max(MOST_WEIGHTS // max(most * worlds.shape[0], 1), 1)
    for begin in range(0, len(features), step):
        block = features[begin : begin + step]
        sites: Integers = np.concatenate([feature.sites for feature in block])
        delta = np.concatenate([feature.delta for feature in block])
        owner = np.repeat(np.arange(len(block)), [feature.sites.shape[0] for feature in block])
        # One row for each copy of each site.
        copies: Integers = layout.copies[sites]
        row = np.repeat(np.arange(len(sites)), copies)
        card = first[sites][row] + np.arange(len(row)) - (np.cumsum(copies) - copies)[row]
        adds = delta[row[:, None], lies[card]]
        owners, starts = np.unique(owner[row], return_index=True)
        if owners.shape[0]:
            found[begin + owners] = np.add.reduceat(adds, starts, axis=0)
    return found


@dataclass(frozen=True, eq=False)
class WeighedTurn:
    """One feature for each of some continuations, and its weights.

    Attributes:
        weighing: Which continuations, ascending.
        rows: Which feature each of them weighs.
        tables: With which weights.
    """

    weighing: list[int]
    rows: list[int]
    tables: list[Floats]

    def add(self, first: int, row: int, tables: Sequence[Floats]) -> None:
        """Continuations from the ``first`` on weigh a feature."""
        self.weighing.extend(range(first, first + len(tables)))
        self.rows.extend([row] * len(tables))
        self.tables.extend(tables)

    def packed(self) -> tuple[Integers, Integers, Integers, Floats]:
        """Continuations, features, where their weights begin, and all weights."""
        sizes = np.array([table.shape[0] for table in self.tables])
        starts = np.cumsum(sizes) - sizes
        return np.array(self.weighing), np.array(self.rows), starts, np.concatenate(self.tables)


# -- features together


@dataclass(frozen=True, eq=False)
class Joint:
    """A feature of which those that some continuations weigh are functions.

    Attributes:
        feature: The feature.
        groups: The continuations.
        index_of: The index of a feature that they weigh for each of its indices.
    """

    feature: Additive
    groups: Sequence[ContinuationGroup]
    index_of: Callable[[Additive], Integers]

    def weighing(self, group: ContinuationGroup) -> Floats:
        """The weight of each index after each continuation, shape (continuations, indices)."""
        found = np.ones((len(group.numbers), self.feature.size))
        for feature, tables in zip(group.features, group.tables, strict=True):
            found *= np.array(tables)[:, self.index_of(feature)]
        return found


def joints(past: Past, groups: Sequence[ContinuationGroup]) -> Iterator[Joint]:
    """Few features that serve some continuations, each as small as it can be."""
    copies = past.problem.layout.copies
    if past.problem.walk_problem is not None or not past.solution.exact:
        yield from map(side_by_side, groups)
        return
    possible = past.solution.expected() > 0.0
    ways = possible.sum(axis=1)
    most = int(ways[copies == 1].max(initial=1))
    by_items: dict[tuple[int, ...], list[ContinuationGroup]] = {}
    for group in groups:
        lie_on = {site for feature in group.features for site in feature.sites.tolist()}
        open_sites = sorted(site for site in lie_on if copies[site] > 1 or ways[site] > 1)
        by_items.setdefault(tuple(open_sites), []).append(group)
    for sites, sharing in by_items.items():
        apart = sum(math.prod(feature.size for feature in group.features) for group in sharing)
        if most ** len(sites) <= SHARED * apart and all(copies[site] == 1 for site in sites):
            yield of_items(possible, sites, most, sharing)
        else:
            yield from map(side_by_side, sharing)


def side_by_side(group: ContinuationGroup) -> Joint:
    """The features of a group as one whose index says that of each."""
    whole, strides = NOTHING, dict[int, int]()
    if group.features:
        whole = group.features[0]
        for feature in group.features[1:]:
            whole = combine(whole, feature)
    stride = whole.size
    for feature in group.features:
        stride //= feature.size
        strides[id(feature)] = stride
    every = np.arange(whole.size)

    def index_of(feature: Additive) -> Integers:
        return every // strides[id(feature)] % feature.size

    return Joint(whole, [group], index_of)


def of_items(
    possible: Bools, sites: Sequence[int], most: int, groups: Sequence[ContinuationGroup]
) -> Joint:
    """The places of some distinct items, as a feature; all others that matter lie in one place.

    Args:
        possible: Whether each site can be in each slot, shape (sites, slots).
        sites: The items.
        most: Slots of the site that can be in most of all: with the same strides for all items,
            many such features share what is found for a part of them.
        groups: What depends on them alone.
    """
    slots = {site: np.flatnonzero(possible[site]) for site in sites}
    axis = {site: row for row, site in enumerate(sites)}
    delta = np.zeros((len(sites), possible.shape[1]), dtype=np.int64)
    for site, row in axis.items():
        lies = slots[site]
        delta[row, lies] = most ** (len(sites) - 1 - row) * np.arange(lies.shape[0])
    shape = (most,) * len(sites)

    def index_of(feature: Additive) -> Integers:
        index = np.zeros(shape, dtype=np.int64)
        for site, adds in zip(feature.sites.tolist(), feature.delta, strict=True):
            if site not in axis:
                index += adds[int(possible[site].argmax())]
                continue
            steps = np.zeros(most, dtype=np.int64)
            steps[: slots[site].shape[0]] = adds[slots[site]]
            index += steps.reshape([-1] + [1] * (len(sites) - 1 - axis[site]))
        # Items that lie so as no deal lets them may have no index.
        return np.minimum(index, feature.size - 1).ravel()

    whole = Additive(np.array(sites, dtype=np.int64), delta, most ** len(sites))
    return Joint(whole, groups, index_of)
