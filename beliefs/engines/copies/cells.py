"""A problem as the arrays that the kernels of `counting` count; see `reading`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arrays.problem import Floats, Integers, Problem
from .arrays import Cells, Copies, Groups, Ties
from .reading import (
    IMPOSSIBLE,
    READ,
    REASONS,
    Factors,
    ReadFactors,
    Sites,
    read_factors,
    sort_copies,
)
from .states import coordinates

#: Most open positions of a deal.
MOST_POSITIONS = 150
#: Most cells that evidence is about.
MOST_CELLS = 64


@dataclass(frozen=True, eq=False, kw_only=True)
class CellProblem:
    """A problem as arrays of cells; see `arrays` for their shapes.

    Attributes:
        possible: False when what is known does not fit.
        copies, groups, ties, cells: What the kernels count.
        cell_at: Number of the cell of an item and a slot, or -1; shape (items, slots).
        weights: Weight of (free, bound) copies in a cell, shape (cells, w, w).
        log_scale: Log of what every deal is multiplied by besides.
    """

    possible: bool
    copies: Copies
    groups: Groups
    ties: Ties
    cells: Cells
    cell_at: Integers
    weights: Floats
    log_scale: float

    @cached_property
    def states(self) -> float:
        """The number of states a sum has at most."""
        return coordinates(self.copies, self.groups, self.cells, 1).states


def cell_problem(problem: Problem) -> CellProblem | str:
    """The cells of a problem, or why it has none that the kernels can count."""
    layout = problem.layout
    if len({deal for deal, _ in layout.site_names}) > 1:
        return "it counts copies in one deal, and the model has several"
    item = layout.cache.get("items")
    if item is None:
        names = {name: number for number, name in enumerate(layout.sites)}
        item = np.array([names[name] for name in layout.site_names], dtype=np.int64)
        layout.cache["items"] = item
    status, copies = sort_copies(Sites(item, layout.copies, layout.capacity, layout.allowed))
    if status == IMPOSSIBLE:
        return _impossible(copies)
    if status != READ:
        return REASONS[status]
    if int(copies.room.sum()) > MOST_POSITIONS:
        return f"it counts up to {MOST_POSITIONS} copies that are not known"
    factors = Factors(
        problem.factor_start,
        problem.factor_site,
        problem.factor_delta,
        problem.table_start,
        problem.table,
    )
    read: ReadFactors = read_factors(copies, factors, MOST_CELLS)
    if read.status == IMPOSSIBLE:
        return _impossible(copies)
    if read.status != READ:
        return REASONS[read.status]
    grouped = _groups(read.tie_steps, copies)
    if grouped is None:
        return "cards drawn between two splits went to more than one hand"
    groups, step, after = grouped
    tables = [problem.factor(int(factor))[1] for factor in read.tie_factor]
    start = np.cumsum([0, *(table.shape[0] for table in tables)])
    return CellProblem(
        possible=True,
        copies=copies,
        groups=groups,
        ties=Ties(step, after, read.tie_base, start, np.concatenate([np.zeros(0), *tables])),
        cells=Cells(read.cells, in_order(copies, groups, read.cells)),
        cell_at=read.cell_at,
        weights=read.weights,
        log_scale=read.constant,
    )


def _impossible(copies: Copies) -> CellProblem:
    """A problem that no deal solves."""
    nothing = np.zeros(0, dtype=np.int64)
    groups, cells = Groups(np.zeros_like(copies.room), nothing), np.zeros((0, 2), dtype=np.int64)
    return CellProblem(
        possible=False,
        copies=copies,
        groups=groups,
        ties=Ties(nothing, nothing, nothing, np.zeros(1, dtype=np.int64), np.zeros(0)),
        cells=Cells(cells, in_order(copies, groups, cells)),
        cell_at=np.full((copies.number.shape[0], copies.room.shape[0]), -1, dtype=np.int64),
        weights=np.zeros((0, 1, 1)),
        log_scale=0.0,
    )


def _groups(steps: Integers, copies: Copies) -> tuple[Groups, Integers, Integers] | None:
    """Slots by what ties say of them, and the steps of the ties and the groups they begin with.

    Ties are about the hand after a draw, so each is about groups that a later one is about too;
    groups are numbered in that order. None where they are not.
    """
    within, room = copies.within, copies.room
    group_of, none = np.zeros_like(within), np.zeros(0, dtype=np.int64)
    if not copies.number[:, 1].any():
        return Groups(group_of, none), none, none
    if not steps.shape[0]:
        return Groups(group_of, np.array([int(room[within == 1].sum())])), none, none
    slots = np.flatnonzero(within)
    step = steps.max(axis=1)
    covered = steps[:, slots] > 0
    if (steps[:, slots] != np.where(covered, step[:, None], 0)).any():
        return None
    numbers, group = np.unique(covered.sum(axis=0), return_inverse=True)
    for place in range(numbers.shape[0]):
        alike = covered[:, group == place]
        if (alike != alike[:, :1]).any():
            return None
        if place and (covered[:, group == place - 1][:, 0] & ~alike[:, 0]).any():
            return None
    group_of[slots] = group
    space = np.bincount(group, weights=room[slots]).astype(np.int64)
    after = np.array([int(group[row].min()) if row.any() else 0 for row in covered])
    return Groups(group_of, space), step, after


def in_order(copies: Copies, groups: Groups, cells: Integers) -> Integers:
    """Cells item by item, items by the first group that they are in: groups are done with early."""
    count = groups.space.shape[0]
    if count < 2:
        return np.argsort(cells[:, 0], kind="stable")
    within: Integers = copies.within[cells[:, 1]]
    of_slot: Integers = groups.of_slot[cells[:, 1]]
    group = np.where(within == 1, of_slot, count)
    first = np.full(copies.number.shape[0], count)
    np.minimum.at(first, cells[:, 0], group)
    return np.lexsort((group, cells[:, 0], first[cells[:, 0]]))
