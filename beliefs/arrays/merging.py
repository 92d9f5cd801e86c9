"""Two places become one, or two groups of copies, though past evidence tells them apart.

A deal says how many copies of each site lie in each slot. When two slots become one, a deal of the
new problem stands for all deals of the old one that agree but in those two; how many there are, and
what their evidence weighs, depends on a few counts in the new slot alone. With ``n`` places, of
which ``m`` came from the slot that is gone, and ``c[k]`` copies of kind ``k`` there, it is

    sum over j of  product over k of C(c[k], j[k])  *  C(n - sum(c), m - sum(j))  *  weights(c, j)

where kinds are told apart by where they may be and by what they add to past evidence, ``j[k]`` of
them were in the slot that is gone (all, none, any number), and the last binomial counts what no
evidence tells apart. The table is a factor like any other, so every engine takes it exactly. Sites
of one item become one by the same formula, with the parts of sites and slots exchanged.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.errors import UnsupportedError
from .layout import Additive, Factor, Flags, Floats, Integers, Layout, make_layout
from .problem import Problem
from .scaling import MOST_KEPT_SPREAD, pieces_of_logs, spread

#: Most weights of the table that tells two places apart.
MOST_WEIGHTS = 1 << 16
#: Most terms that are added up to make it.
MOST_TERMS = 1 << 20

#: What a copy of every crossing line adds in every line, and the weights by index.
Weighing = tuple[Integers, Floats]


def one_slot(problem: Problem, holder: str, slots: Sequence[int]) -> Problem:
    """The problem in which the slots of one holder are one, the first of them.

    Raises:
        UnsupportedError: Past evidence tells the parts apart in too many ways.
    """
    # The last slots go first, so that the numbers of the others stay.
    for slot in sorted(slots[1:], reverse=True):
        problem = _one_slot(problem, holder, slots[0], slot)
    return problem


def one_site(problem: Problem, item: str, sites: Sequence[int]) -> Problem:
    """The problem in which some sites of one item are one, the first of them.

    Raises:
        UnsupportedError: Past evidence tells the copies apart in too many ways.
    """
    for site in sorted(sites[1:], reverse=True):
        problem = _one_site(problem, item, sites[0], site)
    return problem


def _one_slot(problem: Problem, holder: str, target: int, gone: int) -> Problem:
    layout = problem.layout
    sizes = int(layout.capacity[target]), int(layout.capacity[gone])
    elsewhere = layout.allowed.sum(axis=1) - layout.allowed[:, target] - layout.allowed[:, gone]
    lines = _Lines(layout.allowed, layout.copies, elsewhere == 0, target, gone, sizes)
    folded = _fold(lines, _weighings(problem), f"the parts of {holder!r}")
    capacity = layout.capacity.copy()
    capacity[target] = sum(sizes)
    names = (*layout.slot_names[:gone], *layout.slot_names[gone + 1 :])
    after = make_layout(
        layout.copies,
        np.delete(capacity, gone),
        folded.allowed,
        layout.site_names,
        names,
        layout.values,
    )
    return _rebuilt(after, folded.weighings, problem.log_norm - folded.log_constant)


def _one_site(problem: Problem, item: str, target: int, gone: int) -> Problem:
    layout = problem.layout
    sizes = int(layout.copies[target]), int(layout.copies[gone])
    # How many copies a slot has is never known beforehand.
    never = np.zeros(layout.slot_count, dtype=np.bool_)
    lines = _Lines(layout.allowed.T, layout.capacity, never, target, gone, sizes)
    turned = [(delta.T, table) for delta, table in _weighings(problem)]
    folded = _fold(lines, turned, f"the copies of {item!r}")
    copies = layout.copies.copy()
    copies[target] = sum(sizes)
    names = (*layout.site_names[:gone], *layout.site_names[gone + 1 :])
    after = make_layout(
        np.delete(copies, gone),
        layout.capacity,
        np.ascontiguousarray(folded.allowed.T),
        names,
        layout.slot_names,
        layout.values,
    )
    # Deals of physical copies are counted: any of all copies can be those of the site that is gone.
    log_norm = problem.log_norm - folded.log_constant + _log_ways(sum(sizes), sizes[1])
    weighings = [(delta.T, table) for delta, table in folded.weighings]
    return _rebuilt(after, weighings, log_norm)


def _weighings(problem: Problem) -> list[Weighing]:
    """Every factor with what it adds for all sites, shape (sites, slots)."""
    layout = problem.layout
    result: list[Weighing] = []
    for additive, table in problem.factors():
        delta = np.zeros((layout.site_count, layout.slot_count), dtype=np.int64)
        delta[additive.sites] = additive.delta
        result.append((delta, table))
    return result


def _rebuilt(layout: Layout, weighings: Sequence[Weighing], log_norm: float) -> Problem:
    factors: list[Factor] = []
    for delta, table in weighings:
        sites = np.flatnonzero(delta.any(axis=1))
        if not sites.shape[0]:
            # A constant is a factor too, should it be zero.
            sites = np.zeros(1, dtype=np.int64)
        rows = np.ascontiguousarray(delta[sites])
        factors.append((None, Additive(sites, rows, table.shape[0]), table))
    return Problem.empty(layout, log_norm).with_factors(factors)


@dataclass(frozen=True)
class _Lines:
    """Two columns that become one.

    Attributes:
        allowed: Which row may be in which column.
        amounts: Copies that a row has (-1: no limit).
        settled: Rows all of whose copies are in the two columns.
        target, gone: The columns.
        sizes: What they hold.
    """

    allowed: Flags
    amounts: Integers
    settled: NDArray[np.bool_]
    target: int
    gone: int
    sizes: tuple[int, int]


@dataclass(frozen=True)
class _Kind:
    """Rows that are told apart in the same way.

    Attributes:
        rows: Those whose number in the new column is open.
        fixed: Copies of the others, all in the new column.
        most: Most copies of ``rows`` that can be there.
        steps: For every factor that tells the columns apart, what a copy adds in each of them.
        moved: Whether copies were in the column that is gone: all, none, or any number (None).
    """

    rows: list[int]
    fixed: int
    most: int
    steps: tuple[tuple[int, int, int], ...]
    moved: bool | None


@dataclass(frozen=True)
class _Folded:
    allowed: Flags
    weighings: list[Weighing]
    log_constant: float


def _kinds(lines: _Lines, weighings: Sequence[Weighing]) -> list[_Kind]:
    """Rows by how they are told apart; those that are not told apart are of no kind."""
    target, gone = lines.allowed[:, lines.target] == 1, lines.allowed[:, lines.gone] == 1
    found: dict[tuple[object, ...], tuple[bool | None, list[int]]] = {}
    differs = [delta[:, lines.target] != delta[:, lines.gone] for delta, _ in weighings]
    for row in np.flatnonzero(target | gone).tolist():
        if not (target[row] and gone[row]):
            found.setdefault((bool(gone[row]),), (bool(gone[row]), []))[1].append(row)
            continue
        steps = tuple(
            (factor, int(delta[row, lines.target]), int(delta[row, lines.gone]))
            for factor, (delta, _) in enumerate(weighings)
            if differs[factor][row]
        )
        if steps:
            found.setdefault(steps, (None, []))[1].append(row)
    total = sum(lines.sizes)
    kinds: list[_Kind] = []
    for key, (moved, rows) in found.items():
        still = [row for row in rows if not lines.settled[row]]
        fixed = sum(int(lines.amounts[row]) for row in rows if lines.settled[row])
        amounts = [int(lines.amounts[row]) for row in still]
        most = total if min(amounts, default=0) < 0 else min(sum(amounts), total)
        steps = () if moved is not None else key
        kinds.append(_Kind(still, fixed, most, steps, moved))  # pyright: ignore[reportArgumentType]
    return kinds


def _fold(lines: _Lines, weighings: Sequence[Weighing], what: str) -> _Folded:
    kinds = _kinds(lines, weighings)
    involved = sorted({factor for kind in kinds for factor, _, _ in kind.steps})
    deltas = [delta.copy() for delta, _ in weighings]
    tables = [table for _, table in weighings]
    for kind in kinds:
        for factor, _, _ in kind.steps:
            for row in np.flatnonzero(
                lines.allowed[:, lines.gone] & lines.allowed[:, lines.target]
            ):
                if deltas[factor][row, lines.target] != deltas[factor][row, lines.gone]:
                    deltas[factor][row, lines.target] = deltas[factor][row, lines.gone] = 0
    only = [row for kind in kinds if kind.moved for row in kind.rows]
    only += np.flatnonzero(
        (lines.allowed[:, lines.gone] == 1) & (lines.allowed[:, lines.target] == 0)
    ).tolist()
    for place, delta in enumerate(deltas):
        delta[only, lines.target] = delta[only, lines.gone]
        tables[place] = _widened(lines, kinds, delta, tables[place])
    # Factors on one feature stand for one whose weights lie too far apart for one table.
    alike: dict[bytes, list[int]] = {}
    for factor in involved:
        alike.setdefault(weighings[factor][0].tobytes(), []).append(factor)
    groups = [*alike.values()]
    firsts = [group[0] for group in groups]
    shape = [tables[factor].shape[0] for factor in firsts]
    shape += [kind.most + 1 for kind in kinds]
    if math.prod(shape) > MOST_WEIGHTS:
        raise UnsupportedError(
            f"past evidence tells {what} apart in too many ways to go on exactly",
            value=math.prod(shape),
            hint="take method='deal_filter', which forgets what no longer matters",
        )
    strong = sum(spread(tables[factor]) for factor in involved) > MOST_KEPT_SPREAD
    strong = strong or len(groups) < len(involved)
    told_by = [tables[factor] for factor in firsts]
    if strong:
        with np.errstate(divide="ignore"):
            told_by = [
                np.sum([np.log2(tables[factor]) for factor in group], axis=0) for group in groups
            ]
    table = _table(lines, kinds, told_by, firsts, shape, what, strong=strong)
    allowed = lines.allowed.copy()
    allowed[:, lines.target] |= allowed[:, lines.gone]
    left: list[Weighing] = [
        (delta, weights)
        for factor, (delta, weights) in enumerate(zip(deltas, tables, strict=True))
        if factor not in involved
    ]
    log_constant = 0.0
    pieces = [table.ravel()]
    if strong:
        pieces, power = pieces_of_logs(table.ravel())
        log_constant = power * math.log(2.0)
    if table.size == 1 and not involved and float(table.flat[0]) > 0.0:
        log_constant = math.log(float(table.flat[0]))
    else:
        joint = np.zeros_like(deltas[0]) if deltas else np.zeros(allowed.shape, dtype=np.int64)
        stride = table.size
        for factor, size in zip(firsts, shape, strict=False):
            stride //= size
            joint += stride * deltas[factor]
        for kind, size in zip(kinds, shape[len(firsts) :], strict=True):
            stride //= size
            joint[kind.rows, lines.target] += stride
        left += [(joint, piece) for piece in pieces]
    return _Folded(
        np.ascontiguousarray(np.delete(allowed, lines.gone, axis=1)),
        [(np.delete(delta, lines.gone, axis=1), weights) for delta, weights in left],
        log_constant,
    )


def _widened(lines: _Lines, kinds: Sequence[_Kind], delta: Integers, table: Floats) -> Floats:
    """Weights with zeros for what the new column could add beyond what the old one could."""
    beyond = 0
    for kind in kinds:
        if kind.moved is not None and kind.rows:
            step = int(delta[kind.rows, lines.target].max(initial=0))
            beyond += step * max(kind.most - lines.sizes[int(kind.moved)], 0)
    return np.append(table, np.zeros(beyond)) if beyond else table


def _table(
    lines: _Lines,
    kinds: Sequence[_Kind],
    tables: Sequence[Floats],
    involved: Sequence[int],
    shape: Sequence[int],
    what: str,
    *,
    strong: bool,
) -> NDArray[np.float64]:
    """The weights of the new factor: by the index of every old one, and the counts of all kinds.

    These and those of ``tables`` are logarithms to base two where products of weights leave the
    floats (``strong``).
    """
    total, moved = sum(lines.sizes), lines.sizes[1]
    place = {factor: number for number, factor in enumerate(involved)}
    result = np.full(shape, -math.inf if strong else 0.0)
    terms = 0
    for counts in itertools.product(*(range(kind.most + 1) for kind in kinds)):
        present = [kind.fixed + count for kind, count in zip(kinds, counts, strict=True)]
        plain = total - sum(present)
        if plain < 0:
            continue
        ranges = [
            range(count + 1)
            if kind.moved is None
            else range(count * kind.moved, count * kind.moved + 1)
            for kind, count in zip(kinds, present, strict=True)
        ]
        for taken in itertools.product(*ranges):
            rest = moved - sum(taken)
            if not 0 <= rest <= plain:
                continue
            ways = math.comb(plain, rest) * math.prod(map(math.comb, present, taken))
            shifts = [0] * len(tables)
            for kind, count, part in zip(kinds, present, taken, strict=True):
                for factor, stays, goes in kind.steps:
                    if factor in place:
                        shifts[place[factor]] += (count - part) * stays + part * goes
            weights: Any = math.log2(ways) if strong else float(ways)
            for table, shift in zip(tables, shifts, strict=True):
                times = np.add.outer if strong else np.multiply.outer
                weights = times(weights, _shifted(table, shift, -math.inf if strong else 0.0))
            if strong:
                result[(..., *counts)] = np.logaddexp2(result[(..., *counts)], weights)
            else:
                result[(..., *counts)] += weights
            terms += max(1, int(np.size(weights)))
            if terms > MOST_TERMS:
                raise UnsupportedError(
                    f"past evidence tells {what} apart in too many ways to go on exactly",
                    hint="take method='deal_filter', which forgets what no longer matters",
                )
    return result


def _shifted(table: Floats, shift: int, nothing: float) -> Floats:
    """``table[index + shift]``, and beyond the end the weight of what is impossible."""
    result = np.full_like(table, nothing)
    if shift < table.shape[0]:
        result[: table.shape[0] - shift] = table[shift:]
    return result


def _log_ways(total: int, part: int) -> float:
    return math.lgamma(total + 1) - math.lgamma(part + 1) - math.lgamma(total - part + 1)
