"""The trail of a model of one `Walk` with `Choice`s: what was added, piece by piece.

The arrays of a `Problem` hold every step as a table of all pairs of positions. Engines for walks
read the trail instead, which keeps steps sparse and keeps what was computed for the part before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..data.errors import EvidenceError
from .evidence import WalkStep
from .problem import Additive, Factor, Floats, Layout, Problem
from .transitions import Transition
from .walk import walk_sites


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
class Trail:
    """What was added to a problem, the last first.

    Attributes:
        before: What was there earlier; None for the declaration.
        layout: The layout so far.
        factors: Factors that were added at once.
        stride: The step that was taken instead.
        log_norm: Log of the total weight of the declaration.
        walk: Name of the walk.
        cache: What engines computed so far.
    """

    before: Trail | None
    layout: Layout
    factors: Sequence[Factor]
    stride: Stride | None
    log_norm: float
    walk: str
    cache: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)

    def then(
        self, layout: Layout, factors: Sequence[Factor], stride: Stride | None = None
    ) -> Trail:
        """The trail with a step or factors more."""
        return Trail(self, layout, tuple(factors), stride, self.log_norm, self.walk)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as a list: one inside the other, long trails would be too deep."""
        parts: list[_Part] = []
        at: Trail | None = self
        while at is not None:
            parts.append((at.layout, at.factors, at.stride))
            at = at.before
        return _joined, (parts, self.log_norm, self.walk, self.cache)


_Part = tuple[Layout, Sequence[Factor], Stride | None]


def _joined(
    parts: Sequence[_Part], log_norm: float, walk: str, cache: dict[str, Any]
) -> Trail | None:
    """The trail of these parts, of which the last stands first."""
    trail: Trail | None = None
    for layout, factors, stride in reversed(parts):
        trail = Trail(trail, layout, factors, stride, log_norm, walk)
    if trail is not None:
        trail.cache.update(cache)
    return trail


def begin_trail(problem: Problem, walk: str) -> Problem:
    """The declaration of one walk with choices, as the start of a trail."""
    factors: list[Factor] = [(None, additive, table) for additive, table in problem.factors()]
    trail = Trail(None, problem.layout, factors, None, problem.log_norm, walk)
    return replace(problem, trail=trail)


def take_step(problem: Problem, move: WalkStep) -> Problem:
    """The problem after a step: one more site, tied to the position before.

    Raises:
        EvidenceError: There is no such walk or choice, or it has other positions or values.
    """
    layout = problem.layout
    sites = walk_sites(layout, move.walk)
    slots = list(layout.slots[(move.walk, move.walk)])
    size = len(slots)
    if move.transitions[0].positions != size:
        raise EvidenceError(
            f"the walk {move.walk!r} of this model has other positions",
            value=move.transitions[0].positions,
        )
    choice, values = -1, list[int]()
    if move.choice is not None:
        if (move.choice, move.choice) not in layout.sites:
            raise EvidenceError(
                "this model has no such choice",
                value=move.choice,
                hint="give Model(...) the choice that the step depends on",
            )
        choice = layout.sites[(move.choice, move.choice)][0]
        values = list(layout.slots[(move.choice, move.choice)])
        if len(values) != len(move.transitions):
            raise EvidenceError(f"the choice {move.choice!r} of this model has other values")
    name = (move.walk, str(len(sites)))
    here = layout.site_count
    after = Layout(
        np.append(layout.copies, 1),
        layout.capacity,
        np.concatenate([layout.allowed, layout.allowed[sites[0] : sites[0] + 1]]),
        (*layout.site_names, name),
        layout.slot_names,
        {**layout.sites, name: (here,)},
        layout.slots,
    )
    after.cache[("walk", move.walk)] = [*sites, here]
    rows = sorted({sites[-1], here, *([choice] if values else [])})
    delta = np.zeros((len(rows), layout.slot_count), dtype=np.int64)
    delta[rows.index(sites[-1]), slots] = np.arange(size) * size
    delta[rows.index(here), slots] = np.arange(size)
    if values:
        delta[rows.index(choice), values] = np.arange(len(values)) * size * size
    additive = Additive(np.array(rows), delta, len(move.transitions) * size * size)
    return problem.with_step(after, additive, Stride(move.transitions, choice))
