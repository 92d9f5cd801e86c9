"""Rejection sampling: deal as declared, keep a world as often as its evidence is likely.

The simplest method there is, and the yardstick for all others: it needs no tuning and its worlds
are independent and exact. But the share it keeps is the probability of the evidence, so it gives
up, rather than guess, where evidence is strong.
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
from .cards import declared_cards, open_cards
from .proposals import declared_proposal
from .sampled import WeightedWorlds, nothing_left

#: Most worlds that are drawn for each one that is wanted.
DRAWS_PER_SAMPLE = 100
#: Worlds that are drawn at a time.
BATCH = 50_000
#: Most numbers that these are made of, where there are many cards.
MOST_NUMBERS = 20_000_000


@dataclass(frozen=True)
class Rejection:
    """Draw from the declaration, accept in proportion to the evidence."""

    name: str = "rejection"
    exact: bool = False
    summary: str = "independent worlds by trial and error; for weak evidence, and to check others"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        return Cost(operations=1e6 * float(problem.layout.copies.sum() + problem.factor_count))

    def solve(self, problem: Problem, options: EngineOptions) -> WeightedWorlds:
        """Worlds of equal weight, at most ``options.samples``.

        Raises:
            CostError: Not one world was accepted within 100 draws for each one wanted.
        """
        if open_cards(problem).impossible:
            return nothing_left(problem)
        cards = declared_cards(problem)
        if is_wide(problem):
            source = drawing(problem, cards, evidence=False)
            if source.log_constant == -math.inf:
                return nothing_left(problem)
            return _accepted(problem, source.draw, source.log_bound, source.log_constant, options)
        proposal = declared_proposal(problem, cards)
        left = cards.ordered(np.flatnonzero(proposal.used == 0))
        starts = left.problem.table_start
        bound = sum(conditional.log_largest for conditional in proposal.conditionals) + sum(
            float(left.log_table[starts[factor] : starts[factor + 1]].max())
            for factor in range(left.problem.factor_count)
        )

        def draw(count: int, rng: np.random.Generator) -> tuple[Worlds, Floats]:
            worlds, own = proposal.draw(count, rng)
            return worlds, own + left.log_weights(worlds)

        return _accepted(problem, draw, bound, proposal.log_total, options)


def _accepted(
    problem: Problem,
    draw: Callable[[int, np.random.Generator], tuple[Worlds, Floats]],
    bound: float,
    log_total: float,
    options: EngineOptions,
) -> WeightedWorlds:
    """Worlds that were kept of those that were drawn.

    Args:
        problem: What is drawn.
        draw: Worlds, and the log weight of each.
        bound: The most that it can be.
        log_total: Log of what all weights must be multiplied by.
        options: How many, and the seed.
    """
    rng = np.random.default_rng([options.seed, 1])
    budget = DRAWS_PER_SAMPLE * options.samples
    batch = min(BATCH, max(MOST_NUMBERS // max(problem.layout.card_sites.shape[0], 1), 100))
    kept: list[Worlds] = []
    accepted = drawn = 0
    total = 0.0
    while accepted < options.samples and drawn < budget:
        count = min(batch, budget - drawn, max(1_000, 2 * options.samples))
        worlds, log_weights = draw(count, rng)
        weights = np.exp(log_weights - bound)
        fits = np.flatnonzero(rng.random(count) < weights)
        if accepted + fits.shape[0] > options.samples:
            # The draws after the last wanted world were never made.
            fits = fits[: options.samples - accepted]
            weights = weights[: int(fits[-1]) + 1]
        drawn += weights.shape[0]
        accepted += fits.shape[0]
        kept.append(worlds[fits])
        total += float(weights.sum())
    if accepted == 0:
        raise CostError(
            f"rejection drew {drawn:,} worlds and the evidence fitted none of them",
            hint="take method='particles' or 'metropolis', or an exact one",
        )
    notes = ()
    if accepted < options.samples:
        notes = (f"only {accepted:,} of {drawn:,} drawn worlds fitted the evidence",)
    return WeightedWorlds(
        problem,
        np.concatenate(kept),
        np.full(accepted, 1.0 / accepted),
        log_total + bound + math.log(total / drawn),
        Diagnostics(effective_samples=float(accepted), acceptance=accepted / drawn, notes=notes),
    )


ENGINE = Rejection()
