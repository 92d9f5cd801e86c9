"""Exact inference for a `Walk`: a forward filter, a backward smoother, and paths drawn back.

The filter keeps, for every number of steps, the probability of (values of all choices, position)
given the evidence about that position and earlier ones. A step pushes it along the table; evidence
on the present position multiplies it. What is asked about the past is smoothed by the weight of
all that followed. Nothing is computed twice: an observation goes on from the filter before it.

Source: the forward-backward algorithm (Baum et al., 1970; Rabiner, 1989, equations 19-27), scaled
as in their section V.A; sampling of paths: forward filtering, backward sampling (Carter and Kohn,
1994).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ....data.errors import CostError, UnsupportedError
from ...arrays.problem import Additive, Floats, Integers, Problem
from ..abilities import Weighing
from ..base import EXACT, Cost, Diagnostics, EngineOptions, Unsupported
from .chain import Chain, Tables, fades, kept, moved, obstacle
from .filter_kernels import drawn, pulled
from .pushing import filtered_chain, pushed_chain

#: Most numbers that the joint of several positions keeps at a time.
MOST_NUMBERS = 20_000_000


@dataclass(frozen=True, eq=False)
class Filtered(Weighing):
    """The places of a walk at any time, and the values of the choices.

    Attributes:
        problem: What was solved.
        chain: Evidence and filter by the number of steps.
    """

    problem: Problem
    chain: Chain
    exact: bool = True
    diagnostics: Diagnostics = EXACT

    @property
    def possible(self) -> bool:
        """True if anything is left."""
        return self.chain.log_total > -math.inf

    @property
    def log_evidence(self) -> float:
        """Natural log of the probability (or weight) of all evidence."""
        walk_problem = self.problem.walk_problem
        assert walk_problem is not None
        return self.chain.log_total - walk_problem.log_norm

    @property
    def log_weight(self) -> float:
        """Log of the total weight of all paths; tables are not scaled here as arrays are."""
        return self.chain.log_total

    def expected(self) -> Floats:
        """Probability of every value of every choice and of every position, by site and slot."""
        layout = self.problem.layout
        result = np.zeros((layout.site_count, layout.slot_count))
        chain = self.chain
        for step, site in enumerate(chain.sites):
            result[site, chain.slots] = self.smoothed(step).sum(axis=0)
        shares = chain.filter[-1].sum(axis=1)
        for place, site in enumerate(chain.choice_sites):
            np.add.at(result[site], chain.choice_slots[:, place], shares)
        return result

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,).

        Raises:
            CostError: It is about so many steps at once that they are too many together.
        """
        chain = self.chain
        start, rows = chain.split(feature)
        if len(rows) <= 1:
            step, delta = rows[0] if rows else (chain.now, np.zeros(chain.positions, np.int64))
            index = start[:, None] + delta[None, :]
            mass = self.smoothed(step)
        else:
            index, mass = self._paths(start, rows)
        shares = np.bincount(index.ravel(), weights=mass.ravel(), minlength=feature.size)
        return shares.astype(np.float64)

    def draw(self, count: int, rng: np.random.Generator) -> Any:
        """Whole paths and values of choices, exactly; see `Solution.draw`."""
        chain, present = self.chain, self.chain.filter[-1]
        both = rng.choice(present.size, size=count, p=present.ravel() / present.sum())
        values, places = np.divmod(both, chain.positions)
        paths = np.zeros((count, chain.now + 1), dtype=np.int64)
        paths[:, -1] = places
        for step in range(chain.now - 1, -1, -1):
            uniform = rng.random(count)
            for value in np.unique(values).tolist():
                chosen = values == value
                paths[chosen, step] = drawn(
                    paths[chosen, step + 1],
                    chain.filter[step][value],
                    chain.table(step, value).reversed.rows,
                    uniform[chosen],
                )
        return chain.worlds(self.problem.layout, values, paths)

    # -- inside

    def smoothed(self, step: int) -> Floats:
        """Probability of (values of the choices, position after so many steps)."""
        if step == self.chain.now:
            return self.chain.filter[-1]
        if not self._later:
            return self._pushed.smoothed(step)
        shares, lost = kept(self.chain.filter[step], self._later[step])
        if lost and not self.chain.pushed:
            return self._pushed.smoothed(step)
        return shares / shares.sum()

    @cached_property
    def _later(self) -> list[Floats]:
        """Weight of all that follows a position, for every number of steps; scaled.

        Empty where it is too small for floats.
        """
        chain = self.chain
        later = np.ones_like(chain.filter[-1])
        result = [later]
        for step in range(chain.now - 1, -1, -1):
            onward, lost = kept(later, chain.weights[step + 1])
            if not chain.pushed and (lost or fades(onward, chain.strides[step])):
                return []
            later = _before(onward, chain.strides[step])
            later = later / later.max()
            result.append(later)
        return result[::-1]

    @cached_property
    def _pushed(self) -> Filtered:
        """The same answers, from a chain that loses nothing."""
        assert self.problem.walk_problem is not None
        return Filtered(self.problem, pushed_chain(self.problem.walk_problem))

    def _paths(
        self, start: Integers, rows: Sequence[tuple[int, Integers]]
    ) -> tuple[Integers, Floats]:
        """The joint of several steps: mass is pushed on for every index reached so far.

        Returns:
            Index and mass, of shapes that fit each other.
        """
        chain = self.chain
        if not self._later:
            return self._pushed._paths(start, rows)
        index = np.zeros(1, dtype=np.int64)
        mass = chain.filter[rows[0][0]][None]
        for (step, delta), (following, _) in pairwise(rows):
            index, place = np.unique(index[:, None] + delta, return_inverse=True)
            if index.shape[0] * mass[0].size > MOST_NUMBERS:
                raise CostError(
                    "these steps of a walk have too many values together",
                    hint="ask about fewer steps at once, or sample whole paths",
                )
            place = place.reshape(mass.shape[0], chain.positions)
            columns = np.broadcast_to(np.arange(chain.positions), place.shape)
            apart = np.zeros((index.shape[0], *mass.shape[1:]))
            apart[place, :, columns] = mass.transpose(0, 2, 1)
            mass = apart
            for later in range(step, following):
                faint = fades(mass, chain.strides[later])
                onward, lost = kept(moved(mass, chain.strides[later]), chain.weights[later + 1])
                if (faint or lost) and not chain.pushed:
                    return self._pushed._paths(start, rows)
                mass = onward / onward.sum()
        step, delta = rows[-1]
        mass, lost = kept(mass, self._later[step])
        if lost and not chain.pushed:
            return self._pushed._paths(start, rows)
        return index[:, None, None] + start[:, None] + delta, mass / mass.sum()


def _before(value: Floats, tables: Tables) -> Floats:
    """Weight of all that can follow, shape (values, positions), given that of what follows."""
    if len(tables) == 1:
        return pulled(value, tables[0].rows)
    return np.concatenate(
        [pulled(value[row : row + 1], table.rows) for row, table in enumerate(tables)]
    )


def filtered(problem: Problem) -> Filtered:
    """The solution of a problem that is a chain, from what is known of the problem before."""
    assert problem.walk_problem is not None
    return Filtered(problem, filtered_chain(problem.walk_problem))


@dataclass(frozen=True)
class ForwardFilter:
    """Forward filter and smoother of one `Walk` with `Choice`s."""

    name: str = "forward_filter"
    exact: bool = True
    summary: str = "a position that moves in steps, with choices: filter, smoother, exact paths"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        reason, walk_problem = _obstacle(problem), problem.walk_problem
        if reason is not None or walk_problem is None:
            return Unsupported(reason or "")
        layout = problem.layout
        values = math.prod(
            len(slots) for (owner, _), slots in layout.slots.items() if owner != walk_problem.walk
        )
        entries, steps, at = 0.0, 1, walk_problem
        while at is not None:
            if at.stride is not None:
                tables = at.stride.transitions
                entries += sum(table.weights.shape[0] for table in tables) / len(tables)
                steps += 1
            at = at.before
        mass = values * len(layout.slots[walk_problem.walk, walk_problem.walk])
        # A push and a pull along every entry; a few passes over every mass.
        return Cost(
            operations=1e3 + 4.0 * values * entries + 10.0 * steps * mass, bytes=24.0 * steps * mass
        )

    def solve(self, problem: Problem, options: EngineOptions) -> Filtered:
        reason = _obstacle(problem)
        if reason is not None:
            raise UnsupportedError(
                f"forward_filter cannot solve this: {reason}", hint="take method='auto'"
            )
        return filtered(problem)


def _obstacle(problem: Problem) -> str | None:
    """Why a problem cannot be solved here; None if it can."""
    if problem.walk_problem is None:
        return "it follows one Walk, alone or with Choices"
    return obstacle(problem.walk_problem)


ENGINE = ForwardFilter()
