"""Observations that moved the belief in what is hidden, as an analysis says it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ....beliefs.explaining.shift import probability
from ....beliefs.explaining.table import Influence
from ....beliefs.language.features import Feature
from ....beliefs.posterior import Posterior
from ....data.errors import CostError, UnsupportedError

#: Observations that are named for each hidden thing.
MOST_NAMED: Final = 3
#: Hidden things whose observations are named.
MOST_THINGS: Final = 24
#: Most elementary steps of all posteriors that are computed for it together.
MOST_STEPS: Final = 2e9


@dataclass(frozen=True)
class MovedBy:
    """One observation and how far it moved the belief in one value.

    Attributes:
        text: The observation in words.
        in_order: Bits by which it moved the log odds when it was seen; infinite where it made the
            value certain.
        left_out: Bits by which they would fall back without it; infinite where the value would be
            open, None where that cannot be computed.
    """

    text: str
    in_order: float
    left_out: float | None

    def to_json(self) -> dict[str, object]:
        """As plain values; null for what is infinite or was not computed."""
        return {
            "text": self.text,
            "in_order_bits": finite(self.in_order),
            "left_out_bits": finite(self.left_out),
        }


@dataclass(frozen=True)
class BeliefShift:
    """The likeliest value of something hidden, and what moved the belief in it.

    Attributes:
        name, value: What it is.
        prior: Its probability before anything was observed.
        probability: Its probability in the end.
        by: The observations that moved it most when they were seen, most first.
    """

    name: str
    value: str
    prior: float
    probability: float
    by: tuple[MovedBy, ...]

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        return {
            "name": self.name,
            "value": self.value,
            "prior": self.prior,
            "probability": self.probability,
            "observations": [each.to_json() for each in self.by],
        }


def moved(
    posterior: Posterior,
    hidden: Mapping[str, Feature],
    value_name: Callable[[Feature, Any], str],
    unit_name: Callable[[str | int], str],
) -> tuple[BeliefShift, ...]:
    """The observations that moved the likeliest value of each hidden thing most.

    Nothing where the posterior is an estimate, whose log odds tell chance from observations
    badly, and where it would take too long.

    Args:
        posterior: What is known in the end.
        hidden: What is hidden, by name.
        value_name: A value in words.
        unit_name: An observation in words.
    """
    features = dict([*hidden.items()][:MOST_THINGS])
    if not posterior.exact or not features or not _affordable(posterior):
        return ()
    values = {name: posterior.most_likely(feature)[0] for name, feature in features.items()}
    conditions = [features[name].equals(value) for name, (value, _) in values.items()]
    try:
        found: list[Influence] = posterior.influence(conditions)
    except (CostError, UnsupportedError):
        return ()
    return tuple(
        BeliefShift(
            name,
            value_name(features[name], value),
            probability(each.prior),
            share,
            tuple(
                MovedBy(unit_name(row.observation), row.in_order, row.left_out)
                for row in each.ranked[:MOST_NAMED]
            ),
        )
        for (name, (value, share)), each in zip(values.items(), found, strict=True)
        if each.ranked
    )


def _affordable(posterior: Posterior) -> bool:
    """True if two posteriors for each observation can be computed."""
    cost = posterior.engine.cost(posterior.problem)
    operations = getattr(cost, "operations", float("inf"))
    return 2 * len(posterior.evidence) * operations <= MOST_STEPS


def finite(value: float | None) -> float | None:
    """JSON has no NaN and no infinity."""
    return value if value is not None and math.isfinite(value) else None
