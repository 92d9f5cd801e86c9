"""A problem as the arrays that the kernels of `claim_counting` count; see `claim_reading`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..problem import Floats, Integers, Problem
from .claim_kernels import FIRST, coordinates
from .claim_reading import IMPOSSIBLE, READ, REASONS, read_factors, settle, sort_copies

#: Most copies of an item, and most open positions of a deal.
MOST_COPIES = 12
MOST_POSITIONS = 150
#: Most cells that evidence is about.
MOST_CELLS = 64


@dataclass(frozen=True, eq=False)
class Claims:
    """A problem as arrays of cells; see `claim_kernels` and `claim_reading` for their shapes.

    Attributes:
        possible: False when what is known does not fit.
        place: Slot of every settled site, else -1.
        kind: 0 for sites of free copies, 1 for bound ones, -1 for settled sites.
        log_scale: Log of what every deal is multiplied by besides.
    """

    problem: Problem
    possible: bool
    item: Integers
    place: Integers
    kind: Integers
    number: Integers
    room: Integers
    within: Integers
    group_of: Integers
    cell_at: Integers
    cells: Integers
    weights: Floats
    space: Integers
    tie_step: Integers
    tie_after: Integers
    tie_base: Integers
    tie_start: Integers
    tie_table: Floats
    log_scale: float

    @cached_property
    def states(self) -> float:
        """How many states a sum has at most."""
        slots, groups = self.room.shape[0], self.space.shape[0]
        return coordinates(
            self.number,
            self.room,
            self.within,
            self.group_of,
            groups,
            self.cells,
            in_order(self, self.cells),
            1,
            np.ones(FIRST + 2 * groups + slots + 2, dtype=np.int64),
            np.zeros(slots, dtype=np.int64),
            np.zeros(slots, dtype=np.int64),
        )


def claims_of(problem: Problem) -> Claims | str:
    """The cells of a problem, or why it has none that the kernels can count."""
    layout = problem.layout
    if (layout.capacity < 0).any() or len({deal for deal, _ in layout.site_names}) > 1:
        return "it counts copies in one deal"
    if int(layout.copies.max()) > MOST_COPIES:
        return "an item has too many copies"
    item = layout.cache.get("items")
    if item is None:
        names = {name: number for number, name in enumerate(layout.sites)}
        item = np.array([names[name] for name in layout.site_names], dtype=np.int64)
        layout.cache["items"] = item
    sites, slots = layout.allowed.shape
    items = len(layout.sites)
    place, room = np.empty(sites, dtype=np.int64), np.empty(slots, dtype=np.int64)
    kind, number = np.empty(sites, dtype=np.int64), np.empty((items, 2), dtype=np.int64)
    within = np.zeros(slots, dtype=np.int64)
    fits = settle(layout.copies, layout.capacity, layout.allowed, place, room)
    status = IMPOSSIBLE
    if fits:
        status = sort_copies(layout.copies, layout.allowed, item, place, room, kind, number, within)
    factors = problem.factor_count
    cell_at = np.empty((items, slots), dtype=np.int64)
    cells = np.empty((MOST_CELLS, 2), dtype=np.int64)
    tie_steps = np.empty((factors, slots), dtype=np.int64)
    tie_base, tie_factor = np.empty(factors, dtype=np.int64), np.empty(factors, dtype=np.int64)
    result = np.zeros(3)
    weights = np.empty((0, 1, 1))
    if status == READ:
        if int(number.sum(axis=1).max()) > MOST_COPIES or int(room.sum()) > MOST_POSITIONS:
            return "there are too many copies"
        width = int(number.max()) + 1
        weights = np.empty((MOST_CELLS, width, width))
        status = read_factors(
            layout.copies,
            item,
            place,
            room,
            kind,
            number,
            within,
            problem.factor_start,
            problem.factor_site,
            problem.factor_delta,
            problem.table_start,
            problem.table,
            cell_at,
            cells,
            weights,
            tie_steps,
            tie_base,
            tie_factor,
            result,
        )
    if status not in (READ, IMPOSSIBLE):
        return REASONS[status]
    count, ties = int(result[0]), int(result[1])
    tables = [problem.factor(int(factor))[1] for factor in tie_factor[:ties]]
    grouped = _groups(tie_steps[:ties], within, room, bool(number[:, 1].any()))
    if grouped is None:
        return "cards drawn between claims went to more than one hand"
    group_of, space, step, after = grouped
    return Claims(
        problem,
        status == READ,
        item,
        place,
        kind,
        number,
        room,
        within,
        group_of,
        cell_at,
        cells[:count],
        weights[:count],
        space,
        step,
        after,
        tie_base[:ties],
        np.cumsum([0, *(table.shape[0] for table in tables)]),
        np.concatenate([np.zeros(0), *tables]),
        float(result[2]),
    )


def _groups(
    steps: Integers, within: Integers, room: Integers, bound: bool
) -> tuple[Integers, Integers, Integers, Integers] | None:
    """Slots by what ties say of them: every slot's group, their positions, and the ties by group.

    Ties are about the hand after a draw, so each is about groups that a later one is about too;
    groups are numbered in that order. None where they are not.
    """
    group_of = np.zeros(within.shape[0], dtype=np.int64)
    if not bound:
        none = np.zeros(0, dtype=np.int64)
        return group_of, none, none, none
    if not steps.shape[0]:
        none = np.zeros(0, dtype=np.int64)
        return group_of, np.array([int(room[within == 1].sum())]), none, none
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
    return group_of, space, step, after


def in_order(claims: Claims, cells: Integers) -> Integers:
    """Cells item by item, items by the first group that they are in: groups are done with early."""
    groups = claims.space.shape[0]
    if groups < 2:
        return np.argsort(cells[:, 0], kind="stable")
    inside = claims.within[cells[:, 1]] == 1
    group = np.where(inside, claims.group_of[cells[:, 1]], groups)
    first = np.full(claims.number.shape[0], groups)
    np.minimum.at(first, cells[:, 0], group)
    return np.lexsort((group, cells[:, 0], first[cells[:, 0]]))
