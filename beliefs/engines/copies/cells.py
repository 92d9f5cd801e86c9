"""A problem as cells (one item in one slot) with whole-number tables, for `marking` to count.

Copies that are known to be somewhere are taken out of their slots first. A feature is a constant
and what a copy adds in the cells where that is not the usual; evidence becomes a table on a cell.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...arrays.problem import Additive, Floats, Problem
from ..base import Unsupported
from .marking import FREE, Bound, Group, OpenDeal, Table


@dataclass(frozen=True)
class Cells:
    """A problem as open deals with whole-number tables.

    Attributes:
        deals: The open part of every deal.
        place: Slot of every site that is known, -1 for the others.
        exponent: Power of two that the whole-number weights must be multiplied by.
        log_scale: Log of what else they must be multiplied by.
        possible: False when known items do not fit.
    """

    deals: tuple[OpenDeal, ...]
    place: tuple[int, ...]
    exponent: int = 0
    log_scale: float = 0.0
    possible: bool = True


def cells_of(problem: Problem) -> Cells | Unsupported:
    """The cells of a problem, or why it has none."""
    layout = problem.layout
    if (layout.capacity < 0).any():
        return Unsupported("it counts copies in a deal, and the model has a Choice or a Walk")
    place, room = _settle(problem)
    deals = _open_deals(problem, place, room)
    if deals is None:
        return Cells((), place, possible=False)
    cells = Cells(tuple(deals), place)
    tables: dict[tuple[int, int, int], dict[frozenset[int], list[Floats]]] = {}
    exponent, log_scale = 0, 0.0
    for additive, weights in problem.factors():
        base, steps = linear(problem, cells, additive)
        found = _tables(cells, base, steps, weights)
        if isinstance(found, Unsupported):
            return found
        constant, parts = found
        if constant <= 0.0:
            return Cells((), place, possible=False)
        log_scale += math.log(constant)
        for where, (kinds, table) in parts.items():
            tables.setdefault(where, {}).setdefault(kinds, []).append(table)
    for (deal, number, slot), by_kinds in tables.items():
        whole: list[Table] = []
        for kinds, factors in by_kinds.items():
            numbers, power = _whole(factors)
            exponent += power
            whole.append(Table(kinds, numbers))
        before = deals[deal].groups
        group = before[number]
        group = replace(group, tables={**group.tables, slot: tuple(whole)})
        after = (*before[:number], group, *before[number + 1 :])
        deals[deal] = replace(deals[deal], groups=after)
    return Cells(tuple(deals), place, exponent, log_scale)


def linear(
    problem: Problem, cells: Cells, additive: Additive
) -> tuple[int, dict[tuple[int, int, int], dict[int, int]]]:
    """A feature as a constant and, per deal, group and slot, what a copy of each kind adds."""
    layout = problem.layout
    rows = {int(site): row for row, site in enumerate(additive.sites)}
    base = 0
    for site, row in rows.items():
        if cells.place[site] >= 0:
            base += int(layout.copies[site]) * int(additive.delta[row, cells.place[site]])
    steps: dict[tuple[int, int, int], dict[int, int]] = {}
    for deal, part in enumerate(cells.deals):
        for number, group in enumerate(part.groups):
            usual = 0
            kinds = [(FREE, group.sites[0], group.copies)] if group.sites else []
            kinds += [(kind, bound.site, bound.copies) for kind, bound in enumerate(group.bound)]
            for kind, site, copies in kinds:
                if site not in rows:
                    continue
                by_slot = {
                    slot: int(additive.delta[rows[site], slot])
                    for slot in part.capacity
                    if layout.allowed[site, slot]
                }
                # What most slots add is a constant; only the others are cells.
                common = Counter(by_slot.values())
                if kind == FREE or usual not in common:
                    usual = min(common, key=lambda step: (-common[step], step))
                base += usual * copies
                for slot, step in by_slot.items():
                    if step != usual:
                        steps.setdefault((deal, number, slot), {})[kind] = step - usual
    return base, steps


def _open_deals(problem: Problem, place: tuple[int, ...], room: list[int]) -> list[OpenDeal] | None:
    """The open part of every deal, without tables; None when known items do not fit."""
    layout = problem.layout
    if any(size < 0 for size in room):
        return None
    members: dict[str, dict[tuple[str, str], list[int]]] = {}
    for site, name in enumerate(layout.site_names):
        if place[site] < 0:
            members.setdefault(name[0], {}).setdefault(name, []).append(site)
    deals: list[OpenDeal] = []
    for variable, items in members.items():
        capacity = {
            slot: room[slot]
            for slot, (owner, _) in enumerate(layout.slot_names)
            if owner == variable and room[slot] > 0
        }
        groups: list[Group] = []
        for name, sites in items.items():
            free: list[int] = []
            bound: list[Bound] = []
            for site in sites:
                slots = frozenset(slot for slot in capacity if layout.allowed[site, slot])
                if not slots:
                    return None
                alike = not free or _role(problem, site) == _role(problem, free[0])
                if len(slots) == len(capacity) and alike:
                    free.append(site)
                else:
                    bound.append(Bound(site, int(layout.copies[site]), slots))
            copies = int(layout.copies[free].sum())
            groups.append(Group(name, tuple(free), copies, tuple(bound), {}))
        deals.append(OpenDeal(tuple(groups), capacity))
    return deals


def _role(problem: Problem, site: int) -> list[tuple[int, bytes]]:
    """The role of a site in every factor."""
    rows = np.flatnonzero(problem.factor_site == site)
    factors = np.searchsorted(problem.factor_start, rows, side="right") - 1
    return [
        (int(factor), problem.factor_delta[row].tobytes())
        for factor, row in zip(factors, rows, strict=True)
    ]


def _settle(problem: Problem) -> tuple[tuple[int, ...], list[int]]:
    """Slot of every site that has one left (else -1), and the room left by the others."""
    layout = problem.layout
    room = [int(size) for size in layout.capacity]
    place = [-1] * layout.site_count
    changed = True
    while changed:
        changed = False
        for site in range(layout.site_count):
            if place[site] >= 0:
                continue
            slots = [
                slot
                for slot in range(layout.slot_count)
                if layout.allowed[site, slot] and room[slot] > 0
            ]
            if len(slots) == 1:
                place[site] = slots[0]
                room[slots[0]] -= int(layout.copies[site])
                changed = True
    return tuple(place), room


def _tables(
    cells: Cells,
    base: int,
    steps: Mapping[tuple[int, int, int], Mapping[int, int]],
    weights: Floats,
) -> tuple[float, dict[tuple[int, int, int], tuple[frozenset[int], Floats]]] | Unsupported:
    """A factor as a constant and one table per cell."""
    size = weights.shape[0]
    step_of: dict[tuple[int, int, int], int] = {}
    most: dict[tuple[int, int, int], int] = {}
    for where, by_kind in steps.items():
        if len(set(by_kind.values())) > 1:
            return Unsupported("a feature tells copies of one item apart")
        step_of[where] = next(iter(by_kind.values()))
        deal, number, slot = where
        group = cells.deals[deal].groups[number]
        copies = sum(group.copies if kind == FREE else group.bound[kind].copies for kind in by_kind)
        most[where] = min(copies, cells.deals[deal].capacity[slot])
    kinds = {where: frozenset(by_kind) for where, by_kind in steps.items()}

    def weight(index: int) -> float:
        return float(weights[index]) if 0 <= index < size else 0.0

    if not steps:
        return weight(base), {}
    if len(steps) == 1:
        ((where, step),) = step_of.items()
        table = np.array([weight(base + step * count) for count in range(most[where] + 1)])
        return 1.0, {where: (kinds[where], table)}
    # A table that leaves one end of its range alone is a product of tables, one per cell.
    ends = {where: sorted((0, step * most[where])) for where, step in step_of.items()}
    low = base + sum(end[0] for end in ends.values())
    high = base + sum(end[1] for end in ends.values())
    held = [index for index in range(max(low, 0), min(high + 1, size)) if weights[index] > 0.0]
    if not held:
        return 0.0, {}
    if len(held) == 1 and held[0] in (low, high):
        parts: dict[tuple[int, int, int], tuple[frozenset[int], Floats]] = {}
        for where, step in step_of.items():
            table = np.zeros(most[where] + 1)
            table[ends[where][0 if held[0] == low else 1] // step] = 1.0
            parts[where] = (kinds[where], table)
        return weight(held[0]), parts
    return Unsupported(
        "it takes evidence on how many copies of one item are in one place, and this is about "
        f"{len(steps)} such numbers together"
    )


def _whole(factors: list[Floats]) -> tuple[tuple[int, ...], int]:
    """The product of tables in whole numbers, and the power of two to multiply by."""
    whole = [1] * factors[0].shape[0]
    exponent = 0
    for factor in factors:
        ratios = [float(value).as_integer_ratio() for value in factor]
        scale = max(bottom for _, bottom in ratios)
        exponent -= scale.bit_length() - 1
        whole = [
            before * top * (scale // bottom)
            for before, (top, bottom) in zip(whole, ratios, strict=True)
        ]
    common = math.gcd(*whole)
    if common:
        shift = (common & -common).bit_length() - 1
        whole = [value >> shift for value in whole]
        exponent += shift
    return tuple(whole), exponent
