"""The choice of the engine: the one that was named, or the cheapest exact one that can answer."""

from __future__ import annotations

from typing import Final

from ...data.errors import CostError, UnsupportedError
from ..arrays.problem import Problem
from . import APPROXIMATE, EXACT, cost_of, engine
from .base import Cost, Engine, EngineOptions, Solution, Unsupported, refuse_draw

#: Engines that `auto` chooses among. It follows a deal from its first move on; pgmpy is a
#: cross-check, slower than all others.
AUTOMATIC: Final = tuple(name for name in EXACT if name not in ("pgmpy", "symmetry", "deal_filter"))
#: What is asked where none of these is affordable, before what may be tried beyond the limit.
LATER: Final = "symmetry"


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
            raise UnsupportedError(f"{chosen.name} cannot solve this: {cost.reason}")
        if chosen.exact and cost.operations > options.limit and not cost.bound:
            raise CostError(
                f"{chosen.name} cannot be afforded: {_steps(cost)}",
                hint=f"take method='auto'; the limit is {options.limit:.1e} steps",
            )
        return chosen, _solved(chosen, problem, options)
    if problem.contents is not None:
        chosen = engine("deal_filter")
        return chosen, chosen.solve(problem, options)
    if problem.walk_problem is not None:
        # Nothing is cheaper than to follow the walk, and to ask the others takes all its tables.
        chosen = engine("forward_filter")
        cost = chosen.cost(problem)
        if isinstance(cost, Cost) and cost.operations <= options.limit:
            return chosen, chosen.solve(problem, options)
    costs: list[tuple[bool, float, str]] = []
    reasons: list[str] = []
    for name in AUTOMATIC:
        cost = cost_of(engine(name), problem)
        if isinstance(cost, Cost):
            # What may be tried beyond the limit comes after all that keeps it.
            beyond = cost.operations > options.limit
            if beyond and not cost.bound:
                reasons.append(f"{name}: {_steps(cost)}")
            else:
                costs.append((beyond, cost.operations, name))
        else:
            reasons.append(f"{name}: {cost.reason}")
    within = [name for beyond, _, name in sorted(costs) if not beyond]
    for name in (*within, LATER, *(name for beyond, _, name in sorted(costs) if beyond)):
        if name == LATER:
            cost = cost_of(engine(name), problem)
            if isinstance(cost, Unsupported) or cost.operations > options.limit:
                reason = cost.reason if isinstance(cost, Unsupported) else _steps(cost)
                reasons.append(f"{name}: {reason}")
                continue
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
        "no exact engine is affordable here (" + "; ".join(reasons) + ")",
        hint="allow an approximation with approximate=True, or choose one as method=: "
        + ", ".join(able)
        if able
        else "observe what leaves fewer worlds together with the rest, or declare fewer values",
    )


def _solved(chosen: Engine, problem: Problem, options: EngineOptions) -> Solution:
    if not chosen.exact:
        refuse_draw(options.samples, len(problem.layout.card_sites))
    return chosen.solve(problem, options)


def _steps(cost: Cost) -> str:
    """A cost in words; engines that can only say "far too many" say 1e30."""
    if cost.reason:
        return cost.reason
    if cost.operations >= 1e30:
        return "it would take far too many steps"
    return f"it would take about {cost.operations:.1e} steps"
