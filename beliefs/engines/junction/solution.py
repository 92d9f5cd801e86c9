"""The answers of a junction tree, with the deals that hang on it."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ....data.errors import CostError
from ...arrays.layout import Additive, Factor, Floats, Integers, number_type
from ...arrays.problem import Problem
from ..abilities import Extending, Joining, Listing, Peaking, Tallying, Weighing
from ..base import EXACT, Diagnostics, EngineOptions, Solution, Worlds
from ..enumeration import ENGINE as ENUMERATION
from ..listed import Listed
from .drawing import draw_values, every_value, likeliest_values
from .elimination import best_elimination
from .joints import PartialSums, distribution_of_sum
from .parts import DealPart, ProblemParts, index_by_values, strong
from .passing import Calibrated, CliqueTable, TooFarApart, calibrated, given_first
from .plan import JunctionPlan
from .relevance import relevant
from .tree import JunctionTree, junction_tree

#: Combinations of values of a joint across cliques for which a tree of its own is not made.
FEW_VALUES = 256
#: Most combinations for which it is, and most numbers in its tables.
MOST_VALUES = 4_000_000
MOST_TOGETHER = 5e7
#: After so many pieces of evidence the tree is passed anew.
MOST_CHANGES = 16


@dataclass(frozen=True, eq=False)
class SolvedDeal:
    """A deal, solved for every combination of the choices that it hangs on.

    Attributes:
        part: The deal.
        solutions: Its solution for every combination; None where it is impossible.
        table: Its weight by those choices; the largest is one.
        log_most: Log of what they were divided by.
    """

    part: DealPart
    solutions: tuple[Solution | None, ...]
    table: Floats
    log_most: float


@dataclass(frozen=True, eq=False, kw_only=True)
class JunctionSolution(Tallying, Extending, Joining, Listing, Peaking, Weighing):
    """A calibrated junction tree with the deals that hang on it.

    Attributes:
        parts: The problem taken apart.
        known: The tree.
        deals: The deals.
        evidence: Natural log of the probability of all evidence.
    """

    parts: ProblemParts
    known: Calibrated
    deals: tuple[SolvedDeal, ...]
    evidence: float
    exact: bool = True
    diagnostics: Diagnostics = EXACT

    @property
    def log_evidence(self) -> float:
        """Natural log of the probability (or weight) of all evidence."""
        return self.evidence

    @property
    def log_weight(self) -> float:
        """Log of the total weight of all worlds; minus infinity when none is left."""
        if self.known.log_weight == -math.inf:
            return -math.inf
        return self.evidence + self.parts.problem.log_norm

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        return self._expected

    @cached_property
    def _expected(self) -> Floats:
        layout = self.parts.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        for site, slot in self.parts.fixed.items():
            result[site, slot] = 1.0
        for site, variable in self.parts.number.items():
            result[site, self.parts.options[variable]] = self.marginal(variable)
        for deal in self.deals:
            shares = self._cases(deal)
            rows = np.ix_(deal.part.sites, deal.part.slots)
            for share, solution in zip(shares.tolist(), deal.solutions, strict=True):
                if solution is not None and share > 0.0:
                    result[rows] += share * solution.expected()
        return result

    def marginal(self, variable: int) -> Floats:
        """The distribution of a variable."""
        found = self._marginals.get(variable)
        if found is None:
            tree = self.known.tree
            clique = tree.home[variable]
            shared, shape = tree.shared[clique], tree.shapes[clique]
            own = self.known.belief(clique)
            if shared:
                own = own.reshape(math.prod(shape[:shared]), -1).sum(axis=0)
            before, after = 1, math.prod(shape[shared:])
            for each in tree.cliques[clique][shared:]:
                size = tree.sizes[each]
                after //= size
                self._marginals[each] = own.reshape(before, size, after).sum(axis=(0, 2))
                before *= size
            found = self._marginals[variable]
        return found

    @cached_property
    def _marginals(self) -> dict[int, Floats]:
        return {}

    def _cases(self, deal: SolvedDeal) -> Floats:
        """Probability of every combination of the choices that a deal hangs on."""
        scope = deal.part.variables
        if not scope:
            return np.ones(1)
        strides = np.cumprod([1, *[self.parts.sizes[each] for each in scope[:0:-1]]])[::-1]
        adds = {
            variable: np.arange(self.parts.sizes[variable]) * stride
            for variable, stride in zip(scope, strides.tolist(), strict=True)
        }
        shares, sums = distribution_of_sum(self.known, adds, {})
        result = np.zeros(len(deal.solutions))
        result[sums] = shares
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        Raises:
            CostError: It has too many values across the parts of the model.
        """
        start, adds = self.parts.split(feature)
        result = np.zeros(feature.size)
        beside: dict[int, list[PartialSums]] = {}
        alone: list[PartialSums] = []
        for deal in self.deals:
            inner = deal.part.feature(feature)
            if inner is not None:
                sums = self._sums(deal, inner)
                if sums.scope:
                    clique = self.known.tree.holding(sums.scope)
                    assert clique is not None
                    beside.setdefault(clique, []).append(sums)
                else:
                    alone.append(sums)
        if len(adds) == 1 and not beside and not alone:
            ((variable, add),) = adds.items()
            alike = np.bincount(start + add, self.marginal(variable), feature.size)
            return alike.astype(np.float64)
        shares, sums = np.ones(1), np.zeros(1, dtype=np.int64)
        together = None if beside else self._in_one_clique(adds)
        if together is not None:
            shares, sums = distribution_of_sum(together, adds, {})
        elif adds or beside:
            shares, sums = distribution_of_sum(self.known, adds, beside)
        for each in alone:
            index = (sums[:, None] + each.sums[None, :]).ravel()
            sums, places = np.unique(index, return_inverse=True)
            shares = np.bincount(places, np.outer(shares, each.shares).ravel())
        held = shares > 0.0
        result[start + sums[held]] = shares[held]
        return result

    def counts(self, conditions: Sequence[tuple[Additive, Integers]]) -> Floats | None:
        """Probability that so many of some conditions hold, shape (conditions + 1,); None
        where they are about deals, or hang together too much.
        """
        always = 0
        sizes = [*self.parts.sizes]
        tables: list[CliqueTable] = []
        for additive, holds in conditions:
            if self._touches_deal(additive):
                return None
            start, adds = self.parts.split(additive)
            scope = tuple(adds)
            if math.prod(sizes[variable] for variable in scope) > MOST_VALUES:
                return None
            index = index_by_values(start, adds.values())
            true = holds[index]
            if not scope:
                always += int(true)
                continue
            # A variable for each, which is 1 where it holds.
            marked = np.stack([1 - true, true], axis=-1).astype(np.float64)
            tables.append(CliqueTable((*scope, len(sizes)), marked))
            sizes.append(2)
        marks = range(len(self.parts.sizes), len(sizes))
        known = self._tree_with(sizes, tables, marks, [])
        if known is None:
            return None
        shares = np.zeros(len(conditions) + 1)
        found, sums = distribution_of_sum(known, {mark: np.arange(2) for mark in marks}, {})
        shares[always + sums] = found
        return shares

    def _in_one_clique(self, adds: Mapping[int, Integers]) -> Calibrated | None:
        """A tree in which some variables of several cliques are in one, for their joint; None where
        partial sums take no longer.
        """
        sizes, tree = self.parts.sizes, self.known.tree
        values = math.prod(sizes[variable] for variable in adds)
        if not FEW_VALUES < values <= MOST_VALUES or tree.holding([*adds]) is not None:
            return None
        return self._tree_with(sizes, [], adds, [tuple(adds)])

    def _tree_with(
        self,
        sizes: Sequence[int],
        more: Sequence[CliqueTable],
        wanted: Iterable[int],
        together: Sequence[tuple[int, ...]],
    ) -> Calibrated | None:
        """A tree of what is known and more, for a question; None where it would be too large.

        Args:
            sizes: Number of values of every variable, with those that are new.
            more: Tables that are new.
            wanted: The variables that are asked about.
            together: Variables that one clique must hold.
        """
        tree = self.known.tree
        tables = [*more]
        for clique, scope in enumerate(tree.cliques):
            shares = given_first(self.known.belief(clique), tree.shared[clique])
            tables.append(CliqueTable(scope, shares))
        parts = replace(
            self.parts, sizes=tuple(sizes), tables=tuple(tables), log_constant=0.0, deals=()
        )
        parts = relevant(parts, [*wanted])
        scopes = [*(table.scope for table in parts.tables), *together]
        elimination = best_elimination(sizes, scopes)
        if elimination.entries > MOST_TOGETHER:
            return None
        found = junction_tree(sizes, elimination)
        ranked = [_ranked(found, table.scope, table.weights) for table in parts.tables]
        with contextlib.suppress(TooFarApart):
            return calibrated(found, ranked, strong=False)
        return None

    def joints(self, features: Sequence[Additive]) -> Any:
        """Probability of every index of each feature."""
        return map(self.joint, features)

    def _sums(self, deal: SolvedDeal, inner: Additive) -> PartialSums:
        """A feature of a deal, by the choices that it hangs on."""
        tree = self.known.tree
        rows = np.zeros((len(deal.solutions), inner.size))
        for case, solution in enumerate(deal.solutions):
            if solution is not None:
                rows[case] = solution.joint(inner)
        sums = np.flatnonzero(rows.any(axis=0))
        scope = deal.part.variables
        shape = tuple(self.parts.sizes[variable] for variable in scope)
        shares = rows[:, sums].reshape(*shape, len(sums))
        order = sorted(range(len(scope)), key=lambda axis: tree.rank[scope[axis]])
        shares = shares.transpose(*order, len(scope))
        return PartialSums(tuple(scope[axis] for axis in order), shares, sums)

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Exact worlds, never rejected; shape (count, cards)."""
        layout = self.parts.problem.layout
        cards = layout.card_sites
        worlds = np.zeros((count, len(cards)), dtype=number_type(layout.slot_count))
        first = np.searchsorted(cards, np.arange(layout.site_count))
        for site, slot in self.parts.fixed.items():
            worlds[:, first[site]] = slot
        drawn = draw_values(self.known, count, rng)
        for site, variable in self.parts.number.items():
            worlds[:, first[site]] = self.parts.options[variable][drawn[:, variable]]
        for deal in self.deals:
            scope = deal.part.variables
            case = np.zeros(count, dtype=np.int64)
            for variable in scope:
                case = case * self.parts.sizes[variable] + drawn[:, variable]
            columns = np.flatnonzero(np.isin(cards, deal.part.sites))
            found: list[int] = np.unique(case).tolist()
            for each in found:
                solution = deal.solutions[each]
                mine = np.flatnonzero(case == each)
                assert solution is not None
                worlds[np.ix_(mine, columns)] = deal.part.slots[solution.draw(len(mine), rng)]
        return worlds

    def likeliest(self) -> tuple[Worlds, float] | None:
        """Slots of all cards in the likeliest world, and its probability; None where there are
        deals.
        """
        if self.deals:
            return None
        layout = self.parts.problem.layout
        world = np.zeros(layout.site_count, dtype=number_type(layout.slot_count))
        values, share = likeliest_values(self.known)
        for site, slot in self.parts.fixed.items():
            world[site] = slot
        for site, variable in self.parts.number.items():
            world[site] = self.parts.options[variable][values[variable]]
        return world, share

    def listed(self, most: int) -> Listed | None:
        """Every world; None where there are more than ``most``."""
        layout = self.parts.problem.layout
        if not layout.distinct:
            # Copies of items are listed as counts, which is the other engine's way.
            with contextlib.suppress(CostError):
                every = ENUMERATION.solve(self.parts.problem, EngineOptions())
                return every if len(every.weights) <= most else None
            return None
        found = every_value(self.known, most)
        if found is None:
            return None
        rows, shares = found
        chosen: Integers = np.zeros((len(rows), layout.site_count), dtype=np.int64)
        for site, slot in self.parts.fixed.items():
            chosen[:, site] = slot
        for site, variable in self.parts.number.items():
            chosen[:, site] = self.parts.options[variable][rows[:, variable]]
        for deal in self.deals:
            case = np.zeros(len(rows), dtype=np.int64)
            for variable in deal.part.variables:
                case = case * self.parts.sizes[variable] + rows[:, variable]
            lists = [_every_deal(solution, most) for solution in deal.solutions]
            if any(each is None for each in lists):
                return None
            counts = np.array([0 if each is None else len(each[1]) for each in lists])
            if counts[case].sum() > most:
                return None
            which = np.repeat(np.arange(len(rows)), counts[case])
            begin = counts[case].cumsum() - counts[case]
            place = np.arange(len(which)) - begin[which]
            chosen, rows, shares = chosen[which], rows[which], shares[which]
            for number, each in enumerate(lists):
                mine = case[which] == number
                if each is not None and mine.any():
                    chosen[np.ix_(mine, deal.part.sites)] = deal.part.slots[each[0][place[mine]]]
                    shares[mine] *= each[1][place[mine]]
        return Listed(np.arange(layout.slot_count)[:, None], chosen, shares)

    def extended(self, problem: Problem, factors: Sequence[Factor]) -> JunctionSolution | None:
        """The solution after more factors; None where it is better computed anew, or nothing is
        left.

        Args:
            problem: The problem with these factors.
            factors: What it has more than the problem of this solution.
        """
        known, tree = self.known, self.known.tree
        evidence = self.evidence
        for _, additive, weights in factors:
            start, adds = self.parts.split(additive)
            if self._touches_deal(additive):
                return None
            adds = {each: add for each, add in adds.items() if (add != 0).any()}
            if not adds:
                weight = float(weights[start])
                if not weight > 0.0:
                    return None
                evidence += math.log(weight)
                continue
            scope = sorted(adds, key=tree.rank.__getitem__)
            clique = tree.holding(scope)
            if clique is None or len(scope) > 8:
                return None
            index = index_by_values(start, [adds[variable] for variable in scope])
            after = known.times(clique, CliqueTable(tuple(scope), weights[index]))
            if after is None or after.changes > MOST_CHANGES:
                return None
            evidence += after.log_weight - known.log_weight
            known = after
        parts = replace(self.parts, problem=problem)
        return replace(self, parts=parts, known=known, evidence=evidence)

    def _touches_deal(self, additive: Additive) -> bool:
        fixed, number = self.parts.fixed, self.parts.number
        return any(site not in number and site not in fixed for site in additive.sites.tolist())


def solved(made: JunctionPlan, options: EngineOptions) -> JunctionSolution:
    """The solution of a problem that is not too wide."""
    parts = made.parts
    tree = junction_tree(parts.sizes, made.elimination)
    log_norm = parts.problem.log_norm
    nothing = JunctionSolution(
        parts=parts, known=Calibrated(tree, -math.inf), deals=(), evidence=-math.inf
    )
    if parts.impossible:
        return nothing
    deals: list[SolvedDeal] = []
    for part in parts.deals:
        deal = _solved(part, parts.sizes, options)
        if deal is None:
            return nothing
        deals.append(deal)
    tables = [_ranked(tree, table.scope, table.weights) for table in parts.tables]
    constant = parts.log_constant
    for deal in deals:
        constant += deal.log_most
        if deal.part.variables:
            tables.append(_ranked(tree, deal.part.variables, deal.table))
    known = _calibrated(tree, tables, strong(parts))
    if known.log_weight == -math.inf:
        return nothing
    evidence = known.log_weight + constant - log_norm
    return JunctionSolution(parts=parts, known=known, deals=tuple(deals), evidence=evidence)


def _every_deal(solution: Solution | None, most: int) -> tuple[Integers, Floats] | None:
    """Slots of the items in every deal of a solution, and probabilities; None if too many."""
    if solution is None:
        return np.zeros((0, 0), dtype=np.int64), np.zeros(0)
    listed = solution.listed(most) if isinstance(solution, Listing) else solution
    if not isinstance(listed, Listed) or len(listed.weights) > most:
        return None
    return listed.lies[listed.chosen, 0], listed.weights / listed.weights.sum()


def _ranked(tree: JunctionTree, scope: Sequence[int], weights: Floats) -> CliqueTable:
    """A table with its axes in the order of the ranks."""
    order = sorted(range(len(scope)), key=lambda axis: tree.rank[scope[axis]])
    turned = np.ascontiguousarray(weights.transpose(order))
    return CliqueTable(tuple(scope[axis] for axis in order), turned)


def _calibrated(tree: JunctionTree, tables: Sequence[CliqueTable], is_strong: bool) -> Calibrated:
    if not is_strong:
        try:
            return calibrated(tree, tables, strong=False)
        except TooFarApart:
            pass
    with np.errstate(divide="ignore"):
        logs = [CliqueTable(table.scope, np.log(table.weights)) for table in tables]
    return calibrated(tree, logs, strong=True)


def _solved(part: DealPart, sizes: Sequence[int], options: EngineOptions) -> SolvedDeal | None:
    """A deal, solved for all values of the choices that it hangs on; None if it is impossible."""
    from ..choosing import choose

    shape = tuple(sizes[variable] for variable in part.variables)
    logs = np.full(math.prod(shape), -math.inf)
    solutions: list[Solution | None] = []
    for number, values in enumerate(np.ndindex(*shape)):
        problem = part.case(values)
        _, solution = choose(problem, "auto", approximate=False, options=options)
        log_weight = solution.log_weight
        solutions.append(None if log_weight == -math.inf else solution)
        if log_weight > -math.inf:
            logs[number] = log_weight - problem.log_norm
    most = float(logs.max())
    if most == -math.inf:
        return None
    return SolvedDeal(part, tuple(solutions), np.exp(logs - most).reshape(shape), most)
