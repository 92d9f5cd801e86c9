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

from ..problem import MOST_PLACES, Floats, Integers, Problem
from ..transitions import Transition
from .base import Diagnostics
from .chain import Chain, chain_of
from .filtering import bridged, drawn_entries, pulled
from .sampled import WeightedWorlds, kish, shares, systematic

#: Below this share of effective particles they are resampled and moved.
RESAMPLE = 0.5
#: Sweeps over a path in one round of moves.
SWEEPS = 2


@dataclass(frozen=True, eq=False)
class WeightedPaths(WeightedWorlds):
    """Weighted worlds of a walk.

    Attributes:
        log_evidence: Estimated natural log of the probability (or weight) of all evidence.
    """

    log_evidence: float = math.nan


def follow(problem: Problem, count: int, rng: np.random.Generator) -> WeightedPaths:
    """Weighted paths of a walk, ``count`` of them."""
    assert problem.trail is not None
    chain = chain_of(problem.trail)
    masses = _reachable(chain)
    if not masses[0].any():
        none: Any = np.zeros((0, problem.layout.site_count), dtype=np.int8)
        return WeightedPaths(
            problem, none, np.zeros(0), -math.inf, Diagnostics(), log_evidence=-math.inf
        )
    swarm = Swarm(chain, masses, count, rng)
    for step in range(chain.now):
        swarm.step(step)
    log_evidence = swarm.log_total - problem.trail.log_norm
    notes = (f"paths were resampled and drawn anew {swarm.moved} times",) if swarm.moved else ()
    diagnostics = Diagnostics(
        effective_samples=kish(swarm.weights), rejuvenated=swarm.moved, notes=notes
    )
    return WeightedPaths(
        problem,
        swarm.worlds(problem),
        swarm.weights,
        swarm.log_total,
        diagnostics,
        log_evidence=log_evidence,
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
                table = _table(chain, step, value)
                open_rows = (masses[-1][value : value + 1] > 0.0).astype(np.float64)
                onward[value] = pulled(open_rows, table.starts, table.targets, table.weights)
            mass = np.where(onward > 0.0, mass, 0.0)
        masses.append(np.ascontiguousarray(mass))
    return masses[::-1]


def _table(chain: Chain, step: int, value: int) -> Transition:
    tables = chain.strides[step]
    return tables[value if len(tables) > 1 else 0]


class Swarm:
    """Particles on their way; changed in place.

    Attributes:
        paths: Place of the position after every number of steps so far, shape (particles, steps).
        values: Number of the values of all choices, shape (particles,).
        weights: Share of every particle.
        log_total: Log of the estimated total weight so far.
        moved: How often particles were resampled and moved.
    """

    def __init__(
        self, chain: Chain, masses: list[Floats], count: int, rng: np.random.Generator
    ) -> None:
        self.chain, self.masses, self.rng = chain, masses, rng
        first = masses[0]
        total = float(first.sum())
        both = rng.choice(first.size, size=count, p=first.ravel() / total)
        values, places = np.divmod(both, chain.positions)
        self.values: Integers = values.astype(np.int64)
        self.paths: Integers = places[:, None].astype(np.int64)
        self.weights: Floats = np.full(count, 1.0 / count)
        self.log_total = math.log(total) + sum(chain.scales)
        self.moved = 0

    def step(self, step: int) -> None:
        """Take a step with every particle, weigh them, and move them where few count."""
        chain, count = self.chain, self.weights.shape[0]
        here = self.paths[:, -1]
        ahead, following = np.zeros(count), np.zeros(count, dtype=np.int64)
        uniform = self._uniform()
        for value, chosen in self._groups():
            table = _table(chain, step, value)
            mass = self.masses[step + 1][value]
            onward = pulled(mass[None], table.starts, table.targets, table.weights)[0]
            ahead[chosen] = onward[here[chosen]]
            entries = drawn_entries(
                here[chosen], mass, table.starts, table.targets, table.weights, uniform[chosen]
            )
            following[chosen] = table.targets[entries]
        self.paths = np.concatenate([self.paths, following[:, None]], axis=1)
        with np.errstate(divide="ignore"):
            self.weights, log_mean = shares(np.log(self.weights) + np.log(ahead))
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
        chain, layout = self.chain, problem.layout
        wide = layout.slot_count > MOST_PLACES
        shape = (self.paths.shape[0], layout.site_count)
        worlds = np.zeros(shape, dtype=np.int16 if wide else np.int8)
        worlds[:, chain.choice_sites] = chain.choice_slots[self.values]
        worlds[:, list(chain.sites)] = chain.slots[self.paths]
        return worlds

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
            if last == 0:
                break
            uniform = self._uniform()
            for value, chosen in self._groups():
                self.paths[chosen, step] = self._anew(step, last, value, chosen, uniform[chosen])
        if self.chain.values > 1:
            self._choose()

    def _anew(self, step: int, last: int, value: int, chosen: Any, uniform: Floats) -> Integers:
        paths, mass = self.paths[chosen], self.masses[step][value]
        if step == 0:
            back = _table(self.chain, 0, value).reversed
            entries = drawn_entries(
                paths[:, 1], mass, back.starts, back.targets, back.weights, uniform
            )
            return back.targets[entries]
        table = _table(self.chain, step - 1, value)
        before = paths[:, step - 1]
        if step == last:
            entries = drawn_entries(
                before, mass, table.starts, table.targets, table.weights, uniform
            )
            return table.targets[entries]
        after = _table(self.chain, step, value)
        return bridged(
            before,
            paths[:, step + 1],
            mass,
            table.starts,
            table.targets,
            table.weights,
            after.starts,
            after.targets,
            after.weights,
            uniform,
        )

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
                    log[:, value] += np.log(_table(chain, step, value).lookup(before, after))
        chance = np.exp(log - log.max(axis=1, keepdims=True))
        total = chance.cumsum(axis=1)
        uniform: Floats = self.rng.random((count, 1)) * total[:, -1:]
        self.values = (total <= uniform).sum(axis=1).astype(np.int64)
