"""Exact inference for any number of choices that hang together loosely, by a junction tree.

Variables that evidence has fixed are cut out, an elimination order makes cliques
(`elimination`), and two passes between them give all marginals (`passing`). What nothing
ties together are trees of their own, so 64 coins cost 64 times one coin. A deal beside the
choices is one table on those that its evidence mentions (`parts`).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...arrays.problem import Problem
from ..base import PLANNING, Cost, EngineOptions, Unsupported
from .lazy import LazyJunctionSolution
from .parts import MOST_CASES
from .plan import MOST_ENTRIES, plan, refuse_wide, too_wide
from .solution import JunctionSolution, solved

#: Numbers in the tables of all cliques above which a question sees only what can matter to it.
LARGE = 1e7
#: Steps for each number in a table.
STEPS = 5.0


@dataclass(frozen=True)
class JunctionTreeEngine:
    """Choices in cliques."""

    name: str = "junction_tree"
    exact: bool = True
    summary: str = "many choices that hang together loosely, with small deals beside them"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        layout = problem.layout
        if not layout.values:
            return Unsupported("it is for choices, and the model has only deals")
        made = plan(problem)
        if made.cases > MOST_CASES:
            return Unsupported(
                f"deals depend on choices in {made.cases:,} ways, of which it takes {MOST_CASES:,}"
            )
        elimination = made.elimination
        if elimination.entries > LARGE:
            elimination = made.first.elimination
        if elimination.entries > MOST_ENTRIES:
            return Cost(
                operations=max(1e30, elimination.entries),
                bytes=16.0 * elimination.entries,
                reason=too_wide(elimination),
            )
        return Cost(
            operations=PLANNING * (1 + made.cases) + STEPS * elimination.entries,
            bytes=16.0 * elimination.entries,
        )

    def solve(
        self, problem: Problem, options: EngineOptions
    ) -> JunctionSolution | LazyJunctionSolution:
        made = plan(problem)
        if made.elimination.entries <= LARGE:
            return solved(made, options)
        refuse_wide(made.first.elimination)
        return LazyJunctionSolution(made, options, solved(made.first, options))


ENGINE = JunctionTreeEngine()
