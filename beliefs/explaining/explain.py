"""Observations that make something certain, or contradict each other: irreducible sets.

Both are the same search: a smallest-in-the-sense-of-inclusion part of the evidence that leaves
no deal. QuickXplain (Junker, AAAI 2004) finds one with few checks, early events preferred.
Only zeros matter, so the checks use the support of every table.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ...data.errors import CostError, EvidenceError, UnsupportedError
from ..arrays.layout import Additive, Floats
from ..arrays.problem import MOST_PLACES, Problem
from ..arrays.transitions import Transition
from ..engines.base import EngineOptions
from ..engines.enumeration import ENGINE as ENUMERATION
from ..language.evidence import Evidence, Merge, Reveal, Split, WalkStep, unit_of
from ..language.features import Condition
from ..modelling.history import Step
from ..modelling.model import Model
from ..modelling.moves import apply_move, every_split

Unit = str | int

#: Most ways in which splits can take items out of parts, see `Checker`.
MOST_WAYS = 1_000


def explain(model: Model, history: Sequence[Step], condition: Condition) -> list[Unit] | None:
    """Observations that make a condition certain or impossible; None where it is neither.

    Args:
        model: What was declared.
        history: What was observed.
        condition: On the present layout.
    """
    checker = Checker(model, history)
    if not checker.possible(checker.units, ~condition):
        return checker.conflict(~condition)
    if not checker.possible(checker.units, condition):
        return checker.conflict(condition)
    return None


def conflict(model: Model, history: Sequence[Step]) -> list[Unit] | None:
    """Observations that cannot all be true; None where they can."""
    checker = Checker(model, history)
    # All of it may be too entangled to be looked at where parts of it are not.
    with contextlib.suppress(CostError, UnsupportedError):
        if checker.possible(checker.units, None):
            return None
    return checker.conflict(None)


class Checker:
    """A checker of parts of a history: they leave something possible, or nothing."""

    def __init__(self, model: Model, history: Sequence[Step]) -> None:
        self.model = model
        self.history = history
        self.moves = any(not isinstance(step, Evidence) for step in history)
        units: dict[Unit, None] = {}
        for step in history:
            if isinstance(step, (Reveal, WalkStep)) or (isinstance(step, Evidence) and step.hard):
                units[unit_of(step)] = None
        self.units: list[Unit] = list(units)
        if not self.moves:
            layout = model.layout
            self.factors: list[tuple[Unit, Additive, Floats]] = [
                (unit_of(step), step.feature.base.additive(layout), _support(step.base_table()))
                for step in history
                if isinstance(step, Evidence) and step.hard
            ]

    def possible(self, units: Sequence[Unit], condition: Condition | None) -> bool:
        """True if a deal is left under these observations and a condition."""
        if condition is not None and not any(condition.truth):
            return False
        for problem in self._problems(set(units)):
            if condition is not None:
                base = condition.base
                table = np.array(condition.truth, dtype=np.float64)[condition.of.project]
                problem = problem.with_factors([(None, base.additive(problem.layout), table)])
            if _possible(problem):
                return True
        return False

    def conflict(self, condition: Condition | None) -> list[Unit]:
        """An irreducible part of the observations that leaves nothing possible."""
        if not self.possible([], condition):
            return []
        found = self._search([], self.units, condition, fresh=False)
        place = {unit: number for number, unit in enumerate(self.units)}
        return sorted(found, key=lambda unit: place[unit])

    def _search(
        self, given: list[Unit], units: list[Unit], condition: Condition | None, *, fresh: bool
    ) -> list[Unit]:
        if fresh and not self.possible(given, condition):
            return []
        if len(units) <= 1:
            return units
        half = len(units) // 2
        first, second = units[:half], units[half:]
        late = self._search(given + first, second, condition, fresh=True)
        early = self._search(given + late, first, condition, fresh=bool(late))
        return early + late

    def _problems(self, wanted: set[Unit]) -> list[Problem]:
        """Problems that together have the deals that some observations leave.

        Mostly one. Without a reveal that was observed, a merged holder may have parts when it is
        split; then there is one problem for every way to take the items out of the parts.
        """
        if not self.moves:
            chosen: list[tuple[object, Additive, Floats]] = [
                (None, feature, table) for unit, feature, table in self.factors if unit in wanted
            ]
            return [self.model.problem.with_factors(chosen)]
        problems = [self.model.problem]
        for step in self.history:
            if isinstance(step, Split):
                problems = [after for before in problems for after in every_split(before, step)]
                if len(problems) > MOST_WAYS:
                    raise UnsupportedError("these moves are too entangled to be explained exactly")
            elif isinstance(step, Merge):
                problems = [apply_move(problem, step) for problem in problems]
            elif isinstance(step, WalkStep):
                # A step that was not observed leads anywhere.
                taken = step if unit_of(step) in wanted else anywhere(step)
                problems = [apply_move(problem, taken) for problem in problems]
            elif isinstance(step, Reveal):
                if unit_of(step) in wanted:
                    problems = [after for before in problems for after in _revealed(before, step)]
            elif step.hard and unit_of(step) in wanted:
                base = step.feature.base
                table = _support(step.base_table())
                problems = [
                    problem.with_factors([(None, base.additive(problem.layout), table)])
                    for problem in problems
                ]
        return problems


def _possible(problem: Problem) -> bool:
    """True if any deal is left."""
    if problem.walk_problem is not None:
        from ..engines.base import Unsupported
        from ..engines.walks.forward_filter import ENGINE, filtered

        if not isinstance(ENGINE.cost(problem), Unsupported):
            return filtered(problem).possible
    from ..engines.partial_deals.graph import build, narrow, within_memory

    if problem.layout.place_count > MOST_PLACES:
        # A graph of so many values is larger than the list, where there is one.
        with contextlib.suppress(CostError):
            return ENUMERATION.solve(problem, EngineOptions()).log_weight > -math.inf
    narrowed = narrow(problem)
    if narrowed.constant == -math.inf:
        return False
    try:
        with within_memory():
            graph = build(problem, narrowed=narrowed)
    except CostError:
        graph = None
    if graph is None:
        raise UnsupportedError("this evidence is too entangled to be explained exactly")
    return graph.log_weight > -math.inf


def anywhere(step: WalkStep) -> WalkStep:
    """The step when nobody saw where it led: every position follows every position."""
    size = step.transitions[0].positions
    return replace(step, transitions=(_complete(size),), choice=None, options=())


@lru_cache(maxsize=4)
def _complete(size: int) -> Transition:
    """Every position follows every position."""
    places = np.arange(size)
    return Transition(np.arange(size + 1) * size, np.tile(places, size), np.ones(size * size))


def _revealed(problem: Problem, move: Reveal) -> list[Problem]:
    """The problem after a reveal; none where the holder cannot have had that."""
    try:
        return [apply_move(problem, move)]
    except EvidenceError:
        return []


def _support(table: Floats) -> Floats:
    return (table > 0.0).astype(np.float64)
