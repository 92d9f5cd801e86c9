"""`infer`: from a model and evidence to a posterior, by the method that fits."""

from __future__ import annotations

from collections.abc import Iterable

from ..data.errors import DeclarationError
from .engines.base import EngineOptions
from .modelling.history import Observation
from .modelling.model import Model
from .posterior import Posterior, PosteriorRequest


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
        given: Evidence, conditions (asserted), predictions and moves, in order; or a mapping from
            names of choices to the values that they were seen to have.
        method: An engine's name, or ``"auto"``: the cheapest exact one that supports the
            declaration. The posterior's ``method`` says which it was.
        approximate: Whether ``auto`` may fall back to an approximation.
        samples: Worlds of approximate engines.
        seed: Seed of approximate engines.
        chains: Chains of `metropolis` and `gibbs`.
        limit: Most elementary steps an exact engine may take.

    Raises:
        CostError: No exact engine is affordable, and approximations were not allowed.
        ContradictionError: The evidence cannot all be true.
        EvidenceError: A piece of evidence does not fit the model.
        SettingsError: The method is unknown, or an option has an impossible value.

    >>> from sleuth import Deal, Model, infer
    >>> cards = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 1, "table": 1})
    >>> belief = infer(Model(cards), [cards.holds("me", "ace", because="my card")])
    >>> belief.marginal(cards.holder_of("king")), belief.method
    ({'you': 0.5, 'table': 0.5}, 'card_by_card')
    >>> infer(Model(cards), method="rejection", samples=1_000, seed=1)
    <Posterior by rejection, approximate, 0 observations>
    """
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise DeclarationError(
            "infer needs a model", value=model, hint="write infer(Model(variable, ...), given=...)"
        )
    options = EngineOptions(samples=samples, seed=seed, chains=chains, limit=limit)
    return Posterior.given(model, given, PosteriorRequest(method, approximate, options))
