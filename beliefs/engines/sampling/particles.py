"""A particle filter over the evidence: weigh, resample, and move particles by valid swaps.

Evidence is taken one piece after the other. Where the weights become uneven the particles are
resampled and moved by Metropolis swaps that keep all evidence so far (resample-move, Gilks and
Berzuini, 2001). Where hardly a particle fits the next piece, it is brought in by degrees, at a
rate that keeps half of the particles effective (sequential Monte Carlo samplers, Del Moral et
al., 2006). Should that fail too, particles start again from deals found by search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ....data.errors import CostError, SettingsError
from ...arrays.problem import MOST_PLACES, Floats, Integers, Problem
from .. import is_wide
from ..base import Cost, Diagnostics, EngineOptions, Unsupported, Worlds
from ..sequential.drawing import drawing
from ..sequential.filtering import filtered
from ..walks.chain import obstacle
from .cards import Cards, open_cards
from .proposals import Proposal, informed_proposal
from .sampled import WeightedWorlds, kish, nothing_left, shares, systematic, worth
from .starts import find_worlds
from .swaps import UNIFORMS, walk_all

#: Below this share of effective particles they are resampled and moved.
RESAMPLE = 0.5
#: Below this share of effective particles a factor is brought in by degrees.
TOO_FEW = 0.1
#: Proposals per movable card in one round of moves.
SWEEPS = 3
#: Rounds go on until particles have forgotten where they were, up to a correlation, or this many.
CORRELATION = 0.3
MOST_ROUNDS = 6
#: Degrees of a factor: a deal that is d cards away from fitting weighs exp(-degree * d).
LAST_DEGREE = 30.0
MOST_DEGREES = 60
#: Deals found by search from which particles start again, and rounds of moves they then take.
STARTS = 16
START_ROUNDS = 20
#: Uniform numbers that are made at a time.
CHUNK = 2_000_000


@dataclass(frozen=True)
class Particles:
    """Sequential Monte Carlo with rejuvenation."""

    name: str = "particles"
    exact: bool = False
    summary: str = "evidence of any strength, piece by piece; also estimates the log evidence"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        layout = problem.layout
        if problem.walk_problem is not None:
            reason = obstacle(problem.walk_problem)
            if reason is None:
                return Cost(operations=1e5 * float(layout.site_count))
            if layout.place_count > MOST_PLACES:
                return Unsupported(reason)
        return Cost(operations=1e5 * float(problem.layout.copies.sum() + problem.factor_count))

    def solve(self, problem: Problem, options: EngineOptions) -> WeightedWorlds:
        """Weighted worlds, ``options.samples`` of them.

        Raises:
            CostError: The particles were lost, and search found no deal that fits all hard
                evidence, but did not prove that there is none either.
        """
        if options.samples < 2:
            raise SettingsError("particles need at least 2 samples", value=options.samples)
        rng = np.random.default_rng([options.seed, 4])
        if problem.walk_problem is not None and obstacle(problem.walk_problem) is None:
            from ..walks.path_particles import follow

            return follow(problem, options.samples, rng)
        cards = open_cards(problem)
        if cards.impossible:
            return nothing_left(problem)
        if is_wide(problem):
            source = drawing(problem, cards, evidence=True)
            if source.log_constant == -math.inf:
                return nothing_left(problem)
            return filtered(source, options.samples, rng)
        population = _begin(problem, cards, options.samples, rng)
        if population is None or not population.observe_all():
            return nothing_left(problem)
        population.look_further()
        return population.solution(problem)


def _begin(
    problem: Problem, cards: Cards, count: int, rng: np.random.Generator
) -> Population | None:
    """Particles under the simple evidence alone; None for a contradiction."""
    try:
        proposal = informed_proposal(problem, cards)
    except CostError:
        # Too large to be dealt exactly: begin at deals found by search, without an estimate.
        population = Population(cards, 0, np.zeros((count, cards.count), dtype=np.int8), rng)
        return population if population.restart(0) else None
    if proposal.log_total == -math.inf:
        return None
    first, rest = np.flatnonzero(proposal.used), np.flatnonzero(proposal.used == 0)
    worlds, own = proposal.draw(count, rng)
    population = Population(cards.ordered(np.concatenate([first, rest])), len(first), worlds, rng)
    population.proposal = proposal
    population.log_weight = proposal.log_total
    if not population.reweigh(own) and not population.restart(len(first)):
        return None
    return population


@dataclass(eq=False)
class Population:
    """The particles while evidence comes in; changed in place.

    Attributes:
        cards: What is moved about; factors stand in the order in which they are taken in.
        active: How many factors have been taken in.
        worlds: Slot of every card, shape (particles, cards).
        rng: Source of randomness.
        weights: Share of every particle.
        log_weight: Log of the total weight under the factors so far; NaN once it is lost.
        variance: Variance of a mean over equally weighted particles, relative to one draw.
        moved: How often particles were moved because too few were left.
        proposals, accepted: Of all moves.
        notes: What happened that a reader should know.
        proposal: What they were drawn from; None where they began at deals found by search.
    """

    cards: Cards
    active: int
    worlds: Worlds
    rng: np.random.Generator
    weights: Floats = field(init=False)
    log_weight: float = 0.0
    variance: float = field(init=False)
    moved: int = 0
    proposals: int = 0
    accepted: int = 0
    notes: list[str] = field(default_factory=list[str])
    proposal: Proposal | None = None

    def __post_init__(self) -> None:
        self.weights = np.full(self.count, 1.0 / self.count)
        self.variance = 1.0 / self.count

    @property
    def count(self) -> int:
        return self.worlds.shape[0]

    def observe_all(self) -> bool:
        """Take in the factors that are left; whether any deal is."""
        for factor in range(self.active, self.cards.problem.factor_count):
            if not self.observe(factor):
                return False
        return True

    def observe(self, factor: int) -> bool:
        """Take in the next factor; whether any deal is left."""
        likelihood = self.cards.log_weights(self.worlds, factor, factor + 1)
        if self._share_after(likelihood) >= TOO_FEW:
            self.active = factor + 1
            self.reweigh(likelihood)
            if kish(self.weights) < RESAMPLE * self.count:
                self.moved += 1
                self.rejuvenate(self.cards.log_table)
            return True
        fitting = int(((likelihood > -math.inf) & (self.weights > 0.0)).sum())
        self.notes.append(
            f"a piece of evidence fitted {fitting:,} of {self.count:,} particles: it was brought "
            "in by degrees"
        )
        if self._bring_in(factor):
            return True
        return self.restart(factor + 1)

    def look_further(self) -> None:
        """Move the particles once more where the evidence may fit others far better."""
        proposal = self.proposal
        if proposal is None or math.isnan(self.log_weight):
            return
        first = int(proposal.used.sum())
        left = self.cards.ordered(np.arange(first, self.cards.problem.factor_count))
        log_mean = self.log_weight - proposal.log_total
        unseen = proposal.unseen(left, self.worlds, log_mean, self.count)
        if unseen is not None:
            self.moved += 1
            self.rejuvenate(self.cards.log_table)
            self.notes.append(f"{unseen}, and the log evidence may be too low")

    def reweigh(self, likelihood: Floats) -> bool:
        """Multiply the weights; whether any is left (else nothing changes)."""
        with np.errstate(divide="ignore"):
            after, log_mean = shares(np.log(self.weights) + likelihood)
        if log_mean == -math.inf:
            return False
        self.weights = after
        self.log_weight += log_mean + math.log(self.count)
        return True

    def rejuvenate(self, log_table: Floats, rounds: int = 0) -> None:
        """Resample, then move until the particles have forgotten where they were.

        Args:
            log_table: Log weights of the active factors.
            rounds: That many rounds of moves instead.
        """
        variance = self.variance * self.count / self._worth[0] + 1.0 / self.count
        self.worlds = self.worlds[systematic(self.weights, self.rng)]
        self.weights = np.full(self.count, 1.0 / self.count)
        before, weighed = self.worlds.copy(), self.cards.log_weights(self.worlds, 0, self.active)
        correlation = 1.0
        for done in range(1, max(rounds, MOST_ROUNDS) + 1):
            self._move(log_table)
            if done >= rounds:
                after = self.cards.log_weights(self.worlds, 0, self.active)
                correlation = max(_correlation(before, self.worlds), _likeness(weighed, after))
                if rounds or correlation <= CORRELATION:
                    break
        kept = correlation**2
        self.variance = min(kept * variance + (1.0 - kept) / self.count, 1.0)

    def restart(self, active: int) -> bool:
        """Begin again at deals found by search under the first factors; whether there is any."""
        wanted = self.cards.ordered([*range(active)])
        found = find_worlds(wanted, min(STARTS, self.count), self.rng)
        if found is None:
            return False
        self.active = active
        self.moved += 1
        self.notes.append(
            "no particle was left: all began again at deals found by search, so there is no "
            "estimate of the log evidence"
        )
        self.worlds = found[np.arange(self.count) % found.shape[0]].copy()
        self.weights = np.full(self.count, 1.0 / self.count)
        self.variance = 1.0 / found.shape[0]
        self.log_weight = math.nan
        self.rejuvenate(self.cards.log_table, START_ROUNDS)
        return True

    def solution(self, problem: Problem) -> WeightedWorlds:
        """The particles as an answer."""
        notes = list(self.notes)
        if self.moved:
            notes.append(f"particles were moved by swaps {self.moved} times")
        effective, worst = self._worth
        inflation = self.variance * self.count
        diagnostics = Diagnostics(
            effective_samples=float(np.clip(effective / inflation, 1.0, self.count)),
            effective_for=worst,
            acceptance=self.accepted / self.proposals if self.proposals else None,
            rejuvenated=self.moved,
            notes=tuple(notes),
        )
        return WeightedWorlds(
            problem, self.worlds, self.weights, self.log_weight, diagnostics, inflation
        )

    @property
    def _worth(self) -> tuple[float, str]:
        """Equal weights that the particles' are worth, and for which card."""
        return worth(self.cards.problem.layout, self.worlds, self.weights)

    def _share_after(self, likelihood: Floats) -> float:
        """Share of effective particles, were they weighed by this."""
        with np.errstate(divide="ignore"):
            after, log_mean = shares(np.log(self.weights) + likelihood)
        return 0.0 if log_mean == -math.inf else kish(after) / self.count

    def _bring_in(self, factor: int) -> bool:
        """Take a factor in by degrees; whether particles are left at the end."""
        start, stop = self.cards.problem.table_start[factor : factor + 2]
        hard = self.cards.log_table[start:stop]
        far = self.cards.distances[start:stop].astype(np.float64)
        floor = float(hard[hard > -math.inf].min())
        table = self.cards.log_table.copy()
        softened = np.where(hard > -math.inf, hard, floor)
        index = self.cards.index(self.worlds, factor)
        degree = 0.0
        table[start:stop] = 0.0
        self.active = factor + 1
        for _ in range(MOST_DEGREES):
            following = self._next_degree(softened, far, index, degree)
            self.reweigh(
                _softened(softened, far, following)[index] - _softened(softened, far, degree)[index]
            )
            degree = following
            table[start:stop] = _softened(softened, far, degree)
            self.moved += 1
            self.rejuvenate(table)
            index = self.cards.index(self.worlds, factor)
            last_step = hard[index] - table[start:stop][index]
            if self._share_after(last_step) >= TOO_FEW or degree >= LAST_DEGREE:
                if not self.reweigh(last_step):
                    break
                self.moved += 1
                self.rejuvenate(self.cards.log_table)
                return True
        return False

    def _next_degree(self, softened: Floats, far: Floats, index: Integers, degree: float) -> float:
        """The largest degree at which half of the particles stay effective."""
        current = _softened(softened, far, degree)[index]
        low, high = degree, LAST_DEGREE
        if self._share_after(_softened(softened, far, high)[index] - current) >= RESAMPLE:
            return high
        for _ in range(20):
            middle = 0.5 * (low + high)
            if self._share_after(_softened(softened, far, middle)[index] - current) >= RESAMPLE:
                low = middle
            else:
                high = middle
        # Always a little further, even where no degree keeps half of them.
        return max(low, degree + 1e-3)

    def _move(self, log_table: Floats) -> None:
        """One round of swaps of every particle."""
        movable = self.cards.movable.shape[0]
        if movable == 0:
            return
        steps = SWEEPS * movable
        size = max(1, CHUNK // (steps * UNIFORMS))
        for first in range(0, self.count, size):
            part = self.worlds[first : first + size]
            uniform = self.rng.random((part.shape[0], steps, UNIFORMS))
            self.accepted += walk_all(part, self.cards.moves, log_table, self.active, uniform)
            self.proposals += part.shape[0] * steps


def _softened(softened: Floats, far: Floats, degree: float) -> Floats:
    """Log weights of a factor at a degree; from degree 1 on the possible ones are as they are."""
    return min(degree, 1.0) * softened - degree * far


def _correlation(before: Worlds, after: Worlds) -> float:
    """The particles' memory: the largest correlation of a card's place over a move.

    Cards that hardly vary are left out, since a few particles would decide.
    """
    count, cards = before.shape
    least = max(0.02, 10.0 / count)
    largest = 0.0
    for card in range(cards):
        old, new = before[:, card], after[:, card]
        slots = int(max(old.max(), new.max())) + 1
        share = np.bincount(old, minlength=slots) / count
        share_after = np.bincount(new, minlength=slots) / count
        spread = 1.0 - float((share * share).sum())
        if spread > least:
            joint = float((old == new).mean()) - float((share * share_after).sum())
            largest = max(largest, joint / spread)
    return min(largest, 1.0)


def _likeness(before: Floats, after: Floats) -> float:
    """The same for how well the evidence fits: few particles that fit it far better hardly move."""
    if not (np.isfinite(before).all() and np.isfinite(after).all()):
        return 0.0
    first, second = before - before.mean(), after - after.mean()
    size = math.sqrt(float((first * first).sum()) * float((second * second).sum()))
    return max(float((first * second).sum()) / size, 0.0) if size > 0.0 else 0.0


ENGINE = Particles()
