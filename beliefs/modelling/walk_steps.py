"""The problem of one `Walk` with `Choice`s, from its declaration on, step by step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...data.errors import EvidenceError
from ..arrays.layout import Additive, Factor, Layout, walk_sites
from ..arrays.problem import Problem
from ..arrays.walk_problem import Stride, WalkProblem
from ..language.evidence import WalkStep


def begin_walk(problem: Problem, walk: str) -> Problem:
    """The declaration of one walk with choices, as the start of a walk problem."""
    factors: list[Factor] = [(None, additive, table) for additive, table in problem.factors()]
    walk_problem = WalkProblem(None, problem.layout, factors, None, problem.log_norm, walk)
    return replace(problem, walk_problem=walk_problem)


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
        layout.values,
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
