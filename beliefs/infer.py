"""`infer`: from a model and evidence to a posterior, by the method that fits."""

from __future__ import annotations

from collections.abc import Iterable

from ..data.errors import CostError, DeclarationError, UnsupportedError
from .engines import APPROXIMATE, EXACT, cost_of, engine
from .engines.base import Cost, Engine, Options, Solution, Unsupported
from .evidence import Observation
from .features import Condition
from .history import History
from .model import Model
from .posterior import Posterior
from .problem import Problem

#: Engines that `auto` may take: pgmpy is a cross-check, slower than all others.
AUTOMATIC = tuple(name for name in EXACT if name != "pgmpy")


def infer(
    model: Model,
    given: Observation | Iterable[Observation] = (),
    *,
    method: str = "auto",
    approximate: bool = False,
    samples: int = 10_000,
    seed: int = 0,
    chains: int = 4,
    limit: float = 2e9,
) -> Posterior:
    """The posterior of a model, given evidence.

    Args:
        model: What is hidden.
        given: Evidence, conditions (asserted), predictions and moves, in order.
        method: An engine's name, or ``"auto"``: the cheapest exact one that supports the
            declaration. The posterior's ``method`` says which it was.
        approximate: Whether ``auto`` may fall back to an approximation.
        samples: Worlds of approximate engines.
        seed: Seed of approximate engines.
        chains: Chains of `metropolis`.
        limit: Most elementary steps an exact engine may take.

    Raises:
        CostError: No exact engine is affordable, and approximations were not allowed.
        ContradictionError: The evidence cannot all be true.
        EvidenceError: A piece of evidence does not fit the model.
        SettingsError: The method is unknown, or an option has an impossible value.
    """
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise DeclarationError(
            "infer needs a model", value=model, hint="write infer(Model(variable, ...), given=...)"
        )
    options = Options(samples=samples, seed=seed, chains=chains, limit=limit)

    def counting(history: History, condition: Condition) -> float:
        posterior = Posterior.of(
            history.counted(), method=method, approximate=approximate, options=options
        )
        return posterior.probability(condition)

    history = History.empty(model).extend([given], counting)
    return Posterior.of(history, method=method, approximate=approximate, options=options)


def choose(
    problem: Problem, method: str, *, approximate: bool, options: Options
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
        return chosen, chosen.solve(problem, options)
    if problem.trail is not None:
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
    for _, _, name in sorted(costs):
        try:
            return engine(name), engine(name).solve(problem, options)
        except CostError as error:
            reasons.append(f"{name}: {error.message}")
    if approximate:
        for name in ("particles", "metropolis"):
            chosen = engine(name)
            if isinstance(cost_of(chosen, problem), Cost):
                return chosen, chosen.solve(problem, options)
    raise CostError(
        "no exact engine is affordable here (" + "; ".join(reasons) + ")",
        hint="allow an approximation with approximate=True, or choose one as method=: "
        + ", ".join(APPROXIMATE),
    )


def _steps(cost: Cost) -> str:
    """A cost in words; engines that can only say "far too many" say 1e30."""
    if cost.reason:
        return cost.reason
    if cost.operations >= 1e30:
        return "it would take far too many steps"
    return f"it would take about {cost.operations:.1e} steps"
