"""A deal turned round: places take items instead of items places.

How many copies of each kind lie in each kind of place is a table with known sums of rows and
columns, so each side may be read first. The weight of a table is ``product of copies! over product
of cells!`` one way, and ``product of capacities! over product of cells!`` the other. Few items over
many places are cheap one way, many items over few places the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays.layout import Additive, Factor, Floats, Integers, make_layout
from ...arrays.problem import Problem
from ..base import Solution, Worlds


@dataclass(frozen=True, eq=False)
class Turned:
    """The solution of a problem by that of the turned one.

    Attributes:
        problem: What is solved.
        around: The same, `turned`.
        solution: The solution of that.
    """

    problem: Problem
    around: Problem
    solution: Solution

    @property
    def log_weight(self) -> float:
        """Log of the total weight; see `Solution`."""
        layout = self.problem.layout
        ways = sum(math.lgamma(copies + 1) for copies in layout.copies.tolist())
        ways -= sum(math.lgamma(size + 1) for size in layout.capacity.tolist())
        # Packing may have scaled the tables.
        scale = self.problem.log_norm - self.around.log_norm
        return self.solution.log_weight + scale + ways

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        return np.ascontiguousarray(self.solution.expected().T)

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,)."""
        return self.solution.joint(_turned(self.problem, feature))

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Worlds, shape (count, cards); copies of one site stand in the order of their slots."""
        sites = self.solution.draw(count, rng)
        layout = self.problem.layout
        places: Any = np.repeat(np.arange(layout.slot_count), layout.capacity)
        return places[np.argsort(sites, axis=1, kind="stable")]


def turned(problem: Problem) -> Problem:
    """The problem in which sites and slots are exchanged; all slots have a limit."""
    layout = problem.layout
    after = make_layout(
        layout.capacity,
        layout.copies,
        np.ascontiguousarray(layout.allowed.T),
        tuple(("", str(number)) for number in range(layout.slot_count)),
        tuple(("", str(number)) for number in range(layout.site_count)),
        {},
    )
    factors: list[Factor] = [
        (None, _turned(problem, additive), table) for additive, table in problem.factors()
    ]
    return Problem.empty(after, problem.log_norm).with_factors(factors)


def _turned(problem: Problem, feature: Additive) -> Additive:
    layout = problem.layout
    delta: Integers = np.zeros((layout.site_count, layout.slot_count), dtype=np.int64)
    delta[feature.sites] = feature.delta
    slots = np.flatnonzero(delta.any(axis=0))
    return Additive(slots, np.ascontiguousarray(delta.T[slots]), feature.size)
