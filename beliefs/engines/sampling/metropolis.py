"""Metropolis sampling: chains of deals that change by swaps, accepted by the evidence.

Works where nothing else does, for any number of cards and any evidence, as long as swaps can
reach all deals; several chains from unrelated starts show whether they did (R-hat). It has no
estimate of the probability of the evidence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....data.errors import SettingsError
from ...arrays.layout import number_type
from ...arrays.problem import Problem, has_walked
from .. import is_wide
from ..base import Cost, Diagnostics, EngineOptions, Unsupported, Worlds, card_sites
from ..sequential.filtering import start_worlds
from .cards import Cards, open_cards
from .convergence import effective_samples, split_rhat
from .sampled import ChainedWorlds, WeightedWorlds, card_name, nothing_left
from .starts import find_worlds
from .swaps import UNIFORMS, walk

#: Proposals between two kept deals, per card that can move.
SWEEPS = 6
#: Proposals per movable card that are thrown away at each of the burn-in's temperatures: weights
#: to the power given; zeros stay zeros.
BURN_IN = ((0.2, 100), (0.5, 100), (1.0, 200))
#: Proposals that are made at a time.
CHUNK = 200_000
#: A larger R-hat is reported as a failure to converge.
GOOD_RHAT = 1.05
#: Most sites whose chains are looked at closely, and stretches of each chain by which they are
#: chosen.
MOST_SITES = 200
STRETCHES = 20
#: Most places of a card, or values of a choice, that chains are judged by.
MOST_JUDGED = 256


def cost_of_chains(problem: Problem) -> Cost | Unsupported:
    """The cost of a problem to chains that change one thing at a time."""
    if has_walked(problem.layout):
        return Unsupported(
            "it changes one position of a walk at a time, which the steps before and after "
            "may forbid; take particles"
        )
    return Cost(operations=1e5 * float(problem.layout.copies.sum() + problem.factor_count))


def refuse_short_chains(options: EngineOptions) -> None:
    """Refuse chains that are too short to be judged.

    Raises:
        SettingsError: One would have fewer than four samples.
    """
    if options.chains < 1 or options.samples < 4 * options.chains:
        raise SettingsError(
            "every chain needs at least 4 samples", value=(options.samples, options.chains)
        )


@dataclass(frozen=True)
class Metropolis:
    """Chains of valid swaps."""

    name: str = "metropolis"
    exact: bool = False
    summary: str = "any declaration, any evidence; R-hat over chains tells whether to believe it"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        return cost_of_chains(problem)

    def solve(self, problem: Problem, options: EngineOptions) -> WeightedWorlds:
        """Worlds of equal weight, the chains one after the other.

        Raises:
            CostError: No deal was found that fits all hard evidence.
        """
        refuse_short_chains(options)
        cards = open_cards(problem)
        if cards.impossible:
            return nothing_left(problem)
        rng = np.random.default_rng([options.seed, 3])
        find = start_worlds if is_wide(problem) else find_worlds
        starts = find(cards, options.chains, rng)
        if starts is None:
            return nothing_left(problem)
        draws = math.ceil(options.samples / options.chains)
        acceptance = 0.0
        kind = number_type(problem.layout.slot_count)
        chains: Any = np.zeros((options.chains, draws, cards.count), dtype=kind)
        for chain, stream in enumerate(rng.spawn(options.chains)):
            acceptance += run_chain(cards, starts[chain], stream, chains[chain])
        worlds: Any = chains.reshape(-1, cards.count)
        weights: Any = np.full(worlds.shape[0], 1.0 / worlds.shape[0])
        return ChainedWorlds(
            problem,
            worlds,
            weights,
            math.nan,
            diagnose(problem, chains, acceptance / options.chains),
            chains=options.chains,
        )


def run_chain(cards: Cards, start: Worlds, rng: np.random.Generator, kept: Worlds) -> float:
    """Run one chain; returns its rate of acceptance after burn-in.

    Args:
        start: A deal of positive weight, shape (cards,).
        kept: Its deals, shape (draws, cards); written.
    """
    kept[:] = start
    movable = cards.movable.shape[0]
    if movable == 0:
        return 1.0
    slot = start.astype(np.int64)
    factors = cards.problem.factor_count
    every = SWEEPS * movable
    unkept = np.zeros((1, cards.count), dtype=kept.dtype)
    for power, sweeps in BURN_IN:
        uniform = rng.random((sweeps * movable, UNIFORMS))
        walk(slot, cards.moves, power * cards.log_table, factors, uniform, len(uniform), unkept)
    accepted = 0
    step = max(1, CHUNK // every)
    for first in range(0, kept.shape[0], step):
        part = kept[first : first + step]
        uniform = rng.random((part.shape[0] * every, UNIFORMS))
        accepted += walk(slot, cards.moves, cards.log_table, factors, uniform, every, part)
    return accepted / (every * kept.shape[0])


def diagnose(problem: Problem, chains: Worlds, acceptance: float) -> Diagnostics:
    """R-hat and effective samples of the worst count of a site in a slot that varies.

    Args:
        problem: What was sampled.
        chains: Slot of every card, shape (chains, draws, cards).
        acceptance: Share of accepted proposals.
    """
    worst, fewest, known_worst = 1.0, float(chains.shape[0] * chains.shape[1]), ""
    slots = problem.layout.slot_count
    sites = card_sites(problem)
    for site in _suspects(problem, chains):
        mine = chains[:, :, sites == site]
        if mine.shape[2] == 0 or (mine == mine[0, 0]).all():
            continue
        places = np.arange(slots, dtype=chains.dtype)
        if slots > MOST_JUDGED:
            # Of very many values those that are met most often are judged.
            met = np.bincount(mine.ravel(), minlength=slots)
            places = np.sort(np.argsort(-met, kind="stable")[:MOST_JUDGED]).astype(chains.dtype)
        counts = (mine[..., None] == places).sum(axis=2)
        varies = (counts != counts[0, 0]).any(axis=(0, 1))
        values = counts[:, :, varies].astype(np.float64)
        if values.shape[2]:
            # Of an odd number of draws the last is left out: what varies in it alone says nothing.
            rhats, samples = split_rhat(values), effective_samples(values)
            worst = max([worst, *rhats[~np.isnan(rhats)].tolist()])
            least = min(samples[~np.isnan(samples)].tolist(), default=fewest)
            if least < fewest:
                fewest, known_worst = (
                    least,
                    card_name(problem.layout, int(np.argmax(sites == site))),
                )
    notes = ["no estimate of the log evidence: Metropolis does not give one"]
    if worst > GOOD_RHAT:
        notes.append(f"the chains disagree (R-hat {worst:.3f}): take more samples")
    return Diagnostics(
        effective_samples=fewest,
        effective_for=known_worst,
        rhat=worst,
        acceptance=acceptance,
        converged=worst <= GOOD_RHAT,
        notes=tuple(notes),
    )


def _suspects(problem: Problem, chains: Worlds) -> Sequence[int]:
    """The sites to look at: all of them, or of very many those whose means differ most by time.

    How much means over stretches of the chains vary, beside what they would if draws were
    independent, is found for all sites in one go.
    """
    count = problem.layout.site_count
    if count <= MOST_SITES or not problem.layout.distinct:
        return range(count)
    length = max(chains.shape[1] // STRETCHES, 1)
    used = chains[:, : chains.shape[1] // length * length]
    stretches = used.reshape(-1, length, count)
    worst = np.zeros(count)
    for slot in range(problem.layout.slot_count):
        means = (stretches == slot).mean(axis=1)
        share = means.mean(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            found = length * means.var(axis=0) / (share * (1.0 - share))
        worst = np.fmax(worst, found)
    return np.argsort(-worst, kind="stable")[:MOST_SITES].tolist()


ENGINE = Metropolis()
