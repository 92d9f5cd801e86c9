"""The order in which choices are drawn, each given those before it, and the factors for each.

A factor enters the draw of the last of its variables. So a network is drawn parents first, and
evidence on what several variables decide together is met at the last of them.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import numpy as np

from ...arrays.layout import Bools, FactorArrays, Flags, Floats, Integers
from ...arrays.scaling import spreads
from ..sampling.cards import Cards
from ..sampling.proposals import children_of
from .kernels import OrderArrays, look_ahead

#: Powers of two between the weights of the values of one variable beyond which logs are added.
FAR = 900.0


@dataclass(frozen=True, eq=False)
class DrawingOrder:
    """An order of all choices that are open.

    Attributes:
        cards: What is drawn.
        arrays: The order.
        dealt: Cards of deals, which are drawn before.
        before: Factors of those alone.
        left: Factors that no draw takes in.
        log_scale: What logs of weights must be increased by in all.
        log_largest: Log of the most that the draws can weigh, where they take in nothing but
            distributions; NaN else.
    """

    cards: Cards
    arrays: OrderArrays
    dealt: Integers
    before: Integers
    left: Integers
    log_scale: float
    log_largest: float


def drawing_order(cards: Cards, *, evidence: bool) -> DrawingOrder:
    """The order for some cards.

    Args:
        cards: What is drawn.
        evidence: Whether draws take in all factors, and look ahead to those that come later; else
            only those that are distributions of what is drawn.
    """
    arrays = cards.problem.arrays
    count = cards.problem.factor_count
    is_choice = cards.choices == 1
    open_choice: Bools = is_choice & (cards.allowed.sum(axis=1) > 1)
    child_of, largest = distributions(cards)
    order = _parents_first(arrays, child_of, open_choice)
    place: Integers = np.full(cards.count, -1, dtype=np.int64)
    place[order] = np.arange(order.shape[0])
    by_row = place[arrays.site]
    last: Integers = (
        np.maximum.reduceat(by_row, arrays.start[:-1]) if count else np.zeros(0, dtype=np.int64)
    )
    taken = last >= 0
    log_largest = math.nan
    if not evidence:
        own = np.where(taken, order[last] if order.size else -1, -1)
        taken &= own == child_of
        without = np.setdiff1d(order, own[taken])
        log_largest = float(largest[taken].sum())
        log_largest += float(np.log(cards.allowed[without].sum(axis=1)).sum())
    factor = np.flatnonzero(taken)[np.argsort(last[taken], kind="stable")]
    start: Integers = np.searchsorted(last[factor], np.arange(order.size + 1))
    # Every factor has one row of its last variable.
    row_factor = np.repeat(np.arange(count), np.diff(arrays.start))
    last_row: Integers = np.zeros(count, dtype=np.int64)
    is_last = by_row == last[row_factor]
    last_row[row_factor[is_last]] = np.flatnonzero(is_last)
    row = last_row[factor]
    ahead, log_ahead = np.ones(arrays.delta.shape), np.zeros(cards.allowed.shape)
    log_scale = 0.0
    if evidence:
        believed = _shares(cards)
        look_ahead(order, start, factor, row, place, cards.allowed, believed, arrays, ahead)
        log_ahead, log_scale = _products(arrays, ahead, cards.allowed)
    far = _far(arrays, start, factor, order, cards.allowed, log_ahead)
    result = OrderArrays(
        order, start, factor, row, far, cards.allowed, arrays, ahead, np.exp(log_ahead), log_ahead
    )
    in_order = np.zeros(count, dtype=bool)
    in_order[factor] = True
    outside = np.flatnonzero(~in_order)
    alone = last[outside] < 0
    before, left = (outside[alone], outside[~alone]) if evidence else (outside[:0], outside)
    dealt = np.flatnonzero(~is_choice)
    return DrawingOrder(cards, result, dealt, before, left, log_scale, log_largest)


def distributions(cards: Cards) -> tuple[Integers, Floats]:
    """The choice that every factor is a distribution of (-1: none), and the log of its largest sum.

    Each choice has one factor at most, the first that is declared. Of a factor that could be the
    distribution of several, it is that of the one whose values count up by one.
    """
    count = cards.problem.factor_count
    child_of, largest = np.full(count, -1, dtype=np.int64), np.zeros(count)
    taken: set[int] = set()
    for number, (additive, table) in enumerate(cards.problem.factors()):
        found = children_of(cards, additive, table)
        candidates = [child for child in found if child not in taken]
        if not candidates:
            continue
        steps = {
            int(card): _step(additive.delta[row][cards.problem.layout.allowed[card] == 1])
            for row, card in enumerate(additive.sites)
        }
        child = min(reversed(candidates), key=steps.__getitem__)
        taken.add(child)
        child_of[number], largest[number] = child, math.log(found[child])
    return child_of, largest


def _step(adds: Integers) -> int:
    """The difference that a choice's second value makes to an index, beside its first."""
    return abs(int(adds[1] - adds[0])) if adds.shape[0] > 1 else 0


def _parents_first(arrays: FactorArrays, child_of: Integers, wanted: Bools) -> Integers:
    """The wanted cards, as far as possible after those that they depend on, else as declared."""
    waits = np.zeros(wanted.shape[0], dtype=np.int64)
    below: dict[int, list[int]] = {}
    for factor in np.flatnonzero(child_of >= 0).tolist():
        child = int(child_of[factor])
        for card in arrays.site[arrays.start[factor] : arrays.start[factor + 1]].tolist():
            if card != child and wanted[card] and wanted[child]:
                below.setdefault(card, []).append(child)
                waits[child] += 1
    ready = [card for card in np.flatnonzero(wanted).tolist() if waits[card] == 0]
    rest = iter(np.flatnonzero(wanted).tolist())
    done: dict[int, None] = {}
    while len(done) < int(wanted.sum()):
        # In a circle of directions, which are only guessed, the first goes first.
        card = heapq.heappop(ready) if ready else next(card for card in rest if card not in done)
        if card in done:
            continue
        done[card] = None
        for child in below.get(card, ()):
            waits[child] -= 1
            if waits[child] == 0:
                heapq.heappush(ready, child)
    return np.array([*done], dtype=np.int64)


def _shares(cards: Cards) -> Floats:
    """Shares of the places that every card may have, by how many each holds."""
    room = np.where(cards.problem.layout.capacity < 0, 1, cards.problem.layout.capacity)
    weight = cards.allowed * np.maximum(room, 1)
    return weight / np.maximum(weight.sum(axis=1, keepdims=True), 1)


def _products(arrays: FactorArrays, ahead: Floats, allowed: Flags) -> tuple[Floats, float]:
    """Logs of the products of all messages to every card, the largest 0, and what was taken out."""
    log_ahead = np.zeros(allowed.shape)
    with np.errstate(divide="ignore"):
        np.add.at(log_ahead, arrays.site, np.log(ahead))
    largest = np.where(allowed == 1, log_ahead, -math.inf).max(axis=1, initial=-math.inf)
    largest = np.where(np.isfinite(largest), largest, 0.0)
    return log_ahead - largest[:, None], float(largest.sum())


def _far(
    arrays: FactorArrays,
    start: Integers,
    factor: Integers,
    order: Integers,
    allowed: Flags,
    log_ahead: Floats,
) -> Flags:
    far = np.zeros(order.shape[0])
    place: Integers = np.repeat(np.arange(order.size), np.diff(start))
    np.add.at(far, place, spreads(arrays)[factor])
    possible = (allowed[order] == 1) & (log_ahead[order] > -math.inf)
    least = np.where(possible, log_ahead[order], 0.0).min(axis=1, initial=0.0)
    return (far - least / math.log(2.0) > FAR).astype(np.int8)
