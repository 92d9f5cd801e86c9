"""Observations that make something certain, or contradict each other: the fewest that do.

Both are the same search: a smallest part of the evidence that leaves no deal; see `shortest`. Only
zeros matter, so the checks use the support of every table.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ...data.errors import ContradictionError, CostError, EvidenceError, UnsupportedError
from ..arrays.layout import Factor, Floats
from ..arrays.problem import Narrowed, Problem
from ..arrays.transitions import Transition
from ..engines import cost_of, is_wide
from ..engines.base import Cost, EngineOptions, Unsupported
from ..engines.choosing import choose
from ..language.evidence import Evidence, Merge, Reveal, Split, WalkStep, unit_of
from ..language.features import Condition
from ..modelling.following import FEW_STATES, follow
from ..modelling.history import Step
from ..modelling.model import Model
from ..modelling.moves import apply_move, every_split
from .shortest import SubsetSearch, numbers_in

Unit = str | int

#: Most ways in which splits can take items out of parts, see `Checker`.
MOST_WAYS = 1_000
#: Steps after which no fewer observations are looked for; each takes about a nanosecond.
MOST_STEPS = 2e8
#: Steps of a check whatever it checks, and of each edge of its graph of partial deals.
STEPS_OF_CHECK = 2e5
STEPS_OF_EDGE = 100.0
#: Steps for each factor of what another engine has to check.
STEPS_OF_FACTOR = 1e5


class Explanation(list[Unit]):
    """Observations that together make something certain: a list, in the order they were made in.

    Attributes:
        shortest: Whether no fewer observations do; False where that took too long to find out.
            None of these can be left out, either way.
        since: The observation after which it was certain, whatever followed; None if it was from
            the start. It need not be one of these: less may be needed of what came later.

    >>> from sleuth import Deal, Model, infer
    >>> cards = Deal(["ace", "king", "ten"], holders={"me": 1, "you": 1, "table": 1})
    >>> said = [cards.lacks(who, "ace", because=f"{who} lacks it") for who in ("me", "table")]
    >>> belief = infer(Model(cards), [*said, cards.holds("you", "ace", because="you showed it")])
    >>> because = belief.explain(cards.holder_of("ace").equals("you"))
    >>> because, because.shortest, because.since
    (['you showed it'], True, 'table lacks it')
    """

    def __init__(
        self,
        observations: Iterable[Unit] = (),
        *,
        shortest: bool = True,
        since: Unit | None = None,
    ) -> None:
        super().__init__(observations)
        self.shortest = shortest
        self.since = since


def explain(
    model: Model, history: Sequence[Step], condition: Condition, *, fewest: bool = True
) -> Explanation | None:
    """Observations that make a condition certain or impossible; None where it is neither.

    Args:
        model: What was declared.
        history: What was observed.
        condition: On the present layout.
        fewest: Whether as few as can be are looked for.
    """
    checker = Checker(model, history)
    for contrary in (~condition, condition):
        if not checker.possible(checker.units, contrary):
            return checker.conflict(contrary, fewest=fewest)
    return None


def conflict(model: Model, history: Sequence[Step]) -> Explanation | None:
    """The fewest observations that cannot all be true; None where all can."""
    checker = Checker(model, history)
    # All of it may be too entangled to be looked at where parts of it are not.
    with contextlib.suppress(CostError, UnsupportedError):
        if checker.possible(checker.units, None):
            return None
    return checker.conflict(None)


class Checker:
    """A checker of parts of a history: they leave something possible, or nothing.

    Attributes:
        units: The observations that rule something out.
        steps: About how many steps all checks took so far.
    """

    def __init__(self, model: Model, history: Sequence[Step]) -> None:
        self.model = model
        self.history = history
        self.moves = any(not isinstance(step, Evidence) for step in history)
        units: dict[Unit, None] = {}
        for step in history:
            if isinstance(step, (Reveal, WalkStep)) or (isinstance(step, Evidence) and step.hard):
                units[unit_of(step)] = None
        self.units: list[Unit] = list(units)
        self.steps = 0.0
        self._largest = 0.0
        self.start = model.problem
        if self.moves and not model.walks:
            self.start = follow(model.problem, FEW_STATES) or model.problem
        if not self.moves:
            facts = [step for step in history if isinstance(step, Evidence) and step.hard]
            self.units_of_factors = [unit_of(fact) for fact in facts]
            self.factors: list[Factor] = [
                (None, fact.feature.base.additive(model.layout), _support(fact.base_table()))
                for fact in facts
            ]
            self.all = model.problem.with_factors(self.factors)

    def possible(self, units: Sequence[Unit], condition: Condition | None) -> bool:
        """True if a deal is left under these observations and a condition."""
        if condition is not None and not any(condition.truth):
            return False
        for problem in self._problems(set(units)):
            if condition is not None:
                base = condition.base
                table = np.array(condition.truth, dtype=np.float64)[condition.of.project]
                problem = problem.with_factors([(None, base.additive(problem.layout), table)])
            self.steps += STEPS_OF_CHECK
            possible, steps = _possible(problem)
            # Nothing is left of a graph that was built in vain: others say how large it was.
            self._largest = max(self._largest, steps)
            self.steps += steps if possible else self._largest
            if possible:
                return True
        return False

    def conflict(self, condition: Condition | None, *, fewest: bool = True) -> Explanation:
        """Observations that leave nothing possible."""

        def passes(some: int) -> bool:
            return self.possible([self.units[number] for number in numbers_in(some)], condition)

        search = SubsetSearch(passes, len(self.units), lambda: self.steps < MOST_STEPS)
        found = search.shortest() if fewest else search.irreducible()
        return Explanation(
            (self.units[number] for number in found.members),
            shortest=found.shortest,
            since=self.units[found.last] if found.members else None,
        )

    def _problems(self, wanted: set[Unit]) -> list[Problem]:
        """Problems that together have the deals that some observations leave.

        Mostly one. Without a reveal that was observed, a merged holder may have parts when it is
        split; then there is one problem for every way to take the items out of the parts.
        """
        if not self.moves:
            return [self._of_factors([unit in wanted for unit in self.units_of_factors])]
        if self.start.contents is not None:
            try:
                return self._after([self.start], wanted)
            except UnsupportedError:
                self.start = self.model.problem  # without what was seen there are too many states
        return self._after([self.start], wanted)

    def _after(self, problems: list[Problem], wanted: set[Unit]) -> list[Problem]:
        """The same problems, after all moves and some observations."""
        for step in self.history:
            if isinstance(step, Split) and problems and problems[0].contents is not None:
                problems = [apply_move(problem, step) for problem in problems]
            elif isinstance(step, Split):
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
            followed = (each.contents.held.size for each in problems if each.contents is not None)
            self.steps += sum(followed)
        return problems

    def _of_factors(self, wanted: Sequence[bool]) -> Problem:
        """The problem that has some of the factors."""
        start = self.model.problem
        if start.walk_problem is not None or is_wide(start):
            return start.with_factors([*itertools.compress(self.factors, wanted)])
        # They are packed once: a graph leaves out those that do not matter.
        problem = self.all.anew()
        alive = np.ones(problem.factor_count, dtype=np.int8)
        alive[start.factor_count :] = wanted
        problem.cache["start"] = Narrowed(problem.layout.allowed, alive, 0.0)
        return problem


def _possible(problem: Problem) -> tuple[bool, float]:
    """True if any deal is left, and about how many steps that took to find out."""
    if problem.contents is not None:
        states = problem.contents.log_weights.shape[0]
        return states > 0, float(states)
    if problem.walk_problem is not None:
        from ..engines.walks.forward_filter import ENGINE, filtered

        cost = ENGINE.cost(problem)
        if not isinstance(cost, Unsupported):
            return filtered(problem).possible, cost.operations
    # A graph of many places is larger than what other engines make.
    ways = (_by_engine, _by_graph) if is_wide(problem) else (_by_graph, _by_engine)
    for way in ways:
        with contextlib.suppress(CostError):
            found = way(problem)
            if found is not None:
                return found
    raise UnsupportedError("this evidence is too entangled to be explained exactly")


def _by_graph(problem: Problem) -> tuple[bool, float] | None:
    from ..engines.partial_deals.graph import build, narrow, within_memory

    narrowed = narrow(problem)
    if narrowed.constant == -math.inf:
        return False, 0.0
    with within_memory():
        graph = build(problem, narrowed=narrowed)
    if graph is None:
        return None
    return graph.log_weight > -math.inf, STEPS_OF_EDGE * graph.edges


def _by_engine(problem: Problem) -> tuple[bool, float]:
    try:
        chosen, solution = choose(problem, "auto", approximate=False, options=EngineOptions())
    except ContradictionError:
        return False, 0.0
    cost = cost_of(chosen, problem)
    steps = cost.operations if isinstance(cost, Cost) else 0.0
    return solution.log_weight > -math.inf, steps + STEPS_OF_FACTOR * problem.factor_count


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
