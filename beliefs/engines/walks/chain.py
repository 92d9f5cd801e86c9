"""A walk with its choices as a chain: evidence and filter by the number of steps.

Values of all choices are numbered together; a mass has the shape (values, positions).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from ...arrays.layout import Additive, Floats, Integers, Layout, walk_sites
from ...arrays.problem import MOST_PLACES
from ...arrays.scaling import LEAST_WEIGHT
from ...arrays.transitions import Transition
from ...arrays.walk_problem import Stride, WalkProblem
from .filter_kernels import pushed

#: Smaller products have lost digits, or soon will: the filter then is not to be trusted.
FAINT = 1e-250
#: Most values of all choices together.
MOST_VALUES = 100_000

_Entry = TypeVar("_Entry")

#: The table of a step: one, or one for each value of the choices.
Tables = tuple[Transition, ...]


@dataclass(frozen=True, eq=False)
class Chain:
    """Evidence about every position, the steps between them, and the filter.

    Attributes:
        sites: Site of the position after every number of steps.
        slots: Slot of every position, shape (positions,).
        choice_sites: Site of every choice.
        choice_slots: Slot of every choice for all values together, shape (values, choices).
        weights: Weight of the evidence about the position after so many steps, each of a shape
            that fits (values, positions), the largest about one.
        scales: Log of what each of these weights must be multiplied by.
        strides: Table of every step.
        filter: Probability of (values, position) given what is known of it and of those before;
            zero where nothing is left.
        logs: Log of the total weight so far; minus infinity where nothing is left.
        faint: Whether some mass that is possible was too small for the filter; see `pushing`.
        pushed: Whether its weights are such that none can be.
    """

    sites: tuple[int, ...]
    slots: Integers
    choice_sites: Integers
    choice_slots: Integers
    weights: tuple[Floats, ...]
    scales: tuple[float, ...]
    strides: tuple[Tables, ...]
    filter: tuple[Floats, ...]
    logs: tuple[float, ...]
    faint: bool = False
    pushed: bool = False

    @property
    def now(self) -> int:
        """Steps taken so far."""
        return len(self.sites) - 1

    @property
    def positions(self) -> int:
        return self.slots.shape[0]

    @property
    def values(self) -> int:
        return self.choice_slots.shape[0]

    def table(self, step: int, value: int) -> Transition:
        """The table of a step for one value of the choices."""
        tables = self.strides[step]
        return tables[value if len(tables) > 1 else 0]

    def worlds(self, layout: Layout, values: Integers, paths: Integers) -> Any:
        """Worlds of these values, shape (worlds,), and paths of places, shape (worlds, steps)."""
        wide = layout.slot_count > MOST_PLACES
        shape = (paths.shape[0], layout.site_count)
        worlds = np.zeros(shape, dtype=np.int16 if wide else np.int8)
        worlds[:, self.choice_sites] = self.choice_slots[values]
        worlds[:, list(self.sites)] = self.slots[paths]
        return worlds

    @property
    def log_total(self) -> float:
        """Log of the total weight of all paths and values."""
        return self.logs[-1]

    def split(self, feature: Additive) -> tuple[Integers, list[tuple[int, Integers]]]:
        """A feature as what values add to its index, shape (values,), and what positions add.

        Returns:
            The former, and for every step it is about, in order, the step and the latter, of
            shape (positions,).
        """
        start = np.zeros(self.values, dtype=np.int64)
        rows: list[tuple[int, Integers]] = []
        steps = {site: step for step, site in enumerate(self.sites)}
        choices = {int(site): place for place, site in enumerate(self.choice_sites)}
        for site, delta in zip(feature.sites.tolist(), feature.delta, strict=True):
            if site in steps:
                rows.append((steps[site], delta[self.slots]))
            else:
                start += delta[self.choice_slots[:, choices[site]]]
        return start, sorted(rows, key=lambda row: row[0])


#: The chains of walk problems that are in use: an observation goes on from the one before it.
_CHAINS: Final[WeakKeyDictionary[WalkProblem, Chain]] = WeakKeyDictionary()


def chain_of(walk_problem: WalkProblem) -> Chain:
    """The chain of a walk problem, from the part of it that is known already."""
    waiting: list[WalkProblem] = []
    at: WalkProblem | None = walk_problem
    while at is not None and at not in _CHAINS:
        waiting.append(at)
        at = at.before
    chain = None if at is None else _CHAINS[at]
    for part in reversed(waiting):
        chain = _begin(part) if chain is None else chain
        if part.stride is not None:
            chain = _stepped(chain, part.layout, part.stride)
        for _, additive, table in part.factors:
            chain = _weighed(chain, additive, table)
        _CHAINS[part] = chain
    assert chain is not None
    return chain


def obstacle(walk_problem: WalkProblem) -> str | None:
    """Why a walk problem is no chain; None if it is one."""
    layout = walk_problem.layout
    sites = walk_sites(layout, walk_problem.walk)
    values = math.prod(
        len(layout.slots[owner, owner]) for owner, _ in layout.sites if owner != walk_problem.walk
    )
    if values > MOST_VALUES:
        return f"the choices have more than {MOST_VALUES:,} values together"
    steps = {site: step for step, site in enumerate(sites)}
    at: WalkProblem | None = walk_problem
    while at is not None and at not in _CHAINS:
        for _, additive, _ in at.factors:
            about = sorted(steps[site] for site in additive.sites.tolist() if site in steps)
            if len(about) > 2 or (len(about) == 2 and about[1] - about[0] > 1):
                return "evidence ties positions of a walk that are more than one step apart"
        at = at.before
    return None


def _begin(walk_problem: WalkProblem) -> Chain:
    layout = walk_problem.layout
    sites = walk_sites(layout, walk_problem.walk)[:1]
    owners = [owner for owner, _ in layout.site_names if owner != walk_problem.walk]
    combined = list(itertools.product(*(layout.slots[owner, owner] for owner in owners)))
    slots = np.array(layout.slots[walk_problem.walk, walk_problem.walk])
    values = np.array(combined, dtype=np.int64).reshape(len(combined), len(owners))
    mass, log = _normalised(np.ones((len(combined), slots.shape[0])))
    choice_sites = np.array([layout.sites[owner, owner][0] for owner in owners], dtype=np.int64)
    return Chain(
        sites=tuple(sites),
        slots=slots,
        choice_sites=choice_sites,
        choice_slots=values,
        weights=(np.ones((1, 1)),),
        scales=(0.0,),
        strides=(),
        filter=(mass,),
        logs=(log,),
    )


def tables_of(chain: Chain, stride: Stride) -> Tables:
    """The tables of a step: one, or one for each value of the choices."""
    if stride.choice < 0:
        return stride.transitions
    place = chain.choice_sites.tolist().index(stride.choice)
    first = int(chain.choice_slots[:, place].min())
    slots: list[int] = chain.choice_slots[:, place].tolist()
    return tuple(stride.transitions[slot - first] for slot in slots)


def _stepped(chain: Chain, layout: Layout, stride: Stride) -> Chain:
    tables = tables_of(chain, stride)
    before = chain.filter[-1]
    mass, log = _normalised(moved(before, tables))
    return replace(
        chain,
        sites=(*chain.sites, layout.site_count - 1),
        weights=(*chain.weights, np.ones((1, 1))),
        scales=(*chain.scales, 0.0),
        strides=(*chain.strides, tables),
        filter=(*chain.filter, mass),
        logs=(*chain.logs, chain.log_total + log),
        faint=chain.faint or fades(before, tables) or is_faint(mass),
    )


def _weighed(chain: Chain, additive: Additive, table: Floats) -> Chain:
    start, rows = chain.split(additive)
    if len(rows) == 2:
        return _tied(chain, start, rows, table)
    plain = bool((start == start[0]).all())
    if not rows:
        step, weights = chain.now, table[start][:, None]
    else:
        step, delta = rows[0]
        weights = table[(start[:1] if plain else start)[:, None] + delta]
    product, faint = kept(chain.weights[step], weights)
    largest = float(product.max())
    if largest > 0.0:
        product = np.where(product > 0.0, np.maximum(product / largest, LEAST_WEIGHT), 0.0)
        scale = chain.scales[step] + math.log(largest)
        chain = replace(chain, scales=_with(chain.scales, step, scale))
    faint = chain.faint or faint or is_faint(product)
    chain = replace(chain, weights=_with(chain.weights, step, product), faint=faint)
    if step < chain.now:
        return _again(chain, step)
    mass, lost = kept(chain.filter[-1], weights)
    mass, log = _normalised(mass)
    return replace(
        chain,
        filter=(*chain.filter[:-1], mass),
        logs=(*chain.logs[:-1], chain.log_total + log),
        faint=faint or lost or is_faint(mass),
    )


def _tied(
    chain: Chain, start: Integers, rows: Sequence[tuple[int, Integers]], table: Floats
) -> Chain:
    """Evidence about the positions before and after a step changes the weights of the step."""
    (step, before), (_, after) = rows
    tables = chain.strides[step]
    if len(tables) < chain.values and not (start == start[0]).all():
        tables = tables * chain.values
    # One table for all values needs one start; several have one for each.
    found = [
        kept(each.weights, table[first + before[each.sources] + after[each.targets]])
        for each, first in zip(tables, start[: len(tables)].tolist(), strict=True)
    ]
    tied = tuple(each.weighing(product) for each, (product, _) in zip(tables, found, strict=True))
    faint = chain.faint or any(lost for _, lost in found)
    return _again(replace(chain, strides=_with(chain.strides, step, tied), faint=faint), step + 1)


def _with(entries: tuple[_Entry, ...], place: int, entry: _Entry) -> tuple[_Entry, ...]:
    return (*entries[:place], entry, *entries[place + 1 :])


def _again(chain: Chain, step: int) -> Chain:
    """The filter anew from a step on."""
    masses, logs = list(chain.filter[:step]), list(chain.logs[:step])
    faint = chain.faint
    for later in range(step, chain.now + 1):
        if later:
            mass = moved(masses[-1], chain.strides[later - 1])
            faint = faint or fades(masses[-1], chain.strides[later - 1])
        else:
            mass = np.ones_like(chain.filter[0])
        mass, log = _normalised(mass)
        mass, lost = kept(mass, chain.weights[later])
        mass, more = _normalised(mass)
        faint = faint or lost or is_faint(mass)
        masses.append(mass)
        logs.append((logs[-1] if later else 0.0) + log + more + chain.scales[later])
    return replace(chain, filter=tuple(masses), logs=tuple(logs), faint=faint)


def moved(mass: Floats, tables: Tables) -> Floats:
    """Masses of shape (..., values, positions) after a step."""
    if len(tables) == 1:
        return _through(mass, tables[0])
    result = np.empty_like(mass)
    for value, table in enumerate(tables):
        result[..., value, :] = _through(mass[..., value, :], table)
    return result


def _through(mass: Floats, table: Transition) -> Floats:
    flat = np.ascontiguousarray(mass).reshape(-1, mass.shape[-1])
    after = pushed(flat, table.rows)
    return after.reshape(mass.shape)


def kept(mass: Floats, weights: Floats) -> tuple[Floats, bool]:
    """The product, and whether it lost something; what was possible stays so."""
    product = mass * weights
    lost = (product < FAINT) & (mass > 0.0) & (weights > 0.0)
    if not lost.any():
        return product, False
    return np.where(lost, np.maximum(product, LEAST_WEIGHT), product), True


def is_faint(mass: Floats) -> bool:
    """True if something that is possible is too small to be multiplied further."""
    return bool(((mass < FAINT) & (mass > 0.0)).any())


def fades(mass: Floats, tables: Tables) -> bool:
    """True if steps can make of a mass what is too small."""
    least = float(mass.min(initial=1.0, where=mass > 0.0))
    return least * min(table.least for table in tables) < FAINT


def _normalised(mass: Floats) -> tuple[Floats, float]:
    """Shares that sum to one, and the log of the sum; zeros if nothing is left."""
    total = float(mass.sum())
    if total <= 0.0:
        return np.zeros_like(mass), -math.inf
    shares = mass / total
    faint = (shares < LEAST_WEIGHT) & (mass > 0.0)
    return np.where(faint, LEAST_WEIGHT, shares) if faint.any() else shares, math.log(total)
