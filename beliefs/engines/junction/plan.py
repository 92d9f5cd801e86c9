"""The cost of a junction tree, before anything is multiplied."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from ....data.errors import CostError
from ...arrays.problem import Problem
from .elimination import HOPELESS, EliminationOrder, best_elimination
from .parts import ProblemParts, take_apart
from .relevance import relevant

#: Most numbers in the tables of all cliques: 2.4 GB as floats.
MOST_ENTRIES = 3e8


@dataclass(frozen=True, eq=False)
class JunctionPlan:
    """A problem taken apart, and the order in which it is solved.

    Attributes:
        parts: The problem taken apart.
        elimination: The order, and what it costs.
    """

    parts: ProblemParts
    elimination: EliminationOrder

    @cached_property
    def first(self) -> JunctionPlan:
        """The plan for what can matter to the evidence alone."""
        return planned(relevant(self.parts, ()))

    @property
    def cases(self) -> int:
        """The number of times that deals have to be solved."""
        sizes = self.parts.sizes
        return sum(
            math.prod(sizes[variable] for variable in deal.variables) for deal in self.parts.deals
        )


def plan(problem: Problem) -> JunctionPlan:
    """The plan for a problem, made once."""
    found = problem.cache.get("junction")
    if found is None:
        found = problem.cache["junction"] = planned(take_apart(problem))
    return found


def planned(parts: ProblemParts) -> JunctionPlan:
    """The plan for a problem that was taken apart."""
    scopes = [table.scope for table in parts.tables]
    scopes += [deal.variables for deal in parts.deals if deal.variables]
    return JunctionPlan(parts, best_elimination(parts.sizes, scopes))


def refuse_wide(elimination: EliminationOrder) -> None:
    """Refuse tables that would be too large.

    Raises:
        CostError: They would.
    """
    if elimination.entries > MOST_ENTRIES:
        raise CostError(
            f"junction_tree cannot be afforded: {too_wide(elimination)}",
            hint="observe a variable that many others hang on, ask about fewer, or take an "
            "approximate method such as 'loopy_bp' or 'likelihood_weighting'",
        )


def too_wide(elimination: EliminationOrder) -> str:
    """The width of an order, and what it costs, in words."""
    least = "at least " if elimination.entries > HOPELESS else ""
    return (
        f"its width is {least}{elimination.width}: up to {elimination.width + 1} choices hang "
        f"together, and a table of all their values has {elimination.largest:.1e} numbers "
        f"({elimination.entries:.1e} in all, {MOST_ENTRIES:.0e} at most)"
    )
