"""Particles that follow a `Walk`: whole paths, resampled and rejuvenated.

Every particle is a path with values of the choices. It takes the next step in proportion to the
step's weight and the evidence about where that leads (the locally optimal proposal of Doucet et
al., 2000), and never goes where hard evidence still to come cannot be met. Where weights become
uneven, particles are resampled and every position of a path, and its values, are drawn anew given
all others (resample-move, Gilks and Berzuini, 2001; Gibbs moves keep the target).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays.problem import Floats, Integers, Problem
from ..abilities import Weighing
from ..base import Diagnostics
from ..sampling.proposals import EXPLORING
from ..sampling.sampled import WeightedWorlds, kish, never_drawn, shares, systematic, worth
from .chain import Chain
from .filter_kernels import bridged, drawn, pulled
from .pushing import filtered_chain

#: Below this share of effective particles they are resampled and moved.
RESAMPLE = 0.5
#: Sweeps over a path in one round of moves.
SWEEPS = 2


@dataclass(frozen=True, eq=False)
class WeightedPaths(WeightedWorlds, Weighing):
    """Weighted worlds of a walk.

    Attributes:
        estimate: See `log_evidence`.
    """

    estimate: float = math.nan

    @property
    def log_evidence(self) -> float:
        """Estimated natural log of the probability (or weight) of all evidence."""
        return self.estimate


def follow(problem: Problem, count: int, rng: np.random.Generator) -> WeightedPaths:
    """Weighted paths of a walk, ``count`` of them."""
    assert problem.walk_problem is not None
    chain = filtered_chain(problem.walk_problem)
    masses = _reachable(chain)
    if not masses[0].any():
        none: Any = np.zeros((0, problem.layout.site_count), dtype=np.int8)
        return WeightedPaths(
            problem, none, np.zeros(0), -math.inf, Diagnostics(), estimate=-math.inf
        )
    swarm = Swarm(chain, masses, count, rng)
    for step in range(chain.now):
        swarm.step(step)
    log_evidence = swarm.log_total - problem.walk_problem.log_norm
    worlds = swarm.worlds(problem)
    notes: list[str] = []
    if swarm.moved:
        notes.append(f"paths were resampled and drawn anew {swarm.moved} times")
    elif (unseen := swarm.unseen()) is not None:
        notes.append(unseen)
    effective, worst = worth(problem.layout, worlds, swarm.weights)
    diagnostics = Diagnostics(
        effective_samples=effective,
        effective_for=worst,
        rejuvenated=swarm.moved,
        notes=tuple(notes),
    )
    return WeightedPaths(
        problem,
        worlds,
        swarm.weights,
        swarm.log_total,
        diagnostics,
        estimate=log_evidence,
    )


def _reachable(chain: Chain) -> list[Floats]:
    """Weight of the evidence by step, shape (values, positions), zero where later evidence
    cannot be met any more."""
    shape = (chain.values, chain.positions)
    masses: list[Floats] = []
    for step in range(chain.now, -1, -1):
        mass = np.broadcast_to(chain.weights[step], shape)
        if masses:
            onward = np.empty(shape)
            for value in range(chain.values):
                open_rows = (masses[-1][value : value + 1] > 0.0).astype(np.float64)
                onward[value] = pulled(open_rows, chain.table(step, value).rows)
            mass = np.where(onward > 0.0, mass, 0.0)
        masses.append(np.ascontiguousarray(mass))
    return masses[::-1]


class Swarm:
    """Particles on their way; changed in place.

    Attributes:
        paths: Place of the position after every number of steps so far, shape (particles, steps).
        values: Number of the values of all choices, shape (particles,).
        weights: Share of every particle.
        log_total: Log of the estimated total weight so far.
        log_begun: The same before the first step.
        log_fits, log_most: Log weight of the steps of every particle, and the most it could be.
        moved: How often particles were resampled and moved.
    """

    def __init__(
        self, chain: Chain, masses: list[Floats], count: int, rng: np.random.Generator
    ) -> None:
        self.chain, self.masses, self.rng = chain, masses, rng
        first = masses[0].ravel()
        total = float(first.sum())
        # What is rare may be what evidence that comes later picks.
        alike = (first > 0.0) / np.count_nonzero(first)
        chances = (1.0 - EXPLORING) * first / total + EXPLORING * alike
        both = rng.choice(first.size, size=count, p=chances / chances.sum())
        values, places = np.divmod(both, chain.positions)
        self.values: Integers = values.astype(np.int64)
        self.paths: Integers = places[:, None].astype(np.int64)
        with np.errstate(divide="ignore"):
            self.weights, log_mean = shares(np.log(first[both] / total) - np.log(chances[both]))
        self.log_total = math.log(total) + log_mean + sum(chain.scales)
        self.log_begun = self.log_total
        self.log_fits, self.log_most = np.zeros(count), 0.0
        self.moved = 0

    def unseen(self) -> str | None:
        """The warning of paths that were never drawn; None where they cannot matter."""
        log_mean = self.log_total - self.log_begun
        return never_drawn(
            self.log_most - log_mean, lambda: self.log_fits - self.log_most, len(self.values)
        )

    def step(self, step: int) -> None:
        """Take a step with every particle, weigh them, and move them where few count."""
        chain, count = self.chain, self.weights.shape[0]
        here = self.paths[:, -1]
        ahead, following, most = np.zeros(count), np.zeros(count, dtype=np.int64), 0.0
        uniform = self._uniform()
        for value, chosen in self._groups():
            rows = chain.table(step, value).rows
            mass = self.masses[step + 1][value]
            onward = pulled(mass[None], rows)[0]
            most = max(most, float(onward[self.masses[step][value] > 0.0].max(initial=0.0)))
            ahead[chosen] = onward[here[chosen]]
            following[chosen] = drawn(here[chosen], mass, rows, uniform[chosen])
        self.paths = np.concatenate([self.paths, following[:, None]], axis=1)
        with np.errstate(divide="ignore"):
            self.weights, log_mean = shares(np.log(self.weights) + np.log(ahead))
            self.log_fits += np.log(ahead)
        if most > 0.0:
            self.log_most += math.log(most)
        self.log_total += log_mean + math.log(count)
        if kish(self.weights) < RESAMPLE * count:
            rows = systematic(self.weights, self.rng)
            self.paths, self.values = self.paths[rows], self.values[rows]
            self.weights = np.full(count, 1.0 / count)
            self.moved += 1
            for _ in range(SWEEPS):
                self._sweep()

    def worlds(self, problem: Problem) -> Any:
        """The particles as worlds, shape (particles, sites)."""
        return self.chain.worlds(problem.layout, self.values, self.paths)

    def _uniform(self) -> Floats:
        """A number in [0, 1) for every particle."""
        return self.rng.random(len(self.values))

    def _groups(self) -> list[tuple[int, Any]]:
        """The particles by their values."""
        return [(int(value), self.values == value) for value in np.unique(self.values)]

    def _sweep(self) -> None:
        """Every position from the last to the first anew, then the values, given all the rest."""
        last = self.paths.shape[1] - 1
        for step in range(last, -1, -1):
            uniform = self._uniform()
            for value, chosen in self._groups():
                self.paths[chosen, step] = self._anew(step, last, value, chosen, uniform[chosen])
        if self.chain.values > 1:
            self._choose()

    def _anew(self, step: int, last: int, value: int, chosen: Any, uniform: Floats) -> Integers:
        chain, paths, mass = self.chain, self.paths[chosen], self.masses[step][value]
        if step == 0:
            return drawn(paths[:, 1], mass, chain.table(0, value).reversed.rows, uniform)
        before, rows = paths[:, step - 1], chain.table(step - 1, value).rows
        if step == last:
            return drawn(before, mass, rows, uniform)
        onward = chain.table(step, value).rows
        return bridged(before, paths[:, step + 1], mass, rows, onward, uniform)

    def _choose(self) -> None:
        """The values anew, given the path."""
        chain, count = self.chain, self.paths.shape[0]
        log = np.zeros((count, chain.values))
        with np.errstate(divide="ignore"):
            for step in range(self.paths.shape[1]):
                log += np.log(self.masses[step][:, self.paths[:, step]]).T
            for step in range(self.paths.shape[1] - 1):
                before, after = self.paths[:, step], self.paths[:, step + 1]
                for value in range(chain.values):
                    log[:, value] += np.log(chain.table(step, value).lookup(before, after))
        chance = np.exp(log - log.max(axis=1, keepdims=True))
        total = chance.cumsum(axis=1)
        uniform: Floats = self.rng.random((count, 1)) * total[:, -1:]
        self.values = (total <= uniform).sum(axis=1).astype(np.int64)
