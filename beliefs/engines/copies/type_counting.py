"""Exact inference for identical copies: inclusion-exclusion over weighted counts.

For evidence on how many copies of one item are in one place, such as what a player says of cards
laid face down, the deals are never listed: see `kernels` for the counting. Its cost grows with the
number of items and of weighted cells, not with the number of deals, and hardly with that of splits.
"""

from __future__ import annotations

from dataclasses import dataclass

from ....data.errors import UnsupportedError
from ...arrays.problem import Problem
from ...arrays.scaling import MOST_PASSING_SPREAD
from ..base import Cost, EngineOptions, Unsupported
from .cells import CellProblem, cell_problem
from .counting import CellCounts, solved
from .states import MOST_STATES

#: What it takes at least.
KERNEL = 2_000.0


@dataclass(frozen=True)
class TypeCounting:
    """Count deals of identical copies by inclusion-exclusion over weighted cells."""

    name: str = "type_counting"
    exact: bool = True
    summary: str = "identical copies with evidence on counts of one item in one place: Cheat"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        found = _cells(problem)
        if isinstance(found, str):
            return Unsupported(found)
        steps = found.states * (1 + found.cells.where.shape[0])
        # Few of the states that are possible are ever reached.
        return Cost(operations=KERNEL + 50.0 * min(steps, MOST_STATES), bound=True)

    def solve(self, problem: Problem, options: EngineOptions) -> CellCounts:
        found = _cells(problem)
        if isinstance(found, str):
            raise UnsupportedError(f"type_counting cannot solve this: {found}")
        return solved(problem, found)


def _cells(problem: Problem) -> CellProblem | str:
    """The cells of a problem, or why it has none that can be counted."""
    layout = problem.layout
    if (layout.capacity < 0).any():
        return "it counts copies in a deal, and the model has a Choice or a Walk"
    if layout.distinct and len(layout.sites) == layout.site_count:
        return "it counts copies, and every item is there once"
    if problem.spread > MOST_PASSING_SPREAD:
        return "products of the weights leave the floats"
    found = problem.cache.get("cells")
    if found is None:
        found = problem.cache["cells"] = cell_problem(problem)
    return found


ENGINE = TypeCounting()
