"""Declared variables made into sites, slots, priors, and the weight of all deals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...data.errors import CostError, DeclarationError
from ..arrays.layout import VALUE_SLOT, Additive, Factor, HolderName, SiteName, make_layout
from ..arrays.problem import MOST_PLACES, Problem, log_multinomial
from ..language.priors import prior_factor
from ..language.variables import Choice, Deal
from ..language.walk import Walk
from .walk_steps import begin_walk

Variable = Deal | Choice | Walk

#: Most cells of the table that says what may be where.
MOST_CELLS: Final = 50_000_000


class _Places:
    """Sites and slots, as variable after variable is declared.

    Deals come first; the slots of values, which all choices and walks share, after theirs.

    Attributes:
        copies, site_names, options: Copies, name and slots of every site.
        capacity, slot_names: Size (-1: no limit) and name of every slot.
        values: Number of values of every choice and walk.
    """

    def __init__(self) -> None:
        self.copies: list[int] = []
        self.site_names: list[SiteName] = []
        self.options: list[Sequence[int]] = []
        self.capacity: list[int] = []
        self.slot_names: list[HolderName] = []
        self.values: dict[str, int] = {}
        self.value_slots = range(0)

    def slot(self, variable: str, holder: str, capacity: int) -> int:
        """One more slot; returns its number."""
        self.slot_names.append((variable, holder))
        self.capacity.append(capacity)
        return len(self.capacity) - 1

    def site(self, variable: str, item: str, copies: int, slots: Sequence[int]) -> int:
        """One more site, which may be in these slots; returns its number."""
        self.site_names.append((variable, item))
        self.copies.append(copies)
        self.options.append(slots)
        return len(self.copies) - 1

    def hold(self, deal: Deal) -> dict[str, list[int]]:
        """Slots of a deal's holders; returns those that each item may be in.

        A holder with counted categories becomes a slot for each, and one for the rest.
        """
        slots_of_item: dict[str, list[int]] = {item: [] for item in deal.items}
        for holder, size in deal.holders.items():
            counts = deal.counts.get(holder, {})
            groups = [(deal.categories[category], number) for category, number in counts.items()]
            counted = {item for members, _ in groups for item in members}
            rest = size - sum(counts.values())
            if rest > 0 or not counts:
                groups.append((tuple(item for item in deal.items if item not in counted), rest))
            for members, number in groups:
                slot = self.slot(deal.name, holder, number)
                for item in members:
                    slots_of_item[item].append(slot)
        return slots_of_item

    def deal(self, deal: Deal, slots_of_item: Mapping[str, Sequence[int]]) -> None:
        """Sites of a deal's items, those that are known apart from the others."""
        for item, rest in deal.items.items():
            slots = slots_of_item[item]
            for holder, contents in deal.known.items():
                taken = contents.get(item, 0)
                if taken:
                    name = deal.name, holder
                    here = [slot for slot in slots if self.slot_names[slot] == name]
                    self.site(deal.name, item, taken, here)
                    rest -= taken
            if rest:
                self.site(deal.name, item, rest, slots)

    def count_values(self, variables: Sequence[Choice | Walk]) -> None:
        """The slots of values, when all deals are there."""
        for variable in variables:
            values = variable.options if isinstance(variable, Choice) else variable.positions
            self.values[variable.name] = len(values)
        most = max(self.values.values(), default=0)
        self.value_slots = range(len(self.capacity), len(self.capacity) + most)
        self.slot_names += [VALUE_SLOT] * most
        self.capacity += [-1] * most

    def single(self, variable: Choice | Walk) -> tuple[int, range]:
        """A variable that has one of its values, each a slot; returns its site and slots."""
        name, item = variable.name, variable.name if isinstance(variable, Choice) else "0"
        slots = self.value_slots[: self.values[name]]
        return self.site(name, item, 1, slots), slots


def declare(variables: Sequence[Variable]) -> Problem:
    """The problem of a declaration, without evidence.

    Raises:
        DeclarationError: There are too many places, or nothing can be dealt as declared.
    """
    places = _Places()
    held_in = {each.name: places.hold(each) for each in variables if isinstance(each, Deal)}
    held = len(places.capacity)
    places.count_values([each for each in variables if not isinstance(each, Deal)])
    single: list[tuple[Choice | Walk, int, range]] = []
    for variable in variables:
        if isinstance(variable, Deal):
            places.deal(variable, held_in[variable.name])
        else:
            single.append((variable, *places.single(variable)))
    walks = [variable for variable in variables if isinstance(variable, Walk)]
    count = len(places.capacity)
    if held > MOST_PLACES:
        raise DeclarationError(
            f"the holders of a model have at most {MOST_PLACES} places",
            value=held,
            hint="a holder has one place, and one more for each category that is counted; "
            "values of a Choice do not count",
        )
    if len(places.copies) * count > MOST_CELLS:
        raise DeclarationError(
            f"items and choices times holders and values are at most {MOST_CELLS:,}",
            value=len(places.copies) * count,
            hint="declare what does not hang together in models of their own",
        )
    allowed = np.zeros((len(places.copies), count), dtype=np.int8)
    for site, slots in enumerate(places.options):
        allowed[site, slots] = 1
    layout = make_layout(
        np.array(places.copies, dtype=np.int64),
        np.array(places.capacity, dtype=np.int64),
        allowed,
        tuple(places.site_names),
        tuple(places.slot_names),
        places.values,
    )
    factors: list[Factor] = []
    # Choices come first, as the evidence on them may.
    for variable, site, slots in sorted(single, key=lambda each: isinstance(each[0], Walk)):
        if isinstance(variable, Choice) and variable.given is not None:
            continue
        prior = _prior(variable)
        if isinstance(variable, Walk) or len(set(prior)) > 1:
            delta = np.zeros((1, layout.slot_count), dtype=np.int64)
            delta[0, slots] = np.arange(len(slots))
            additive = Additive(np.array([site], dtype=np.int64), delta, len(slots))
            key = variable.value() if isinstance(variable, Choice) else None
            factors.append((key, additive, np.array(prior)))
    factors += [prior_factor(choice, layout) for choice in _dependent(variables)]
    problem = Problem.empty(layout).with_factors(factors)
    problem = problem.anew(log_norm=_log_norm(problem, variables))
    if len(walks) == 1 and len(single) == len(variables):
        return begin_walk(problem, walks[0].name)
    return problem


def _dependent(variables: Sequence[Variable]) -> list[Choice]:
    """The choices whose prior depends on another variable."""
    return [
        variable
        for variable in variables
        if isinstance(variable, Choice) and variable.given is not None
    ]


def _prior(variable: Choice | Walk) -> tuple[float, ...]:
    return variable.prior if isinstance(variable, Choice) else variable.start


def prior_graph(problem: Problem) -> Any:
    """The exact solution of a declaration without evidence."""
    if problem.walk_problem is not None:
        from ..engines.walks.forward_filter import filtered

        return filtered(problem)
    from ..engines.partial_deals.graph import build

    graph = problem.layout.cache.get("prior")
    if graph is None and problem.layout.place_count > MOST_PLACES:
        from .wide_prior import wide_prior

        graph = problem.layout.cache["prior"] = wide_prior(problem)
    if graph is None:
        graph = build(problem)
        if graph is None:
            from ..engines.symmetry.interchangeable import dealt_by_kinds

            graph = dealt_by_kinds(problem)
        if graph is None and problem.layout.values:
            from .wide_prior import wide_prior

            graph = wide_prior(problem)
        if graph is None:
            raise CostError("the declaration is too large to be dealt from exactly")
        problem.layout.cache["prior"] = graph
    return graph


def _prior_log_weight(problem: Problem) -> float:
    """Log of the weight of all deals of a declaration without evidence."""
    from ..engines.base import EngineOptions
    from ..engines.enumeration import ENGINE, FEW_WORLDS, most_worlds

    if problem.walk_problem is None and most_worlds(problem.layout) <= FEW_WORLDS:
        return ENGINE.solve(problem, EngineOptions()).log_weight  # without a kernel to compile
    return prior_graph(problem).log_weight


def _log_norm(problem: Problem, variables: Sequence[Variable]) -> float:
    plain = all(
        isinstance(variable, (Choice, Walk)) or not variable.counts for variable in variables
    )
    if plain:
        # Priors of choices sum to one, those that depend on others for each of their values; those
        # that were left out as constant do not. Tables may have been scaled, which the problem
        # remembers.
        result = problem.log_norm
        for variable in variables:
            if isinstance(variable, Deal):
                # Known items lie where they lie; the others are dealt to the places that are left.
                known = {h: sum(variable.known.get(h, {}).values()) for h in variable.holders}
                sizes = [size - known[holder] for holder, size in variable.holders.items()]
                result += log_multinomial(sum(sizes), sizes)
            elif isinstance(variable, Walk) or variable.given is not None:
                continue
            elif len(set(variable.prior)) == 1:
                result += math.log(len(variable.options))
        return result
    log_weight = _prior_log_weight(problem)
    if log_weight == -math.inf:
        deals = [variable.name for variable in variables if isinstance(variable, Deal)]
        raise DeclarationError(
            "nothing can be dealt as declared: sizes, counts and known items exclude each other",
            value=", ".join(deals),
        )
    return log_weight
