"""Exact inference about placements that exclude each other: fleets, tilings, Latin squares, queens.

A choice is a piece and its values are where it can lie; what it covers is counted square by square.
The values are read along the board, not choice by choice: then few squares are both reached by what
lies already and open for what comes, and partial placements that leave the same squares are one
node of a decision diagram (see `diagram`). Of Battleship's 30,093,975,536 fleets there are some ten
million, before the first shot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....data.errors import CostError
from ...arrays.problem import Problem
from ..base import Cost, EngineOptions, Unsupported
from .options import bound_on_states, options_of
from .solution import MOST_EDGES, build
from .solution import Cover as Cover

#: Edges of a diagram that is built to see what it costs: a fraction of a second at most.
TRIAL_EDGES = 1 << 18
#: Most weights of factors, each as often as something touches it.
MOST_READ = 1e8
#: Elementary steps and bytes for each edge.
STEPS, BYTES = 50.0, 60.0


@dataclass(frozen=True)
class ExactCover:
    """A decision diagram along what choices cover."""

    name: str = "exact_cover"
    exact: bool = True
    summary: str = "choices that must not overlap, such as a fleet of ships or pieces of a puzzle"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        reason = _reason_against(problem)
        if reason:
            return Unsupported(reason)
        trial = _trial(problem)
        if trial is not None:
            return Cost(operations=1e5 + STEPS * trial.edges, bytes=BYTES * trial.edges)
        options = options_of(problem)
        edges = 0.0 if options is None else bound_on_states(options)
        edges = max(edges, float(TRIAL_EDGES))
        return Cost(
            operations=STEPS * edges, bytes=BYTES * min(edges, float(MOST_EDGES)), bound=True
        )

    def solve(self, problem: Problem, options: EngineOptions) -> Cover:
        return problem.cache.get("cover") or build(problem, most_edges=MOST_EDGES)

    def tried(self, problem: Problem) -> Cover | None:
        """The placements of a problem where they are quickly found; None where they are not."""
        return None if _reason_against(problem) else _trial(problem)


def _reason_against(problem: Problem) -> str:
    """Why a problem cannot be solved; nothing where it can."""
    layout = problem.layout
    if problem.walk_problem is not None:
        return "it places choices, and this model has a walk"
    if (layout.copies != 1).any() or (layout.capacity >= 0).any():
        return "it places choices, and this model has a deal"
    if not _covers(problem):
        return "no two of its choices exclude each other, as disjoint and exact_cover say"
    return ""


def _trial(problem: Problem) -> Cover | None:
    """The placements of a problem, found once; None where the diagram is large."""
    if "cover" not in problem.cache:
        try:
            problem.cache["cover"] = build(problem, most_edges=TRIAL_EDGES)
        except CostError:
            problem.cache["cover"] = None
    return problem.cache["cover"]


def _covers(problem: Problem) -> bool:
    """True if some factor counts what choices cover, and allows at most one; and none is large."""
    arrays = problem.arrays
    sizes, rows = np.diff(arrays.table_start), np.diff(arrays.start)
    if (sizes.astype(np.float64) * rows).sum() * problem.layout.slot_count > MOST_READ:
        return False
    return any(
        not arrays.table[arrays.table_start[factor] + 2 : arrays.table_start[factor + 1]].any()
        for factor in ((sizes > 2) & (rows > 1)).nonzero()[0]
    )


ENGINE = ExactCover()
