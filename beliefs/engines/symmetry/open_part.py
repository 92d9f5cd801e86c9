"""The part of a problem that is open: items whose place is known, and full places, are gone.

Features are written anew on what is left, so that two items (or places) that are alike have equal
rows (or columns) of numbers: what a row adds wherever its item is goes into a constant, and what is
said of one item alone, or of the one item of a place, is numbered by its weights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arrays.layout import Additive, Flags, Floats, Integers
from ...arrays.problem import Problem
from ..partial_deals.graph import narrow

#: For every open site what a copy adds in every open slot, and the weights by index.
Weighing = tuple[Integers, Floats]


@dataclass(frozen=True, eq=False)
class OpenPart:
    """The open part of a problem.

    Attributes:
        problem: What was given.
        place: Slot of every site that lies in one alone, -1 for the others; shape (all sites,).
        sites, slots: Numbers in the problem of those that are open.
        copies, capacity, allowed: Of these; see `Layout`.
        log_constant: Log of what every deal is multiplied by besides; minus infinity where
            evidence contradicts itself.
    """

    problem: Problem
    place: Integers
    sites: Integers
    slots: Integers
    copies: Integers
    capacity: Integers
    allowed: Flags
    log_constant: float

    @cached_property
    def unlimited(self) -> tuple[Integers, Integers]:
        """Flags of the sites and the slots of choices: these are never alike."""
        slots = (self.capacity < 0).astype(np.int64)
        return (self.allowed @ slots > 0).astype(np.int64), slots

    def reduced(self, additive: Additive) -> tuple[int, Integers]:
        """A feature on what is open: a constant, and what a copy adds beside it.

        Returns:
            The constant, and the rows of all open sites, shape (open sites, open slots).
        """
        base = 0
        delta = np.zeros(self.allowed.shape, dtype=np.int64)
        at = self.place[additive.sites]
        known = np.flatnonzero(at >= 0)
        copies = self.problem.layout.copies[additive.sites]
        base += int((additive.delta[known, at[known]] * copies[known]).sum())
        open_rows = np.flatnonzero(at < 0)
        if open_rows.size:
            rows = np.searchsorted(self.sites, additive.sites[open_rows])
            steps = additive.delta[np.ix_(open_rows, self.slots)]
            there = self.allowed[rows] == 1
            least = np.where(there, steps, np.iinfo(np.int64).max).min(axis=1)
            base += int((least * self.copies[rows]).sum())
            delta[rows] = np.where(there, steps - least[:, None], 0)
        return base, delta

    def reach(self, delta: Integers) -> int:
        """An index that all copies together do not pass."""
        return int((delta.max(axis=1, initial=0) * self.copies).sum())

    def site_of(self, delta: Integers) -> int | None:
        """The open site that a feature is about; None if it is about several, or copies of one."""
        rows = np.flatnonzero(delta.any(axis=1))
        return int(rows[0]) if rows.size == 1 and self.copies[rows[0]] == 1 else None

    def slot_of(self, delta: Integers) -> int | None:
        """The open slot with room for one copy that a feature is about; None if it is another."""
        columns = np.flatnonzero(delta.any(axis=0))
        return int(columns[0]) if columns.size == 1 and self.capacity[columns[0]] == 1 else None

    @cached_property
    def weighings(self) -> Sequence[Weighing]:
        """The evidence on what is open; see `Weighing`."""
        return self._read[0]

    @cached_property
    def log_scale(self) -> float:
        """Log of what every deal is multiplied by besides, all told."""
        return self.log_constant + self._read[1]

    @cached_property
    def _read(self) -> tuple[list[Weighing], float]:
        found: list[Weighing] = []
        constant = 0.0
        alive = narrow(self.problem).alive
        for index, (additive, table) in enumerate(self.problem.factors()):
            if not alive[index]:
                continue
            base, delta = self.reduced(additive)
            reach = self.reach(delta)
            weights = np.zeros(reach + 1)
            rest = table[base : base + reach + 1]
            weights[: rest.shape[0]] = rest
            delta, weights = self._by_weight(delta, weights)
            if delta.any():
                found.append((delta, weights))
            else:
                constant += math.log(weights[0]) if weights[0] > 0.0 else -math.inf
        return found, constant

    def _by_weight(self, delta: Integers, weights: Floats) -> Weighing:
        """A weighing of one place, numbered by its weights: equal ones tell nothing apart."""
        where = np.zeros_like(self.allowed)
        site, slot = self.site_of(delta), self.slot_of(delta)
        if site is not None:
            where[site] = self.allowed[site]
        elif slot is not None:
            where[:, slot] = self.allowed[:, slot]
        if not where.any():
            return delta, weights
        there = where == 1
        table, numbers = np.unique(weights[delta[there]], return_inverse=True)
        # What says nothing stays zero.
        usual = int(np.bincount(numbers).argmax())
        first = np.where(numbers == usual, 0, np.where(numbers < usual, numbers + 1, numbers))
        again = np.zeros_like(delta)
        again[there] = first
        table = np.concatenate([table[usual : usual + 1], np.delete(table, usual)])
        return again, table


def open_part(problem: Problem) -> OpenPart:
    """The open part of a problem."""
    layout, narrowed = problem.layout, narrow(problem)
    options = narrowed.allowed.sum(axis=1)
    settled = np.flatnonzero(options == 1)
    place = np.full(layout.site_count, -1, dtype=np.int64)
    place[settled] = narrowed.allowed[settled].argmax(axis=1)
    sites = np.flatnonzero(options != 1)
    taken = np.bincount(
        place[settled], weights=layout.copies[settled], minlength=layout.slot_count
    ).astype(np.int64)
    capacity = np.where(layout.capacity >= 0, layout.capacity - taken, -1)
    slots = np.flatnonzero(narrowed.allowed[sites].any(axis=0) & (capacity != 0))
    return OpenPart(
        problem,
        place,
        sites,
        slots,
        layout.copies[sites],
        capacity[slots],
        np.ascontiguousarray(narrowed.allowed[np.ix_(sites, slots)]),
        narrowed.constant,
    )
