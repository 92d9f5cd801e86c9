"""Likelihood weighting: draw worlds that know the simple evidence, weigh them by the rest.

Where cards can be, and evidence on a single card or choice, is taken into the draws exactly;
what joins several cards becomes a weight. It is unbiased for the probability of the evidence,
and good while most draws keep some weight: the effective sample size says how good.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ....data.errors import CostError
from ...arrays.problem import Floats, Problem
from .. import is_wide
from ..base import Cost, Diagnostics, EngineOptions, Unsupported, Worlds
from ..sequential.drawing import drawing
from .cards import open_cards
from .proposals import informed_proposal
from .sampled import WeightedWorlds, nothing_left, shares, worth

#: Below this share of effective samples the weights are said to be uneven.
UNEVEN = 0.01


@dataclass(frozen=True)
class LikelihoodWeighting:
    """Exact draws under simple evidence, weighted by all other evidence."""

    name: str = "likelihood_weighting"
    exact: bool = False
    summary: str = "weighted independent worlds; for networks, and evidence that is mostly soft"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        return Cost(operations=1e4 * float(problem.layout.copies.sum() + problem.factor_count))

    def solve(self, problem: Problem, options: EngineOptions) -> WeightedWorlds:
        """Worlds with weights; those of weight zero are dropped.

        Raises:
            CostError: Every world that was drawn has weight zero.
        """
        cards = open_cards(problem)
        if cards.impossible:
            return nothing_left(problem)
        rng = np.random.default_rng([options.seed, 2])
        if is_wide(problem):
            source = drawing(problem, cards, evidence=True)
            if source.log_constant == -math.inf:
                return nothing_left(problem)
            worlds, log_weights = source.draw(options.samples, rng)
            return _weighted(problem, worlds, log_weights, source.log_constant)
        proposal = informed_proposal(problem, cards)
        if proposal.log_total == -math.inf:
            return nothing_left(problem)
        left = cards.ordered(np.flatnonzero(proposal.used == 0))
        worlds, own = proposal.draw(options.samples, rng)
        log_weights = own + left.log_weights(worlds)

        def unseen(log_mean: float) -> str | None:
            return proposal.unseen(left, worlds, log_mean, options.samples)

        return _weighted(problem, worlds, log_weights, proposal.log_total, unseen)


def _weighted(
    problem: Problem,
    worlds: Worlds,
    log_weights: Floats,
    log_total: float,
    unseen: Callable[[float], str | None] = lambda _: None,
) -> WeightedWorlds:
    """The answer by worlds with log weights.

    Args:
        problem: What was drawn.
        worlds: Slot of every card, shape (worlds, cards).
        log_weights: Of every world.
        log_total: Log of what all weights must be multiplied by.
        unseen: The warning of worlds that were never drawn, by the log of the mean weight.
    """
    count = worlds.shape[0]
    weights, log_mean = shares(log_weights)
    if log_mean == -math.inf:
        raise CostError(
            f"likelihood weighting drew {count:,} worlds and the evidence fitted none of them",
            hint="take method='particles' or 'metropolis', an exact one, or more samples",
        )
    effective, worst = worth(problem.layout, worlds, weights)
    notes: list[str] = []
    if effective < UNEVEN * count:
        of = f" for {worst}" if worst else ""
        notes.append(f"{count:,} weighted worlds are worth only {effective:.0f}{of}")
    warning = unseen(log_mean)
    if warning is not None:
        notes.append(warning)
    fits = weights > 0.0
    return WeightedWorlds(
        problem,
        worlds[fits],
        weights[fits],
        log_total + log_mean,
        Diagnostics(
            effective_samples=effective,
            effective_for=worst,
            acceptance=float(fits.mean()),
            notes=tuple(notes),
        ),
    )


ENGINE = LikelihoodWeighting()
