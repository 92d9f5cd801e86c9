"""The log odds of conditions, observation by observation and with each of them left out.

Moves stay: items go where they went, whatever anybody saw. What was seen is what can be left out:
evidence, what a reveal showed, and where a step of a walk led (one that was not seen leads
anywhere, as in `explain`). So the condition means the same in every row of the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import Any, Protocol

from ...data.errors import CostError, EvidenceError, UnsupportedError
from ..language.evidence import Evidence, Merge, Split, WalkStep, unit_of
from ..language.features import Condition
from ..modelling.history import Step
from .explain import Unit, anywhere
from .shift import Shift
from .table import Influence

#: Probabilities below this are asked for as evidence: they may be less than floats can hold.
LEAST = 1e-280
#: Most positions of a walk whose steps are left out: one that leads anywhere is a full table.
MOST_POSITIONS = 2_000


class Belief(Protocol):
    """A `Posterior`, as far as it is asked here."""

    @property
    def history(self) -> tuple[Step, ...]: ...
    @property
    def exact(self) -> bool: ...
    @property
    def log_evidence(self) -> float: ...
    def distribution(self, feature: Condition) -> Any: ...
    def observe(self, *given: Any) -> Belief: ...


#: The posterior of other observations, on the same model and by the same method.
Solve = Callable[[Sequence[Any]], Belief]


def influences(posterior: Belief, conditions: Sequence[Condition], solve: Solve) -> list[Influence]:
    """The effect of every observation on the belief in each of these conditions.

    Args:
        posterior: All that was seen.
        conditions: Asked together, since each answer needs other posteriors than this one.
        solve: Makes those.

    Raises:
        CostError, UnsupportedError: The belief before everything was seen cannot be computed.
        EvidenceError: Something asked is no condition, or is not about this model.
    """
    # A text is a sequence, too; what was asked is all of it.
    for condition in [conditions] if isinstance(conditions, str) else conditions:
        if not isinstance(condition, Condition):
            raise EvidenceError(
                "the influence on a condition is asked for",
                value=condition,
                hint="write feature.equals(value)",
            )
    said = _said(posterior.history)
    in_order = _in_order(posterior.history, [*said], conditions, solve)
    end = log_odds(posterior, conditions)
    without = [_left_out(posterior.history, unit, conditions, solve) for unit in said]
    return [
        Influence(
            condition=condition.describe(),
            prior=in_order[0][place],
            end=end[place],
            rows=tuple(
                Shift(
                    observation=unit,
                    because=because,
                    before=in_order[row][place],
                    after=in_order[row + 1][place],
                    without=None if (left := without[row]) is None else left[place],
                    end=end[place],
                )
                for row, (unit, because) in enumerate(said.items())
            ),
            exact=posterior.exact,
        )
        for place, condition in enumerate(conditions)
    ]


def log_odds(posterior: Belief, conditions: Sequence[Condition]) -> list[float]:
    """Log odds of conditions in bits; infinite where they are certain or impossible."""
    found: list[float] = []
    for condition in conditions:
        no, yes = posterior.distribution(condition).tolist()
        if posterior.exact and 0.0 < min(yes, no) < LEAST:
            both = posterior.observe(condition), posterior.observe(~condition)
            found.append((both[0].log_evidence - both[1].log_evidence) / math.log(2.0))
        elif yes > 0.0 and no > 0.0:
            found.append(math.log2(yes) - math.log2(no))
        else:
            found.append(math.inf if yes > 0.0 else -math.inf)
    return found


def _said(history: Sequence[Step]) -> dict[Unit, str]:
    """The observations in the order in which they were first seen, each with its words."""
    words: dict[Unit, dict[str, None]] = {}
    for step in history:
        if isinstance(step, (Split, Merge)):
            continue
        said = words.setdefault(unit_of(step), {})
        if step.because:
            said[step.because] = None
    return {unit: "; ".join(said) for unit, said in words.items()}


def _in_order(
    history: Sequence[Step], units: Sequence[Unit], conditions: Sequence[Condition], solve: Solve
) -> list[list[float]]:
    """Log odds before everything, and after each observation."""
    if all(isinstance(step, Evidence) for step in history):
        # Nothing comes and goes: each posterior goes on from the one before.
        belief = solve(())
        found = [log_odds(belief, conditions)]
        for unit in units:
            belief = belief.observe([step for step in history if unit_of(step) == unit])
            found.append(log_odds(belief, conditions))
        return found
    return [
        log_odds(solve(_seen(history, {*units[:count]})), conditions)
        for count in range(len(units) + 1)
    ]


def _left_out(
    history: Sequence[Step], unit: Unit, conditions: Sequence[Condition], solve: Solve
) -> list[float] | None:
    """Log odds without one observation; None where they cannot be computed."""
    # Predictions that are set against counting get their baseline anew, as in `retract`.
    fresh = [
        replace(step.prediction, id=step.id)
        if isinstance(step, Evidence) and step.prediction is not None
        else step
        for step in history
    ]
    kept = {unit_of(step) for step in history if not isinstance(step, (Split, Merge))} - {unit}
    try:
        return log_odds(solve(_seen(fresh, kept)), conditions)
    except (CostError, UnsupportedError, EvidenceError):
        return None


def _seen(history: Sequence[Any], seen: Set[Unit]) -> list[Any]:
    """The history when only these observations were made."""
    steps: list[Any] = []
    for step in history:
        if isinstance(step, (Split, Merge)) or unit_of(step) in seen:
            steps.append(step)
        elif isinstance(step, WalkStep):
            if (size := step.transitions[0].positions) > MOST_POSITIONS:
                raise UnsupportedError(
                    f"a walk over more than {MOST_POSITIONS:,} positions cannot have its steps "
                    "left out",
                    value=size,
                )
            steps.append(anywhere(step))
    return steps
