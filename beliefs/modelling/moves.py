"""Moves: holders come and go, and past evidence stays as exact as it was.

A split gives the new holder the same place in every past factor. A merge folds slots together
where no past evidence tells them apart, and keeps them as parts of one holder where it does; a
split of such a holder makes its parts one, with a factor for how they differed (see `folding`).
What is revealed gets sites of its own, so that it stays known wherever it goes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...data.errors import EvidenceError, UnsupportedError
from ..arrays.layout import Additive, Flags, Floats, Integers, Layout, make_layout
from ..arrays.merging import one_site, one_slot
from ..arrays.problem import MOST_PLACES, Problem
from ..language.evidence import Merge, Move, Reveal, Split, WalkStep
from ..language.holders import merged_slots, revealed_slots, split_slots
from .following import followed
from .walk_steps import take_step


def apply_move(problem: Problem, move: Move) -> Problem:
    """The problem after holders have come or gone; past evidence stays as exact as it was.

    Raises:
        EvidenceError: A holder is unknown, too small, or has other items than revealed.
        UnsupportedError: The move cannot be expressed exactly on the present holders.
    """
    if isinstance(move, WalkStep):
        return take_step(problem, move)
    if problem.contents is not None:
        return followed(problem, problem.contents, move)
    if isinstance(move, Split):
        return _split(problem, move)
    if isinstance(move, Merge):
        return _merge(problem, move)
    return _reveal(problem, move)


def _split(problem: Problem, move: Split) -> Problem:
    slots = [*split_slots(problem.layout, move)]
    if len(slots) > 1:
        problem = one_slot(problem, move.source, slots)
    return _take(problem, move, {slots[0]: move.count})


def every_split(problem: Problem, move: Split) -> list[Problem]:
    """One problem for every way in which the items can come from the parts of their holder.

    Together they have the deals that are possible after the split, but not their weights.
    """
    slots = [*split_slots(problem.layout, move)]
    ways: list[dict[int, int]] = [{}]
    left = int(problem.layout.capacity[slots].sum())
    for slot in slots:
        size = int(problem.layout.capacity[slot])
        left -= size
        ways = [
            {**taken, slot: number}
            for taken in ways
            for number in range(min(size, move.count - sum(taken.values())) + 1)
            if sum(taken.values()) + number + left >= move.count
        ]
    return [_take(problem, move, taken) for taken in ways]


def _take(problem: Problem, move: Split, taken: dict[int, int]) -> Problem:
    """The problem after a split that takes so many items out of each slot."""
    layout = problem.layout
    held = int((layout.capacity >= 0).sum())  # values of choices are no holders
    if held + len(taken) > MOST_PLACES:
        raise UnsupportedError(
            "there are too many holders at a time", value=held, hint="merge some"
        )
    capacity = np.append(layout.capacity, [*taken.values()])
    log_norm = problem.log_norm
    for slot, number in taken.items():
        size = int(layout.capacity[slot])
        capacity[slot] = size - number
        log_norm += math.lgamma(size + 1) - math.lgamma(number + 1) - math.lgamma(size - number + 1)
    slots = [*taken]
    after = make_layout(
        layout.copies,
        capacity,
        np.concatenate([layout.allowed, layout.allowed[:, slots]], axis=1),
        layout.site_names,
        (*layout.slot_names, *((move.deal, move.holder) for _ in slots)),
        layout.values,
    )
    delta = np.concatenate([problem.factor_delta, problem.factor_delta[:, slots]], axis=1)
    return problem.anew(layout=after, delta=delta, log_norm=log_norm)


def _fixed_to(layout: Layout, slot: int) -> Any:
    """Sites that can only be in this slot."""
    return (layout.allowed[:, slot] == 1) & (layout.allowed.sum(axis=1) == 1)


def _alike(allowed: Flags, delta: Integers, site_of_row: Integers, slot: int, other: int) -> bool:
    """True if two slots differ in nothing but what is known to be there."""
    open_sites = (allowed[:, slot] | allowed[:, other]).astype(np.bool_)
    for place in (slot, other):
        open_sites &= ~((allowed[:, place] == 1) & (allowed.sum(axis=1) == 1))
    rows = open_sites[site_of_row]
    return bool(
        (allowed[open_sites, slot] == allowed[open_sites, other]).all()
        and (delta[rows, slot] == delta[rows, other]).all()
    )


def _merge(problem: Problem, move: Merge) -> Problem:
    layout = problem.layout
    slots = merged_slots(layout, move)
    capacity = layout.capacity.copy()
    allowed = layout.allowed.copy()
    delta = problem.factor_delta.copy()
    log_norm = problem.log_norm
    gone: list[int] = []
    kept: list[int] = []
    for slot in slots:
        for target in kept:
            size, other = int(capacity[slot]), int(capacity[target])
            known = _fixed_to(replace(layout, allowed=allowed), slot)
            known_target = _fixed_to(replace(layout, allowed=allowed), target)
            if int(layout.copies[known].sum()) == size:
                pass
            elif int(layout.copies[known_target].sum()) == other:
                # The revealed one is folded into the other.
                allowed[:, target] = np.where(known_target, 0, allowed[:, slot])
                rows = ~known_target[problem.factor_site]
                delta[rows, target] = delta[rows, slot]
                allowed[known_target, target] = 1
                known = known_target
            elif _alike(allowed, delta, problem.factor_site, slot, target):
                # What is known to be in either was not dealt at random between them.
                size = max(size - int(layout.copies[known].sum()), 0)
                other = max(other - int(layout.copies[known_target].sum()), 0)
                log_norm -= math.lgamma(size + other + 1)
                log_norm += math.lgamma(size + 1) + math.lgamma(other + 1)
                size = int(capacity[slot])
            else:
                continue
            moved = known & (allowed[:, slot] == 1)
            rows = moved[problem.factor_site]
            delta[rows, target] = delta[rows, slot]
            allowed[moved, target] = 1
            capacity[target] += size
            gone.append(slot)
            break
        else:
            kept.append(slot)
    names = [
        (move.deal, move.into) if slot in slots else name
        for slot, name in enumerate(layout.slot_names)
    ]
    keep = [slot for slot in range(layout.slot_count) if slot not in gone]
    after = make_layout(
        layout.copies,
        capacity[keep],
        np.ascontiguousarray(allowed[:, keep]),
        layout.site_names,
        tuple(names[slot] for slot in keep),
        layout.values,
    )
    delta = np.ascontiguousarray(delta[:, keep])
    return problem.anew(layout=after, delta=delta, log_norm=log_norm)


def _one_group_each(problem: Problem, move: Reveal, slots: Sequence[int]) -> Problem:
    """The problem in which what is revealed of an item can come from one group of its copies.

    Copies that were seen earlier and may since have been laid down are such a group, and so are
    those that were never seen.
    """
    for item, number in move.contents.items():
        layout = problem.layout
        here = [
            site
            for site in layout.sites[(move.deal, item)]
            if layout.allowed[site, list(slots)].any()
        ]
        free = [
            site
            for site in here
            if layout.allowed[site].sum() > layout.allowed[site, list(slots)].sum()
        ]
        wanted = number - int(layout.copies[[site for site in here if site not in free]].sum())
        if len(free) > 1 and 0 < wanted < int(layout.copies[free].sum()):
            problem = one_site(problem, item, free)
    return problem


def _reveal(problem: Problem, move: Reveal) -> Problem:
    """Give the revealed copies sites of their own, so that they stay known wherever they go."""
    slots = revealed_slots(problem.layout, move)
    problem = _one_group_each(problem, move, slots)
    layout = problem.layout
    copies = layout.copies.copy()
    allowed = layout.allowed.copy()
    site_names = list(layout.site_names)
    more_copies: list[int] = []
    more_allowed: list[Any] = []
    twins: dict[int, list[int]] = {}
    log_norm = problem.log_norm
    for item in dict.fromkeys(name for deal, name in layout.site_names if deal == move.deal):
        sites = layout.sites[(move.deal, item)]
        here = [site for site in sites if allowed[site, list(slots)].any()]
        fixed = [site for site in here if allowed[site].sum() == allowed[site, list(slots)].sum()]
        wanted = move.contents.get(item, 0) - int(copies[fixed].sum())
        free = [site for site in here if site not in fixed]
        if wanted < 0 or wanted > int(copies[free].sum()):
            raise EvidenceError(
                f"{move.holder!r} cannot have {move.contents.get(item, 0)} of {item!r}",
                value=dict(move.contents),
            )
        whole = wanted == int(copies[free].sum())
        for site in free:
            number = int(copies[site])
            if whole:
                inside = np.zeros(layout.slot_count, dtype=np.int8)
                inside[list(slots)] = allowed[site, list(slots)]
                allowed[site] = inside
                continue
            if wanted > 0:
                log_norm -= math.lgamma(number + 1)
                log_norm += math.lgamma(wanted + 1) + math.lgamma(number - wanted + 1)
                copies[site] = number - wanted
                twin = np.zeros(layout.slot_count, dtype=np.int8)
                twin[list(slots)] = allowed[site, list(slots)]
                twins.setdefault(site, []).append(layout.site_count + len(more_copies))
                more_copies.append(wanted)
                more_allowed.append(twin)
                site_names.append((move.deal, item))
            allowed[site, list(slots)] = 0
    after = make_layout(
        np.concatenate([copies, np.array(more_copies, dtype=np.int64)]),
        layout.capacity,
        np.concatenate([allowed, *(row[None, :] for row in more_allowed)]),
        tuple(site_names),
        layout.slot_names,
        layout.values,
    )
    factors: list[tuple[object, Additive, Floats]] = []
    for additive, table in problem.factors():
        sites, rows = list(additive.sites), [*additive.delta]
        for place, site in enumerate(additive.sites):
            for twin in twins.get(int(site), []):
                sites.append(np.int64(twin))
                rows.append(additive.delta[place])
        factors.append(
            (None, Additive(np.array(sites, dtype=np.int64), np.array(rows), additive.size), table)
        )
    return Problem.empty(after, log_norm).with_factors(factors)
