"""The choice of the engine: the one that was named, or the cheapest exact one that can answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from ...data.errors import CostError, UnsupportedError
from ..arrays.problem import Problem
from . import APPROXIMATE, EXACT, cost_of, engine, is_wide
from .apart import ProblemPart, SolutionInParts, parts_of
from .base import PLANNING, Cost, Engine, EngineOptions, Solution, Unsupported, refuse_draw

#: Engines that `auto` asks only where none of the others is affordable.
LATER: Final = ("symmetry", "junction_tree", "exact_cover")
#: Engines that it asks first. It follows a deal from its first move on; pgmpy is a cross-check,
#: slower than all others.
AUTOMATIC: Final = tuple(name for name in EXACT if name not in ("pgmpy", "deal_filter", *LATER))


def choose(
    problem: Problem, method: str, *, approximate: bool, options: EngineOptions
) -> tuple[Engine, Solution]:
    """The engine for a problem, and its solution.

    Raises:
        UnsupportedError: A named engine cannot solve this problem.
        CostError: It would cost too much; the message names what is left.
    """
    if method != "auto":
        chosen = engine(method)
        cost = cost_of(chosen, problem)
        if isinstance(cost, Unsupported):
            parts = parts_for(chosen, problem, options)
            if parts is not None:
                solutions = [chosen.solve(part.problem, options) for part in parts]
                return chosen, SolutionInParts(problem, parts, solutions)
            raise UnsupportedError(f"{chosen.name} cannot solve this: {cost.reason}")
        if chosen.exact and cost.operations > options.limit and not cost.bound:
            raise CostError(
                f"{chosen.name} cannot be afforded: {cost.in_words}",
                hint=f"take method='auto'; the limit is {options.limit:.1e} steps",
            )
        return chosen, _solved(chosen, problem, options)
    first = _obvious(problem)
    if first is not None:
        cost = cost_of(engine(first), problem)
        if isinstance(cost, Cost) and cost.operations <= options.limit:
            return engine(first), engine(first).solve(problem, options)
    reasons: list[str] = []
    beyond: list[tuple[float, str]] = []
    first_names = _first(problem)
    for names in (first_names, [name for name in LATER if name not in first_names]):
        within: list[tuple[float, str]] = []
        for name in names:
            if name == "junction_tree" and min(within, default=(math.inf,))[0] < PLANNING:
                continue  # its plan alone takes longer
            cost = cost_of(engine(name), problem)
            if isinstance(cost, Unsupported):
                reasons.append(f"{name}: {cost.reason}")
            elif cost.operations <= options.limit:
                within.append((cost.operations, name))
            elif cost.bound:
                # What may be tried beyond the limit comes after all that keeps it.
                beyond.append((cost.operations, name))
            else:
                reasons.append(f"{name}: {cost.in_words}")
        for _, name in sorted(within):
            try:
                return engine(name), engine(name).solve(problem, options)
            except CostError as error:
                reasons.append(f"{name}: {error.message}")
    for _, name in sorted(beyond):
        try:
            return engine(name), engine(name).solve(problem, options)
        except CostError as error:
            reasons.append(f"{name}: {error.message}")
    if approximate:
        for name in ("particles", "metropolis"):
            chosen = engine(name)
            if isinstance(cost_of(chosen, problem), Cost):
                return chosen, _solved(chosen, problem, options)
    able = [name for name in APPROXIMATE if isinstance(cost_of(engine(name), problem), Cost)]
    raise CostError(
        f"no exact engine is affordable here ({'; '.join(grouped(reasons))})",
        hint="allow an approximation with approximate=True, or choose one as method=: "
        + ", ".join(able)
        if able
        else "observe what leaves fewer worlds together with the rest, or declare fewer values",
    )


def grouped(reasons: Sequence[str]) -> list[str]:
    """Reasons such as ``"pgmpy: it takes fewer"``, each told once with all engines it holds for."""
    engines: dict[str, list[str]] = {}
    for reason in reasons:
        name, _, words = reason.partition(": ")
        engines.setdefault(words, []).append(name)
    return [f"{', '.join(names)}: {words}" for words, names in engines.items()]


def parts_for(
    chosen: Engine, problem: Problem, options: EngineOptions
) -> Sequence[ProblemPart] | None:
    """The parts in which an exact engine takes a problem that is too wide as a whole.

    Args:
        chosen: The engine.
        problem: Of more values than it has columns for.
        options: What it may cost.

    Returns:
        None where it takes it in no way.
    """
    if not (chosen.exact and is_wide(problem)):
        return None
    parts = parts_of(problem)
    costs = [cost_of(chosen, part.problem) for part in parts]
    steps = sum(math.inf if isinstance(cost, Unsupported) else cost.operations for cost in costs)
    return None if steps > options.limit else parts


def _obvious(problem: Problem) -> str | None:
    """The engine for what others cannot do, or only slowly; to ask those takes long as well."""
    if problem.contents is not None:
        return "deal_filter"
    if problem.walk_problem is not None:
        # Nothing is cheaper than to follow the walk, and to ask the others takes all its tables.
        return "forward_filter"
    return "junction_tree" if is_wide(problem) and not problem.layout.has_deals else None


def _first(problem: Problem) -> tuple[str, ...]:
    """The engines that are asked first."""
    alone = not problem.layout.has_deals and problem.walk_problem is None
    return (*AUTOMATIC, "junction_tree") if alone else AUTOMATIC


def told(problem: Problem, taken: Engine, *, automatic: bool) -> str:
    """The engine that answers, and a line on each other exact engine: why it does not."""
    reasons: list[str] = []
    for name in EXACT:
        if name != taken.name:
            cost = cost_of(engine(name), problem)
            reason = cost.reason if isinstance(cost, Unsupported) else cost.in_words
            if name == "pgmpy" and isinstance(cost, Cost):
                reason = "it is slower, and answers where it is asked for by name"
            reasons.append(f"{name}: {reason}")
    manner = "exactly" if taken.exact else "by an approximation"
    words = "it was asked for by name"
    if automatic:
        words = "auto takes the cheapest exact method that it knows here"
    if automatic and not taken.exact:
        words = "no exact method is affordable, and approximate=True allows others"
    first = f"{taken.name} answers, {manner}: {words}."
    return "\n".join([first, *grouped(reasons)])


def _solved(chosen: Engine, problem: Problem, options: EngineOptions) -> Solution:
    if not chosen.exact:
        refuse_draw(options.samples, len(problem.layout.card_sites))
    return chosen.solve(problem, options)
