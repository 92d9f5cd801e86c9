"""The problem of one `Walk` with `Choice`s: what was added, piece by piece.

The arrays of a `Problem` hold every step as a table of all pairs of positions. Engines for walks
read this instead, which keeps steps sparse and says which part was there before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .layout import Factor, Floats, Layout
from .transitions import Transition


@dataclass(frozen=True, eq=False)
class Stride:
    """One step of a walk on a layout.

    Attributes:
        transitions: One table, or one for each value of the choice.
        choice: Site of the choice that they depend on; -1 for none.
    """

    transitions: tuple[Transition, ...]
    choice: int

    def table(self) -> Floats:
        """All weights by (value of the choice,) position before and position after, flat."""
        return np.concatenate([transition.dense.ravel() for transition in self.transitions])


@dataclass(frozen=True, eq=False)
class WalkProblem:
    """The additions to a problem, the last first.

    Attributes:
        before: What was there earlier; None for the declaration.
        layout: The layout so far.
        factors: Factors that were added at once.
        stride: The step that was taken instead.
        log_norm: Log of the total weight of the declaration.
        walk: Name of the walk.
    """

    before: WalkProblem | None
    layout: Layout
    factors: Sequence[Factor]
    stride: Stride | None
    log_norm: float
    walk: str

    def then(
        self, layout: Layout, factors: Sequence[Factor], stride: Stride | None = None
    ) -> WalkProblem:
        """The walk problem with a step or factors more."""
        return WalkProblem(self, layout, tuple(factors), stride, self.log_norm, self.walk)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as a list: one inside the other, long ones would be too deep."""
        parts: list[_Part] = []
        at: WalkProblem | None = self
        while at is not None:
            parts.append((at.layout, at.factors, at.stride))
            at = at.before
        return _joined, (parts, self.log_norm, self.walk)


_Part = tuple[Layout, Sequence[Factor], Stride | None]


def _joined(parts: Sequence[_Part], log_norm: float, walk: str) -> WalkProblem | None:
    """The walk problem of these parts, of which the last stands first."""
    walk_problem: WalkProblem | None = None
    for layout, factors, stride in reversed(parts):
        walk_problem = WalkProblem(walk_problem, layout, factors, stride, log_norm, walk)
    return walk_problem
